//! What a person is told beside the counts of the outbox: why entries are not sent, and what to do.

use std::collections::BTreeSet;

use warranty_core::bulk::{RunKind, RunView};
use warranty_core::outbox::{Blocker, OutboxSummary};
use warranty_core::overview::{Connection, Overview};
use warranty_core::profile::ProfileKind;
use warranty_core::{CallFailure, Desk, Error};

use crate::{messages, named, say, text, when};

/// The entries that the outbox still works on.
pub fn open(summary: &OutboxSummary) -> u32 {
    summary.waiting + summary.held + summary.unknown + summary.accepted
}

/// What keeps the whole outbox from sending, if something waits.
pub async fn blocker(desk: &Desk, summary: &OutboxSummary) -> Result<Option<Blocker>, Error> {
    if open(summary) == 0 {
        return Ok(None);
    }
    desk.outbox.blocker().await
}

pub fn say_blocker(blocker: Option<Blocker>) {
    blocker.map(messages::blocker).into_iter().for_each(say);
}

/// Reports what keeps rows of files from being sent, unless it was reported for the entries, and returns
/// whether that needs a person.
pub async fn say_rows_blocked(
    desk: &Desk,
    runs: &[RunView],
    entries: &OutboxSummary,
) -> Result<bool, Error> {
    if let Some(profile) = desk.profiles.current().await?
        && let Err(closed @ Error::SellingClosed) = desk.bulk.expect_startable(&profile.id).await
    {
        say(messages::error(&closed));
        return Ok(true);
    }
    // The plans of products are read without a token.
    let needs_token = |run: &RunView| run.kind != RunKind::ProductReferences;
    let connection = desk.overviews.current().await?.connection;
    if connection == Connection::TokenRefused && runs.iter().any(needs_token) {
        if entries.held_for_token == 0 {
            say(text("wdesk.enter.tokenDeclined", &[]));
        }
        return Ok(true);
    }
    let waits_for = |run: &RunView| {
        let blocker = run.waiting_for;
        blocker.filter(|blocker| *blocker != Blocker::NoToken || needs_token(run))
    };
    let Some(blocker) = runs.iter().find_map(waits_for) else {
        return Ok(false);
    };
    if open(entries) == 0 {
        say(messages::blocker(blocker));
    }
    Ok(blocker != Blocker::PracticeNotRunning)
}

/// Reports a service that asks to wait, or does not say what it did, while entries wait to be sent or confirmed,
/// or what answers in its place; else, that the time for sending is over while some wait.
pub async fn say_silence(
    desk: &Desk,
    summary: &OutboxSummary,
    overview: &Overview,
    is_over: bool,
) -> Result<(), Error> {
    if open(summary) <= summary.held_for_token {
        return Ok(());
    }
    let until = |key, at| text(key, &[("at", &when(at))]);
    if let Some(at) = overview.asks_to_wait_until {
        say(until("wdesk.outbox.asksToWait", at));
        return Ok(());
    }
    let silence = match overview.connection {
        Connection::OtherAnswer => Some(text("wdesk.outbox.otherAnswer", &[])),
        Connection::ServiceErrors => Some(text("wdesk.outbox.serviceErrors", &[])),
        Connection::NotReached => Some(not_reached(overview.failure)),
        Connection::NotTried => {
            let next = desk.outbox.next_try().await?;
            next.map(|at| until("wdesk.outbox.nextTry", at))
        }
        Connection::Connected | Connection::TokenRefused => {
            let unclear = |_| text("wdesk.outbox.unclear", &[]);
            overview.asked_again_at.map(unclear)
        }
        // The blocker is reported.
        Connection::NotReady => return Ok(()),
    };
    let is_over = is_over && summary.waiting > 0;
    let silence = silence.or_else(|| is_over.then(|| text("wdesk.outbox.timeOver", &[])));
    silence.into_iter().for_each(say);
    Ok(())
}

fn not_reached(failure: Option<CallFailure>) -> String {
    match failure {
        None | Some(CallFailure::NoNetwork | CallFailure::NoAnswer) => {
            text("wdesk.outbox.silent", &[])
        }
        Some(failure) => {
            let why = named("failure", &failure);
            text("wdesk.outbox.notReached", &[("why", &why)])
        }
    }
}

/// Reports what is not sent by itself, and what to do about it.
pub fn say_left(summary: &OutboxSummary) {
    for (is_so, key) in [
        (summary.held_for_token > 0, "wdesk.enter.tokenDeclined"),
        (summary.held > summary.held_for_token, "wdesk.enter.held"),
        (summary.unknown > 0, "wdesk.outbox.unknown"),
        (summary.needs_person > 0, "wdesk.outbox.needsPerson"),
        (summary.rejected > 0, "wdesk.outbox.refused"),
        (summary.possible_duplicates > 0, "wdesk.duplicate.some"),
    ] {
        if is_so {
            say(text(key, &[]));
        }
    }
}

/// Reports what sends what waits under a profile.
pub async fn say_what_sends(desk: &Desk, profile_id: String) -> Result<(), Error> {
    let (sends, _) = what_sends(desk, &[profile_id].into()).await?;
    sends.into_iter().for_each(say);
    Ok(())
}

/// What sends what waits under each of these profiles, by their ids; and whether what waits under the
/// profile in use needs another token first.
pub async fn what_sends(
    desk: &Desk,
    under: &BTreeSet<String>,
) -> Result<(Vec<String>, bool), Error> {
    let own = desk.profiles.current().await?.map(|own| own.id);
    // What is held for another token keeps everything behind it waiting.
    let needs_token = own.as_ref().is_some_and(|own| under.contains(own))
        && desk.outbox.summary().await?.held_for_token > 0;
    let profiles = desk.profiles.all().await?;
    let sends = |id: &String| match profiles.iter().find(|one| one.id == *id) {
        Some(practice) if practice.kind == ProfileKind::Practice => {
            text("wdesk.blocker.practiceNotRunning", &[])
        }
        Some(other) if own.as_ref() != Some(id) => {
            text("wdesk.enter.waitingUnder", &[("name", &other.name)])
        }
        Some(_) | None if needs_token => text("wdesk.enter.tokenDeclined", &[]),
        Some(_) | None => text("wdesk.enter.waiting", &[]),
    };
    Ok((under.iter().map(sends).collect(), needs_token))
}
