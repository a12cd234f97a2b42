//! The figures of a day over a real file.

use rusqlite::{Connection, params};

use super::*;
use crate::test_fixtures;

/// Milliseconds of a day.
const DAY: i64 = 86_400_000;

/// The day that begins so many days after 1970.
fn day(number: i64) -> Span {
    Span {
        from: number * DAY,
        until: (number + 1) * DAY,
    }
}

/// A confirmed entry of this moment, but for these columns of its own.
fn entry(at: i64, own: &str) -> String {
    format!(
        "entered_at = {at}, state = 'confirmed', entered_by = 'aoki', product_reference_id = 'tv',
         plan_purchase_price = 100, {own}"
    )
}

fn insert_lead(connection: &Connection, at: i64, state: &str) -> Read<i64> {
    let own = format!(
        "state = '{state}', product_reference_id = 'tv', entered_at = {at}, entered_by = 'chiba'"
    );
    test_fixtures::insert(connection, "lead", &own)
}

fn know(connection: &Connection, product: &str, category: &str) -> Read<usize> {
    connection.execute(
        "INSERT INTO product (profile_id, reference_id, category, known_from, known_at, folded)
         VALUES ('profile', ?1, ?2, 'upsert', 0, '')",
        params![product, category],
    )
}

/// A store with an entry for each moment and columns.
async fn store_of(entries: Vec<(i64, &'static str)>) -> (tempfile::TempDir, Store) {
    let (folder, store) = test_fixtures::store().await;
    let made = store.write(move |connection| {
        let mut entries = entries.iter().map(|(at, own)| entry(*at, own));
        entries.try_for_each(|own| test_fixtures::insert(connection, "submission", &own).map(drop))
    });
    made.await.unwrap();
    (folder, store)
}

async fn counts(store: &Store, number: i64) -> DayCounts {
    let before = (number - 13..number).map(day).collect();
    store
        .day_counts("profile", before, day(number))
        .await
        .unwrap()
}

/// The day itself.
fn last(counts: &DayCounts) -> (u32, i64, u32, u32) {
    let (sold, accepted) = &counts.day;
    (sold.contracts, sold.fees.get(), sold.leads, *accepted)
}

/// Name, contracts, fees and leads of each part.
fn said(parts: &[DayPart]) -> Vec<(Option<&str>, u32, i64, u32)> {
    let said = parts.iter().map(|DayPart { name, counts }| {
        (
            name.as_deref(),
            counts.contracts,
            counts.fees.get(),
            counts.leads,
        )
    });
    said.collect()
}

#[tokio::test]
async fn an_entry_belongs_to_the_day_it_was_entered_on_from_its_first_to_its_last_millisecond() {
    let moments = [100 * DAY - 1, 100 * DAY, 101 * DAY - 1, 101 * DAY];
    let (_folder, store) = store_of(moments.map(|at| (at, "state = 'confirmed'")).to_vec()).await;
    let counts = counts(&store, 100).await;
    assert_eq!(last(&counts), (2, 200, 0, 2));
    let before = counts.before.iter().map(|(sold, _)| sold.contracts);
    assert_eq!(
        before.collect::<Vec<_>>(),
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    );
}

#[tokio::test]
async fn each_entry_of_a_day_is_in_one_state_and_a_cancelled_one_in_none() {
    let entries = [
        "state = 'confirmed'",
        "duplicate_possible = TRUE",
        "state = 'queued'",
        "state = 'inFlight'",
        "state = 'held'",
        "state = 'unknown'",
        "state = 'accepted'",
        "state = 'needsPerson'",
        "state = 'rejected'",
        "state = 'cancelled'",
    ];
    let (_folder, store) = store_of(entries.map(|own| (100 * DAY, own)).to_vec()).await;
    let counts = counts(&store, 100).await;
    let states = DayStates {
        confirmed: 1,
        waiting: 5,
        attention: 2,
        refused: 1,
    };
    assert_eq!(counts.states, states);
    // Neither the refused one nor the cancelled one was sold, and the service has three.
    assert_eq!(last(&counts), (8, 800, 0, 3));
}

#[tokio::test]
async fn a_day_is_divided_by_who_entered_it_and_by_what_is_known_of_the_product() {
    let entries = [
        "state = 'confirmed'",
        "entered_by = 'baba', product_reference_id = 'pan', plan_purchase_price = 5",
        "product_reference_id = 'cup', plan_purchase_price = 1",
        "state = 'rejected'",
    ];
    let (_folder, store) = store_of(entries.map(|own| (100 * DAY, own)).to_vec()).await;
    store
        .write(|connection| {
            know(connection, "tv", "television")?;
            know(connection, "pan", " ")?;
            insert_lead(connection, 100 * DAY, "created")?;
            insert_lead(connection, 100 * DAY, "unknown")?;
            insert_lead(connection, 99 * DAY, "created")
        })
        .await
        .unwrap();
    let counts = counts(&store, 100).await;
    assert_eq!(
        said(&counts.by_staff),
        [
            (Some("aoki"), 2, 101, 0),
            (Some("baba"), 1, 5, 0),
            (Some("chiba"), 0, 0, 1)
        ]
    );
    assert_eq!(
        said(&counts.by_category),
        [(None, 2, 6, 0), (Some("television"), 1, 100, 1)]
    );
    assert_eq!(last(&counts), (3, 106, 1, 3));
}

#[tokio::test]
async fn a_sum_too_large_to_be_shown_is_the_largest_that_can_be() {
    let large = (100 * DAY, "plan_purchase_price = 9007199254740991");
    let (_folder, store) = store_of(vec![large; 2_000]).await;
    let counts = counts(&store, 100).await;
    assert_eq!(last(&counts), (2_000, (1 << 53) - 1, 0, 2_000));
}

#[tokio::test]
async fn the_list_of_a_day_is_read_in_pieces_in_the_order_it_was_entered() {
    let (_folder, store) = store_of(vec![
        (100 * DAY + 5, "state = 'queued'"),
        (100 * DAY + 5, "state = 'queued'"),
        (100 * DAY + 1, "state = 'queued'"),
        (100 * DAY + 2, "state = 'cancelled'"),
        (101 * DAY, "state = 'queued'"),
    ])
    .await;
    let mut numbers = Vec::new();
    let mut after: Option<DaySale> = None;
    loop {
        let found = store
            .day_sales("profile", day(100), after.as_ref(), 2)
            .await
            .unwrap();
        let Some(sale) = found.last() else { break };
        numbers.extend(found.iter().map(|sale| sale.number));
        after = Some(sale.clone());
    }
    assert_eq!(numbers, [3, 1, 2]);
}

#[tokio::test]
async fn the_figures_of_a_day_read_only_the_rows_of_their_days() {
    let (_folder, store) = test_fixtures::store().await;
    for query in [figures_query(), staff_query(), category_query()] {
        let plan = test_fixtures::query_plan(&store, &query, 3).await;
        assert!(reads_days_only(&plan), "{query}\n{plan:#?}");
    }
    let plan = test_fixtures::query_plan(&store, SALES, 6).await;
    assert!(reads_days_only(&plan), "{plan:#?}");
    assert!(
        !plan.iter().any(|line| line.contains("TEMP B-TREE")),
        "{plan:#?}"
    );
}

/// Whether contracts and leads are read by the index of their days alone.
fn reads_days_only(plan: &[String]) -> bool {
    let is_read = |line: &&String| {
        let of_table =
            ["submission", "lead", " s ", " l "].map(|table| format!("{line} ").contains(table));
        (line.starts_with("SEARCH") || line.starts_with("SCAN")) && of_table.contains(&true)
    };
    let mut reads = plan.iter().filter(is_read).peekable();
    reads.peek().is_some()
        && reads.all(|line| {
            line.contains("_entered (profile_id=? AND entered_at>? AND entered_at<?)")
                || line.contains("_entered (profile_id=? AND (entered_at")
        })
}
