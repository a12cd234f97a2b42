//! From accepted to confirmed: what a lookup means and when the next one is due.
//!
//! Owns that "not found" never does anything but wait or call a person: it never sends again.

use std::time::Duration;

use crate::interface::{Contract, ContractId, ContractItem, Stated};

use super::CaseReason;
use super::matching::{self, SaleKey};
use super::record::State;
use crate::contracts::sale::{self, SaleAtRest};
use crate::search_text::{composed, fold};

/// The first lookup waits about this long.
const SHORTEST: Duration = Duration::from_millis(1_500);
/// That of the backlog after an outage waits between these.
const OF_BACKLOG: [Duration; 2] = [Duration::from_secs(30), Duration::from_secs(90)];
/// Later ones never wait longer than this.
const LONGEST: Duration = Duration::from_secs(5 * 60);
/// Accepted and not found for so long, a person looks.
const PATIENCE: Duration = Duration::from_secs(24 * 60 * 60);

/// A day by a clock that was set may be a minute: so often it must have been looked up as well, which takes
/// about a quarter of an hour.
const FEWEST_LOOKUPS: u32 = 10;

/// What a lookup found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finding {
    /// The contract, as it was sent.
    Matches,
    /// An error object: not there yet.
    NotYet,
    /// Something else than was sent.
    Contradicts,
    /// The contract, as it was sent, and the service reports something against it.
    Reported(CaseReason),
}

/// Parts of words by which a status may say that a contract does not hold, in lower case. The
/// interface lists no values (part 3): any other status is shown as it came and decides nothing, and
/// these only ask a person to look.
const ENDED: &str = "\
    cancel void invalid annul reject declin terminat revok rescind refund chargeback \
    fail error abort denied withdraw expire lapse delete remov inactiv suspend closed \
    キャンセル 取消 取り消 解約 解除 無効 返金 却下 失敗 エラー 不成立 不承認 中止 撤回 \
    失効 満了 期限切れ 終了 停止 削除";
/// The same for fraud.
const FRAUD: &str = "fraud 不正";

/// What the service itself reports against a contract that it returns, or may report: what cannot be
/// read is not taken for nothing. A store that it names is to be `store_id`, unless a person has seen that it
/// is another one.
pub fn reported(store_id: Option<&str>, found: &Contract) -> Option<CaseReason> {
    let by_status = reported_by_status(&found.status.known().unwrap_or_default());
    if !matches!(found.fraud, Stated::Absent | Stated::Known(false)) {
        return Some(CaseReason::ReportedFraud);
    }
    if by_status.is_some() {
        return by_status;
    }
    if matches!(found.status, Stated::NotUnderstood(_)) {
        return Some(CaseReason::ReportedCancelled);
    }
    let other = store_id.is_some_and(|ours| is_of_other_store(ours, found));
    other.then_some(CaseReason::OtherStore)
}

/// Whether the service names another store than `store_id` for a contract.
pub fn is_of_other_store(store_id: &str, found: &Contract) -> bool {
    let store = found.store.as_ref().and_then(|store| store.id.as_deref());
    store.is_some_and(|found| found != store_id)
}

/// What the words of a status report against a contract.
fn reported_by_status(status: &str) -> Option<CaseReason> {
    let status = composed(status).to_lowercase();
    let says = |parts: &str| parts.split(' ').any(|part| status.contains(part));
    if says(FRAUD) {
        Some(CaseReason::ReportedFraud)
    } else {
        says(ENDED).then_some(CaseReason::ReportedCancelled)
    }
}

/// The state of an accepted entry after a lookup, accepted so many milliseconds ago and looked up so often
/// before.
pub fn verdict(finding: Finding, waited: i64, lookups: u32) -> State {
    match finding {
        Finding::Matches => State::Confirmed,
        Finding::Contradicts => State::NeedsPerson(CaseReason::Contradiction),
        Finding::Reported(reason) => State::NeedsPerson(reason),
        Finding::NotYet => {
            if i128::from(waited) >= i128::try_from(PATIENCE.as_millis()).unwrap_or(i128::MAX)
                && lookups >= FEWEST_LOOKUPS
            {
                State::NeedsPerson(CaseReason::NeverVisible)
            } else {
                State::Accepted
            }
        }
    }
}

/// How long to wait before the first lookup. What is sent slowly after an outage is not looked up while
/// others send. `fraction` in `0.0..1.0` is the jitter.
pub fn first_wait(backlog: bool, fraction: f64) -> Duration {
    let [least, most] = OF_BACKLOG;
    if backlog {
        least + (most - least).mul_f64(fraction.clamp(0.0, 1.0))
    } else {
        wait(0, fraction)
    }
}

