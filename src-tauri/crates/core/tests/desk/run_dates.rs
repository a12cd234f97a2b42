//! The date of rows that do not say when: that on which their run was handed in.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use chrono::Timelike as _;
use warranty_core::contracts::EnterMode;

use crate::harness::Stage;
use crate::replay_window::Settable;
use crate::runs::staged;
use crate::sales::{entered, sales};

#[tokio::test]
async fn rows_without_a_date_were_sold_when_their_run_was_handed_in() {
    let clock = Arc::new(Settable::default());
    let stage = Stage::practising().await.restarted_by(clock.clone()).await;
    let mut rows = sales(110);
    rows[1].transaction_date = "2026-01-02T03:04:05+09:00".to_owned();
    let view = staged(&stage.desk, &rows).await;
    let good = EnterMode::GoodRows;
    stage
        .desk
        .bulk
        .start(&view.id, good, &|_, _| {})
        .await
        .unwrap();
    stage.desk.bulk.pause(&view.id).await.unwrap();

    // The shop opens again the next day.
    clock.ahead.store(24 * 60 * 60, Ordering::SeqCst);
    let stage = stage.restarted_by(clock.clone()).await;
    stage.desk.bulk.resume(&view.id).await.unwrap();
    stage.desk.bulk.enter(&view.id, &|_, _| {}).await.unwrap();

    let handed_in = view.created_at.get().with_nanosecond(0).unwrap();
    let found = entered(&stage.desk).await;
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
