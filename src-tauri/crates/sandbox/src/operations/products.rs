//! Upsert of a product (spec 4.3).

use chrono::{DateTime, Utc};
use rusqlite::{Transaction, params};
use serde_json::json;
use uuid::Uuid;

use super::rows::{PlanRow, ProductRow};
use crate::clock::written;
use crate::wire::{self, Field};
use crate::{Answer, Failure, catalogue};

/// Creates the product or overwrites all its fields except `brand`, which the request does not have. A new product
/// has no brand and no plans, and its warranties are displayed.
pub(crate) fn upsert_product(
    transaction: &Transaction<'_>,
    now: DateTime<Utc>,
    body: &[u8],
) -> Result<Answer, Failure> {
    let body = wire::parse(body)?;
    let body = Field::body(&body);
    let reference_id = body.get("referenceId")?.string()?;
    transaction.execute(
        "INSERT INTO product (id, reference_id, title, price, image_url, category, brand, display,
                              created_at, updated_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, '', 1, ?7, ?7)
         ON CONFLICT (reference_id) DO UPDATE SET
             title = excluded.title, price = excluded.price, image_url = excluded.image_url,
             category = excluded.category, updated_at = excluded.updated_at",
        params![
            format!("product-{}", Uuid::new_v4()),
            reference_id,
            body.get("title")?.string()?,
            body.get("price")?.integer()?,
            body.get("imageUrl")?.url()?,
            body.get("category")?.string()?,
            written(now),
        ],
    )?;
    let product = ProductRow::find(transaction, &reference_id)?;
    let plans = PlanRow::of_product(transaction, &reference_id)?;
    let mut resource = product.resource;
    resource.insert("plans".to_owned(), json!(plans));
    resource.insert(
        "mfrWarranty".to_owned(),
        json!({ "coverageDays": catalogue::MAKER_WARRANTY_DAYS, "url": catalogue::MAKER_WARRANTY_URL }),
    );
    Answer::success(&resource)
}
