//! The header says what is so, a declined product stays, and the palette takes the first hit.

use fantoccini::key::Key;
use warranty_sandbox::sample;

use crate::harness::{Desk, Language, Service, Stroke, journey_in, typed};

#[tokio::test(flavor = "multi_thread")]
async fn the_header_a_declined_sale_and_the_palette_say_and_do_what_is_so() {
    journey_in(Language::Japanese, honest).await;
}

async fn honest(desk: &mut Desk) {
    let name = |of: &str| format!("overview-{of}");
    let words = desk.language();
    let mut service = Service::start().await;
    desk.connect(&service).await;
    desk.wears("dark").await;
    desk.go_to("register").await;
    desk.sized(1280, 800).await;
    desk.scan_and_see_plans(sample::PRODUCT_REFRIGERATOR).await;
    desk.reads("connection", words.word("connection.connected"))
        .await;
    desk.see("all-done").await;

    // Declined before a plan is chosen: the receipt's code is the transaction.
    // What the product costs is not known at this desk yet.
    desk.write_price("189800").await;
    desk.keys(&[Stroke::Alt('l')]).await;
    desk.focus_is_at("transaction-id").await;
    desk.scan("POS-20261121-0009").await;
    desk.comes_to_hold("transaction-id", "POS-20261121-0009")
        .await;
    assert_eq!(
        desk.holds("product-reference").await,
        sample::PRODUCT_REFRIGERATOR
    );
    desk.focus_is_at("decline-lead").await;
    desk.keys(&[Stroke::Alt('l')]).await;
    desk.see("lead-token").await;

    // The same again is asked about, and nothing is sent without a yes.
    desk.scan_and_see_plans(sample::PRODUCT_REFRIGERATOR).await;
    desk.choose_plan(sample::REFRIGERATOR_PLAN_3_YEARS).await;
    desk.price_is_filled_in("product-price").await;
    desk.write("transaction-id", "POS-20261121-0009").await;
    desk.press("decline-lead").await;
    desk.see("second-lead").await;
    desk.picture(&name("second-lead")).await;
    desk.press("second-lead-back").await;
    desk.press("register-clear").await;

    // A product typed into the palette goes into the sale, Enter pressed at once.
    desk.keys(&[Stroke::ControlChar('k')]).await;
    desk.see("palette-input").await;
    desk.keys(&typed("REF-470S")).await;
    desk.see_where(".palette-item[data-value^=product-][data-selected]")
        .await;
    desk.picture(&name("palette")).await;
    desk.keys(&[Stroke::Key(Key::Enter)]).await;
    desk.comes_to_hold("product-reference", sample::PRODUCT_REFRIGERATOR)
        .await;

    service.go_down().await;
    desk.sized(1024, 700).await;
    desk.scan(sample::PRODUCT_NOTEBOOK).await;
    desk.reads("connection", words.word("connection.notReached"))
        .await;
    desk.sees_no("all-done").await;
    desk.see("last-contact").await;
    desk.picture(&name("not-reached")).await;
}
