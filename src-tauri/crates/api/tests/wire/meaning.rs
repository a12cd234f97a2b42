//! What a whole reply means, on every operation.

use std::time::Duration;

use warranty_api::{Error, ServiceError, Unreadable};

use crate::listener::{Listener, Step, reply, reply_with};
use crate::operations::{Calls as _, ERROR_OBJECT, Operation, call_each, client};

/// How an operation takes each of these bodies with each of these statuses.
async fn answered(
    operation: Operation,
    statuses: &[u16],
    bodies: &[&str],
) -> Vec<(u16, Result<u16, Error>)> {
    let (mut all, mut steps) = (Vec::new(), Vec::new());
    for body in bodies {
        for status in statuses {
            all.push(*status);
            steps.push(Step::Cut(reply(*status, body)));
        }
    }
    let results = call_each(operation, &steps).await;
    all.into_iter().zip(results).collect()
}

#[track_caller]
pub fn assert_unreadable(result: &Result<u16, Error>, status: u16, reason: Unreadable) {
    assert!(
        matches!(result, Err(Error::Unreadable { status: seen, reason: why, .. }) if *seen == status && *why == reason),
        "expected {status} {reason:?}, got {result:?}"
    );
}

#[tokio::test]
async fn every_2xx_with_the_resource_is_an_answer() {
    for operation in Operation::ALL {
        let statuses = [200, 201, 202, 203, 207, 299];
        for (status, result) in answered(operation, &statuses, &[operation.success()]).await {
            assert_eq!(result.unwrap(), status, "{operation:?}");
        }
    }
}

