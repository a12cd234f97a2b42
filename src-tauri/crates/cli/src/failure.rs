//! Why a command failed: its exit code, its code and its JSON document.
//!
//! Owns the failures of wdesk itself and which code each failure has in JSON.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Value, json};
use warranty_core::api::{self, IdError, NotSent, TokenError};
use warranty_core::files::WriteError;
use warranty_core::{Error, Operation, Outcome, StoreError};
use warranty_messages::ErrorCode;
use warranty_sandbox::{StartError, UnknownPersonality};

use crate::exit::{self, Exit};
use crate::messages;

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// A call to the core failed.
    Desk(Error),
    /// The database failed while entered sales were being sent.
    WhileSending(Error),
    /// A file of rows was started and could not be finished; the remaining rows are stored and
    /// continue later.
    Started(Error),
    /// A signal stopped it before anything was entered.
    Stopped,
    /// A signal stopped it while rows of a file were being entered; some may be sent already.
    Halfway {
        /// Rows that are entered.
        entered: u32,
        /// Rows of the file.
        rows: u32,
    },
    /// A second signal ended the command before requests in flight were answered.
    Interrupted,
    /// An argument is not a valid id.
    Id {
        /// The name of the argument.
        what: &'static str,
        /// Why.
        source: IdError,
    },
    /// Standard input is not a valid token.
    Token(TokenError),
    /// The system has no folder for application data.
    NoDataDir,
    /// Standard input cannot be read.
    Stdin(io::Error),
    /// A file cannot be written.
    Write {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Rows cannot be written to a file.
    Export {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: WriteError,
    },
    /// `--map` names a field that these rows do not have.
    UnknownField(String),
    /// `--map` names a column that the file does not have.
    UnknownColumn(String),
    /// `--repeated-lines` names lines on which no row begins.
    NoSuchLines(Vec<u32>),
    /// The practice service has no behaviour of that name.
    Personality(UnknownPersonality),
    /// A file with the behaviour of the practice service cannot be read.
    Behaviour {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The practice service did not start.
    Sandbox(StartError),
    /// The practice service started with an unusable address or token.
    Practice,
    /// This process could not be set up.
    Runtime(io::Error),
    /// The result could not be written to stdout.
    Print(io::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Desk(error)
    }
}

impl Failure {
    /// An argument that is not a valid id.
    pub fn id(what: &'static str) -> impl FnOnce(IdError) -> Self {
        move |source| Self::Id { what, source }
    }

    /// A failure during sending. If it is one of the database, it is unknown what was sold.
    pub fn while_sending(error: Error) -> Self {
        if matches!(error, Error::Store(_)) {
            Self::WhileSending(error)
        } else {
            Self::Desk(error)
        }
    }

    /// The exit code.
    #[must_use]
    pub fn exit(&self) -> Exit {
        match self {
            Self::Desk(error) => exit::of(error),
            // The command may have been carried out although its result was not reported.
            Self::WhileSending(_) | Self::Started(_) | Self::Interrupted | Self::Print(_) => {
                Exit::Person
            }
            Self::Halfway { .. } => Exit::Queued,
            Self::Stopped
            | Self::Id { .. }
            | Self::Token(_)
            | Self::NoDataDir
            | Self::Stdin(_)
            | Self::Write { .. }
            | Self::Export { .. }
            | Self::UnknownField(_)
            | Self::UnknownColumn(_)
            | Self::NoSuchLines(_)
            | Self::Personality(_)
            | Self::Behaviour { .. }
            | Self::Sandbox(_)
            | Self::Practice
            | Self::Runtime(_) => Exit::Unusable,
        }
    }

    /// The message for people.
    #[must_use]
    pub fn message(&self) -> String {
        let reason = |key: &str, reason: &dyn Display| {
            messages::text(key, &[("reason", &reason.to_string())])
        };
        let file = |key: &str, path: &Path, reason: &dyn Display| {
            let path = path.to_string_lossy();
            messages::text(key, &[("path", &path), ("reason", &reason.to_string())])
        };
        match self {
            Self::Desk(error) => messages::error(error),
            Self::WhileSending(error) => reason("wdesk.ended.whileSending", error),
            Self::Started(error) => reason("wdesk.ended.started", error),
            Self::Stopped => messages::text("wdesk.ended.stopped", &[]),
            Self::Halfway { entered, rows } => messages::text(
                "wdesk.ended.halfway",
                &[
                    ("entered", &entered.to_string()),
                    ("rows", &rows.to_string()),
                ],
            ),
            Self::Interrupted => messages::text("wdesk.ended.interrupted", &[]),
            Self::Id { what, source } => messages::text(
                "wdesk.ended.badId",
                &[("argument", what), ("reason", &source.to_string())],
            ),
            Self::Token(error) => reason("wdesk.ended.badToken", error),
            Self::NoDataDir => messages::text("wdesk.ended.noDataDir", &[]),
            Self::Stdin(error) => reason("wdesk.ended.stdin", error),
            Self::Write { path, source } => file("wdesk.ended.notWritten", path, source),
            Self::Export { path, source } => file(
                "wdesk.ended.notExported",
                path,
                &messages::not_written(source),
            ),
            Self::UnknownField(name) => {
                messages::text("wdesk.ended.unknownField", &[("name", name)])
            }
            Self::UnknownColumn(name) => {
                messages::text("wdesk.ended.unknownColumn", &[("name", name)])
            }
            Self::NoSuchLines(lines) => {
                let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
                messages::text("wdesk.ended.noSuchLines", &[("lines", &lines.join(", "))])
            }
            Self::Personality(error) => format!("{error}."),
            Self::Behaviour { path, source } => file("wdesk.ended.notRead", path, source),
            Self::Sandbox(error) => format!("{error}."),
            Self::Practice => messages::text("wdesk.ended.practice", &[]),
            Self::Runtime(error) => reason("wdesk.ended.runtime", error),
            Self::Print(error) => reason("wdesk.ended.stdout", error),
        }
    }

    /// The code in the JSON document.
    #[must_use]
    pub fn code(&self) -> String {
        let own = match self {
            Self::Desk(error) | Self::WhileSending(error) | Self::Started(error) => {
                return code(error);
            }
            Self::Stopped | Self::Halfway { .. } => "stopped",
            Self::Interrupted => "interrupted",
            Self::Id { .. } => "badId",
            Self::Token(_) => "badToken",
            Self::NoDataDir => "noDataDir",
            Self::Stdin(_) => "stdin",
            Self::Write { .. } | Self::Export { .. } => "fileNotWritten",
            Self::UnknownField(_) | Self::UnknownColumn(_) => "badColumn",
            Self::NoSuchLines(_) => "noSuchLine",
            Self::Personality(_) => "unknownPersonality",
            Self::Behaviour { .. } => "file",
            Self::Sandbox(_) | Self::Practice => "sandbox",
            Self::Runtime(_) => "runtime",
            Self::Print(_) => "stdout",
        };
        own.to_owned()
    }

    /// Whether the service may have carried out the command, be it a sale or another change.
    fn may_have_changed(&self) -> bool {
        let Self::Desk(error) = self else {
            return matches!(self, Self::Halfway { .. }) || self.exit() == Exit::Person;
        };
        if let Error::Service { operation, source } = error {
            return operation.changes() && Outcome::of(source) == Outcome::Unknown;
        }
        matches!(error, Error::NotProven { .. } | Error::NotReadAgain(_))
    }

    /// The value of `error` in the JSON document.
    #[must_use]
    pub fn document(&self) -> ErrorDocument {
        let mut document = ErrorDocument {
            code: self.code(),
            message: self.message(),
            may_have_changed: if self.may_have_changed() {
                "maybe"
            } else {
                "no"
            },
            exit_code: self.exit().code(),
            ..ErrorDocument::default()
        };
        if let Self::Desk(error) = self {
            document.add(error);
        }
        document
    }
}

/// A failure as JSON for programs.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ErrorDocument {
    code: String,
    message: String,
    #[serde(rename = "maySold")]
    may_have_changed: &'static str,
    exit_code: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    operation: Option<Operation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    service_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problems: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    questions: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    earlier_lead: Option<Value>,
}

