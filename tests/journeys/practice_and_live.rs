//! How practice is told from the real thing, by band, word and title; and the page's prototypes are frozen.

use serde_json::json;

use crate::harness::{Desk, Service, Setup, journey, until};

#[tokio::test(flavor = "multi_thread")]
async fn practice_is_told_from_the_real_thing() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let frozen = desk
            .script("return Object.isFrozen(Object.prototype)")
            .await;
        assert_eq!(frozen, json!(true), "the page's prototypes are frozen");
        desk.practise().await;
        tells_practice_and_live_apart(desk).await;
    })
    .await;
}

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
        desk.titles().iter().any(|title| title.contains(part))
    })
    .await;
}
