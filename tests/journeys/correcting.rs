//! A sale that the service refuses: the receipt says why, and three steps correct it.

use fantoccini::key::Key;
use serde_json::json;
use warranty_sandbox::{Operation, Personality};

use crate::counter_keys::Hands;
use crate::harness::{Desk, Language, Sale, Service, Setup, Stroke, journey};
use crate::live::was_sold_once;

/// What the service says is wrong. It names the field as the interface does.
const REASON: &str = "contracts[0].customer.email is not an address that takes mail";

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_sale_is_corrected_in_three_steps_in_english() {
    journey(Setup::default(), is_corrected).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_sale_is_corrected_in_three_steps_in_japanese() {
    journey(Setup::speaking(Language::Japanese), is_corrected).await;
}

async fn is_corrected(desk: &mut Desk) {
    let service = Service::start().await;
    desk.connect(&service).await;
    desk.sized(1024, 700).await;
    let sale = Sale::of_a_refrigerator();
    let name = |what: &str| format!("{}-correcting-{what}", desk.language().short());
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
    desk.picture(&name("receipt")).await;
    service.behave_well();

    // One key, what was wrong, one key.
    let mut hands = Hands::default();
    hands.press(desk, Stroke::Alt('c')).await;
    desk.focus_is_at("customer-email").await;
    desk.picture(&name("form")).await;
    hands.write(desk, sale.email).await;
    hands.press(desk, Stroke::Key(Key::F12)).await;
    assert_eq!((hands.scans, hands.keys), (0, 2));

    desk.receipt_is(&["confirmed"]).await;
    was_sold_once(&service, &sale).await;
    assert_eq!(service.count(Operation::BulkCreateContracts), 2);
    desk.sees_no("correcting").await;
    desk.see("all-done").await;
}
