//! Stages rows as a run, encrypted chunk by chunk, so that a long file is never whole in memory.

use futures::StreamExt as _;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Bulk, Layout, NewRun, NumberedRow, RunKind, RunSource, RunState, RunView, SheetRow};
use crate::encryption::{AssociatedData, DataKey};
use crate::files::FileError;
use crate::profile::Profile;
use crate::{Error, Result};
use warranty_store::runs::chunks::Chunk;
use warranty_store::runs::{KeptRun, StagedRun};

/// Rows encrypted as one, and entered in one transaction.
pub(super) const ROWS_IN_CHUNK: usize = 100;
/// Chunks that may wait for the disk while more rows are read or checked.
pub(super) const CHUNKS_TOGETHER: usize = 8;
pub(super) const MOST_ROWS: u32 = 1_000_000;
/// Longest name, in characters.
const LONGEST_NAME: usize = 200;

/// Rows of the sheet, or a part of them, because the size of one call is bounded.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SheetPart {
    pub profile_id: String,
    /// How many rows of the sheet went before these.
    pub after: u32,
    pub rows: Vec<SheetRow>,
    /// Whether these are the last.
    pub last: bool,
}

impl Bulk {
    /// Stores a run without rows; [`Bulk::mark_whole`] records later that all rows are there. A
    /// second call with the same id returns that run, once it is whole.
    ///
    /// # Errors
    /// [`Error::NotKnown`] when the id is no UUID; [`Error::NotAllowed`] when rows are still being
    /// added under it; [`Error::InUse`]; [`Error::NoProfile`]; [`Error::Vault`] and [`Error::KeyLost`] when rows could not be encrypted;
    /// [`Error::Store`].
    pub async fn stage(&self, new: NewRun) -> Result<RunView> {
        let user = self.context.who();
        self.stage_for(&self.context.profile_now().await?, new, user)
            .await
    }

    /// The same for the profile and the person that the rows are of, whoever is there meanwhile.
    pub(super) async fn stage_for(
        &self,
        profile: &Profile,
        new: NewRun,
        user: String,
    ) -> Result<RunView> {
        self.context.writable()?;
        let id = Uuid::parse_str(&new.id)
            .map_err(|_| Error::NotKnown(new.id.clone()))?
            .to_string();
        let key = self.encryption.key_for(profile).await?;
        let place = profile.place(&id);
        let run = StagedRun {
            layout: key.encrypt_json(AssociatedData::Run(place), &new.layout)?,
            profile_id: profile.id.clone(),
            kind: new.kind,
            source: new.source,
            name: new.name.chars().take(LONGEST_NAME).collect(),
            at: self.context.clock.now().timestamp_millis(),
            user,
            id: id.clone(),
        };
        let is_new = self.context.store.stage_run(run).await?;
        // It is the former profile's if another one was chosen meanwhile.
        self.context.expect_profile(&profile.id).await?;
        let view = self.run(&id).await?;
        Error::ensure_allowed(is_new || view.whole)?;
        Ok(view)
    }

    /// Stores rows of the sheet as a run, in parts; all of them or none. A part that is sent again,
    /// because its answer was lost, is stored once.
    ///
    /// # Errors
    /// [`Error::ProfileMoved`] when the chosen profile is another one; [`Error::NotAllowed`] when
    /// the part does not follow what is there; as [`Bulk::stage`].
    pub async fn stage_sheet(&self, id: &str, part: SheetPart) -> Result<RunView> {
        let user = self.context.who();
        let profile = self.context.expect_profile(&part.profile_id).await?;
        let run = match self.run(id).await {
            Ok(run) if run.whole => return Ok(run),
            Ok(run) => run,
            Err(Error::NotKnown(_)) if part.after == 0 => {
                let new = NewRun {
                    id: id.to_owned(),
                    kind: RunKind::Contracts,
                    source: RunSource::Sheet,
                    name: String::new(),
                    layout: Layout::plain(RunKind::Contracts),
                };
                self.stage_for(&profile, new, user).await?
            }
            Err(error) => return Err(error),
        };
        let count = u32::try_from(part.rows.len()).unwrap_or(u32::MAX);
        if run.rows == part.after {
            let cells = part
                .rows
                .into_iter()
                .map(|row| Ok(NumberedRow::of_entry(&row.draft, &row.confirmed)));
            if let Err(error) = self.add_rows(&run.id, cells, &|_| {}).await {
                // A partly staged sheet is deleted: the whole sheet is submitted again.
                self.forget(&run.id).await?;
                return Err(error);
            }
        } else {
            Error::ensure_allowed(run.rows == part.after.saturating_add(count))?;
        }
        if part.last {
            self.mark_whole(&run.id).await
        } else {
            self.run(&run.id).await
        }
    }

