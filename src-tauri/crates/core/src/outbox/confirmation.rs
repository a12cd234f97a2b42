//! From accepted to confirmed: what a lookup means and when the next one is due. Pure.
//!
//! Owns that "not found" never does anything but wait or call a person: it never sends anew.

use std::time::Duration;

use warranty_api::{Contract, ContractId, ContractItem};

use super::CaseReason;
use super::matching::{self, SaleKey};
use super::state::State;
use crate::store::cases::SaleAtRest;

/// The first lookup waits about this long.
const SHORTEST: Duration = Duration::from_secs(2);
/// Later ones never wait longer than this.
const LONGEST: Duration = Duration::from_secs(5 * 60);
/// Accepted and not found for so long, a person looks.
const PATIENCE: Duration = Duration::from_secs(24 * 60 * 60);

/// What a lookup found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finding {
    /// The contract, as it was sent.
    Matches,
    /// An error object: not there yet.
    NotYet,
    /// Something else than was sent.
    Contradicts,
    /// The contract, as it was sent, and the service reports something against it.
    Reported(CaseReason),
}

/// Statuses by which a contract does not hold. The interface lists no values (part 3): any other
/// status is shown as it came and decides nothing, and these only ask a person to look.
const ENDED: [&str; 9] = [
    "cancelled",
    "canceled",
    "void",
    "voided",
    "rejected",
    "declined",
    "terminated",
    "revoked",
    "refunded",
];

/// What the service itself reports against a contract that it returns.
pub(crate) fn reported(found: &Contract) -> Option<CaseReason> {
    if found.fraud == Some(true) {
        return Some(CaseReason::ReportedFraud);
    }
    let status = found.status.as_deref()?.trim();
    ENDED
        .iter()
        .any(|ended| status.eq_ignore_ascii_case(ended))
        .then_some(CaseReason::ReportedCancelled)
}

/// Where an accepted entry stands after a lookup. Times are milliseconds since 1970 UTC.
pub(crate) fn verdict(finding: Finding, accepted_at: Option<i64>, now: i64) -> State {
    match finding {
        Finding::Matches => State::Confirmed,
        Finding::Contradicts => State::NeedsPerson(CaseReason::Contradiction),
        Finding::Reported(reason) => State::NeedsPerson(reason),
        Finding::NotYet => {
            let waited = now.saturating_sub(accepted_at.unwrap_or(now));
            if i128::from(waited) >= i128::try_from(PATIENCE.as_millis()).unwrap_or(i128::MAX) {
                State::NeedsPerson(CaseReason::NeverVisible)
            } else {
                State::Accepted
            }
        }
    }
}

/// How long to wait before the next lookup after so many; `fraction` in `0.0..1.0` is the jitter,
/// which takes at most half of the wait away.
pub(crate) fn wait(lookups: u32, fraction: f64) -> Duration {
    let whole = SHORTEST
        .saturating_mul(2_u32.saturating_pow(lookups.min(16)))
        .min(LONGEST);
    whole.mul_f64(0.5 + fraction.clamp(0.0, 1.0) / 2.0)
}

/// Whether a contract that was looked up is the one that was sent. Amounts are compared where the
/// answer carries them; one that is not understood contradicts.
pub(crate) fn compare(id: &ContractId, sent: &ContractItem, found: &Contract) -> Finding {
    if found.id == *id
        && SaleKey::of_item(sent) == SaleKey::of_contract(found)
        && matching::same_amounts(sent.transaction_total, sent.product.purchase_price, found)
    {
        reported(found).map_or(Finding::Matches, Finding::Reported)
    } else {
        Finding::Contradicts
    }
}

