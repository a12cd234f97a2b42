//! Bad input: each problem is shown at its own box, and nothing is sent.

use warranty_sandbox::Operation;

use crate::harness::{Desk, Sale, Service, Setup, journey};

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_is_none_is_named_at_its_box() {
    refused_at(
        "customer-email",
        Sale {
            email: "taro.mihon",
            ..Sale::of_a_refrigerator()
        },
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_amount_that_is_no_whole_number_is_named_at_its_box() {
    refused_at(
        "transaction-total",
        Sale {
            total: "208780.5",
            ..Sale::of_a_refrigerator()
        },
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_name_is_named_at_its_box() {
    refused_at(
        "customer-name",
        Sale {
            customer: "",
            ..Sale::of_a_refrigerator()
        },
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_product_offers_no_plan_and_sells_nothing() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let service = Service::start().await;
        desk.connect(&service).await;
        desk.scan("2999999999994").await;
        desk.see("error-notice").await;
        assert!(!desk.shows("plan-option").await);
        desk.write("transaction-id", "POS-20261121-0009").await;
        desk.press("register-submit").await;
        nothing_was_sold(desk, &service).await;
    })
    .await;
}

/// Fills a sale in, presses the button and expects the problem at one box, with everything kept.
async fn refused_at(testid: &'static str, sale: Sale) {
    journey(Setup::default(), async |desk: &mut Desk| {
        let service = Service::start().await;
        desk.connect(&service).await;
        desk.fill_in(&sale).await;
        desk.press("register-submit").await;
        let problem = desk.problem_at(testid).await;
        assert!(!problem.is_empty());
        desk.focus_is_at(testid).await;
        desk.picture(&format!("bad-{testid}")).await;
        assert_eq!(
            desk.holds("transaction-id").await,
            sale.transaction_id,
            "what was typed is kept"
        );
        nothing_was_sold(desk, &service).await;
    })
    .await;
}

async fn nothing_was_sold(desk: &Desk, service: &Service) {
    assert!(!desk.shows("receipt").await, "there is nothing to receipt");
    assert_eq!(
        service.count(Operation::BulkCreateContracts),
        0,
        "nothing was sent"
    );
    assert!(service.sold().await.is_empty());
}
