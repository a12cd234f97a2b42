//! What ends a command early, with its exit code, its stable code and its JSON document.
//!
//! Owns the failures of wdesk itself; those of the desk keep their own kinds. The words are in
//! [`crate::messages`].

use std::io;
use std::path::PathBuf;

use serde::Serialize;
use serde_json::{Value, json};
use warranty_core::api::{self, IdError, NotSent, TokenError};
use warranty_core::files::WriteError;
use warranty_core::{Error, Operation, Outcome, StoreError};
use warranty_sandbox::{StartError, UnknownPersonality};

use crate::exit::{self, Exit};
use crate::messages;

/// A command that did not succeed.
#[derive(Debug)]
pub enum Failure {
    /// The desk said so.
    Desk(Error),
    /// The desk's own files failed while entered sales were being sent.
    WhileSending(StoreError),
    /// The rows of a file could not all be entered or done; the rest is kept and goes on later.
    Begun(Error),
    /// A person, or the system, ended it before anything was entered.
    Stopped,
    /// The same while rows of a file were being entered; none of them was sent.
    Halfway {
        /// Rows that are entered.
        entered: u32,
        /// Rows of the file.
        rows: u32,
    },
    /// A person, or the system, did not want to wait for the answers on their way.
    Interrupted,
    /// An argument cannot be an id.
    Id {
        /// Which argument.
        what: &'static str,
        /// Why.
        source: IdError,
    },
    /// Standard input is no token.
    Token(TokenError),
    /// The system names no place for the data folder.
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
    /// `--map` names a field or a column that is not there.
    Map(String),
    /// `--repeated-lines` names lines that no row begins on.
    NoSuchLines(Vec<u32>),
    /// No personality has that name.
    Personality(UnknownPersonality),
    /// A file that says how the practice service is to behave cannot be read as one.
    Behaviour {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The practice service did not start.
    Sandbox(StartError),
    /// The practice service started with an address or a token of its own that cannot be used.
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
    /// How the process ends.
    #[must_use]
    pub fn exit(&self) -> Exit {
        match self {
            Self::Desk(error) => exit::of(error),
            // What was asked for may have been done, and nobody was told.
            Self::WhileSending(_) | Self::Begun(_) | Self::Interrupted | Self::Print(_) => {
                Exit::Person
            }
            Self::Stopped => Exit::Unusable,
            Self::Halfway { .. } => Exit::Queued,
            Self::Id { .. }
            | Self::Token(_)
            | Self::NoDataDir
            | Self::Stdin(_)
            | Self::Write { .. }
            | Self::Export { .. }
            | Self::Map(_)
            | Self::NoSuchLines(_)
            | Self::Personality(_)
            | Self::Behaviour { .. }
            | Self::Sandbox(_)
            | Self::Practice
            | Self::Runtime(_) => Exit::Unusable,
        }
    }

    /// The words for people.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::Desk(error) => messages::error(error),
            Self::WhileSending(error) => format!(
                "{} What was entered is kept; some of it may have been sent. `wdesk outbox list` \
                 shows where each sale stands, `wdesk outbox run` goes on.",
                messages::store(error)
            ),
            Self::Begun(error) => format!(
                "It stopped on the way: {error}. What was done by then stands, and what was entered \
                 is kept and will be sent. The rest goes on with `wdesk outbox run` or in the window."
            ),
            Self::Stopped => "Stopped. Nothing was kept or sent.".into(),
            Self::Halfway { entered, rows } => format!(
                "Stopped on the way: {entered} of {rows} rows are entered, and nothing was sent. All \
                 of them are kept: `wdesk outbox run` or the window goes on, and in the window the \
                 file can be ended instead."
            ),
            Self::Interrupted => {
                "Ended before every answer was there. What was on its way may have \
                                  been sold: `wdesk outbox list` shows it, and only a person \
                                  can go on with it."
                    .into()
            }
            Self::Id { what, source } => format!("{what}: {source}. Nothing was sent."),
            Self::Token(error) => format!("{error}. Nothing was kept."),
            Self::NoDataDir => {
                "This system names no folder for the desk's data; give one with --data-dir.".into()
            }
            Self::Stdin(error) => format!("Standard input cannot be read: {error}."),
            Self::Write { path, source } => {
                format!("{} cannot be written: {source}.", path.display())
            }
            Self::Export { path, source } => format!("{}: {source}.", path.display()),
            Self::Map(what) => format!("--map: {what}. Nothing was sent."),
            Self::NoSuchLines(lines) => {
                let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
                format!(
                    "--repeated-lines: no row begins on line {}. Nothing was entered and nothing was sent.",
                    lines.join(", ")
                )
            }
            Self::Personality(error) => format!("{error}."),
            Self::Behaviour { path, source } => {
                format!("{} cannot be read: {source}.", path.display())
            }
            Self::Sandbox(error) => format!("{error}."),
            Self::Practice => "The practice service did not start as it should.".into(),
            Self::Runtime(error) => format!("wdesk could not start: {error}."),
            Self::Print(error) => format!(
                "The result could not be written: {error}. What was asked for may have been done: \
                 `wdesk outbox status` and `wdesk contracts list` show it."
            ),
        }
    }

    /// A stable word for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Desk(error) => code(error),
            Self::WhileSending(error) => store_code(error),
            Self::Begun(error) => code(error),
            Self::Stopped | Self::Halfway { .. } => "stopped",
            Self::Interrupted => "interrupted",
            Self::Id { .. } => "badId",
            Self::Token(_) => "badToken",
            Self::NoDataDir => "noDataDir",
            Self::Stdin(_) => "stdin",
            Self::Write { .. } | Self::Export { .. } => "fileNotWritten",
            Self::Map(_) => "badColumn",
            Self::NoSuchLines(_) => "noSuchLine",
            Self::Personality(_) => "unknownPersonality",
            Self::Behaviour { .. } => "file",
            Self::Sandbox(_) | Self::Practice => "sandbox",
            Self::Runtime(_) => "runtime",
            Self::Print(_) => "stdout",
        }
    }

    /// Whether something may have been done at the service, be it a sale or another change.
    fn may_have_changed(&self) -> bool {
        match self {
            Self::WhileSending(_) | Self::Begun(_) | Self::Interrupted | Self::Print(_) => true,
            Self::Desk(Error::Service { operation, source }) => {
                operation.changes() && Outcome::of(source) == Outcome::Unknown
            }
            Self::Desk(Error::NotProven { .. } | Error::NotReadAgain(_)) => true,
            Self::Desk(_)
            | Self::Stopped
            | Self::Halfway { .. }
            | Self::Id { .. }
            | Self::Token(_)
            | Self::NoDataDir
            | Self::Stdin(_)
            | Self::Write { .. }
            | Self::Export { .. }
            | Self::Map(_)
            | Self::NoSuchLines(_)
            | Self::Personality(_)
            | Self::Behaviour { .. }
            | Self::Sandbox(_)
            | Self::Practice
            | Self::Runtime(_) => false,
        }
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
            operation: None,
            status: None,
            request_id: None,
            service_code: None,
            problems: None,
            questions: None,
            earlier_lead: None,
        };
        if let Self::Desk(error) = self {
            document.add(error);
        }
        document
    }
}

