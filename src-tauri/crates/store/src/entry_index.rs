//! What an index of the entries in memory is made of: every entry once, and then those that changed.
//!
//! Owns which entries changed since they were read. Knows nothing of what is searched or sorted.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use rusqlite::{Connection, Row, params};
use warranty_model::contracts::list_index::IndexedEntry;

use super::{Result, Store, encryption_keys, sql_types};
use crate::connection::lock;
use crate::query::{Query as _, Read};

const INDEXED: &str = "SELECT s.number, s.id, s.state,
        s.duplicate_possible = 1 AND s.duplicate_reference IS NULL, s.transaction_date,
        s.entered_at, s.plan_purchase_price, s.transaction_id, s.product_reference_id,
        s.product_title, s.plan_id, s.plan_title, s.contract_id, s.inquiry_code, c.key_id, c.encrypted,
        s.entered_by
    FROM submission s LEFT JOIN submission_customer c ON c.submission_id = s.id";

/// Records the entries created or changed since it was created; deleting a customer does not count.
#[derive(Debug, Clone)]
pub struct EntryWatch {
    store: Store,
    changed: Arc<Mutex<BTreeSet<i64>>>,
}

impl Store {
    /// Watches the entries of all profiles. A store has one watch: a new one ends the former.
    pub async fn watch_entries(&self) -> Result<EntryWatch> {
        let changed = Arc::<Mutex<BTreeSet<i64>>>::default();
        let noted = Arc::clone(&changed);
        self.engine
            .call(move |connection| {
                connection.update_hook(Some(move |_, _: &str, table: &str, number| {
                    if table == "submission" {
                        lock(&noted).insert(number);
                    }
                }))
            })
            .await??;
        Ok(EntryWatch {
            store: self.clone(),
            changed,
        })
    }

    /// A profile's entries below a number, newest first, at most so many.
    pub async fn indexed_below(
        &self,
        profile_id: &str,
        below: i64,
        most: u32,
    ) -> Result<Vec<IndexedEntry>> {
        self.list(
            // The sign keeps SQLite from going by the index of states, which is in another order.
            format!(
                "{INDEXED} WHERE +s.profile_id = ?1 AND s.number < ?2
                 ORDER BY s.number DESC LIMIT ?3"
            ),
            (profile_id.to_owned(), below, most),
            indexed,
        )
        .await
    }

    pub async fn count_entries(&self, profile_id: &str) -> Result<u32> {
        let sql = "SELECT COUNT(*) FROM submission WHERE profile_id = ?1";
        self.value(sql, [profile_id.to_owned()]).await
    }
}

impl EntryWatch {
    /// The profile's entries that changed since they were asked for last, as they are now.
    pub async fn changed(&self, profile_id: &str) -> Result<Vec<IndexedEntry>> {
        if lock(&self.changed).is_empty() {
            return Ok(Vec::new());
        }
        let (profile_id, changed) = (profile_id.to_owned(), Arc::clone(&self.changed));
        // Between two transactions: what is noted here is committed or was taken back.
        self.store
            .call(move |connection| {
                let numbers = std::mem::take(&mut *lock(&changed));
                let found = read(connection, &profile_id, &numbers);
                if found.is_err() {
                    lock(&changed).extend(numbers);
                }
                found
            })
            .await
    }
}

fn read(
    connection: &Connection,
    profile_id: &str,
    numbers: &BTreeSet<i64>,
) -> Read<Vec<IndexedEntry>> {
    let sql = format!("{INDEXED} WHERE s.number = ?1 AND s.profile_id = ?2");
    let found = numbers.iter().filter_map(|number| {
        let entry = connection.find(&sql, params![number, profile_id], indexed);
        entry.transpose()
    });
    found.collect()
}

fn indexed(row: &Row<'_>) -> Read<IndexedEntry> {
    let sold: warranty_model::interface::Timestamp = sql_types::word(row, 4)?;
    Ok(IndexedEntry {
        number: row.get(0)?,
        id: row.get(1)?,
        state: sql_types::word(row, 2)?,
        duplicate_possible: row.get(3)?,
        transaction_date: sold.get().timestamp_millis(),
        entered_at: row.get(5)?,
        entered_by: row.get(16)?,
        plan_purchase_price: row.get(6)?,
        transaction_id: row.get(7)?,
        product: [row.get(8)?, row.get(9)?, row.get(10)?, row.get(11)?],
        contract_id: row.get(12)?,
        inquiry_code: row.get(13)?,
        customer: encryption_keys::at(row, 14)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_fixtures;

    #[tokio::test]
    async fn the_list_of_a_profile_has_no_entry_of_another() {
        let (_folder, store) = test_fixtures::store().await;
        let watch = store.watch_entries().await.unwrap();
        test_fixtures::frozen(&store, test_fixtures::freeze(1, &["one"])).await;
        assert!(watch.changed("other").await.unwrap().is_empty());
        let listed = store.indexed_below("other", i64::MAX, 2).await.unwrap();
        assert!(listed.is_empty());
        assert_eq!(store.count_entries("other").await.unwrap(), 0);
    }

    #[tokio::test]
    async fn the_list_is_read_in_the_order_of_the_table() {
        let (_folder, store) = test_fixtures::store().await;
        let query = format!(
            "{INDEXED} WHERE +s.profile_id = 'p' AND s.number < 9 ORDER BY s.number DESC LIMIT 9"
        );
        let plan = test_fixtures::query_plan(&store, &query, 0).await;
        assert!(plan[0].contains("INTEGER PRIMARY KEY"), "{plan:?}");
        let sorted = plan.iter().any(|step| step.contains("TEMP B-TREE"));
        assert!(!sorted, "{plan:?}");
    }
}
