//! Bodies without end, too long, too slow or too short.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use warranty_api::{Error, NoAnswer, Timeouts, Unreadable};

use crate::listener::{Listener, Step, reply};
use crate::meaning::assert_unreadable;
use crate::operations::{Calls as _, Operation, call_each, client, client_within, hasty, patient};

const CAP: usize = 2 * 1024 * 1024;

const ENDLESS: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n";
const CHUNKED: &[u8] = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

fn is_oversized(result: &Result<u16, Error>) -> bool {
    let reason = Unreadable::Oversized;
    matches!(result, Err(Error::Unreadable { status: 200, reason: why, .. }) if *why == reason)
}

fn padded(json: &str, length: usize) -> String {
    json.to_owned() + &" ".repeat(length - json.len())
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
async fn a_body_one_byte_too_long_is_oversized_without_a_length_too() {
    let body = padded("[]", CAP + 1);
    let mut endless = ENDLESS.to_vec();
    endless.extend_from_slice(body.as_bytes());
    let mut chunked = CHUNKED.to_vec();
    chunked.extend_from_slice(format!("{:x}\r\n{body}\r\n0\r\n\r\n", CAP + 1).as_bytes());
    for bytes in [endless, chunked] {
        let listener = Listener::once(Step::Cut(bytes)).await;
        let result = Operation::ListPlans.call(&client(&listener.url())).await;
        assert!(is_oversized(&result), "{result:?}");
    }
}

#[tokio::test]
async fn a_flood_is_left_at_the_cap_and_the_connection_closed() {
    let listener = Listener::once(Step::Flood(ENDLESS.to_vec())).await;
    let result = Operation::ListPlans.call(&client(&listener.url())).await;
    assert!(is_oversized(&result), "{result:?}");
    // The service sends without end until the client closes the connection.
    listener.closed(1).await;
}

#[tokio::test]
async fn a_redirect_is_named_as_one_even_when_its_body_never_comes() {
    let head =
        b"HTTP/1.1 302 Found\r\nLocation: https://portal.invalid/\r\nContent-Length: 99\r\n\r\n";
    for step in [Step::Cut(head.to_vec()), Step::Stall(head.to_vec())] {
        let listener = Listener::once(step).await;
        let client = client_within(&listener.url(), hasty());
        let result = Operation::GetPlan.call(&client).await;
        assert_unreadable(&result, 302, Unreadable::Redirect);
    }
}

#[tokio::test]
async fn a_body_that_stops_is_a_timeout() {
    let whole = reply(200, Operation::BulkCreateContracts.success());
    let listener = Listener::once(Step::Stall(whole[..whole.len() - 1].to_vec())).await;
    let client = client_within(&listener.url(), hasty());
    let result = Operation::BulkCreateContracts.call(&client).await;
    assert!(
        matches!(result, Err(Error::NoAnswer(NoAnswer::Timeout))),
        "{result:?}"
    );
}

#[tokio::test]
async fn a_sale_may_wait_longer_for_its_answer_than_what_only_reads() {
    let service = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let timeouts = Timeouts {
        read: Duration::from_secs(1),
        ..patient()
    };
    let client = client_within(
        &format!("http://{}", service.local_addr().unwrap()),
        timeouts,
    );
    let operation = Operation::BulkCreateContracts;
    let answer = async {
        let (mut sale, _) = service.accept().await.unwrap();
        assert!(sale.read(&mut [0; 4096]).await.unwrap() > 0);
        // Begun after the sale, and never answered.
        let read = Operation::GetPlan.call(&client).await;
        assert!(matches!(read, Err(Error::NoAnswer(NoAnswer::Timeout))));
        sale.write_all(&reply(200, operation.success()))
            .await
            .unwrap();
        sale
    };
    let (sold, _sale) = tokio::join!(operation.call(&client), answer);
    assert!(matches!(sold, Ok(200)), "{sold:?}");
}
