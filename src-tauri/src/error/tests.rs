//! One test a rule of the mapping.

use warranty_core::api::{self, NoAnswer, NotSent, ServiceError};
use warranty_core::{Error, Operation};

use super::{Effect, ErrorCode, Next, UiError};

fn service(operation: Operation, source: api::Error) -> UiError {
    UiError::from(Error::Service { operation, source })
}

fn refused(status: u16, code: &str) -> api::Error {
    api::Error::Refused {
        status,
        error: ServiceError {
            request_id: "r-1".into(),
            code: code.into(),
            error: "product not found".into(),
        },
        retry_after: None,
    }
}

const BAD_REQUEST: &str = "BadRequestException";

#[test]
fn an_unanswered_lead_says_check_first_and_an_unanswered_read_says_again() {
    let lead = service(
        Operation::CreateLead,
        api::Error::NoAnswer(NoAnswer::Timeout),
    );
    assert_eq!((lead.effect, lead.next), (Effect::Maybe, Next::CheckFirst));
    let read = service(Operation::GetPlan, api::Error::NoAnswer(NoAnswer::Timeout));
    assert_eq!((read.effect, read.next), (Effect::None, Next::Again));
}

#[test]
fn a_change_that_was_taken_and_not_read_again_is_to_be_checked_first() {
    let error = UiError::from(Error::NotReadAgain(api::Error::NotSent(NotSent::Connect)));
    assert_eq!(
        (error.code, error.effect, error.next),
        (ErrorCode::NotProven, Effect::Maybe, Next::CheckFirst)
    );
}

#[test]
fn an_entry_that_was_kept_and_not_read_back_asks_for_nothing_because_it_is_sent() {
    let error = UiError::from(Error::KeptUnread {
        submission_id: "s-1".into(),
        source: Box::new(Error::NotAllowed),
    });
    assert_eq!((error.effect, error.next), (Effect::Maybe, Next::Nothing));
}

#[test]
fn a_refusal_carries_the_services_own_words_and_request_id() {
    let error = service(Operation::UpsertProduct, refused(400, BAD_REQUEST));
    assert_eq!(error.code, ErrorCode::Refused);
    assert_eq!(error.request_id.as_deref(), Some("r-1"));
    assert_eq!(error.service_code.as_deref(), Some("BadRequestException"));
    assert_eq!(error.service_message.as_deref(), Some("product not found"));
}

#[test]
fn a_refused_token_asks_for_a_token_and_a_fault_of_the_service_leaves_doubt() {
    assert_eq!(
        service(Operation::CreateLead, refused(401, BAD_REQUEST)).next,
        Next::Token
    );
    for status in [503, 302] {
        assert_eq!(
            service(Operation::CreateLead, refused(status, BAD_REQUEST)).effect,
            Effect::Maybe
        );
    }
}

#[test]
fn an_error_of_another_kind_does_not_say_that_a_contract_is_not_found() {
    let error = |status, code| service(Operation::GetContract, refused(status, code));
    for (status, code) in [
        (400, "ThrottlingException"),
        (409, "ConflictException"),
        (200, "Other"),
        (302, BAD_REQUEST),
    ] {
        let error = error(status, code);
        assert_eq!(error.code, ErrorCode::ServiceError, "{status} {code}");
        assert_eq!((error.effect, error.next), (Effect::None, Next::Again));
    }
    for (status, code) in [(400, BAD_REQUEST), (404, "NotFoundException")] {
        assert_eq!(
            error(status, code).code,
            ErrorCode::Refused,
            "{status} {code}"
        );
    }
}
