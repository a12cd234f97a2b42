//! No hidden retry: the server never counts more requests than there were calls.

use warranty_api::{Error, NoAnswer};

use crate::listener::{Listener, Step, reply};
use crate::operations::{Calls as _, Operation, READS, WRITES, call_each, client};

#[tokio::test]
async fn a_connection_broken_at_any_point_is_no_answer_and_not_tried_again() {
    let whole = reply(200, "[]");
    let head = whole.len() - 2;
    let cuts = [
        Step::HangUp,
        Step::Reset,
        Step::Cut(Vec::new()),
        Step::Cut(b"HTT".to_vec()),
        Step::Cut(whole[..head / 2].to_vec()),
        Step::Cut(whole[..head].to_vec()),
        Step::Cut(whole[..head + 1].to_vec()),
        Step::Cut(b"this is not HTTP at all\r\n\r\n".to_vec()),
    ];
    for operation in Operation::ALL {
        for (cut, result) in cuts.iter().zip(call_each(operation, &cuts).await) {
            assert!(
                matches!(result, Err(Error::NoAnswer(NoAnswer::Broken))),
                "{operation:?} {cut:?}: {result:?}"
            );
        }
    }
}

#[tokio::test]
async fn reading_calls_share_a_connection() {
    for operation in READS {
        let answer = Step::Answer(reply(200, operation.success()));
        let listener = Listener::start(vec![vec![answer.clone(), answer]]).await;
        let client = client(&listener.url());
        operation.call(&client).await.unwrap();
        operation.call(&client).await.unwrap();
        assert_eq!(listener.connections(), 1, "{operation:?}");
        assert_eq!(listener.requests().len(), 2, "{operation:?}");
    }
}

#[tokio::test]
async fn a_kept_connection_closed_while_idle_costs_nothing_and_counts_once() {
    for operation in READS {
        let last = Step::Cut(reply(200, operation.success()));
        let next = Step::Answer(reply(200, operation.success()));
        let listener = Listener::start(vec![vec![last], vec![next]]).await;
        let client = client(&listener.url());
        operation.call(&client).await.unwrap();
        listener.closed(1).await;
        operation.call(&client).await.unwrap();
        assert_eq!(listener.requests().len(), 2, "{operation:?}");
        assert_eq!(listener.connections(), 2, "{operation:?}");
    }
}

#[tokio::test]
async fn a_call_that_changes_something_never_rides_on_a_kept_connection() {
    for operation in WRITES {
        let answer = Step::Answer(reply(200, operation.success()));
        let listener = Listener::start(vec![vec![answer.clone()], vec![answer]]).await;
        let client = client(&listener.url());
        operation.call(&client).await.unwrap();
        operation.call(&client).await.unwrap();
        let connections: Vec<usize> = listener
            .requests()
            .iter()
            .map(|seen| seen.connection)
            .collect();
        assert_eq!(connections, [0, 1], "{operation:?}");
    }
}