/// How long to wait before the next lookup after so many; `fraction` in `0.0..1.0` is the jitter,
/// which takes at most half of the wait away.
pub fn wait(lookups: u32, fraction: f64) -> Duration {
    let whole = SHORTEST
        .saturating_mul(2_u32.saturating_pow(lookups.min(16)))
        .min(LONGEST);
    whole.mul_f64(0.5 + fraction.clamp(0.0, 1.0) / 2.0)
}

/// Whether a contract that was looked up is the one that was sent, and of the store `store_id`. Amounts
/// and the store are compared where the answer carries them; an amount that is not understood
/// contradicts, and so does a contract without the customer's e-mail, which cannot be compared.
pub fn compare(
    id: &ContractId,
    sent: &ContractItem,
    store_id: Option<&str>,
    found: &Contract,
) -> Finding {
    if found.id == *id
        && SaleKey::of_item(sent) == SaleKey::of_contract(found)
        && matching::same_amounts(sent.transaction_total, sent.product.purchase_price, found)
    {
        reported(store_id, found).map_or(Finding::Matches, Finding::Reported)
    } else {
        Finding::Contradicts
    }
}

/// The same for an entry whose customer cannot be read any more: everything else is compared.
pub fn compare_sale(
    id: &ContractId,
    sale: &SaleAtRest,
    store_id: Option<&str>,
    found: &Contract,
) -> Finding {
    compare_codes(id, sale, store_id, found, |ours, theirs| ours == theirs)
}

/// The same for a contract that a person found at the provider, where a service may write the codes of
/// transaction and product in another case or width, with other dashes, or without zeros in front.
pub fn compare_found(
    id: &ContractId,
    sale: &SaleAtRest,
    store_id: Option<&str>,
    found: &Contract,
) -> Finding {
    compare_codes(id, sale, store_id, found, |ours, theirs| {
        let written = |code| fold(&sale::plain_number(code));
        written(ours) == written(theirs)
    })
}

