//! The statements that read plans from the cache.

use rusqlite::{Connection, OptionalExtension, Row};
use warranty_model::interface::{Amount, Plan, PlanFilter, PlanId, PlanProduct, ProductReference};

use super::{CachedPlan, Listing, PlanCache};
use crate::query::{Query as _, Read};
use crate::sql_types;

/// The columns of a plan, as [`plan_of`] reads them.
pub(super) const PLAN: &str = "plan.id, plan.store_reference_id, plan.title, plan.price, \
                               plan.term_length, plan.service_type, plan.protection_type, plan.url";

const PRODUCT: &str = "plan.product_reference, plan.fetched_at, product.reference_id, product.id, \
                       product.title, product.price, product.image_url, product.created_at, \
                       product.updated_at";

const FROM: &str = "plan LEFT JOIN product ON product.profile_id = plan.profile_id \
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
            connection.find(
                &format!(
                    "SELECT {PLAN}, {PRODUCT} FROM {FROM}
                     WHERE plan.profile_id = ?1 AND plan.id = ?2"
                ),
                [profile_id.as_str(), id.as_str()],
                cached,
            )
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
    let find = |filter: PlanFilter| -> Read<Option<(i64, i64)>> {
        connection.find(
            "SELECT number, fetched_at FROM listing
             WHERE profile_id = ?1 AND product_reference = ?2 AND kind = ?3",
            [profile_id, product.as_str(), filter.as_str()],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
    };
    if let Some((number, at)) = find(filter)? {
        return listed(connection, number, at);
    }
    match filter {
        PlanFilter::Any | PlanFilter::Live => Ok(None),
        // The interface says which of all plans these are: those that are linked (part 4.5).
        PlanFilter::LiveInStore => {
            let Some((number, at)) = find(PlanFilter::Any)? else {
                return Ok(None);
            };
            let mut all = listed(connection, number, at)?;
            if let Some(listing) = &mut all {
                listing.plans.retain(Plan::is_linked);
            }
            Ok(all)
        }
    }
}

fn listed(connection: &Connection, number: i64, at: i64) -> Read<Option<Listing>> {
    let plans = connection.list(
        &format!(
            "SELECT {PLAN} FROM listing_plan JOIN plan ON plan.number = listing_plan.plan
             WHERE listing_plan.listing = ?1 ORDER BY listing_plan.position"
        ),
        [number],
        plan_of,
    )?;
    Ok(sql_types::moment(at).map(|fetched_at| Listing { plans, fetched_at }))
}

pub(super) fn of_numbers(connection: &Connection, numbers: &[i64]) -> Read<Vec<CachedPlan>> {
    let mut one = connection.prepare_cached(&format!(
        "SELECT {PLAN}, {PRODUCT} FROM {FROM} WHERE plan.number = ?1"
    ))?;
    numbers
        .iter()
        .filter_map(|number| one.query_row([number], cached).optional().transpose())
        .collect()
}

pub(super) fn plan_of(row: &Row<'_>) -> Read<Plan> {
    Ok(Plan {
        id: sql_types::word(row, 0)?,
        store_reference_id: row.get(1)?,
        title: row.get(2)?,
        price: sql_types::whole_or_none::<Amount>(row, 3)?.into(),
        term_length: sql_types::whole_or_none(row, 4)?,
        service_type: row.get(5)?,
        protection_type: row.get(6)?,
        url: row.get(7)?,
    })
}

fn cached(row: &Row<'_>) -> Read<CachedPlan> {
    let product = match sql_types::word_or_none::<ProductReference>(row, 10)? {
        None => None,
        Some(reference_id) => Some(PlanProduct {
            id: row.get(11)?,
            reference_id,
            title: row.get(12)?,
            price: sql_types::whole_or_none::<Amount>(row, 13)?.into(),
            image_url: row.get(14)?,
            created_at: row.get(15)?,
            updated_at: row.get(16)?,
        }),
    };
    Ok(CachedPlan {
        plan: plan_of(row)?,
        product_reference: sql_types::word_or_none(row, 8)?,
        product,
        fetched_at: sql_types::instant(row, 9)?,
    })
}
