//! Bad input: each problem is shown at its own box, and nothing is sent.

use warranty_sandbox::Operation;

use crate::harness::{Desk, Sale, Service, Setup, journey};

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_is_named_at_its_box_and_sells_nothing() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let service = Service::start().await;
        desk.connect(&service).await;
        offers_no_plan_of_an_unknown_product(desk).await;
        nothing_was_sold(desk, &service).await;

        let sale = Sale::of_a_refrigerator();
        let no_address = Sale {
            email: "taro.mihon",
            ..sale
        };
        let no_whole_number = Sale {
            total: "208780.5",
            ..sale
        };
        let no_name = Sale {
            customer: "",
            ..sale
        };
        for (testid, sale) in [
            ("customer-email", no_address),
            ("transaction-total", no_whole_number),
            ("customer-name", no_name),
        ] {
            desk.press("register-clear").await;
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
        }
    })
    .await;
}

async fn offers_no_plan_of_an_unknown_product(desk: &Desk) {
    desk.scan("2999999999994").await;
    desk.see("error-notice").await;
    assert!(!desk.shows("plan-option").await);
    desk.write("transaction-id", "POS-20261121-0009").await;
    desk.press("register-submit").await;
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
