//! The table of what may become of an entered contract: a pure function.
//!
//! Owns every valid transition and nothing else: no I/O, no clock, no randomness. A batch takes its
//! steps as one until it is accepted; from then on each entry has a state of its own.

use super::confirmation::{self, Finding};
pub use super::record::{Instant, Record, Route, State};
use super::replay_window::{Repeat, key_was_kept, repeat};
use super::{CaseReason, ResolutionKind};
pub use crate::call_outcome::Hold;
use crate::profile::{BulkFact, ProviderFacts};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// Validated, frozen and committed.
    Frozen,
    /// Its time has come: send, or decide.
    Due(Route),
    /// Nothing left the machine.
    NotSent,
    /// An error object with 401 or 403, or 429 with any body.
    Declined(Hold),
    /// A bad request for a batch of one.
    Rejected,
    /// A bad request for a batch of several.
    RejectedSeveral,
    /// A success that does not name just the contracts of the batch, or that is not understood, or a
    /// refusal of several that says nothing of each: some were or may have been made.
    InPart,
    /// A 2xx whose items match what was sent, one to one.
    Accepted,
    /// Every other answer, or none.
    Unclear,
    /// The process ended while it was in flight.
    ProcessDied,
    /// The token changed, or the time asked for has passed.
    HoldOver,
    /// A lookup of the contract id came back.
    LookedUp(Finding),
    /// Its body cannot be read any more: the key it was encrypted with is gone, or what it is bound to was
    /// changed in the desk's file.
    Unreadable,
    /// The run it is of was ended by a person.
    RunCancelled,
    Person(ResolutionKind),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub to: State,
    pub record: Record,
}

/// An event that has no place in a state: nothing changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidTransition;

/// The table. What it does not list is refused.
pub fn step(
    state: State,
    record: &Record,
    event: Event,
    facts: &ProviderFacts,
    now: Instant,
) -> Result<Step, InvalidTransition> {
    let to = match (state, event) {
        (State::Draft, Event::Frozen) => State::Queued,

        (State::Queued, Event::Due(Route::Same | Route::Other)) => State::InFlight,
        (State::Queued, Event::Due(Route::Unavailable)) => State::Queued,

        (State::InFlight, Event::NotSent) if record.unknown_before => State::Unknown,
        (State::InFlight, Event::NotSent) => State::Queued,
        (State::InFlight, Event::Declined(_)) if record.unknown_before => State::Unknown,
        (State::InFlight, Event::Declined(hold)) => State::Held(hold),
        (State::InFlight, Event::Unclear | Event::ProcessDied) => State::Unknown,
        (State::InFlight, Event::Accepted) => State::Accepted,
        (State::InFlight, Event::Rejected) if record.size > 1 => return Err(InvalidTransition),
        (State::InFlight, Event::Rejected | Event::RejectedSeveral) if record.unknown_before => {
            State::NeedsPerson(CaseReason::RejectedAfterUnknown)
        }
        (State::InFlight, Event::Rejected) => State::Rejected,
        (State::InFlight, Event::InPart) => State::NeedsPerson(CaseReason::RejectedBatch),
        (State::InFlight, Event::RejectedSeveral) => match facts.bulk {
            BulkFact::AllOrNothing => State::Rejected,
            BulkFact::Unknown | BulkFact::Partial => State::NeedsPerson(CaseReason::RejectedBatch),
        },

        (State::Held(_), Event::HoldOver) => State::Queued,

        (State::Unknown, Event::Due(route)) => match repeat(record, route, facts, now) {
            Repeat::Now => State::InFlight,
            Repeat::Later => State::Unknown,
            Repeat::Never => State::NeedsPerson(CaseReason::UnknownTooLong),
        },

        (State::Queued, Event::Due(Route::Elsewhere))
        | (State::Queued | State::Unknown, Event::Unreadable) => {
            State::NeedsPerson(CaseReason::KeyLost)
        }

        // Cancelled as a whole: nothing of it was done, and none of it is sent any more.
        (State::Queued | State::Held(_), Event::RunCancelled) if !record.unknown_before => {
            State::Cancelled
        }

        (State::Accepted, Event::LookedUp(finding)) => {
            confirmation::verdict(finding, waited(record, now), record.lookups)
        }

        (_, Event::Person(kind)) => person(state, record, kind)?,

        (
            _,
            Event::Frozen
            | Event::Due(_)
            | Event::NotSent
            | Event::Declined(_)
            | Event::Rejected
            | Event::RejectedSeveral
            | Event::InPart
            | Event::Accepted
            | Event::Unclear
            | Event::ProcessDied
            | Event::HoldOver
            | Event::Unreadable
            | Event::RunCancelled
            | Event::LookedUp(_),
        ) => return Err(InvalidTransition),
    };
    Ok(Step {
        to,
        record: remember(record, state, event, to, facts, now),
    })
}

