//! Exit codes, for scripts.
//!
//! Owns the numbers and the mapping from failures to them.

use std::process::ExitCode;

use warranty_core::Error;
use warranty_messages::{Effect, ErrorCode, Next, consequence};

/// The result of a command. The numbers are part of the interface of `wdesk`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// All that the command was asked to do is done.
    Done = 0,
    /// Bad usage, bad input, or a problem on this computer. Nothing was sent.
    Unusable = 2,
    Refused = 3,
    /// A person must decide.
    Person = 4,
    /// Not sent (offline); what can wait is queued.
    Queued = 5,
}

impl Exit {
    /// The exit code of the first condition that holds; done when none does.
    pub fn first(conditions: &[(bool, Self)]) -> Self {
        let held = conditions.iter().find(|(holds, _)| *holds);
        held.map_or(Self::Done, |(_, exit)| *exit)
    }

    pub fn code(self) -> u8 {
        self as u8
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// The exit code of a failed call to the desk. It follows from what may have happened and what to do,
/// which [`consequence`] decides for every error code; a few codes have an exit code of their own.
pub fn of(error: &Error) -> Exit {
    use ErrorCode as C;
    match (ErrorCode::of(error), consequence(error)) {
        // Only a person can find out whether a change was made.
        (_, (Effect::Maybe, _)) | (C::Questions | C::SecondLead, _) => Exit::Person,
        (C::NotAllowed, _) => Exit::Unusable,
        (_, (_, Next::CheckFirst)) => Exit::Person,
        (
            C::TokenRefused | C::TooManyRequests | C::Refused | C::ServiceFault | C::ServiceError,
            _,
        ) => Exit::Refused,
        (
            C::NoNetwork
            | C::NotSecureConnection
            | C::ProxyAuthentication
            | C::ProxyRefused
            | C::CertificateTime,
            _,
        ) => Exit::Queued,
        // Reading changes nothing, so a missing answer only means that the service is unreachable.
        (C::NoAnswer | C::Unreadable | C::Redirected, _) => Exit::Queued,
        (
            _,
            (
                Effect::None,
                Next::Nothing | Next::Correct | Next::Again | Next::Token | Next::Computer,
            ),
        ) => Exit::Unusable,
    }
}

#[cfg(test)]
mod tests {
    use warranty_core::Operation::{
        self, CreateLead, GetContract, GetPlan, ListPlans, UpdatePlan, UpsertProduct,
    };
    use warranty_core::api::{self, NoAnswer, NotSent, ServiceError, Unreadable};

    use super::*;

    const PLAIN: &str = "BadRequestException";

    fn service(operation: Operation, source: api::Error) -> Exit {
        of(&Error::Service { operation, source })
    }

    fn refused(status: u16, code: &str) -> api::Error {
        api::Error::Refused {
            status,
            error: ServiceError {
                request_id: "r".into(),
                code: code.into(),
                error: "no such product".into(),
            },
            retry_after: None,
        }
    }

    #[test]
    fn without_a_readable_answer_a_change_needs_a_person_and_a_look_is_out_of_reach() {
        for operation in [GetContract, ListPlans] {
            let timeout = api::Error::NoAnswer(NoAnswer::Timeout);
            assert_eq!(service(operation, timeout), Exit::Queued);
        }
        for operation in [CreateLead, UpsertProduct] {
            let portal = api::Error::Unreadable {
                status: 200,
                reason: Unreadable::NotJson,
                retry_after: None,
            };
            assert_eq!(service(operation, portal), Exit::Person);
        }
    }

    #[test]
    fn an_error_object_that_proves_no_refusal_needs_a_person_after_a_change_alone() {
        let odd = [200, 400, 404, 408, 409].map(|status| (status, "StateException"));
        let faults = [500, 503, 302].map(|status| (status, PLAIN));
        for (status, code) in odd.into_iter().chain(faults) {
            for operation in [UpdatePlan, UpsertProduct, CreateLead] {
                assert_eq!(service(operation, refused(status, code)), Exit::Person);
            }
            for operation in [GetPlan, GetContract] {
                assert_eq!(service(operation, refused(status, code)), Exit::Refused);
            }
        }
        for status in [200, 400, 401, 404, 429] {
            assert_eq!(service(UpdatePlan, refused(status, PLAIN)), Exit::Refused);
        }
    }

    #[test]
    fn a_refusal_a_missing_token_and_a_dead_network_have_three_different_codes() {
        assert_eq!(service(UpdatePlan, refused(400, PLAIN)).code(), 3);
        let no_token = api::Error::NotSent(NotSent::NoToken);
        assert_eq!(service(UpdatePlan, no_token).code(), 2);
        let offline = api::Error::NotSent(NotSent::Connect);
        assert_eq!(service(UpdatePlan, offline).code(), 5);
    }
}
