//! What still waits at the end of `wdesk outbox run`: what a person is told of it, and the exit code.

use warranty_core::Desk;
use warranty_core::contracts::EntryFilter;
use warranty_core::leads::OpenLeads;
use warranty_core::outbox::SubmissionState;
use warranty_core::runs::RunState;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::messages;
use crate::outbox::while_sending;
use crate::output::say;

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
    runs.retain(|run| run.unreadable);
    if runs.is_empty() {
        return Ok(Some(Exit::Queued));
    }
    let unreadable: u32 = runs.iter().map(|run| run.pending).sum();
    say(format!(
        "{unreadable} of them wait for a person. {} Otherwise end their file in the window and enter \
         the rest anew.",
        messages::NOT_OPENED
    ));
    Ok(Some(Exit::Person))
}

/// Says which leads wait, and how the command ends for them.
///
/// # Errors
/// The desk's own.
pub async fn leads(desk: &Desk) -> Result<Option<Exit>, Failure> {
    let OpenLeads {
        sendable,
        stuck,
        unanswered,
    } = desk.leads_open().await.map_err(while_sending)?;
    if sendable > 0 {
        say(format!(
            "{sendable} leads wait and are not sent by this command, since only who sends a lead sees \
             its token: `wdesk leads list` shows them, `wdesk leads again ID` sends one, `wdesk leads \
             cancel ID` gives it up."
        ));
    }
    if stuck > 0 {
        say(format!(
            "{stuck} leads cannot be sent as they were entered: their encryption key is not in the \
             keychain, or the address or store of the profile was changed since. Unless that is put \
             back, give them up with `wdesk leads cancel ID` and create them anew."
        ));
    }
    if unanswered > 0 {
        say(format!(
            "{unanswered} leads were sent and have no answer: they may exist. `wdesk leads again ID` \
             sends one once more, `wdesk leads cancel ID` gives it up."
        ));
    }
    Ok(if stuck + unanswered > 0 {
        Some(Exit::Person)
    } else {
        (sendable > 0).then_some(Exit::Queued)
    })
}
