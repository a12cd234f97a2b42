use super::*;
use crate::Store;
use crate::submissions::Frozen;
use crate::test_fixtures::{freeze, frozen, keep, line, profile, store};

async fn removed(store: &Store) -> u32 {
    store.remove_profile("profile", line()).await.unwrap()
}

async fn entries(store: &Store) -> u32 {
    store
        .call(|connection| {
            connection.query_row("SELECT COUNT(*) FROM submission", [], |row| row.get(0))
        })
        .await
        .unwrap()
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
        assert_eq!((found, entries(&store).await), (Frozen::ProfileMoved, 0));
    }
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
        store
            .call(move |connection| {
                connection.execute(
                    "INSERT INTO lead (id, profile_id, state, transaction_id,
                         product_reference_id, product_purchase_price, quantity,
                         transaction_date, entered_at, entered_by)
                     VALUES ('lead', 'profile', ?1, 'T1', 'p', 1000, 1,
                         '2026-11-21T10:00:00+09:00', 1, 'somebody')",
                    [state],
                )
            })
            .await
            .unwrap();
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
            "INSERT INTO run (id, profile_id, kind, source, name, state, created_at, created_by,
                 layout_key, layout, rows, entered, rejected, rejected_taken, hidden, whole)
             VALUES ('run', 'profile', 'contracts', 'file', '', '{state}', 0, '', '', x'',
                 10, 1, 3, {taken}, {hidden}, {whole})"
        );
        let kept = store.write(move |transaction| transaction.execute_batch(&run));
        kept.await.unwrap();
        let moved = profile("profile", "https://elsewhere.sample.invalid/");
        let expected = if open > 0 {
            Kept::Open(open)
        } else {
            Kept::Yes
        };
        assert_eq!(
            keep(&store, moved).await,
            expected,
            "{state} {taken} {hidden}"
        );
        assert_eq!(removed(&store).await, open, "{state} {taken} {hidden}");
    }
}