fn compare_codes(
    id: &ContractId,
    sale: &SaleAtRest,
    store_id: Option<&str>,
    found: &Contract,
    is_same: fn(&str, &str) -> bool,
) -> Finding {
    if found.id == *id
        && is_same(&sale.transaction_id, &found.transaction_id)
        && is_same(sale.product.as_str(), found.product.reference_id.as_str())
        && found.plan.id == sale.plan.plan_id
        && matching::same_amounts(sale.transaction_total, sale.product_price, found)
    {
        reported(store_id, found).map_or(Finding::Matches, Finding::Reported)
    } else {
        Finding::Contradicts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interface::{Amount, Personal, PlanId};
    use crate::outbox::samples::{contract, item};

    const DAY: i64 = 24 * 60 * 60 * 1000;

    #[test]
    fn the_backlog_is_looked_up_later_than_what_was_entered_now() {
        let seconds = |backlog, fraction| first_wait(backlog, fraction).as_secs_f64();
        assert_eq!((seconds(false, 1.0), seconds(true, 0.0)), (1.5, 30.0));
        assert_eq!(seconds(true, 1.0), 90.0);
    }

    #[test]
    fn a_found_contract_is_confirmed_however_late_and_one_not_found_is_a_persons_after_a_day() {
        let needs = State::NeedsPerson;
        for (finding, waited, lookups, expected) in [
            (Finding::Matches, 10 * DAY, 500, State::Confirmed),
            (Finding::Contradicts, 1, 0, needs(CaseReason::Contradiction)),
            (Finding::NotYet, DAY - 1, 500, State::Accepted),
            (Finding::NotYet, DAY, 10, needs(CaseReason::NeverVisible)),
            // By a clock that was set.
            (Finding::NotYet, 3 * DAY, 9, State::Accepted),
        ] {
            assert_eq!(verdict(finding, waited, lookups), expected, "{finding:?}");
        }
    }

    #[test]
    fn only_the_contract_that_was_sent_confirms_it() {
        let sent = item("T1", "p", "a");
        let id = ContractId::new("C1").unwrap();
        let finding = |found| compare(&id, &sent, Some("store"), &found);
        assert_eq!(finding(contract("C1", &sent)), Finding::Matches);
        let dearer = Amount::new(1).unwrap();
        let changes: [fn(&mut ContractItem, Amount); 5] = [
            |item, _| item.transaction_id.push('x'),
            |item, _| item.customer.email = Personal::new("other@sample.invalid"),
            |item, amount| item.transaction_total = amount,
            |item, amount| item.product.purchase_price = amount,
            |item, _| item.plan.plan_id = PlanId::new("b").unwrap(),
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut other = sent.clone();
            change(&mut other, dearer);
            let found = finding(contract("C1", &other));
            assert_eq!(found, Finding::Contradicts, "{number}");
        }
        assert_eq!(finding(contract("C2", &sent)), Finding::Contradicts);
    }

    #[test]
    fn a_contract_of_another_store_calls_a_person_and_one_that_names_no_store_does_not() {
        let sent = item("T1", "p", "a");
        let id = ContractId::new("C1").unwrap();
        let of = |store: serde_json::Value| {
            let mut wire = serde_json::to_value(contract("C1", &sent)).unwrap();
            wire["store"] = store;
            let found: Contract = serde_json::from_value(wire).unwrap();
            compare(&id, &sent, Some("ours"), &found)
        };
        let other = Finding::Reported(CaseReason::OtherStore);
        assert_eq!(of(serde_json::json!({ "id": "theirs" })), other);
        for store in [
            serde_json::json!({ "id": "ours" }),
            serde_json::json!({}),
            serde_json::json!(null),
        ] {
            assert_eq!(of(store.clone()), Finding::Matches, "{store}");
        }
    }

    /// A contract as sent, with this status and this mark of fraud in its JSON.
    fn stating(status: serde_json::Value, fraud: serde_json::Value) -> Contract {
        let mut wire = serde_json::to_value(contract("C1", &item("T1", "p", "a"))).unwrap();
        wire["status"] = status;
        wire["fraud"] = fraud;
        serde_json::from_value(wire).unwrap()
    }

    #[test]
    fn what_the_service_reports_against_a_contract_calls_a_person() {
        use serde_json::json;

        let cancelled = Some(CaseReason::ReportedCancelled);
        let fraud = Some(CaseReason::ReportedFraud);
        for (status, expected) in [
            (json!(null), None),
            (json!(""), None),
            (json!("Active"), None),
            (json!("待機"), None),
            (json!("有効"), None),
            (json!("CANCELLED"), cancelled),
            (json!(" Canceled "), cancelled),
            (json!("CANCELLED_BY_CUSTOMER"), cancelled),
            (json!("Cancelled by store"), cancelled),
            (json!("ＣＡＮＣＥＬ"), cancelled),
            (json!("VOID"), cancelled),
            (json!("PartiallyRefunded"), cancelled),
            (json!("キャンセル済"), cancelled),
            (json!("ｷｬﾝｾﾙ"), cancelled),
            (json!("取り消し"), cancelled),
            (json!("解約済み"), cancelled),
            (json!("無効"), cancelled),
            (json!("FAILED"), cancelled),
            (json!("persist_error"), cancelled),
            (json!("Expired"), cancelled),
            (json!("LAPSED"), cancelled),
            (json!("Deleted"), cancelled),
            (json!("INACTIVE"), cancelled),
            (json!("suspended"), cancelled),
            (json!("CLOSED"), cancelled),
            (json!("失効"), cancelled),
            (json!("登録失敗"), cancelled),
            (json!("ｴﾗｰ"), cancelled),
            (json!("契約不成立"), cancelled),
            (json!("削除済"), cancelled),
            (json!("停止中"), cancelled),
            (json!("終了"), cancelled),
            (json!("満了"), cancelled),
            (json!("期限切れ"), cancelled),
            (json!("FRAUD"), fraud),
            (json!("SUSPECTED_FRAUD"), fraud),
            // What cannot be read may say so.
            (json!(["CANCELLED"]), cancelled),
            (json!({"code": "CANCELLED"}), cancelled),
            (json!(4), cancelled),
        ] {
            let found = |mark| reported(Some("store"), &stating(status.clone(), mark));
            assert_eq!(found(json!(false)), expected, "{status}");
            assert_eq!(found(json!(true)), fraud, "{status}");
        }
        for (mark, expected) in [
            (json!(null), None),
            (json!(false), None),
            (json!(true), fraud),
            (json!("true"), fraud),
            (json!("false"), fraud),
            (json!(1), fraud),
            (json!({}), fraud),
        ] {
            let found = reported(Some("store"), &stating(json!("Active"), mark.clone()));
            assert_eq!(found, expected, "{mark}");
        }
    }

    #[test]
    fn a_reported_contract_calls_a_person_only_where_it_is_the_one_that_was_sent() {
        let id = ContractId::new("C1").unwrap();
        let found = stating("CANCELLED".into(), false.into());
        let finding = |sent| compare(&id, &item(sent, "p", "a"), Some("store"), &found);
        let reason = CaseReason::ReportedCancelled;
        assert_eq!(finding("T1"), Finding::Reported(reason));
        let found = verdict(finding("T1"), 1, 0);
        assert_eq!(found, State::NeedsPerson(reason));
        assert_eq!(finding("T2"), Finding::Contradicts);
    }

    #[test]
    fn waits_grow_from_a_second_and_a_half_to_five_minutes() {
        assert_eq!(wait(0, 1.0), Duration::from_millis(1_500));
        assert_eq!(wait(3, 1.0), Duration::from_secs(12));
        assert_eq!(wait(30, 1.0), LONGEST);
        assert_eq!(wait(u32::MAX, 0.0), LONGEST / 2);
        assert_eq!(wait(0, 0.0), SHORTEST / 2);
    }
}
