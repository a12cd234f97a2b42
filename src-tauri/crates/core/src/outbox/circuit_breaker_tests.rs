#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::*;

const NOW: Duration = Duration::from_secs(1_000);

fn noted(happened: &[(Kind, Sent)]) -> CircuitBreaker {
    let mut lane = CircuitBreaker::default();
    for (kind, sent) in happened {
        lane.note(*kind, *sent, NOW, 0.5);
    }
    lane
}

#[test]
fn an_outcome_nobody_knows_is_a_doubt_of_the_lane_that_grows() {
    let once = noted(&[(Kind::Send, Sent::Unclear)]);
    assert_eq!((once.doubts, once.setbacks), (1, 0));
    assert!(once.probe_at > NOW);
    assert_eq!(once.until, Duration::ZERO, "repeats keep their own times");
    let twice = noted(&[(Kind::Send, Sent::Unclear); 2]);
    assert!(twice.probe_at > once.probe_at);
}

#[test]
fn a_lookup_that_is_answered_ends_no_doubt_about_registrations() {
    let lane = noted(&[(Kind::Send, Sent::Unclear), (Kind::Look, Sent::Answered)]);
    assert_eq!(lane.doubts, 1);
    let mut lane = lane;
    assert!(lane.note(Kind::Send, Sent::Answered, NOW, 0.5));
    assert_eq!(lane.doubts, 0);
}

#[test]
fn a_token_works_from_the_batch_taken_to_the_batch_refused() {
    let taken = noted(&[(Kind::Send, Sent::Refused), (Kind::Send, Sent::Answered)]);
    assert!(taken.token_works);
    let refused = noted(&[(Kind::Send, Sent::Answered), (Kind::Send, Sent::Refused)]);
    assert!(!refused.token_works);
    let looked = noted(&[(Kind::Send, Sent::Refused), (Kind::Look, Sent::Answered)]);
    assert!(!looked.token_works, "a lookup is not a registration");
}

#[test]
fn a_wait_the_service_asked_for_is_kept_by_leads_and_not_shortened_by_a_later_answer() {
    let mut lane = CircuitBreaker::default();
    lane.note_asked(Duration::from_secs(60), NOW);
    let until = NOW + Duration::from_secs(60);
    assert_eq!(lane.asked_until, until);
    assert!(!lane.takes_leads(NOW));
    lane.note(Kind::Look, Sent::Answered, NOW, 0.5);
    lane.note_asked(Duration::from_secs(1), NOW);
    assert_eq!(lane.tried_anew().asked_until, until);
    assert!(lane.takes_leads(until));
}
