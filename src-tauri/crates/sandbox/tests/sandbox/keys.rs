//! Idempotency keys under each policy, checked against the ledger.

use std::time::{Duration, Instant};

use serde_json::json;
use warranty_sandbox::{KeyPolicy, Sandbox};

use crate::client::{behaving, bulk, named, plain, sale, sold};

async fn under(key_policy: KeyPolicy) -> Sandbox {
    behaving(|it| it.key_policy = key_policy).await
}

#[tokio::test]
async fn the_same_key_gets_the_stored_answer_and_sells_once() {
    let sandbox = plain().await;
    let call = bulk(&sandbox, &[sale("T-1"), sale("T-2")]).key("k");
    let first = call.success().await;
    assert_eq!(call.success().await, first);
    assert_eq!(sold(&sandbox).await, ["T-1", "T-2"]);
    call.without("x-idempotency-key").success().await;
    assert_eq!(
        sold(&sandbox).await.len(),
        4,
        "without a key nothing is replayed"
    );
}

#[tokio::test]
async fn a_stored_error_is_replayed_unless_only_successes_are_stored() {
    for (policy, replayed) in [
        (KeyPolicy::ReplayAll, true),
        (KeyPolicy::SuccessesOnly, false),
    ] {
        let sandbox = under(policy).await;
        let mut item = sale("T-1");
        item["product"]["referenceId"] = json!("none");
        let call = bulk(&sandbox, &[item]).key("k");
        let first = call.send().await;
        let second = call.send().await;
        first.refused(400);
        second.refused(400);
        let same_answer = first.json()["requestId"] == second.json()["requestId"];
        assert_eq!(same_answer, replayed, "{policy:?}");
    }
}

#[tokio::test]
async fn a_changed_body_under_a_known_key_is_treated_by_policy() {
    for (policy, status, expected) in [
        (KeyPolicy::ReplayAll, 200, vec!["T-1", "T-2"]),
        (KeyPolicy::BodyBlind, 200, vec!["T-1"]),
        (KeyPolicy::RefuseChangedBody, 409, vec!["T-1"]),
    ] {
        let sandbox = under(policy).await;
        bulk(&sandbox, &[sale("T-1")]).key("k").success().await;
        let changed = bulk(&sandbox, &[sale("T-2")]).key("k").send().await;
        assert_eq!(changed.status, status, "{policy:?}");
        assert_eq!(sold(&sandbox).await, expected, "{policy:?}");
        bulk(&sandbox, &[sale("T-1")]).key("k").success().await;
        assert_eq!(sold(&sandbox).await, expected, "{policy:?}");
    }
}

#[tokio::test]
async fn ignored_keys_sell_again() {
    let sandbox = under(KeyPolicy::Ignore).await;
    let call = bulk(&sandbox, &[sale("T-1")]).key("k");
    call.success().await;
    call.success().await;
    assert_eq!(sold(&sandbox).await, ["T-1", "T-1"]);
}

#[tokio::test]
async fn a_forgotten_key_sells_again() {
    let sandbox = under(KeyPolicy::ForgetAfter(300)).await;
    let call = bulk(&sandbox, &[sale("T-1")]).key("k");
    let first = Instant::now();
    call.success().await;
    while sold(&sandbox).await.len() < 2 {
        call.success().await;
        assert!(first.elapsed() < Duration::from_secs(20), "never forgotten");
    }
    assert!(
        first.elapsed() >= Duration::from_millis(300),
        "forgotten too early"
    );
}

#[tokio::test]
async fn a_repeat_in_progress_is_a_conflict_and_later_a_replay() {
    let sandbox = named("keys-conflict-in-progress").await;
    let call = bulk(&sandbox, &[sale("T-1")]).key("k");
    let first = tokio::spawn({
        let call = call.clone();
        async move { call.send().await }
    });
    let deadline = Instant::now() + Duration::from_secs(20);
    while sold(&sandbox).await.is_empty() {
        assert!(Instant::now() < deadline, "never sold");
        tokio::task::yield_now().await;
    }
    assert_eq!(call.refused(409).await.0, "ConflictException");
    let first = first.await.unwrap().success();
    assert_eq!(call.success().await, first);
    assert_eq!(sold(&sandbox).await, ["T-1"]);
}
