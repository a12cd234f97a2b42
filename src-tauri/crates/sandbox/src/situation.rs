//! What a person tries out while practising: the service refuses, or its answer gets lost. Only what would sell
//! something is affected, so that everything before it works as usual.

use crate::{ErrorKind, ErrorResponse, Operation};

/// How the service answers a request for contracts or for a lead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Situation {
    /// As the specification says.
    #[default]
    Usual,
    /// It refuses and does nothing.
    Refuses,
    /// It does what is asked, and the answer does not say so.
    LosesAnswers,
}

impl Situation {
    /// The answer to give instead of doing anything.
    pub(crate) fn refusal(self, operation: Operation) -> Option<ErrorResponse> {
        (self == Self::Refuses && sells(operation))
            .then(|| ErrorResponse::bad_request("練習のため拒否しました / refused for practice"))
    }

    /// The answer to give instead of the one that says what was done.
    pub(crate) fn loss(self, operation: Operation) -> Option<ErrorResponse> {
        (self == Self::LosesAnswers && sells(operation)).then(|| {
            let lost = "練習のため応答がありません / no response, for practice";
            ErrorResponse::new(ErrorKind::INTERNAL, lost)
        })
    }
}

fn sells(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::BulkCreateContracts | Operation::CreateLead
    )
}
