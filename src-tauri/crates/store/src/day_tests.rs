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

/// An entry as far as the figures see it.
#[derive(Clone)]
struct Entry {
    at: i64,
    state: &'static str,
    by: &'static str,
    product: &'static str,
    fee: i64,
    twice: bool,
}

impl Entry {
    fn at(at: i64) -> Self {
        Self {
            at,
            state: "confirmed",
            by: "aoki",
            product: "tv",
            fee: 100,
            twice: false,
        }
    }
    fn is(self, state: &'static str) -> Self {
        Self { state, ..self }
    }
}

fn insert(connection: &Connection, entries: &[Entry]) -> Read<()> {
    for entry in entries {
        let Entry {
            at,
            state,
            by,
            product,
            fee,
            twice,
        } = entry;
        let own = format!(
            "state = '{state}', product_reference_id = '{product}', plan_purchase_price = {fee},
             entered_at = {at}, entered_by = '{by}', duplicate_possible = {twice}"
        );
        test_fixtures::insert(connection, "submission", &own)?;
    }
    Ok(())
}

fn insert_lead(connection: &Connection, at: i64, state: &str, by: &str) -> Read<()> {
    let own = format!(
        "state = '{state}', product_reference_id = 'tv', entered_at = {at}, entered_by = '{by}'"
    );
    test_fixtures::insert(connection, "lead", &own).map(|_| ())
}

fn know(connection: &Connection, product: &str, category: &str) -> Read<()> {
    connection.execute(
        "INSERT INTO product (profile_id, reference_id, category, known_from, known_at, folded)
         VALUES ('profile', ?1, ?2, 'upsert', 0, '')",
        params![product, category],
    )?;
    Ok(())
}

async fn store_of(entries: Vec<Entry>) -> (tempfile::TempDir, Store) {
    let (folder, store) = test_fixtures::store().await;
    store
        .write(move |connection| insert(connection, &entries))
        .await
        .unwrap();
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
    let said = |part: &'_ DayPart| {
        let counts = part.counts;
        (counts.contracts, counts.fees.get(), counts.leads)
    };
    let named = parts.iter().map(|part| (part.name.as_deref(), said(part)));
    named
        .map(|(name, (contracts, fees, leads))| (name, contracts, fees, leads))
        .collect()
}

#[tokio::test]
async fn an_entry_belongs_to_the_day_it_was_entered_on_from_its_first_to_its_last_millisecond() {
    let (_folder, store) = store_of(vec![
        Entry::at(100 * DAY - 1),
        Entry::at(100 * DAY),
        Entry::at(101 * DAY - 1),
        Entry::at(101 * DAY),
    ])
    .await;
    let counts = counts(&store, 100).await;
    assert_eq!(last(&counts), (2, 200, 0, 2));
    let before: Vec<u32> = counts
        .before
        .iter()
        .map(|(sold, _)| sold.contracts)
        .collect();
    assert_eq!(before, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
}

#[tokio::test]
async fn each_entry_of_a_day_is_in_one_state_and_a_cancelled_one_in_none() {
    let at = |state| Entry::at(100 * DAY).is(state);
    let (_folder, store) = store_of(vec![
        at("confirmed"),
        Entry {
            twice: true,
            ..at("confirmed")
        },
        at("queued"),
        at("inFlight"),
        at("held"),
        at("unknown"),
        at("accepted"),
        at("needsPerson"),
        at("rejected"),
        at("cancelled"),
    ])
    .await;
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
    let (_folder, store) = store_of(vec![
        Entry::at(100 * DAY),
        Entry {
            by: "baba",
            product: "pan",
            fee: 5,
            ..Entry::at(100 * DAY)
        },
        Entry {
            product: "cup",
            fee: 1,
            ..Entry::at(100 * DAY)
        },
        Entry::at(100 * DAY).is("rejected"),
    ])
    .await;
    store
        .write(|connection| {
            know(connection, "tv", "television")?;
            know(connection, "pan", " ")?;
            insert_lead(connection, 100 * DAY, "created", "chiba")?;
            insert_lead(connection, 100 * DAY, "unknown", "chiba")?;
            insert_lead(connection, 99 * DAY, "created", "chiba")
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
    let large = Entry {
        fee: (1 << 53) - 1,
        ..Entry::at(100 * DAY)
    };
    let (_folder, store) = store_of(vec![large; 2_000]).await;
    let counts = counts(&store, 100).await;
    assert_eq!(last(&counts), (2_000, (1 << 53) - 1, 0, 2_000));
}

#[tokio::test]
async fn the_list_of_a_day_is_read_in_pieces_in_the_order_it_was_entered() {
    let (_folder, store) = store_of(vec![
        Entry::at(100 * DAY + 5),
        Entry::at(100 * DAY + 5),
        Entry::at(100 * DAY + 1),
        Entry::at(100 * DAY + 2).is("cancelled"),
        Entry::at(101 * DAY),
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
    let tables = ["submission", "lead", " s ", " l "];
    let reads: Vec<&String> = plan
        .iter()
        .filter(|line| line.starts_with("SEARCH") || line.starts_with("SCAN"))
        .filter(|line| {
            tables
                .iter()
                .any(|table| format!("{line} ").contains(table))
        })
        .collect();
    let by_day = |line: &&String| {
        line.contains("_entered (profile_id=? AND entered_at>? AND entered_at<?)")
            || line.contains("_entered (profile_id=? AND (entered_at")
    };
    !reads.is_empty() && reads.iter().all(by_day)
}
