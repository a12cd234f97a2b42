//! What can befall a request and its answer, by name, so that it can be counted whether all of it
//! was met.

use std::time::Duration;

use rand::Rng as _;
use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;
use warranty_api::{
    Answer, BulkContracts, Contract, Error as ApiError, NoAnswer, NotSent, Personal, Unreadable,
};

use super::provider::Reply;
use crate::outbox::samples::{refused, unreadable};

/// What befalls one request to create, in words, and how far the request gets.
macro_rules! faults {
    ($($fault:ident $reaches:ident,)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Fault {
            $($fault,)*
        }

        /// All of them.
        pub(super) const FAULTS: &[Fault] = &[$(Fault::$fault,)*];

        impl Fault {
            pub(super) fn reaches(self) -> Reaches {
                match self {
                    $(Self::$fault => Reaches::$reaches,)*
                }
            }
        }
    };
}

faults! {
    None Done, Slow Done, NoName Nowhere, NoConnection Nowhere, BadCertificate Nowhere,
    DroppedBefore Unheard, DroppedAfter Done, TimedOutAfter Done, DoneLate DoneLate, Truncated Done,
    Oversized Done, HtmlBefore Unheard, HtmlAfter Done, RedirectBefore Unheard, RedirectAfter Done,
    ServerErrorBefore Unheard, ServerErrorAfter Done, OddRefusalBefore Unheard,
    OddRefusalAfter Done, ErrorAs200After Done, SuccessAs500 Done, BadRequest Unheard,
    Unauthorised Unheard, Forbidden Unheard, RateNoWord Unheard, RateSoon Unheard,
    RateAbsurd Unheard, Missing Done, Extra Done, Doubled Done, Shuffled Done, Stranger Unheard,
    OtherEmail Done, DiesOnTheWay Unheard, DiesBeforeAnswer Done,
}

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

    /// Whether the provider says, believably, that it did nothing.
    pub(super) fn declines(self) -> bool {
        matches!(
            self,
            Self::Unauthorised
                | Self::Forbidden
                | Self::RateNoWord
                | Self::RateSoon
                | Self::RateAbsurd
        )
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
) -> Result<Answer<BulkContracts>, ApiError> {
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
            Err(unreadable(200, Unreadable::NotJson, None))
        }
        Fault::Oversized => Err(unreadable(200, Unreadable::Oversized, None)),
        Fault::RedirectBefore | Fault::RedirectAfter => {
            Err(unreadable(302, Unreadable::Redirect, None))
        }
        Fault::SuccessAs500 => Err(unreadable(500, Unreadable::Contradiction, None)),
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
            Err(unreadable(429, Unreadable::NotJson, fault.asks()))
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
                first.customer.email = Some(Personal::new("changed@sample.invalid"));
            }
        }
        _ => {}
    }
    contracts
}

fn made(contracts: Vec<Contract>) -> Result<Answer<BulkContracts>, ApiError> {
    let value = contracts.into_iter().map(Some).collect();
    Ok(Answer { status: 201, value })
}
