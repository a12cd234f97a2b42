//! What was registered on a day, counted by SQL over the indexes of the days.
//!
//! Decrypts nothing and reads no row of another day. The caller gives the first and last moment of a day.

use rusqlite::{Connection, Row, params};
use warranty_model::day::{DayPart, DaySale, DayStates, Sold, Span};

use super::{Result, Store, sql_types};
use crate::query::{Query as _, Read};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayCounts {
    /// Each of the days before, and how many of its contracts the service has accepted.
    pub before: Vec<(Sold, u32)>,
    /// The same of the day.
    pub day: (Sold, u32),
    /// What became of the day's entries.
    pub states: DayStates,
    pub by_staff: Vec<DayPart>,
    pub by_category: Vec<DayPart>,
}

/// A sum of fees: as a float it cannot overflow, and within the bound of an amount it is exact.
fn sum(fee: &str) -> String {
    format!("CAST(MAX(MIN(TOTAL({fee}), 9007199254740991), -9007199254740991) AS INTEGER)")
}

/// The entries of a time, ?2 until before ?3.
const ENTRIES: &str = "submission s
     WHERE s.profile_id = ?1 AND s.entered_at >= ?2 AND s.entered_at < ?3";

/// The leads of the same time that the service created.
const LEADS: &str = "lead l
     WHERE l.profile_id = ?1 AND l.entered_at >= ?2 AND l.entered_at < ?3 AND l.state = 'created'";

/// Those that are or may become contracts.
const CONTRACTS: &str = "s.state NOT IN ('rejected', 'cancelled')";

/// The counts of a time. An entry that may exist twice needs a person, whatever its state.
fn figures_query() -> String {
    let twice = "(s.duplicate_possible = 1 AND s.duplicate_reference IS NULL)";
    let fees = sum(&format!(
        "CASE WHEN {CONTRACTS} THEN s.plan_purchase_price END"
    ));
    format!(
        "SELECT COUNT(*) FILTER (WHERE {CONTRACTS}), {fees}, (SELECT COUNT(*) FROM {LEADS}),
             COUNT(*) FILTER (WHERE s.state IN ('accepted', 'confirmed')),
             COUNT(*) FILTER (WHERE NOT {twice} AND s.state = 'confirmed'),
             COUNT(*) FILTER (WHERE NOT {twice} AND s.state IN
                 ('draft', 'queued', 'inFlight', 'held', 'unknown', 'accepted')),
             COUNT(*) FILTER (WHERE s.state <> 'cancelled' AND ({twice} OR s.state = 'needsPerson')),
             COUNT(*) FILTER (WHERE NOT {twice} AND s.state = 'rejected')
         FROM {ENTRIES}"
    )
}

/// Contracts and leads by a column that both tables have; `name` makes its value a name. They are
/// counted by the value first, so that few values have to be named.
fn parts_query(column: &str, name: &str) -> String {
    let (fees, fees_of_all) = (sum("s.plan_purchase_price"), sum("fee"));
    format!(
        "SELECT SUM(contracts), {fees_of_all} AS fees, SUM(leads), {name} AS name FROM (
             SELECT s.{column} AS value, COUNT(*) AS contracts, {fees} AS fee, 0 AS leads
             FROM {ENTRIES} AND {CONTRACTS} GROUP BY s.{column}
             UNION ALL
             SELECT l.{column}, 0, 0, COUNT(*) FROM {LEADS} GROUP BY l.{column}
         ) GROUP BY name ORDER BY SUM(contracts) DESC, fees DESC, name IS NULL, name"
    )
}

fn staff_query() -> String {
    parts_query("entered_by", "value")
}

fn category_query() -> String {
    let category = "(SELECT NULLIF(TRIM(p.category), '') FROM product p
         WHERE p.profile_id = ?1 AND p.reference_id = value)";
    parts_query("product_reference_id", category)
}

