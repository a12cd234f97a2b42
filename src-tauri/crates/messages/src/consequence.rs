//! What may have happened at the service when something went wrong, and what to do.

use serde::Serialize;
use warranty_core::{Error, Operation};

use crate::ErrorCode;

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
    /// Nothing; the desk continues automatically.
    Nothing,
    /// Correct the input or the choice and try again.
    #[serde(rename = "mend")]
    Correct,
    Again,
    /// Check first whether it happened.
    CheckFirst,
    /// Enter the token again.
    Token,
    /// Something on this computer must be fixed first.
    Computer,
}

/// What may have happened at the service after an error, and what to do.
pub fn consequence(error: &Error) -> (Effect, Next) {
    let operation = if let Error::Service { operation, .. } = error {
        Some(*operation)
    } else {
        None
    };
    ErrorCode::of(error).consequence(operation)
}

/// What an error code means for the service.
pub(crate) enum Meaning {
    Unchanged(Next),
    Perhaps(Next),
    /// The outcome of the call is unknown, which depends on what it does.
    OfCall,
}

impl ErrorCode {
    /// What may have happened and what to do after an error of this code. `operation` is the call to the
    /// service that it is about, if there was one.
    pub fn consequence(self, operation: Option<Operation>) -> (Effect, Next) {
        match self.meaning() {
            Meaning::Unchanged(next) => (Effect::None, next),
            Meaning::Perhaps(next) => (Effect::Maybe, next),
            Meaning::OfCall => match operation {
                Some(Operation::GetContract | Operation::ListPlans | Operation::GetPlan) => {
                    (Effect::None, Next::Again)
                }
                // Both overwrite with the same values, so a retry duplicates nothing.
                Some(Operation::UpsertProduct | Operation::UpdatePlan) => {
                    (Effect::Maybe, Next::Again)
                }
                Some(Operation::CreateLead) | None => (Effect::Maybe, Next::CheckFirst),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_organization_does_not_allow_is_not_said_to_need_nothing() {
        let refused = Error::Managed("profilesLocked");
        assert_eq!(consequence(&refused), (Effect::None, Next::Computer));
    }
}
