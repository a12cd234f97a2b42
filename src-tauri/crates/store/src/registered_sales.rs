//! Entries as a list of the point of sale is compared with them: without their customers.

use rusqlite::{Row, params};
use warranty_model::day::Date;
use warranty_model::interface::Timestamp;
use warranty_model::profile::{Profile, ServiceStore, Zone};
use warranty_model::reconciliation::RegisteredSale;

use super::{Result, Store, sql_types};
use crate::query::{Query as _, Read};

/// Where the next page begins: when the last entry was entered, and its number.
pub type Page = (i64, i64);

const SALES: &str =
    "SELECT s.entered_at, s.number, s.id, s.state, s.transaction_id, s.transaction_date,
         s.transaction_total, s.product_reference_id, s.product_title, s.product_purchase_price,
         s.plan_id, s.plan_title, s.plan_purchase_price, s.profile_id,
         s.duplicate_possible = 1 AND s.duplicate_reference IS NULL
     FROM submission s
     WHERE s.profile_id = ?1 AND s.entered_at >= ?2 AND (s.entered_at, s.number) > (?2, ?3)
       AND s.origin = ?5 AND s.store_id = ?6 AND (s.entered_at >= ?7 OR s.transaction_date >= ?8)
     ORDER BY s.entered_at, s.number LIMIT ?4";

impl Store {
    /// The next entries for the store of a profile under one profile after a position, in the order they were
    /// entered, with days on the store's clock, and the position after them; `None` at the end. Only those
    /// entered since a moment, in milliseconds since 1970 UTC, or dated since a day.
    pub async fn registered_sales(
        &self,
        profile_id: String,
        of: &Profile,
        (entered_since, dated_since): (i64, String),
        after: Page,
        limit: u32,
    ) -> Result<Option<(Vec<RegisteredSale>, Page)>> {
        let (ServiceStore { origin, store_id }, zone) = (of.store(), of.zone());
        self.call(move |connection| {
            let mut page = None;
            let values = params![
                profile_id,
                after.0,
                after.1,
                limit,
                origin,
                store_id,
                entered_since,
                dated_since
            ];
            let sales = connection.list(SALES, values, |row| {
                page = Some((row.get(0)?, row.get(1)?));
                sale(row, zone)
            })?;
            Ok(page.map(|page| (sales, page)))
        })
        .await
    }
}

fn sale(row: &Row<'_>, zone: Zone) -> Read<RegisteredSale> {
    let sold: Timestamp = sql_types::word(row, 5)?;
    Ok(RegisteredSale {
        id: row.get(2)?,
        state: sql_types::word(row, 3)?,
        transaction_id: row.get(4)?,
        date: Date::of(sold.get().to_utc(), zone),
        transaction_total: sql_types::whole(row, 6)?,
        product_reference_id: row.get(7)?,
        product_title: row.get(8)?,
        product_purchase_price: sql_types::whole(row, 9)?,
        plan_id: row.get(10)?,
        plan_title: row.get(11)?,
        plan_purchase_price: sql_types::whole(row, 12)?,
        profile_id: row.get(13)?,
        duplicate_possible: row.get(14)?,
    })
}