/// How long it has been accepted, in milliseconds. The wall clock may have been set since; where the steady
/// one still counts from the same start, it cannot be longer than since the first send.
fn waited(record: &Record, now: Instant) -> i64 {
    let by_wall = now
        .wall
        .saturating_sub(record.accepted_at.unwrap_or(now.wall));
    match record.first_sent {
        Some(first) if first.counted_from == now.counted_from => {
            let steady = now.mono.saturating_sub(first.mono).as_millis();
            by_wall.min(i64::try_from(steady).unwrap_or(i64::MAX))
        }
        Some(_) | None => by_wall,
    }
}

/// What a person may do in a state; nothing else is offered and nothing else is done.
pub fn resolutions(state: State, record: &Record, route: Route) -> Vec<ResolutionKind> {
    [
        ResolutionKind::GiveContractId,
        ResolutionKind::ProviderHasNone,
        ResolutionKind::ReplayOnce,
        ResolutionKind::Edit,
        ResolutionKind::SendNow,
        ResolutionKind::Cancel,
    ]
    .into_iter()
    .filter(|kind| person(state, record, *kind).is_ok())
    // A repeat goes to the same address with the same token, or it is not the same request.
    .filter(|kind| *kind != ResolutionKind::ReplayOnce || route == Route::Same)
    .collect()
}

/// The person's rows of the table.
fn person(state: State, record: &Record, kind: ResolutionKind) -> Result<State, InvalidTransition> {
    match (state, kind) {
        (State::Queued | State::Held(_), ResolutionKind::SendNow) => Ok(State::Queued),
        // The window decides when it is due.
        (State::Unknown, ResolutionKind::SendNow) => Ok(State::Unknown),

        // Nothing was done with it: it never left, or was declined. A person may cancel each entry.
        (
            State::Draft | State::Queued | State::Held(_),
            ResolutionKind::Edit | ResolutionKind::Cancel,
        ) if !record.unknown_before => Ok(State::Cancelled),
        (State::Rejected, ResolutionKind::Edit | ResolutionKind::Cancel) => Ok(State::Cancelled),

        // Nothing of it ever left, and nothing of it can any more.
        (State::NeedsPerson(CaseReason::KeyLost), ResolutionKind::Edit) if !record.is_unknown() => {
            Ok(State::Cancelled)
        }
        (
            State::NeedsPerson(CaseReason::KeyLost),
            ResolutionKind::GiveContractId | ResolutionKind::ProviderHasNone,
        ) if !record.is_unknown() => Err(InvalidTransition),

        (State::NeedsPerson(_), ResolutionKind::GiveContractId) => Ok(State::Confirmed),
        (State::NeedsPerson(_), ResolutionKind::ProviderHasNone | ResolutionKind::Cancel) => {
            Ok(State::Cancelled)
        }
        (State::NeedsPerson(CaseReason::UnknownTooLong), ResolutionKind::ReplayOnce)
            if record.whole =>
        {
            Ok(State::Unknown)
        }
        // A refused batch of several may have been made in part: the same request could make that
        // part a second time. What an older file does not know may be a refusal.
        (
            State::NeedsPerson(
                CaseReason::RejectedAfterUnknown
                | CaseReason::RestoredFromBackup
                | CaseReason::OlderFilePutBack,
            ),
            ResolutionKind::ReplayOnce,
        ) if record.whole && record.size == 1 => Ok(State::Unknown),

        (
            _,
            ResolutionKind::GiveContractId
            | ResolutionKind::ProviderHasNone
            | ResolutionKind::ReplayOnce
            | ResolutionKind::Edit
            | ResolutionKind::SendNow
            | ResolutionKind::Cancel
            | ResolutionKind::DuplicateChecked,
        ) => Err(InvalidTransition),
    }
}

fn remember(
    record: &Record,
    from: State,
    event: Event,
    to: State,
    facts: &ProviderFacts,
    now: Instant,
) -> Record {
    let mut next = record.clone();
    match to {
        State::InFlight => {
            if from == State::Queued {
                next.sends = 1;
                next.first_sent = Some(now);
            } else {
                next.sends = record.sends.saturating_add(1);
                next.replay_granted = false;
            }
        }
        State::Queued if from == State::InFlight => {
            next.sends = 0;
            next.first_sent = None;
        }
        State::Held(_) => {
            next.sends = 0;
            next.first_sent = None;
        }
        State::Unknown => {
            next.unknown_before = true;
            // What never left does not count as a send.
            if event == Event::NotSent {
                next.sends = record.sends.saturating_sub(1);
            }
            next.replay_granted |= event == Event::Person(ResolutionKind::ReplayOnce);
        }
        State::Accepted if from == State::InFlight => {
            next.accepted_at = Some(now.wall);
            next.duplicate_possible = record.unknown_before && !key_was_kept(record, facts, now);
        }
        State::NeedsPerson(_) => {
            // What waited had not left, or was known to be nowhere: its outcome is known.
            next.unknown_before |= from != State::Queued;
            next.replay_granted = false;
        }
        State::Draft
        | State::Queued
        | State::Accepted
        | State::Confirmed
        | State::Rejected
        | State::Cancelled => {}
    }
    if from == State::InFlight && event != Event::NotSent {
        next.reached = true;
    }
    next
}

#[cfg(test)]
#[path = "state_tests.rs"]
pub(crate) mod tests;
