//! The error catalogue: one stable code for each thing that can go wrong, and its sentence.

use serde::{Deserialize, Serialize};
use warranty_core::files::{FileError, WriteError};
use warranty_core::settings::Language;
use warranty_core::vault::VaultError;
use warranty_core::{CallFailure, Error, StoreError};

use crate::text::{Values, named, text, wire_name};

/// Stable names of what can go wrong. The text `failure.<code>` says what happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the text of each is in the translation files")]
pub enum ErrorCode {
    Input,
    Questions,
    SecondLead,
    NoNetwork,
    NotSecureConnection,
    ProxyAuthentication,
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
    ServiceError,
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
    TokenNotConfirmed,
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
    Managed,
    SellingClosed,
    ChangedMeanwhile,
    NotProven,
    AlreadyRegistered,
    KeptUnread,
    NotKnown,
    NotAllowed,
    ContractDoesNotMatch,
    NoPage,
    NoBrowser,
    NotPrinted,
    NotWritten,
    NotConfirmed,
}

impl ErrorCode {
    /// The code of an error.
    pub fn of(error: &Error) -> Self {
        match error {
            Error::Input(_) => Self::Input,
            Error::Questions(_) => Self::Questions,
            Error::SecondLead(_) => Self::SecondLead,
            Error::Service { operation, source } => {
                CallFailure::of(operation.changes(), source).into()
            }
            Error::Network(_) => Self::NetworkSetup,
            Error::Store(error) => of_store(error),
            Error::Vault(error) => (*error).into(),
            Error::TokenNotConfirmed => Self::TokenNotConfirmed,
            Error::KeyLost => Self::KeyLost,
            Error::NotOpened => Self::NotOpened,
            Error::File(_) => Self::File,
            Error::Write(_) => Self::FileNotWritten,
            Error::InUse => Self::InUse,
            Error::NoProfile => Self::NoProfile,
            Error::UnknownProfile(_) => Self::UnknownProfile,
            Error::ProfileNameTaken(_) => Self::ProfileNameTaken,
            Error::ProfileHasOpenContracts(_) => Self::ProfileHasOpenContracts,
            Error::ProfileMoved => Self::ProfileMoved,
            Error::RescueNotSeen => Self::RescueNotSeen,
            Error::PracticeNotRunning => Self::PracticeNotRunning,
            Error::Managed(_) => Self::Managed,
            Error::SellingClosed => Self::SellingClosed,
            Error::ChangedMeanwhile { .. } => Self::ChangedMeanwhile,
            Error::NotProven { .. } | Error::NotReadAgain(_) => Self::NotProven,
            Error::AlreadyRegistered { .. } => Self::AlreadyRegistered,
            Error::KeptUnread { .. } => Self::KeptUnread,
            Error::NotKnown(_) => Self::NotKnown,
            Error::NotAllowed => Self::NotAllowed,
            Error::ContractDoesNotMatch => Self::ContractDoesNotMatch,
            Error::NoPage => Self::NoPage,
        }
    }
}

impl From<CallFailure> for ErrorCode {
    fn from(failure: CallFailure) -> Self {
        match failure {
            CallFailure::NoNetwork => Self::NoNetwork,
            CallFailure::NotSecureConnection => Self::NotSecureConnection,
            CallFailure::ProxyAuthentication => Self::ProxyAuthentication,
            CallFailure::NoToken => Self::NoToken,
            CallFailure::Unsendable => Self::Unsendable,
            CallFailure::NoAnswer => Self::NoAnswer,
            CallFailure::Unreadable => Self::Unreadable,
            CallFailure::Redirected => Self::Redirected,
            CallFailure::TokenRefused => Self::TokenRefused,
            CallFailure::TooManyRequests => Self::TooManyRequests,
            CallFailure::Refused => Self::Refused,
            CallFailure::ServiceFault => Self::ServiceFault,
            CallFailure::UnclearError => Self::UnclearError,
            CallFailure::ServiceError => Self::ServiceError,
        }
    }
}