/// The same for an entry whose customer cannot be read any more: everything else is compared.
pub(crate) fn compare_sale(id: &ContractId, sale: &SaleAtRest, found: &Contract) -> Finding {
    if found.id == *id
        && found.transaction_id == sale.transaction_id
        && found.product.reference_id == sale.product
        && found.plan.id == sale.plan.plan_id
        && matching::same_amounts(sale.transaction_total, sale.product_price, found)
    {
        reported(found).map_or(Finding::Matches, Finding::Reported)
    } else {
        Finding::Contradicts
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use proptest::prelude::*;

    use super::*;
    use crate::outbox::samples::{contract, item};

    const DAY: i64 = 24 * 60 * 60 * 1000;

    #[test]
    fn a_found_contract_is_confirmed_however_late() {
        assert_eq!(
            verdict(Finding::Matches, Some(0), 10 * DAY),
            State::Confirmed
        );
    }

    #[test]
    fn a_contract_not_found_waits_a_day_and_then_calls_a_person() {
        assert_eq!(
            verdict(Finding::NotYet, Some(5), 5 + DAY - 1),
            State::Accepted
        );
        assert_eq!(
            verdict(Finding::NotYet, Some(5), 5 + DAY),
            State::NeedsPerson(CaseReason::NeverVisible)
        );
    }

    #[test]
    fn another_contract_than_was_sent_calls_a_person_at_once() {
        assert_eq!(
            verdict(Finding::Contradicts, Some(5), 6),
            State::NeedsPerson(CaseReason::Contradiction)
        );
    }

    #[test]
    fn only_the_contract_that_was_sent_confirms_it() {
        let sent = item("T1", "p", "a");
        let id = ContractId::new("C1").unwrap();
        let as_sent = contract("C1", &sent);
        assert_eq!(compare(&id, &sent, &as_sent), Finding::Matches);
        let dearer = warranty_api::Amount::new(1).unwrap();
        let changes: [fn(&mut ContractItem, warranty_api::Amount); 5] = [
            |item, _| item.transaction_id.push('x'),
            |item, _| item.customer.email = warranty_api::Personal::new("other@sample.invalid"),
            |item, amount| item.transaction_total = amount,
            |item, amount| item.product.purchase_price = amount,
            |item, _| item.plan.plan_id = warranty_api::PlanId::new("b").unwrap(),
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut other = sent.clone();
            change(&mut other, dearer);
            let found = contract("C1", &other);
            assert_eq!(
                compare(&id, &sent, &found),
                Finding::Contradicts,
                "{number}"
            );
        }
        let elsewhere = contract("C2", &sent);
        assert_eq!(compare(&id, &sent, &elsewhere), Finding::Contradicts);
    }

    #[test]
    fn a_contract_that_the_service_reports_as_cancelled_or_as_fraud_calls_a_person() {
        let sent = item("T1", "p", "a");
        let id = ContractId::new("C1").unwrap();
        let plain = contract("C1", &sent);
        let with = |status: &str, fraud| Contract {
            status: Some(status.to_owned()),
            fraud: Some(fraud),
            ..plain.clone()
        };
        let found = |contract: &Contract| compare(&id, &sent, contract);
        let cancelled = Finding::Reported(CaseReason::ReportedCancelled);
        let fraud = Finding::Reported(CaseReason::ReportedFraud);
        assert_eq!(found(&with("CANCELLED", false)), cancelled);
        assert_eq!(found(&with(" Canceled ", false)), cancelled);
        assert_eq!(found(&with("CANCELLED", true)), fraud);
        assert_eq!(found(&with("Active", true)), fraud);
        // The interface lists no values: what is not known here decides nothing.
        assert_eq!(found(&with("CANCELLABLE", false)), Finding::Matches);
        assert_eq!(
            verdict(fraud, Some(5), 6),
            State::NeedsPerson(CaseReason::ReportedFraud)
        );
        let other = Contract {
            transaction_id: "T2".to_owned(),
            ..with("CANCELLED", true)
        };
        assert_eq!(found(&other), Finding::Contradicts);
    }

    #[test]
    fn waits_grow_from_two_seconds_to_five_minutes() {
        assert_eq!(wait(0, 1.0), Duration::from_secs(2));
        assert_eq!(wait(3, 1.0), Duration::from_secs(16));
        assert_eq!(wait(30, 1.0), LONGEST);
        assert_eq!(wait(u32::MAX, 0.0), LONGEST / 2);
    }

    proptest! {
        #[test]
        fn every_wait_lies_within_its_bounds(lookups: u32, fraction in 0.0..1.0_f64) {
            let wait = wait(lookups, fraction);
            prop_assert!(wait >= SHORTEST / 2 && wait <= LONGEST);
        }
    }
}
