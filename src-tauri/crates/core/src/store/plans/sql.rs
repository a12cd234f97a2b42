//! The statements of the plan cache.

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params, params_from_iter};
use warranty_api::{
    Amount, Plan, PlanFilter, PlanId, PlanProduct, PlanWithProduct, ProductReference,
};

use super::{CachedPlan, Listing, ListingKind};
use crate::products::ProductHint;
use crate::store::rows;
use crate::text::fold_all;

/// Fewest characters the index can find.
const INDEXED: usize = 3;

const PLAN: &str = "plan.id, plan.store_reference_id, plan.title, plan.price, plan.term_length, \
                    plan.service_type, plan.protection_type, plan.url";

const PRODUCT: &str = "plan.product_reference, plan.fetched_at, product.reference_id, product.id, \
                       product.title, product.price, product.image_url, product.created_at, \
                       product.updated_at";

const FROM: &str = "plan LEFT JOIN product ON product.profile_id = plan.profile_id \
                    AND product.reference_id = plan.product_reference";

type Read<T> = Result<T, rusqlite::Error>;

fn kind_text(kind: ListingKind) -> &'static str {
    match kind {
        ListingKind::Filter(filter) => filter.as_str(),
        ListingKind::Upsert => "Upsert",
    }
}

pub(super) fn keep_listing(
    connection: &mut Connection,
    profile_id: &str,
    product: &ProductHint,
    kind: ListingKind,
    plans: &[Plan],
    at: i64,
) -> Read<()> {
    let transaction = connection.transaction()?;
    let reference = product.reference_id.as_str();
    learn(&transaction, profile_id, product, false)?;
    let listing: i64 = transaction.query_row(
        "INSERT INTO listing (profile_id, product_reference, kind, fetched_at)
         VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (profile_id, product_reference, kind)
             DO UPDATE SET fetched_at = excluded.fetched_at
         RETURNING number",
        params![profile_id, reference, kind_text(kind), at],
        |row| row.get(0),
    )?;
    transaction.execute("DELETE FROM listing_plan WHERE listing = ?1", [listing])?;
    for (position, plan) in (0_i64..).zip(plans) {
        let number = keep(&transaction, profile_id, plan, Some(reference), at)?;
        transaction
            .prepare_cached(
                "INSERT INTO listing_plan (listing, position, plan) VALUES (?1, ?2, ?3)",
            )?
            .execute(params![listing, position, number])?;
    }
    if kind == ListingKind::Filter(PlanFilter::Any) {
        // All plans of the product were named: one that was not is no longer offered for it.
        transaction.execute(
            "DELETE FROM plan WHERE profile_id = ?1 AND product_reference = ?2
                 AND number NOT IN (SELECT plan FROM listing_plan WHERE listing = ?3)",
            params![profile_id, reference, listing],
        )?;
    }
    refold(&transaction, profile_id, reference)?;
    transaction.commit()
}

pub(super) fn keep_plan(
    connection: &mut Connection,
    profile_id: &str,
    read: &PlanWithProduct,
    at: i64,
) -> Read<()> {
    let transaction = connection.transaction()?;
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
                product.price.map(i64::from),
                product.image_url,
                product.created_at,
                product.updated_at,
            ],
        )?;
    }
    let number = keep(&transaction, profile_id, &read.plan, reference, at)?;
    // A listing of linked plans is out of date once a plan it leaves out is linked, or the reverse.
    let linked = read
        .plan
        .store_reference_id
        .as_ref()
        .is_some_and(|reference| !reference.is_empty());
    transaction.execute(
        "DELETE FROM listing WHERE kind = 'LiveInStore' AND profile_id = ?1
             AND product_reference =
                 (SELECT product_reference FROM plan WHERE number = ?2)
             AND ?3 <> EXISTS (SELECT 1 FROM listing_plan
                 WHERE listing_plan.listing = listing.number AND listing_plan.plan = ?2)",
        params![profile_id, number, linked],
    )?;
    if let Some(reference) = reference {
        refold(&transaction, profile_id, reference)?;
    }
    transaction.commit()
}

pub(super) fn learn_products(
    connection: &mut Connection,
    profile_id: &str,
    products: &[ProductHint],
    replaces: bool,
) -> Read<()> {
    let transaction = connection.transaction()?;
    for product in products {
        let reference = product.reference_id.as_str();
        let has_plans: bool = transaction
            .prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM plan WHERE profile_id = ?1 AND product_reference = ?2)",
            )?
            .query_row([profile_id, reference], |row| row.get(0))?;
        if has_plans {
            learn(&transaction, profile_id, product, replaces)?;
            refold(&transaction, profile_id, reference)?;
        }
    }
    transaction.commit()
}

