//! Connected to a service of its own, whose ledger is the judge of what was sold.

use serde_json::json;
use warranty_sandbox::Operation;

use crate::harness::{Desk, Sale, Service, Setup, journey, until, until_some};

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_token_is_named_at_its_box_and_a_tested_connection_sells_once() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let service = Service::start().await;
        desk.sized(1024, 700).await;
        desk.press("first-connect").await;
        desk.see("connect-submit").await;
        desk.picture("live-connect-form").await;
        assert_eq!(desk.script(OUT_OF_SIGHT).await, json!([]));
        desk.press("connect-back").await;
        desk.fill_in_the_connection(
            &service.address(),
            warranty_sandbox::STORE_ID,
            "not-the-token",
        )
        .await;
        desk.press("connect-test").await;
        desk.confirms_the_server().await;
        reports(desk, "connect.tokenIs.bad").await;
        desk.problem_at("connect-token").await;
        desk.picture("live-wrong-token").await;

        desk.write("connect-token", Service::TOKEN).await;
        desk.press("connect-test").await;
        reports(desk, "connect.tokenIs.good").await;
        assert!(
            service.sold().await.is_empty(),
            "testing the connection creates nothing"
        );
        desk.picture("live-connection-tested").await;

        desk.press("connect-submit").await;
        desk.see("register-submit").await;
        let sale = Sale::of_a_refrigerator();
        desk.register(&sale).await;
        desk.receipt_is(&["confirmed"]).await;
        desk.picture("live-registered").await;
        was_sold_once(&service, &sale).await;
        assert_eq!(service.count(Operation::BulkCreateContracts), 1);

        desk.go_to("settings").await;
        desk.press("profile-add").await;
        desk.see("connect-submit").await;
        desk.picture("live-connect-dialog").await;
        assert_eq!(desk.script(OUT_OF_SIGHT).await, json!([]));
    })
    .await;
}

/// The boxes of the form of a connection that its buttons cover once they have the focus, and the buttons that
/// are out of sight.
const OUT_OF_SIGHT: &str = "
    const button = document.querySelector('[data-testid=connect-submit]');
    const bar = () => button.parentElement.getBoundingClientRect();
    const name = (box) => box.dataset.testid;
    const gone = [...button.parentElement.querySelectorAll('button')]
        .filter((button) => button.getBoundingClientRect().bottom > innerHeight);
    const boxes = [...button.form.querySelectorAll('input')];
    const covered = boxes.filter((box) => {
        box.focus();
        return box.getBoundingClientRect().bottom > bar().top;
    });
    boxes[0].focus();
    return [...gone, ...covered].map(name)";

/// Waits until the test of the connection says so of the token, and that the address is good.
async fn reports(desk: &Desk, token: &str) {
    let words = ["connect.addressIs.good", token].map(|key| desk.language().word(key));
    until(&format!("the report says {words:?}"), async || {
        let report = desk.text("connect-report").await;
        words.iter().all(|word| report.contains(word))
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_alone_makes_the_program_contact_no_new_server() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let (service, other) = (Service::start().await, Service::start().await);
        let draft = |service: &Service| {
            json!({
                "name": "Sample store", "baseUrl": service.address(), "storeId": warranty_sandbox::STORE_ID,
                "utcOffsetMinutes": 540, "display": { "currency": "", "termUnit": "" },
                "facts": { "bulk": "unknown", "keyReplaySeconds": null },
            })
        };
        // A page that was taken over calls by itself, and staff press Enter without looking.
        let calls = async |command: &str, arguments: serde_json::Value| {
            let call = format!(
                "window.answered = null;
                 window.__TAURI_INTERNALS__.invoke('{command}', {arguments}).then(
                     () => {{ window.answered = 'done' }}, (error) => {{ window.answered = error.code }})"
            );
            desk.script(&call).await;
        };
        let answered = async || {
            until_some("an answer", async || {
                desk.script("return window.answered").await.as_str().map(str::to_owned)
            })
            .await
        };
        let test = json!({ "draft": draft(&service), "token": Service::TOKEN });
        for key in ["Return", "Escape"] {
            for command in ["connection_test", "profile_connect"] {
                calls(command, test.clone()).await;
                desk.presses_about_the_server(key).await;
                assert_eq!(answered().await, "notConfirmed", "{command}, {key}");
            }
        }
        assert!(service.requests().is_empty());

        // What a person confirmed is not asked again, and a profile does not move elsewhere unasked.
        calls("connection_test", test.clone()).await;
        desk.confirms_the_server().await;
        assert_eq!(answered().await, "done");
        calls("profile_connect", test).await;
        assert_eq!(answered().await, "done");
        let profiles = desk.calls("profiles", "{}").await.expect("a list");
        let change = json!({ "id": profiles[0]["id"], "draft": draft(&other) });
        calls("profile_change", change).await;
        desk.presses_about_the_server("Escape").await;
        assert_eq!(answered().await, "notConfirmed");
        assert!(other.requests().is_empty());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_token_and_an_outage_hold_up_is_sold_once_each() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let mut service = Service::start().await;
        desk.connect(&service).await;
        let [held, delayed] = ["POS-1", "POS-2"].map(|transaction_id| Sale {
            transaction_id,
            ..Sale::of_a_refrigerator()
        });

        // A wrong token, until it is replaced in the settings.
        desk.scan_and_see_plans(held.product).await;
        gives_the_token(desk, "not-the-token").await;
        desk.reads("token-state", desk.language().word("token.present"))
            .await;
        desk.go_to("register").await;
        desk.register(&held).await;
        desk.receipt_is(&["held"]).await;
        assert!(service.sold().await.is_empty());
        gives_the_token(desk, Service::TOKEN).await;
        desk.go_to("register").await;
        desk.receipt_is(&["confirmed"]).await;
        was_sold_once(&service, &held).await;

        // A service that is down.
        service.go_down().await;
        desk.enter_anew(&delayed).await;
        desk.receipt_is(&["queued"]).await;
        desk.picture("live-queued").await;
        desk.go_to("outbox").await;
        desk.outbox_counts("waiting", 1).await;
        service.come_back().await;
        desk.outbox_counts("confirmed", 2).await;
        were_sold_once(&service, &[held, delayed]).await;
    })
    .await;
}

async fn gives_the_token(desk: &Desk, token: &str) {
    desk.go_to("settings").await;
    desk.write("token-input", token).await;
    desk.press("token-set").await;
}

/// The ledger holds exactly this sale.
pub async fn was_sold_once(service: &Service, sale: &Sale) {
    were_sold_once(service, &[*sale]).await;
}

/// The ledger holds exactly these sales, in this order.
async fn were_sold_once(service: &Service, sales: &[Sale]) {
    let sold = service.sold().await;
    assert_eq!(sold.len(), sales.len(), "one contract for each: {sold:?}");
    for (sold, sale) in sold.iter().zip(sales) {
        assert_eq!(sold.transaction_id, sale.transaction_id);
        assert_eq!(sold.product_reference_id, sale.product);
        assert_eq!(sold.plan_id, sale.plan);
        assert_eq!(sold.customer_email, sale.email);
        assert_eq!(sold.transaction_total.to_string(), sale.total);
    }
}
