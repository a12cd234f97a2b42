//! Sentences about a row: what is wrong with it and what it asks.

use warranty_core::bulk::{Finding, RowFailure};
use warranty_core::contracts::Question;
use warranty_core::settings::Language;
use warranty_core::texts::sentences;
use warranty_core::{Field, FieldProblem};

use crate::{Values, named, text};

/// Why a row was rejected: all in one line, with the labels of the screen, for the file that is corrected
/// and imported again.
pub fn rejection(language: Language, finding: &Finding) -> String {
    let label = |field| named(language, "field", &field);
    let (problems, questions) = (finding.problems.iter(), finding.questions.iter());
    let problems = problems.map(|one| problem(language, *one, label));
    let questions = questions.map(|one| question(language, one, label));
    let failure = finding.failure.iter().map(|failure| {
        let effect = if failure.may_be_done {
            text(language, "effect.maybe", &[])
        } else {
            text(language, "effect.noneOfRow", &[])
        };
        sentences(&effect, &row_failure(language, failure))
    });
    let all: Vec<String> = problems.chain(questions).chain(failure).collect();
    all.join(" / ")
}

/// What is wrong with a field. `field` names it: by its label on screen or by its column.
pub fn problem(
    language: Language,
    problem: FieldProblem,
    field: impl Fn(Field) -> String,
) -> String {
    let what = named(language, "problem", &problem.problem);
    let field = field(problem.field);
    text(
        language,
        "import.problem",
        &[("field", &field), ("what", &what)],
    )
}

/// What a row asks. `field` names a field, as for [`problem`].
pub fn question(
    language: Language,
    question: &Question,
    field: impl Fn(Field) -> String,
) -> String {
    let say = |key, values: &Values<'_>| text(language, key, values);
    match question {
        Question::ChangedPrice { entered, current } => say(
            "import.changedPrice",
            &[("entered", entered), ("current", current)],
        ),
        Question::CellText {
            field: of,
            cell,
            text,
        } => say(
            "import.cellText",
            &[("field", &field(*of)), ("cell", cell), ("text", text)],
        ),
        Question::PriceNotUnderstood { entered, current } => say(
            "import.priceNotUnderstood",
            &[("entered", entered), ("current", current)],
        ),
        Question::RepeatedRow { line, .. } => say("import.repeatedRow", &[("line", line)]),
        Question::SecondContract {
            submission_id: None,
            ..
        } => say("question.lostContractWhat", &[]),
        Question::SecondContract { state, .. } => {
            let state = named(language, "state", state);
            say("import.secondContract", &[("state", &state)])
        }
    }
}

/// Why a row failed at the service, with its own words where it gave any.
pub fn row_failure(language: Language, failure: &RowFailure) -> String {
    let what = named(language, "failure", &failure.what);
    match &failure.message {
        Some(message) => sentences(&what, message),
        None => what,
    }
}

#[cfg(test)]
mod tests {
    use warranty_core::Problem;
    use warranty_core::api::Amount;
    use warranty_core::bulk::{LinkFault, RowFault};
    use warranty_core::outbox::SubmissionState;

    use super::*;

    #[test]
    fn a_row_says_all_that_is_wrong_with_it_in_either_language() {
        let finding = Finding {
            problems: vec![
                FieldProblem::new(Field::CustomerEmail, Problem::NotEmail),
                FieldProblem::new(Field::PlanId, Problem::UnknownPlan),
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
            ..Finding::default()
        };
        let english = rejection(Language::En, &finding);
        for part in [
            "Email",
            "valid email address",
            "Plan ID",
            "3980",
            "4200",
            "Cancelled",
        ] {
            assert!(english.contains(part), "{part} in {english}");
        }
        let japanese = rejection(Language::Ja, &finding);
        for part in ["メールアドレス", "プランID", "3980", "4200", "取消済み"] {
            assert!(japanese.contains(part), "{part} in {japanese}");
        }
        for text in [english, japanese] {
            assert!(!text.contains("{{") && !text.contains('\n'), "{text}");
        }
        let failed = Finding {
            failure: Some(RowFailure {
                may_be_done: true,
                what: RowFault::Link(LinkFault::NotProven),
                code: None,
                message: None,
                request_id: None,
            }),
            ..Finding::default()
        };
        let japanese = rejection(Language::Ja, &failed);
        let expected = "サービス側で処理された可能性があります。変更は送信しましたが、再取得で反映を確認できませんでした。";
        assert_eq!(japanese, expected);
    }

    #[test]
    fn an_equal_row_that_was_left_out_is_sent_back_with_its_whole_file() {
        let finding = Finding {
            questions: vec![Question::RepeatedRow { line: 2, nth: 2 }],
            ..Finding::default()
        };
        for (language, whole, here) in [
            (Language::En, "the whole file", " here"),
            (Language::Ja, "ファイル全体", "ここで"),
        ] {
            let text = rejection(language, &finding);
            assert!(text.contains(whole), "{text}");
            // The text is also read where nothing can be answered.
            assert!(!text.contains(here), "{text}");
        }
    }
}
