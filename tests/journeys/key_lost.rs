//! The key that customers are encrypted with is gone; and how long they are kept is a setting.

use crate::harness::{Desk, Language, Sale, Service, journey_in, lose_the_keys_of_customers};
use crate::live::was_sold_once;

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_key_is_said_and_a_new_one_taken_only_when_confirmed() {
    journey_in(Language::Japanese, async |desk: &mut Desk| {
        let language = desk.language();
        let service = Service::start().await;
        desk.connect(&service).await;
        let first = Sale::of_a_refrigerator();
        desk.register(&first).await;
        desk.receipt_is(&["confirmed"]).await;
        sets_how_long_customers_are_kept(desk).await;

        lose_the_keys_of_customers(&desk.data_dir());
        desk.cut_the_power_and_start_again().await;
        let banner = desk.text("customers-banner").await;
        assert!(
            banner.contains(language.word("customers.lostTitle")),
            "{banner}"
        );
        desk.go_to("outbox").await;
        desk.press("outbox-view-all").await;
        desk.page_says(first.transaction_id).await;
        desk.page_says(language.word("customer.lost")).await;
        assert!(!desk.page_text().await.contains(first.customer));
        desk.fits().await;
        desk.picture("key-lost").await;

        desk.press("key-renew").await;
        desk.see("key-renew-yes").await;
        desk.picture("key-renew").await;
        desk.press("key-renew-yes").await;
        desk.sees_no("customers-banner").await;
        was_sold_once(&service, &first).await;
        desk.go_to("settings").await;
        assert_eq!(desk.holds("retention-days").await, "30");

        desk.go_to("register").await;
        let second = Sale {
            transaction_id: "POS-20261121-0002",
            ..first
        };
        desk.enter_anew(&second).await;
        desk.receipt_is(&["confirmed"]).await;
        assert!(desk.text("receipt").await.contains(second.customer));
    })
    .await;
}

async fn sets_how_long_customers_are_kept(desk: &Desk) {
    desk.go_to("settings").await;
    assert_eq!(desk.holds("retention-days").await, "90");
    desk.write("retention-days", "0").await;
    desk.press("retention-save").await;
    desk.problem_at("retention-days").await;
    desk.write("retention-days", "30").await;
    desk.press("retention-save").await;
    desk.page_says(desk.language().word("settings.saved")).await;
    desk.picture("retention").await;
}
