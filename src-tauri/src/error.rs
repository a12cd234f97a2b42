//! Errors as the page gets them: code, message, what may have happened, and what to do.
//!
//! `warranty-messages` has the codes and the messages.

use serde::Serialize;
use warranty_core::api::{self, TokenError};
use warranty_core::contracts::Question;
use warranty_core::leads::EarlierLead;
use warranty_core::settings::Language;
use warranty_core::{Error, Field, FieldProblem, Operation, Problem};
use warranty_messages::{ErrorCode, named, sentence};

use crate::printing::PrintError;

/// An error of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UiError {
    /// Stable name of what happened.
    pub code: ErrorCode,
    /// What happened, for staff.
    pub message: Words,
    /// Whether something may have happened at the service.
    pub effect: Effect,
    /// What to do now.
    pub next: Next,
    /// The service's `requestId`.
    pub request_id: Option<String>,
    /// The service's `code`.
    pub service_code: Option<String>,
    /// The service's own message.
    pub service_message: Option<String>,
    /// Fields to correct.
    pub fields: Vec<FieldProblem>,
    /// Questions to answer.
    pub questions: Vec<Question>,
    /// The earlier lead beside which another was requested.
    pub earlier_lead: Option<EarlierLead>,
}

/// A sentence in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct Words {
    /// English.
    pub en: String,
    /// Japanese.
    pub ja: String,
}

/// Whether something may have happened at the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Effect {
    /// Nothing was changed or sold.
    None,
    /// Something may have been changed or created.
    Maybe,
}

/// What to do now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Next {
    /// Nothing; the desk continues automatically.
    Nothing,
    /// Correct the input or the choice and try again.
    #[serde(rename = "mend")]
    Correct,
    /// Try again.
    Again,
    /// The desk safely retries with the same idempotency key.
    SameKey,
    /// Check first whether it happened.
    CheckFirst,
    /// Enter the token again.
    Token,
    /// Something on this computer must be fixed first.
    Computer,
}

impl UiError {
    fn new(
        code: ErrorCode,
        operation: Option<Operation>,
        message: impl Fn(Language) -> String,
    ) -> Self {
        let (effect, next) = consequence(code, operation);
        Self {
            code,
            message: Words {
                en: message(Language::En),
                ja: message(Language::Ja),
            },
            effect,
            next,
            request_id: None,
            service_code: None,
            service_message: None,
            fields: Vec::new(),
            questions: Vec::new(),
            earlier_lead: None,
        }
    }
}

/// For errors of the window itself; an error of the core has its own data.
impl From<ErrorCode> for UiError {
    fn from(code: ErrorCode) -> Self {
        Self::new(code, None, |language| named(language, "failure", &code))
    }
}

impl From<PrintError> for UiError {
    fn from(error: PrintError) -> Self {
        tracing::warn!(%error, "the customer's copy was not printed or saved");
        match error {
            PrintError::Window(_) | PrintError::Refused(_) => ErrorCode::NotPrinted.into(),
            PrintError::File(_) => ErrorCode::NotWritten.into(),
        }
    }
}

impl From<TokenError> for UiError {
    fn from(error: TokenError) -> Self {
        let problem = match error {
            TokenError::Empty => Problem::Missing,
            TokenError::TooLong => Problem::TooLong,
            TokenError::Unsendable => Problem::BadCharacters,
        };
        Self::from(Error::input(Field::Token, problem))
    }
}

impl From<Error> for UiError {
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "only these errors carry data for the page"
    )]
    fn from(error: Error) -> Self {
        let operation = match &error {
            Error::Service { operation, .. } => Some(*operation),
            _ => None,
        };
        let message = |language| sentence(language, &error);
        let mut shown = Self::new(ErrorCode::of(&error), operation, message);
        match error {
            Error::Input(fields) => shown.fields = fields,
            Error::Questions(questions) => shown.questions = questions,
            Error::SecondLead(earlier) => shown.earlier_lead = Some(earlier),
            Error::Service {
                source: api::Error::Refused { error, .. },
                ..
            }
            | Error::NotProven {
                answer: Some(api::Error::Refused { error, .. }),
                ..
            } => {
                shown.request_id = Some(error.request_id);
                shown.service_code = Some(error.code);
                shown.service_message = Some(error.error);
            }
            _ => {}
        }
        shown
    }
}

/// What may have happened at the service, and what to do.
fn consequence(code: ErrorCode, operation: Option<Operation>) -> (Effect, Next) {
    use ErrorCode as C;
    match code {
        C::NoAnswer | C::Unreadable | C::Redirected | C::ServiceFault | C::UnclearError => {
            unknown_outcome(operation)
        }
        C::NotProven | C::KeptUnread => (Effect::Maybe, Next::CheckFirst),
        C::NotOpened
        | C::ProfileHasOpenContracts
        | C::ProfileMoved
        | C::RescueNotSeen
        | C::ChangedMeanwhile
        | C::AlreadyRegistered
        | C::NotLawful
        | C::ContractDoesNotMatch => (Effect::None, Next::CheckFirst),
        C::Input
        | C::Questions
        | C::SecondLead
        | C::Unsendable
        | C::Refused
        | C::File
        | C::FileGone
        | C::NoProfile
        | C::UnknownProfile
        | C::ProfileNameTaken
        | C::NotKnown
        | C::NotConfirmed => (Effect::None, Next::Correct),
        C::NoNetwork | C::TooManyRequests | C::Database | C::PracticeNotRunning => {
            (Effect::None, Next::Again)
        }
        C::NoToken | C::TokenRefused => (Effect::None, Next::Token),
        C::Closing | C::NoPage | C::Managed => (Effect::None, Next::Nothing),
        C::NotSecureConnection
        | C::ProxyAuthentication
        | C::SellingClosed
        | C::NetworkSetup
        | C::DiskFolder
        | C::DiskOnNetwork
        | C::DiskNotOwned
        | C::DiskLink
        | C::DiskFull
        | C::DiskReadOnly
        | C::DatabaseDamaged
        | C::DatabaseNewer
        | C::NoKeychain
        | C::KeychainLocked
        | C::KeychainSlow
        | C::KeychainFailed
        | C::TokenMayBeKept
        | C::KeyLost
        | C::FileNotWritten
        | C::InUse
        | C::NoBrowser
        | C::NotPrinted
        | C::NotWritten => (Effect::None, Next::Computer),
    }
}

/// The consequence when the outcome of an operation is unknown.
fn unknown_outcome(operation: Option<Operation>) -> (Effect, Next) {
    match operation {
        Some(Operation::GetContract | Operation::ListPlans | Operation::GetPlan) => {
            (Effect::None, Next::Again)
        }
        Some(Operation::CreateContracts) => (Effect::Maybe, Next::SameKey),
        // Both overwrite with the same values, so a retry duplicates nothing.
        Some(Operation::UpsertProduct | Operation::UpdatePlan) => (Effect::Maybe, Next::Again),
        Some(Operation::CreateLead) | None => (Effect::Maybe, Next::CheckFirst),
    }
}

#[cfg(test)]
mod tests;
