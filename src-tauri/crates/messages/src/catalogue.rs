//! The error catalogue: one stable code for each thing that can go wrong, and its sentence.

use serde::{Deserialize, Serialize};
use warranty_core::day::CloseLine;
use warranty_core::files::{FileError, WriteError};
use warranty_core::settings::Language;
use warranty_core::texts::list_of;
use warranty_core::vault::VaultError;
use warranty_core::{CallFailure, Error, StoreError};

use crate::consequence::Meaning::{self, OfCall, Perhaps, Unchanged};
use crate::consequence::Next::{Again, CheckFirst, Computer, Correct, Nothing, Token};
use crate::{Values, named, text, wire_name};

/// Declares the codes, each with the errors that have it and with what it means for the service. Those of a call
/// have the names of [`CallFailure`]; those without an error are the window's own.
macro_rules! codes {
    (
        of a call { $($call:ident => $of_call:expr,)+ }
        $($code:ident $(= $error:pat)? => $meaning:expr,)+
    ) => {
        /// Stable names of what can go wrong. The text `failure.<code>` says what happened.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
        #[serde(rename_all = "camelCase")]
        pub enum ErrorCode {
            $($call,)+
            $($code,)+
        }

        impl ErrorCode {
            pub fn of(error: &Error) -> Self {
                match error {
                    Error::Service { operation, source } => {
                        match CallFailure::of(operation.changes(), source) {
                            $(CallFailure::$call => Self::$call,)+
                        }
                    }
                    $($($error => Self::$code,)?)+
                }
            }

            pub(crate) fn meaning(self) -> Meaning {
                match self {
                    $(Self::$call => $of_call,)+
                    $(Self::$code => $meaning,)+
                }
            }
        }
    };
}

codes! {
    of a call {
        NoNetwork => Unchanged(Again),
        NotSecureConnection => Unchanged(Computer),
        ProxyAuthentication => Unchanged(Computer),
        ProxyRefused => Unchanged(Computer),
        CertificateTime => Unchanged(Computer),
        NoToken => Unchanged(Token),
        Unsendable => Unchanged(Correct),
        NoAnswer => OfCall,
        Unreadable => OfCall,
        Redirected => OfCall,
        TokenRefused => Unchanged(Token),
        TooManyRequests => Unchanged(Again),
        Refused => Unchanged(Correct),
        ServiceFault => OfCall,
        UnclearError => OfCall,
        ServiceError => OfCall,
    }
    Input = Error::Input(_) => Unchanged(Correct),
    Questions = Error::Questions(_) => Unchanged(Correct),
    SecondLead = Error::SecondLead(_) => Unchanged(Correct),
    NetworkSetup = Error::Network(_) => Unchanged(Computer),
    DiskFolder = Error::Store(StoreError::Folder(_)) => Unchanged(Computer),
    DiskOnNetwork = Error::Store(StoreError::OnNetwork) => Unchanged(Computer),
    DiskNotOwned = Error::Store(StoreError::NotOwned(_)) => Unchanged(Computer),
    DiskLink = Error::Store(StoreError::Link(_)) => Unchanged(Computer),
    DiskFull = Error::Store(StoreError::Full) => Unchanged(Computer),
    DiskReadOnly = Error::Store(StoreError::ReadOnly) => Unchanged(Computer),
    DatabaseDamaged = Error::Store(StoreError::Damaged) => Unchanged(Computer),
    DatabaseNewer = Error::Store(StoreError::Newer) => Unchanged(Computer),
    Database = Error::Store(StoreError::Sqlite(_)) => Unchanged(Again),
    Closing = Error::Store(StoreError::Closed) => Unchanged(Nothing),
    NoKeychain = Error::Vault(VaultError::NoKeychain) => Unchanged(Computer),
    KeychainLocked = Error::Vault(VaultError::Locked) => Unchanged(Computer),
    KeychainSlow = Error::Vault(VaultError::Slow) => Unchanged(Computer),
    KeychainFailed = Error::Vault(VaultError::Failed) => Unchanged(Computer),
    TokenNotConfirmed = Error::TokenNotConfirmed => Unchanged(Computer),
    KeyLost = Error::KeyLost => Unchanged(Computer),
    NotOpened = Error::NotOpened => Unchanged(CheckFirst),
    File = Error::File(_) => Unchanged(Correct),
    FileGone => Unchanged(Correct),
    FileNotWritten = Error::Write(_) => Unchanged(Computer),
    InUse = Error::InUse => Unchanged(Computer),
    NoProfile = Error::NoProfile => Unchanged(Correct),
    UnknownProfile = Error::UnknownProfile(_) => Unchanged(Correct),
    ProfileNameTaken = Error::ProfileNameTaken(_) => Unchanged(Correct),
    ProfileHasOpenContracts = Error::ProfileHasOpenContracts(_) => Unchanged(CheckFirst),
    ProfileMoved = Error::ProfileMoved => Unchanged(CheckFirst),
    RescueNotSeen = Error::RescueNotSeen => Unchanged(CheckFirst),
    PracticeNotRunning = Error::PracticeNotRunning => Unchanged(Again),
    Managed = Error::Managed(_) => Unchanged(Computer),
    SellingClosed = Error::SellingClosed => Unchanged(Computer),
    ChangedMeanwhile = Error::ChangedMeanwhile { .. } => Unchanged(CheckFirst),
    NotProven = Error::NotProven { .. } | Error::NotReadAgain(_) => Perhaps(CheckFirst),
    AlreadyRegistered = Error::AlreadyRegistered { .. } => Unchanged(CheckFirst),
    KeptUnread = Error::KeptUnread { .. } => Perhaps(Nothing),
    NotKnown = Error::NotKnown(_) => Unchanged(Correct),
    NotAllowed = Error::NotAllowed => Unchanged(CheckFirst),
    ContractDoesNotMatch = Error::ContractDoesNotMatch => Unchanged(CheckFirst),
    NoPage = Error::NoPage => Unchanged(Nothing),
    NoBrowser => Unchanged(Computer),
    NotPrinted => Unchanged(Computer),
    NotConfirmed => Unchanged(Correct),
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
            let key = format!("failure.{}", wire_name(&code));
            text(language, &key, &[("fields", &list_of(language, &names))])
        }
        Error::ProfileHasOpenContracts(left) => {
            let line = |line: &CloseLine| {
                let item = named(language, "today.item", &line.item);
                format!("{item}{}{}", text(language, "word.colon", &[]), line.count)
            };
            let lines: Vec<String> = left.iter().map(line).collect();
            let key = format!("failure.{}", wire_name(&code));
            text(language, &key, &[("left", &list_of(language, &lines))])
        }
        _ => named(language, "failure", &code),
    }
}

