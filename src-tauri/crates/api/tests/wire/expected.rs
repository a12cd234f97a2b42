//! What the client must make of each fault. Written by hand, fault by fault: a fault without a line here is a
//! failing test.

use warranty_api::{Error, NoAnswer, Unreadable};

/// What comes of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Accepted,
    Refused(u16),
    Unreadable(u16, Unreadable),
    Silent(NoAnswer),
    NotSent,
}

impl Outcome {
    pub fn of(result: &Result<u16, Error>) -> Self {
        match result {
            Ok(_) => Self::Accepted,
            Err(Error::Refused { status, .. }) => Self::Refused(*status),
            Err(Error::Unreadable { status, reason, .. }) => Self::Unreadable(*status, *reason),
            Err(Error::NoAnswer(how)) => Self::Silent(*how),
            Err(Error::NotSent(_)) => Self::NotSent,
        }
    }
}

/// Faults that last as long as the client's patience.
pub fn lasts(name: &str) -> bool {
    expected(name) == Some(Outcome::Silent(NoAnswer::Timeout))
}

pub fn expected(name: &str) -> Option<Outcome> {
    use Outcome::{Accepted, Refused, Silent, Unreadable as Bad};
    use Unreadable::{Contradiction, NotJson, OtherShape, Oversized, Redirect};
    let broken = Silent(NoAnswer::Broken);
    let late = Silent(NoAnswer::Timeout);
    Some(match name {
        "redirect-300" => Bad(300, Redirect),
        "redirect-301" => Bad(301, Redirect),
        "redirect-302" | "redirect-without-location" => Bad(302, Redirect),
        "redirect-303" | "redirect-after-commit" => Bad(303, Redirect),
        "redirect-304" => Bad(304, Redirect),
        "redirect-307"
        | "redirect-insecure"
        | "redirect-relative"
        | "redirect-to-itself"
        | "redirect-protocol-relative" => Bad(307, Redirect),
        "redirect-308" | "redirect-same-host" => Bad(308, Redirect),
        "redirect-by-page" | "portal-page" | "portal-page-after-commit" => Bad(200, NotJson),
        "refused-200" => Refused(200),
        "refused-400" => Refused(400),
        "refused-401" => Refused(401),
        "refused-403" => Refused(403),
        "refused-408" => Refused(408),
        "refused-429"
        | "refused-429-seconds"
        | "refused-429-date"
        | "refused-429-past-date"
        | "refused-429-negative"
        | "refused-429-huge"
        | "refused-429-garbage" => Refused(429),
        "refused-500" | "refused-500-after-commit" => Refused(500),
        "refused-502" => Refused(502),
        "refused-503" => Refused(503),
        "proxy-page-407" => Bad(407, NotJson),
        "gateway-page-502" => Bad(502, NotJson),
        "empty-204" => Bad(204, NotJson),
        "empty-object" | "null" => Bad(200, OtherShape),
        "half-an-error-object" => Bad(400, OtherShape),
        "closed-before-commit"
        | "closed-after-commit"
        | "reset-before-commit"
        | "reset-after-commit"
        | "body-cut"
        | "body-missing"
        | "body-reset"
        | "head-cut"
        | "not-http"
        | "status-1000"
        | "length-not-a-number"
        | "two-lengths"
        | "invalid-chunks"
        | "chunks-without-end"
        | "head-without-end"
        | "header-flood" => broken,
        "body-broken" | "gzip-cut" => Bad(200, NotJson),
        "just-too-much" | "body-without-end" | "gzip-bomb" => Bad(200, Oversized),
        "just-enough" | "gzip" => Accepted,
        "silence"
        | "silence-after-head"
        | "silence-in-body"
        | "head-drip"
        | "body-drip"
        | "interim-without-end" => late,
        "interim-flood" => Accepted,
        "status-999" => Bad(999, Contradiction),
        "length-too-short" | "invalid-utf8" | "utf-16" | "deep-nesting" | "no-body" => {
            Bad(200, NotJson)
        }
        "length-and-chunks" | "byte-order-mark" | "duplicate-keys" | "wrong-content-type"
        | "second-answer" | "close-after" | "reset-after" => Accepted,
        _ => return None,
    })
}
