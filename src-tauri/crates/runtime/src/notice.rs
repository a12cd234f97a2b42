//! The notices that the desk sends to the user interfaces.

use serde::{Deserialize, Serialize};

use warranty_model::bulk::RunView;
use warranty_model::outbox::Blocker;
use warranty_model::overview::Overview;

/// A change that the receiver did not request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind")]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Notice {
    /// Contracts or leads changed.
    OutboxChanged {
        /// The ids of the entries and leads that changed; `None` when they are too many to be named.
        changed: Option<Vec<String>>,
    },
    /// What keeps a profile's outbox from sending appeared, changed or ended.
    BlockerChanged {
        profile_id: String,
        /// `None` when nothing does now.
        blocker: Option<Blocker>,
    },
    /// A bulk job or its entries progressed.
    RunProgressed {
        /// The bulk job now.
        run: Box<RunView>,
    },
    /// Refreshing all known products of a profile progressed.
    RefreshProgress {
        profile_id: String,
        /// Products done, with those that failed.
        done: u32,
        /// Products in all.
        total: u32,
        /// Products whose plans could not be read.
        failed: u32,
        /// Whether it is complete or cancelled.
        finished: bool,
    },
    /// `desk.db` was found to be an older copy: there is a report to read.
    RescueFound,
    /// `desk.db` was found damaged, a backup of it failed, or one was taken after that: the status says
    /// which.
    DataFileChanged,
    /// The connection to a profile's service, or the profile's unfinished work, changed.
    OverviewChanged {
        profile_id: String,
        overview: Overview,
    },
    /// The unfinished work changed and could not be read: the overview sent before may be wrong.
    OverviewLost,
}
