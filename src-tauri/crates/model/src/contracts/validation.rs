//! Validates text that was typed or read from a file: converts it to a valid value or refuses it
//! with a reason.
//!
//! Pure: the time and the offset are parameters. Owns what a field may contain;
//! `plain_text` recognises the usual texts, `lenient_parse` parses the notations of people and
//! spreadsheets. Does not know the data of the service.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::interface::{
    Amount, ContractItem, IdError, ItemCustomer, ItemPlan, ItemProduct, Personal, PlanId,
    ProductReference, Timestamp, check_id,
};
use chrono::{DateTime, Datelike, Timelike, Utc};

use super::{EntryTexts, lenient_parse, plain_text, sale};
use crate::search_text::{composed, hyphened, plain_width};
use crate::time_zone::Zone;
use crate::{Field, FieldProblem, Problem, Problems};
pub use lenient_parse::is_error as is_spreadsheet_error;

/// Longest code, in bytes, as for ids of the service. The interface names no limit; this one is
/// ours.
pub const MOST_IN_CODE: usize = 512;
/// Longest name, in characters; our limit too.
pub const MOST_IN_NAME: usize = 200;
/// Longest e-mail address that mail can carry.
pub(super) const MOST_IN_EMAIL: usize = 254;
/// Years that a sale's date may have.
const YEARS: std::ops::RangeInclusive<i32> = 1900..=9998;

/// Codes that the service has issued or knows and that normalisation would change: they are used
/// byte for byte. So are plan ids that could not be looked up.
#[derive(Debug, Clone, Default)]
pub struct KnownCodes(HashSet<String>);

impl KnownCodes {
    /// Whether normalisation changes or refuses a code, so that it must be looked up as written.
    pub fn must_ask(field: Field, text: &str) -> bool {
        !text.is_empty() && Self::read(field, text).as_deref() != Ok(text)
    }

    /// The normalised code, to be used if the code as written is not known.
    pub fn read(field: Field, text: &str) -> Result<Cow<'_, str>, Problem> {
        if field == Field::PlanId {
            code(text)
        } else {
            typed_code(text)
        }
    }

    /// Records that a code is known as written.
    pub fn note(&mut self, code: &str) {
        self.0.insert(code.to_owned());
    }

    /// Removes that record.
    pub fn forget(&mut self, code: &str) {
        self.0.remove(code);
    }

    /// The code as written, if it is known that way.
    fn exact<'a>(&self, text: &'a str) -> Option<&'a str> {
        let mut spellings = [text, text.trim()].into_iter();
        spellings.find(|spelling| self.0.contains(*spelling))
    }

    /// The code as written, if it is known that way, else normalised; usable as an id.
    fn id<'a>(&self, field: Field, text: &'a str) -> Result<Cow<'a, str>, Problem> {
        let id = match self.exact(text) {
            Some(known) => Cow::Borrowed(known),
            None if plain_text::is_code(text) => return Ok(Cow::Borrowed(text)),
            None => Self::read(field, text)?,
        };
        check_id(&id).map_err(id_problem)?;
        Ok(id)
    }

    pub fn product_reference(&self, text: &str) -> Result<ProductReference, Problem> {
        ProductReference::new(self.id(Field::ProductReferenceId, text)?).map_err(id_problem)
    }

    /// The reference of a product to register, byte for byte as given, because the product may be
    /// new. The window normalises typed references before a person sends them.
    pub fn written_reference(&self, text: &str) -> Result<ProductReference, Problem> {
        match self.exact(text) {
            Some(known) => ProductReference::new(known),
            None => ProductReference::new(sound(Cow::Borrowed(text.trim()))?),
        }
        .map_err(id_problem)
    }

    pub fn plan_id(&self, text: &str) -> Result<PlanId, Problem> {
        PlanId::new(self.id(Field::PlanId, text)?).map_err(id_problem)
    }
}

/// An entry of which every field is sound: its fields as they are to be sent, copied only where they
/// were written in another way. Has no `Debug`: it names a customer.
pub struct ValidEntry<'a> {
    transaction_id: Cow<'a, str>,
    transaction_total: Amount,
    transaction_date: Timestamp,
    name: Cow<'a, str>,
    email: Cow<'a, str>,
    product: Cow<'a, str>,
    product_price: Amount,
    plan: Cow<'a, str>,
    plan_price: Amount,
}