fn learn(
    transaction: &Transaction<'_>,
    profile_id: &str,
    product: &ProductHint,
    replaces: bool,
) -> Read<()> {
    transaction
        .prepare_cached(
            "INSERT INTO product (profile_id, reference_id, title, price, image_url)
             VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (profile_id, reference_id) DO UPDATE SET
                 title = iif(?6, coalesce(?3, title), coalesce(title, ?3)),
                 price = iif(?6, coalesce(?4, price), coalesce(price, ?4)),
                 image_url = iif(?6, coalesce(?5, image_url), coalesce(image_url, ?5))",
        )?
        .execute(params![
            profile_id,
            product.reference_id.as_str(),
            product.title,
            product.price.map(i64::from),
            product.image_url,
            replaces,
        ])?;
    Ok(())
}

/// Keeps one plan and returns its row. Its searched text follows with [`refold`], except for a
/// plan whose product is not known.
fn keep(
    transaction: &Transaction<'_>,
    profile_id: &str,
    plan: &Plan,
    product_reference: Option<&str>,
    at: i64,
) -> Read<i64> {
    transaction
        .prepare_cached(
            "INSERT INTO plan (profile_id, id, store_reference_id, title, price, term_length,
                 service_type, protection_type, url, product_reference, fetched_at, folded)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
             ON CONFLICT (profile_id, id) DO UPDATE SET
                 store_reference_id = excluded.store_reference_id, title = excluded.title,
                 price = excluded.price, term_length = excluded.term_length,
                 service_type = excluded.service_type,
                 protection_type = excluded.protection_type, url = excluded.url,
                 product_reference = coalesce(excluded.product_reference, product_reference),
                 fetched_at = excluded.fetched_at, folded = excluded.folded
             RETURNING number",
        )?
        .query_row(
            params![
                profile_id,
                plan.id.as_str(),
                plan.store_reference_id,
                plan.title,
                plan.price.map(i64::from),
                plan.term_length.map(i64::from),
                plan.service_type,
                plan.protection_type,
                plan.url,
                product_reference,
                at,
                folded(plan, product_reference, None),
            ],
            |row| row.get(0),
        )
}

/// Writes the searched text of a product's plans anew.
fn refold(transaction: &Transaction<'_>, profile_id: &str, reference: &str) -> Read<()> {
    let title: Option<String> = transaction
        .prepare_cached("SELECT title FROM product WHERE profile_id = ?1 AND reference_id = ?2")?
        .query_row([profile_id, reference], |row| row.get(0))
        .optional()?
        .flatten();
    let plans: Vec<(i64, Plan)> = transaction
        .prepare_cached(&format!(
            "SELECT {PLAN}, plan.number FROM plan WHERE profile_id = ?1 AND product_reference = ?2"
        ))?
        .query_map([profile_id, reference], |row| {
            Ok((row.get(8)?, plan_of(row)?))
        })?
        .collect::<Read<_>>()?;
    for (number, plan) in plans {
        transaction
            .prepare_cached("UPDATE plan SET folded = ?2 WHERE number = ?1 AND folded <> ?2")?
            .execute(params![
                number,
                folded(&plan, Some(reference), title.as_deref())
            ])?;
    }
    Ok(())
}

fn folded(plan: &Plan, product_reference: Option<&str>, product_title: Option<&str>) -> String {
    fold_all([
        Some(plan.id.as_str()),
        plan.title.as_deref(),
        plan.store_reference_id.as_deref(),
        plan.service_type.as_deref(),
        plan.protection_type.as_deref(),
        product_reference,
        product_title,
    ])
}

pub(super) fn listing(
    connection: &Connection,
    profile_id: &str,
    product: &ProductReference,
    filter: PlanFilter,
) -> Read<Option<Listing>> {
    let find = |filter: PlanFilter| -> Read<Option<(i64, i64)>> {
        connection
            .prepare_cached(
                "SELECT number, fetched_at FROM listing
                 WHERE profile_id = ?1 AND product_reference = ?2 AND kind = ?3",
            )?
            .query_row([profile_id, product.as_str(), filter.as_str()], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .optional()
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
                listing.plans.retain(|plan| {
                    plan.store_reference_id
                        .as_ref()
                        .is_some_and(|reference| !reference.is_empty())
                });
            }
            Ok(all)
        }
    }
}

