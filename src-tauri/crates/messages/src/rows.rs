//! Sentences about a row: what is wrong with it and what it asks.

use warranty_core::bulk::RowFailure;
use warranty_core::contracts::Question;
use warranty_core::settings::Language;
use warranty_core::{Field, FieldProblem};

use crate::{Values, named, text};

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
        Some(message) => format!("{what} {message}"),
        None => what,
    }
}
