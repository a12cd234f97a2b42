//! Why a command failed: its exit code, its code, its message and its JSON document.
//!
//! Owns the failures of wdesk itself and which code each failure has in JSON.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use warranty_core::api::{self, IdError, NotSent, TokenError};
use warranty_core::files::{FileError, WriteError};
use warranty_core::{Error, StoreError};
use warranty_messages::{Effect, ErrorCode, Values, consequence};
use warranty_sandbox::{StartError, UnknownPersonality};

use crate::exit::{self, Exit};
use crate::messages::{self, text};

#[derive(Debug)]
pub enum Failure {
    /// A call to the core failed.
    Desk(Error),
    /// The state of what was named does not allow it; the text of this name says what is possible.
    NotPossible(&'static str),
    /// The database failed while entered sales were being sent.
    WhileSending(Error),
    /// A file of rows was started and could not be finished; the remaining rows are stored and
    /// continue later.
    Started(Error),
    /// A signal stopped it before anything was entered.
    Stopped,
    /// A signal stopped it while rows of a file were being entered; some may be sent already.
    Halfway {
        entered: u32,
        rows: u32,
    },
    /// A second signal ended the command before requests in flight were answered.
    Interrupted,
    /// The argument of this name is not a valid id.
    Id(&'static str, IdError),
    /// Standard input is not a valid token.
    Token(TokenError),
    /// The system has no folder for application data.
    NoDataDir,
    Stdin(io::Error),
    Write(PathBuf, WriteError),
    /// The file to read does not exist.
    NoFile(PathBuf),
    /// `--map` names a field that these rows do not have.
    UnknownField(String),
    /// `--map` names a column that the file does not have.
    UnknownColumn(String),
    /// `--map` names a column by a header that several have.
    RepeatedColumn(String),
    /// `--map` names columns by number alone, and this line may be headers or a row.
    MaybeHeaders(u32),
    /// `--repeated-lines` names lines on which no row begins.
    NoSuchLines(Vec<u32>),
    /// The practice service has no behaviour of that name.
    Personality(UnknownPersonality),
    /// A file with the behaviour of the practice service cannot be read.
    Behaviour(PathBuf, io::Error),
    Sandbox(StartError),
    /// The practice service started with an unusable address or token.
    Practice,
    /// This process could not be set up.
    Runtime(io::Error),
    /// The result could not be written to stdout.
    Print(io::Error),
    /// The token of a lead could not be written to stdout, and is lost.
    TokenNotWritten(io::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Desk(error)
    }
}

impl Failure {
    /// A failure during sending. If it is one of the database, it is unknown what was sold.
    pub fn while_sending(error: Error) -> Self {
        if matches!(error, Error::Store(_)) {
            Self::WhileSending(error)
        } else {
            Self::Desk(error)
        }
    }

    /// A failed call to the core; `key` names the text for a state that does not allow it.
    pub fn unless_possible(key: &'static str) -> impl FnOnce(Error) -> Self {
        move |error| {
            if matches!(error, Error::NotAllowed) {
                Self::NotPossible(key)
            } else {
                Self::Desk(error)
            }
        }
    }

    pub fn id(argument: &'static str) -> impl FnOnce(IdError) -> Self {
        move |reason| Self::Id(argument, reason)
    }

    /// A failed call to the core that writes this file.
    pub fn of_file(path: &Path) -> impl FnOnce(Error) -> Self {
        move |error| {
            if let Error::Write(reason) = error {
                Self::Write(path.to_owned(), reason)
            } else {
                Self::Desk(error)
            }
        }
    }

    /// A file of rows that could not be opened.
    pub fn opening(path: &Path) -> impl FnOnce(Error) -> Self {
        move |error| {
            if let Error::File(FileError::Unreadable(reason)) = &error
                && reason.kind() == io::ErrorKind::NotFound
            {
                return Self::NoFile(path.to_owned());
            }
            Self::Desk(error)
        }
    }

    pub fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |reason| Self::Write(path.to_owned(), WriteError::Io(reason))
    }

    pub fn exit(&self) -> Exit {
        self.end().0
    }

    pub fn code(&self) -> Cow<'static, str> {
        self.end().1
    }

    pub fn message(&self) -> String {
        self.end().2
    }

