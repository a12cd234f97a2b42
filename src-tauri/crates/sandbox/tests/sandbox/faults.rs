//! What each fault sends, and whether the operation ran.

use std::time::{Duration, Instant};

use warranty_sandbox::{Action, Operation, Personality, Sandbox, WireFault, named_faults};

use crate::client::{Call, bulk, fault, named, plain, sale, sandbox, sold};

async fn with_fault(action: Action) -> (Sandbox, Call) {
    let sandbox = plain().await;
    sandbox.script(fault(Operation::BulkCreateContracts, action));
    let call = bulk(&sandbox, &[sale("T-1")]);
    (sandbox, call)
}

#[tokio::test]
async fn a_dropped_or_reset_request_answers_nothing_and_sells_by_its_moment() {
    for (action, sales) in [
        (Action::DropBeforeCommit, 0),
        (Action::DropAfterCommit, 1),
        (
            Action::Reset {
                after_commit: false,
            },
            0,
        ),
        (Action::Reset { after_commit: true }, 1),
    ] {
        let (sandbox, call) = with_fault(action.clone()).await;
        assert!(call.wire().await.is_empty(), "{action:?}");
        assert_eq!(sold(&sandbox).await.len(), sales, "{action:?}");
        // The fault is used up.
        call.success().await;
    }
}

#[tokio::test]
async fn a_server_error_is_an_error_object_before_or_after_the_commit() {
    for (after_commit, sales) in [(false, 0), (true, 1)] {
        let status = 502;
        let (sandbox, call) = with_fault(Action::Status {
            status,
            after_commit,
        })
        .await;
        call.refused(502).await;
        assert_eq!(sold(&sandbox).await.len(), sales);
    }
}

#[tokio::test]
async fn html_arrives_with_200() {
    for (after_commit, expected) in [(false, 0), (true, 1)] {
        let (sandbox, call) = with_fault(Action::HtmlWith200 { after_commit }).await;
        let reply = call.send().await;
        assert_eq!(reply.status, 200);
        assert_eq!(
            reply.header("content-type"),
            Some("text/html; charset=utf-8")
        );
        assert!(reply.body.starts_with(b"<!DOCTYPE html>"));
        assert_eq!(sold(&sandbox).await.len(), expected);
    }
}

#[tokio::test]
async fn a_redirect_names_its_target() {
    let (sandbox, call) = with_fault(Action::Redirect {
        status: 307,
        location: "https://elsewhere.sample.invalid/".to_owned(),
        after_commit: false,
    })
    .await;
    let reply = call.send().await;
    assert_eq!(reply.status, 307);
    assert_eq!(
        reply.header("location"),
        Some("https://elsewhere.sample.invalid/")
    );
    assert!(sold(&sandbox).await.is_empty());
}

#[tokio::test]
async fn a_truncated_answer_is_broken_as_json_and_only_to_http_if_its_length_is_not_honest() {
    for honest_length in [false, true] {
        let keep_percent = 50;
        let truncate = Action::Truncate {
            keep_percent,
            honest_length,
        };
        let (sandbox, call) = with_fault(truncate).await;
        let reply = call.send().await;
        assert_eq!(reply.status, 200);
        assert!(!reply.body.is_empty());
        assert!(serde_json::from_slice::<serde_json::Value>(&reply.body).is_err());
        assert_eq!(reply.body.len() == reply.promised_length(), honest_length);
        assert!(reply.body.len() <= reply.promised_length());
        assert_eq!(sold(&sandbox).await, ["T-1"]);
    }
}

#[tokio::test]
async fn an_oversized_answer_is_valid_and_as_long_as_asked() {
    let bytes = 3 * 1024 * 1024;
    let (sandbox, call) = with_fault(Action::Oversize { bytes }).await;
    let reply = call.send().await;
    assert_eq!(reply.body.len(), bytes);
    assert_eq!(reply.success()[0]["transactionId"], "T-1");
    assert_eq!(sold(&sandbox).await, ["T-1"]);
}

