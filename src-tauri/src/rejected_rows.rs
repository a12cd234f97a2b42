//! The file of rejected rows: each row with its reason, to be corrected and imported again.

use std::path::Path;

use tauri::AppHandle;
use warranty_core::Desk;
use warranty_core::bulk::Finding;
use warranty_core::files::private_file::Existing;
use warranty_core::settings::Language;

use warranty_messages::{named, problem, question, row_failure, text};

use crate::error::UiError;
use crate::picked_file::{SavedRows, pick_to_save};

/// Saves the rejected rows of a run to a file that a person chooses; `None` when they cancel.
pub async fn save(
    app: &AppHandle,
    desk: &Desk,
    id: &str,
    title: &str,
    language: Language,
) -> Result<Option<SavedRows>, UiError> {
    let name = rejected_name(&desk.bulk.run(id).await?.name);
    let Some(path) = pick_to_save(app, title, &name).await else {
        return Ok(None);
    };
    let reason = |finding: &_| reason(language, finding);
    let existing = Existing::Replace;
    let written = desk.bulk.write_rejected_rows(id, &path, existing, &reason);
    Ok(Some(SavedRows::new(&path, written.await?, 0)))
}

/// The name suggested for the file of rejected rows: derived from the imported file, in the same
/// format.
fn rejected_name(name: &str) -> String {
    let path = Path::new(name);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let workbook = path.extension().is_some_and(|extension| {
        extension.eq_ignore_ascii_case("xlsx") || extension.eq_ignore_ascii_case("xlsm")
    });
    let extension = if workbook { "xlsx" } else { "csv" };
    format!("{stem}-rejected.{extension}")
}

/// All problems of a row, in one line.
fn reason(language: Language, finding: &Finding) -> String {
    let label = |field| named(language, "field", &field);
    let (problems, questions) = (finding.problems.iter(), finding.questions.iter());
    let problems = problems.map(|one| problem(language, *one, label));
    let questions = questions.map(|one| question(language, one, label));
    let failure = finding.failure.iter().map(|failure| {
        let effect = if failure.may_be_done {
            text(language, "effect.maybe", &[])
        } else {
            text(language, "effect.none", &[])
        };
        format!("{effect} {}", row_failure(language, failure))
    });
    let all: Vec<String> = problems.chain(questions).chain(failure).collect();
    all.join(" / ")
}

#[cfg(test)]
mod tests {
    use warranty_core::api::Amount;
    use warranty_core::bulk::{LinkFault, RowFailure, RowFault};
    use warranty_core::outbox::SubmissionState;
    use warranty_core::{Field, FieldProblem, Problem};

    use warranty_core::contracts::Question;

    use super::*;

    #[test]
    fn rejected_rows_are_named_after_the_file_they_came_from() {
        assert_eq!(rejected_name("売上.csv"), "売上-rejected.csv");
        assert_eq!(rejected_name("Sales.XLSX"), "Sales-rejected.xlsx");
        assert_eq!(rejected_name("till.txt"), "till-rejected.csv");
        assert_eq!(rejected_name("sheet"), "sheet-rejected.csv");
    }

    #[test]
    fn a_row_says_all_that_is_wrong_with_it_in_either_language() {
        let finding = Finding {
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
            ..Finding::default()
        };
        let english = reason(Language::En, &finding);
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
        let japanese = reason(Language::Ja, &finding);
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
        let japanese = reason(Language::Ja, &failed);
        let expected = "サービス側で処理された可能性があります。 変更は送信しましたが、再取得で反映を確認できませんでした。";
        assert_eq!(japanese, expected);
    }
}
