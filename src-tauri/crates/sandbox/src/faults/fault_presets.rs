//! The named faults. Each has a personality of the same name that applies it to every request, and tests go
//! through all of them. Data only.

use super::{action::Action, wire_faults::WireFault};

/// One byte more than a client with a limit of 2 MiB reads.
const JUST_TOO_MUCH: usize = 2 * 1024 * 1024 + 1;

/// Target of redirects. The name is reserved and never resolves.
const ELSEWHERE: &str = "https://elsewhere.sample.invalid/v1/plans";

/// Every named fault, with its name.
pub fn named_faults() -> Vec<(&'static str, Action)> {
    let mut faults = redirects();
    faults.extend(error_statuses());
    faults.extend(unexpected_bodies());
    faults.extend(lost_answers());
    faults.extend(wire_faults());
    faults
}

fn redirects() -> Vec<(&'static str, Action)> {
    let redirect = |status, location: &str| Action::Redirect {
        status,
        location: location.to_owned(),
        after_commit: false,
    };
    vec![
        ("redirect-300", redirect(300, ELSEWHERE)),
        ("redirect-301", redirect(301, ELSEWHERE)),
        ("redirect-302", redirect(302, ELSEWHERE)),
        ("redirect-303", redirect(303, ELSEWHERE)),
        ("redirect-304", redirect(304, "")),
        ("redirect-307", redirect(307, ELSEWHERE)),
        ("redirect-308", redirect(308, ELSEWHERE)),
        (
            "redirect-insecure",
            redirect(307, "http://elsewhere.sample.invalid/v1/plans"),
        ),
        ("redirect-relative", redirect(307, "../v1/contracts/bulk")),
        // A fragment alone resolves to the address of the request.
        ("redirect-to-itself", redirect(307, "#")),
        ("redirect-same-host", redirect(308, "/v1/contracts/bulk")),
        (
            "redirect-protocol-relative",
            redirect(307, "//elsewhere.sample.invalid/v1/plans"),
        ),
        ("redirect-without-location", redirect(302, "")),
        (
            "redirect-after-commit",
            Action::Redirect {
                status: 303,
                location: ELSEWHERE.to_owned(),
                after_commit: true,
            },
        ),
        (
            "redirect-by-page",
            Action::Verbatim {
                status: 200,
                content_type: "text/html".to_owned(),
                headers: Vec::new(),
                body: format!(
                    "<html><head><meta http-equiv=\"refresh\" content=\"0;url={ELSEWHERE}\"></head></html>"
                ),
                after_commit: false,
            },
        ),
    ]
}

fn error_statuses() -> Vec<(&'static str, Action)> {
    let wait = |value: Option<&str>| Action::TooManyRequests {
        retry_after: value.map(str::to_owned),
    };
    let status = |status, after_commit| Action::Status {
        status,
        after_commit,
    };
    vec![
        ("refused-400", status(400, false)),
        ("refused-401", Action::Unauthorized),
        ("refused-403", Action::Forbidden),
        ("refused-408", status(408, false)),
        ("refused-429", wait(None)),
        ("refused-429-seconds", wait(Some("2"))),
        (
            "refused-429-date",
            wait(Some("Fri, 31 Dec 9999 23:59:59 GMT")),
        ),
        (
            "refused-429-past-date",
            wait(Some("Fri, 31 Dec 1999 23:59:59 GMT")),
        ),
        ("refused-429-negative", wait(Some("-1"))),
        ("refused-429-huge", wait(Some("1000000000000"))),
        ("refused-429-garbage", wait(Some("soon; =1+1 \"x\""))),
        ("refused-200", status(200, false)),
        ("refused-500", status(500, false)),
        ("refused-502", status(502, false)),
        ("refused-503", status(503, false)),
        ("refused-500-after-commit", status(500, true)),
    ]
}

