//! Checks staged rows without entering them.

use futures::future::try_join_all;

use super::judge::{Job, is_unchecked, kept_row};
use super::stage::CHUNKS_TOGETHER;
use super::{Bulk, Finding, Layout, RowKept, RunKind, RunState, RunView, Tally};
use crate::contracts::Confirmed;
use crate::contracts::equal_rows::DuplicateDetector;
use crate::encryption::{AssociatedData, Decrypted, json};
use crate::{Error, Result};
use warranty_files::layout::NumberedRow;
use warranty_runtime::notifications::Change;
use warranty_store::runs::KeptRun;
use warranty_store::runs::chunks::Chunk;

pub(super) struct OpenChunk {
    pub chunk: Chunk,
    pub rows: Vec<NumberedRow>,
    pub kept: Vec<RowKept>,
}

impl OpenChunk {
    /// What a person confirmed for a row, when it was submitted and since.
    pub(super) fn confirmed(&self, row: &NumberedRow) -> Vec<Confirmed> {
        let mut confirmed = row.confirmed.clone();
        if let Some(kept) = self.kept(row.number) {
            confirmed.extend(kept.confirmed.iter().cloned());
        }
        confirmed
    }

    pub(super) fn kept(&self, number: u32) -> Option<&RowKept> {
        self.kept.iter().find(|kept| kept.number == number)
    }
}

impl Bulk {
    /// Checks every row of a staged run and stores its expected outcome; enters nothing. The service
    /// is asked once for each pair of plan and product. Ends early, with `checked` below `rows`, when
    /// the run is no longer staged or [`Bulk::stop_check`] was called.
    ///
    /// `progress` is called with the number of rows done and of all rows.
    ///
    /// # Errors
    /// [`Error::NotAllowed`] when the run is no longer staged, or not whole yet; [`Error::Vault`] and
    /// [`Error::NotOpened`] when its rows cannot be read; [`Error::InUse`]; [`Error::NoProfile`];
    /// [`Error::Store`].
    pub async fn check(&self, id: &str, progress: &(dyn Fn(u32, u32) + Sync)) -> Result<RunView> {
        let run = self.run_to_change(id).await?;
        self.check_run(&run, progress).await
    }

    /// Checks under the run's own profile, whichever is chosen meanwhile.
    pub(super) async fn check_run(
        &self,
        run: &KeptRun,
        progress: &(dyn Fn(u32, u32) + Sync),
    ) -> Result<RunView> {
        Error::ensure_allowed(run.view.state == RunState::Staged && run.view.whole)?;
        let profile = self.context.profile_by_id(&run.profile_id).await?;
        let layout = self.layout_of(run).await?.readable()?;
        self.context.store.begin_run_check(run.number).await?;
        self.context.runs.follow(&run.view.id);
        let asked = self.memory.begin_check(run, self.context.clock.monotonic());
        let job = Job {
            bulk: self,
            profile: &profile,
            kind: run.view.kind,
            layout: &layout,
            submitted_at: run.view.created_at.get().to_utc(),
            asked: &asked,
        };
        let mut seen = job.seen_whole(run).await?;
        let mut judged = Vec::new();
        for chunk in 0..run.chunks {
            if self.memory.check_is_stopped(&run.view.id) {
                break;
            }
            let open = self.open_chunk(run, chunk).await?;
            let begun = open.chunk.first_row - 1;
            let done = std::sync::atomic::AtomicU32::new(begun);
            let more = |rows| {
                let done = done.fetch_add(rows, std::sync::atomic::Ordering::Relaxed) + rows;
                progress(done, run.view.rows);
            };
            let (kept, unchecked) = job.judge_chunk(&open, &mut seen, &more).await?;
            let tally = Tally {
                unchecked,
                ..Tally::of(&kept)
            };
            let store = &self.context.store;
            judged.push(store.keep_checked_chunk(run.number, open.chunk, kept, tally));
            if judged.len() == CHUNKS_TOGETHER {
                // In their order, in one commit.
                let kept = try_join_all(judged.drain(..)).await?;
                self.notifications.publish(Change::Rows).await;
                if kept.contains(&false) {
                    break;
                }
            }
        }
        try_join_all(judged).await?;
        self.notifications.publish(Change::Rows).await;
        self.view(self.run_now(run).await?).await
    }

    /// Stops a running check; its results so far stay.
    pub fn stop_check(&self, id: &str) {
        self.memory.stop_check(id);
    }

    pub(super) async fn open_chunk(&self, run: &KeptRun, chunk: u32) -> Result<OpenChunk> {
        let found = self.context.store.chunk(run.number, chunk).await?;
        let (chunk, kept) = found.ok_or(Error::NotAllowed)?;
        let rows = self.rows_in(run, &chunk).await?.readable()?;
        Ok(OpenChunk { chunk, rows, kept })
    }

    pub(super) async fn rows_in(
        &self,
        run: &KeptRun,
        chunk: &Chunk,
    ) -> Result<Decrypted<Vec<NumberedRow>>> {
        let place = AssociatedData::Chunk(run.place(), chunk.number);
        Ok(self.encryption.decrypt(place, &chunk.cells, json).await?)
    }

    pub(super) async fn layout_of(&self, run: &KeptRun) -> Result<Decrypted<Layout>> {
        let place = AssociatedData::Run(run.place());
        Ok(self.encryption.decrypt(place, &run.layout, json).await?)
    }
}

impl Job<'_> {
    /// The sales of all rows of a run, and the rows of each sale: a row is judged together with the
    /// rows after it.
    async fn seen_whole(&self, run: &KeptRun) -> Result<DuplicateDetector> {
        let bulk = self.bulk;
        let mut seen = DuplicateDetector::default();
        if run.view.kind != RunKind::Contracts {
            return Ok(seen);
        }
        for said in [false, true] {
            for chunk in 0..run.chunks {
                if bulk.memory.check_is_stopped(&run.view.id) || (said && !seen.has_equal()) {
                    break;
                }
                let open = bulk.open_chunk(run, chunk).await?;
                let judged = |row| self.layout.judged(row, open.confirmed(row));
                let rows: Vec<_> = open.rows.iter().map(judged).collect();
                bulk.contracts
                    .record_rows(self.profile, &rows, self.submitted_at, &mut seen, said)
                    .await;
            }
        }
        Ok(seen)
    }

    /// The expected outcome of the rows of a chunk, and how many rows with nothing wrong the service
    /// could not be asked about.
    async fn judge_chunk(
        &self,
        open: &OpenChunk,
        seen: &mut DuplicateDetector,
        progress: &(dyn Fn(u32) + Sync),
    ) -> Result<(Vec<RowKept>, i64)> {
        let rows = open.rows.iter().map(|row| (row, open.confirmed(row)));
        let verdicts = self.judge(rows, seen, progress).await?;
        let contracts = self.kind == RunKind::Contracts;
        let unchecked = verdicts.iter().filter(|one| is_unchecked(one)).count();
        let kept = open
            .rows
            .iter()
            .zip(&verdicts)
            .filter_map(|(row, verdict)| {
                let equal = contracts && seen.is_equal(row.line);
                let kept = kept_row(row, open.kept(row.number), verdict, equal);
                let said = kept.outcome.is_some() || !kept.confirmed.is_empty();
                (contracts && said || kept.finding != Finding::default()).then_some(kept)
            });
        Ok((kept.collect(), i64::try_from(unchecked).unwrap_or(i64::MAX)))
    }
}
