//! What a person does with a run: start, pause, resume, cancel, answer, delete.

use serde::Deserialize;

use super::{AnsweredRows, Bulk, RunState, RunView};
use crate::contracts::{EnterMode, QuestionKind};
use crate::{Error, Result};
use warranty_runtime::notifications::Change;
use warranty_store::runs::KeptRun;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SheetRun {
    pub id: String,
    /// How many of its rejected rows the draft of the sheet has back; `None` while more are coming.
    pub back: Option<u32>,
}

impl Bulk {
    /// Checks a staged run, unless it is checked already, and starts it. With
    /// [`EnterMode::AllOrNothing`] and a rejected row it stays staged, as it does with
    /// [`EnterMode::DryRun`]. A started run continues in the background, also after a restart.
    ///
    /// `progress` is called with the number of rows checked and of all rows.
    ///
    /// # Errors
    /// [`Error::NotAllowed`] when it is not staged, or not whole yet; [`Error::RescueNotSeen`]; as
    /// [`Bulk::check`].
    pub async fn start(
        &self,
        id: &str,
        mode: EnterMode,
        progress: &(dyn Fn(u32, u32) + Sync),
    ) -> Result<RunView> {
        let user = self.context.who();
        let run = self.run_to_change(id).await?;
        Error::ensure_allowed(run.view.state == RunState::Staged && run.view.whole)?;
        if mode != EnterMode::DryRun {
            self.expect_startable(&run.profile_id).await?;
        }
        if run.view.checked < run.view.rows {
            let view = self.check_run(&run, progress).await?;
            if view.checked < view.rows {
                return Ok(view);
            }
        }
        let run = self.run_now(&run).await?;
        let begins = match mode {
            EnterMode::DryRun => false,
            EnterMode::AllOrNothing => run.view.rejected == 0,
            EnterMode::GoodRows => true,
        };
        if begins {
            let line = self.context.journal_line("run.started", id, None);
            let whole = mode == EnterMode::AllOrNothing;
            let (store, line) = (&self.context.store, line.by(&user));
            Error::ensure_allowed(store.start_run(run.number, whole, line).await?)?;
            return self.publish_change(run).await;
        }
        self.view(run).await
    }

    /// Refuses to start a run of a profile, whatever its rows are. One that was started before can still
    /// be finished.
    ///
    /// # Errors
    /// [`Error::Managed`]; [`Error::SellingClosed`]; [`Error::RescueNotSeen`]: the same rows may have been
    /// entered and sent after the copy was taken; [`Error::UnknownProfile`]; [`Error::Store`].
    pub async fn expect_startable(&self, profile_id: &str) -> Result<()> {
        let profile = self.context.profile_by_id(profile_id).await?;
        self.context.refuse_profile(&profile)?;
        self.recovery.expect_seen(&profile).await
    }

    /// Pauses a run: no more of its rows are entered, and no more of its batches are sent. A run whose
    /// rows are all entered can be paused while [`RunView::unsent`] is not 0.
    ///
    /// # Errors
    /// [`Error::NotAllowed`] when it is not running, and none of its batches can be held;
    /// [`Error::NotKnown`]; [`Error::InUse`]; [`Error::NoProfile`]; [`Error::Store`].
    pub async fn pause(&self, id: &str) -> Result<RunView> {
        let run = self.run_to_change(id).await?;
        let line = self.context.journal_line("run.paused", id, None);
        Error::ensure_allowed(self.context.store.pause_run(run.number, line).await?)?;
        self.context.runs.wake();
        self.publish_change(run).await
    }

    /// Resumes a paused run; one whose rows are all entered is [`RunState::Done`] again.
    ///
    /// # Errors
    /// [`Error::NotAllowed`] when it is not halted; [`Error::RescueNotSeen`]; as
    /// [`Bulk::pause`].
    pub async fn resume(&self, id: &str) -> Result<RunView> {
        if self.recovery.unseen_summary().await?.is_some() {
            return Err(Error::RescueNotSeen);
        }
        let run = self.run_to_change(id).await?;
        let line = self.context.journal_line("run.resumed", id, None);
        Error::ensure_allowed(self.context.store.resume_run(run.number, line).await?)?;
        self.context.runs.wake();
        self.publish_change(run).await
    }

