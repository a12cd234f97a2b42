//! The window's life: starts, second starts, sudden ends, sessions without a keychain.

use warranty_sandbox::sample;

use crate::harness::{Desk, Sale, Service, Setup, UNTIL_REPEATED, journey, until_within};
use crate::live::was_sold_once;

#[tokio::test(flavor = "multi_thread")]
async fn a_power_cut_keeps_the_profile_its_token_and_the_queue() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let (mut service, sale) = desk.registers_at_a_service_that_is_down().await;

        desk.cut_the_power_and_start_again().await;
        desk.see("register-submit").await;
        desk.page_says("Sample store").await;
        desk.go_to("outbox").await;
        desk.page_says(sale.transaction_id).await;

        // At the moment of the cut it may have waited for its next try, or been on its way.
        service.come_back().await;
        is_confirmed_and_sold_once(desk, &service, &sale).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_with_an_unsent_sale_asks_first_and_a_scan_does_not_answer() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let (mut service, sale) = desk.registers_at_a_service_that_is_down().await;

        // A second press of the button while it asks opens no second dialog.
        desk.closes_the_window();
        desk.closes_the_window();
        desk.answers_about_closing(&["Return"]).await;
        desk.closes_the_window();
        desk.answers_about_closing(&["Escape"]).await;
        desk.go_to("outbox").await;
        desk.page_says(sale.transaction_id).await;

        desk.closes_the_window();
        desk.answers_about_closing(&["Tab", "Return"]).await;
        desk.has_ended().await;
        desk.cut_the_power_and_start_again().await;
        desk.go_to("outbox").await;
        desk.page_says(sale.transaction_id).await;
        service.come_back().await;
        is_confirmed_and_sold_once(desk, &service, &sale).await;

        // Nothing is left to ask about.
        desk.closes_the_window();
        desk.has_ended().await;
    })
    .await;
}

/// Waits until the outbox, which is open, counts the sale as confirmed; the service has sold it once.
async fn is_confirmed_and_sold_once(desk: &Desk, service: &Service, sale: &Sale) {
    until_within(UNTIL_REPEATED, "the sale is confirmed", async || {
        (desk.outbox_count("confirmed").await == 1).then_some(())
    })
    .await;
    was_sold_once(service, sale).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_start_leaves_one_window() {
    journey(Setup::default(), async |desk: &mut Desk| {
        desk.practise().await;
        let ended = desk.start_a_second_time().await;
        assert!(ended.success(), "the second start ends quietly: {ended}");
        assert_eq!(desk.windows(), 1);
        desk.scan_and_see_plans(sample::PRODUCT_REFRIGERATOR).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_keychain_connecting_says_what_is_wrong_and_practice_works() {
    journey(
        Setup::default().without_keychain(),
        async |desk: &mut Desk| {
            let service = Service::start().await;
            desk.fill_in_the_connection(
                &service.address(),
                warranty_sandbox::STORE_ID,
                Service::TOKEN,
            )
            .await;
            assert!(!desk.text("keychain-notice").await.is_empty());
            desk.press("connect-submit").await;
            desk.confirms_the_server().await;
            desk.see("error-notice").await;
            desk.picture("no-keychain").await;
            let written = everything_written(&desk.data_dir());
            assert!(
                !String::from_utf8_lossy(&written).contains(Service::TOKEN),
                "a token without a keychain is kept nowhere"
            );

            desk.press("connect-back").await;
            desk.practise().await;
            desk.register(&Sale::of_a_refrigerator()).await;
            desk.receipt_is(&["confirmed"]).await;
        },
    )
    .await;
}

fn everything_written(folder: &std::path::Path) -> Vec<u8> {
    std::fs::read_dir(folder)
        .expect("the data folder is there")
        .flatten()
        .map(|entry| entry.path())
        .flat_map(|path| {
            if path.is_dir() {
                everything_written(&path)
            } else {
                std::fs::read(path).unwrap_or_default()
            }
        })
        .collect()
}
