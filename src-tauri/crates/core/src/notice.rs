//! What the desk says without having been asked.

use serde::{Deserialize, Serialize};

use warranty_model::bulk::RunView;
use warranty_model::outbox::{Obstacle, OutboxSummary};
use warranty_model::overview::Overview;

/// Something changed that nobody on the other side asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Notice {
    /// Contracts moved on.
    OutboxChanged {
        /// The counts now.
        summary: OutboxSummary,
        /// The ids of the entries and leads that changed; `None` when they are too many to be named.
        changed: Option<Vec<String>>,
    },
    /// What keeps a profile's outbox from sending came up, changed or went.
    ObstacleChanged {
        /// The profile.
        profile_id: String,
        /// `None` when nothing does any more.
        obstacle: Option<Obstacle>,
    },
    /// A run goes on, or its entries do.
    RunProgressed {
        /// The run now.
        run: Box<RunView>,
    },
    /// Refreshing all known products goes on.
    RefreshProgress {
        /// Products done.
        done: u32,
        /// Products in all.
        total: u32,
        /// Products whose plans could not be read.
        failed: u32,
        /// Whether it has ended, by itself or by being cancelled.
        finished: bool,
    },
    /// An older copy of the desk's file was found in its place: there is a report to be read.
    RescueFound,
    /// The connection to a profile's service, or what of the profile is not finished, changed.
    OverviewChanged {
        /// The profile.
        profile_id: String,
        /// How it is now.
        overview: Overview,
    },
}
