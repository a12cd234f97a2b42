//! Validates a lead as typed, before it is sent.

use crate::interface::{Count, LeadProduct, LeadRequest, Personal};
use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::LeadDraft;
use crate::contracts::validation::{KnownCodes, amount, moment, typed_code};
use crate::time_zone::Zone;
use crate::{Field, FieldProblem, Problem, Problems};

/// Normalises the caller's id of an entry.
pub fn id(text: &str) -> Result<String, FieldProblem> {
    Uuid::try_parse(text)
        .map(|id| id.hyphenated().to_string())
        .map_err(|_| FieldProblem::new(Field::Reference, Problem::BadCharacters))
}

/// The request to send, or all problems of the fields.
pub fn check(
    draft: &LeadDraft,
    now: DateTime<Utc>,
    zone: Zone,
    known: &KnownCodes,
) -> Result<LeadRequest, Vec<FieldProblem>> {
    let mut problems = Problems::default();
    let transaction_id = typed_code(&draft.transaction_id);
    let transaction_id = problems.value(Field::TransactionId, transaction_id);
    let reference = known.product_reference(&draft.product_reference_id);
    let reference_id = problems.value(Field::ProductReferenceId, reference);
    let price = amount(&draft.product_purchase_price);
    let purchase_price = problems.value(Field::ProductPurchasePrice, price);
    let quantity = problems.value(Field::Quantity, quantity(&draft.quantity));
    let date = moment(&draft.transaction_date, now, zone);
    let date = problems.value(Field::TransactionDate, date);
    let request = || {
        Some(LeadRequest {
            transaction_id: transaction_id?.into_owned(),
            product: LeadProduct {
                reference_id: reference_id?,
                purchase_price: purchase_price?,
            },
            quantity: quantity?,
            transaction_date: date?,
        })
    };
    request().ok_or(problems.0)
}

/// Longest note, in characters.
const LONGEST_NOTE: usize = 200;

/// A note as typed, without spaces around it; `None` for an empty one.
pub fn note(typed: &Personal) -> Result<Option<Personal>, FieldProblem> {
    let text = typed.expose().trim();
    if text.chars().count() > LONGEST_NOTE {
        return Err(FieldProblem::new(Field::Note, Problem::TooLong));
    }
    Ok((!text.is_empty()).then(|| Personal::new(text)))
}

/// A whole number of at least one; the interface defines no limits.
fn quantity(text: &str) -> Result<Count, Problem> {
    let number = amount(text)?.get();
    if number < 1 {
        return Err(Problem::TooSmall);
    }
    Count::new(number).map_err(|_| Problem::TooLarge)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::named;

    fn draft() -> LeadDraft {
        LeadDraft {
            transaction_id: " Ｔ-1".to_owned(),
            product_reference_id: "2000000000015".to_owned(),
            product_purchase_price: "12,800".to_owned(),
            quantity: "２".to_owned(),
            transaction_date: "2026-11-20 10:00".to_owned(),
        }
    }

    fn problems(change: impl Fn(&mut LeadDraft)) -> Vec<(Field, Problem)> {
        let mut draft = draft();
        change(&mut draft);
        named(check(
            &draft,
            Utc::now(),
            Zone::fixed(540),
            &KnownCodes::default(),
        ))
    }

    #[test]
    fn a_sound_draft_gets_the_offset_of_the_profile() {
        let request = check(
            &draft(),
            Utc::now(),
            Zone::fixed(540),
            &KnownCodes::default(),
        )
        .unwrap();
        assert_eq!(request.transaction_id, "T-1");
        assert_eq!(request.product.purchase_price.get(), 12_800);
        assert_eq!(request.quantity.get(), 2);
        assert_eq!(
            request.transaction_date.to_string(),
            "2026-11-20T10:00:00.000+09:00"
        );
    }

    #[test]
    fn every_field_says_what_is_wrong_with_it() {
        assert_eq!(
            problems(|draft| {
                draft.transaction_id = String::new();
                draft.product_reference_id = "..".to_owned();
                draft.product_purchase_price = "x".to_owned();
                draft.quantity = "0".to_owned();
                draft.transaction_date = "2026-02-30".to_owned();
            }),
            [
                (Field::TransactionId, Problem::Missing),
                (Field::ProductReferenceId, Problem::BadCharacters),
                (Field::ProductPurchasePrice, Problem::NotWholeNumber),
                (Field::Quantity, Problem::TooSmall),
                (Field::TransactionDate, Problem::NotDateTime),
            ]
        );
    }

    #[test]
    fn an_entry_is_named_by_a_uuid() {
        assert_eq!(
            id("0190E6A4-8B2F-4C1D-9E3A-5F6071829304").unwrap(),
            "0190e6a4-8b2f-4c1d-9e3a-5f6071829304"
        );
        assert!(id("1").is_err());
    }
}
