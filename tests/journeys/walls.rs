//! What the page cannot do, and what a stranger's text cannot do to the page.

use serde_json::json;

use crate::harness::{Desk, Sale, Service, Setup, journey, until};

#[tokio::test(flavor = "multi_thread")]
async fn a_customers_name_is_text_whatever_it_says() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let sale = Sale {
            // With a character that turns the writing around.
            customer: "<img src=x onerror=\"window.struck=1\"><b>見本</b> \u{202e}太郎",
            ..Sale::of_a_refrigerator()
        };
        desk.practise().await;
        desk.register(&sale).await;
        desk.receipt_is(&["confirmed"]).await;
        assert!(desk.text("receipt").await.contains(sale.customer));
        let contract_id = desk.text("receipt-contract-id").await;
        desk.look_up(&contract_id).await;
        assert!(desk.text("contract-sheet").await.contains(sale.customer));
        desk.go_to("outbox").await;
        desk.press("outbox-view-all").await;
        desk.page_says(sale.customer).await;
        let made = desk
            .script(
                "return [window.struck ?? null, document.querySelectorAll('img[src=x]').length]",
            )
            .await;
        assert_eq!(made, json!([null, 0]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_stays_where_it_is() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let service = Service::start().await;
        desk.practise().await;
        let before = desk.script("return location.href").await;
        let elsewhere = json!(format!("{}/v1/plans", service.address())).to_string();
        desk.script(&format!("location.href = {elsewhere}")).await;
        desk.script(&format!("window.opened = window.open({elsewhere})")).await;
        desk.script(
            "const link = document.createElement('a'); link.target = '_blank';
             link.href = 'https://sample.invalid/'; document.body.append(link); link.click(); link.remove()",
        )
        .await;
        // The page answers, at its own address, and still does its work.
        desk.go_to("plans").await;
        desk.see("plans-show").await;
        assert_eq!(desk.script("return location.href").await, before);
        assert_eq!(desk.script("return window.opened").await, json!(null));
        assert!(service.requests().is_empty(), "nothing was fetched from elsewhere");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_reaches_no_address_but_the_desks_own() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let service = Service::start().await;
        desk.practise().await;
        let elsewhere = json!(format!("{}/v1/plans", service.address())).to_string();
        desk.script(&format!(
            "fetch({elsewhere}).then(() => window.reached = 'yes', () => window.reached = 'no')"
        ))
        .await;
        until("the page was refused", async || {
            (desk.script("return window.reached ?? null").await == json!("no")).then_some(())
        })
        .await;
        assert!(service.requests().is_empty());
        let forbidden = desk.script("return window.forbidden.splice(0)").await;
        assert!(
            forbidden.to_string().contains("connect-src"),
            "the policy said no: {forbidden}"
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_calls_the_desks_commands_and_no_others() {
    journey(Setup::default(), async |desk: &mut Desk| {
        desk.practise().await;
        for command in [
            "plugin:opener|open_url",
            "plugin:opener|open_path",
            "plugin:window|set_title",
            "plugin:webview|create_webview_window",
            "plugin:event|emit",
            "plugin:path|resolve_directory",
            "plugin:app|version",
            "not_a_command",
        ] {
            desk.script(&format!(
                "window.called = undefined;
                 window.__TAURI_INTERNALS__.invoke({}, {{ url: 'https://sample.invalid/', event: 'x' }})
                     .then(() => window.called = 'done', () => window.called = 'refused')",
                json!(command)
            ))
            .await;
            let called = until(&format!("{command} is answered"), async || {
                desk.script("return window.called ?? null").await.as_str().map(str::to_owned)
            })
            .await;
            assert_eq!(called, "refused", "{command}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pages_prototypes_are_frozen() {
    journey(Setup::default(), async |desk: &mut Desk| {
        assert_eq!(
            desk.script("return Object.isFrozen(Object.prototype)")
                .await,
            json!(true)
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn practice_and_live_are_told_apart_by_band_word_and_title() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let english = desk.language();
        let service = Service::start().await;
        desk.practise().await;
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
        desk.sees_no("connect-submit").await;
        desk.page_says(english.word("mode.live")).await;
        assert!(!desk.shows("mode-band").await || desk.colour_of("mode-band").await != practice);
        has_title(desk, "Ginza counter").await;
        assert!(desk.titles().iter().all(|title| !title.contains("SANDBOX")));
    })
    .await;
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
