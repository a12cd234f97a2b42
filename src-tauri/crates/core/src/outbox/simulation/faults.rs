//! What can befall a request and its answer, by name, so that it can be counted whether all of it
//! was met.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::time::Duration;

use rand::Rng as _;
use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;
use warranty_api::{
    Answer, Contract, Error as ApiError, NoAnswer, NotSent, Personal, ServiceError, Unreadable,
};

use super::provider::Reply;

/// What befalls one request to create.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    None,
    Slow,
    NoName,
    NoConnection,
    BadCertificate,
    DroppedBefore,
    DroppedAfter,
    TimedOutAfter,
    DoneLate,
    Truncated,
    Oversized,
    HtmlBefore,
    HtmlAfter,
    RedirectBefore,
    RedirectAfter,
    ServerErrorBefore,
    ServerErrorAfter,
    OddRefusalBefore,
    OddRefusalAfter,
    ErrorAs200After,
    SuccessAs500,
    BadRequest,
    Unauthorised,
    Forbidden,
    RateNoWord,
    RateSoon,
    RateAbsurd,
    Missing,
    Extra,
    Doubled,
    Shuffled,
    Stranger,
    OtherEmail,
    DiesOnTheWay,
    DiesBeforeAnswer,
}

/// All of them.
pub(super) const FAULTS: [Fault; 35] = [
    Fault::None,
    Fault::Slow,
    Fault::NoName,
    Fault::NoConnection,
    Fault::BadCertificate,
    Fault::DroppedBefore,
    Fault::DroppedAfter,
    Fault::TimedOutAfter,
    Fault::DoneLate,
    Fault::Truncated,
    Fault::Oversized,
    Fault::HtmlBefore,
    Fault::HtmlAfter,
    Fault::RedirectBefore,
    Fault::RedirectAfter,
    Fault::ServerErrorBefore,
    Fault::ServerErrorAfter,
    Fault::OddRefusalBefore,
    Fault::OddRefusalAfter,
    Fault::ErrorAs200After,
    Fault::SuccessAs500,
    Fault::BadRequest,
    Fault::Unauthorised,
    Fault::Forbidden,
    Fault::RateNoWord,
    Fault::RateSoon,
    Fault::RateAbsurd,
    Fault::Missing,
    Fault::Extra,
    Fault::Doubled,
    Fault::Shuffled,
    Fault::Stranger,
    Fault::OtherEmail,
    Fault::DiesOnTheWay,
    Fault::DiesBeforeAnswer,
];

/// How far a request gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reaches {
    /// Nothing leaves this machine.
    Nowhere,
    /// It leaves, and the provider does nothing with it.
    Unheard,
    /// The provider does it.
    Done,
    /// The provider does it when nobody waits any more.
    DoneLate,
}

impl Fault {
    pub(super) fn word(self) -> String {
        format!("{self:?}")
    }

    pub(super) fn reaches(self) -> Reaches {
        match self {
            Self::NoName | Self::NoConnection | Self::BadCertificate => Reaches::Nowhere,
            Self::DroppedBefore
            | Self::HtmlBefore
            | Self::RedirectBefore
            | Self::ServerErrorBefore
            | Self::OddRefusalBefore
            | Self::BadRequest
            | Self::Unauthorised
            | Self::Forbidden
            | Self::RateNoWord
            | Self::RateSoon
            | Self::RateAbsurd
            | Self::Stranger
            | Self::DiesOnTheWay => Reaches::Unheard,
            Self::DoneLate => Reaches::DoneLate,
            Self::None
            | Self::Slow
            | Self::DroppedAfter
            | Self::TimedOutAfter
            | Self::Truncated
            | Self::Oversized
            | Self::HtmlAfter
            | Self::RedirectAfter
            | Self::ServerErrorAfter
            | Self::OddRefusalAfter
            | Self::ErrorAs200After
            | Self::SuccessAs500
            | Self::Missing
            | Self::Extra
            | Self::Doubled
            | Self::Shuffled
            | Self::OtherEmail
            | Self::DiesBeforeAnswer => Reaches::Done,
        }
    }

    /// Whether the provider says, believably, that it did nothing.
    pub(super) fn declines(self) -> bool {
        match self {
            Self::Unauthorised
            | Self::Forbidden
            | Self::RateNoWord
            | Self::RateSoon
            | Self::RateAbsurd => true,
            Self::None
            | Self::Slow
            | Self::NoName
            | Self::NoConnection
            | Self::BadCertificate
            | Self::DroppedBefore
            | Self::DroppedAfter
            | Self::TimedOutAfter
            | Self::DoneLate
            | Self::Truncated
            | Self::Oversized
            | Self::HtmlBefore
            | Self::HtmlAfter
            | Self::RedirectBefore
            | Self::RedirectAfter
            | Self::ServerErrorBefore
            | Self::ServerErrorAfter
            | Self::OddRefusalBefore
            | Self::OddRefusalAfter
            | Self::ErrorAs200After
            | Self::SuccessAs500
            | Self::BadRequest
            | Self::Missing
            | Self::Extra
            | Self::Doubled
            | Self::Shuffled
            | Self::Stranger
            | Self::OtherEmail
            | Self::DiesOnTheWay
            | Self::DiesBeforeAnswer => false,
        }
    }

