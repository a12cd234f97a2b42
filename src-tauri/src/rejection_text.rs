//! Why a row was left out, in the words of the page, for the file it goes back in.

use warranty_core::FieldProblem;
use warranty_core::contracts::Question;
use warranty_core::runs::RejectedCells;
use warranty_core::settings::Language;

use crate::i18n::{named, text};

/// All there is to say of a row, in one line.
pub fn of(language: Language, row: &RejectedCells) -> String {
    let problems = row.problems.iter().map(|one| problem(language, *one));
    let questions = row.questions.iter().map(|one| question(language, one));
    let failure = row.failure.iter().map(|failure| {
        let effect = if failure.may_be_done { "maybe" } else { "none" };
        let effect = text(language, &format!("effect.{effect}"), &[]);
        format!("{effect} {}", failure.message)
    });
    let all: Vec<String> = problems.chain(questions).chain(failure).collect();
    all.join(" / ")
}

fn problem(language: Language, FieldProblem { field, problem }: FieldProblem) -> String {
    let (field, what) = (
        named(language, "field", &field),
        named(language, "problem", &problem),
    );
    text(
        language,
        "import.problem",
        &[("field", &field), ("what", &what)],
    )
}

fn question(language: Language, question: &Question) -> String {
    match question {
        Question::ChangedPrice { entered, current } => text(
            language,
            "import.changedPrice",
            &[
                ("entered", &entered.to_string()),
                ("current", &current.to_string()),
            ],
        ),
        Question::CellText {
            field,
            cell,
            text: read,
        } => text(
            language,
            "import.cellText",
            &[
                ("field", &named(language, "field", field)),
                ("cell", cell),
                ("text", read),
            ],
        ),
        Question::PriceNotUnderstood { entered, current } => text(
            language,
            "import.priceNotUnderstood",
            &[("entered", &entered.to_string()), ("current", current)],
        ),
        Question::RepeatedRow { line, .. } => text(
            language,
            "import.repeatedRow",
            &[("line", &line.to_string())],
        ),
        Question::SecondContract {
            submission_id: None,
            ..
        } => text(language, "question.lostContractWhat", &[]),
        Question::SecondContract { state, .. } => text(
            language,
            "import.secondContract",
            &[("state", &named(language, "state", state))],
        ),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use warranty_core::api::Amount;
    use warranty_core::outbox::SubmissionState;
    use warranty_core::{Field, FieldProblem, Problem};

    use super::*;

    #[test]
    fn a_row_says_all_that_is_wrong_with_it_in_either_language() {
        let row = RejectedCells {
            line: 7,
            cells: Vec::new(),
            problems: vec![
                FieldProblem {
                    field: Field::CustomerEmail,
                    problem: Problem::NotEmail,
                },
                FieldProblem {
                    field: Field::PlanId,
                    problem: Problem::UnknownPlan,
                },
            ],
            questions: vec![
                Question::ChangedPrice {
                    entered: Amount::new(3_980).unwrap(),
                    current: Amount::new(4_200).unwrap(),
                },
                Question::SecondContract {
                    submission_id: Some("1".to_owned()),
                    state: SubmissionState::Cancelled,
                    contract_id: None,
                    profile: None,
                },
            ],
            failure: None,
        };
        let english = of(Language::En, &row);
        for part in [
            "E-mail",
            "not an e-mail",
            "Plan ID",
            "3980",
            "4200",
            "Given up",
        ] {
            assert!(english.contains(part), "{part} in {english}");
        }
        let japanese = of(Language::Ja, &row);
        for part in ["メールアドレス", "プランID", "3980", "4200", "取りやめ"] {
            assert!(japanese.contains(part), "{part} in {japanese}");
        }
        for text in [english, japanese] {
            assert!(!text.contains("{{") && !text.contains('\n'), "{text}");
        }
    }
}
