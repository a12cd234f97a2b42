//! What still waits at the end of `wdesk outbox run`: what a person is told of it, and the exit code.

use warranty_core::Desk;
use warranty_core::contracts::EntryFilter;
use warranty_core::outbox::SubmissionState;
use warranty_core::runs::RunState;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::outbox::while_sending;
use crate::output::say;
use crate::words;

/// Whether something is held that only a person can release: held with a time goes on by itself.
///
/// # Errors
/// The desk's own.
pub async fn held_for_person(desk: &Desk) -> Result<bool, Failure> {
    let held = EntryFilter {
        possible_duplicates: false,
        states: vec![SubmissionState::Held],
        text: String::new(),
        limit: u32::MAX,
    };
    let held = desk.submissions(&held).await.map_err(while_sending)?;
    Ok(held.iter().any(|entry| entry.next_at.is_none()))
}

/// Says which rows of files that were begun wait, and how the command ends for them.
///
/// # Errors
/// The desk's own.
pub async fn rows(desk: &Desk) -> Result<Option<Exit>, Failure> {
    let mut runs = desk.runs_unfinished().await.map_err(while_sending)?;
    runs.retain(|run| run.state == RunState::Running);
    let waits: u32 = runs.iter().map(|run| run.pending).sum();
    if waits == 0 {
        return Ok(None);
    }
    say(format!(
        "{waits} rows of files could not be gone on with now: they are kept, and wait."
    ));
    let unreadable = runs.iter().filter(|run| run.unreadable);
    let names: Vec<&str> = unreadable.map(|run| run.name.as_str()).collect();
    if names.is_empty() {
        return Ok(Some(Exit::Queued));
    }
    say(format!(
        "Rows of {names:?}: {} Otherwise end that file in the window and enter the rest anew.",
        words::NOT_OPENED
    ));
    Ok(Some(Exit::Person))
}
