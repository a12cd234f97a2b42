//! The named personalities, and the rules of personalities.

use serde_json::{Value, json};
use warranty_sandbox::{
    Action, ErrorStatus, Operation, Personality, Rule, When, named_faults, sample,
};

use crate::client::{behaving, bulk, get, list, named, request, sale, sold};

fn transactions(contracts: &Value) -> Vec<&str> {
    let contracts = contracts.as_array().unwrap().iter();
    contracts
        .map(|contract| contract["transactionId"].as_str().unwrap())
        .collect()
}

fn sales(count: usize) -> Vec<Value> {
    (0..count)
        .map(|number| sale(&format!("T-{number}")))
        .collect()
}

#[test]
fn every_listed_name_is_known_and_survives_a_round_trip_through_json() {
    for name in Personality::names() {
        let personality = Personality::named(name).unwrap();
        let text = serde_json::to_string(&personality).unwrap();
        assert_eq!(
            serde_json::from_str::<Personality>(&text).unwrap(),
            personality,
            "{name}"
        );
        assert_eq!(
            name == "default",
            personality == Personality::default(),
            "{name}"
        );
    }
    for (name, action) in named_faults() {
        let personality = Personality::named(name).unwrap();
        assert_eq!(personality.faults.len(), 1, "{name}");
        assert_eq!(personality.faults[0].action, action, "{name}");
    }
}

#[tokio::test]
async fn dropped_answer_loses_the_first_answer_of_each_kind_and_gives_the_second() {
    let sandbox = named("dropped-answer").await;
    let call = bulk(&sandbox, &sales(2)).key("k");
    assert!(call.wire().await.is_empty());
    let link = request(
        &sandbox,
        "PUT",
        &format!("/v1/plans/{}", sample::REFRIGERATOR_PLAN_3_YEARS),
    )
    .json(&json!({ "storeReferenceId": "S" }));
    assert!(link.wire().await.is_empty());
    assert_eq!(transactions(&call.success().await), ["T-0", "T-1"]);
    link.success().await;
    assert_eq!(sold(&sandbox).await, ["T-0", "T-1"]);
}

#[tokio::test]
async fn a_personality_that_refuses_sells_nothing_and_wrong_token_lists_plans() {
    for (name, status, listed) in [("server-errors", 503, 503), ("wrong-token", 401, 200)] {
        let sandbox = named(name).await;
        bulk(&sandbox, &sales(1)).refused(status).await;
        get(&sandbox, "/v1/contracts/x").refused(status).await;
        let list = list(&sandbox, sample::PRODUCT_CAMERA, "Any").send().await;
        assert_eq!(list.status, listed, "{name}");
        assert!(sold(&sandbox).await.is_empty(), "{name}");
    }
}

#[tokio::test]
async fn shuffled_answer_lists_everything_in_another_order() {
    let sandbox = named("shuffled-answer").await;
    for count in [2, 3, 10] {
        let listed = bulk(&sandbox, &sales(count)).success().await;
        let sent: Vec<String> = (0..count).map(|number| format!("T-{number}")).collect();
        let mut listed = transactions(&listed);
        assert_ne!(listed, sent);
        listed.sort_by_key(|id| id.len() * 100 + usize::from(id.as_bytes()[2]));
        assert_eq!(listed, sent);
    }
}

#[tokio::test]
async fn errors_may_come_with_any_status_and_keep_their_shape() {
    for status in [200, 422, 500] {
        let sandbox = behaving(|it| it.error_status = ErrorStatus::Always(status)).await;
        get(&sandbox, "/v1/contracts/none").refused(status).await;
        get(&sandbox, "/nowhere").refused(status).await;
    }
}

#[tokio::test]
async fn rules_count_only_their_own_operations() {
    let rule = |when| Rule {
        operations: vec![Operation::GetContract],
        when,
        action: Action::Status {
            status: 401,
            retry_after: None,
            after_commit: false,
        },
    };
    let chance = |percent| When::Probability { percent, seed: 1 };
    for (when, expected) in [
        (When::Always, vec![401, 401, 401, 401, 401]),
        (When::Nth(2), vec![404, 401, 404, 404, 404]),
        (
            When::Every { of: 2, first: 1 },
            vec![401, 404, 401, 404, 401],
        ),
        (
            When::Every { of: 3, first: 2 },
            vec![404, 401, 404, 404, 401],
        ),
        (chance(0), vec![404; 5]),
        (chance(100), vec![401; 5]),
    ] {
        let sandbox = behaving(|it| it.faults = vec![rule(when)]).await;
        let mut seen = Vec::new();
        for _ in 0..5 {
            list(&sandbox, sample::PRODUCT_CAMERA, "Any")
                .success()
                .await;
            seen.push(get(&sandbox, "/v1/contracts/x").send().await.status);
        }
        assert_eq!(seen, expected, "{when:?}");
    }
}

#[tokio::test]
async fn the_same_seed_gives_the_same_faults() {
    let by_half = json!([{"when": {"probability": {"percent": 50, "seed": 42}}, "action": {"status": {"status": 401}}}]);
    let mut runs = Vec::new();
    for _ in 0..2 {
        let faults = serde_json::from_value(by_half.clone()).unwrap();
        let sandbox = behaving(|it| it.faults = faults).await;
        let mut seen = Vec::new();
        for _ in 0..16 {
            seen.push(get(&sandbox, "/v1/contracts/x").send().await.status);
        }
        runs.push(seen);
    }
    assert_eq!(runs[0], runs[1]);
    assert!(runs[0].contains(&401) && runs[0].contains(&404));
}
