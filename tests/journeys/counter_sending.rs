//! A sale on its way to a slow service: it stays as it was sent, and what is scanned meanwhile is the
//! next one's.

use warranty_sandbox::{Operation, Personality, sample};

use crate::harness::{Desk, Sale, Service, Setup, Stroke, journey, until};
use crate::live::was_sold_once;

/// Long enough to see what stands there meanwhile, and less than a check waits, in milliseconds.
const LATE: u64 = 7_000;

/// The line beside the buttons; the driver takes what fades in for hidden.
const LINE: &str = "
    return {
        text: it.textContent,
        opacity: getComputedStyle(it).opacity,
        whole: it.scrollHeight <= it.clientHeight && it.scrollWidth <= it.clientWidth,
    };";

#[tokio::test(flavor = "multi_thread")]
async fn a_scan_during_a_slow_registration_begins_the_next_sale() {
    journey(Setup::default(), scanned_on_the_way).await;
}

async fn scanned_on_the_way(desk: &mut Desk) {
    let service = Service::start().await;
    desk.connect(&service).await;
    // Where there is least room to say anything.
    desk.sized(1024, 700).await;
    let sale = Sale::of_a_refrigerator();
    desk.fill_in(&sale).await;
    service.behave(Personality {
        answer_delay_ms: LATE,
        ..Personality::default()
    });
    desk.press("register-submit").await;
    desk.see_where("[data-testid=register-form][aria-busy=true]")
        .await;
    desk.scan(sample::PRODUCT_NOTEBOOK).await;
    assert_eq!(desk.holds("product-reference").await, sale.product);
    until("the scan is kept, and said to be", async || {
        let line = desk.script_at("register-sending", LINE).await;
        line["whole"] == true && line["text"].to_string().contains('1')
    })
    .await;
    until("it has faded in", async || {
        desk.script_at("register-sending", LINE).await["opacity"] == "1"
    })
    .await;
    desk.picture_in_motion("sending").await;
    service.behave_well();

    // It goes into the form of the next sale, and the one on its way is sold as it was.
    desk.see("receipt").await;
    desk.comes_to_hold("product-reference", sample::PRODUCT_NOTEBOOK)
        .await;
    desk.receipt_is(&["confirmed"]).await;
    was_sold_once(&service, &sale).await;
    assert_eq!(service.count(Operation::BulkCreateContracts), 1);

    // A product taken instead of that one leaves the focus at its plans: the key of one is no
    // character of the box where work stood before.
    desk.see("plan-option").await;
    desk.keys(&[Stroke::Char('1')]).await;
    desk.focus_is_at("transaction-id").await;
    desk.scan(sale.product).await;
    desk.see("scan-replace").await;
    desk.press("scan-replace").await;
    desk.comes_to_hold("product-reference", sale.product).await;
    desk.see("plan-option").await;
    desk.keys(&[Stroke::Char('2')]).await;
    desk.price_is_filled_in("plan-price").await;
    assert_eq!(desk.holds("transaction-id").await, "");
}
