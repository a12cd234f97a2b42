//! Connected to a service of its own, whose ledger is the judge of what was sold.

use serde_json::json;
use warranty_sandbox::{Operation, Personality, sample};

use crate::harness::{Desk, Sale, Service, Setup, journey, until};

#[tokio::test(flavor = "multi_thread")]
async fn a_tested_connection_sells_once() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let service = Service::start().await;
        desk.fill_in_the_connection(
            &service.address(),
            warranty_sandbox::STORE_ID,
            Service::TOKEN,
        )
        .await;
        desk.press("connect-test").await;
        desk.confirms_the_server().await;
        let report = desk.text("connect-report").await;
        let english = desk.language();
        for good in ["connect.addressIs.good", "connect.tokenIs.good"] {
            assert!(report.contains(english.word(good)), "{report}");
        }
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
            until("an answer", async || {
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
        let profiles = desk
            .script_answers("window.__TAURI_INTERNALS__.invoke('profiles').then(arguments[0])")
            .await;
        let change = json!({ "id": profiles[0]["id"], "draft": draft(&other) });
        calls("profile_change", change).await;
        desk.presses_about_the_server("Escape").await;
        assert_eq!(answered().await, "notConfirmed");
        assert!(other.requests().is_empty());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_token_is_named_at_its_box_and_sells_nothing() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let service = Service::start().await;
        desk.fill_in_the_connection(
            &service.address(),
            warranty_sandbox::STORE_ID,
            "not-the-token",
        )
        .await;
        desk.press("connect-test").await;
        desk.confirms_the_server().await;
        let report = desk.text("connect-report").await;
        let english = desk.language();
        assert!(
            report.contains(english.word("connect.addressIs.good")),
            "{report}"
        );
        assert!(
            report.contains(english.word("connect.tokenIs.bad")),
            "{report}"
        );
        desk.problem_at("connect-token").await;
        assert!(service.sold().await.is_empty());
        desk.picture("live-wrong-token").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_replaced_in_the_settings_lets_the_held_contract_go() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let service = Service::start().await;
        desk.connect(&service).await;
        desk.scan_and_see_plans(sample::PRODUCT_REFRIGERATOR).await;
        desk.go_to("settings").await;
        desk.write("token-input", "not-the-token").await;
        desk.press("token-set").await;
        desk.reads("token-state", desk.language().word("token.present"))
            .await;

        desk.go_to("register").await;
        let sale = Sale::of_a_refrigerator();
        desk.register(&sale).await;
        desk.receipt_is(&["held"]).await;
        assert!(service.sold().await.is_empty());

        desk.go_to("settings").await;
        desk.write("token-input", Service::TOKEN).await;
        desk.press("token-set").await;
        desk.go_to("register").await;
        desk.receipt_is(&["confirmed"]).await;
        was_sold_once(&service, &sale).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_is_down_delays_a_contract_and_does_not_lose_or_double_it() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let mut service = Service::start().await;
        desk.connect(&service).await;
        desk.scan_and_see_plans(sample::PRODUCT_REFRIGERATOR).await;
        desk.press("register-clear").await;

        service.go_down().await;
        let sale = Sale::of_a_refrigerator();
        desk.register(&sale).await;
        desk.receipt_is(&["queued"]).await;
        desk.picture("live-queued").await;
        desk.go_to("outbox").await;
        desk.outbox_counts("waiting", 1).await;

        service.come_back().await;
        desk.outbox_counts("confirmed", 1).await;
        was_sold_once(&service, &sale).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_lost_after_the_sale_is_asked_for_again_and_not_sold_again() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let service = Service::start().await;
        desk.connect(&service).await;
        desk.scan_and_see_plans(sample::PRODUCT_REFRIGERATOR).await;
        service.behave(Personality::named("dropped-answer").unwrap());
        let sale = Sale::of_a_refrigerator();
        desk.press("register-clear").await;
        desk.register(&sale).await;
        until("the sale is in the ledger", async || {
            (!service.sold().await.is_empty()).then_some(())
        })
        .await;
        desk.receipt_is(&["accepted", "confirmed"]).await;
        was_sold_once(&service, &sale).await;
    })
    .await;
}

/// The ledger holds exactly this sale.
pub async fn was_sold_once(service: &Service, sale: &Sale) {
    let sold = service.sold().await;
    assert_eq!(sold.len(), 1, "one sale, one contract: {sold:?}");
    assert_eq!(sold[0].transaction_id, sale.transaction_id);
    assert_eq!(sold[0].product_reference_id, sale.product);
    assert_eq!(sold[0].plan_id, sale.plan);
    assert_eq!(sold[0].customer_email, sale.email);
    assert_eq!(sold[0].transaction_total.to_string(), sale.total);
}
