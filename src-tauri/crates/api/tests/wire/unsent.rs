//! Failures before anything left the machine.

use std::time::{Duration, Instant};

use tokio::net::{TcpListener, TcpSocket};
use warranty_api::{Error, NotSent, Timeouts};

use crate::listener::{Listener, Step};
use crate::operations::{Calls as _, Operation, client, client_within, hasty, patient};

#[track_caller]
fn assert_not_sent(result: &Result<u16, Error>, reason: NotSent) {
    assert!(
        matches!(result, Err(Error::NotSent(why)) if *why == reason),
        "expected {reason:?}, got {result:?}"
    );
}

/// A port of this machine at which nobody listens.
async fn deserted_port() -> u16 {
    let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
    socket.local_addr().unwrap().port()
}

#[tokio::test]
async fn a_refused_connection_is_not_sent() {
    let port = deserted_port().await;
    for scheme in ["http", "https"] {
        let client = client(&format!("{scheme}://127.0.0.1:{port}"));
        for operation in Operation::ALL {
            assert_not_sent(&operation.call(&client).await, NotSent::Connect);
        }
    }
}

#[tokio::test]
async fn a_connection_that_is_never_made_is_not_sent_within_the_connect_bound() {
    // The queue of a listener that never accepts is filled; further attempts hang.
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let full = socket.listen(1).unwrap();
    let address = full.local_addr().unwrap();
    let mut waiting = Vec::new();
    loop {
        let attempt = tokio::net::TcpStream::connect(address);
        match tokio::time::timeout(Duration::from_millis(100), attempt).await {
            Ok(stream) => waiting.push(stream.unwrap()),
            Err(_) => break,
        }
        assert!(waiting.len() < 100, "the queue never fills on this system");
    }
    let timeouts = Timeouts {
        connect: Duration::from_secs(1),
        ..patient()
    };
    let started = Instant::now();
    let client = client_within(&format!("http://{address}"), timeouts);
    let result = Operation::BulkCreateContracts.call(&client).await;
    assert_not_sent(&result, NotSent::Connect);
    assert!(started.elapsed() < timeouts.write / 2);
}

#[tokio::test]
async fn an_unknown_host_name_is_not_sent_and_named() {
    let client = client("https://nonexistent.invalid");
    for operation in [Operation::BulkCreateContracts, Operation::ListPlans] {
        assert_not_sent(&operation.call(&client).await, NotSent::Name);
    }
}

#[tokio::test]
async fn a_port_that_speaks_no_tls_or_closes_is_not_sent_and_named() {
    let words = [
        b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".to_vec(),
        b"220 mail.example.com ESMTP\r\n".to_vec(),
        Vec::new(),
    ];
    for spoken in words {
        let listener = Listener::once(Step::Speak(spoken)).await;
        let client = client(&listener.https_url());
        let result = Operation::BulkCreateContracts.call(&client).await;
        assert_not_sent(&result, NotSent::Tls);
        assert_eq!(listener.connections(), 1);
    }
}

#[tokio::test]
async fn a_handshake_that_never_ends_is_not_sent() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}", silent.local_addr().unwrap());
    let result = Operation::BulkCreateContracts
        .call(&client_within(&url, hasty()))
        .await;
    assert_not_sent(&result, NotSent::Connect);
}