#[tokio::test]
async fn an_error_object_is_a_refusal_whatever_the_status() {
    for operation in Operation::ALL {
        let statuses = [
            200, 201, 302, 400, 401, 403, 404, 408, 409, 421, 422, 425, 429, 500, 502, 503, 504,
        ];
        let with_more = ERROR_OBJECT.replace('{', r#"{"details":{"field":1},"traceId":null,"#);
        for (status, result) in answered(operation, &statuses, &[ERROR_OBJECT, &with_more]).await {
            let Err(Error::Refused {
                status: seen,
                error,
                retry_after: None,
            }) = result
            else {
                panic!("{operation:?} {status}: {result:?}");
            };
            assert_eq!(seen, status);
            assert_eq!(
                error,
                ServiceError {
                    request_id: "req-1".to_owned(),
                    code: "BadRequestException".to_owned(),
                    error: "Product not found: SKU-1".to_owned(),
                }
            );
        }
    }
}

#[tokio::test]
async fn what_only_resembles_an_error_object_refuses_nothing() {
    let bodies = [
        r#"{"code":"c","error":"e"}"#,
        r#"{"requestId":"r","error":"e"}"#,
        r#"{"requestId":"r","code":"c"}"#,
        r#"{"requestId":1,"code":"c","error":"e"}"#,
        r#"{"requestId":"r","code":"c","error":{"message":"e"}}"#,
        r#"{"requestId":"r","code":null,"error":"e"}"#,
        r#"["r","c","e"]"#,
        r#"[{"requestId":"r","code":"c","error":"e"}]"#,
        r#"{"error":{"requestId":"r","code":"c","error":"e"}}"#,
        r#"{"message":"Not Found"}"#,
    ];
    for operation in Operation::ALL {
        for (status, result) in answered(operation, &[200, 400], &bodies).await {
            assert_unreadable(&result, status, Unreadable::OtherShape);
        }
    }
}

#[tokio::test]
async fn what_is_no_json_is_unreadable_with_any_status() {
    let deep = "[".repeat(200) + &"]".repeat(200);
    let bodies = [
        "",
        " ",
        "<!doctype html><title>Sign in</title>",
        "OK",
        "[{]",
        r#"{"plan":{"id":"p-1"}"#,
        r#"{"plan":{"id":"p-1"}} trailing"#,
        &deep,
    ];
    for operation in Operation::ALL {
        for (status, result) in answered(operation, &[200, 404, 502], &bodies).await {
            assert_unreadable(&result, status, Unreadable::NotJson);
        }
    }
}

#[tokio::test]
async fn the_resource_with_a_status_of_failure_is_a_contradiction_and_with_a_redirect_one() {
    for operation in Operation::ALL {
        let statuses = [302, 400, 404, 409, 500];
        for (status, result) in answered(operation, &statuses, &[operation.success()]).await {
            let reason = if status == 302 {
                Unreadable::Redirect
            } else {
                Unreadable::Contradiction
            };
            assert_unreadable(&result, status, reason);
        }
    }
}

#[tokio::test]
async fn a_resource_of_another_operation_is_another_shape() {
    for (operation, body) in [
        (
            Operation::BulkCreateContracts,
            Operation::GetContract.success(),
        ),
        (Operation::BulkCreateContracts, r#"{"contracts":[]}"#),
        (Operation::BulkCreateContracts, "null"),
        (Operation::BulkCreateContracts, r#"[null]"#),
        (Operation::BulkCreateContracts, r#"["c-1"]"#),
        (Operation::BulkCreateContracts, r#"[["c-1"]]"#),
        (Operation::BulkCreateContracts, r#"[{"id":"c-2"}]"#),
        (
            Operation::GetContract,
            Operation::BulkCreateContracts.success(),
        ),
        (Operation::GetContract, "{}"),
        (Operation::GetPlan, Operation::UpdatePlan.success()),
        (Operation::GetPlan, r#"[{"id":"p-1"}]"#),
        (Operation::UpdatePlan, Operation::GetPlan.success()),
        (Operation::UpdatePlan, r#"["p-1"]"#),
        (Operation::ListPlans, Operation::UpdatePlan.success()),
        (Operation::UpsertProduct, "true"),
        (Operation::CreateLead, r#"{"token":7}"#),
    ] {
        for (_, result) in answered(operation, &[200], &[body]).await {
            assert_unreadable(&result, 200, Unreadable::OtherShape);
        }
    }
}

#[tokio::test]
async fn a_page_says_how_long_to_wait_as_well() {
    let page = "<h1>Sample page of a proxy</h1>";
    let whole = |status| reply_with(status, "Retry-After: 7\r\n", page);
    let mut cut = whole(429);
    cut.truncate(cut.len() - 5);
    for (status, answer) in [(429, whole(429)), (503, whole(503)), (429, cut)] {
        for operation in Operation::ALL {
            let listener = Listener::once(Step::Cut(answer.clone())).await;
            let result = operation.call(&client(&listener.url())).await;
            assert_unreadable(&result, status, Unreadable::NotJson);
            let wait = result.unwrap_err().retry_after();
            assert_eq!(wait, Some(Duration::from_secs(7)), "{operation:?} {status}");
        }
    }
}

#[tokio::test]
async fn a_refusal_says_how_long_to_wait() {
    let hour = Some(Duration::from_secs(3600));
    for (header, expected) in [
        ("Retry-After: 7\r\n", Some(Duration::from_secs(7))),
        ("Retry-After: 0\r\n", Some(Duration::ZERO)),
        ("Retry-After: 3601\r\n", hour),
        ("Retry-After: 99999999999999999999999999\r\n", hour),
        (
            "Date: Sat, 21 Nov 2026 10:00:00 GMT\r\nRetry-After: Sat, 21 Nov 2026 10:00:30 GMT\r\n",
            Some(Duration::from_secs(30)),
        ),
        // Without the clock of the service our own tells.
        (
            "Retry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\n",
            Some(Duration::ZERO),
        ),
        ("Retry-After: Fri, 31 Dec 9999 23:59:59 GMT\r\n", hour),
        ("Retry-After: later\r\n", None),
        ("Retry-After: -1\r\n", None),
        ("Retry-After: +5\r\n", None),
        ("Retry-After: 1.5\r\n", None),
        ("Retry-After:\r\n", None),
        ("", None),
    ] {
        let answer = reply_with(429, header, ERROR_OBJECT);
        let listener = Listener::once(Step::Answer(answer)).await;
        let result = Operation::BulkCreateContracts
            .call(&client(&listener.url()))
            .await;
        assert!(
            matches!(&result, Err(Error::Refused { status: 429, retry_after, .. }) if *retry_after == expected),
            "{header}: {result:?}"
        );
    }
}
