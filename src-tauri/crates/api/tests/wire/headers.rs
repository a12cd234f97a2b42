//! Which headers each operation carries (part 4 and 5).

use warranty_api::{BaseUrl, Client, Error, NetworkSettings, NotSent};

use crate::listener::{Listener, Seen, Step, reply};
use crate::operations::{Calls as _, KEY, Operation, READS, TOKEN, client, patient};

async fn sent_by(operation: Operation) -> Seen {
    let listener = Listener::once(Step::Answer(reply(200, operation.success()))).await;
    let status = operation.call(&client(&listener.url())).await.unwrap();
    assert_eq!(status, 200, "{operation:?}");
    let [request] = <[Seen; 1]>::try_from(listener.requests()).unwrap();
    request
}

#[tokio::test]
async fn every_operation_has_its_line_and_states_json_both_ways_and_sends_no_other_header() {
    const KNOWN: [&str; 7] = [
        "content-type",
        "accept",
        "accept-encoding",
        "x-service-auth-token",
        "x-idempotency-key",
        "host",
        "content-length",
    ];
    for operation in Operation::ALL {
        let request = sent_by(operation).await;
        assert_eq!(request.line, operation.line());
        for (name, value) in [
            ("content-type", "application/json"),
            ("accept", "application/json"),
            ("accept-encoding", "identity"),
        ] {
            assert_eq!(request.all(name), [value], "{operation:?}");
        }
        let bulk = operation == Operation::BulkCreateContracts;
        let key: &[&str] = if bulk { &[KEY] } else { &[] };
        assert_eq!(request.all("x-idempotency-key"), key, "{operation:?}");
        for (name, _) in &request.headers {
            assert!(KNOWN.contains(&name.as_str()), "{operation:?} sends {name}");
        }
        assert_eq!(request.body.is_empty(), READS.contains(&operation));
    }
}

#[tokio::test]
async fn the_token_goes_with_six_operations_and_never_with_the_plan_listing() {
    for operation in Operation::ALL {
        let request = sent_by(operation).await;
        if operation == Operation::ListPlans {
            assert!(!format!("{request:?}").contains(TOKEN));
        } else {
            assert_eq!(
                request.all("x-service-auth-token"),
                [TOKEN],
                "{operation:?}"
            );
        }
    }
}

#[tokio::test]
async fn without_a_token_only_the_plan_listing_is_sent() {
    let listener = Listener::once(Step::Answer(reply(200, "[]"))).await;
    let base = BaseUrl::parse(&listener.url()).unwrap();
    let client = Client::new(base, None, patient(), &NetworkSettings::default()).unwrap();
    for operation in Operation::ALL {
        let result = operation.call(&client).await;
        if operation == Operation::ListPlans {
            assert_eq!(result.unwrap(), 200);
        } else {
            assert!(
                matches!(result, Err(Error::NotSent(NotSent::NoToken))),
                "{operation:?}: {result:?}"
            );
        }
    }
    assert_eq!(listener.requests().len(), 1);
}
