//! What a stranger's text cannot do to the page, and how practice is told from the real thing.

use serde_json::json;

use crate::harness::{Desk, Sale, Service, Setup, journey, until};

#[tokio::test(flavor = "multi_thread")]
async fn a_strangers_text_stays_text_and_practice_is_told_from_the_real_thing() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let frozen = desk
            .script("return Object.isFrozen(Object.prototype)")
            .await;
        assert_eq!(frozen, json!(true), "the page's prototypes are frozen");
        desk.practise().await;
        shows_a_customers_name_as_text(desk).await;
        tells_practice_and_live_apart(desk).await;
    })
    .await;
}

async fn shows_a_customers_name_as_text(desk: &mut Desk) {
    let sale = Sale {
        // With a character that turns the writing around.
        customer: "<img src=x onerror=\"window.struck=1\"><b>見本</b> \u{202e}太郎",
        ..Sale::of_a_refrigerator()
    };
    // What turns the writing around is shown as a mark instead.
    let shown = sale.customer.replace('\u{202e}', "‹U+202E›");
    desk.register(&sale).await;
    desk.receipt_is(&["confirmed"]).await;
    assert!(desk.text("receipt").await.contains(&shown));
    let contract_id = desk.text("receipt-contract-id").await;
    desk.look_up(&contract_id).await;
    assert!(desk.text("contract-sheet").await.contains(&shown));
    desk.go_to("outbox").await;
    desk.press("outbox-view-all").await;
    desk.page_says(&shown).await;
    let made = desk
        .script("return [window.struck ?? null, document.querySelectorAll('img[src=x]').length]")
        .await;
    assert_eq!(made, json!([null, 0]));
}

/// By band, word and title.
async fn tells_practice_and_live_apart(desk: &mut Desk) {
    let english = desk.language();
    let service = Service::start().await;
    assert!(
        desk.text("mode-band")
            .await
            .contains(english.word("mode.sandbox"))
    );
    let practice = desk.colour_of("mode-band").await;
    has_title(desk, "SANDBOX").await;

    desk.go_to("settings").await;
    desk.press("profile-add").await;
    desk.write("connect-base-url", &service.address()).await;
    desk.write("connect-store-id", warranty_sandbox::STORE_ID)
        .await;
    desk.write("connect-token", Service::TOKEN).await;
    desk.write("connect-name", "Ginza counter").await;
    desk.press("connect-submit").await;
    desk.confirms_the_server().await;
    desk.sees_no("connect-submit").await;
    desk.page_says(english.word("mode.live")).await;
    assert!(!desk.shows("mode-band").await || desk.colour_of("mode-band").await != practice);
    has_title(desk, "Ginza counter").await;
    assert!(desk.titles().iter().all(|title| !title.contains("SANDBOX")));
}

async fn has_title(desk: &Desk, part: &str) {
    until(&format!("the window's title says {part}"), async || {
        desk.titles()
            .iter()
            .any(|title| title.contains(part))
            .then_some(())
    })
    .await;
}
