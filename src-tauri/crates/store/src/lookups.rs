//! Contracts looked up lately, without their customers.

use rusqlite::params;

use super::{Result, Store, sql_types};
use warranty_model::contracts::RecentLookup;

/// How many are kept for a profile.
const KEPT: u32 = 50;

impl Store {
    /// Remembers a lookup in place of an earlier one of the same contract.
    pub async fn remember_lookup(&self, profile_id: &str, lookup: RecentLookup) -> Result<()> {
        let profile_id = profile_id.to_owned();
        self.write(move |transaction| {
            transaction.execute(
                "INSERT OR REPLACE INTO lookup
                     (profile_id, contract_id, at, transaction_id, product_title, status)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![
                    profile_id,
                    lookup.contract_id.as_str(),
                    lookup.at.get().timestamp_millis(),
                    lookup.transaction_id,
                    lookup.product_title,
                    lookup.status,
                ],
            )?;
            transaction.execute(
                "DELETE FROM lookup WHERE profile_id = ?1 AND contract_id NOT IN (
                     SELECT contract_id FROM lookup WHERE profile_id = ?1
                     ORDER BY at DESC LIMIT ?2)",
                params![profile_id, KEPT],
            )?;
            Ok(())
        })
        .await
    }

    /// Lookups of a profile, newest first.
    pub async fn recent_lookups(&self, profile_id: &str) -> Result<Vec<RecentLookup>> {
        self.list(
            "SELECT contract_id, at, transaction_id, product_title, status FROM lookup
             WHERE profile_id = ?1 ORDER BY at DESC LIMIT ?2",
            (profile_id.to_owned(), KEPT),
            |row| {
                Ok(RecentLookup {
                    contract_id: sql_types::word(row, 0)?,
                    at: sql_types::instant(row, 1)?,
                    transaction_id: row.get(2)?,
                    product_title: row.get(3)?,
                    status: row.get(4)?,
                })
            },
        )
        .await
    }
}