pub(super) fn latest(
    connection: &Connection,
    profile_id: &str,
    product: &ProductReference,
) -> Read<Option<Listing>> {
    let newest: Option<(i64, i64)> = connection
        .prepare_cached(
            "SELECT number, fetched_at FROM listing
             WHERE profile_id = ?1 AND product_reference = ?2
             ORDER BY kind IN ('Any', 'Upsert') DESC, fetched_at DESC, kind LIMIT 1",
        )?
        .query_row([profile_id, product.as_str()], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()?;
    match newest {
        Some((number, at)) => listed(connection, number, at),
        None => Ok(None),
    }
}

fn listed(connection: &Connection, number: i64, at: i64) -> Read<Option<Listing>> {
    let plans = connection
        .prepare_cached(&format!(
            "SELECT {PLAN} FROM listing_plan JOIN plan ON plan.number = listing_plan.plan
             WHERE listing_plan.listing = ?1 ORDER BY listing_plan.position"
        ))?
        .query_map([number], plan_of)?
        .collect::<Read<_>>()?;
    Ok(rows::moment(at).map(|fetched_at| Listing { plans, fetched_at }))
}

pub(super) fn plan(
    connection: &Connection,
    profile_id: &str,
    id: &PlanId,
) -> Read<Option<CachedPlan>> {
    connection
        .prepare_cached(&format!(
            "SELECT {PLAN}, {PRODUCT} FROM {FROM} WHERE plan.profile_id = ?1 AND plan.id = ?2"
        ))?
        .query_row([profile_id, id.as_str()], cached)
        .optional()
}

pub(super) fn search(
    connection: &Connection,
    profile_id: &str,
    words: &[String],
    limit: u32,
) -> Read<Vec<CachedPlan>> {
    let (long, short): (Vec<&String>, Vec<&String>) = words
        .iter()
        .partition(|word| word.chars().count() >= INDEXED);
    // Each word is one quoted phrase of the index's language; a quote in it is doubled.
    let phrases = long
        .iter()
        .map(|word| format!("\"{}\"", word.replace('"', "\"\"")))
        .collect::<Vec<_>>()
        .join(" AND ");
    let mut sql = format!("SELECT {PLAN}, {PRODUCT} FROM {FROM} WHERE plan.profile_id = ?1");
    if long.is_empty() {
        sql.push_str(" AND ?3 = ''");
    } else {
        sql.push_str(" AND plan.number IN (SELECT rowid FROM plan_text WHERE plan_text MATCH ?3)");
    }
    for number in 0..short.len() {
        sql.push_str(&format!(" AND instr(plan.folded, ?{}) > 0", number + 4));
    }
    sql.push_str(
        " ORDER BY plan.product_reference IS NULL, plan.product_reference, plan.id LIMIT ?2",
    );
    let fixed = [profile_id.to_owned(), limit.to_string(), phrases];
    connection
        .prepare(&sql)?
        .query_map(params_from_iter(fixed.iter().chain(short)), cached)?
        .collect()
}

pub(super) fn used_by(
    connection: &Connection,
    profile_id: &str,
    store_reference_id: &str,
) -> Read<Vec<PlanId>> {
    connection
        .prepare_cached(
            "SELECT id FROM plan WHERE profile_id = ?1 AND store_reference_id = ?2 ORDER BY id",
        )?
        .query_map([profile_id, store_reference_id], |row| rows::word(row, 0))?
        .collect()
}

pub(super) fn forget_profile(connection: &mut Connection, profile_id: &str) -> Read<()> {
    let transaction = connection.transaction()?;
    for table in ["listing", "plan", "product"] {
        transaction.execute(
            &format!("DELETE FROM {table} WHERE profile_id = ?1"),
            [profile_id],
        )?;
    }
    transaction.commit()
}

fn plan_of(row: &Row<'_>) -> Read<Plan> {
    let number = |column| row.get::<_, Option<i64>>(column);
    Ok(Plan {
        id: rows::word(row, 0)?,
        store_reference_id: row.get(1)?,
        title: row.get(2)?,
        price: number(3)?.map(|_| rows::whole(row, 3)).transpose()?,
        term_length: number(4)?.map(|_| rows::whole(row, 4)).transpose()?,
        service_type: row.get(5)?,
        protection_type: row.get(6)?,
        url: row.get(7)?,
    })
}

fn cached(row: &Row<'_>) -> Read<CachedPlan> {
    let price: Option<i64> = row.get(13)?;
    let product = match rows::word_or_none::<ProductReference>(row, 10)? {
        None => None,
        Some(reference_id) => Some(PlanProduct {
            id: row.get(11)?,
            reference_id,
            title: row.get(12)?,
            price: price.map(|_| rows::whole::<Amount>(row, 13)).transpose()?,
            image_url: row.get(14)?,
            created_at: row.get(15)?,
            updated_at: row.get(16)?,
        }),
    };
    Ok(CachedPlan {
        plan: plan_of(row)?,
        product_reference: rows::word_or_none(row, 8)?,
        product,
        fetched_at: rows::instant(row, 9)?,
    })
}
