//! What of a profile is not finished, counted.

use serde::{Deserialize, Serialize};

use crate::outbox::OutboxSummary;

/// What of a profile is not finished, wherever it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct OpenWork {
    /// Entered contracts, the confirmed ones included.
    pub outbox: OutboxSummary,
    /// Rows of the sheet that were not submitted, came back to be corrected, or were submitted and
    /// are no entries yet.
    pub sheet_rows: u32,
    /// Imports of files that were not started, are running or are paused.
    pub runs: u32,
    /// Leads that wait to be sent or are being sent.
    pub leads_waiting: u32,
    /// Leads whose outcome is unknown: a person chooses.
    pub leads_unanswered: u32,
}

impl OpenWork {
    /// Whether nothing is left to be done.
    pub fn is_finished(&self) -> bool {
        let Self {
            outbox,
            sheet_rows,
            runs,
            leads_waiting,
            leads_unanswered,
        } = self;
        let contracts = outbox.waiting
            + outbox.held
            + outbox.unknown
            + outbox.accepted
            + outbox.rejected
            + outbox.needs_person
            + outbox.possible_duplicates;
        contracts + sheet_rows + runs + leads_waiting + leads_unanswered == 0
    }
}
