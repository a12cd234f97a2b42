//! What leaves the machine, byte for byte.

use warranty_api::ContractBatch;

use crate::listener::{Listener, Step, reply};
use crate::operations::{
    BATCH, Calls as _, LEAD, Operation, PLAN_UPDATE, UPSERT, batch, client, key,
};

#[tokio::test]
async fn each_operation_sends_its_body_with_its_length() {
    for (operation, body) in [
        (Operation::BulkCreateContracts, BATCH),
        (Operation::UpsertProduct, UPSERT),
        (Operation::UpdatePlan, PLAN_UPDATE),
        (Operation::CreateLead, LEAD),
    ] {
        let listener = Listener::once(Step::Answer(reply(200, operation.success()))).await;
        operation.call(&client(&listener.url())).await.unwrap();
        let request = &listener.requests()[0];
        assert_eq!(
            String::from_utf8_lossy(&request.body),
            body,
            "{operation:?}"
        );
        assert_eq!(request.all("content-length"), [body.len().to_string()]);
        assert!(request.all("transfer-encoding").is_empty());
    }
}

#[tokio::test]
async fn a_frozen_batch_leaves_byte_for_byte_as_it_was_kept() {
    let frozen = "{ \"contracts\" : [ ] ,\n\"x\":\"\\u3042\" }\n"
        .as_bytes()
        .to_vec();
    let listener = Listener::once(Step::Answer(reply(200, "[]"))).await;
    let client = client(&listener.url());
    client
        .create_contracts(frozen.clone(), key())
        .await
        .unwrap();
    assert_eq!(listener.requests()[0].body, frozen);
}

#[test]
fn a_batch_holds_one_to_ten_contracts_also_when_it_is_read_back() {
    let one = serde_json::to_value(batch()).unwrap();
    let stored = &one["contracts"][0];
    for (count, legal) in [(0, false), (1, true), (10, true), (11, false)] {
        let made = ContractBatch::new(vec![batch().items()[0].clone(); count]);
        assert_eq!(made.is_ok(), legal, "{count}");
        let stored = serde_json::json!({ "contracts": vec![stored; count] });
        let read = serde_json::from_value::<ContractBatch>(stored);
        assert_eq!(read.ok(), made.ok());
    }
}
