//! Errors as the page gets them: code, message, what may have happened, and what to do.
//!
//! `warranty-messages` has the codes and the messages.

use serde::Serialize;
use warranty_core::api::{self, TokenError};
use warranty_core::contracts::Question;
use warranty_core::leads::EarlierLead;
use warranty_core::settings::Language;
use warranty_core::{Error, Field, FieldProblem};
use warranty_messages::{Effect, ErrorCode, Next, consequence, named, sentence};

use crate::printing::PrintError;

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
    pub request_id: Option<String>,
    pub service_code: Option<String>,
    pub service_message: Option<String>,
    pub fields: Vec<FieldProblem>,
    pub questions: Vec<Question>,
    /// The earlier lead beside which another was requested.
    pub earlier_lead: Option<EarlierLead>,
}

/// A sentence in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct Words {
    pub en: String,
    pub ja: String,
}

impl UiError {
    fn new(
        code: ErrorCode,
        (effect, next): (Effect, Next),
        message: impl Fn(Language) -> String,
    ) -> Self {
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
        Self::new(code, code.consequence(None), |language| {
            named(language, "failure", &code)
        })
    }
}

impl From<PrintError> for UiError {
    fn from(error: PrintError) -> Self {
        tracing::warn!(%error, "the customer's copy was not printed");
        match error {
            PrintError::Window(_) | PrintError::Refused(_) => ErrorCode::NotPrinted.into(),
        }
    }
}

impl From<TokenError> for UiError {
    fn from(error: TokenError) -> Self {
        Self::from(Error::input(Field::Token, error.into()))
    }
}

impl From<Error> for UiError {
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "only these errors carry data for the page"
    )]
    fn from(error: Error) -> Self {
        let message = |language| sentence(language, &error);
        let mut shown = Self::new(ErrorCode::of(&error), consequence(&error), message);
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

#[cfg(test)]
mod tests;
