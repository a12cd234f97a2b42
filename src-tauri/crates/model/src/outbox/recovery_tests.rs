use proptest::prelude::*;

use super::*;
use crate::interface::{NoAnswer, NotSent};
use crate::outbox::samples::unreadable;

const NOW: Duration = Duration::from_secs(1_000_000);
const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);

/// Silent after so many probes in a row that failed when they were due, and the time after the last.
fn silent(failures: u32) -> (Recovery, Duration) {
    let (mut recovery, mut now) = (Recovery::default(), NOW);
    for _ in 0..failures {
        assert!(recovery.failed(now, MINUTE, 1.0));
        now = recovery.asked_again_at().unwrap();
    }
    (recovery, now)
}

fn paced(batches: u32, fraction: f64) -> Recovery {
    let (mut recovery, _) = silent(6);
    recovery.probe_answered(NOW);
    recovery.sale_answered(NOW);
    recovery.counted(batches, NOW, Pace::default(), fraction);
    recovery
}

#[test]
fn after_a_failure_nothing_new_goes_before_a_probe_and_then_one_until_a_sale_is_answered() {
    let (mut recovery, probe_at) = silent(1);
    assert_eq!(recovery.fresh(NOW), Fresh::NotBefore(probe_at));
    assert_eq!(recovery.fresh(probe_at), Fresh::AfterProbe);
    recovery.probe_answered(probe_at);
    assert_eq!(recovery.fresh(probe_at), Fresh::One);
    recovery.sale_answered(probe_at);
    assert_eq!(recovery.fresh(probe_at), Fresh::All);
}

#[test]
fn later_failures_do_not_push_the_probe_on() {
    let (mut recovery, probe_at) = silent(1);
    assert!(!recovery.failed(probe_at - Duration::from_millis(1), MINUTE, 1.0));
    assert_eq!(recovery.asked_again_at(), Some(probe_at));
    assert!(recovery.failed(probe_at, MINUTE, 1.0));
    assert_eq!(recovery.asked_again_at(), Some(probe_at + 4 * SECOND));
}

#[test]
fn probes_read_plans_and_contracts_by_turns() {
    let kinds: Vec<ProbeKind> = (1..=4).map(|n| silent(n).0.probe_kind()).collect();
    let [plans, contract] = [ProbeKind::Plans, ProbeKind::Contract];
    assert_eq!(kinds, [plans, contract, plans, contract]);
}

#[test]
fn a_read_that_fails_has_a_contract_looked_up_before_the_next_sale_and_keeps_no_sale_by_itself() {
    let mut recovery = Recovery::default();
    recovery.doubt(NOW);
    assert_eq!(recovery.fresh(NOW), Fresh::AfterProbe);
    assert_eq!(recovery.probe_kind(), ProbeKind::Contract);
    assert_eq!(recovery.asked_again_at(), None, "it is not silent");
    recovery.probe_answered(NOW);
    recovery.doubt(NOW + SURE_FOR - SECOND);
    assert_eq!(recovery.fresh(NOW), Fresh::All, "it just answered");
    recovery.doubt(NOW + SURE_FOR);
    assert_eq!(recovery.fresh(NOW), Fresh::AfterProbe);
}

#[test]
fn after_four_hours_one_sale_goes_to_a_service_that_answers_no_probe() {
    let (mut recovery, now) = silent(9);
    recovery.began(false, now, 0.5);
    let later = now + TRIAL_AFTER;
    recovery.failed(later - SECOND, MINUTE, 1.0);
    assert!(matches!(
        recovery.fresh(later - SECOND),
        Fresh::NotBefore(_)
    ));
    assert_eq!(recovery.fresh(later), Fresh::One);

    let early = TRIAL_AFTER - MINUTE;
    let mut restarted = Recovery::after_restart(early, NOW);
    assert_eq!(restarted.fresh(NOW), Fresh::AfterProbe);
    for now in [NOW, NOW + MINUTE] {
        restarted.failed(now, 2 * MINUTE, 1.0);
    }
    assert_eq!(restarted.fresh(NOW + MINUTE), Fresh::One);
}

#[test]
fn a_desk_opened_in_the_morning_asks_a_service_that_failed_last_night_before_it_sells() {
    let a_night = Duration::from_secs(10 * 3600);
    let (asleep, _) = silent(1);
    let (reopened, now) = (Recovery::after_restart(a_night, NOW), NOW + a_night);
    for mut recovery in [asleep, reopened] {
        assert_eq!(recovery.fresh(now), Fresh::AfterProbe);
        recovery.failed(now, MINUTE, 1.0);
        assert_eq!(recovery.fresh(now), Fresh::One);
    }
}

#[test]
fn a_sale_entered_now_lets_the_probe_be_made_at_once() {
    let (mut recovery, _) = silent(9);
    assert!(matches!(recovery.fresh(NOW), Fresh::NotBefore(_)));
    recovery.try_now();
    assert_eq!(recovery.fresh(NOW), Fresh::AfterProbe);
}

