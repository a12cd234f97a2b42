use uuid::Uuid;

use super::*;
use crate::outbox::state::tests::{at, facts, kept_for, one, unknown};
use crate::outbox::state::{Event, Hold, State, Step, step};
use crate::outbox::{CaseReason, ResolutionKind};

const MINUTE: u64 = 60;

#[test]
fn a_contract_found_after_several_unanswered_sends_may_not_be_the_only_one() {
    let long_ago = at(3_600);
    let of_size = |size, state, sends| {
        let record = Record {
            size,
            sends,
            ..unknown()
        };
        made_more_than_once(state, &record, &facts(), long_ago)
    };
    let several = |state, sends| of_size(1, state, sends);
    let unanswered = State::NeedsPerson(CaseReason::UnknownTooLong);
    assert!(!several(unanswered, 1));
    assert!(several(unanswered, 2));
    // The last one was refused: it made nothing.
    let refused = State::NeedsPerson(CaseReason::RejectedAfterUnknown);
    assert!(!several(refused, 2));
    assert!(several(refused, 3));
    // Of several, one that was refused may have made a part.
    assert!(of_size(2, refused, 2));
    assert!(!of_size(2, refused, 1));
    let record = Record {
        sends: 3,
        ..unknown()
    };
    let kept = kept_for(7_200);
    assert!(!made_more_than_once(unanswered, &record, &kept, long_ago));
}

#[test]
fn a_contract_found_after_an_older_file_was_put_back_may_not_be_the_only_one() {
    let kept = kept_for(7_200);
    // After one more repeat, and after an answer to it, it is as little known.
    for reason in [
        CaseReason::RestoredFromBackup,
        CaseReason::OlderFilePutBack,
        CaseReason::UnknownTooLong,
        CaseReason::RejectedAfterUnknown,
    ] {
        let record = Record {
            sends: 0,
            first_sent: None,
            ..unknown()
        };
        for facts in [&facts(), &kept] {
            let state = State::NeedsPerson(reason);
            assert!(
                made_more_than_once(state, &record, facts, at(60)),
                "{reason:?}"
            );
        }
    }
}

#[test]
fn a_service_that_asks_for_a_long_wait_gets_one_repeat_before_the_window_closes() {
    let wait = |seconds| longest_wait(&unknown(), &facts(), at(seconds));
    let since = Duration::from_secs;
    assert_eq!(wait(MINUTE), Some(since(8 * 60 + 50)));
    assert_eq!(wait(9 * MINUTE + 49), Some(since(1)));
    // The last repeat is made: the next turn comes after the window and goes to a person.
    for seconds in [9 * MINUTE + 50, 9 * MINUTE + 55, 10 * MINUTE] {
        let next = at(seconds).mono + wait(seconds).unwrap();
        assert_eq!(next, at(10 * MINUTE).mono + Duration::from_millis(1));
    }
    assert_eq!(wait(10 * MINUTE + 1), None);
}

/// A lawful step at a second, where nothing is known of the provider.
fn stepped(state: State, record: &Record, event: Event, second: u64) -> Step {
    step(state, record, event, &facts(), at(second)).unwrap()
}

fn due(record: &Record, route: Route, facts: &ProviderFacts, now: Instant) -> State {
    step(State::Unknown, record, Event::Due(route), facts, now)
        .unwrap()
        .to
}

#[test]
fn a_request_in_doubt_is_repeated_to_its_endpoint_six_times_and_while_its_window_is_open() {
    let too_long = State::NeedsPerson(CaseReason::UnknownTooLong);
    let sent = |sends| Record { sends, ..unknown() };
    let granted = Record {
        replay_granted: true,
        ..unknown()
    };
    let kept = kept_for(30 * 60);
    let usual = facts();
    for (record, route, facts, seconds, expected) in [
        (unknown(), Route::Same, &usual, 0, State::InFlight),
        (unknown(), Route::Same, &usual, 10 * MINUTE, State::InFlight),
        (unknown(), Route::Same, &usual, 10 * MINUTE + 1, too_long),
        // A repeat may be read a whole minute after it was sent.
        (unknown(), Route::Same, &kept, 29 * MINUTE, State::InFlight),
        (unknown(), Route::Same, &kept, 29 * MINUTE + 1, too_long),
        (sent(5), Route::Same, &usual, 1, State::InFlight),
        (sent(6), Route::Same, &usual, 1, too_long),
        (unknown(), Route::Other, &usual, 1, too_long),
        (granted, Route::Other, &usual, 1, too_long),
        (unknown(), Route::Unavailable, &usual, 1, State::Unknown),
        (
            unknown(),
            Route::Unavailable,
            &usual,
            10 * MINUTE + 1,
            too_long,
        ),
    ] {
        let found = due(&record, route, facts, at(seconds));
        assert_eq!(found, expected, "{record:?} {route:?} {facts:?} {seconds}");
    }
}

#[test]
fn a_jump_of_the_clock_or_another_start_of_the_machine_closes_the_window() {
    let jump = |milliseconds| Instant {
        wall: at(5).wall + milliseconds,
        ..at(5)
    };
    let started_anew = Instant {
        counted_from: Uuid::from_u128(2),
        ..at(1)
    };
    let jumps = [-3_600_000, -2_500, 2_500, 3_600_000].map(jump);
    for now in jumps.into_iter().chain([started_anew]) {
        let found = due(&unknown(), Route::Same, &facts(), now);
        assert_eq!(
            found,
            State::NeedsPerson(CaseReason::UnknownTooLong),
            "{now:?}"
        );
    }
    let drifted = due(&unknown(), Route::Same, &facts(), jump(1_500));
    assert_eq!(drifted, State::InFlight);
}

#[test]
fn a_person_may_have_a_request_repeated_once_however_late() {
    let closed = State::NeedsPerson(CaseReason::UnknownTooLong);
    let late = 3 * 60 * MINUTE;
    let word = Event::Person(ResolutionKind::ReplayOnce);
    let granted = stepped(closed, &unknown(), word, late);
    assert_eq!(granted.to, State::Unknown);
    let sent = stepped(granted.to, &granted.record, Event::Due(Route::Same), late);
    assert_eq!(sent.to, State::InFlight);
    let unclear = stepped(sent.to, &sent.record, Event::Unclear, late);
    assert_eq!(
        due(&unclear.record, Route::Same, &facts(), at(late)),
        closed,
        "a second time needs a second word"
    );
}

#[test]
fn what_never_left_does_not_count_as_a_send() {
    let sent = stepped(State::Unknown, &unknown(), Event::Due(Route::Same), 1);
    assert_eq!(sent.record.sends, 2);
    let back = stepped(sent.to, &sent.record, Event::NotSent, 2);
    assert_eq!((back.to, back.record.sends), (State::Unknown, 1));
    assert_eq!(back.record.first_sent, Some(at(0)));
}

#[test]
fn the_window_begins_anew_when_nothing_was_done() {
    let due = Event::Due(Route::Same);
    let sent = |record: &Record, second| stepped(State::Queued, record, due, second).record;
    for event in [Event::NotSent, Event::Declined(Hold::Rate)] {
        let first = sent(&one(), 0);
        let back = stepped(State::InFlight, &first, event, 1);
        assert_eq!(back.record.sends, 0);
        assert_eq!(sent(&back.record, 5_000).first_sent, Some(at(5_000)));
    }
}