impl<'a> ValidEntry<'a> {
    /// Checks the nine fields; gives all problems.
    pub fn of(
        texts: EntryTexts<'a>,
        now: DateTime<Utc>,
        zone: Zone,
        known: &KnownCodes,
    ) -> Result<Self, Vec<FieldProblem>> {
        let mut problems = Problems::default();
        let transaction = typed_code(texts.transaction_id);
        let transaction_id = problems.value(Field::TransactionId, transaction);
        let total = amount(texts.transaction_total);
        let transaction_total = problems.value(Field::TransactionTotal, total);
        let date = moment(texts.transaction_date, now, zone);
        let transaction_date = problems.value(Field::TransactionDate, date);
        let name = problems.value(Field::CustomerName, name(texts.customer_name));
        let email = problems.value(Field::CustomerEmail, email(texts.customer_email));
        let product = known.id(Field::ProductReferenceId, texts.product_reference_id);
        let product = problems.value(Field::ProductReferenceId, product);
        let price = amount(texts.product_purchase_price);
        let product_price = problems.value(Field::ProductPurchasePrice, price);
        let plan = problems.value(Field::PlanId, known.id(Field::PlanId, texts.plan_id));
        let fee = amount(texts.plan_purchase_price);
        let plan_price = problems.value(Field::PlanPurchasePrice, fee);
        let sound = || {
            Some(Self {
                transaction_id: transaction_id?,
                transaction_total: transaction_total?,
                transaction_date: transaction_date?,
                name: name?,
                email: email?,
                product: product?,
                product_price: product_price?,
                plan: plan?,
                plan_price: plan_price?,
            })
        };
        sound().ok_or(problems.0)
    }

    /// Transaction, without zeros in front that a spreadsheet drops, product and plan.
    pub fn sale(&self) -> [&str; 3] {
        let transaction = sale::without_zeros(&self.transaction_id);
        [transaction, &self.product, &self.plan]
    }

    /// The contract to create.
    ///
    /// # Errors
    /// None: its ids were checked.
    pub fn into_item(self) -> Result<ContractItem, Vec<FieldProblem>> {
        let wrong = |field| move |error| vec![FieldProblem::new(field, id_problem(error))];
        Ok(ContractItem {
            transaction_id: self.transaction_id.into_owned(),
            transaction_total: self.transaction_total,
            transaction_date: self.transaction_date,
            customer: ItemCustomer {
                name: Personal::new(self.name),
                email: Personal::new(self.email),
            },
            product: ItemProduct {
                reference_id: ProductReference::new(self.product)
                    .map_err(wrong(Field::ProductReferenceId))?,
                purchase_price: self.product_price,
            },
            plan: ItemPlan {
                purchase_price: self.plan_price,
                plan_id: PlanId::new(self.plan).map_err(wrong(Field::PlanId))?,
            },
        })
    }
}

/// The nine fields of an entry as a contract to create, or all problems.
pub fn entry<'a>(
    of: impl Into<EntryTexts<'a>>,
    now: DateTime<Utc>,
    zone: Zone,
    known: &KnownCodes,
) -> Result<ContractItem, Vec<FieldProblem>> {
    ValidEntry::of(of.into(), now, zone, known)?.into_item()
}

/// A code that people type and scan: as [`code`], and dashes that an input method types are
/// converted to hyphens. The id of a plan is selected from a list, and its provider may have used a
/// dash in it.
pub fn typed_code(text: &str) -> Result<Cow<'_, str>, Problem> {
    if plain_text::is_code(text) {
        return Ok(Cow::Borrowed(text));
    }
    sound(hyphened(plain_width(text)))
}

/// A code with full-width forms converted to ASCII, without white space around it.
pub fn code(text: &str) -> Result<Cow<'_, str>, Problem> {
    if plain_text::is_code(text) {
        return Ok(Cow::Borrowed(text));
    }
    sound(plain_width(text))
}

/// A non-empty code of allowed length and characters.
fn sound(text: Cow<'_, str>) -> Result<Cow<'_, str>, Problem> {
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
    if text.len() > MOST_IN_CODE {
        return Err(Problem::TooLong);
    }
    Ok(text)
}

/// A whole amount of at least zero; accepts grouping commas and full-width digits. `①` is no digit: it
/// numbers what follows.
pub fn amount(text: &str) -> Result<Amount, Problem> {
    if let Some(number) = plain_text::amount(text) {
        return Amount::new(number).map_err(|_| Problem::TooLarge);
    }
    let text = plain_width(text);
    if text.is_empty() {
        return Err(Problem::Missing);
    }
    spoilt(&text)?;
    let (negative, digits) = lenient_parse::whole(&text).ok_or(Problem::NotWholeNumber)?;
    let number: i64 = digits.parse().map_err(|_| Problem::TooLarge)?;
    if negative && number != 0 {
        return Err(Problem::TooSmall);
    }
    Amount::new(number).map_err(|_| Problem::TooLarge)
}

/// A date-time: with the offset it was written with; a local date-time or date gets the offset of
/// the zone at that time; an empty text means now.
pub fn moment(text: &str, now: DateTime<Utc>, zone: Zone) -> Result<Timestamp, Problem> {
    let found = match plain_text::local(text) {
        Some(local) => zone.of_local(local).map(Timestamp::new),
        None => {
            let text = plain(text);
            if text.is_empty() {
                let now = zone.at(now);
                return Ok(Timestamp::new(now.with_nanosecond(0).unwrap_or(now)));
            }
            spoilt(&text)?;
            let local = || Some(Timestamp::new(zone.of_local(lenient_parse::local(&text)?)?));
            Timestamp::parse(&text).ok().or_else(local)
        }
    };
    found
        .filter(|found| YEARS.contains(&found.get().year()))
        .ok_or(Problem::NotDateTime)
}

/// Whether a text is an amount, a date or an e-mail address, and so no name of a column.
pub fn is_value(text: &str) -> bool {
    let is_date = || {
        let text = plain(text);
        Timestamp::parse(&text).is_ok() || lenient_parse::local(&text).is_some()
    };
    amount(text).is_ok() || email(text).is_ok() || is_date()
}

/// A customer's name: as typed, on one line, without white space around it.
fn name(text: &str) -> Result<Cow<'_, str>, Problem> {
    if plain_text::is_name(text) {
        return Ok(Cow::Borrowed(text));
    }
    any_name(text)
}

