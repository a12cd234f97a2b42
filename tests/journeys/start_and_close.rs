//! The window is started, started a second time, killed and closed while a sale is not sent.

use warranty_sandbox::{Operation, Personality, sample};

use crate::harness::{Desk, Sale, Service, Setup, UNTIL_REPEATED, journey, until, until_within};
use crate::live::was_sold_once;

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
        starts_again_and_sells_it_once(desk, &mut service, &sale).await;

        // Nothing is left to ask about.
        desk.closes_the_window();
        desk.has_ended().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_start_leaves_one_window() {
    journey(Setup::default(), async |desk: &mut Desk| {
        desk.practise().await;
        let ended = desk.start_a_second_time(&desk.data_dir()).await;
        assert!(ended.success(), "the second start ends quietly: {ended}");
        assert_eq!(desk.windows(), 1);
        // On another folder nothing is opened, and the window says which one it has.
        let other = desk.folder().join("other");
        // However often it is started, there is one dialog to close.
        for _ in 0..2 {
            let ended = desk.start_a_second_time(&other).await;
            assert!(ended.success(), "the second start ends quietly: {ended}");
        }
        desk.answers_about_the_open_folder().await;
        assert!(!other.exists(), "nothing is written there");
        desk.scan_and_see_plans(sample::PRODUCT_REFRIGERATOR).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_while_the_window_closes_opens_the_folder_asked_for() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let service = Service::start().await;
        desk.connect(&service).await;
        let sale = Sale::of_a_refrigerator();
        desk.fill_in(&sale).await;
        service.behave(Personality {
            answer_delay_ms: 15_000,
            ..Personality::default()
        });
        desk.press("register-submit").await;
        until("the sale is on its way", async || {
            service.count(Operation::BulkCreateContracts) == 1
        })
        .await;
        desk.closes_the_window();
        desk.answers_about_closing(&["Tab", "Return"]).await;
        until("the window is gone", async || desk.titles().is_empty()).await;
        let other = desk.folder().join("other");
        let ended = desk.start_a_second_time(&other).await;
        assert!(ended.success(), "the second start ends quietly: {ended}");
        service.behave_well();
        desk.is_followed_by(&other).await;
        was_sold_once(&service, &sale).await;
    })
    .await;
}

/// Starts the window again, with the profile, its token and the sale that was not sent. Once the service is
/// back, it has sold that sale once: when the program ended, the sale waited for its next try or was on its way.
async fn starts_again_and_sells_it_once(desk: &mut Desk, service: &mut Service, sale: &Sale) {
    desk.cut_the_power_and_start_again().await;
    desk.see("register-submit").await;
    desk.page_says("Sample store").await;
    desk.go_to("outbox").await;
    desk.page_says(sale.transaction_id).await;
    service.come_back().await;
    until_within(UNTIL_REPEATED, "the sale is confirmed", async || {
        desk.outbox_count("confirmed").await == 1
    })
    .await;
    was_sold_once(service, sale).await;
}