const SALES: &str = "SELECT s.number, s.entered_at, s.entered_by, s.state, s.transaction_id,
         s.product_reference_id, s.product_title,
         (SELECT NULLIF(TRIM(p.category), '') FROM product p
             WHERE p.profile_id = ?1 AND p.reference_id = s.product_reference_id),
         s.plan_id, s.plan_title, s.plan_purchase_price, s.contract_id,
         s.duplicate_possible = 1 AND s.duplicate_reference IS NULL
     FROM submission s
     WHERE s.profile_id = ?1 AND s.entered_at >= ?2 AND s.entered_at < ?3
       AND (s.entered_at, s.number) > (?4, ?5) AND s.state <> 'cancelled'
     ORDER BY s.entered_at, s.number LIMIT ?6";

impl Store {
    /// The counts of a profile for a day, and for some days before it.
    pub async fn day_counts(
        &self,
        profile_id: &str,
        before: Vec<Span>,
        day: Span,
    ) -> Result<DayCounts> {
        let profile_id = profile_id.to_owned();
        self.call(move |connection| {
            let mut statement = connection.prepare_cached(&figures_query())?;
            let mut count = |span: Span| {
                let values = params![profile_id, span.from, span.until];
                statement.query_row(values, |row| Ok((sold(row)?, row.get(3)?, states(row)?)))
            };
            let (sold, accepted, states) = count(day)?;
            let before = before.into_iter().map(|span| {
                let (sold, accepted, _) = count(span)?;
                Ok((sold, accepted))
            });
            Ok(DayCounts {
                before: before.collect::<Read<_>>()?,
                day: (sold, accepted),
                states,
                by_staff: parts(connection, &staff_query(), &profile_id, day)?,
                by_category: parts(connection, &category_query(), &profile_id, day)?,
            })
        })
        .await
    }

    /// The next few entries of a day that were not cancelled, in the order they were entered, after
    /// a given one.
    pub async fn day_sales(
        &self,
        profile_id: &str,
        day: Span,
        after: Option<&DaySale>,
        limit: u32,
    ) -> Result<Vec<DaySale>> {
        let profile_id = profile_id.to_owned();
        let after = after.map_or((i64::MIN, i64::MIN), |sale| {
            (sale.entered_at.get().timestamp_millis(), sale.number)
        });
        self.list(
            SALES,
            (profile_id, day.from, day.until, after.0, after.1, limit),
            sale,
        )
        .await
    }
}

fn parts(connection: &Connection, query: &str, profile_id: &str, day: Span) -> Read<Vec<DayPart>> {
    connection.list(query, params![profile_id, day.from, day.until], |row| {
        Ok(DayPart {
            name: row.get(3)?,
            counts: sold(row)?,
        })
    })
}

fn sold(row: &Row<'_>) -> Read<Sold> {
    Ok(Sold::new(
        row.get(0)?,
        sql_types::whole(row, 1)?,
        row.get(2)?,
    ))
}

fn states(row: &Row<'_>) -> Read<DayStates> {
    Ok(DayStates {
        confirmed: row.get(4)?,
        waiting: row.get(5)?,
        attention: row.get(6)?,
        refused: row.get(7)?,
    })
}

fn sale(row: &Row<'_>) -> Read<DaySale> {
    Ok(DaySale {
        number: row.get(0)?,
        entered_at: sql_types::instant(row, 1)?,
        entered_by: row.get(2)?,
        state: sql_types::word(row, 3)?,
        transaction_id: row.get(4)?,
        product_reference_id: row.get(5)?,
        product_title: row.get(6)?,
        category: row.get(7)?,
        plan_id: row.get(8)?,
        plan_title: row.get(9)?,
        fee: sql_types::whole(row, 10)?,
        contract_id: row.get(11)?,
        duplicate_possible: row.get(12)?,
    })
}

#[cfg(test)]
#[path = "day_tests.rs"]
mod tests;
