//! A manager's day: its figures, what is left, and its close on paper, in the real window.

use std::path::Path;

use warranty_sandbox::sample;

use crate::harness::{Desk, Language, Sale, journey_in};
use crate::papers::printed;

#[tokio::test(flavor = "multi_thread")]
async fn a_day_is_seen_and_closed() {
    journey_in(Language::Japanese, day).await;
}

async fn day(desk: &mut Desk) {
    let words = desk.language();
    desk.sized(1280, 800).await;
    desk.practise().await;
    desk.register(&Sale::of_a_refrigerator()).await;
    desk.receipt_is(&["confirmed"]).await;
    desk.go_to("today").await;
    desk.reads("today-contracts", "1").await;
    desk.reads("today-rate", "100.0%").await;
    desk.reads("day-closed", words.word("today.closed")).await;

    desk.start_again_after(sell_on_the_days_before).await;
    desk.go_to("today").await;
    desk.reads("today-contracts", "4").await;
    for theme in ["light", "dark"] {
        desk.wears(theme).await;
        for (width, height) in [(1440, 900), (1024, 700)] {
            desk.sized(width, height).await;
            desk.go_to("today").await;
            desk.see("today-staff").await;
            desk.fits().await;
            desk.is_accessible().await;
            desk.picture(&format!("today-{theme}-{width}")).await;
        }
    }
    desk.wears("light").await;

    // The day before has its own figures, and the way back is one press.
    desk.go_to("today").await;
    desk.press("today-previous").await;
    desk.reads("today-contracts", "2").await;
    desk.press("today-now").await;
    desk.reads("today-contracts", "4").await;

    // A sale that is being typed is left, and its line leads to it.
    desk.go_to("register").await;
    desk.scan_and_see_plans(sample::PRODUCT_NOTEBOOK).await;
    desk.go_to("today").await;
    desk.see("day-open").await;
    desk.picture("today-open").await;
    desk.press("close-drafts").await;
    desk.see("page-register").await;
    desk.press("register-clear").await;
    desk.go_to("today").await;
    desk.reads("day-closed", words.word("today.closed")).await;

    desk.press("today-table").await;
    desk.see("today-days").await;
    desk.picture("today-table").await;

    desk.press("today-print").await;
    for paper in ["a4", "roll"] {
        let pdf = printed(desk, paper).await;
        let sale = Sale::of_a_refrigerator();
        for part in [
            "締め確認表",
            "SANDBOX",
            "suzuki",
            words.word("today.byStaff"),
        ] {
            assert!(pdf.says(part), "{paper}: no {part} in\n{}", pdf.text());
        }
        assert!(!pdf.says(sale.customer), "{}", pdf.text());
        pdf.picture(&format!("day-{paper}"));
    }
    desk.picture("day-preview").await;
}

/// More sales like the one that was made: three of today, and some on each of the days before.
pub fn sell_on_the_days_before(data_dir: &Path) {
    let db = rusqlite::Connection::open(data_dir.join("desk.db")).unwrap();
    let sold: Vec<(i64, i64)> = (0..14)
        .map(|ago| (ago, if ago == 0 { 3 } else { 1 + (ago * 7) % 6 }))
        .collect();
    for (ago, sales) in sold {
        for sale in 0..sales {
            let copied = db.execute(
                "INSERT INTO submission (id, profile_id, origin, store_id, state, transaction_id,
                     transaction_total, transaction_date, product_reference_id, product_title,
                     product_purchase_price, plan_id, plan_title, plan_purchase_price, price_checked,
                     entered_at, entered_by, accepted_at, confirmed_at)
                 SELECT hex(randomblob(16)), profile_id, origin, store_id, state,
                     transaction_id || '-' || ?1 || '-' || ?2, transaction_total, transaction_date,
                     CASE ?2 WHEN 1 THEN 'unknown-product' ELSE product_reference_id END,
                     product_title, product_purchase_price, plan_id, plan_title, plan_purchase_price,
                     1, entered_at - ?1 * 86400000,
                     CASE ?2 % 2 WHEN 0 THEN 'suzuki' ELSE entered_by END,
                     accepted_at, confirmed_at
                 FROM submission WHERE number = 1",
                [ago, sale],
            );
            assert_eq!(copied.unwrap(), 1);
        }
    }
}
