//! What the screen gets when something did not work.
//!
//! Owns the one place where the desk's errors become words for staff: what happened, whether
//! something may have been sold, and what to do now, in both languages.

mod files;
mod words;

use serde::Serialize;
use warranty_core::api::{self, NotSent, TokenError};
use warranty_core::contracts::Question;
use warranty_core::leads::EarlierLead;
use warranty_core::vault::VaultError;
use warranty_core::{Error, Field, FieldProblem, Hold, Operation, Outcome, Problem, StoreError};

use crate::printing::PrintError;

/// The one shape of an error on its way to the screen.
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
    /// Fields to mend.
    pub fields: Vec<FieldProblem>,
    /// Questions to answer.
    pub questions: Vec<Question>,
    /// The earlier lead beside which another was asked for.
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

/// Stable names of what can happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the words of each stand in `words`")]
pub enum ErrorCode {
    Input,
    Questions,
    SecondLead,
    NoNetwork,
    NotSecureConnection,
    NoToken,
    Unsendable,
    NoAnswer,
    Unreadable,
    Redirected,
    TokenRefused,
    TooManyRequests,
    Refused,
    ServiceFault,
    UnclearError,
    NetworkSetup,
    DiskFolder,
    DiskOnNetwork,
    DiskNotOwned,
    DiskLink,
    DiskFull,
    DiskReadOnly,
    DatabaseDamaged,
    DatabaseNewer,
    Database,
    Closing,
    NoKeychain,
    KeychainLocked,
    KeychainSlow,
    KeychainFailed,
    TokenMayBeKept,
    KeyLost,
    NotOpened,
    File,
    FileGone,
    FileNotWritten,
    InUse,
    NoProfile,
    UnknownProfile,
    ProfileNameTaken,
    ProfileHasOpenContracts,
    ProfileMoved,
    RescueNotSeen,
    PracticeNotRunning,
    ChangedMeanwhile,
    NotProven,
    AlreadyRegistered,
    KeptUnread,
    NotKnown,
    NotLawful,
    ContractDoesNotMatch,
    NoPage,
    NoBrowser,
    NotPrinted,
    NotWritten,
    NotConfirmed,
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
    /// Nothing; the desk goes on by itself.
    Nothing,
    /// Mend what is named and try again.
    Mend,
    /// Simply try again.
    Again,
    /// The desk repeats it safely with the same key.
    SameKey,
    /// Look first whether it took place.
    CheckFirst,
    /// Set the token anew.
    Token,
    /// Something on this computer must be put right first.
    Computer,
}

