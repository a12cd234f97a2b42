//! Bodies without end, too long, too slow or too short.

use std::time::{Duration, Instant};

use warranty_api::{Error, NoAnswer, Timeouts, Unreadable};

use crate::listener::{Listener, Step, reply};
use crate::operations::{Operation, call_each, client, client_within};

const CAP: usize = 2 * 1024 * 1024;

const ENDLESS: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n";
const CHUNKED: &[u8] = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

fn is_oversized(result: &Result<u16, Error>) -> bool {
    matches!(
        result,
        Err(Error::Unreadable {
            status: 200,
            reason: Unreadable::Oversized,
            ..
        })
    )
}

fn padded(json: &str, length: usize) -> String {
    json.to_owned() + &" ".repeat(length - json.len())
}

#[tokio::test]
async fn a_body_of_exactly_two_mebibytes_is_read() {
    let body = padded("[]", CAP);
    let listener = Listener::once(Step::Answer(reply(200, &body))).await;
    let result = Operation::ListPlans.call(&client(&listener.url())).await;
    assert_eq!(result.unwrap(), 200);
}

#[tokio::test]
async fn a_body_announced_as_larger_is_not_waited_for() {
    for length in [CAP + 1, usize::MAX / 2] {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n");
        for operation in Operation::ALL {
            for result in call_each(operation, &[Step::Stall(head.clone().into_bytes())]).await {
                assert!(is_oversized(&result), "{operation:?} {length}: {result:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_body_one_byte_too_long_is_oversized_with_and_without_a_length() {
    let body = padded("[]", CAP + 1);
    let mut endless = ENDLESS.to_vec();
    endless.extend_from_slice(body.as_bytes());
    let mut chunked = CHUNKED.to_vec();
    chunked.extend_from_slice(format!("{:x}\r\n{body}\r\n0\r\n\r\n", CAP + 1).as_bytes());
    for bytes in [reply(200, &body), endless, chunked] {
        let listener = Listener::once(Step::Cut(bytes)).await;
        let result = Operation::ListPlans.call(&client(&listener.url())).await;
        assert!(is_oversized(&result), "{result:?}");
    }
}

#[tokio::test]
async fn a_flood_is_left_at_the_cap_and_the_connection_closed() {
    for operation in Operation::ALL {
        let listener = Listener::once(Step::Flood(ENDLESS.to_vec())).await;
        let result = operation.call(&client(&listener.url())).await;
        assert!(is_oversized(&result), "{operation:?}: {result:?}");
        // The flood ends only when nobody takes it any more.
        listener.closed(1).await;
        assert_eq!(listener.requests().len(), 1);
    }
}

#[tokio::test]
async fn a_drip_that_keeps_within_the_read_bound_ends_with_the_total_one() {
    let timeouts = Timeouts {
        connect: Duration::from_millis(500),
        read: Duration::from_millis(1000),
        total: Duration::from_millis(1500),
    };
    let listener = Listener::once(Step::Drip(ENDLESS.to_vec(), Duration::from_millis(20))).await;
    let started = Instant::now();
    let client = client_within(&listener.url(), timeouts);
    let call = Operation::CreateContracts.call(&client);
    let result = tokio::time::timeout(Duration::from_secs(10), call).await;
    let result = result.expect("the drip goes on without end");
    assert!(
        matches!(result, Err(Error::NoAnswer(NoAnswer::Timeout))),
        "{result:?}"
    );
    assert!(
        started.elapsed() >= timeouts.read,
        "the drip was not waited for"
    );
    assert_eq!(listener.requests().len(), 1);
}

#[tokio::test]
async fn a_body_that_stops_is_a_timeout_by_the_read_bound() {
    let timeouts = Timeouts {
        connect: Duration::from_millis(500),
        read: Duration::from_millis(1000),
        total: Duration::from_secs(30),
    };
    let whole = reply(200, Operation::CreateContracts.success());
    let listener = Listener::once(Step::Stall(whole[..whole.len() - 1].to_vec())).await;
    let started = Instant::now();
    let result = Operation::CreateContracts
        .call(&client_within(&listener.url(), timeouts))
        .await;
    assert!(
        matches!(result, Err(Error::NoAnswer(NoAnswer::Timeout))),
        "{result:?}"
    );
    assert!(started.elapsed() < timeouts.total / 2);
}

#[tokio::test]
async fn a_body_cut_short_is_no_answer() {
    for operation in Operation::ALL {
        let whole = reply(200, operation.success());
        let mut chunked = CHUNKED.to_vec();
        chunked.extend_from_slice(b"40\r\n[{\"id\":");
        let cuts = [whole[..whole.len() - 1].to_vec(), chunked].map(Step::Cut);
        for result in call_each(operation, &cuts).await {
            assert!(
                matches!(result, Err(Error::NoAnswer(NoAnswer::Broken))),
                "{operation:?}: {result:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_body_in_chunks_is_put_together() {
    let body = Operation::GetPlan.success();
    let (first, second) = body.split_at(7);
    let mut bytes = CHUNKED.to_vec();
    bytes.extend_from_slice(
        format!(
            "7\r\n{first}\r\n{:x}\r\n{second}\r\n0\r\n\r\n",
            second.len()
        )
        .as_bytes(),
    );
    let listener = Listener::once(Step::Answer(bytes)).await;
    let result = Operation::GetPlan.call(&client(&listener.url())).await;
    assert_eq!(result.unwrap(), 200);
}
