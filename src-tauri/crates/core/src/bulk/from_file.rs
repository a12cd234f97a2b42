//! Previews a file and stages its rows as a run.
//!
//! Owns the path from `files`, which reads cells, to the staged run. Does not know what a row
//! means.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Bulk, Finding, Layout, NewRun, NumberedRow, RunKind, RunOutcome, RunSource, RunView};
use crate::files::export::{REASON, Returned};
use crate::files::private_file::Existing;
use crate::files::writer::BackgroundWriter;
use crate::files::{
    self, Detected, FileError, FileRow, Format, Guess, Mapping, ReadOptions, Source,
};
use crate::{Error, Field, Result, StoreError};

/// Rows shown of a file before it is taken.
const SHOWN: usize = 3;

/// Rows that may wait for the disk while more are read.
const ROWS_WAITING: usize = 256;

/// The beginning of a file, as it will be read.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FileLook {
    /// What the file was found to be.
    pub detected: Detected,
    /// Which column is which field, as far as that is known: as chosen before for the same headers,
    /// otherwise by the names of the headers.
    pub mapping: Mapping,
    /// Fields that more than one column could be meant for.
    pub repeated: Vec<Field>,
    /// Whether the mapping is one that was chosen before.
    pub remembered: bool,
    pub rows: Vec<LookedRow>,
}

/// A row of a file as the page shows it.
// Has no `Debug`: it names a customer.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct LookedRow {
    /// Line from 1 on which it begins.
    pub line: u32,
    pub cells: Vec<String>,
}

/// A file that was opened, and what is known of its columns. It is read once: what it names may be
/// a pipe.
pub struct OpenFile {
    source: Source,
    /// Without its folder.
    name: String,
    pub(super) kind: RunKind,
    /// The person who opened it.
    user: String,
    /// By the names of its headers, or as chosen before for the same headers.
    pub(super) guess: Guess,
    remembered: bool,
}

impl OpenFile {
    pub fn detected(&self) -> &Detected {
        self.source.detected()
    }

    /// Which column is which field; `chosen` takes precedence.
    ///
    /// # Errors
    /// [`FileError::RepeatedColumns`] with the interface's names of fields that more than one column
    /// could be meant for, and that nobody chose one for.
    pub fn mapping_with(&self, chosen: &Mapping) -> Result<Mapping, FileError> {
        self.guess.with(self.kind, chosen)
    }

    /// These columns as a run keeps them. With `only`, no other fields must be there.
    pub(super) fn layout(
        &self,
        mapping: &Mapping,
        only: Option<&[Field]>,
    ) -> Result<Layout, FileError> {
        let layout = Layout::of_file(self.kind, only, self.source.detected(), mapping)?;
        Ok(Layout {
            left_out: self.source.left_out(),
            ..layout
        })
    }

    /// Its rows as a run takes them, read on a thread of their own.
    pub(super) fn rows(
        self,
        layout: Layout,
    ) -> impl Iterator<Item = Result<NumberedRow, FileError>> + Send + 'static {
        let mut source = self.source;
        let format = source.detected().kind;
        let (give, take) = std::sync::mpsc::sync_channel::<Option<_>>(ROWS_WAITING);
        tokio::task::spawn_blocking(move || {
            let rows = match source.rows() {
                Ok(rows) => rows,
                Err(error) => {
                    // The receiver is gone only after it failed itself.
                    let _ = give.send(Some(Err(error)));
                    return;
                }
            };
            for row in rows {
                let row = row.map(|row| layout.taken(format, row));
                if give.send(Some(row)).is_err() {
                    return;
                }
            }
            let _ = give.send(None);
        });
        // A reader that panicked must not look like the end of the file.
        let mut ended = false;
        std::iter::from_fn(move || {
            if ended {
                return None;
            }
            let row = take.recv().unwrap_or_else(|_| {
                let broken_off = std::io::Error::other("the reader broke off");
                Some(Err(FileError::Unreadable(broken_off)))
            });
            ended = !matches!(row, Some(Ok(_)));
            row
        })
    }
}

/// A file whose rows are to be kept as a run.
pub struct FileToStage {
    pub profile_id: String,
    pub file: OpenFile,
    pub mapping: Mapping,
    /// Whether the next file with the same headers is read in the same way.
    pub remember: bool,
}

impl Bulk {
    /// Opens a file and finds out what it is; nothing is kept of it. Columns are as chosen before for
    /// the same headers, else by the headers.
    ///
    /// # Errors
    /// [`Error::File`] when it cannot be read as what it is; [`Error::Store`].
    pub async fn open_file(
        &self,
        path: &Path,
        kind: RunKind,
        options: ReadOptions,
    ) -> Result<OpenFile> {
        let user = self.context.who();
        let opened = path.to_owned();
        let is_line_given = options.header_line.is_some();
        let options = ReadOptions {
            kind: Some(kind),
            ..options
        };
        let source = read_blocking(move || files::open(&opened, &options)).await?;
        let detected = source.detected();
        let mut guess = detected.guess(kind);
        // Files without headers are told apart by their number of columns alone: what was chosen for one
        // counts only for a file that is said to have none.
        let mut known = None;
        if detected.header_line.is_some() || is_line_given {
            known = self
                .mapping_remembered(kind, own(&detected.headers))
                .await?;
        }
        let remembered = known.is_some();
        if let Some(known) = known {
            guess.mapping = known;
        }
        Ok(OpenFile {
            name: name_of(path),
            kind,
            user,
            guess,
            remembered,
            source,
        })
    }

