//! Reports what `wdesk outbox run` could not send, and chooses the exit code.

use warranty_core::Desk;
use warranty_core::bulk::RunState;
use warranty_core::contracts::EntryFilter;
use warranty_core::leads::OpenLeads;
use warranty_core::outbox::SubmissionState;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::messages::text;
use crate::output::say;

/// Whether an entry is held until a person acts. An entry that is held until a time continues
/// automatically.
///
/// # Errors
/// Errors of the core.
pub async fn held_for_person(desk: &Desk) -> Result<bool, Failure> {
    let held = EntryFilter {
        states: vec![SubmissionState::Held],
        limit: u32::MAX,
        ..EntryFilter::default()
    };
    let held = desk
        .contracts
        .submissions(&held)
        .await
        .map_err(Failure::while_sending)?;
    Ok(held.iter().any(|entry| entry.next_at.is_none()))
}

/// Reports rows of started files that still wait, and returns the exit code for them.
///
/// # Errors
/// Errors of the core.
pub async fn rows(desk: &Desk) -> Result<Option<Exit>, Failure> {
    let mut runs = desk
        .bulk
        .unfinished()
        .await
        .map_err(Failure::while_sending)?;
    runs.retain(|run| run.state == RunState::Running);
    let waits: u32 = runs.iter().map(|run| run.pending).sum();
    if waits == 0 {
        return Ok(None);
    }
    say(text("wdesk.backlog.rows", &[("rows", &waits.to_string())]));
    runs.retain(|run| run.unreadable);
    if runs.is_empty() {
        return Ok(Some(Exit::Queued));
    }
    let unreadable: u32 = runs.iter().map(|run| run.pending).sum();
    let (rows, why) = (unreadable.to_string(), text("failure.notOpened", &[]));
    let values = [("rows", &*rows), ("why", &*why)];
    say(text("wdesk.backlog.unreadable", &values));
    Ok(Some(Exit::Person))
}

/// Reports leads that still wait, and returns the exit code for them.
///
/// # Errors
/// Errors of the core.
pub async fn leads(desk: &Desk) -> Result<Option<Exit>, Failure> {
    let OpenLeads {
        sendable,
        stuck,
        unanswered,
    } = desk
        .leads
        .open_leads()
        .await
        .map_err(Failure::while_sending)?;
    let say_count = |key, count: u32| {
        if count > 0 {
            say(text(key, &[("leads", &count.to_string())]));
        }
    };
    say_count("wdesk.backlog.leadsToSend", sendable);
    say_count("wdesk.backlog.leadsUnreadable", stuck);
    say_count("wdesk.backlog.leadsUnanswered", unanswered);
    Ok(if stuck + unanswered > 0 {
        Some(Exit::Person)
    } else {
        (sendable > 0).then_some(Exit::Queued)
    })
}
