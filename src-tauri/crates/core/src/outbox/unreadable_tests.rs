//! Batches whose body can no longer be read are never sent and need a person.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::time::Duration;

use uuid::Uuid;

use super::state::{
    Event, Hold, Instant, InvalidTransition, Record, Route, State, resolutions, step,
};
use super::{CaseReason, ResolutionKind};
use crate::profile::ProviderFacts;

fn now() -> Instant {
    Instant {
        wall: 1_800_000_000_000,
        mono: Duration::from_secs(5),
        counted_from: Uuid::from_u128(1),
    }
}

fn unreadable(state: State, record: &Record) -> Result<super::state::Step, InvalidTransition> {
    let facts = ProviderFacts::default();
    step(state, record, Event::Unreadable, &facts, now())
}

#[test]
fn what_waits_and_cannot_be_read_needs_a_person_and_nothing_else_does() {
    let record = Record::default();
    for state in [State::Queued, State::Unknown] {
        let to = unreadable(state, &record).unwrap().to;
        assert_eq!(to, State::NeedsPerson(CaseReason::KeyLost));
    }
    for state in [
        State::Draft,
        State::InFlight,
        State::Held(Hold::Token),
        State::Accepted,
        State::Confirmed,
        State::Rejected,
        State::NeedsPerson(CaseReason::KeyLost),
        State::Cancelled,
    ] {
        assert_eq!(
            unreadable(state, &record),
            Err(InvalidTransition),
            "{state:?}"
        );
    }
}

#[test]
fn what_never_left_is_in_no_doubt_and_is_entered_anew_or_given_up() {
    let step = unreadable(State::Queued, &Record::default()).unwrap();
    assert!(!step.record.unknown_before);
    assert_eq!(
        resolutions(step.to, &step.record, Route::Same),
        [ResolutionKind::Edit, ResolutionKind::Cancel]
    );
}

#[test]
fn what_may_have_reached_the_service_is_settled_with_the_provider_and_never_repeated() {
    // A batch restored from a backup is unknown without `reached`.
    for reached in [true, false] {
        let record = Record {
            reached,
            unknown_before: true,
            whole: true,
            ..Record::default()
        };
        let step = unreadable(State::Unknown, &record).unwrap();
        assert!(step.record.unknown_before);
        assert_eq!(
            resolutions(step.to, &step.record, Route::Same),
            [
                ResolutionKind::GiveContractId,
                ResolutionKind::ProviderHasNone,
                ResolutionKind::Cancel
            ]
        );
    }
}