/// A failure as programs read it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ErrorDocument {
    code: &'static str,
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
    /// A document for a command line that cannot be understood.
    #[must_use]
    pub fn usage(message: String) -> Self {
        Self {
            code: "usage",
            message,
            may_have_changed: "no",
            exit_code: Exit::Unusable.code(),
            operation: None,
            status: None,
            request_id: None,
            service_code: None,
            problems: None,
            questions: None,
            earlier_lead: None,
        }
    }

    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "only these kinds have more to tell; the code above is exhaustive"
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

/// The stable word of a failed call to the desk.
#[must_use]
pub fn code(error: &Error) -> &'static str {
    match error {
        Error::Input(_) => "badInput",
        Error::Questions(_) => "questions",
        Error::SecondLead(_) => "secondLead",
        Error::Service { source, .. } => match source {
            api::Error::NotSent(NotSent::NoToken) => "noToken",
            api::Error::NotSent(_) => "notSent",
            api::Error::NoAnswer(_) => "noAnswer",
            api::Error::Unreadable { .. } => "unreadableAnswer",
            api::Error::Refused { .. } => "refused",
        },
        Error::Network(_) => "network",
        Error::Store(error) => store_code(error),
        Error::Vault(_) | Error::TokenMayBeKept => "keychain",
        Error::KeyLost => "keyLost",
        Error::NotOpened => "notOpened",
        Error::File(_) => "file",
        Error::Write(_) => "fileNotWritten",
        Error::InUse => "inUse",
        Error::NoProfile => "noProfile",
        Error::UnknownProfile(_) => "unknownProfile",
        Error::ProfileNameTaken(_) => "profileNameTaken",
        Error::ProfileHasOpenContracts(_) => "profileHasOpenContracts",
        Error::ProfileMoved => "profileMoved",
        Error::RescueNotSeen => "rescueNotSeen",
        Error::PracticeNotRunning => "practiceNotRunning",
        Error::ChangedMeanwhile { .. } => "changedMeanwhile",
        Error::NotProven { .. } | Error::NotReadAgain(_) => "notProven",
        Error::AlreadyRegistered { .. } => "alreadyRegistered",
        Error::KeptUnread { .. } => "keptUnread",
        Error::NotKnown(_) => "notKnown",
        Error::NotLawful => "notLawful",
        Error::ContractDoesNotMatch => "contractDoesNotMatch",
        Error::NoPage => "noPage",
    }
}

fn store_code(error: &StoreError) -> &'static str {
    match error {
        StoreError::Folder(_) => "dataFolder",
        StoreError::OnNetwork => "dataOnNetwork",
        StoreError::NotOwned(_) => "dataNotOwned",
        StoreError::Link(_) => "dataLink",
        StoreError::Full => "diskFull",
        StoreError::ReadOnly => "dataReadOnly",
        StoreError::Damaged => "dataDamaged",
        StoreError::Newer => "dataNewer",
        StoreError::Sqlite(_) => "database",
        StoreError::Closed => "closing",
    }
}