#[test]
fn a_backlog_goes_slowly_after_more_than_five_failures_of_any_kind() {
    for (failures, slowly) in [(5, false), (6, true)] {
        let (mut recovery, now) = silent(failures);
        recovery.probe_answered(now);
        assert_eq!(recovery.counts(), slowly);
        let mut unreachable = Recovery::default();
        unreachable.reached(failures, now);
        assert_eq!(unreachable.counts(), slowly);
    }
    let mut recovery = paced(10, 0.5);
    recovery.failed(NOW, MINUTE, 0.5);
    recovery.probe_answered(NOW + MINUTE);
    assert!(
        recovery.counts(),
        "it is counted anew after another failure"
    );
}

#[test]
fn a_wait_that_every_desk_is_asked_for_begins_a_slow_recovery_and_ends_none() {
    for (wait, slowly) in [(AFTER_WAIT - SECOND, false), (AFTER_WAIT, true)] {
        let mut recovery = Recovery::default();
        recovery.asked(wait, NOW + wait);
        assert_eq!(recovery.counts(), slowly);
    }
    let mut recovery = paced(10, 0.5);
    recovery.asked(SECOND, NOW + SECOND);
    recovery.end(false, NOW + 3_600 * SECOND);
    assert!(recovery.counts(), "counted when the wait is over");
    assert_eq!(recovery.entered_now_since(), NOW + SECOND - JUST_BEFORE);
}

#[test]
fn its_batches_are_spread_over_a_quarter_of_an_hour_on_average() {
    let mut recovery = paced(10, 0.5);
    for batch in 1..=10 {
        let at = recovery.backlog_at().unwrap();
        assert_eq!(at, NOW + Pace::default().spread / 10 * batch);
        recovery.began(false, at, 0.5);
        assert_eq!(recovery.backlog_at(), Some(at), "a sale entered now");
        recovery.began(true, at, 0.5);
    }
}

#[test]
fn a_slow_recovery_ends_with_its_backlog_and_in_any_case() {
    assert_eq!(paced(0, 0.5).backlog_at(), None);
    let mut gone = paced(10, 0.5);
    gone.end(true, NOW);
    assert_eq!(gone.backlog_at(), None);
    let mut over = paced(10, 0.5);
    over.end(false, NOW + 2 * Pace::default().spread);
    assert_eq!(over.backlog_at(), None);
}

#[test]
fn what_is_no_answer_of_the_service_fails_and_a_plain_refusal_answers() {
    use Probed::{Answered, Failed, NotAsked, Unreachable};
    use Unreadable::{NotJson, OtherShape, Oversized, Redirect};

    let unreadable = |status, reason| unreadable(status, reason, None);
    let not_sent = ApiError::NotSent;
    for (error, sale_fails, probe) in [
        (ApiError::NoAnswer(NoAnswer::Timeout), true, Failed),
        (unreadable(503, OtherShape), true, Failed),
        (unreadable(200, NotJson), true, Failed),
        (unreadable(302, Redirect), true, Failed),
        // As a company's proxy blocks everything.
        (unreadable(403, NotJson), true, Failed),
        (unreadable(404, NotJson), true, Failed),
        (unreadable(400, Oversized), true, Failed),
        (unreadable(404, OtherShape), false, Answered),
        (unreadable(401, OtherShape), false, Failed),
        (unreadable(403, OtherShape), false, Failed),
        (unreadable(429, NotJson), false, Answered),
        (unreadable(200, OtherShape), false, Answered),
        (not_sent(NotSent::Connect), false, Unreachable),
        (not_sent(NotSent::NoToken), false, NotAsked),
    ] {
        assert_eq!(fails(&error), sale_fails, "{error:?}");
        assert_eq!(probed(Err(&error)), probe, "{error:?}");
    }
    assert_eq!(probed(Ok(())), Answered);
}

proptest! {
    /// Whatever happened, and even if no probe is ever answered: something goes in the end.
    #[test]
    fn nothing_waits_for_ever(events in proptest::collection::vec((0..10_u8, 0..600_u64), 0..60)) {
        let (mut recovery, mut now) = (Recovery::default(), NOW);
        for (event, seconds) in events {
            now += SECOND * u32::try_from(seconds).unwrap();
            match event {
                0..=2 => drop(recovery.failed(now, MINUTE, 0.5)),
                3 => recovery.probe_answered(now),
                4 => recovery.sale_answered(now),
                5 => recovery.asked(MINUTE, now + MINUTE),
                6 => recovery.reached(6, now),
                7 => recovery.began(true, now, 0.5),
                8 => recovery.doubt(now),
                _ => recovery.counted(7, now, Pace::default(), 0.5),
            }
        }
        let limit = now + TRIAL_AFTER;
        while !matches!(recovery.fresh(now), Fresh::All | Fresh::One) {
            prop_assert!(now <= limit);
            if recovery.fresh(now) == Fresh::AfterProbe {
                recovery.failed(now, MINUTE, 0.5);
            } else {
                now += SECOND;
            }
        }
        recovery.counted(7, now, Pace::default(), 0.5);
        recovery.end(false, now + 2 * Pace::default().spread);
        prop_assert_eq!(recovery.backlog_at(), None);
    }
}