impl ErrorDocument {
    /// The document for a command line that cannot be parsed.
    #[must_use]
    pub fn usage(message: String) -> Self {
        Self {
            code: "usage".to_owned(),
            message,
            may_have_changed: "no",
            exit_code: Exit::Unusable.code(),
            ..Self::default()
        }
    }

    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "only these kinds have details; the code above is exhaustive"
    )]
    fn add(&mut self, error: &Error) {
        match error {
            Error::Input(problems) => self.problems = Some(json!(problems)),
            Error::Questions(questions) => self.questions = Some(json!(questions)),
            Error::SecondLead(earlier) => self.earlier_lead = Some(json!(earlier)),
            Error::Service { operation, source } => {
                self.operation = Some(*operation);
                match source {
                    api::Error::Refused { status, error, .. } => {
                        self.status = Some(*status);
                        self.request_id = Some(error.request_id.clone());
                        self.service_code = Some(error.code.clone());
                    }
                    api::Error::Unreadable { status, .. } => self.status = Some(*status),
                    api::Error::NotSent(_) | api::Error::NoAnswer(_) => {}
                }
            }
            _ => {}
        }
    }
}

/// The code of a failed call to the core in the JSON document: the code of the catalogue, but wdesk
/// merges several codes of the catalogue and keeps some older names.
#[must_use]
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "all others have the code of the catalogue"
)]
pub fn code(error: &Error) -> String {
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
        Error::Vault(_) | Error::TokenMayBeKept => "keychain",
        _ => return messages::name(&ErrorCode::of(error)),
    };
    own.to_owned()
}
