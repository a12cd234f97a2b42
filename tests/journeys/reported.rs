//! A contract that the service returns as sent, and reports as fraud: a person must look.

use serde_json::json;
use warranty_sandbox::Personality;

use crate::harness::{Desk, Sale, Service, Setup, journey};

#[tokio::test(flavor = "multi_thread")]
async fn a_contract_reported_as_fraud_is_not_called_registered() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let service = Service::start().await;
        desk.connect(&service).await;
        let fraud = json!({
            "visibility": {"afterMs": 0},
            "faults": [{
                "operations": ["getContract"],
                "action": {"replace": {"from": "\"fraud\":false", "to": "\"fraud\":true"}},
            }],
        });
        service.behave(serde_json::from_value::<Personality>(fraud).expect("it is one"));
        desk.register(&Sale::of_a_refrigerator()).await;
        desk.receipt_is(&["needsPerson"]).await;
        desk.reads(
            "receipt-what",
            desk.language().word("receipt.what.reported"),
        )
        .await;
        desk.sees_no("all-done").await;
        desk.picture("reported-receipt").await;

        desk.go_to("outbox").await;
        desk.press("entry-open").await;
        desk.page_says(desk.language().word("case.reason.reportedFraud"))
            .await;
        // The provider was asked and stands by it: its id is there already.
        desk.press("resolution-giveContractId").await;
        assert!(!desk.holds("resolution-contract-id").await.is_empty());
        desk.picture("reported-case").await;
        desk.press("resolution-confirm").await;
        desk.see("all-done").await;
        assert_eq!(service.sold().await.len(), 1);
    })
    .await;
}
