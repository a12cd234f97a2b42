//! What makes a product as typed fit to be sent. All five fields are needed (part 4.3).

use crate::interface::ProductUpsert;

use super::ProductDraft;
use crate::contracts::validation::{KnownCodes, amount, is_spreadsheet_error};
use crate::{Field, FieldProblem, Problem, Problems, one_line};

/// Longest title, in characters. The interface gives no bounds; these are ours.
pub(super) const MAX_TITLE: usize = 500;

/// Longest category, in characters.
pub(super) const MAX_CATEGORY: usize = 200;

/// Longest address, in bytes.
pub(super) const MAX_URL: usize = 2048;

/// The five fields as they are sent, or every reason why not.
pub fn check(draft: &ProductDraft, known: &KnownCodes) -> Result<ProductUpsert, Vec<FieldProblem>> {
    let mut problems = Problems::default();
    let reference = known.written_reference(&draft.reference_id);
    let reference_id = problems.value(Field::ProductReferenceId, reference);
    let title = problems.value(Field::Title, line(&draft.title, MAX_TITLE));
    let price = problems.value(Field::Price, amount(&draft.price));
    let image_url = problems.value(Field::ImageUrl, web_address(&draft.image_url));
    let category = problems.value(Field::Category, line(&draft.category, MAX_CATEGORY));
    let upsert = || {
        Some(ProductUpsert {
            reference_id: reference_id?,
            title: title?,
            price: price?,
            image_url: image_url?,
            category: category?,
        })
    };
    upsert().ok_or(problems.0)
}

/// One line of text, as typed but for the white space around it.
fn line(text: &str, longest: usize) -> Result<String, Problem> {
    if is_spreadsheet_error(text.trim()) {
        return Err(Problem::SpreadsheetError);
    }
    one_line(text, longest)
}

/// An address of the web, kept as it was typed.
fn web_address(text: &str) -> Result<String, Problem> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Problem::Missing);
    }
    if text.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err(Problem::BadCharacters);
    }
    if text.len() > MAX_URL {
        return Err(Problem::TooLong);
    }
    let address = url::Url::parse(text).map_err(|_| Problem::NotWebAddress)?;
    let named = address.host_str().is_some_and(|host| !host.is_empty());
    if matches!(address.scheme(), "http" | "https") && named {
        Ok(text.to_owned())
    } else {
        Err(Problem::NotWebAddress)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::named;

    fn check(draft: &ProductDraft) -> Result<ProductUpsert, Vec<FieldProblem>> {
        super::check(draft, &KnownCodes::default())
    }

    fn draft() -> ProductDraft {
        ProductDraft {
            reference_id: " ２０００ ".to_owned(),
            title: " 洗濯機 Ａ ".to_owned(),
            price: "１２３,４５６".to_owned(),
            image_url: " https://sample.invalid/画像.png ".to_owned(),
            category: "家電".to_owned(),
        }
    }

    fn problems(change: impl Fn(&mut ProductDraft)) -> Vec<(Field, Problem)> {
        let mut draft = draft();
        change(&mut draft);
        named(check(&draft))
    }

    #[test]
    fn a_price_is_a_whole_amount() {
        let priced = |price: &str| problems(|draft| draft.price = price.to_owned());
        assert_eq!(priced("12.5"), [(Field::Price, Problem::NotWholeNumber)]);
        assert_eq!(priced("98,000円"), []);
    }

    #[test]
    fn numbers_are_made_plain_and_codes_and_words_stay_as_typed() {
        let product = check(&draft()).unwrap();
        assert_eq!(product.reference_id.as_str(), "２０００");
        assert_eq!(product.title, "洗濯機 Ａ");
        assert_eq!(product.price.get(), 123_456);
        assert_eq!(product.image_url, "https://sample.invalid/画像.png");
    }

    #[test]
    fn all_five_fields_are_needed() {
        let fields = [
            Field::ProductReferenceId,
            Field::Title,
            Field::Price,
            Field::ImageUrl,
            Field::Category,
        ];
        assert_eq!(
            named(check(&ProductDraft::default())),
            fields.map(|field| (field, Problem::Missing))
        );
    }

    #[test]
    fn a_picture_must_be_on_the_web() {
        for address in [
            "picture.png",
            "file:///a.png",
            "javascript:alert(1)",
            "https://",
            "data:,x",
        ] {
            assert_eq!(
                problems(|draft| draft.image_url = address.to_owned()),
                [(Field::ImageUrl, Problem::NotWebAddress)],
                "{address}"
            );
        }
        assert!(
            problems(|draft| draft.image_url = "http://sample.invalid/a".to_owned()).is_empty()
        );
        assert_eq!(
            problems(|draft| draft.image_url = "https://a b/".to_owned()),
            [(Field::ImageUrl, Problem::BadCharacters)]
        );
    }

    #[test]
    fn every_text_has_a_bound() {
        assert_eq!(
            problems(|draft| {
                draft.title = "あ".repeat(501);
                draft.category = "あ".repeat(201);
                draft.image_url = format!("https://sample.invalid/{}", "a".repeat(2048));
            }),
            [
                (Field::Title, Problem::TooLong),
                (Field::ImageUrl, Problem::TooLong),
                (Field::Category, Problem::TooLong)
            ]
        );
    }
}
