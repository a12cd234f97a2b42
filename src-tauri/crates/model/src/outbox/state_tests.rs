use std::time::Duration;

use uuid::Uuid;

use super::*;

const START: Uuid = Uuid::from_u128(1);

pub fn at(seconds: u64) -> Instant {
    Instant {
        wall: 1_800_000_000_000 + i64::try_from(seconds).unwrap() * 1000,
        mono: Duration::from_secs(1_000 + seconds),
        counted_from: START,
    }
}

pub fn one() -> Record {
    Record {
        size: 1,
        whole: true,
        ..Record::default()
    }
}

fn several() -> Record {
    Record { size: 3, ..one() }
}

/// Several, sent once at second 0, outcome unknown.
fn several_unknown() -> Record {
    Record {
        size: 3,
        ..unknown()
    }
}

/// Sent once at second 0, outcome unknown.
pub fn unknown() -> Record {
    Record {
        reached: true,
        unknown_before: true,
        sends: 1,
        first_sent: Some(at(0)),
        ..one()
    }
}

pub fn facts() -> ProviderFacts {
    ProviderFacts::default()
}

/// The provider keeps keys for so many seconds.
pub fn kept_for(seconds: u32) -> ProviderFacts {
    ProviderFacts {
        key_replay_seconds: Some(seconds),
        ..facts()
    }
}

fn all_or_nothing() -> ProviderFacts {
    ProviderFacts {
        bulk: BulkFact::AllOrNothing,
        ..facts()
    }
}

fn to(state: State, record: &Record, event: Event) -> Result<State, InvalidTransition> {
    step(state, record, event, &facts(), at(1)).map(|step| step.to)
}

const STATES: [State; 16] = [
    State::Draft,
    State::Queued,
    State::InFlight,
    State::Held(Hold::Token),
    State::Held(Hold::Rate),
    State::Unknown,
    State::Accepted,
    State::Confirmed,
    State::Rejected,
    State::NeedsPerson(CaseReason::UnknownTooLong),
    State::NeedsPerson(CaseReason::RejectedAfterUnknown),
    State::NeedsPerson(CaseReason::RejectedBatch),
    State::NeedsPerson(CaseReason::NeverVisible),
    State::NeedsPerson(CaseReason::Contradiction),
    State::NeedsPerson(CaseReason::ReportedFraud),
    State::Cancelled,
];

const KINDS: [ResolutionKind; 7] = [
    ResolutionKind::GiveContractId,
    ResolutionKind::ProviderHasNone,
    ResolutionKind::ReplayOnce,
    ResolutionKind::Edit,
    ResolutionKind::SendNow,
    ResolutionKind::Cancel,
    ResolutionKind::DuplicateChecked,
];

fn events() -> Vec<Event> {
    let mut events = vec![
        Event::Frozen,
        Event::Due(Route::Same),
        Event::Due(Route::Other),
        Event::Due(Route::Elsewhere),
        Event::Due(Route::Unavailable),
        Event::NotSent,
        Event::Declined(Hold::Token),
        Event::Declined(Hold::Rate),
        Event::Rejected,
        Event::RejectedSeveral,
        Event::InPart,
        Event::Accepted,
        Event::Unclear,
        Event::ProcessDied,
        Event::HoldOver,
        Event::Unreadable,
        Event::LookedUp(Finding::Matches),
        Event::LookedUp(Finding::NotYet),
        Event::LookedUp(Finding::Contradicts),
        Event::LookedUp(Finding::Reported(CaseReason::ReportedFraud)),
    ];
    events.extend(KINDS.map(Event::Person));
    events
}

