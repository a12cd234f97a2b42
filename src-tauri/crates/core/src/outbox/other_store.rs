//! Halts the runs of a profile whose contracts the service has under another store: most likely its token
//! is another store's, and every further row would be sold there.

use super::Outbox;
use crate::StoreError;
use crate::profile::Profile;
use warranty_runtime::notifications::Change;
use warranty_store::journal::PROGRAM;

impl Outbox {
    /// Pauses the runs of contracts of a profile until a person resumes them. What has begun and is not
    /// requested yet is taken back.
    pub(super) async fn halt_runs(&self, profile: &Profile) -> Result<(), StoreError> {
        let context = &self.context;
        let line = context.journal_line("run.paused", "", Some("otherStore"));
        let line = line.by(PROGRAM);
        let halted = context.store.pause_runs_of(&profile.id, line).await?;
        if halted.is_empty() {
            return Ok(());
        }
        tracing::warn!("imports are paused: the service has contracts under another store");
        for run in &halted {
            context.runs.follow(run);
        }
        context.work.set_back();
        self.notifications.notify_soon(Change::Many).await;
        Ok(())
    }
}