    async fn publish_change(&self, run: KeptRun) -> Result<RunView> {
        self.context.runs.follow(&run.view.id);
        self.context.work.wake();
        self.notifications.publish(Change::Many).await;
        self.view(self.run_now(&run).await?).await
    }

    /// Cancels a run: enters no more of its rows, and cancels entries that were never sent. Rejected
    /// rows stay, to be corrected.
    /// Those on their way are cancelled too if it turns out that they did not leave, or were declined.
    /// Sent entries stay, and unknown ones are still resolved. A run whose rows are all entered can
    /// be cancelled while [`RunView::unsent`] is not 0.
    ///
    /// # Errors
    /// [`Error::NotAllowed`] when it is over, and none of its entries can be cancelled; as
    /// [`Bulk::pause`].
    pub async fn cancel(&self, id: &str) -> Result<RunView> {
        let run = self.run_to_change(id).await?;
        let line = self.context.journal_line("run.cancelled", id, None);
        self.stop_check(id);
        let (now, store) = (self.context.instant(), &self.context.store);
        Error::ensure_allowed(store.cancel_run(run.number, line, now).await?)?;
        self.overviews.clear_key_lost(&run.profile_id);
        self.publish_change(run).await
    }

    /// Confirms one kind of question for rows of a checked, staged run. Each answer covers the
    /// question that the check found for that row, and nothing that is entered later.
    ///
    /// # Errors
    /// As [`Bulk::pause`].
    pub async fn answer(
        &self,
        id: &str,
        rows: AnsweredRows,
        question: QuestionKind,
    ) -> Result<RunView> {
        let run = self.run_to_change(id).await?;
        let line = self.context.journal_line("run.answered", id, None);
        let store = &self.context.store;
        let answered = store.answer_rows(run.number, rows, question, line).await?;
        Error::ensure_allowed(answered)?;
        self.run(id).await
    }

    /// Those of `lines` whose row was entered before and has no equal row in the run: it cannot be
    /// confirmed as one more contract.
    ///
    /// # Errors
    /// As [`Bulk::run`].
    pub async fn unpaired_lines(&self, id: &str, lines: &[u32]) -> Result<Vec<u32>> {
        let run = self.kept_run(id).await?;
        let mut alone = self.context.store.lines_without_equal(run.number).await?;
        alone.retain(|line| lines.contains(line));
        Ok(alone)
    }

    /// Records that a person has so many rejected rows of a run. If these are all, the close of the
    /// day no longer counts them, until more are rejected.
    ///
    /// # Errors
    /// As [`Bulk::pause`].
    pub async fn rejected_taken(&self, id: &str, rejected: u32) -> Result<()> {
        let run = self.run_to_change(id).await?;
        let store = &self.context.store;
        store.mark_rejected_taken(run.number, rejected).await?;
        self.overviews.notify_later(&run.profile_id);
        Ok(())
    }

    /// Records of which runs the sheet of a profile has rows, and of how many rejected ones its draft has
    /// each back: the close of the day no longer counts them. Of other runs it has all it ever will, and
    /// those that were never started are deleted.
    ///
    /// # Errors
    /// [`Error::InUse`]; [`Error::Store`].
    pub async fn sheet_follows(&self, profile_id: &str, runs: Vec<SheetRun>) -> Result<()> {
        self.context.writable()?;
        let runs = runs.into_iter().map(|run| (run.id, run.back)).collect();
        self.context.store.note_sheet_runs(profile_id, runs).await?;
        self.overviews.notify_later(profile_id);
        Ok(())
    }

    /// Deletes a run that is staged or over, with all that is stored of its rows. Its entries
    /// stay.
    ///
    /// # Errors
    /// As [`Bulk::pause`].
    pub async fn forget(&self, id: &str) -> Result<()> {
        let run = self.run_to_change(id).await?;
        self.stop_check(id);
        Error::ensure_allowed(self.context.store.forget_run(run.number).await?)?;
        self.overviews.notify_later(&run.profile_id);
        Ok(())
    }
}