impl UiError {
    fn new(code: ErrorCode, effect: Effect, next: Next) -> Self {
        Self {
            code,
            message: words::of(code),
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

    /// With the service's own words, when the answer has any.
    fn with_words_of(self, error: api::Error) -> Self {
        match error {
            api::Error::Refused { error, .. } => Self {
                request_id: Some(error.request_id),
                service_code: Some(error.code),
                service_message: Some(error.error),
                ..self
            },
            api::Error::NotSent(_) | api::Error::NoAnswer(_) | api::Error::Unreadable { .. } => {
                self
            }
        }
    }

    /// The system has no browser that would open a page.
    #[must_use]
    pub fn no_browser() -> Self {
        Self::new(ErrorCode::NoBrowser, Effect::None, Next::Computer)
    }

    /// A file could not be put where a person wanted it.
    #[must_use]
    pub fn not_written() -> Self {
        Self::new(ErrorCode::NotWritten, Effect::None, Next::Computer)
    }

    /// The page asks for a file that is not the one given last.
    #[must_use]
    pub fn no_file() -> Self {
        Self::new(ErrorCode::FileGone, Effect::None, Next::Mend)
    }

    /// A person did not let the program contact a new server.
    #[must_use]
    pub fn not_confirmed() -> Self {
        Self::new(ErrorCode::NotConfirmed, Effect::None, Next::Mend)
    }

    /// The practice service could not be started.
    #[must_use]
    pub fn no_practice() -> Self {
        Self::new(ErrorCode::PracticeNotRunning, Effect::None, Next::Again)
    }
}

impl From<PrintError> for UiError {
    fn from(error: PrintError) -> Self {
        tracing::warn!(%error, "a sheet was not handed out");
        match error {
            PrintError::Window(_) | PrintError::Refused(_) => {
                Self::new(ErrorCode::NotPrinted, Effect::None, Next::Computer)
            }
            PrintError::File(_) => Self::not_written(),
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
        Self::from(Error::Input(vec![FieldProblem {
            field: Field::Token,
            problem,
        }]))
    }
}

impl From<Error> for UiError {
    fn from(error: Error) -> Self {
        use ErrorCode as C;
        let none = |code, next| Self::new(code, Effect::None, next);
        match error {
            Error::Input(fields) => Self {
                fields,
                ..none(C::Input, Next::Mend)
            },
            Error::Questions(questions) => Self {
                questions,
                ..none(C::Questions, Next::Mend)
            },
            Error::SecondLead(earlier) => Self {
                earlier_lead: Some(earlier),
                ..none(C::SecondLead, Next::Mend)
            },
            Error::Service { operation, source } => from_service(operation, source),
            Error::Network(_) => none(C::NetworkSetup, Next::Computer),
            Error::Store(error) => from_store(&error),
            Error::Vault(error) => from_vault(error),
            Error::TokenMayBeKept => none(C::TokenMayBeKept, Next::Computer),
            Error::KeyLost => none(C::KeyLost, Next::Computer),
            Error::NotOpened => none(C::NotOpened, Next::CheckFirst),
            Error::File(error) => Self {
                message: files::unread(&error),
                ..none(C::File, Next::Mend)
            },
            Error::Write(error) => Self {
                message: files::unwritten(&error),
                ..none(C::FileNotWritten, Next::Computer)
            },
            Error::InUse => none(C::InUse, Next::Computer),
            Error::NoProfile => none(C::NoProfile, Next::Mend),
            Error::UnknownProfile(_) => none(C::UnknownProfile, Next::Mend),
            Error::ProfileNameTaken(_) => none(C::ProfileNameTaken, Next::Mend),
            Error::ProfileHasOpenContracts(_) => none(C::ProfileHasOpenContracts, Next::CheckFirst),
            Error::ProfileMoved => none(C::ProfileMoved, Next::CheckFirst),
            Error::RescueNotSeen => none(C::RescueNotSeen, Next::CheckFirst),
            Error::PracticeNotRunning => Self::no_practice(),
            Error::ChangedMeanwhile { .. } => none(C::ChangedMeanwhile, Next::CheckFirst),
            Error::NotProven { answer, .. } => {
                let unproven = Self::new(C::NotProven, Effect::Maybe, Next::CheckFirst);
                match answer {
                    Some(answer) => unproven.with_words_of(answer),
                    None => unproven,
                }
            }
            Error::NotReadAgain(_) => Self::new(C::NotProven, Effect::Maybe, Next::CheckFirst),
            Error::AlreadyRegistered { fields, .. } => Self {
                message: words::already_registered(&fields),
                ..none(C::AlreadyRegistered, Next::CheckFirst)
            },
            Error::KeptUnread { .. } => Self::new(C::KeptUnread, Effect::Maybe, Next::CheckFirst),
            Error::NotKnown(_) => none(C::NotKnown, Next::Mend),
            Error::NotLawful => none(C::NotLawful, Next::CheckFirst),
            Error::ContractDoesNotMatch => none(C::ContractDoesNotMatch, Next::CheckFirst),
            Error::NoPage => none(C::NoPage, Next::Nothing),
        }
    }
}

fn from_service(operation: Operation, error: api::Error) -> UiError {
    use ErrorCode as C;
    let (effect, next) = doubt(operation);
    let outcome = Outcome::of(&error);
    match error {
        _ if outcome == Outcome::Declined(Hold::Rate) => {
            let busy = UiError::new(C::TooManyRequests, Effect::None, Next::Again);
            busy.with_words_of(error)
        }
        api::Error::NotSent(why) => match why {
            NotSent::Name | NotSent::Connect => {
                UiError::new(C::NoNetwork, Effect::None, Next::Again)
            }
            NotSent::Tls => UiError::new(C::NotSecureConnection, Effect::None, Next::Computer),
            NotSent::NoToken => UiError::new(C::NoToken, Effect::None, Next::Token),
            NotSent::Unsendable => UiError::new(C::Unsendable, Effect::None, Next::Mend),
        },
        api::Error::NoAnswer(_) => UiError::new(C::NoAnswer, effect, next),
        api::Error::Unreadable { reason, .. } => {
            let code = match reason {
                api::Unreadable::Redirect => C::Redirected,
                api::Unreadable::Oversized
                | api::Unreadable::NotJson
                | api::Unreadable::OtherShape
                | api::Unreadable::Contradiction => C::Unreadable,
            };
            UiError::new(code, effect, next)
        }
        api::Error::Refused { status, .. } => {
            let (code, effect, next) = match outcome {
                Outcome::Declined(_) => (C::TokenRefused, Effect::None, Next::Token),
                Outcome::Unknown if status >= 500 => (C::ServiceFault, effect, next),
                Outcome::Unknown if operation.changes() => (C::UnclearError, effect, next),
                Outcome::Unknown | Outcome::Rejected | Outcome::NotSent => {
                    (C::Refused, Effect::None, Next::Mend)
                }
            };
            UiError::new(code, effect, next).with_words_of(error)
        }
    }
}

/// What doubt about an answer means for an operation.
fn doubt(operation: Operation) -> (Effect, Next) {
    match operation {
        Operation::GetContract | Operation::ListPlans | Operation::GetPlan => {
            (Effect::None, Next::Again)
        }
        Operation::CreateContracts => (Effect::Maybe, Next::SameKey),
        // Both overwrite with the same values, so repeating them cannot double anything.
        Operation::UpsertProduct | Operation::UpdatePlan => (Effect::Maybe, Next::Again),
        Operation::CreateLead => (Effect::Maybe, Next::CheckFirst),
    }
}

fn from_store(error: &StoreError) -> UiError {
    use ErrorCode as C;
    let (code, next) = match error {
        StoreError::Folder(_) => (C::DiskFolder, Next::Computer),
        StoreError::OnNetwork => (C::DiskOnNetwork, Next::Computer),
        StoreError::NotOwned(_) => (C::DiskNotOwned, Next::Computer),
        StoreError::Link(_) => (C::DiskLink, Next::Computer),
        StoreError::Full => (C::DiskFull, Next::Computer),
        StoreError::ReadOnly => (C::DiskReadOnly, Next::Computer),
        StoreError::Damaged => (C::DatabaseDamaged, Next::Computer),
        StoreError::Newer => (C::DatabaseNewer, Next::Computer),
        StoreError::Sqlite(_) => (C::Database, Next::Again),
        StoreError::Closed => (C::Closing, Next::Nothing),
    };
    UiError::new(code, Effect::None, next)
}

fn from_vault(error: VaultError) -> UiError {
    let code = match error {
        VaultError::NoKeychain => ErrorCode::NoKeychain,
        VaultError::Locked => ErrorCode::KeychainLocked,
        VaultError::Slow => ErrorCode::KeychainSlow,
        VaultError::Failed => ErrorCode::KeychainFailed,
    };
    UiError::new(code, Effect::None, Next::Computer)
}

#[cfg(test)]
mod tests;
