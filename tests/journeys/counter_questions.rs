//! What the counter asks and warns of before anything is sent.

use fantoccini::key::Key;
use warranty_sandbox::sample;

use crate::harness::{Desk, Language, Sale, Service, Stroke, journey_in, until};

#[tokio::test(flavor = "multi_thread")]
async fn odd_entries_warn_and_doubtful_ones_ask() {
    journey_in(Language::Japanese, warns_and_asks).await;
}

async fn warns_and_asks(desk: &mut Desk) {
    let service = Service::start().await;
    desk.connect(&service).await;
    let word = |key: &str| desk.language().word(key);
    let sale = Sale::of_a_refrigerator();
    let name = |what: &str| format!("counter-{what}");

    // Odd: said at its box, and in nobody's way.
    desk.fill_in(&sale).await;
    desk.write("transaction-total", "1000").await;
    desk.page_says(word("warning.totalBelowPrice")).await;
    desk.write("plan-price", "9000").await;
    desk.picture(&name("odd")).await;

    // A price that is not the service's: asked, and mended with one press.
    desk.keys(&[Stroke::Key(Key::F12)]).await;
    desk.see("question-dialog").await;
    desk.page_says(word("question.changedPrice")).await;
    desk.picture(&name("changed-price")).await;
    assert!(service.sold().await.is_empty(), "nothing is sent yet");
    desk.press("question-price").await;
    desk.receipt_is(&["confirmed"]).await;
    let sold = service.sold().await;
    assert_eq!(sold.len(), 1);
    assert_eq!(sold[0].plan_purchase_price, 9490);

    // The same sale: asked, and sold a second time only by a person's yes.
    desk.enter_anew(&sale).await;
    desk.see("question-dialog").await;
    desk.page_says(word("question.secondContract")).await;
    until("the earlier sale says whose it was", async || {
        let earlier = desk.text("earlier-sale").await;
        earlier.contains(sale.customer)
    })
    .await;
    desk.picture(&name("second-contract")).await;
    desk.press("question-back").await;
    desk.sees_no("question-yes").await;
    assert_eq!(service.sold().await.len(), 1);
    assert_eq!(desk.holds("customer-name").await, sale.customer);

    // Another product in the middle of it: asked, and nothing is thrown away.
    desk.scan(sample::PRODUCT_NOTEBOOK).await;
    desk.see("scan-keep").await;
    desk.picture(&name("another-product")).await;
    desk.press("scan-keep").await;
    desk.sees_no("scan-keep").await;
    assert_eq!(desk.holds("product-reference").await, sale.product);
    assert_eq!(desk.holds("transaction-id").await, sale.transaction_id);

    desk.keys(&[Stroke::Key(Key::F12)]).await;
    desk.press("question-yes").await;
    service.comes_to_have_sold(2).await;
}