fn unexpected_bodies() -> Vec<(&'static str, Action)> {
    let verbatim = |status, content_type: &str, body: &str| Action::Verbatim {
        status,
        content_type: content_type.to_owned(),
        headers: Vec::new(),
        body: body.to_owned(),
        after_commit: false,
    };
    vec![
        (
            "portal-page",
            Action::HtmlWith200 {
                after_commit: false,
            },
        ),
        (
            "portal-page-after-commit",
            Action::HtmlWith200 { after_commit: true },
        ),
        (
            "proxy-page-407",
            verbatim(407, "text/html", "<h1>Proxy Authentication Required</h1>"),
        ),
        (
            "gateway-page-502",
            verbatim(502, "text/html", "<h1>Bad Gateway</h1>"),
        ),
        ("empty-204", verbatim(204, "application/json", "")),
        ("empty-object", verbatim(200, "application/json", "{}")),
        ("null", verbatim(200, "application/json", "null")),
        (
            "half-an-error-object",
            verbatim(400, "application/json", r#"{"code":"BadRequestException"}"#),
        ),
    ]
}

fn lost_answers() -> Vec<(&'static str, Action)> {
    let truncated = |keep_percent, honest_length| Action::Truncate {
        keep_percent,
        honest_length,
    };
    vec![
        ("closed-before-commit", Action::DropBeforeCommit),
        ("closed-after-commit", Action::DropAfterCommit),
        (
            "reset-before-commit",
            Action::Reset {
                after_commit: false,
            },
        ),
        ("reset-after-commit", Action::Reset { after_commit: true }),
        ("body-cut", truncated(50, false)),
        ("body-missing", truncated(0, false)),
        ("body-broken", truncated(50, true)),
        (
            "just-too-much",
            Action::Oversize {
                bytes: JUST_TOO_MUCH,
            },
        ),
        (
            "just-enough",
            Action::Oversize {
                bytes: JUST_TOO_MUCH - 1,
            },
        ),
        (
            "body-drip",
            Action::SlowDrip {
                chunk_bytes: 1,
                pause_ms: 100,
            },
        ),
    ]
}

fn wire_faults() -> Vec<(&'static str, Action)> {
    let kinds = vec![
        ("silence", WireFault::Silence),
        ("silence-after-head", WireFault::SilenceAfterHead),
        ("silence-in-body", WireFault::SilenceInBody),
        ("head-drip", WireFault::HeadDrip { pause_ms: 200 }),
        ("head-cut", WireFault::HeadCut),
        ("head-without-end", WireFault::HeadWithoutEnd),
        ("header-flood", WireFault::HeaderFlood { count: 5_000 }),
        (
            "interim-flood",
            WireFault::InterimFlood { count: Some(1_000) },
        ),
        (
            "interim-without-end",
            WireFault::InterimFlood { count: None },
        ),
        ("status-999", WireFault::Status { status: 999 }),
        ("status-1000", WireFault::Status { status: 1000 }),
        ("not-http", WireFault::NotHttp),
        ("body-reset", WireFault::BodyReset),
        ("body-without-end", WireFault::BodyWithoutEnd),
        ("length-too-short", WireFault::LengthTooShort),
        ("length-not-a-number", WireFault::LengthNotANumber),
        ("two-lengths", WireFault::TwoLengths),
        ("length-and-chunks", WireFault::LengthAndChunks),
        ("invalid-chunks", WireFault::InvalidChunks),
        ("chunks-without-end", WireFault::ChunksWithoutEnd),
        ("gzip", WireFault::Gzip),
        ("gzip-cut", WireFault::GzipCut),
        ("gzip-bomb", WireFault::GzipBomb),
        ("invalid-utf8", WireFault::InvalidUtf8),
        ("utf-16", WireFault::Utf16),
        ("byte-order-mark", WireFault::ByteOrderMark),
        ("deep-nesting", WireFault::DeepNesting { levels: 100_000 }),
        ("duplicate-keys", WireFault::DuplicateKeys),
        (
            "wrong-content-type",
            WireFault::ContentType {
                value: "text/plain; charset=shift_jis".to_owned(),
            },
        ),
        ("no-body", WireFault::NoBody),
        ("second-answer", WireFault::SecondAnswer),
        ("close-after", WireFault::CloseAfter),
        ("reset-after", WireFault::ResetAfter),
    ];
    let wire = |(name, fault)| (name, Action::Wire { fault });
    kinds.into_iter().map(wire).collect()
}
