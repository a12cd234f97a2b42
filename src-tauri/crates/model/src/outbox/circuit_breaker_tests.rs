use super::*;
use crate::outbox::recovery::Pace;

const NOW: Duration = Duration::from_secs(1_000);

fn noted(happened: &[(TaskKind, TaskOutcome)]) -> CircuitBreaker {
    let mut breaker = CircuitBreaker::default();
    for (kind, sent) in happened {
        breaker.note(*kind, *sent, NOW);
    }
    breaker
}

#[test]
fn a_lookup_that_is_answered_ends_no_doubt_about_registrations() {
    let mut breaker = CircuitBreaker::default();
    breaker.recovery.failed(NOW, backoff::LONGEST, 0.5);
    assert!(!breaker.takes_leads(NOW));
    breaker.note(TaskKind::Look, TaskOutcome::Answered, NOW);
    assert!(!breaker.takes_leads(NOW));
    assert!(breaker.note(TaskKind::Send, TaskOutcome::Answered, NOW));
    assert!(breaker.takes_leads(NOW));
}

#[test]
fn leads_go_once_a_probe_is_answered_also_when_no_sale_waits() {
    let mut breaker = CircuitBreaker::default();
    breaker.recovery.failed(NOW, backoff::LONGEST, 0.5);
    breaker.note(TaskKind::Probe, TaskOutcome::Answered, NOW);
    assert!(breaker.takes_leads(NOW));
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
    breaker.note(TaskKind::Look, TaskOutcome::Answered, NOW);
    breaker.note_asked(Duration::from_secs(1), NOW, 0.0);
    assert_eq!(breaker.tried_anew().asked_until, until);
    let backlog = until + Duration::from_secs(15);
    breaker.note_asked(Duration::from_secs(60), NOW, 0.5);
    assert_eq!(breaker.backlog_until, backlog);
    breaker.recovery.counted(0, until, Pace::default(), 0.5);
    assert!(!breaker.takes_leads(until));
    assert!(breaker.takes_leads(backlog));
}

#[test]
fn a_failed_lookup_is_about_its_contract_only_if_another_was_answered_since_one_failed() {
    let mut breaker = CircuitBreaker::default();
    // With a revoked token every lookup fails, whatever was answered before.
    breaker.note_lookup_answered();
    assert!(!breaker.note_lookup_failed(true, NOW));
    assert_eq!(breaker.lookups_at, NOW + TOKEN_WAIT);
    let later = NOW + TOKEN_WAIT;
    assert!(!breaker.note_lookup_failed(true, later));
    // One contract is not this token's: the others need not wait for it.
    breaker.note_lookup_answered();
    assert!(breaker.note_lookup_failed(true, later + TOKEN_WAIT));
    assert_eq!(breaker.lookups_at, later + TOKEN_WAIT);
    assert!(!breaker.note_lookup_failed(false, later + TOKEN_WAIT));
    // The service takes registrations: it works, though with a token that may not be one to look up with.
    breaker.note(TaskKind::Send, TaskOutcome::Answered, later);
    assert!(!breaker.note_lookup_failed(true, later));
    for served in [TaskKind::Send, TaskKind::Probe] {
        breaker.note(served, TaskOutcome::Answered, later);
        assert!(breaker.note_lookup_failed(false, later));
    }
}

#[test]
fn a_stuck_lead_makes_no_other_wait() {
    let mut breaker = CircuitBreaker::default();
    breaker.note_lead("stuck", LeadAttempt::Stuck, NOW);
    assert!(breaker.takes_leads(NOW));
    assert!(breaker.stuck_leads.contains("stuck"));
    assert!(breaker.tried_anew().stuck_leads.is_empty());
    breaker.note_lead("waits", LeadAttempt::Waits, NOW);
    assert!(!breaker.takes_leads(NOW));
}
