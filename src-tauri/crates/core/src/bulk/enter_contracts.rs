//! Turns rows of contracts into entries of the outbox, one chunk in each transaction.

use super::judge::{Job, kept_row};
use super::validate::OpenChunk;
use super::{Bulk, RowKept, RunKind, RunOutcome, RunState, RunView, Runs, Tally};
use crate::Error;
use crate::contracts::bulk_check::{Good, Verdict};
use crate::contracts::equal_rows::{DuplicateDetector, Taken};
use crate::encryption::{AssociatedData, DataKey};
use crate::profile::Profile;
use warranty_files::layout::NumberedRow;
use warranty_model::outbox::circuit_breaker::TaskKind;
use warranty_runtime::notifications::Change;
use warranty_runtime::work::{TaskGuard, run_task_id};
use warranty_store::journal::Line;
use warranty_store::runs::KeptRun;
use warranty_store::runs::working::{ChunkKept, FinishedChunk};

impl Bulk {
    /// Enters all rows of a running run, however many entries already wait to be sent. While it works,
    /// the background task and [`crate::outbox::Outbox::run`] do not enter rows of this run; without
    /// it they enter some at a time, as fast as entries are sent. After
    /// [`crate::outbox::Outbox::wind_down`] it finishes the rows in progress and leaves the run running.
    ///
    /// `progress` is called with the number of rows done and of all rows.
    ///
    /// # Errors
    /// [`Error::NotOpened`] when rows cannot be opened; [`Error::Vault`] and [`Error::KeyLost`] when
    /// they cannot be encrypted; [`Error::RescueNotSeen`]; [`Error::InUse`]; [`Error::NoProfile`]; [`Error::Store`]: the rows
    /// entered by then stay, and the rest continues later.
    pub async fn enter(
        &self,
        id: &str,
        progress: &(dyn Fn(u32, u32) + Sync),
    ) -> Result<RunView, Error> {
        let run = self.run_to_change(id).await?;
        let profile = self.context.profile_now().await?;
        self.finish_older(&profile, &run).await?;
        let Some(_guard) = self.begin_run(&profile, run.number).await else {
            return self.run(id).await;
        };
        loop {
            if self.context.work.is_stopping() {
                return self.run(id).await;
            }
            let more = self.work_on(&profile, run.number).await?;
            self.notifications.publish(Change::Many).await;
            if !more {
                return self.run(id).await;
            }
            let run = self.kept_run(id).await?.view;
            progress(run.entered + run.already_entered + run.rejected, run.rows);
        }
    }

    /// Registers that a run is worked on, once no other task does; `None` when closing has begun.
    async fn begin_run(&self, profile: &Profile, number: i64) -> Option<TaskGuard> {
        let work = &self.context.work;
        let mut changes = work.changes.subscribe();
        loop {
            changes.borrow_and_update();
            if work.is_stopping() {
                return None;
            }
            let id = run_task_id(number);
            if let Some(guard) = work.begin(&id, TaskKind::Feed, &profile.id) {
                return Some(guard);
            }
            changes.changed().await.ok()?;
        }
    }

    /// Finishes older runs of the same kind first: of two files with the same product or plan, the
    /// newer must be applied last.
    async fn finish_older(&self, profile: &Profile, run: &KeptRun) -> Result<(), Error> {
        if run.view.kind == RunKind::Contracts {
            return Ok(());
        }
        let store = &self.context.store;
        let unfinished = store.runs(&profile.id, Runs::Unfinished).await?;
        let older = unfinished.into_iter().filter(|other| {
            let same_kind = other.view.kind == run.view.kind;
            other.view.state == RunState::Running && other.number < run.number && same_kind
        });
        for KeptRun { number, .. } in older {
            while !self.context.work.is_stopping() && self.work_on(profile, number).await? {
                self.notifications.publish(Change::Many).await;
            }
        }
        Ok(())
    }

    /// The journal line of a finished run; its count is put before the detail.
    pub(super) fn ended_line(&self, profile: &Profile, run: &KeptRun) -> Line {
        let (action, what) = match run.view.kind {
            RunKind::Contracts => ("contracts.entered", "contracts"),
            RunKind::Products => ("products.sent", "products"),
            RunKind::PlanLinks => ("plans.linked", "plans"),
            RunKind::ProductReferences => ("products.remembered", "references"),
        };
        let context = &self.context;
        let line = context.journal_line(action, &profile.name, Some(what));
        line.by(&run.view.created_by)
    }
}

