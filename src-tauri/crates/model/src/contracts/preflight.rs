//! The problems, questions and warnings of an entry before it is sent, given the service's answer about
//! its plan and the earlier entries of its sale.

use chrono::{DateTime, TimeDelta, Utc};

use super::sale::{self, Earlier};
use super::{EntryCheck, Question, Warning};
use crate::FieldProblem;
use crate::interface::{ContractItem, PlanWithProduct, Stated};
use crate::submission_state::SubmissionState;

/// Results of a check that are stored with the entry.
#[derive(Debug, Clone, Default)]
pub struct PlanFindings {
    pub product_title: Option<String>,
    pub plan_title: Option<String>,
    /// Whether the service stated the plan's price; then the price agrees, or a person was asked.
    pub price_checked: bool,
}

/// The service's answer about a plan and its product.
#[derive(Debug, Clone)]
pub enum PlanSeen {
    /// The plan, of this product.
    Fits(Box<PlanWithProduct>),
    /// The plan, and no answer to whether it is of this product.
    Unlisted(Box<PlanWithProduct>),
    /// The service names what is wrong.
    Wrong(Vec<FieldProblem>),
    /// It gave no usable answer.
    NotAsked,
}

impl PlanSeen {
    /// Whether the service was asked and answered everything.
    pub fn is_checked(&self) -> bool {
        match self {
            Self::Fits(_) | Self::Wrong(_) => true,
            Self::Unlisted(_) | Self::NotAsked => false,
        }
    }
}

/// The problems, questions and warnings of an entry, given the service's answer. Pure.
pub fn evaluate(item: &ContractItem, seen: &PlanSeen, now: DateTime<Utc>) -> EntryCheck {
    let mut check = EntryCheck::default();
    let price = item.product.purchase_price.get();
    let fee = item.plan.purchase_price;
    if !seen.is_checked() {
        check.warnings.push(Warning::NotChecked);
    }
    match seen {
        PlanSeen::Fits(read) | PlanSeen::Unlisted(read) => {
            match &read.plan.price {
                Stated::Known(current) if *current != fee => {
                    check.questions.push(Question::ChangedPrice {
                        entered: fee,
                        current: *current,
                    });
                }
                Stated::NotUnderstood(current) => {
                    check.questions.push(Question::PriceNotUnderstood {
                        entered: fee,
                        current: current.clone(),
                    });
                }
                Stated::Known(_) | Stated::Absent => {}
            }
            match read.product.as_ref().map(|product| &product.price) {
                Some(Stated::Known(listed))
                    if price.abs_diff(listed.get()) > listed.get().unsigned_abs() / 2 =>
                {
                    check.warnings.push(Warning::PriceUnusual);
                }
                Some(Stated::NotUnderstood(_)) => {
                    check.warnings.push(Warning::ListedPriceNotUnderstood);
                }
                Some(Stated::Known(_) | Stated::Absent) | None => {}
            }
        }
        PlanSeen::Wrong(problems) => check.problems.clone_from(problems),
        PlanSeen::NotAsked => {}
    }
    let date = item.transaction_date.get().to_utc();
    let odd = [
        (fee.get() > price / 2, Warning::FeeHigh),
        (
            item.transaction_total.get() < price,
            Warning::TotalBelowPrice,
        ),
        (date > now + TimeDelta::days(1), Warning::DateAhead),
        (date < now - TimeDelta::days(365), Warning::DateLongAgo),
    ];
    let odd = odd.into_iter().filter(|(is_odd, _)| *is_odd);
    check.warnings.extend(odd.map(|(_, warning)| warning));
    check
}

/// The question about an earlier entry, asked under the profile of this id.
pub fn second_contract(earlier: Earlier, asked_under: &str) -> Question {
    let elsewhere = |(id, _): &(String, String)| id != asked_under;
    Question::SecondContract {
        submission_id: earlier.id,
        state: earlier.state,
        contract_id: earlier.contract_id,
        profile: earlier.profile.filter(elsewhere).map(|(_, name)| name),
    }
}

/// The questions about the earlier entries of a sale.
pub fn second_contracts(earlier: &[Earlier], asked_under: &str) -> Vec<Question> {
    sale::in_question(earlier)
        .map(|entry| second_contract(entry.clone(), asked_under))
        .collect()
}

/// A row without a date, or with one that is still to come, may be from a file that was entered before,
/// and the file may be entered again later. After this time that is no longer expected, because a file
/// is used for a month's close at most.
const ENTERED_AGAIN_WITHIN: TimeDelta = TimeDelta::days(35);

/// The earlier entries of a sale, followed by one that may be lost, unless a lost one is among them
/// already. `lost_until`: entries made up to then may not be recorded, because the database was replaced
/// by an older copy, or was opened with a keychain that lacked its key and its high-water mark.
pub fn with_lost(
    mut earlier: Vec<Earlier>,
    lost_until: Option<DateTime<Utc>>,
    item: &ContractItem,
    dated: bool,
    now: DateTime<Utc>,
) -> Vec<Earlier> {
    let sold = item.transaction_date.get();
    // The day of the sale counts, not its hour, because a lost sale that is entered again at the
    // counter gets the current time.
    let may_be_lost = |until: DateTime<Utc>| {
        let last_day = until.with_timezone(sold.offset()).date_naive();
        let says_nothing = !dated || sold.to_utc() > now;
        sold.date_naive() <= last_day || (says_nothing && now < until + ENTERED_AGAIN_WITHIN)
    };
    if lost_until.is_some_and(may_be_lost) && earlier.iter().all(|entry| entry.id.is_some()) {
        earlier.push(Earlier {
            id: None,
            state: SubmissionState::Unknown,
            contract_id: None,
            profile: None,
            alike: false,
            other_store: false,
            corrected: false,
        });
    }
    earlier
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interface::Timestamp;
    use crate::outbox::samples::item;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn what_is_dated_up_to_the_day_of_the_rescue_is_asked_about_and_later_only_what_is_dated_ahead()
    {
        let until = at("2026-11-21T10:00:00Z");
        let long_after = at("2027-11-21T10:00:00Z");
        let asks = |date: &str, dated, now| {
            let mut item = item("t", "p", "a");
            item.transaction_date = Timestamp::new(date.parse().unwrap());
            !with_lost(Vec::new(), Some(until), &item, dated, now).is_empty()
        };
        assert!(asks("2026-01-01T00:00:00+09:00", true, long_after));
        assert!(asks("2026-11-21T23:59:00+09:00", true, long_after));
        assert!(!asks("2026-11-22T00:00:00+09:00", true, long_after));
        // Without a date of its own, a row was sold when it is entered.
        let soon = at("2026-12-01T10:00:00Z");
        assert!(asks("2026-12-01T19:00:00+09:00", false, soon));
        assert!(!asks("2027-11-21T19:00:00+09:00", false, long_after));
        // A date that is still to come says as little of when it was entered.
        assert!(asks("2026-12-05T00:00:00+09:00", true, soon));
        assert!(asks("2026-12-01T19:00:01+09:00", true, soon));
        assert!(!asks("2026-12-01T19:00:00+09:00", true, soon));
        assert!(!asks("2027-12-05T00:00:00+09:00", true, long_after));
    }
}
