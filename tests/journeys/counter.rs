//! Hands at the counter: scanners, hasty double clicks, the keyboard alone.

use fantoccini::key::Key;
use warranty_sandbox::{Operation, sample};

use crate::harness::{Desk, Sale, Service, Setup, Stroke, journey, typed};
use crate::live::was_sold_once;

#[tokio::test(flavor = "multi_thread")]
async fn a_scan_goes_to_the_product_wherever_the_focus_is_and_never_registers() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let service = Service::start().await;
        desk.connect(&service).await;
        let sale = Sale::of_a_refrigerator();
        let places = [
            "product-reference",
            "customer-name",
            "register-submit",
            "decline-lead",
        ];
        for (scanned, focus) in [sample::PRODUCT_NOTEBOOK, sample::PRODUCT_CAMERA]
            .into_iter()
            .cycle()
            .zip(places)
        {
            desk.fill_in(&sale).await;
            desk.has_focus_put_at(focus).await;
            desk.scan_and_see_plans(scanned).await;
            for (testid, typed) in [
                ("transaction-id", sale.transaction_id),
                ("customer-name", sale.customer),
                ("customer-email", sale.email),
            ] {
                assert_eq!(desk.holds(testid).await, typed, "scanned at {focus}");
            }
            assert!(!desk.shows("receipt").await, "scanned at {focus}");
            assert!(!desk.shows("lead-receipt").await, "scanned at {focus}");
        }
        assert_eq!(service.count(Operation::BulkCreateContracts), 0);
        assert_eq!(service.count(Operation::CreateLead), 0);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_keyboard_alone_and_a_double_click_sell_once_each() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let service = Service::start().await;
        desk.connect(&service).await;
        let sale = Sale::of_a_refrigerator();
        desk.focus_is_at("product-reference").await;
        desk.keys(&typed(sale.product)).await;
        desk.keys(&[Stroke::Key(Key::Enter)]).await;
        desk.see("plan-option").await;
        desk.keys(&[Stroke::Char('2')]).await;
        desk.focus_is_at("transaction-id").await;
        // The service lists plans without their product, so its price may not be known yet.
        desk.tab_back_to("product-price").await;
        if desk.holds("product-price").await.is_empty() {
            desk.keys(&typed(sale.price)).await;
        }
        for (testid, text) in [
            ("transaction-id", sale.transaction_id),
            ("transaction-total", sale.total),
            ("customer-name", "Mihon Taro"),
            ("customer-email", sale.email),
        ] {
            desk.tab_to(testid).await;
            desk.keys(&typed(text)).await;
            assert_eq!(desk.holds(testid).await, text);
        }
        desk.tab_to("register-submit").await;
        desk.keys(&[Stroke::Key(Key::Enter)]).await;
        desk.receipt_is(&["confirmed"]).await;
        was_sold_once(&service, &sale).await;
        desk.focus_is_at("product-reference").await;

        let second = Sale {
            transaction_id: "POS-20261121-0002",
            ..sale
        };
        desk.fill_in(&second).await;
        desk.double_click("register-submit").await;
        service.comes_to_have_sold(2).await;
        desk.go_to("outbox").await;
        desk.outbox_counts("confirmed", 2).await;
        assert_eq!(service.count(Operation::BulkCreateContracts), 2);
        let sold = service.sold().await;
        assert_eq!(sold.len(), 2);
        assert_eq!(sold[1].transaction_id, second.transaction_id);
    })
    .await;
}