/// The whole table for a batch of one that was never in doubt, written out a second time: what is
/// not in it is refused.
fn expected(state: State, event: Event) -> Option<State> {
    use CaseReason::{Contradiction, KeyLost, RejectedAfterUnknown, RejectedBatch, UnknownTooLong};
    let needs = State::NeedsPerson;
    #[allow(clippy::wildcard_enum_match_arm, reason = "the rest is refused")]
    match (state, event) {
        (State::Draft, Event::Frozen) => Some(State::Queued),
        (State::Draft, Event::Person(ResolutionKind::Edit | ResolutionKind::Cancel)) => {
            Some(State::Cancelled)
        }

        (State::Queued, Event::Due(Route::Same | Route::Other)) => Some(State::InFlight),
        (State::Queued, Event::Due(Route::Unavailable)) => Some(State::Queued),
        (State::Queued, Event::Due(Route::Elsewhere) | Event::Unreadable) => Some(needs(KeyLost)),
        (State::Queued, Event::Person(ResolutionKind::SendNow)) => Some(State::Queued),
        (State::Queued, Event::Person(ResolutionKind::Edit | ResolutionKind::Cancel)) => {
            Some(State::Cancelled)
        }

        (State::InFlight, Event::NotSent) => Some(State::Queued),
        (State::InFlight, Event::Declined(hold)) => Some(State::Held(hold)),
        (State::InFlight, Event::Rejected) => Some(State::Rejected),
        (State::InFlight, Event::RejectedSeveral | Event::InPart) => Some(needs(RejectedBatch)),
        (State::InFlight, Event::Accepted) => Some(State::Accepted),
        (State::InFlight, Event::Unclear | Event::ProcessDied) => Some(State::Unknown),

        (State::Held(_), Event::HoldOver) => Some(State::Queued),
        (State::Held(_), Event::Person(ResolutionKind::SendNow)) => Some(State::Queued),
        (State::Held(_), Event::Person(ResolutionKind::Edit | ResolutionKind::Cancel)) => {
            Some(State::Cancelled)
        }

        // Never sent in this record, so no window is open.
        (State::Unknown, Event::Due(_)) => Some(needs(UnknownTooLong)),
        (State::Unknown, Event::Unreadable) => Some(needs(KeyLost)),
        (State::Unknown, Event::Person(ResolutionKind::SendNow)) => Some(State::Unknown),

        (State::Accepted, Event::LookedUp(Finding::Matches)) => Some(State::Confirmed),
        (State::Accepted, Event::LookedUp(Finding::NotYet)) => Some(State::Accepted),
        (State::Accepted, Event::LookedUp(Finding::Contradicts)) => Some(needs(Contradiction)),
        (State::Accepted, Event::LookedUp(Finding::Reported(reason))) => Some(needs(reason)),

        (State::Rejected, Event::Person(ResolutionKind::Edit | ResolutionKind::Cancel)) => {
            Some(State::Cancelled)
        }

        (State::NeedsPerson(_), Event::Person(ResolutionKind::GiveContractId)) => {
            Some(State::Confirmed)
        }
        (
            State::NeedsPerson(_),
            Event::Person(ResolutionKind::ProviderHasNone | ResolutionKind::Cancel),
        ) => Some(State::Cancelled),
        (
            State::NeedsPerson(UnknownTooLong | RejectedAfterUnknown),
            Event::Person(ResolutionKind::ReplayOnce),
        ) => Some(State::Unknown),
        _ => None,
    }
}

#[test]
fn a_sale_is_a_persons_after_a_day_by_the_steady_clock_whatever_the_other_one_was_set_to() {
    let accepted = Record {
        accepted_at: Some(at(0).wall),
        first_sent: Some(at(0)),
        lookups: 500,
        ..one()
    };
    let found = |now| {
        let event = Event::LookedUp(Finding::NotYet);
        step(State::Accepted, &accepted, event, &facts(), now)
            .unwrap()
            .to
    };
    const A_DAY: u64 = 24 * 3600;
    let never = State::NeedsPerson(CaseReason::NeverVisible);
    assert_eq!(found(at(A_DAY)), never);
    let set_on = Instant {
        mono: at(60).mono,
        ..at(3 * A_DAY)
    };
    assert_eq!(found(set_on), State::Accepted);
    // After a restart the steady clock counts from another start: only the wall clock is left.
    let restarted = Instant {
        counted_from: Uuid::from_u128(2),
        ..set_on
    };
    assert_eq!(found(restarted), never);
}

#[test]
fn every_state_meets_every_event_as_the_table_says_and_refuses_the_rest() {
    let mut lawful = 0;
    for state in STATES {
        for event in events() {
            let found = to(state, &one(), event).ok();
            assert_eq!(found, expected(state, event), "{state:?} on {event:?}");
            lawful += usize::from(found.is_some());
        }
    }
    assert_eq!(lawful, 60, "the number of lawful pairs");
}

#[test]
fn what_is_offered_to_a_person_is_exactly_what_is_lawful() {
    for state in STATES {
        for record in [one(), several(), unknown()] {
            let offered = resolutions(state, &record, Route::Same);
            for kind in KINDS {
                let lawful = to(state, &record, Event::Person(kind)).is_ok();
                assert_eq!(offered.contains(&kind), lawful, "{state:?} {kind:?}");
            }
        }
    }
}

#[test]
fn after_an_unknown_attempt_not_sent_and_declined_stay_unknown() {
    for event in [
        Event::NotSent,
        Event::Declined(Hold::Token),
        Event::Declined(Hold::Rate),
        Event::Unclear,
        Event::ProcessDied,
    ] {
        assert_eq!(
            to(State::InFlight, &unknown(), event),
            Ok(State::Unknown),
            "{event:?}"
        );
    }
    let accepted = to(State::InFlight, &unknown(), Event::Accepted);
    assert_eq!(accepted, Ok(State::Accepted), "an answer is an answer");
}

#[test]
fn a_refusal_after_an_unknown_attempt_needs_a_person() {
    let reason = State::NeedsPerson(CaseReason::RejectedAfterUnknown);
    assert_eq!(to(State::InFlight, &unknown(), Event::Rejected), Ok(reason));
    let refused = Event::RejectedSeveral;
    let batch = several_unknown();
    let found = step(State::InFlight, &batch, refused, &all_or_nothing(), at(1));
    assert_eq!(found.unwrap().to, reason);
}

