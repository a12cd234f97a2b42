//! Products and plans of the database, as the resources of the interface that they become (spec part 2).

use rusqlite::{OptionalExtension, Row, Transaction};
use serde_json::{Map, Value, json};

use crate::{ErrorResponse, Failure};

pub(super) type Resource = Map<String, Value>;

/// A product, with all fields that the database has.
pub(super) struct ProductRow {
    pub(super) reference_id: String,
    pub(super) display: bool,
    pub(super) resource: Resource,
}

impl ProductRow {
    /// The product of this reference; an error object when there is none.
    pub(super) fn find(transaction: &Transaction<'_>, reference_id: &str) -> Result<Self, Failure> {
        let found = transaction
            .prepare_cached(
                "SELECT display, json_object(
                     'id', id, 'referenceId', reference_id, 'title', title, 'price', price,
                     'imageUrl', image_url, 'category', category, 'brand', brand,
                     'createdAt', created_at, 'updatedAt', updated_at)
                 FROM product WHERE reference_id = ?1",
            )?
            .query_row([reference_id], |row| Ok((row.get(0)?, resource(row, 1)?)))
            .optional()?;
        let (display, resource) = found.ok_or_else(|| {
            ErrorResponse::bad_request(format!("product {reference_id:?} is not found"))
        })?;
        Ok(Self {
            reference_id: reference_id.to_owned(),
            display,
            resource,
        })
    }

    /// In a contract or a lead. No operation accepts a serial number.
    pub(super) fn sold_for(mut self, purchase_price: i64) -> Resource {
        self.resource
            .insert("purchasePrice".to_owned(), json!(purchase_price));
        self.resource.insert("serialNumber".to_owned(), json!(""));
        self.resource
    }

    pub(super) fn beside_a_plan(mut self) -> Resource {
        self.resource.remove("category");
        self.resource.remove("brand");
        self.resource
    }
}

/// A plan, with all fields that the database has. `storeReferenceId` is absent while it is not set.
pub(super) struct PlanRow {
    pub(super) product_reference_id: String,
    /// In months.
    pub(super) term_length: i64,
    pub(super) resource: Resource,
}

/// The merge patch leaves out what is NULL.
const SELECT_PLAN: &str = "SELECT product_reference_id, term_length, json_patch('{}', json_object(
         'id', id, 'storeReferenceId', store_reference_id, 'title', title, 'price', price,
         'termLength', term_length, 'serviceType', service_type, 'protectionType', protection_type, 'url', url))
     FROM plan";

impl PlanRow {
    pub(super) fn find(transaction: &Transaction<'_>, id: &str) -> rusqlite::Result<Option<Self>> {
        transaction
            .prepare_cached(&format!("{SELECT_PLAN} WHERE id = ?1"))?
            .query_row([id], Self::read)
            .optional()
    }

    /// The plans offered for a product, in the order in which they were entered.
    pub(super) fn of_product(
        transaction: &Transaction<'_>,
        reference_id: &str,
    ) -> rusqlite::Result<Vec<Resource>> {
        transaction
            .prepare_cached(&format!(
                "{SELECT_PLAN} WHERE product_reference_id = ?1 ORDER BY number"
            ))?
            .query_map([reference_id], |row| Ok(Self::read(row)?.resource))?
            .collect()
    }

    pub(super) fn in_a_contract(mut self) -> Resource {
        self.resource.remove("storeReferenceId");
        self.resource
    }

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            product_reference_id: row.get(0)?,
            term_length: row.get(1)?,
            resource: resource(row, 2)?,
        })
    }
}

fn resource(row: &Row<'_>, column: usize) -> rusqlite::Result<Resource> {
    let json: String = row.get(column)?;
    serde_json::from_str(&json).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, error.into())
    })
}
