use super::*;
use crate::Store;
use crate::submissions::Frozen;
use crate::test_fixtures::{freeze, frozen, inserted, keep, line, profile, query_plan, store};

async fn removed(store: &Store) -> u32 {
    store.remove_profile("profile", line()).await.unwrap()
}

/// What comes of moving a profile away from so many things that are not finished.
fn expected(open: u32) -> Kept {
    match open {
        0 => Kept::Yes,
        _ => Kept::Open(open),
    }
}

#[tokio::test]
async fn nothing_is_frozen_for_a_profile_that_was_removed_or_moved_meanwhile() {
    for moved in [false, true] {
        let (_folder, store) = store().await;
        if moved {
            let moved = profile("profile", "https://elsewhere.sample.invalid/");
            assert_eq!(keep(&store, moved).await, Kept::Yes);
        } else {
            assert_eq!(removed(&store).await, 0);
        }
        let found = frozen(&store, freeze(1, &["one"])).await;
        let entries = store.count_entries("profile").await.unwrap();
        assert_eq!((found, entries), (Frozen::ProfileMoved, 0));
    }
}

#[tokio::test]
async fn a_refused_contract_that_nobody_corrected_or_cancelled_keeps_its_profile_where_it_is() {
    for (state, open) in [("rejected", 1), ("cancelled", 0), ("confirmed", 0)] {
        let (_folder, store) = store().await;
        inserted(&store, "submission", format!("state = '{state}'")).await;
        let moved = profile("profile", "https://elsewhere.sample.invalid/");
        assert_eq!(keep(&store, moved).await, expected(open), "{state}");
        assert_eq!(removed(&store).await, open, "{state}");
    }
}

#[tokio::test]
async fn a_refused_contract_is_finished_once_its_sale_is_another_entry_that_was_not_refused() {
    for (other, open) in [
        ("state = 'confirmed'", 0),
        // It is unfinished itself.
        ("state = 'queued'", 1),
        ("state = 'confirmed', profile_id = 'another'", 0),
        ("state = 'cancelled'", 1),
        ("state = 'rejected'", 2),
        ("state = 'confirmed', origin = 'another'", 1),
        ("state = 'confirmed', store_id = 'another'", 1),
        ("state = 'confirmed', transaction_id = 'another'", 1),
        ("state = 'confirmed', product_reference_id = 'another'", 1),
        ("state = 'confirmed', plan_id = 'another'", 1),
    ] {
        let (_folder, store) = store().await;
        inserted(&store, "submission", "state = 'rejected'").await;
        inserted(&store, "submission", other).await;
        assert_eq!(removed(&store).await, open, "{other}");
    }
}

#[tokio::test]
async fn another_entry_of_a_refused_sale_is_found_without_reading_all_sales_of_its_service() {
    let (_folder, store) = store().await;
    let plan = query_plan(&store, OPEN, 1).await;
    let other = "SEARCH o USING INDEX submission_sale (origin=? AND <expr>=? AND transaction_id=?";
    assert!(plan.iter().any(|step| step.starts_with(other)), "{plan:#?}");
}

#[tokio::test]
async fn a_lead_that_is_not_finished_keeps_its_profile() {
    for (state, kept) in [
        ("queued", true),
        ("inFlight", true),
        ("unknown", true),
        ("created", false),
        ("rejected", false),
        ("cancelled", false),
    ] {
        let (_folder, store) = store().await;
        inserted(&store, "lead", format!("state = '{state}'")).await;
        assert_eq!(removed(&store).await, u32::from(kept), "{state}");
    }
}

#[tokio::test]
async fn a_profile_does_not_move_away_from_rejected_rows_that_nobody_has() {
    // Of ten rows three are rejected.
    for (state, whole, taken, hidden, open) in [
        ("staged", 0, 0, 0, 0),
        ("staged", 1, 0, 0, 10),
        ("running", 1, 0, 0, 9),
        ("running", 1, 1, 0, 6),
        ("done", 1, 0, 0, 3),
        ("done", 1, 1, 0, 0),
        ("done", 1, 0, 1, 0),
        ("cancelled", 1, 0, 0, 3),
        ("cancelled", 1, 1, 0, 0),
    ] {
        let (_folder, store) = store().await;
        let run = format!(
            "state = '{state}', rows = 10, entered = 1, rejected = 3, rejected_taken = {taken},
             hidden = {hidden}, whole = {whole}"
        );
        inserted(&store, "run", run).await;
        let moved = profile("profile", "https://elsewhere.sample.invalid/");
        let kept = keep(&store, moved).await;
        assert_eq!(kept, expected(open), "{state} {taken} {hidden}");
        assert_eq!(removed(&store).await, open, "{state} {taken} {hidden}");
    }
}
