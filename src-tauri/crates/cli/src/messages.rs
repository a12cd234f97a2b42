//! The messages of wdesk: what happened, whether something may have been sold, and what to do.
//!
//! Owns which texts of the translation files belong together. Contains no sentences: they are in
//! `ui/src/i18n`, those that only wdesk uses in `wdesk.en.json`.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "only some errors have values or details, and only some fields an option"
)]

use std::fmt::Display;
use std::iter;

use serde::Serialize;
use warranty_core::api::{self, Personal};
use warranty_core::bulk::RunKind;
use warranty_core::contracts::{CustomerState, Question, SubmissionView, Warning};
use warranty_core::encryption::Customers;
use warranty_core::files::{WriteError, column_aliases};
use warranty_core::outbox::Blocker;
use warranty_core::settings::Language;
use warranty_core::vault::VaultError;
use warranty_core::{Error, Field, FieldProblem, Operation, Outcome, StoreError};
/// The name a value has in JSON: for fields, the column of the file and the field of the interface.
pub use warranty_messages::wire_name as name;
use warranty_messages::{ErrorCode, Values, optional_text};

use crate::when;

/// Stands for an earlier entry that is only in a rescue report.
pub const LOST: &str = "lost";

pub fn text(key: &str, values: &Values<'_>) -> String {
    warranty_messages::text(Language::En, key, values)
}

/// The text of an enum value in a group of texts.
pub fn named(group: &str, value: &impl Serialize) -> String {
    warranty_messages::named(Language::En, group, value)
}

pub fn list(values: impl IntoIterator<Item = impl ToString>) -> String {
    let values: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
    values.join(", ")
}

/// A failed call to the core: what happened, details, and what to do.
pub fn error(error: &Error) -> String {
    let mut parts = vec![match error {
        Error::Input(problems) => argument_problems(problems),
        Error::Questions(questions) => row(&[], questions),
        Error::PracticeNotRunning => text("wdesk.practice.notRunning", &[]),
        _ => warranty_messages::sentence(Language::En, error),
    }];
    parts.extend(details(error));
    if matches!(
        error,
        Error::Input(_)
            | Error::Questions(_)
            | Error::Network(_)
            | Error::Vault(_)
            | Error::File(_)
    ) {
        parts.push(text("wdesk.nothingSent", &[]));
    }
    let values: &Values<'_> = match error {
        Error::SecondLead(earlier) => &[
            ("date", &when(earlier.entered_at)),
            ("state", &named("wdesk.leadState", &earlier.state)),
            ("id", &earlier.id),
        ],
        Error::UnknownProfile(name) | Error::NotKnown(name) => &[("name", name)],
        Error::Managed(key) => &[("key", key)],
        _ => &[],
    };
    parts.extend(advice(&name(&ErrorCode::of(error)), values));
    parts.join(" ")
}

/// What is wrong with the arguments of a command.
fn argument_problems(problems: &[FieldProblem]) -> String {
    let problems = problems.iter();
    let said = problems.map(|one| warranty_messages::problem(Language::En, *one, argument));
    said.collect::<Vec<_>>().join(" ")
}

/// The option that sets a field, or the field's name where an argument without a name does.
fn argument(field: Field) -> String {
    match field {
        Field::StaffCode => "--staff".to_owned(),
        Field::ProductPurchasePrice => "--purchase-price".to_owned(),
        Field::TransactionDate => "--date".to_owned(),
        Field::TransactionId
        | Field::Quantity
        | Field::Title
        | Field::Price
        | Field::ImageUrl
        | Field::Category
        | Field::BaseUrl
        | Field::StoreId
        | Field::UtcOffset
        | Field::TimeZone
        | Field::RetentionDays => {
            let mut option = "--".to_owned();
            for letter in name(&field).chars() {
                if letter.is_ascii_uppercase() {
                    option.push('-');
                }
                option.push(letter.to_ascii_lowercase());
            }
            option
        }
        _ => name(&field),
    }
}

fn current_reference(current: Option<&str>) -> String {
    let current = match current {
        None => text("wdesk.emptyReference", &[]),
        Some(current) => text("wdesk.quoted", &[("text", &current)]),
    };
    text("wdesk.currentReference", &[("current", &current)])
}

/// What the error adds to its sentence: the service's answer, a path, the system's reason.
fn details(error: &Error) -> Vec<String> {
    use std::error::Error as _;
    match error {
        Error::Service { operation, source } => service(*operation, source),
        Error::ChangedMeanwhile { current } => vec![current_reference(current.as_deref())],
        Error::NotProven { current, answer } => {
            let answer = answer.iter().flat_map(answer_details);
            iter::once(current_reference(current.as_deref()))
                .chain(answer)
                .collect()
        }
        Error::NotReadAgain(answer) => answer_details(answer),
        Error::Store(StoreError::NotOwned(path) | StoreError::Link(path)) => {
            vec![text("wdesk.path", &[("path", &path.display())])]
        }
        Error::Store(StoreError::Sqlite(reason)) => vec![self::reason(reason)],
        _ => error.source().map(reason).into_iter().collect(),
    }
}

fn service(operation: Operation, error: &api::Error) -> Vec<String> {
    let mut parts = answer_details(error);
    if operation.changes() && Outcome::of(error) == Outcome::Unknown {
        parts.push(named("wdesk.unknownOutcome", &operation));
    }
    if let Some(wait) = error.retry_after() {
        parts.push(text("wdesk.retryAfter", &[("seconds", &wait.as_secs())]));
    }
    parts
}