    /// Looks at the beginning of a file; nothing is kept of it.
    ///
    /// # Errors
    /// As [`Bulk::open_file`].
    pub async fn preview_file(
        &self,
        path: &Path,
        kind: RunKind,
        options: ReadOptions,
    ) -> Result<FileLook> {
        let OpenFile {
            mut source,
            guess: Guess {
                mapping, repeated, ..
            },
            remembered,
            ..
        } = self.open_file(path, kind, options).await?;
        let (detected, rows) = read_blocking(move || {
            let rows: Vec<FileRow> = source.rows()?.take(SHOWN).collect::<Result<_, _>>()?;
            Ok((source.detected().clone(), rows))
        })
        .await?;
        Ok(FileLook {
            rows: rows
                .into_iter()
                .map(|row| LookedRow {
                    line: u32::try_from(row.line).unwrap_or(u32::MAX),
                    cells: mapping.shown(row).to_vec(),
                })
                .collect(),
            detected,
            mapping,
            repeated,
            remembered,
        })
    }

    /// Stages all rows of a file as a run with this id; enters nothing. `progress` is called with the
    /// number of rows stored.
    ///
    /// # Errors
    /// [`Error::File`] when a row cannot be read, or columns are missing: then no run is kept;
    /// [`Error::ProfileMoved`] when the chosen profile is another one; and as
    /// [`Bulk::stage`].
    pub async fn stage_file(
        &self,
        id: &str,
        file: FileToStage,
        progress: &(dyn Fn(u32) + Sync),
    ) -> Result<RunView> {
        let profile = self.context.expect_profile(&file.profile_id).await?;
        let (mapping, remember, file) = (file.mapping, file.remember, file.file);
        let layout = file.layout(&mapping, None).map_err(Error::File)?;
        if remember {
            let headers = own(&layout.headers);
            self.mapping_remember(file.kind, headers, &mapping).await?;
        }
        let new = NewRun {
            id: id.to_owned(),
            kind: file.kind,
            source: RunSource::File,
            name: file.name.clone(),
            layout: layout.clone(),
        };
        let run = self.stage_for(&profile, new, file.user.clone()).await?;
        if run.whole {
            return Ok(run);
        }
        match self.add_rows(&run.id, file.rows(layout), progress).await {
            Ok(run) => self.mark_whole(&run.id).await,
            Err(error) => {
                // A partly read file is deleted: the person corrects it and chooses it again.
                self.forget(&run.id).await?;
                Err(error)
            }
        }
    }

    /// Writes the rejected rows of a run to a file: their own columns, as [`Layout::to_correct`] gives
    /// them, and the reason. The path's extension decides between xlsx and CSV. Writes a journal line.
    /// Returns the number of rows.
    ///
    /// # Errors
    /// [`Error::Write`]; [`Error::Vault`] and [`Error::NotOpened`] when the rows cannot be read; and
    /// as [`Bulk::run`]. Then there is no new file at `path`.
    pub async fn write_rejected_rows(
        &self,
        id: &str,
        path: &Path,
        existing: Existing,
        reason: &(dyn Fn(&Finding) -> String + Sync),
    ) -> Result<u64> {
        let run = self.kept_run(id).await?;
        let layout = self.layout_of(&run).await?.readable()?;
        let returned = Returned::of(&layout.headers);
        let format = Format::named(path).unwrap_or(Format::Csv);
        let headers = returned.headers().to_vec();
        let file = BackgroundWriter::begin(path, format, existing, headers);
        let mut next = 0;
        while let Some(chunk) = self.context.store.next_chunk(run.number, next).await? {
            next = chunk + 1;
            let open = self.open_chunk(&run, chunk).await?;
            let rejected = open.rows.iter().filter_map(|row| {
                let kept = open.kept(row.number)?;
                (kept.outcome == Some(RunOutcome::Rejected)).then(|| {
                    let cells = layout.to_correct(&row.cells, &kept.finding.questions);
                    returned.row(&cells, &reason(&kept.finding))
                })
            });
            if !file.rows(rejected.collect()).await {
                break;
            }
        }
        let rows = self.context.export_file("rejected.exported", id, file);
        let rows = rows.await?;
        if !self.context.read_only {
            let taken = u32::try_from(rows).unwrap_or(u32::MAX);
            self.rejected_taken(id, taken).await?;
        }
        Ok(rows)
    }
}

pub(super) async fn read_blocking<T: Send + 'static>(
    read: impl FnOnce() -> Result<T, FileError> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(read)
        .await
        .map_err(|_| Error::Store(StoreError::Closed))?
        .map_err(Error::from)
}

/// The headers a file came with at first: one that goes back to be corrected has its reasons behind
/// them, and is mapped as the first one was.
pub(super) fn own(headers: &[String]) -> &[String] {
    match headers {
        [own @ .., last] if last == REASON => own,
        _ => headers,
    }
}

fn name_of(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}