    /// The wait its answer asks for, as a client reads it.
    pub(super) fn asks(self) -> Option<Duration> {
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others ask for nothing")]
        match self {
            Self::RateSoon => Some(Duration::from_secs(45)),
            // The client cuts what is absurd to this.
            Self::RateAbsurd => Some(Duration::from_secs(3600)),
            _ => None,
        }
    }
}

/// The answer as it arrives; `stranger` is a contract of somebody else.
pub(super) fn answer(
    fault: Fault,
    reply: Option<Reply>,
    refusal: u16,
    stranger: Vec<Contract>,
    dice: &mut StdRng,
) -> Result<Answer<Vec<Contract>>, ApiError> {
    let unreadable = |status, reason| {
        Err(ApiError::Unreadable {
            status,
            reason,
            retry_after: None,
        })
    };
    match fault {
        Fault::NoName => Err(ApiError::NotSent(NotSent::Name)),
        Fault::NoConnection => Err(ApiError::NotSent(NotSent::Connect)),
        Fault::BadCertificate => Err(ApiError::NotSent(NotSent::Tls)),
        Fault::DroppedBefore
        | Fault::DroppedAfter
        | Fault::DiesOnTheWay
        | Fault::DiesBeforeAnswer => Err(ApiError::NoAnswer(NoAnswer::Broken)),
        Fault::TimedOutAfter | Fault::DoneLate => Err(ApiError::NoAnswer(NoAnswer::Timeout)),
        Fault::Truncated | Fault::HtmlBefore | Fault::HtmlAfter => {
            unreadable(200, Unreadable::NotJson)
        }
        Fault::Oversized => unreadable(200, Unreadable::Oversized),
        Fault::RedirectBefore | Fault::RedirectAfter => unreadable(302, Unreadable::Redirect),
        Fault::SuccessAs500 => unreadable(500, Unreadable::Contradiction),
        Fault::ServerErrorBefore | Fault::ServerErrorAfter => Err(refused(
            [500, 502, 503][dice.random_range(0..3)],
            "InternalException",
            None,
        )),
        Fault::OddRefusalBefore | Fault::OddRefusalAfter => Err(refused(
            [400, 408, 409][dice.random_range(0..3)],
            "StateException",
            None,
        )),
        Fault::ErrorAs200After => Err(refused(200, "InternalException", None)),
        Fault::BadRequest => Err(refused(400, "BadRequestException", None)),
        Fault::Unauthorised => Err(refused(401, "UnauthorizedException", None)),
        Fault::Forbidden => Err(refused(403, "ForbiddenException", None)),
        // A proxy's page counts as much as the service's own words.
        Fault::RateNoWord | Fault::RateSoon | Fault::RateAbsurd if dice.random() => {
            Err(ApiError::Unreadable {
                status: 429,
                reason: Unreadable::NotJson,
                retry_after: fault.asks(),
            })
        }
        Fault::RateNoWord | Fault::RateSoon | Fault::RateAbsurd => {
            Err(refused(429, "TooManyRequestsException", fault.asks()))
        }
        Fault::Stranger => made(stranger),
        Fault::None
        | Fault::Slow
        | Fault::Missing
        | Fault::Extra
        | Fault::Doubled
        | Fault::Shuffled
        | Fault::OtherEmail => match reply {
            Some(Reply::Made(contracts)) => made(bent(fault, contracts, stranger, dice)),
            Some(Reply::Refused) => Err(refused(refusal, "BadRequestException", None)),
            Some(Reply::Conflict) => Err(refused(409, "ConflictException", None)),
            // Given up by the provider.
            None => Err(ApiError::NoAnswer(NoAnswer::Broken)),
        },
    }
}

fn bent(
    fault: Fault,
    mut contracts: Vec<Contract>,
    stranger: Vec<Contract>,
    dice: &mut StdRng,
) -> Vec<Contract> {
    // Nothing is known of an order, so there is none.
    contracts.shuffle(dice);
    #[allow(clippy::wildcard_enum_match_arm, reason = "the others bend nothing")]
    match fault {
        Fault::Missing => drop(contracts.pop()),
        Fault::Extra => contracts.extend(stranger),
        Fault::Doubled => contracts.extend(contracts.first().cloned()),
        Fault::OtherEmail => {
            if let Some(first) = contracts.first_mut() {
                first.customer.email = Personal::new("changed@sample.invalid");
            }
        }
        _ => {}
    }
    contracts
}

fn made(value: Vec<Contract>) -> Result<Answer<Vec<Contract>>, ApiError> {
    Ok(Answer { status: 201, value })
}

pub(super) fn refused(status: u16, code: &str, retry_after: Option<Duration>) -> ApiError {
    ApiError::Refused {
        status,
        error: ServiceError {
            request_id: "simulated".to_owned(),
            code: code.to_owned(),
            error: "simulated".to_owned(),
        },
        retry_after,
    }
}