impl From<VaultError> for ErrorCode {
    fn from(error: VaultError) -> Self {
        match error {
            VaultError::NoKeychain => Self::NoKeychain,
            VaultError::Locked => Self::KeychainLocked,
            VaultError::Slow => Self::KeychainSlow,
            VaultError::Failed => Self::KeychainFailed,
        }
    }
}

fn of_store(error: &StoreError) -> ErrorCode {
    match error {
        StoreError::Folder(_) => ErrorCode::DiskFolder,
        StoreError::OnNetwork => ErrorCode::DiskOnNetwork,
        StoreError::NotOwned(_) => ErrorCode::DiskNotOwned,
        StoreError::Link(_) => ErrorCode::DiskLink,
        StoreError::Full => ErrorCode::DiskFull,
        StoreError::ReadOnly => ErrorCode::DiskReadOnly,
        StoreError::Damaged => ErrorCode::DatabaseDamaged,
        StoreError::Newer => ErrorCode::DatabaseNewer,
        StoreError::Sqlite(_) => ErrorCode::Database,
        StoreError::Closed => ErrorCode::Closing,
    }
}

/// What happened, as a sentence.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "only these sentences have values"
)]
pub fn sentence(language: Language, error: &Error) -> String {
    let code = ErrorCode::of(error);
    match error {
        Error::File(error) => not_read(language, error),
        Error::Write(error) => not_written(language, error),
        Error::AlreadyRegistered { fields, .. } => {
            let names = fields.iter().map(|field| named(language, "field", field));
            let names: Vec<String> = names.collect();
            let between = match language {
                Language::En => ", ",
                Language::Ja => "、",
            };
            let key = format!("failure.{}", wire_name(&code));
            text(language, &key, &[("fields", &names.join(between))])
        }
        _ => named(language, "failure", &code),
    }
}

/// Why a file cannot be read.
fn not_read(language: Language, error: &FileError) -> String {
    let (name, values): (&str, &Values<'_>) = match error {
        FileError::Unreadable(_) => ("unreadable", &[]),
        FileError::TooLarge => ("tooLarge", &[]),
        FileError::NotText => ("notText", &[]),
        FileError::Utf16 => ("utf16", &[]),
        FileError::Archive => ("archive", &[]),
        FileError::OtherWorkbook => ("otherWorkbook", &[]),
        FileError::BadWorkbook => ("badWorkbook", &[]),
        FileError::NoSuchSheet { name, sheets } => (
            "noSuchSheet",
            &[("name", name), ("sheets", &sheets.join(", "))],
        ),
        FileError::HiddenSheet(name) => ("hiddenSheet", &[("name", name)]),
        FileError::NoSuchLine { line } => ("noSuchLine", &[("line", line)]),
        FileError::RowAboveHeaders { line, headers } => {
            ("rowAboveHeaders", &[("line", line), ("headers", headers)])
        }
        FileError::MissingColumns(names) => ("missingColumns", &[("columns", &names.join(", "))]),
        FileError::RepeatedColumns(names) => ("repeatedColumns", &[("columns", &names.join(", "))]),
        FileError::BadRow { line } => ("badRow", &[("line", line)]),
        FileError::OpenQuote { line, last } => ("openQuote", &[("line", line), ("last", last)]),
        FileError::Empty => ("empty", &[]),
        FileError::TooManyRows => ("tooManyRows", &[]),
        FileError::Changed => ("changed", &[]),
    };
    text(language, &format!("fileFailure.read.{name}"), values)
}

/// Why a file could not be written.
pub fn not_written(language: Language, error: &WriteError) -> String {
    let name = match error {
        WriteError::Io(_) => "io",
        WriteError::TooManyRows => "tooManyRows",
        WriteError::TooLong => "tooLong",
        WriteError::Workbook(_) => "workbook",
    };
    text(language, &format!("fileFailure.write.{name}"), &[])
}
