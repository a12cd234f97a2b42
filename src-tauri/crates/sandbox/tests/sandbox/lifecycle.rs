//! Starting, stopping, persistence and recorded exchanges.

use std::{net::SocketAddr, time::Duration};

use serde_json::Value;
use tokio::net::TcpStream;
use warranty_sandbox::{
    Action, Database, Operation, Options, STORE_ID, Sandbox, StartError, sample,
};

use crate::client::{bulk, fault, list, plain, sale, sold};

#[tokio::test]
async fn only_loopback_addresses_are_listened_on() {
    for addr in ["0.0.0.0:0", "192.0.2.1:0", "[::]:0"] {
        let options = Options {
            addr: addr.parse::<SocketAddr>().unwrap(),
            ..Options::default()
        };
        let error = Sandbox::start(options).await.unwrap_err();
        assert!(matches!(error, StartError::NotLoopback(_)), "{error:?}");
        assert!(error.to_string().contains("loopback"));
    }
}

#[tokio::test]
async fn a_taken_address_is_named() {
    let first = plain().await;
    let options = Options {
        addr: first.addr(),
        ..Options::default()
    };
    let error = Sandbox::start(options).await.unwrap_err();
    assert!(matches!(error, StartError::Listen { addr, .. } if addr == first.addr()));
}

#[tokio::test]
async fn a_started_sandbox_says_where_and_with_what_it_is_reached() {
    let first = plain().await;
    let second = plain().await;
    assert_eq!(
        first.base_url(),
        format!("http://127.0.0.1:{}", first.addr().port())
    );
    assert_eq!(first.store_id(), STORE_ID);
    assert!(first.token().len() > 20);
    assert_ne!(first.token(), second.token(), "each has its own token");
}

#[tokio::test]
async fn a_token_given_at_the_start_is_required_and_never_printed() {
    let options = Options {
        token: Some("till-7".to_owned()),
        ..Options::default()
    };
    let sandbox = Sandbox::start(options).await.unwrap();
    assert_eq!(sandbox.token(), "till-7");
    assert!(!format!("{sandbox:?}").contains("till-7"));
    bulk(&sandbox, &[sale("T-1")]).success().await;
}

#[tokio::test]
async fn a_file_keeps_token_sales_and_stored_answers_across_restarts() {
    let folder = tempfile::tempdir().unwrap();
    let options = || Options {
        database: Database::File(folder.path().join("sandbox.db")),
        ..Options::default()
    };
    let first = Sandbox::start(options()).await.unwrap();
    let token = first.token().to_owned();
    let answer = bulk(&first, &[sale("T-1")]).key("k").success().await;
    first.stop().await;
    let second = Sandbox::start(options()).await.unwrap();
    assert_eq!(second.token(), token);
    assert_eq!(
        bulk(&second, &[sale("T-1")]).key("k").success().await,
        answer
    );
    assert_eq!(sold(&second).await, ["T-1"]);
}

#[tokio::test]
async fn a_file_that_is_no_database_is_an_error_and_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    std::fs::write(
        &path,
        "these are notes and no database, and long enough to be read".repeat(20),
    )
    .unwrap();
    let before = std::fs::read(&path).unwrap();
    let options = Options {
        database: Database::File(path.clone()),
        ..Options::default()
    };
    assert!(matches!(
        Sandbox::start(options).await,
        Err(StartError::Database(_))
    ));
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[tokio::test]
async fn stopping_accepts_no_connections_and_closes_one_whose_answer_would_take_minutes() {
    let sandbox = plain().await;
    let drip = Action::SlowDrip {
        chunk_bytes: 1,
        pause_ms: 1_000,
    };
    sandbox.script(fault(Operation::ListPlans, drip));
    let addr = sandbox.addr();
    let call = list(&sandbox, sample::PRODUCT_CAMERA, "Any");
    let in_progress = tokio::spawn(async move { call.wire().await });
    while sandbox.requests().is_empty() {
        tokio::task::yield_now().await;
    }
    sandbox.stop().await;
    assert!(TcpStream::connect(addr).await.is_err());
    let deadline = Duration::from_secs(20);
    tokio::time::timeout(deadline, in_progress)
        .await
        .expect("the connection is closed")
        .unwrap();
}

#[tokio::test]
async fn exchanges_are_recorded_with_their_answers_and_without_the_token() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("exchanges.jsonl");
    let sandbox = plain().await;
    sandbox.record_exchanges_to(&path).unwrap();
    let call = bulk(&sandbox, &[sale("T-1")]).key("k");
    let answer = call.success().await;
    let drop = Action::DropAfterCommit;
    sandbox.script(fault(Operation::BulkCreateContracts, drop));
    assert!(call.wire().await.is_empty());
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(!text.contains(sandbox.token()));
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["method"], "POST");
    assert_eq!(
        lines[0]["url"],
        format!("{}/v1/contracts/bulk", sandbox.base_url())
    );
    assert_eq!(lines[0]["response"]["status"], 200);
    assert_eq!(lines[0]["faulty"], false);
    let recorded: Value =
        serde_json::from_str(lines[0]["response"]["body"].as_str().unwrap()).unwrap();
    assert_eq!(recorded, answer);
    let sent: Value = serde_json::from_str(lines[0]["body"].as_str().unwrap()).unwrap();
    assert_eq!(sent["contracts"][0]["transactionId"], "T-1");
    assert_eq!(lines[1]["response"], Value::Null);
    assert_eq!(lines[1]["faulty"], true);
}
