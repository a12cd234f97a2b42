//! The room on the counter in a small window: the form has all of it until there is a receipt, and
//! the bar of buttons never covers what is wrong.

use serde_json::json;

use crate::harness::{Desk, Language, Sale, Setup, journey, until};

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
    journey(
        Setup::speaking(Language::Japanese),
        async |desk: &mut Desk| {
            desk.practise().await;
            desk.sized(1024, 700).await;
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
                let share = desk.script(SHARE).await.as_f64()?;
                (share < 0.8).then_some(())
            })
            .await;
        },
    )
    .await;
}
