//! What each fault sends, and whether the operation ran.

use std::time::{Duration, Instant};

use serde_json::Value;
use warranty_sandbox::{Action, Operation, Sandbox};

use crate::client::{Call, Reply, behaving, bulk, fault, named, plain, sale, sold};

async fn with_fault(action: Action) -> (Sandbox, Call) {
    let sandbox = plain().await;
    sandbox.script(fault(Operation::BulkCreateContracts, action));
    let call = bulk(&sandbox, &[sale("T-1")]);
    (sandbox, call)
}

/// What arrived for a sale, in words.
fn described(bytes: &[u8]) -> String {
    let Some(reply) = Reply::parse(bytes) else {
        return if bytes.is_empty() {
            "nothing"
        } else {
            "no HTTP"
        }
        .to_owned();
    };
    let body = match serde_json::from_slice::<Value>(&reply.body) {
        Ok(body) if body["requestId"].is_string() => "an error object".to_owned(),
        Ok(body) if body[0]["transactionId"] == "T-1" => format!("{} bytes", reply.body.len()),
        Ok(body) => body.to_string(),
        Err(_) if reply.body.starts_with(b"<!DOCTYPE html>") => "a page".to_owned(),
        Err(_) if reply.body.is_empty() => "empty".to_owned(),
        Err(_) if reply.body.len() < reply.promised_length() => "cut".to_owned(),
        Err(_) => "broken".to_owned(),
    };
    let header = ["location", "retry-after"].map(|name| reply.header(name).unwrap_or_default());
    format!("{} {body} {}", reply.status, header.concat())
}

#[tokio::test]
async fn each_fault_is_used_once_answers_in_its_own_way_and_sells_by_its_moment() {
    let status = |status, retry_after: Option<&str>, after_commit| Action::Status {
        status,
        retry_after: retry_after.map(str::to_owned),
        after_commit,
    };
    let date = "Wed, 21 Oct 2026 07:28:00 GMT";
    let verbatim = |status, headers, body: &str, after_commit| Action::Verbatim {
        status,
        content_type: "text/html".to_owned(),
        headers,
        body: body.to_owned(),
        after_commit,
    };
    let elsewhere = "https://elsewhere.sample.invalid/".to_owned();
    let location = vec![("location".to_owned(), elsewhere)];
    let mut faults = vec![
        (Action::DropBeforeCommit, "nothing".to_owned(), 0),
        (Action::DropAfterCommit, "nothing".to_owned(), 1),
        (
            status(401, None, false),
            "401 an error object ".to_owned(),
            0,
        ),
        (
            status(429, Some("7"), false),
            "429 an error object 7".to_owned(),
            0,
        ),
        (
            status(429, Some(date), false),
            format!("429 an error object {date}"),
            0,
        ),
        (
            Action::Oversize { bytes: 3 << 20 },
            format!("200 {} bytes ", 3 << 20),
            1,
        ),
        (
            verbatim(307, location, "", false),
            "307 empty https://elsewhere.sample.invalid/".to_owned(),
            0,
        ),
    ];
    for (after_commit, sales) in [(false, 0), (true, 1)] {
        faults.extend([
            (Action::Reset { after_commit }, "nothing".to_owned(), sales),
            (
                status(502, None, after_commit),
                "502 an error object ".to_owned(),
                sales,
            ),
            (
                verbatim(200, Vec::new(), "<!DOCTYPE html>", after_commit),
                "200 a page ".to_owned(),
                sales,
            ),
        ]);
    }
    for (action, seen, sales) in faults {
        let (sandbox, call) = with_fault(action.clone()).await;
        assert_eq!(described(&call.wire().await), seen, "{action:?}");
        assert_eq!(sold(&sandbox).await.len(), sales, "{action:?}");
        call.success().await;
    }
    for (name, seen) in [
        ("head-cut", None),
        ("not-http", None),
        ("invalid-chunks", None),
        ("length-too-short", None),
        ("body-reset", None),
        ("body-cut", Some("200 cut ")),
        ("body-broken", Some("200 broken ")),
    ] {
        let sandbox = named(name).await;
        let call = bulk(&sandbox, &[sale("T-1")]);
        let arrived = described(&call.wire().await);
        assert_ne!(arrived, "nothing", "{name}");
        assert!(seen.is_none_or(|seen| arrived == seen), "{name} {arrived}");
        assert_eq!(sold(&sandbox).await, ["T-1"], "{name}");
    }
}

#[tokio::test]
async fn the_operation_continues_when_the_client_disconnects() {
    let sandbox = behaving(|it| it.latency_ms = 1_000).await;
    let call = bulk(&sandbox, &[sale("T-1")]);
    let arrived = async {
        while sandbox.requests().is_empty() {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        _ = call.wire() => panic!("it is answered first"),
        () = arrived => {}
    }
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
async fn interim_responses_come_before_the_answer() {
    let sandbox = named("interim-flood").await;
    let bytes = bulk(&sandbox, &[sale("T-1")]).wire().await;
    let text = String::from_utf8(bytes).unwrap();
    assert_eq!(text.matches("HTTP/1.1 103 ").count(), 1000);
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
