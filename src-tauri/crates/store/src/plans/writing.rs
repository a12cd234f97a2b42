//! The statements that put what the service said into the plan cache.

use rusqlite::{Connection, params};
use warranty_model::interface::{Plan, PlanFilter, PlanWithProduct};

use super::{ListingKind, PlanCache};
use crate::query::{Query as _, Read};
use warranty_model::products::ProductHint;

fn kind_text(kind: ListingKind) -> &'static str {
    match kind {
        ListingKind::Filter(filter) => filter.as_str(),
        ListingKind::Upsert => "Upsert",
    }
}

impl PlanCache {
    /// Remembers a list of plans, and what is known of the product they are for.
    pub async fn keep_listing(
        &self,
        profile_id: &str,
        product: ProductHint,
        kind: ListingKind,
        plans: Vec<Plan>,
        at: i64,
    ) {
        let profile_id = profile_id.to_owned();
        self.write(move |transaction| {
            let reference = product.reference_id.as_str();
            learn(transaction, &profile_id, &product, false)?;
            let listing: i64 = transaction.value(
                "INSERT INTO listing (profile_id, product_reference, kind, fetched_at)
                 VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (profile_id, product_reference, kind)
                     DO UPDATE SET fetched_at = excluded.fetched_at
                 RETURNING number",
                params![profile_id, reference, kind_text(kind), at],
            )?;
            transaction.execute("DELETE FROM listing_plan WHERE listing = ?1", [listing])?;
            for (position, plan) in (0_i64..).zip(&plans) {
                let number = keep(transaction, &profile_id, plan, Some(reference), at)?;
                let sql = "INSERT INTO listing_plan (listing, position, plan) VALUES (?1, ?2, ?3)";
                transaction.change(sql, params![listing, position, number])?;
            }
            if kind == ListingKind::Filter(PlanFilter::Any) {
                // All plans of the product were named: another one is no longer offered for it.
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
            let reference = read
                .product
                .as_ref()
                .map(|product| product.reference_id.as_str());
            if let Some(product) = &read.product {
                transaction.execute(
                    "INSERT INTO product (profile_id, reference_id, id, title, price, image_url,
                         created_at, updated_at)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                     ON CONFLICT (profile_id, reference_id) DO UPDATE SET
                         id = coalesce(excluded.id, id), title = coalesce(excluded.title, title),
                         price = coalesce(excluded.price, price),
                         image_url = coalesce(excluded.image_url, image_url),
                         created_at = coalesce(excluded.created_at, created_at),
                         updated_at = coalesce(excluded.updated_at, updated_at)",
                    params![
                        profile_id,
                        product.reference_id.as_str(),
                        product.id,
                        product.title,
                        product.price.known().map(i64::from),
                        product.image_url,
                        product.created_at,
                        product.updated_at,
                    ],
                )?;
            }
            let number = keep(transaction, &profile_id, &read.plan, reference, at)?;
            // A listing of linked plans is out of date once a plan it leaves out is linked, or the
            // reverse.
            transaction.execute(
                "DELETE FROM listing WHERE kind = 'LiveInStore' AND profile_id = ?1
                     AND product_reference =
                         (SELECT product_reference FROM plan WHERE number = ?2)
                     AND ?3 <> EXISTS (SELECT 1 FROM listing_plan
                         WHERE listing_plan.listing = listing.number AND listing_plan.plan = ?2)",
                params![profile_id, number, read.plan.is_linked()],
            )?;
            Ok(())
        })
        .await;
    }

    /// Stores what became known of products elsewhere, for products that have plans here. Replaces
    /// what is known when `replaces` is set, otherwise only fills in what is missing.
    pub async fn learn_products(
        &self,
        profile_id: &str,
        products: Vec<ProductHint>,
        replaces: bool,
    ) {
        let profile_id = profile_id.to_owned();
        self.write(move |transaction| {
            for product in &products {
                let reference = product.reference_id.as_str();
                let has_plans: bool = transaction.value(
                    "SELECT EXISTS (SELECT 1 FROM plan
                         WHERE profile_id = ?1 AND product_reference = ?2)",
                    [profile_id.as_str(), reference],
                )?;
                if has_plans {
                    learn(transaction, &profile_id, product, replaces)?;
                }
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

fn learn(
    transaction: &Connection,
    profile_id: &str,
    product: &ProductHint,
    replaces: bool,
) -> Read<()> {
    transaction.change(
        "INSERT INTO product (profile_id, reference_id, title, price, image_url)
         VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (profile_id, reference_id) DO UPDATE SET
             title = iif(?6, coalesce(?3, title), coalesce(title, ?3)),
             price = iif(?6, coalesce(?4, price), coalesce(price, ?4)),
             image_url = iif(?6, coalesce(?5, image_url), coalesce(image_url, ?5))",
        params![
            profile_id,
            product.reference_id.as_str(),
            product.title,
            product.price.map(i64::from),
            product.image_url,
            replaces,
        ],
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
    transaction.value(
        "INSERT INTO plan (profile_id, id, store_reference_id, title, price, term_length,
             service_type, protection_type, url, product_reference, fetched_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
         ON CONFLICT (profile_id, id) DO UPDATE SET
             store_reference_id = excluded.store_reference_id, title = excluded.title,
             price = excluded.price, term_length = excluded.term_length,
             service_type = excluded.service_type,
             protection_type = excluded.protection_type, url = excluded.url,
             product_reference = coalesce(excluded.product_reference, product_reference),
             fetched_at = excluded.fetched_at
         RETURNING number",
        params![
            profile_id,
            plan.id.as_str(),
            plan.store_reference_id,
            plan.title,
            plan.price.known().map(i64::from),
            plan.term_length.map(i64::from),
            plan.service_type,
            plan.protection_type,
            plan.url,
            product_reference,
            at,
        ],
    )
}
