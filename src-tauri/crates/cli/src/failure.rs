//! Why a command failed: its exit code, its code, its message and its JSON document.
//!
//! Owns the failures of wdesk itself. A failed call to the core has its code of the error catalogue.

use std::borrow::Cow;
use std::fmt::Display;
use std::io;
use std::path::Path;

use serde_json::{Value, json};
use warranty_core::Error;
use warranty_core::api::{self, IdError};
use warranty_core::bulk::RunView;
use warranty_core::files::{FileError, WriteError};
use warranty_messages::{Effect, ErrorCode, Values, consequence};

use crate::{Exit, exit, messages, text};

#[derive(Debug)]
pub enum Failure {
    Desk(Error),
    /// A second signal ended the command before requests in flight were answered.
    Interrupted,
    /// wdesk itself ended the command. With any exit code but [`Exit::Unusable`] something may have been
    /// done at the service.
    Own {
        exit: Exit,
        code: Cow<'static, str>,
        message: String,
    },
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Desk(error)
    }
}

impl Failure {
    /// A failure of wdesk itself. Its message is the text of this name in `wdesk.ended`.
    pub fn own(
        exit: Exit,
        code: impl Into<Cow<'static, str>>,
        name: &str,
        values: &Values<'_>,
    ) -> Self {
        Self::Own {
            exit,
            code: code.into(),
            message: text(&format!("wdesk.ended.{name}"), values),
        }
    }

    /// Bad input, or a problem on this computer. Its code is the name of its text.
    pub fn unusable(name: &'static str, values: &Values<'_>) -> Self {
        Self::own(Exit::Unusable, name, name, values)
    }

    /// As [`Failure::unusable`], for an error that is the reason.
    pub fn because<E: Display>(name: &'static str) -> impl FnOnce(E) -> Self {
        move |reason| Self::unusable(name, &[("reason", &reason)])
    }

    /// `--map` names a field or a column that is not there, or not clear.
    pub fn column(name: &str, values: &Values<'_>) -> Self {
        Self::own(Exit::Unusable, "badColumn", name, values)
    }

    /// A file of rows was started and could not be finished; the remaining rows are stored and
    /// continue later.
    pub fn started(error: Error) -> Self {
        Self::own(Exit::Person, code(&error), "started", &[("reason", &error)])
    }

    /// A signal stopped it before anything was entered.
    pub fn stopped() -> Self {
        Self::unusable("stopped", &[])
    }

    /// A signal stopped it while rows of a file were being entered; some may be sent already.
    pub fn halfway(run: &RunView) -> Self {
        let entered = run.entered + run.already_entered;
        let values: &Values<'_> = &[("entered", &entered), ("rows", &run.rows), ("id", &run.id)];
        Self::own(Exit::Queued, "stopped", "halfway", values)
    }

    /// The state of what was named does not allow it; the text of this name says what is possible.
    pub fn not_possible(name: &str) -> Self {
        let code = messages::name(&ErrorCode::NotAllowed);
        Self::own(Exit::Unusable, code, name, &[])
    }

    /// A failed call to the core; `name` is that of the text for a state that does not allow it.
    pub fn unless_possible(name: &str) -> impl FnOnce(Error) -> Self {
        move |error| {
            if matches!(error, Error::NotAllowed) {
                Self::not_possible(name)
            } else {
                Self::Desk(error)
            }
        }
    }

    /// The argument of this name is not a valid id.
    pub fn id(argument: &str) -> impl FnOnce(IdError) -> Self {
        move |reason| {
            let values: &Values<'_> = &[("argument", &argument), ("reason", &reason)];
            Self::unusable("badId", values)
        }
    }

    /// A failed call to the core that writes this file.
    pub fn of_file(path: &Path) -> impl FnOnce(Error) -> Self {
        move |error| {
            if let Error::Write(reason) = error {
                Self::not_written(path, &reason)
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
                let path: &Values<'_> = &[("path", &path.display())];
                return Self::own(Exit::Unusable, "file", "noFile", path);
            }
            Self::Desk(error)
        }
    }

    pub fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |reason| Self::not_written(path, &WriteError::Io(reason))
    }

    fn not_written(path: &Path, reason: &WriteError) -> Self {
        let reason = messages::not_written(reason);
        let values: &Values<'_> = &[("path", &path.display()), ("reason", &reason)];
        Self::unusable("fileNotWritten", values)
    }

    pub fn exit(&self) -> Exit {
        match self {
            Self::Desk(error) => exit::of(error),
            Self::Interrupted => Exit::Person,
            Self::Own { exit, .. } => *exit,
        }
    }

    pub fn message(&self) -> String {
        match self {
            Self::Desk(error) => messages::error(error),
            Self::Interrupted => text("wdesk.ended.interrupted", &[]),
            Self::Own { message, .. } => message.clone(),
        }
    }

    fn code(&self) -> Cow<'static, str> {
        match self {
            Self::Desk(error) => code(error).into(),
            Self::Interrupted => "interrupted".into(),
            Self::Own { code, .. } => code.clone(),
        }
    }

    /// Whether the service may have carried out the command, be it a sale or another change.
    fn may_have_changed(&self) -> bool {
        match self {
            Self::Desk(error) => consequence(error).0 == Effect::Maybe,
            Self::Interrupted | Self::Own { .. } => self.exit() != Exit::Unusable,
        }
    }

    /// The failure as JSON for programs: the value of `error` in the document.
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "only some errors have details"
    )]
    pub fn document(&self) -> Value {
        let may_have_changed = self.may_have_changed();
        let mut document = document(&self.code(), &self.message(), may_have_changed, self.exit());
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

/// Does what follows the sending of sales. Where the database fails at it, it is unknown what was sold.
pub async fn while_sending<T>(work: impl Future<Output = Result<T, Error>>) -> Result<T, Failure> {
    work.await.map_err(|error| {
        if matches!(error, Error::Store(_)) {
            let values: &Values<'_> = &[("reason", &error)];
            Failure::own(Exit::Person, code(&error), "whileSending", values)
        } else {
            error.into()
        }
    })
}

/// The document for a command line that cannot be parsed.
pub fn usage_document(message: &str) -> Value {
    document("usage", message, false, Exit::Unusable)
}

fn document(code: &str, message: &str, may_have_changed: bool, exit: Exit) -> Value {
    let may_have_changed = if may_have_changed { "maybe" } else { "no" };
    json!({ "code": code, "message": message, "mayHaveChanged": may_have_changed, "exitCode": exit.code() })
}

/// The code of a failed call to the core in the JSON document.
pub fn code(error: &Error) -> String {
    messages::name(&ErrorCode::of(error))
}
