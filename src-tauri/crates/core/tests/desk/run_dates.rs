//! The date of rows that do not say when: that on which their run was handed in.

use chrono::Timelike as _;

use crate::harness::{Stage, TestClock};
use crate::runs::staged;
use crate::sales::sales;
use crate::steps::Steps;

#[tokio::test]
async fn rows_without_a_date_were_sold_when_their_run_was_handed_in() {
    let clock = TestClock::new();
    let stage = Stage::practising().await.restarted_by(clock.clone()).await;
    let mut rows = sales(110);
    rows[1].transaction_date = "2026-01-02T03:04:05+09:00".to_owned();
    let view = staged(&stage, &rows).await;

    stage.start(&view.id).await;
    stage.bulk.pause(&view.id).await.unwrap();

    // The shop opens again the next day.
    clock.set_ahead(24 * 60 * 60);
    let stage = stage.restarted_by(clock.clone()).await;
    stage.bulk.resume(&view.id).await.unwrap();
    stage.enter_rows(&view.id).await;

    let handed_in = view.created_at.get().with_nanosecond(0).unwrap();
    let found = stage.entered().await;
    assert_eq!(found.len(), 110);
    for entry in &found {
        let date = entry.transaction_date;
        if entry.transaction_id == rows[1].transaction_id {
            assert!(date.to_string().starts_with("2026-01-02T03:04:05"));
        } else {
            assert_eq!(date.get(), handed_in, "{}", entry.transaction_id);
        }
    }
}