/// Why a file cannot be read.
fn not_read(language: Language, error: &FileError) -> String {
    let list = |names: &[String]| list_of(language, names);
    let (name, values): (&str, &Values<'_>) = match error {
        FileError::Unreadable(_) => ("unreadable", &[]),
        FileError::TooLarge => ("tooLarge", &[]),
        FileError::NotText { line: Some(line) } => ("notTextAt", &[("line", line)]),
        FileError::NotText { line: None } => ("notText", &[]),
        FileError::Utf16 => ("utf16", &[]),
        FileError::Archive => ("archive", &[]),
        FileError::OtherWorkbook => ("otherWorkbook", &[]),
        FileError::BadWorkbook => ("badWorkbook", &[]),
        FileError::NoSuchSheet { name, sheets } => {
            ("noSuchSheet", &[("name", name), ("sheets", &list(sheets))])
        }
        FileError::HiddenSheet(name) => ("hiddenSheet", &[("name", name)]),
        FileError::NoSuchLine { line } => ("noSuchLine", &[("line", line)]),
        FileError::RowAboveHeaders { line, headers } => {
            ("rowAboveHeaders", &[("line", line), ("headers", headers)])
        }
        FileError::MissingColumns(names) => ("missingColumns", &[("columns", &list(names))]),
        FileError::RepeatedColumns(names) => ("repeatedColumns", &[("columns", &list(names))]),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_listed_is_parted_as_the_language_does() {
        let columns = || vec!["取引番号".to_owned(), "保証料".to_owned()];
        let sheets = FileError::NoSuchSheet {
            name: "3月".to_owned(),
            sheets: columns(),
        };
        for error in [
            sheets,
            FileError::MissingColumns(columns()),
            FileError::RepeatedColumns(columns()),
        ] {
            for (language, listed) in [
                (Language::Ja, "：取引番号、保証料。"),
                (Language::En, ": 取引番号, 保証料."),
            ] {
                let said = not_read(language, &error);
                assert!(said.ends_with(listed), "{said}");
            }
        }
    }
}
