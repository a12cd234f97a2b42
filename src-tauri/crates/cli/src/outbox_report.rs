//! The counts of the outbox and what keeps it from going on.

use serde::Serialize;
use warranty_core::api::Timestamp;
use warranty_core::bulk::RunView;
use warranty_core::outbox::{Blocker, OutboxSummary};
use warranty_core::overview::Connection;
use warranty_core::profile::ProfileKind;
use warranty_core::{Desk, Error};

use crate::{imports, outbox_hints};

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OutboxReport {
    #[serde(flatten)]
    pub contracts: OutboxSummary,
    /// Of a live profile: only the window knows whether its practice service runs.
    pub blocker: Option<Blocker>,
    pub connection: Connection,
    /// Until when the service asked to wait, or the next try waits.
    pub wait_until: Option<Timestamp>,
    pub paused_runs: Vec<RunView>,
    pub unseen_report: bool,
}

impl OutboxReport {
    pub async fn of(desk: &Desk, contracts: OutboxSummary) -> Result<Self, Error> {
        let mut report = Self {
            contracts,
            unseen_report: desk.recovery.unseen_summary().await?.is_some(),
            ..Self::default()
        };
        let Some(profile) = desk.profiles.current().await? else {
            return Ok(report);
        };
        if profile.kind == ProfileKind::Live {
            report.blocker = outbox_hints::blocker(desk, &report.contracts).await?;
        }
        let overview = desk.overviews.current().await?;
        report.connection = overview.connection;
        report.wait_until = overview.asks_to_wait_until;
        if report.wait_until.is_none() && report.connection == Connection::NotTried {
            report.wait_until = desk.outbox.next_try().await?;
        }
        report.paused_runs = imports::halted(desk).await?;
        Ok(report)
    }
}
