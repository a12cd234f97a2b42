//! Upsert of a product (spec 4.3).

use chrono::{DateTime, Utc};
use rusqlite::{Transaction, params};
use uuid::Uuid;

use super::rows::{PlanRow, ProductRow};
use crate::{
    catalogue,
    clock::written,
    error_response::{ErrorKind, ErrorResponse},
    outcome::{Answer, Failure},
    wire::{self, MakerWarranty, Product, ProductBody},
};

/// Creates the product or overwrites all its fields except `brand`, which the request does not have. A new product
/// has no brand and no plans, and its warranties are displayed.
pub(crate) fn upsert_product(
    transaction: &Transaction<'_>,
    now: DateTime<Utc>,
    body: &[u8],
) -> Result<Answer, Failure> {
    let body = ProductBody::read(&wire::parse(body)?)?;
    transaction.execute(
        "INSERT INTO product (id, reference_id, title, price, image_url, category, brand, display,
                              created_at, updated_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, '', 1, ?7, ?7)
         ON CONFLICT (reference_id) DO UPDATE SET
             title = excluded.title, price = excluded.price, image_url = excluded.image_url,
             category = excluded.category, updated_at = excluded.updated_at",
        params![
            format!("product-{}", Uuid::new_v4()),
            body.reference_id,
            body.title,
            body.price,
            body.image_url,
            body.category,
            written(now),
        ],
    )?;
    let row = ProductRow::find(transaction, &body.reference_id)?.ok_or_else(|| {
        ErrorResponse::new(ErrorKind::INTERNAL, "the product was written but not found")
    })?;
    let plans = PlanRow::of_product(transaction, &row.reference_id)?;
    Answer::success(&Product {
        id: row.id,
        reference_id: row.reference_id,
        title: row.title,
        price: row.price,
        image_url: row.image_url,
        category: row.category,
        brand: row.brand,
        created_at: row.created_at,
        updated_at: row.updated_at,
        plans,
        mfr_warranty: MakerWarranty {
            coverage_days: catalogue::MAKER_WARRANTY_DAYS,
            url: catalogue::MAKER_WARRANTY_URL,
        },
    })
}
