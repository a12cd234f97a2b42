//! What was typed or read from a file, made fit to be sent or refused with a reason.
//!
//! Pure: the moment and the offset are handed in. Owns what a field may be; the forms people and
//! spreadsheets write are in [`written`], and what the service has is not known here.

use std::borrow::Cow;

use chrono::{DateTime, Datelike, FixedOffset, TimeZone, Timelike, Utc};
use warranty_api::{
    Amount, ContractItem, IdError, ItemCustomer, ItemPlan, ItemProduct, Personal, PlanId,
    ProductReference, Timestamp,
};

use super::{EntryFields, written};
use crate::text::composed;
use crate::{Field, FieldProblem, Problem};
pub(crate) use written::is_error as is_spreadsheet_error;

/// Longest code, in characters. The interface gives no bound; this one is ours.
pub(crate) const MOST_IN_CODE: usize = 128;
/// Longest name, in characters; ours as well.
pub(crate) const MOST_IN_NAME: usize = 200;
/// Longest e-mail address that mail can carry.
const MOST_IN_EMAIL: usize = 254;
/// Years in which a sale can lie.
const YEARS: std::ops::RangeInclusive<i32> = 1900..=9998;

/// The nine fields of an entry as a contract to create, or every reason why not.
pub(crate) fn entry<'a>(
    fields: impl Into<EntryFields<'a>>,
    now: DateTime<Utc>,
    utc_offset_minutes: i32,
) -> Result<ContractItem, Vec<FieldProblem>> {
    let of = fields.into();
    let transaction_id = at(Field::TransactionId, typed_code(of.transaction_id));
    let total = at(Field::TransactionTotal, amount(of.transaction_total));
    let date = at(
        Field::TransactionDate,
        moment(of.transaction_date, now, utc_offset_minutes),
    );
    let name = at(Field::CustomerName, name(of.customer_name));
    let email = at(Field::CustomerEmail, email(of.customer_email));
    let reference = at(
        Field::ProductReferenceId,
        product_reference(of.product_reference_id),
    );
    let price = at(
        Field::ProductPurchasePrice,
        amount(of.product_purchase_price),
    );
    let plan = at(Field::PlanId, plan_id(of.plan_id));
    let fee = at(Field::PlanPurchasePrice, amount(of.plan_purchase_price));
    match (
        transaction_id,
        total,
        date,
        name,
        email,
        reference,
        price,
        plan,
        fee,
    ) {
        (
            Ok(transaction_id),
            Ok(transaction_total),
            Ok(transaction_date),
            Ok(name),
            Ok(email),
            Ok(reference_id),
            Ok(product_price),
            Ok(plan_id),
            Ok(plan_price),
        ) => Ok(ContractItem {
            transaction_id,
            transaction_total,
            transaction_date,
            customer: ItemCustomer { name, email },
            product: ItemProduct {
                reference_id,
                purchase_price: product_price,
            },
            plan: ItemPlan {
                purchase_price: plan_price,
                plan_id,
            },
        }),
        (a, b, c, d, e, f, g, h, i) => Err([
            a.err(),
            b.err(),
            c.err(),
            d.err(),
            e.err(),
            f.err(),
            g.err(),
            h.err(),
            i.err(),
        ]
        .into_iter()
        .flatten()
        .collect()),
    }
}

/// A code that people type and scan: as [`code`], and what an input method makes of a hyphen made
/// plain. The id of a plan is picked from a list, where its provider may have written a dash.
pub(crate) fn typed_code(text: &str) -> Result<String, Problem> {
    code(&hyphened(plain(text)))
}

/// A code: compatibility forms (full-width digits and letters) made plain, no white space around it.
pub(crate) fn code(text: &str) -> Result<String, Problem> {
    let text = plain(text);
    if text.is_empty() {
        return Err(Problem::Missing);
    }
    let hides = if text.is_ascii() {
        text.bytes().any(|byte| byte.is_ascii_control())
    } else {
        text.chars().any(unseen)
    };
    if hides {
        return Err(Problem::BadCharacters);
    }
    spoilt(&text)?;
    if is_longer(&text, MOST_IN_CODE) {
        return Err(Problem::TooLong);
    }
    Ok(text.into_owned())
}

/// A whole amount of at least zero; grouping commas and full-width digits are read.
pub(crate) fn amount(text: &str) -> Result<Amount, Problem> {
    let text = plain(text);
    if text.is_empty() {
        return Err(Problem::Missing);
    }
    spoilt(&text)?;
    let (negative, digits) = written::whole(&text).ok_or(Problem::NotWholeNumber)?;
    let number: i64 = digits.parse().map_err(|_| Problem::TooLarge)?;
    if negative && number != 0 {
        return Err(Problem::TooSmall);
    }
    Amount::new(number).map_err(|_| Problem::TooLarge)
}

