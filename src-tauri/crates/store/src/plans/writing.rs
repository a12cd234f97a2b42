//! The statements that put what the service said into the plan cache.

use rusqlite::{Connection, params};
use serde::Serialize;
use warranty_model::interface::{Plan, PlanFilter, PlanWithProduct, Stated};

use super::PlanCache;
use crate::query::{Query as _, Read};
use crate::sql_types;
use warranty_model::products::ProductHint;

impl PlanCache {
    /// Remembers a list of plans, and what is known of the product they are for.
    pub async fn keep_listing(
        &self,
        profile_id: &str,
        product: ProductHint,
        filter: PlanFilter,
        plans: Vec<Plan>,
        at: i64,
    ) {
        let profile_id = profile_id.to_owned();
        self.write(move |transaction| {
            let reference = product.reference_id.as_str();
            learn(transaction, &profile_id, reference, &product, false)?;
            let listing: i64 = transaction.value(
                "INSERT INTO listing (profile_id, product_reference, kind, fetched_at)
                 VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (profile_id, product_reference, kind)
                     DO UPDATE SET fetched_at = excluded.fetched_at
                 RETURNING number",
                params![profile_id, reference, filter.as_str(), at],
            )?;
            transaction.execute("DELETE FROM listing_plan WHERE listing = ?1", [listing])?;
            for (position, plan) in (0_i64..).zip(&plans) {
                let number = keep(transaction, &profile_id, plan, Some(reference), at)?;
                let sql = "INSERT INTO listing_plan (listing, position, plan) VALUES (?1, ?2, ?3)";
                transaction.change(sql, params![listing, position, number])?;
            }
            if filter == PlanFilter::Any {
                // All plans of the product were named: another one is no longer offered for it. One
                // that is listed for another product is left to that product.
                transaction.execute(
                    "DELETE FROM listing_plan
                     WHERE listing IN (SELECT number FROM listing
                             WHERE profile_id = ?1 AND product_reference = ?2)
                         AND plan NOT IN (SELECT plan FROM listing_plan WHERE listing = ?3)",
                    params![profile_id, reference, listing],
                )?;
                transaction.execute(
                    "UPDATE plan SET product_reference = listing.product_reference,
                         fetched_at = listing.fetched_at,
                         said = ifnull(json_set(listing_plan.said, '$.storeReferenceId',
                             plan.said -> 'storeReferenceId'), plan.said)
                     FROM listing_plan JOIN listing ON listing.number = listing_plan.listing
                     WHERE plan.profile_id = ?1 AND plan.product_reference = ?2
                         AND listing_plan.plan = plan.number AND listing.product_reference <> ?2
                         AND plan.number NOT IN (SELECT plan FROM listing_plan WHERE listing = ?3)",
                    params![profile_id, reference, listing],
                )?;
                transaction.execute(
                    "DELETE FROM plan WHERE profile_id = ?1 AND product_reference = ?2
                         AND number NOT IN (SELECT plan FROM listing_plan WHERE listing = ?3)",
                    params![profile_id, reference, listing],
                )?;
            }
            Ok(())
        })
        .await;
    }

    pub async fn keep_plan(&self, profile_id: &str, read: PlanWithProduct, at: i64) {
        let profile_id = profile_id.to_owned();
        self.write(move |transaction| {
            let product = read.product.as_ref();
            let reference = product.map(|product| product.reference_id.as_str());
            if let Some((reference, product)) = reference.zip(product) {
                learn(transaction, &profile_id, reference, product, true)?;
            }
            let number = keep(transaction, &profile_id, &read.plan, reference, at)?;
            // Of each product that lists it, the listing of linked plans is out of date once a plan it
            // leaves out is linked, or the reverse.
            transaction.execute(
                "DELETE FROM listing WHERE kind = 'LiveInStore' AND profile_id = ?1
                     AND product_reference IN
                         (SELECT product_reference FROM plan WHERE number = ?2
                          UNION SELECT other.product_reference FROM listing AS other
                              JOIN listing_plan ON listing_plan.listing = other.number
                              WHERE listing_plan.plan = ?2)
                     AND ?3 <> EXISTS (SELECT 1 FROM listing_plan
                         WHERE listing_plan.listing = listing.number AND listing_plan.plan = ?2)",
                params![profile_id, number, read.plan.is_linked()],
            )?;
            Ok(())
        })
        .await;
    }

    /// Remembers what the answer of an upsert says of a product and its plans.
    pub async fn keep_upsert(
        &self,
        profile_id: &str,
        product: ProductHint,
        plans: Vec<Plan>,
        at: i64,
    ) {
        let profile_id = profile_id.to_owned();
        self.write(move |transaction| {
            let reference = product.reference_id.as_str();
            learn(transaction, &profile_id, reference, &product, true)?;
            for plan in &plans {
                keep(transaction, &profile_id, plan, Some(reference), at)?;
            }
            Ok(())
        })
        .await;
    }

    /// Forgets everything of a profile whose address or store changed.
    pub async fn forget_profile(&self, profile_id: &str) {
        let profile_id = profile_id.to_owned();
        self.write(move |transaction| {
            for table in ["listing", "plan", "product"] {
                let sql = format!("DELETE FROM {table} WHERE profile_id = ?1");
                transaction.execute(&sql, [&profile_id])?;
            }
            Ok(())
        })
        .await;
    }
}

/// Adds what is said of a product to what is known of it.
fn learn(
    transaction: &Connection,
    profile_id: &str,
    reference: &str,
    product: &impl Serialize,
    replaces: bool,
) -> Read<()> {
    let said = sql_types::json_of(product)?;
    transaction.change(
        "INSERT INTO product (profile_id, reference_id, said)
         VALUES (?1, ?2, json_patch('{}', ?3))
         ON CONFLICT (profile_id, reference_id) DO UPDATE SET said =
             iif(?4, json_patch(said, excluded.said), json_patch(excluded.said, said))",
        params![profile_id, reference, said, replaces],
    )?;
    Ok(())
}

fn keep(
    transaction: &Connection,
    profile_id: &str,
    plan: &Plan,
    product_reference: Option<&str>,
    at: i64,
) -> Read<i64> {
    let said = sql_types::json_of(plan)?;
    // A page is shown it as a text; read back here, it is not understood again.
    let odd = match &plan.store_reference_id {
        Stated::NotUnderstood(text) => Some(text),
        Stated::Absent | Stated::Known(_) => None,
    };
    // Two products may have a plan in common, each at its own price.
    transaction.change(
        "UPDATE listing_plan
         SET said = iif(listing.product_reference = ?3, NULL, ifnull(listing_plan.said, plan.said))
         FROM plan, listing
         WHERE plan.profile_id = ?1 AND plan.id = ?2 AND listing_plan.plan = plan.number
             AND listing.number = listing_plan.listing AND ?3 IS NOT NULL
             AND (listing.product_reference = ?3) = (listing_plan.said IS NOT NULL)",
        params![profile_id, plan.id.as_str(), product_reference],
    )?;
    transaction.value(
        "INSERT INTO plan (profile_id, id, product_reference, fetched_at, said)
         VALUES (?1, ?2, ?3, ?4, iif(?6 IS NULL, ?5, json_set(?5, '$.storeReferenceId',
             json_object('notUnderstood', ?6))))
         ON CONFLICT (profile_id, id) DO UPDATE SET
             product_reference = coalesce(excluded.product_reference, product_reference),
             fetched_at = excluded.fetched_at, said = excluded.said
         RETURNING number",
        params![
            profile_id,
            plan.id.as_str(),
            product_reference,
            at,
            said,
            odd
        ],
    )
}
