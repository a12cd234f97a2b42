//! The errors of the desk. Sentences for staff are in `messages`.

use thiserror::Error as ThisError;

pub use warranty_model::{Field, FieldProblem, Operation, Problem};
pub use warranty_store::StoreError;

use warranty_files::{FileError, WriteError};
use warranty_model::contracts::Question;
use warranty_model::day::CloseLine;
use warranty_model::leads::EarlierLead;
use warranty_vault::VaultError;

/// A call to the desk that did not succeed.
#[derive(Debug, ThisError)]
pub enum Error {
    /// The input is invalid; each field says why. Nothing was sent or stored.
    #[error("{}", list(.0))]
    Input(Vec<FieldProblem>),
    /// Valid, but a person must confirm it first. Nothing was sent or stored.
    #[error("a person must answer first: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Questions(Vec<Question>),
    /// There is an earlier lead for the same transaction and product; a person must confirm another.
    /// Nothing was sent or stored.
    #[error("a lead for the same transaction and product was entered before ({:?})", .0.state)]
    SecondLead(EarlierLead),
    #[error("{operation:?}: {source}")]
    Service {
        operation: Operation,
        /// What may have happened.
        source: warranty_api::Error,
    },
    /// The network stack of this machine could not be set up.
    #[error(transparent)]
    Network(#[from] warranty_api::ClientError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Vault(#[from] VaultError),
    #[error("the keychain did not answer in time; the token may have been changed all the same")]
    TokenNotConfirmed,
    /// The keychain has lost the key that customers are encrypted with. Nothing was stored or sent; a
    /// person must create a new key before anything is entered.
    #[error("the key that customers are encrypted with is gone from the keychain")]
    KeyLost,
    /// Stored data cannot be decrypted: its key is missing or wrong, or the profile, its address or
    /// its store differs from that at entry. It stays stored, and nothing of it was sent.
    #[error(
        "what was entered cannot be read: its key is gone, or it was entered for another address or store"
    )]
    NotOpened,
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("the desk's data folder is in use by another Warranty Desk or wdesk")]
    InUse,
    #[error("no profile is set up yet")]
    NoProfile,
    #[error("there is no profile {0:?}")]
    UnknownProfile(String),
    #[error("a profile named {0:?} exists already")]
    ProfileNameTaken(String),
    /// What is left to finish or clear first.
    #[error("work of this profile is not finished: {0:?}")]
    ProfileHasOpenContracts(Vec<CloseLine>),
    /// The profile was removed, or its address or store changed, while an entry was checked or since
    /// a lead was entered. Nothing was stored or sent.
    #[error("the profile was removed or its address was changed meanwhile")]
    ProfileMoved,
    /// `desk.db` was replaced and no person has seen the report. Rows of a file are not entered,
    /// because they may be sales that only the damaged file held.
    #[error("the report of the replaced desk file has not been seen yet")]
    RescueNotSeen,
    #[error("the practice service is not running here")]
    PracticeNotRunning,
    #[error("the plan's store reference was changed meanwhile; it is now {}", shown(.current.as_deref()))]
    ChangedMeanwhile {
        /// What the service has now.
        current: Option<String>,
    },
    #[error("the change was sent, but reading the plan again shows {}", shown(.current.as_deref()))]
    NotProven {
        /// What the service has now.
        current: Option<String>,
        /// The answer to the change, when it does not say what was done.
        answer: Option<warranty_api::Error>,
    },
    #[error("the change was sent and taken, but the plan could not be read again: {0}")]
    NotReadAgain(#[source] warranty_api::Error),
    /// An entry of that id was registered before with other data; the new one was not registered.
    #[error("the entry {submission_id} was registered before with another {fields:?}")]
    AlreadyRegistered {
        submission_id: String,
        /// The fields in which this one differs.
        fields: Vec<Field>,
    },
    #[error("the entry {submission_id} was kept and is sent, but could not be read back: {source}")]
    KeptUnread {
        submission_id: String,
        source: Box<Error>,
    },
    /// No entry, case or plan of that id at this desk.
    #[error("nothing is known here of {0:?}")]
    NotKnown(String),
    #[error("that is not possible in the present state of this case")]
    NotAllowed,
    #[error("that contract is not the one that was sent")]
    ContractDoesNotMatch,
    /// The organization set this key, and nobody here can change it. Nothing was stored or sent.
    #[error("the policy of this computer sets {0}")]
    Managed(&'static str),
    /// The policy of this computer, or its store, cannot be told for certain. Nothing was stored or
    /// sent.
    #[error("nothing is sold live: the policy or the store of this computer is not certain")]
    SellingClosed,
    #[error("the plan has no https page")]
    NoPage,
}

impl Error {
    pub fn input(field: Field, problem: Problem) -> Self {
        Self::Input(vec![FieldProblem::new(field, problem)])
    }

    pub fn service(operation: Operation) -> impl Fn(warranty_api::Error) -> Self {
        move |source| Self::Service { operation, source }
    }

    /// [`Error::NotAllowed`] when the state did not allow a step.
    pub fn ensure_allowed(is_lawful: bool) -> Result<(), Self> {
        is_lawful.then_some(()).ok_or(Self::NotAllowed)
    }

    /// The wait that the service asked for in its answer.
    pub fn retry_after(&self) -> Option<std::time::Duration> {
        if let Self::Service { source, .. } = self {
            source.retry_after()
        } else {
            None
        }
    }
}

/// A store reference as the service has it.
fn shown(reference: Option<&str>) -> String {
    reference.map_or_else(|| "empty".to_owned(), |text| format!("\"{text}\""))
}

fn list(problems: &[FieldProblem]) -> String {
    problems
        .iter()
        .map(|FieldProblem { field, problem }| format!("{field:?}: {problem:?}"))
        .collect::<Vec<_>>()
        .join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_that_was_changed_meanwhile_is_shown_as_the_service_has_it() {
        let said = |current: Option<&str>| {
            let current = current.map(str::to_owned);
            Error::ChangedMeanwhile { current }.to_string()
        };
        assert!(said(Some("EW-3Y")).ends_with("it is now \"EW-3Y\""));
        assert!(said(None).ends_with("it is now empty"));
    }
}