#[test]
fn a_batch_that_may_be_made_in_part_needs_a_person_and_is_never_repeated() {
    for unknown_before in [false, true] {
        let batch = Record {
            unknown_before,
            ..several()
        };
        let facts = all_or_nothing();
        let found = step(State::InFlight, &batch, Event::InPart, &facts, at(1));
        let Step { to, record } = found.unwrap();
        assert_eq!(to, State::NeedsPerson(CaseReason::RejectedBatch));
        assert!(!resolutions(to, &record, Route::Same).contains(&ResolutionKind::ReplayOnce));
    }
}

#[test]
fn a_refused_batch_of_several_is_rejected_only_when_it_is_known_to_be_all_or_nothing() {
    let (refused, unclear) = (Event::RejectedSeveral, CaseReason::RejectedBatch);
    for (bulk, expected) in [
        (BulkFact::Unknown, State::NeedsPerson(unclear)),
        (BulkFact::Partial, State::NeedsPerson(unclear)),
        (BulkFact::AllOrNothing, State::Rejected),
    ] {
        let facts = ProviderFacts { bulk, ..facts() };
        let found = step(State::InFlight, &several(), refused, &facts, at(1));
        assert_eq!(found.unwrap().to, expected, "{bulk:?}");
    }
    let of_one = to(State::InFlight, &several(), Event::Rejected);
    assert_eq!(of_one, Err(InvalidTransition), "it speaks for one");
}

#[test]
fn a_batch_of_several_that_was_refused_or_settled_in_part_is_never_repeated() {
    let torn = Record {
        whole: false,
        ..several_unknown()
    };
    for (reason, batch) in [
        (CaseReason::UnknownTooLong, torn),
        (CaseReason::RejectedBatch, several_unknown()),
        (CaseReason::RejectedAfterUnknown, several_unknown()),
        (CaseReason::RestoredFromBackup, several_unknown()),
        (CaseReason::OlderFilePutBack, several_unknown()),
    ] {
        let state = State::NeedsPerson(reason);
        assert!(!resolutions(state, &batch, Route::Same).contains(&ResolutionKind::ReplayOnce));
        let found = to(state, &batch, Event::Person(ResolutionKind::ReplayOnce));
        assert_eq!(found, Err(InvalidTransition), "{reason:?}");
    }
}

#[test]
fn a_batch_of_several_is_taken_apart_while_nothing_was_done_with_it_and_never_after_doubt() {
    let declined = Record {
        reached: true,
        ..several()
    };
    let doubted = several_unknown();
    for kind in [ResolutionKind::Edit, ResolutionKind::Cancel] {
        for state in [
            State::Queued,
            State::Held(Hold::Token),
            State::Held(Hold::Rate),
        ] {
            for record in [several(), declined.clone()] {
                let found = to(state, &record, Event::Person(kind));
                assert_eq!(found, Ok(State::Cancelled), "{state:?}");
            }
            let found = to(state, &doubted, Event::Person(kind));
            assert_eq!(found, Err(InvalidTransition), "{state:?}");
        }
    }
}

#[test]
fn what_may_have_been_sold_is_not_cancelled_with_its_job() {
    for state in [State::Queued, State::Held(Hold::Token)] {
        let cancelled = Ok(State::Cancelled);
        assert_eq!(to(state, &one(), Event::RunCancelled), cancelled);
        let refused = Err(InvalidTransition);
        assert_eq!(to(state, &unknown(), Event::RunCancelled), refused);
    }
}

#[test]
fn an_entry_that_cannot_be_decrypted_is_edited_only_if_it_was_never_sent() {
    let lost = State::NeedsPerson(CaseReason::KeyLost);
    let offered = |record: &Record| resolutions(lost, record, Route::Same);
    assert_eq!(
        offered(&one()),
        [ResolutionKind::Edit, ResolutionKind::Cancel]
    );
    let may_exist = [
        ResolutionKind::GiveContractId,
        ResolutionKind::ProviderHasNone,
        ResolutionKind::Cancel,
    ];
    // What a backup restored is unknown without a send that is known here.
    for reached in [true, false] {
        let record = Record {
            reached,
            ..unknown()
        };
        assert_eq!(offered(&record), may_exist);
    }
}

#[test]
fn a_repeat_is_offered_only_to_the_same_address_with_the_same_token() {
    let state = State::NeedsPerson(CaseReason::UnknownTooLong);
    let offers =
        |route| resolutions(state, &unknown(), route).contains(&ResolutionKind::ReplayOnce);
    assert!(offers(Route::Same));
    for route in [Route::Other, Route::Elsewhere, Route::Unavailable] {
        assert!(!offers(route), "{route:?}");
    }
}

#[test]
fn what_is_accepted_after_an_unknown_attempt_may_exist_twice_unless_the_key_was_kept() {
    let after_a_restart = Record {
        first_sent: None,
        ..unknown()
    };
    for (record, facts, passed, possible) in [
        (one(), facts(), 1, false),
        (unknown(), facts(), 1, true),
        (unknown(), kept_for(300), 299, false),
        (unknown(), kept_for(300), 301, true),
        (after_a_restart, kept_for(300), 1, true),
    ] {
        let now = at(passed);
        let found = step(State::InFlight, &record, Event::Accepted, &facts, now);
        let found = found.unwrap().record.duplicate_possible;
        assert_eq!(found, possible, "{record:?} after {passed} s");
    }
}
