//! What is started after a wait that the service asked for.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::time::Duration;

use warranty_store::test_fixtures::{freeze, frozen, keep, profile};
use warranty_vault::MemoryVault;

use super::scheduler::Task;
use crate::{Desk, DeskOptions};

/// The ids of the batches that may be sent now.
async fn sends(desk: &Desk) -> Vec<String> {
    let plan = desk.outbox.plan(None).await.unwrap();
    let tasks = plan.due.into_iter().map(|(_, task)| task);
    let ids = tasks.filter_map(|task| {
        if let Task::Send { id, .. } = task {
            Some(id)
        } else {
            None
        }
    });
    ids.collect()
}

#[tokio::test]
async fn after_a_wait_that_the_service_asked_for_a_sale_entered_now_goes_ahead_of_the_backlog() {
    let folder = tempfile::tempdir().unwrap();
    let vault = Arc::new(MemoryVault::default());
    let options = DeskOptions::new(folder.path().to_owned(), vault);
    let desk = Desk::open(options).await.unwrap();
    let (context, second) = (&desk.context, Duration::from_secs(1));
    keep(&context.store, profile("profile", "practice")).await;
    let wall = context.clock.now().timestamp_millis();
    for (number, id, ago) in [(1, "a", 600_000), (2, "b", 1_000)] {
        let mut sale = freeze(number, &[id]);
        sale.at = wall - ago;
        frozen(&context.store, sale).await;
    }
    assert_eq!(sends(&desk).await, ["1", "2"]);

    let mono = context.clock.monotonic();
    let work = &context.work;
    // Over by now but for the jitter: 5 seconds, and 30 for the backlog.
    work.keep_retry_after("profile", second, mono.saturating_sub(7 * second), 1.0);
    assert_eq!(sends(&desk).await, ["2"]);
    let plan = desk.outbox.plan(None).await.unwrap();
    let next = plan.next_batch.unwrap() - context.work.steady_now(context.clock.as_ref());
    assert!((15_000..=24_000).contains(&next), "{next} ms");

    work.keep_retry_after("profile", second, mono, 0.5);
    assert!(sends(&desk).await.is_empty());
}
