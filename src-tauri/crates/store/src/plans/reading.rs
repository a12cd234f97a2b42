//! The statements that read plans from the cache.

use rusqlite::{Connection, Row};
use warranty_model::interface::{Plan, PlanFilter, PlanId, ProductReference};

use super::{CachedPlan, Listing, PlanCache};
use crate::query::{Query as _, Read};
use crate::sql_types;

const CACHED: &str = "SELECT plan.said, plan.product_reference, plan.fetched_at, product.said
     FROM plan LEFT JOIN product ON product.profile_id = plan.profile_id
         AND product.reference_id = plan.product_reference";

impl PlanCache {
    /// The product that plans were listed of last.
    pub async fn listed_product(&self, profile_id: &str) -> Option<ProductReference> {
        let profile_id = profile_id.to_owned();
        self.call(move |connection| {
            connection.find(
                "SELECT product_reference FROM listing WHERE profile_id = ?1 AND EXISTS (
                     SELECT 1 FROM listing_plan WHERE listing_plan.listing = listing.number)
                 ORDER BY fetched_at DESC LIMIT 1",
                [&profile_id],
                |row| sql_types::word(row, 0),
            )
        })
        .await
        .flatten()
    }

    pub async fn plan(&self, profile_id: &str, id: &PlanId) -> Option<CachedPlan> {
        let (profile_id, id) = (profile_id.to_owned(), id.clone());
        self.call(move |connection| {
            let sql = format!("{CACHED} WHERE plan.profile_id = ?1 AND plan.id = ?2");
            connection.find(&sql, [profile_id.as_str(), id.as_str()], cached)
        })
        .await
        .flatten()
    }

    pub async fn used_by(&self, profile_id: &str, store_reference_id: &str) -> Vec<PlanId> {
        let (profile_id, reference) = (profile_id.to_owned(), store_reference_id.to_owned());
        self.call(move |connection| {
            connection.list(
                "SELECT id FROM plan WHERE profile_id = ?1 AND store_reference_id = ?2 ORDER BY id",
                [&profile_id, &reference],
                |row| sql_types::word(row, 0),
            )
        })
        .await
        .unwrap_or_default()
    }
}

pub(super) fn listing(
    connection: &Connection,
    profile_id: &str,
    product: &ProductReference,
    filter: PlanFilter,
) -> Read<Option<Listing>> {
    let found = listed(connection, profile_id, product, filter)?;
    if found.is_some() || filter != PlanFilter::LiveInStore {
        return Ok(found);
    }
    // The interface says which of all plans these are: those that are linked (part 4.5).
    let mut all = listed(connection, profile_id, product, PlanFilter::Any)?;
    if let Some(listing) = &mut all {
        listing.plans.retain(Plan::is_linked);
    }
    Ok(all)
}

fn listed(
    connection: &Connection,
    profile_id: &str,
    product: &ProductReference,
    filter: PlanFilter,
) -> Read<Option<Listing>> {
    let found: Option<(i64, i64)> = connection.find(
        "SELECT number, fetched_at FROM listing
         WHERE profile_id = ?1 AND product_reference = ?2 AND kind = ?3",
        [profile_id, product.as_str(), filter.as_str()],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let Some((number, at)) = found else {
        return Ok(None);
    };
    let plans = connection.list(
        // A link belongs to the plan, whatever else is said of it for a product.
        "SELECT ifnull(
             json_set(listing_plan.said, '$.storeReferenceId',
                 plan.said -> 'storeReferenceId'), plan.said)
         FROM listing_plan JOIN plan ON plan.number = listing_plan.plan
         WHERE listing_plan.listing = ?1 ORDER BY listing_plan.position",
        [number],
        |row| sql_types::json(row, 0),
    )?;
    // A time that is none costs this list alone.
    Ok(sql_types::moment(at).map(|fetched_at| Listing { plans, fetched_at }))
}

pub(super) fn of_numbers(connection: &Connection, numbers: &[i64]) -> Read<Vec<CachedPlan>> {
    let sql = format!("{CACHED} WHERE plan.number = ?1");
    let found = numbers
        .iter()
        .map(|number| connection.find(&sql, [number], cached));
    found.filter_map(Result::transpose).collect()
}

fn cached(row: &Row<'_>) -> Read<CachedPlan> {
    Ok(CachedPlan {
        plan: sql_types::json(row, 0)?,
        product_reference: sql_types::word_or_none(row, 1)?,
        fetched_at: sql_types::instant(row, 2)?,
        product: sql_types::or_none(row, 3, sql_types::json)?,
    })
}
