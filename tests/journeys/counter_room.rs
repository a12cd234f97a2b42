//! The counter in a small window: a product is found by its name, the form has all of the room until
//! there is a receipt, and the bar of buttons never covers what is wrong.

use fantoccini::key::Key;
use serde_json::json;
use warranty_sandbox::sample;

use crate::harness::{Desk, Language, Sale, Stroke, journey_in, typed, until};

/// The width of the form, as a share of the page.
const SHARE: &str = "
    const width = (css) => document.querySelector(css).getBoundingClientRect().width;
    return width('[data-testid=register-form]') / width('#content')";

/// The boxes whose message is out of sight while they have the focus.
const COVERED: &str = "
    const bar = document.querySelector('[data-testid=register-submit]').parentElement;
    const page = document.querySelector('#content');
    return [...document.querySelectorAll('[data-testid=register-form] input[aria-invalid]')]
        .filter((box) => {
            document.activeElement.blur();
            page.scrollTop = 0;
            box.focus();
            const note = document.getElementById(box.getAttribute('aria-describedby'));
            const { top, bottom } = note.getBoundingClientRect();
            return bottom > bar.getBoundingClientRect().top || top < page.getBoundingClientRect().top;
        })
        .map((box) => box.dataset.testid)";

#[tokio::test(flavor = "multi_thread")]
async fn the_form_has_the_whole_width_until_there_is_a_receipt_and_no_message_is_covered() {
    journey_in(Language::Japanese, async |desk: &mut Desk| {
        desk.practise().await;
        desk.sized(1024, 700).await;
        finds_a_product_by_its_name_with_the_arrow_keys(desk).await;
        desk.press("register-clear").await;

        let share = desk.script(SHARE).await.as_f64().unwrap_or_default();
        assert!(share > 0.9, "the form has {share} of the page");
        desk.picture("ja-counter-room").await;

        desk.write("transaction-id", "T-1").await;
        desk.press("register-submit").await;
        desk.focus_is_at("product-reference").await;
        for (width, height) in [(1024, 700), (1280, 600), (640, 400)] {
            desk.sized(width, height).await;
            assert_eq!(desk.script(COVERED).await, json!([]), "at {width}x{height}");
        }
        desk.sized(1024, 700).await;
        desk.has_focus_put_at("customer-email").await;
        desk.picture("ja-counter-messages").await;

        desk.press("register-clear").await;
        desk.register(&Sale::of_a_refrigerator()).await;
        until("the receipt is beside the form", async || {
            let share = desk.script(SHARE).await.as_f64();
            share.is_some_and(|share| share < 0.8)
        })
        .await;
    })
    .await;
}

async fn finds_a_product_by_its_name_with_the_arrow_keys(desk: &Desk) {
    desk.focus_is_at("product-reference").await;
    desk.keys(&typed("冷蔵庫")).await;
    desk.see("product-offers").await;
    desk.keys(&[Stroke::Key(Key::Down)]).await;
    desk.picture("ja-counter-product-offers").await;
    let first = desk.text("product-offer").await;
    desk.keys(&[Stroke::Key(Key::Enter)]).await;
    desk.see("plan-option").await;
    assert!(first.contains(&desk.holds("product-reference").await));
    assert!(desk.text("product-title").await.contains("冷蔵庫"));

    // A scanned code is never replaced by an offer that is marked.
    desk.has_focus_put_at("product-reference").await;
    desk.write("product-reference", "冷蔵庫").await;
    desk.see("product-offers").await;
    desk.keys(&[Stroke::Key(Key::Down)]).await;
    desk.scan_and_see_plans(sample::PRODUCT_NOTEBOOK).await;
    desk.sees_no("product-offers").await;
}
