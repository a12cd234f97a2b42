#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::*;

const NOW: Duration = Duration::from_secs(1_000);

fn noted(happened: &[(TaskKind, TaskOutcome)]) -> CircuitBreaker {
    let mut breaker = CircuitBreaker::default();
    for (kind, sent) in happened {
        breaker.note(*kind, *sent, NOW, 0.5);
    }
    breaker
}

#[test]
fn an_outcome_nobody_knows_is_a_doubt_of_the_breaker_that_grows() {
    let once = noted(&[(TaskKind::Send, TaskOutcome::Unclear)]);
    assert_eq!((once.unknown_answers, once.failures), (1, 0));
    assert!(once.probe_at > NOW);
    assert_eq!(once.until, Duration::ZERO, "repeats keep their own times");
    let twice = noted(&[(TaskKind::Send, TaskOutcome::Unclear); 2]);
    assert!(twice.probe_at > once.probe_at);
}

#[test]
fn a_lookup_that_is_answered_ends_no_doubt_about_registrations() {
    let breaker = noted(&[
        (TaskKind::Send, TaskOutcome::Unclear),
        (TaskKind::Look, TaskOutcome::Answered),
    ]);
    assert_eq!(breaker.unknown_answers, 1);
    let mut breaker = breaker;
    assert!(breaker.note(TaskKind::Send, TaskOutcome::Answered, NOW, 0.5));
    assert_eq!(breaker.unknown_answers, 0);
}

#[test]
fn a_token_works_from_the_batch_taken_to_the_batch_refused() {
    let taken = noted(&[
        (TaskKind::Send, TaskOutcome::Refused),
        (TaskKind::Send, TaskOutcome::Answered),
    ]);
    assert!(taken.token_works);
    let refused = noted(&[
        (TaskKind::Send, TaskOutcome::Answered),
        (TaskKind::Send, TaskOutcome::Refused),
    ]);
    assert!(!refused.token_works);
    let looked = noted(&[
        (TaskKind::Send, TaskOutcome::Refused),
        (TaskKind::Look, TaskOutcome::Answered),
    ]);
    assert!(!looked.token_works, "a lookup is not a registration");
}

#[test]
fn a_wait_the_service_asked_for_is_kept_by_leads_and_not_shortened_by_a_later_answer() {
    let mut breaker = CircuitBreaker::default();
    breaker.note_asked(Duration::from_secs(60), NOW, 0.0);
    let until = NOW + Duration::from_secs(60);
    assert_eq!(breaker.asked_until, until);
    assert!(!breaker.takes_leads(NOW));
    breaker.note(TaskKind::Look, TaskOutcome::Answered, NOW, 0.5);
    breaker.note_asked(Duration::from_secs(1), NOW, 0.0);
    assert_eq!(breaker.tried_anew().asked_until, until);
    let backlog = until + Duration::from_secs(15);
    breaker.note_asked(Duration::from_secs(60), NOW, 0.5);
    assert_eq!(breaker.backlog_until, backlog);
    assert!(!breaker.takes_leads(until));
    assert!(breaker.takes_leads(backlog));
}