#[tokio::test]
async fn a_dripping_answer_arrives_whole_and_late() {
    let (_sandbox, call) = with_fault(Action::SlowDrip {
        chunk_bytes: 256,
        pause_ms: 60,
    })
    .await;
    let start = Instant::now();
    let reply = call.send().await;
    assert_eq!(reply.success()[0]["transactionId"], "T-1");
    let pieces = u32::try_from(reply.body.len().div_ceil(256)).unwrap();
    assert!(start.elapsed() >= Duration::from_millis(60) * pieces);
}

#[tokio::test]
async fn unauthorized_and_too_many_requests_are_error_objects_and_nothing_is_done() {
    let (sandbox, call) = with_fault(Action::Unauthorized).await;
    call.refused(401).await;
    for retry_after in [None, Some("7"), Some("Wed, 21 Oct 2026 07:28:00 GMT")] {
        let action = Action::TooManyRequests {
            retry_after: retry_after.map(str::to_owned),
        };
        sandbox.script(fault(Operation::BulkCreateContracts, action));
        let reply = call.send().await;
        reply.refused(429);
        assert_eq!(reply.header("retry-after"), retry_after);
    }
    assert!(sold(&sandbox).await.is_empty());
}

#[tokio::test]
async fn the_operation_continues_when_the_client_disconnects() {
    let sandbox = sandbox(Personality {
        latency_ms: 200,
        ..Personality::default()
    })
    .await;
    let call = bulk(&sandbox, &[sale("T-1")]);
    let disconnected = tokio::time::timeout(Duration::from_millis(50), call.wire()).await;
    assert!(disconnected.is_err());
    let deadline = Instant::now() + Duration::from_secs(20);
    while sold(&sandbox).await.is_empty() {
        assert!(
            Instant::now() < deadline,
            "the work ended with the connection"
        );
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn every_named_fault_is_a_personality_and_the_service_survives_it() {
    for (name, action) in named_faults() {
        let personality = Personality::named(name).unwrap();
        assert_eq!(personality.faults.len(), 1, "{name}");
        assert_eq!(personality.faults[0].action, action, "{name}");
    }
    let sandbox = plain().await;
    for (name, action) in named_faults() {
        sandbox.script(fault(Operation::BulkCreateContracts, action));
        let call = bulk(&sandbox, &[sale(name)]);
        // Some never end.
        let _ = tokio::time::timeout(Duration::from_millis(100), call.wire()).await;
    }
    bulk(&sandbox, &[sale("after")]).success().await;
}

#[tokio::test]
async fn a_wire_fault_damages_the_answer_of_an_operation_that_ran() {
    for fault in [
        WireFault::HeadCut,
        WireFault::NotHttp,
        WireFault::InvalidChunks,
        WireFault::LengthTooShort,
        WireFault::BodyReset,
    ] {
        let (sandbox, call) = with_fault(Action::Wire {
            fault: fault.clone(),
        })
        .await;
        assert!(!call.wire().await.is_empty(), "{fault:?}");
        assert_eq!(sold(&sandbox).await, ["T-1"], "{fault:?}");
    }
}

#[tokio::test]
async fn interim_responses_come_before_the_answer() {
    let fault = WireFault::InterimFlood { count: Some(3) };
    let (_sandbox, call) = with_fault(Action::Wire { fault }).await;
    let text = String::from_utf8(call.wire().await).unwrap();
    assert_eq!(text.matches("HTTP/1.1 103 ").count(), 3);
    assert_eq!(text.matches("HTTP/1.1 200 ").count(), 1);
}

#[tokio::test]
async fn a_token_may_be_revoked_in_the_middle() {
    let sandbox = named("token-revoked").await;
    for number in 0..3 {
        bulk(&sandbox, &[sale(&format!("T-{number}"))])
            .success()
            .await;
    }
    bulk(&sandbox, &[sale("T-3")]).refused(401).await;
    assert_eq!(sold(&sandbox).await.len(), 3);
}