fn any_name(text: &str) -> Result<Cow<'_, str>, Problem> {
    let text = on_one_line(text.trim());
    if text.chars().any(char::is_control) {
        return Err(Problem::BadCharacters);
    }
    // A name of invisible characters only is refused.
    if text.chars().all(|c| c.is_whitespace() || unseen(c)) {
        return Err(Problem::Missing);
    }
    if lenient_parse::is_error(&text) {
        return Err(Problem::SpreadsheetError);
    }
    if text.chars().count() > MOST_IN_NAME {
        return Err(Problem::TooLong);
    }
    Ok(text)
}

/// An e-mail address, checked as far as possible without sending to it.
fn email(text: &str) -> Result<Cow<'_, str>, Problem> {
    if plain_text::is_email(text) {
        return Ok(Cow::Borrowed(text));
    }
    any_email(text)
}

fn any_email(text: &str) -> Result<Cow<'_, str>, Problem> {
    let text = hyphened(plain(text));
    if text.is_empty() {
        return Err(Problem::Missing);
    }
    if text.len() > MOST_IN_EMAIL {
        return Err(Problem::TooLong);
    }
    if lenient_parse::is_error(&text) {
        return Err(Problem::SpreadsheetError);
    }
    let odd = |c: char| {
        if c.is_ascii() {
            c <= ' '
                || matches!(
                    c,
                    ',' | ';' | '<' | '>' | '(' | ')' | ':' | '\\' | '[' | ']' | '\u{7f}'
                )
        } else {
            c.is_whitespace() || unseen(c)
        }
    };
    // A note beside the address is in another script.
    let mixed = |part: &str| {
        part.contains(|c| c >= '\u{3000}') && part.contains(|c: char| c.is_ascii_alphabetic())
    };
    let sound = text.split_once('@').is_some_and(|(local, domain)| {
        let last = domain.rsplit('.').next().unwrap_or_default();
        !local.is_empty()
            && !mixed(local)
            && !mixed(last)
            // A telephone number may follow without a gap.
            && (last.starts_with("xn--") || !last.contains(char::is_numeric))
            && domain
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
            && domain.contains('.')
            && domain.split('.').all(|label| !label.is_empty())
    });
    if sound && !text.chars().any(odd) {
        Ok(text)
    } else {
        Err(Problem::NotEmail)
    }
}

/// Why a text cannot be an id of the interface.
pub fn id_problem(error: IdError) -> Problem {
    match error {
        IdError::Empty => Problem::Missing,
        IdError::Dots | IdError::Control => Problem::BadCharacters,
        IdError::TooLong => Problem::TooLong,
    }
}

/// The text with compatibility forms normalised, without white space at either end.
fn plain(text: &str) -> Cow<'_, str> {
    match composed(text) {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    }
}

/// The text on one line: each line break, with the white space around it, becomes one space.
fn on_one_line(text: &str) -> Cow<'_, str> {
    let breaks = |c| {
        matches!(
            c,
            '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
        )
    };
    if !text.contains(breaks) {
        return Cow::Borrowed(text);
    }
    let lines = text.split(breaks).map(str::trim);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    Cow::Owned(lines.join(" "))
}

/// Refuses a text that a spreadsheet has damaged, with a problem that names the damage.
fn spoilt(text: &str) -> Result<(), Problem> {
    if lenient_parse::is_rounded(text) {
        Err(Problem::SpreadsheetRounded)
    } else if lenient_parse::is_error(text) {
        Err(Problem::SpreadsheetError)
    } else {
        Ok(())
    }
}

/// Whether a character is invisible: controls, zero-width ones, marks that change the direction of
/// text.
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