/// The answer of the service, or why there is none.
fn answer_details(error: &api::Error) -> Vec<String> {
    vec![match error {
        api::Error::NotSent(api::NotSent::NoToken) => return Vec::new(),
        api::Error::NotSent(why) => reason(why),
        api::Error::NoAnswer(why) => reason(why),
        api::Error::Unreadable { status, reason, .. } => text(
            "wdesk.unusableAnswer",
            &[("status", status), ("reason", reason)],
        ),
        api::Error::Refused { status, error, .. } => text(
            "wdesk.refusal",
            &[
                ("status", status),
                ("message", &error.error),
                ("code", &error.code),
                ("request", &error.request_id),
            ],
        ),
    }]
}

fn reason(reason: impl Display) -> String {
    text("wdesk.reason", &[("reason", &reason)])
}

fn advice(code: &str, values: &Values<'_>) -> Option<String> {
    optional_text(Language::En, &format!("wdesk.advice.{code}"), values)
}

/// The problem of the keychain and what to do.
fn keychain(error: VaultError) -> String {
    let code = ErrorCode::of(&Error::Vault(error));
    let mut parts = vec![named("failure", &code)];
    parts.extend(advice(&name(&code), &[]));
    parts.join(" ")
}

pub fn not_written(error: &WriteError) -> String {
    use std::error::Error as _;
    let mut parts = vec![warranty_messages::not_written(Language::En, error)];
    parts.extend(error.source().map(reason));
    parts.join(" ")
}

pub fn blocker(blocker: Blocker) -> String {
    let why = match blocker {
        Blocker::NoToken => text("wdesk.blocker.noToken", &[]),
        Blocker::KeyLost => customers(Customers::KeyLost),
        Blocker::PracticeNotRunning => text("wdesk.blocker.practiceNotRunning", &[]),
        Blocker::NetworkSetup => text("wdesk.blocker.networkSetup", &[]),
        Blocker::Vault(error) => {
            format!("{} {}", keychain(error), text("wdesk.blocker.vault", &[]))
        }
    };
    text("wdesk.blocker.now", &[("why", &why)])
}

pub fn customers(customers: Customers) -> String {
    match customers {
        Customers::Readable => text("wdesk.customers.readable", &[]),
        Customers::Keychain(error) => {
            let now = text("wdesk.customers.keychain", &[]);
            format!("{now}: {}", keychain(error))
        }
        Customers::KeyLost => {
            let advice = text("wdesk.advice.keyLost", &[]);
            format!("{} {advice}", text("customers.lostWhat", &[]))
        }
    }
}

/// The customer's name, or why it is not available.
pub fn customer_name(entry: &SubmissionView) -> String {
    customer(entry.customer, entry.customer_name.as_ref())
}

/// The customer's e-mail, or why it is not available.
pub fn customer_email(entry: &SubmissionView) -> String {
    customer(entry.customer, entry.customer_email.as_ref())
}

fn customer(state: CustomerState, personal: Option<&Personal>) -> String {
    match (state, personal) {
        (CustomerState::Known, Some(personal)) => personal.expose().to_owned(),
        (CustomerState::Known, None) => format!("({})", named("customer", &CustomerState::Lost)),
        (state, _) => format!("({})", named("customer", &state)),
    }
}

pub fn names(fields: &[Field]) -> String {
    list(fields.iter().map(name))
}

/// Why a row of a file of sales cannot be used.
pub fn row(problems: &[FieldProblem], questions: &[Question]) -> String {
    row_of(RunKind::Contracts, problems, questions)
}

/// Why a row of this kind cannot be used, with the columns of such a file.
pub fn row_of(kind: RunKind, problems: &[FieldProblem], questions: &[Question]) -> String {
    let column = |field| {
        let known = column_aliases::fields(kind).find(|(known, ..)| *known == field);
        known.map_or_else(|| name(&field), |(_, column, _)| column.to_owned())
    };
    let problem = |problem: &_| warranty_messages::problem(Language::En, *problem, column);
    let question = |asked: &_| question(asked, column);
    let reasons = problems
        .iter()
        .map(problem)
        .chain(questions.iter().map(question));
    reasons.collect::<Vec<_>>().join(" ")
}

pub fn warning(warning: &Warning) -> String {
    let field = match warning {
        Warning::FeeHigh => Field::PlanPurchasePrice,
        Warning::TotalBelowPrice => Field::TransactionTotal,
        Warning::DateAhead | Warning::DateLongAgo => Field::TransactionDate,
        Warning::PriceUnusual | Warning::ListedPriceNotUnderstood => Field::ProductPurchasePrice,
        Warning::NotChecked | Warning::PlanOfAnotherProduct => Field::PlanId,
        Warning::StoreReferenceUsed | Warning::StoreReferenceReplaced => Field::StoreReferenceId,
    };
    let what = named("warning", warning);
    text(
        "import.problem",
        &[("field", &name(&field)), ("what", &what)],
    )
}

/// A question and how to answer it on the command line.
fn question(question: &Question, column: impl Fn(Field) -> String) -> String {
    let mut parts = vec![warranty_messages::question(Language::En, question, column)];
    match question {
        Question::ChangedPrice { .. }
        | Question::CellText { .. }
        | Question::PriceNotUnderstood { .. }
        | Question::RepeatedRow { .. } => {
            parts.push(named("wdesk.question", &question.kind()));
        }
        Question::SecondContract {
            submission_id,
            contract_id,
            profile,
            ..
        } => {
            if let Some(profile) = profile {
                parts.push(text("question.otherProfile", &[("name", profile)]));
            }
            if let Some(id) = submission_id {
                parts.push(text("wdesk.question.earlier", &[("id", id)]));
            }
            if let Some(id) = contract_id {
                parts.push(text("wdesk.question.contract", &[("id", id)]));
            }
            parts.push(match submission_id {
                Some(_) => text("wdesk.question.secondContract", &[]),
                None => text("wdesk.question.lostContract", &[]),
            });
        }
    }
    parts.join(" ")
}
