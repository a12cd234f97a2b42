//! A sale that the service refuses: the receipt says why, and three steps correct it. One that it reports as
//! fraud is left to a person.

use fantoccini::key::Key;
use serde_json::json;
use warranty_sandbox::{Operation, Personality};

use crate::counter_keys::Hands;
use crate::harness::{Desk, Sale, Service, Setup, Stroke, journey};
use crate::live::was_sold_once;

/// What the service says is wrong. It names the field as the interface does.
const REASON: &str = "contracts[0].customer.email is not an address that takes mail";

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_sale_is_corrected_in_three_steps_and_one_reported_as_fraud_is_a_persons() {
    journey(Setup::default(), is_corrected).await;
}

async fn is_corrected(desk: &mut Desk) {
    let service = Service::start().await;
    desk.connect(&service).await;
    desk.sized(1024, 700).await;
    let sale = Sale::of_a_refrigerator();
    let body = json!({"requestId": "r-1", "code": "BadRequestException", "error": REASON});
    let refuses = json!({"faults": [{
        "operations": ["bulkCreateContracts"],
        "action": {"verbatim": {
            "status": 400, "contentType": "application/json", "body": body.to_string(),
        }},
    }]});
    service.behave(serde_json::from_value::<Personality>(refuses).expect("it is one"));
    let wrong = Sale {
        email: "taro.mihon@sample.test",
        ..sale
    };
    desk.register(&wrong).await;
    desk.receipt_is(&["rejected"]).await;
    desk.reads("receipt-refusal", REASON).await;
    desk.picture("correcting-receipt").await;
    service.behave_well();

    // One key, what was wrong, one key.
    let mut hands = Hands::default();
    hands.press(desk, Stroke::Alt('c')).await;
    desk.focus_is_at("customer-email").await;
    desk.picture("correcting-form").await;
    hands.write(desk, sale.email).await;
    hands.press(desk, Stroke::Key(Key::F12)).await;
    assert_eq!((hands.scans, hands.keys), (0, 2));

    desk.receipt_is(&["confirmed"]).await;
    was_sold_once(&service, &sale).await;
    assert_eq!(service.count(Operation::BulkCreateContracts), 2);
    desk.sees_no("correcting").await;
    desk.see("all-done").await;
    is_not_called_registered_when_reported_as_fraud(desk, &service).await;
}

/// A contract that the service returns as sent, and reports as fraud: a person must look.
async fn is_not_called_registered_when_reported_as_fraud(desk: &Desk, service: &Service) {
    let fraud = json!({
        "visibility": {"afterMs": 0},
        "faults": [{
            "operations": ["getContract"],
            "action": {"replace": {"from": "\"fraud\":false", "to": "\"fraud\":true"}},
        }],
    });
    service.behave(serde_json::from_value::<Personality>(fraud).expect("it is one"));
    let second = Sale {
        transaction_id: "POS-20261121-0002",
        ..Sale::of_a_refrigerator()
    };
    desk.enter_anew(&second).await;
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
    // That the provider does not have it is asked about once more, since the service named it.
    desk.press("resolution-providerHasNone").await;
    desk.write("resolution-reference", "request-1").await;
    desk.press("resolution-confirm").await;
    desk.page_says(desk.language().word("question.namedContract"))
        .await;
    desk.picture("reported-question").await;
    desk.press("question-back").await;
    // The provider was asked and stands by it: its id is there already.
    desk.press("resolution-giveContractId").await;
    assert!(!desk.holds("resolution-contract-id").await.is_empty());
    desk.picture("reported-case").await;
    desk.press("resolution-confirm").await;
    desk.see("all-done").await;
    assert_eq!(service.sold().await.len(), 2);
}
