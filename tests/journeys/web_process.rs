//! The process that draws the page dies: the desk goes on, and the page comes back by itself.

use warranty_sandbox::{Operation, sample};

use crate::harness::{Desk, Service, Setup, journey, until};
use crate::live::was_sold_once;

#[tokio::test(flavor = "multi_thread")]
async fn the_outbox_goes_on_without_the_page_and_the_page_comes_back() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let (mut service, sale) = desk.registers_at_a_service_that_is_down().await;

        desk.kill_the_page().await;
        service.come_back().await;
        service.comes_to_have_sold(1).await;
        was_sold_once(&service, &sale).await;

        // The page is back by itself: a scan reaches it, and it asks the service for the plans.
        until("a new process draws the page", async || {
            !desk.page_processes().is_empty()
        })
        .await;
        until("the page hears a scan", async || {
            desk.scan(sample::PRODUCT_NOTEBOOK).await;
            asked_for(&service, sample::PRODUCT_NOTEBOOK)
        })
        .await;

        desk.cut_the_power_and_start_again().await;
        desk.see("register-submit").await;
        desk.page_says("Sample store").await;
        desk.go_to("outbox").await;
        desk.outbox_counts("confirmed", 1).await;
    })
    .await;
}

fn asked_for(service: &Service, product: &str) -> bool {
    service.requests().iter().any(|request| {
        request.operation == Some(Operation::ListPlans)
            && request
                .query
                .as_deref()
                .is_some_and(|query| query.contains(product))
    })
}