impl Job<'_> {
    /// Enters a chunk, and retries when another process entered one of its sales meanwhile. `false`: it
    /// was the last one.
    pub(super) async fn enter_chunk(
        &self,
        run: &KeptRun,
        open: OpenChunk,
        key: &DataKey,
        done: Line,
    ) -> Result<bool, Error> {
        let (bulk, profile) = (self.bulk, self.profile);
        loop {
            let verdicts = self.judge_to_enter(run, &open).await?;
            let (kept, good, unchecked) = split_verdicts(&open, verdicts);
            let tally = Tally {
                unchecked,
                ..Tally::of(&kept)
            };
            let mut fed = FinishedChunk {
                run: run.number,
                tally: tally.instead_of(Tally::of(&open.kept)),
                rest: rest(key, run, &open, &kept)?,
                chunk: open.chunk.clone(),
                rows: kept,
                done: done.clone(),
            };
            let freeze = if good.is_empty() {
                None
            } else {
                let contracts = &bulk.contracts;
                let (mut freeze, sales) = contracts.build_submissions(key, profile, good)?;
                freeze.run = Some(run.number);
                // The user who submitted the rows.
                freeze.user.clone_from(&run.view.created_by);
                let rows = fed.rows.iter_mut();
                let entered = rows.filter(|row| row.outcome == Some(RunOutcome::Entered));
                for (row, entry) in entered.zip(&freeze.entries) {
                    row.submission_id = Some(entry.id.clone());
                }
                Some((freeze, sales))
            };
            let fed_as = bulk.context.store.complete_chunk(fed, freeze).await?;
            match fed_as {
                ChunkKept::More => return Ok(true),
                ChunkKept::Last | ChunkKept::Moved => return Ok(false),
                ChunkKept::ProfileMoved => return Err(Error::ProfileMoved),
                ChunkKept::SoldMeanwhile => {}
            }
        }
    }

    /// Judges each row of a chunk. Rows that the check rejected have no verdict: a person may have
    /// corrected and entered them as another sale by now.
    async fn judge_to_enter(
        &self,
        run: &KeptRun,
        open: &OpenChunk,
    ) -> Result<Vec<Option<Verdict>>, Error> {
        let is_judged = |row: &&NumberedRow| {
            let kept = open.kept(row.number);
            kept.is_none_or(|kept| kept.outcome != Some(RunOutcome::Rejected))
        };
        let judged = open.rows.iter().filter(is_judged);
        let rows = judged.map(|row| (row, open.confirmed(row)));
        // The same sale twice in one chunk is entered in one transaction: nothing else would see it.
        let mut within = DuplicateDetector::default();
        if open.kept.iter().any(|kept| kept.finding.equal) {
            let store = &self.bulk.context.store;
            let elsewhere = store.equal_rows_elsewhere(run.number, &open.chunk).await?;
            let taken = elsewhere.into_iter().map(|(id, outcome)| match outcome {
                RunOutcome::Differing => (id, Taken::Differing),
                RunOutcome::Entered | RunOutcome::AlreadyEntered | RunOutcome::Rejected => {
                    (id, Taken::Same)
                }
            });
            within = DuplicateDetector::beside(taken);
        }
        let verdicts = self.judge(rows, &mut within, &|_| {}).await?;
        let mut verdicts = verdicts.into_iter();
        let verdict = |row| is_judged(&row).then(|| verdicts.next()).flatten();
        Ok(open.rows.iter().map(verdict).collect())
    }
}

/// Every row as it is kept, those that are entered, and how many of these could not be asked about.
fn split_verdicts(
    open: &OpenChunk,
    verdicts: Vec<Option<Verdict>>,
) -> (Vec<RowKept>, Vec<Good>, i64) {
    let (mut kept, mut good, mut unchecked) = (Vec::new(), Vec::new(), 0);
    for (row, verdict) in open.rows.iter().zip(verdicts) {
        let before = open.kept(row.number);
        let Some(verdict) = verdict else {
            kept.extend(before.cloned());
            continue;
        };
        let equal = before.is_some_and(|kept| kept.finding.equal);
        let mut now = kept_row(row, before, &verdict, equal);
        if let Verdict::Good(found) = verdict {
            unchecked += i64::from(found.is_unchecked());
            now.outcome = Some(RunOutcome::Entered);
            good.push(*found);
        }
        kept.push(now);
    }
    (kept, good, unchecked)
}

/// The encrypted cells of rejected rows, which are returned for correction. The other rows are stored in
/// their entries.
pub(super) fn rest(
    key: &DataKey,
    run: &KeptRun,
    open: &OpenChunk,
    kept: &[RowKept],
) -> Result<Option<crate::encryption::Encrypted>, Error> {
    let rows = open.rows.iter().zip(kept);
    let rejected = rows.filter(|(_, kept)| kept.outcome == Some(RunOutcome::Rejected));
    let rest: Vec<&NumberedRow> = rejected.map(|(row, _)| row).collect();
    if rest.is_empty() {
        return Ok(None);
    }
    let place = AssociatedData::Chunk(run.place(), open.chunk.number);
    Ok(Some(key.encrypt_json(place, &rest)?))
}