/// A moment: with the offset it was written with; local date-times and dates get the one given,
/// and nothing at all is now.
pub(crate) fn moment(
    text: &str,
    now: DateTime<Utc>,
    utc_offset_minutes: i32,
) -> Result<Timestamp, Problem> {
    let offset = utc_offset_minutes
        .checked_mul(60)
        .and_then(FixedOffset::east_opt)
        .ok_or(Problem::NotDateTime)?;
    let text = plain(text);
    if text.is_empty() {
        let now = now.with_timezone(&offset);
        return Ok(Timestamp::new(now.with_nanosecond(0).unwrap_or(now)));
    }
    spoilt(&text)?;
    let found = Timestamp::parse(&text)
        .ok()
        .or_else(|| {
            offset
                .from_local_datetime(&written::local(&text)?)
                .single()
                .map(Timestamp::new)
        })
        .ok_or(Problem::NotDateTime)?;
    if YEARS.contains(&found.get().year()) {
        Ok(found)
    } else {
        Err(Problem::NotDateTime)
    }
}

/// A customer's name: as typed, without the white space around it.
pub(crate) fn name(text: &str) -> Result<Personal, Problem> {
    let text = text.trim();
    let (mut seen, mut control) = (false, false);
    for c in text.chars() {
        seen |= !(c.is_whitespace() || unseen(c));
        control |= c.is_control();
    }
    if control {
        return Err(Problem::BadCharacters);
    }
    // Nobody can be called by what cannot be seen.
    if !seen {
        return Err(Problem::Missing);
    }
    if written::is_error(text) {
        return Err(Problem::SpreadsheetError);
    }
    if is_longer(text, MOST_IN_NAME) {
        return Err(Problem::TooLong);
    }
    Ok(Personal::new(text))
}

/// An e-mail address, as far as one can be told without sending to it.
pub(crate) fn email(text: &str) -> Result<Personal, Problem> {
    let text = hyphened(plain(text));
    if text.is_empty() {
        return Err(Problem::Missing);
    }
    if text.len() > MOST_IN_EMAIL {
        return Err(Problem::TooLong);
    }
    if written::is_error(&text) {
        return Err(Problem::SpreadsheetError);
    }
    let odd = |c: char| {
        if c.is_ascii() {
            c <= ' ' || matches!(c, ',' | ';' | '<' | '>' | '\u{7f}')
        } else {
            c.is_whitespace() || unseen(c)
        }
    };
    let Some((local, domain)) = text.split_once('@') else {
        return Err(Problem::NotEmail);
    };
    let sound = !local.is_empty()
        && !domain.contains('@')
        && domain.contains('.')
        && domain.split('.').all(|label| !label.is_empty())
        && !text.chars().any(odd);
    if sound {
        Ok(Personal::new(text.into_owned()))
    } else {
        Err(Problem::NotEmail)
    }
}

/// The business-side key of a product.
pub(crate) fn product_reference(text: &str) -> Result<ProductReference, Problem> {
    ProductReference::new(typed_code(text)?).map_err(id_problem)
}

/// The id of a plan.
pub(crate) fn plan_id(text: &str) -> Result<PlanId, Problem> {
    PlanId::new(code(text)?).map_err(id_problem)
}

/// Why a text cannot be an id of the interface.
pub(crate) fn id_problem(error: IdError) -> Problem {
    match error {
        IdError::Empty => Problem::Missing,
        IdError::Dots | IdError::Control => Problem::BadCharacters,
        IdError::TooLong => Problem::TooLong,
    }
}

fn at<T>(field: Field, read: Result<T, Problem>) -> Result<T, FieldProblem> {
    read.map_err(|problem| FieldProblem { field, problem })
}

/// Compatibility forms made plain, and no white space at either end.
fn plain(text: &str) -> Cow<'_, str> {
    match composed(text) {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    }
}

/// What is ASCII but for dashes and long vowel marks, as the key of the hyphen gives them while
/// Japanese input is open, with hyphens. Any other text is a name that may have them.
fn hyphened(text: Cow<'_, str>) -> Cow<'_, str> {
    let dash = |c| matches!(c, 'ー' | '\u{2010}'..='\u{2015}' | '\u{2212}');
    if text.is_ascii() || !text.chars().all(|c| c.is_ascii() || dash(c)) {
        return text;
    }
    Cow::Owned(text.replace(dash, "-"))
}

/// Whether it has more characters than that.
fn is_longer(text: &str, most: usize) -> bool {
    text.len() > most && text.chars().count() > most
}

/// Refuses what a spreadsheet has made unusable, with its name.
fn spoilt(text: &str) -> Result<(), Problem> {
    if written::is_rounded(text) {
        Err(Problem::SpreadsheetRounded)
    } else if written::is_error(text) {
        Err(Problem::SpreadsheetError)
    } else {
        Ok(())
    }
}

/// Characters nobody sees: controls, zero-width ones, marks that turn the direction of text.
fn unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
#[path = "short_ways_tests.rs"]
mod short_ways_tests;
#[cfg(test)]
#[path = "validation_tests.rs"]
mod tests;
