//! The ledger: what was really sold. Tests compare it with what a client believes was sold.

use chrono::{DateTime, FixedOffset, Utc};
use rusqlite::Transaction;
use serde::{Deserialize, Serialize};

use crate::Failure;

/// One contract that exists at the service. As JSON its fields are camelCase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sale {
    pub contract_id: String,
    /// The business's transaction identifier.
    pub transaction_id: String,
    pub transaction_total: i64,
    pub product_reference_id: String,
    pub product_purchase_price: i64,
    pub plan_id: String,
    pub plan_purchase_price: i64,
    pub customer_email: String,
    /// The idempotency key it came with, if any.
    pub idempotency_key: Option<String>,
    /// When it was created, to the millisecond.
    pub created_at: DateTime<FixedOffset>,
}

#[derive(Debug, thiserror::Error)]
#[error("the sandbox's ledger could not be read: {0}")]
pub struct LedgerError(#[source] pub(crate) Failure);

/// Every sale, oldest first.
pub(crate) fn sales(transaction: &Transaction<'_>) -> Result<Vec<Sale>, Failure> {
    let mut statement = transaction.prepare_cached(
        "SELECT id, transaction_id, transaction_total, product_reference_id, product_purchase_price, plan_id,
                plan_purchase_price, COALESCE(decrypted(customer_email), ''), idempotency_key, created_at_ms
         FROM contract ORDER BY number",
    )?;
    let sales = statement.query_map([], |row| {
        let created_at_ms = row.get(9)?;
        Ok(Sale {
            contract_id: row.get(0)?,
            transaction_id: row.get(1)?,
            transaction_total: row.get(2)?,
            product_reference_id: row.get(3)?,
            product_purchase_price: row.get(4)?,
            plan_id: row.get(5)?,
            plan_purchase_price: row.get(6)?,
            customer_email: row.get(7)?,
            idempotency_key: row.get(8)?,
            created_at: DateTime::<Utc>::from_timestamp_millis(created_at_ms)
                .unwrap_or_default()
                .fixed_offset(),
        })
    })?;
    Ok(sales.collect::<rusqlite::Result<_>>()?)
}
