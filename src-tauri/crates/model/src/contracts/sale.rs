//! What one sale is: transaction, product and plan, at one store of one service.

use std::borrow::Cow;

use chrono::{DateTime, FixedOffset, NaiveTime};

use super::{Confirmed, SubmissionView};
use crate::interface::{
    Amount, ContractId, ContractItem, ItemPlan, Personal, ProductReference, Timestamp,
};
use crate::search_text::{hyphened, plain_width};
use crate::submission_state::SubmissionState;
use crate::{Field, fields_where};

/// What a sale is known by here: transaction, product, plan.
pub type Sale = (String, String, String);

/// What a sale of a store is known by.
pub fn of(item: &ContractItem) -> Sale {
    (
        item.transaction_id.clone(),
        item.product.reference_id.as_str().to_owned(),
        item.plan.plan_id.as_str().to_owned(),
    )
}

/// The earlier entries beside which a person wants another contract.
pub fn beside(confirmed: &[Confirmed]) -> Vec<Option<String>> {
    let beside = confirmed.iter().filter_map(|yes| {
        let Confirmed::SecondContract { submission_id } = yes else {
            return None;
        };
        Some(submission_id.clone())
    });
    beside.collect()
}

/// Product and plan of a sale as they would be read if they had been typed. Whether a code is used as
/// it is written depends on what is known of it at that moment: two spellings are a question.
pub fn as_typed((_, product, plan): &Sale) -> (Cow<'_, str>, Cow<'_, str>) {
    typed(product, plan)
}

pub(super) fn typed<'a>(product: &'a str, plan: &'a str) -> (Cow<'a, str>, Cow<'a, str>) {
    (typed_product(product), plain_width(plan))
}

/// A product reference as it would be read if it had been typed.
pub fn typed_product(reference: &str) -> Cow<'_, str> {
    hyphened(plain_width(reference))
}

/// Whether an entry is of this date: at midnight, as when no time is written, of this day.
fn is_of_date(date: Timestamp, entered: Timestamp) -> bool {
    let (date, entered) = (date.get(), entered.get());
    let day = |moment: DateTime<FixedOffset>| moment.with_timezone(date.offset()).date_naive();
    entered == date || (date.time() == NaiveTime::MIN && day(entered) == day(date))
}

/// The codes of the sale in which an item differs from an entry.
pub fn codes_differ(item: &ContractItem, before: &SubmissionView) -> Vec<Field> {
    let transaction = item.transaction_id != before.transaction_id;
    let product = item.product.reference_id != before.product_reference_id;
    fields_where([
        (Field::TransactionId, transaction),
        (Field::ProductReferenceId, product),
        (Field::PlanId, item.plan.plan_id != before.plan_id),
    ])
}

/// The fields in which an item differs from an entry of the same sale; the date is compared only when
/// the item has one of its own, and a date without a time by its day.
pub fn differences(item: &ContractItem, dated: bool, before: &SubmissionView) -> Vec<Field> {
    // A customer that cannot be read is not compared.
    let differs =
        |now: &Personal, then: &Option<Personal>| then.as_ref().is_some_and(|then| then != now);
    let total = item.transaction_total != before.transaction_total;
    let date = !is_of_date(item.transaction_date, before.transaction_date);
    let name = differs(&item.customer.name, &before.customer_name);
    let email = differs(&item.customer.email, &before.customer_email);
    let price = item.product.purchase_price != before.product_purchase_price;
    let fee = item.plan.purchase_price != before.plan_purchase_price;
    fields_where([
        (Field::TransactionTotal, total),
        (Field::TransactionDate, dated && date),
        (Field::CustomerName, name),
        (Field::CustomerEmail, email),
        (Field::ProductPurchasePrice, price),
        (Field::PlanPurchasePrice, fee),
    ])
}

/// An earlier entry of the same transaction, product and plan; its state is cancelled when it was cancelled
/// with an unknown outcome. It has no id when it was lost with a damaged file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Earlier {
    /// Its id; `None` when only a report of a rescue knows of it.
    pub id: Option<String>,
    /// Its state, or its last one.
    pub state: SubmissionState,
    pub contract_id: Option<ContractId>,
    /// Id and name of the profile it was entered under, removed or not; `None` when only a report
    /// of a rescue knows of it.
    pub profile: Option<(String, String)>,
    /// Whether its product or plan is written differently, or its transaction has more or fewer zeros in
    /// front or other capitals: it may be another sale.
    pub alike: bool,
    /// Whether it is of another store: it may be another sale, or the same under a store id that was
    /// wrong.
    pub other_store: bool,
    /// Whether it was made in place of an entry of the sale, with other codes: it may be the same sale
    /// or one more.
    pub corrected: bool,
}

impl Earlier {
    /// Whether it is unknown here if the sale was sold, and no entry with its codes represents it.
    pub fn is_unknown(&self) -> bool {
        self.id.is_none() || self.state == SubmissionState::Cancelled || self.corrected
    }
}

/// The earlier entries of which it is unknown whether they were sold. No other entry answers for them.
pub fn unknown(earlier: &[Earlier]) -> impl Iterator<Item = &Earlier> {
    earlier.iter().filter(|entry| entry.is_unknown())
}