    /// Records that all rows of a staged run are there. It can be checked and started now.
    ///
    /// # Errors
    /// [`Error::NotAllowed`] when it is no longer staged; [`Error::NotKnown`]; [`Error::InUse`];
    /// [`Error::NoProfile`]; [`Error::Store`].
    pub async fn mark_whole(&self, id: &str) -> Result<RunView> {
        let kept = self.run_to_change(id).await?;
        Error::ensure_allowed(self.context.store.mark_run_whole(kept.number).await?)?;
        self.overviews.notify_later(&kept.profile_id);
        self.context.backups.back_up_soon();
        self.run(id).await
    }

    /// Adds rows behind the others of a staged run, in chunks and in their order: what was added before
    /// an error stays. Rows are read from the iterator on a thread of their own.
    /// `progress` is called with the number of rows stored.
    ///
    /// # Errors
    /// [`Error::File`] as the iterator gives it; [`Error::NotAllowed`] when the run is no longer
    /// staged, is whole, or is added to by another call; and as [`Bulk::stage`].
    pub async fn add_rows(
        &self,
        id: &str,
        rows: impl Iterator<Item = Result<NumberedRow, FileError>> + Send + 'static,
        progress: &(dyn Fn(u32) + Sync),
    ) -> Result<RunView> {
        let run = self.run_to_change(id).await?;
        Error::ensure_allowed(run.view.state == RunState::Staged && !run.view.whole)?;
        let profile = self.context.profile_now().await?;
        let key = self.encryption.key_for(&profile).await?;
        let (sender, mut chunks) = tokio::sync::mpsc::channel(CHUNKS_TOGETHER);
        let number = run.number;
        let mut encoder = ChunkEncoder {
            key: key.as_ref().clone(),
            first_row: run.view.rows + 1,
            number: run.chunks,
            run,
        };
        let reader = tokio::task::spawn_blocking(move || {
            let mut rows = rows.fuse();
            while let Some(chunk) = encoder.chunk(&mut rows) {
                let failed = chunk.is_err();
                // The receiver is gone only after it failed itself.
                if sender.blocking_send(chunk).is_err() || failed {
                    break;
                }
            }
        });
        // Those that wait for the disk share a commit, in their order.
        let mut kept = futures::stream::poll_fn(|context| chunks.poll_recv(context))
            .map(|chunk| async {
                let chunk = chunk?;
                let last = chunk.first_row + chunk.rows - 1;
                Error::ensure_allowed(self.context.store.add_chunk(number, chunk).await?)?;
                Ok::<u32, Error>(last)
            })
            .buffered(CHUNKS_TOGETHER);
        while let Some(last) = kept.next().await {
            progress(last?);
        }
        drop(kept);
        reader
            .await
            .map_err(|_| Error::Store(crate::StoreError::Closed))?;
        self.run(id).await
    }

    /// A run, on a desk that may change it.
    pub(super) async fn run_to_change(&self, id: &str) -> Result<KeptRun> {
        self.context.writable()?;
        self.kept_run(id).await
    }

    /// A run as it is now, whatever profile is chosen meanwhile.
    pub(super) async fn run_now(&self, run: &KeptRun) -> Result<KeptRun> {
        let now = self.context.store.run_numbered(run.number).await?;
        now.ok_or_else(|| Error::NotKnown(run.view.id.clone()))
    }

    /// A run of the chosen profile by its id. Another profile's run is refused and not called unknown:
    /// a window that still shows that profile would offer its rows again, though they may be sold.
    pub(super) async fn kept_run(&self, id: &str) -> Result<KeptRun> {
        let run = self.context.store.run(id).await?;
        let run = run.ok_or_else(|| Error::NotKnown(id.to_owned()))?;
        self.context.expect_profile(&run.profile_id).await?;
        Ok(run)
    }
}

struct ChunkEncoder {
    run: KeptRun,
    key: DataKey,
    first_row: u32,
    number: u32,
}

impl ChunkEncoder {
    /// The next chunk; `None` when there are no more rows.
    fn chunk(
        &mut self,
        rows: &mut impl Iterator<Item = Result<NumberedRow, FileError>>,
    ) -> Option<Result<Chunk>> {
        let read: Result<Vec<NumberedRow>, FileError> = rows.by_ref().take(ROWS_IN_CHUNK).collect();
        let read = match read {
            Ok(read) if read.is_empty() => return None,
            Ok(read) => read,
            Err(error) => return Some(Err(error.into())),
        };
        let first_row = self.first_row;
        if first_row > MOST_ROWS {
            return Some(Err(FileError::TooManyRows.into()));
        }
        let rows: Vec<NumberedRow> = (first_row..)
            .zip(read)
            .map(|(number, row)| row.numbered(number))
            .collect();
        let count = u32::try_from(rows.len()).unwrap_or(u32::MAX);
        let encrypted = self
            .key
            .encrypt_json(AssociatedData::Chunk(self.run.place(), self.number), &rows);
        let chunk = encrypted.map_err(Error::from).map(|cells| Chunk {
            number: self.number,
            first_row,
            rows: count,
            cells,
        });
        self.first_row += count;
        self.number += 1;
        Some(chunk)
    }
}