    /// The exit code, the code and the message.
    fn end(&self) -> (Exit, Cow<'static, str>, String) {
        use Exit::{Person, Queued, Unusable};
        let (exit, key, values): (Exit, &'static str, &Values<'_>) = match self {
            Self::Desk(error) => return (exit::of(error), code(error), messages::error(error)),
            // The command may have been carried out although its result was not reported.
            Self::WhileSending(error) => (Person, "whileSending", &[("reason", error)]),
            Self::Started(error) => (Person, "started", &[("reason", error)]),
            Self::Interrupted => (Person, "interrupted", &[]),
            Self::Print(error) => (Person, "stdout", &[("reason", error)]),
            Self::TokenNotWritten(error) => (Person, "leadToken", &[("reason", error)]),
            Self::NotPossible(key) => (Unusable, key, &[]),
            Self::Halfway { entered, rows } => {
                (Queued, "halfway", &[("entered", entered), ("rows", rows)])
            }
            Self::Stopped => (Unusable, "stopped", &[]),
            Self::Id(argument, error) => (
                Unusable,
                "badId",
                &[("argument", argument), ("reason", error)],
            ),
            Self::Token(error) => (Unusable, "badToken", &[("reason", error)]),
            Self::NoDataDir => (Unusable, "noDataDir", &[]),
            Self::Stdin(error) => (Unusable, "stdin", &[("reason", error)]),
            Self::Write(path, error) => (
                Unusable,
                "fileNotWritten",
                &[
                    ("path", &path.display()),
                    ("reason", &messages::not_written(error)),
                ],
            ),
            Self::NoFile(path) => (Unusable, "noFile", &[("path", &path.display())]),
            Self::UnknownField(name) => (Unusable, "unknownField", &[("name", name)]),
            Self::UnknownColumn(name) => (Unusable, "unknownColumn", &[("name", name)]),
            Self::RepeatedColumn(name) => (Unusable, "repeatedColumn", &[("name", name)]),
            Self::MaybeHeaders(line) => (Unusable, "maybeHeaders", &[("line", line)]),
            Self::NoSuchLines(lines) => {
                (Unusable, "noSuchLine", &[("lines", &messages::list(lines))])
            }
            Self::Personality(error) => (Unusable, "unknownPersonality", &[("reason", error)]),
            Self::Behaviour(path, error) => (
                Unusable,
                "file",
                &[("path", &path.display()), ("reason", error)],
            ),
            Self::Sandbox(error) => (Unusable, "sandbox", &[("reason", error)]),
            Self::Practice => (Unusable, "practice", &[]),
            Self::Runtime(error) => (Unusable, "runtime", &[("reason", error)]),
        };
        let code = match (self, key) {
            (Self::WhileSending(error) | Self::Started(error), _) => code(error),
            (Self::NotPossible(_), _) => messages::name(&ErrorCode::NotAllowed).into(),
            (_, "halfway") => "stopped".into(),
            (_, "noFile") => "file".into(),
            (_, "unknownField" | "unknownColumn" | "repeatedColumn" | "maybeHeaders") => {
                "badColumn".into()
            }
            (_, "practice") => "sandbox".into(),
            (_, key) => key.into(),
        };
        (exit, code, text(&format!("wdesk.ended.{key}"), values))
    }

    /// Whether the service may have carried out the command, be it a sale or another change.
    fn may_have_changed(&self) -> bool {
        if let Self::Desk(error) = self {
            return consequence(error).0 == Effect::Maybe;
        }
        matches!(self, Self::Halfway { .. }) || self.exit() == Exit::Person
    }

    /// The failure as JSON for programs: the value of `error` in the document.
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "only some errors have details"
    )]
    pub fn document(&self) -> Value {
        let (exit, code, message) = self.end();
        let mut document = document(&code, &message, self.may_have_changed(), exit);
        let Self::Desk(error) = self else {
            return document;
        };
        match error {
            Error::Input(problems) => document["problems"] = json!(problems),
            Error::Questions(questions) => document["questions"] = json!(questions),
            Error::SecondLead(earlier_lead) => document["earlierLead"] = json!(earlier_lead),
            Error::Service { operation, source } => {
                document["operation"] = json!(operation);
                if let api::Error::Refused { status, .. } | api::Error::Unreadable { status, .. } =
                    source
                {
                    document["status"] = json!(status);
                }
                if let api::Error::Refused { error, .. } = source {
                    document["requestId"] = json!(error.request_id);
                    document["serviceCode"] = json!(error.code);
                }
            }
            _ => {}
        }
        document
    }
}

/// The document for a command line that cannot be parsed.
pub fn usage_document(message: &str) -> Value {
    document("usage", message, false, Exit::Unusable)
}

fn document(code: &str, message: &str, may_have_changed: bool, exit: Exit) -> Value {
    let may_have_changed = if may_have_changed { "maybe" } else { "no" };
    json!({ "code": code, "message": message, "mayHaveChanged": may_have_changed, "exitCode": exit.code() })
}

/// The code of a failed call to the core in the JSON document: the code of the catalogue, but wdesk
/// merges several codes of the catalogue and keeps some older names.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "all others have the code of the catalogue"
)]
pub fn code(error: &Error) -> Cow<'static, str> {
    let own = match error {
        Error::Input(_) => "badInput",
        Error::Service { source, .. } => match source {
            api::Error::NotSent(NotSent::NoToken) => "noToken",
            api::Error::NotSent(_) => "notSent",
            api::Error::NoAnswer(_) => "noAnswer",
            api::Error::Unreadable { .. } => "unreadableAnswer",
            api::Error::Refused { .. } => "refused",
        },
        Error::Network(_) => "network",
        Error::Store(StoreError::Folder(_)) => "dataFolder",
        Error::Store(StoreError::OnNetwork) => "dataOnNetwork",
        Error::Store(StoreError::NotOwned(_)) => "dataNotOwned",
        Error::Store(StoreError::Link(_)) => "dataLink",
        Error::Store(StoreError::ReadOnly) => "dataReadOnly",
        Error::Store(StoreError::Damaged) => "dataDamaged",
        Error::Store(StoreError::Newer) => "dataNewer",
        Error::Vault(_) | Error::TokenNotConfirmed => "keychain",
        _ => return messages::name(&ErrorCode::of(error)).into(),
    };
    own.into()
}
