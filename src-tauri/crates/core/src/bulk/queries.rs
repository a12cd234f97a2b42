//! Runs as the user interfaces show them.

use super::stage::ROWS_IN_CHUNK;
use super::{
    Bulk, LeftOut, RowKept, RowList, RowSubmission, RunRow, RunSource, RunState, RunView, Runs,
};
use crate::encryption::Decrypted;
use crate::{Error, Result};
use warranty_files::layout::NumberedRow;
use warranty_runtime::notice::Notice;
use warranty_store::runs::KeptRun;

const MOST_ROWS: u32 = 10_000;

impl Bulk {
    /// Runs of the chosen profile, without what they leave out: a list asks the keychain for nothing.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::Store`].
    pub async fn runs(&self, which: Runs) -> Result<Vec<RunView>> {
        let profile = self.context.profile_now().await?;
        let mut views = Vec::new();
        for run in self.context.store.runs(&profile.id, which).await? {
            views.push(self.listed(run).await?);
        }
        Ok(views)
    }

    /// One run.
    ///
    /// # Errors
    /// [`Error::NotKnown`] when there is none of that id; [`Error::ProfileMoved`] when it is another
    /// profile's than the chosen one's; [`Error::NoProfile`]; [`Error::Store`].
    pub async fn run(&self, id: &str) -> Result<RunView> {
        let run = self.kept_run(id).await?;
        self.view(run).await
    }

    /// Rows of a run that have an outcome, by number, after `after`, or those of a list. In a staged
    /// run, their expected outcome.
    ///
    /// # Errors
    /// As [`Bulk::run`].
    pub async fn rows(
        &self,
        id: &str,
        only: Option<RowList>,
        after: u32,
        limit: u32,
    ) -> Result<Vec<RunRow>> {
        let run = self.kept_run(id).await?;
        let (store, limit) = (&self.context.store, limit.min(MOST_ROWS));
        let page = store.run_rows(run.number, only, after, limit).await?;
        let rows = page.into_iter();
        let rows = rows.map(|(kept, submission)| shown(kept, submission));
        let mut rows: Vec<RunRow> = rows.collect();
        // The sheet has its rows itself.
        if run.view.source == RunSource::File {
            for row in &mut rows {
                row.content = row
                    .submission
                    .iter()
                    .flat_map(|one| one.codes.clone())
                    .collect();
            }
            self.add_content(&run, &mut rows).await?;
        }
        Ok(rows)
    }

    /// Adds the content of rows, in ascending order, where it can be read now.
    async fn add_content(&self, run: &KeptRun, rows: &mut [RunRow]) -> Result<()> {
        let Decrypted::Known(layout) = self.layout_of(run).await? else {
            return Ok(());
        };
        let mut open: Option<(usize, Vec<NumberedRow>)> = None;
        for row in rows {
            let place = row.number.saturating_sub(1) as usize / ROWS_IN_CHUNK;
            if open.as_ref().is_none_or(|(opened, _)| *opened != place) {
                let number = u32::try_from(place).unwrap_or(u32::MAX);
                // Read once for all its rows: a chunk is deleted when it is entered.
                let cells = match self.context.store.chunk(run.number, number).await? {
                    Some((chunk, _)) => self.rows_in(run, &chunk).await?.readable(),
                    None => Err(Error::NotAllowed),
                };
                open = Some((place, cells.unwrap_or_default()));
            }
            let cells = open.iter().flat_map(|(_, cells)| cells);
            let found = cells.into_iter().find(|one| one.number == row.number);
            if let Some(found) = found {
                row.content = layout.recognised_by(&found.cells);
            }
        }
        Ok(())
    }

    /// What a file leaves out. Without its key, and once its rows are deleted, nothing is known of it.
    async fn left_out_of(&self, run: &KeptRun) -> LeftOut {
        if run.view.source == RunSource::File
            && let Ok(Decrypted::Known(layout)) = self.layout_of(run).await
        {
            return layout.left_out;
        }
        LeftOut::default()
    }

    pub(crate) async fn publish_progress(&self) -> Result<()> {
        for id in self.context.runs.followed() {
            match self.run(&id).await {
                Ok(run) => {
                    self.context.runs.unfollow_finished(&run);
                    self.context
                        .notify(Notice::RunProgressed { run: Box::new(run) });
                }
                // Deleted, or another profile's.
                Err(Error::NotKnown(_) | Error::ProfileMoved) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    pub(crate) async fn view(&self, run: KeptRun) -> Result<RunView> {
        let left_out = self.left_out_of(&run).await;
        let listed = self.listed(run).await?;
        Ok(RunView { left_out, ..listed })
    }

    async fn listed(&self, run: KeptRun) -> Result<RunView> {
        let KeptRun { number, view, .. } = run;
        let counts = self.context.store.run_counts(number).await?;
        if counts.sent.can_change() {
            // A run of an earlier process, or of which a person sent an entry again, is not followed yet.
            self.context.runs.follow(&view.id);
        }
        let running = view.state == RunState::Running;
        let waiting_for = running
            .then(|| self.overviews.blocker_of(&run.profile_id))
            .flatten();
        Ok(RunView {
            sent: counts.sent,
            unsent: counts.unsent,
            warned: counts.warned,
            waiting_for,
            unreadable: running && self.memory.is_unreadable(number),
            ..view
        })
    }
}

pub(super) fn shown(kept: RowKept, submission: Option<RowSubmission>) -> RunRow {
    RunRow {
        number: kept.number,
        line: kept.line,
        outcome: kept.outcome,
        problems: kept.finding.problems,
        questions: kept.finding.questions,
        warnings: kept.finding.warnings,
        differs: kept.finding.differs,
        failure: kept.finding.failure,
        submission,
        content: Vec::new(),
    }
}
