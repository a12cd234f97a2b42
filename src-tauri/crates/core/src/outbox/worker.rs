//! The worker.
use crate::clock::{Clock, Ids};
use crate::outbox::OutboxSummary;
use crate::{Desk, Error};

/// The worker's own state.
#[derive(Debug)]
pub(crate) struct Outbox {}

impl Outbox {
    pub(crate) fn new(_clock: &dyn Clock, _ids: &dyn Ids) -> Self {
        Self {}
    }
    pub(crate) fn wake(&self) {}
}

impl Desk {
    pub(crate) async fn outbox_recover(&self) -> Result<(), Error> {
        Ok(())
    }
    pub(crate) async fn outbox_stop(&self) {}
    pub(crate) async fn summary_of(&self, _profile_id: &str) -> Result<OutboxSummary, Error> {
        Ok(OutboxSummary::default())
    }
    /// A profile's token was set or removed: what was held for it may go.
    pub(crate) fn outbox_token_changed(&self, _profile_id: &str) {}
}