/// The earlier entries of a sale about which a person is asked whether this is another sale: the
/// newest of this store or, if there is none, the newest with a code that is written differently and
/// the newest of another store; and each of which it is unknown whether it was sold.
pub fn in_question(earlier: &[Earlier]) -> impl Iterator<Item = &Earlier> {
    let newest = |wanted: fn(&Earlier) -> bool| {
        let mut known = earlier.iter().filter(|entry| !entry.is_unknown());
        known.find(|entry| wanted(entry))
    };
    let exact = newest(|entry| !entry.other_store && !entry.alike);
    let others = [
        newest(|entry| !entry.other_store && entry.alike),
        newest(|entry| entry.other_store),
    ];
    let others = others.into_iter().filter(move |_| exact.is_none());
    let known = std::iter::once(exact).chain(others).flatten();
    known.chain(unknown(earlier))
}

/// Longest code that a spreadsheet may take for a number, in digits; longer than a GTIN-14, because
/// shops' own codes may be longer.
const LONGEST_NUMBER: usize = 18;

/// A code without the zeros in front that a spreadsheet drops when it takes the code for a number.
pub fn without_zeros(code: &str) -> &str {
    if !is_number(code) {
        return code;
    }
    match code.trim_start_matches('0') {
        "" => "0",
        number => number,
    }
}

/// Whether two transactions differ only in zeros in front that a spreadsheet drops, or in capitals, which a
/// scanner turns round while Caps Lock is on: they may be one.
pub fn is_alike(one: &str, other: &str) -> bool {
    without_zeros(one).eq_ignore_ascii_case(without_zeros(other))
}

/// The form of a transaction by which sales are searched for; alike ones have the same.
pub fn search_form(transaction: &str) -> String {
    transaction.trim_start_matches('0').to_ascii_lowercase()
}

/// A code in plain width and with hyphens, without the zeros in front that a spreadsheet drops.
pub fn plain_number(code: &str) -> String {
    without_zeros(&hyphened(plain_width(code))).to_owned()
}

/// The code with 1, 2, ... zeros in front, as a spreadsheet may have dropped them; empty unless it is
/// all digits.
pub fn with_zeros(code: &str) -> impl Iterator<Item = String> {
    let longest = if is_number(code) { LONGEST_NUMBER } else { 0 };
    (code.len() + 1..=longest).map(move |length| format!("{code:0>length$}"))
}

fn is_number(code: &str) -> bool {
    let digits = code.bytes().all(|byte| byte.is_ascii_digit());
    digits && (1..=LONGEST_NUMBER).contains(&code.len())
}

/// The part of a sale that is stored unencrypted: all but the customer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaleAtRest {
    pub transaction_id: String,
    pub transaction_total: Amount,
    pub product: ProductReference,
    pub product_price: Amount,
    pub plan: ItemPlan,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_digits_are_tried_with_zeros_in_front() {
        let codes: Vec<String> = with_zeros("4900").take(2).collect();
        assert_eq!(codes, ["04900", "004900"]);
        assert_eq!(with_zeros("1").count(), LONGEST_NUMBER - 1);
        for code in ["", "SKU-1", "４９", "123456789012345678"] {
            assert_eq!(with_zeros(code).count(), 0, "{code}");
        }
    }

    #[test]
    fn each_entry_that_may_have_been_sold_is_asked_about_beside_the_newest_that_was() {
        let entry = |id: &str, state| Earlier {
            id: Some(id.to_owned()),
            state,
            contract_id: None,
            profile: None,
            alike: false,
            other_store: false,
            corrected: false,
        };
        let newest = entry("newest", SubmissionState::Confirmed);
        let older = entry("older", SubmissionState::Confirmed);
        let alike = Earlier {
            alike: true,
            ..entry("alike", SubmissionState::Accepted)
        };
        let of_another = Earlier {
            other_store: true,
            ..entry("of another store", SubmissionState::Accepted)
        };
        let corrected = Earlier {
            corrected: true,
            ..entry("corrected", SubmissionState::Accepted)
        };
        let cancelled = entry("cancelled", SubmissionState::Cancelled);
        let again = entry("cancelled again", SubmissionState::Cancelled);
        let lost = Earlier {
            id: None,
            ..entry("", SubmissionState::Unknown)
        };
        let asked = |earlier: &[&Earlier]| -> Vec<Option<String>> {
            let earlier: Vec<Earlier> = earlier.iter().copied().cloned().collect();
            in_question(&earlier)
                .map(|entry| entry.id.clone())
                .collect()
        };
        let ids = |entries: &[&Earlier]| -> Vec<Option<String>> {
            entries.iter().map(|entry| entry.id.clone()).collect()
        };
        let doubts = [&corrected, &cancelled, &again, &lost];
        assert_eq!(asked(&doubts), ids(&doubts));
        let known = [&newest, &older, &alike, &of_another];
        assert_eq!(asked(&known), ids(&[&newest]));
        assert_eq!(asked(&known[2..]), ids(&[&alike, &of_another]));
        let all = [&known[..], &doubts].concat();
        let wanted = [&[&newest][..], &doubts].concat();
        assert_eq!(asked(&all), ids(&wanted));
    }
}
