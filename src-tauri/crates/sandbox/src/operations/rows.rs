//! Products and plans as the database stores them, and their conversion to resources of the interface.

use rusqlite::{OptionalExtension, Row, Transaction};

use crate::wire::{ContractPlan, ContractProduct, Plan, PlanProduct};

/// A row of the product table.
#[derive(Clone, Debug)]
pub(super) struct ProductRow {
    pub(super) id: String,
    pub(super) reference_id: String,
    pub(super) title: String,
    pub(super) price: i64,
    pub(super) image_url: String,
    pub(super) category: String,
    pub(super) brand: String,
    pub(super) display: bool,
    pub(super) created_at: String,
    pub(super) updated_at: String,
}

impl ProductRow {
    pub(super) fn find(
        transaction: &Transaction<'_>,
        reference_id: &str,
    ) -> rusqlite::Result<Option<Self>> {
        transaction
            .prepare_cached(
                "SELECT id, reference_id, title, price, image_url, category, brand, display, created_at,
                        updated_at
                 FROM product WHERE reference_id = ?1",
            )?
            .query_row([reference_id], |row| {
                Ok(Self {
                    id: row.get(0)?,
                    reference_id: row.get(1)?,
                    title: row.get(2)?,
                    price: row.get(3)?,
                    image_url: row.get(4)?,
                    category: row.get(5)?,
                    brand: row.get(6)?,
                    display: row.get(7)?,
                    created_at: row.get(8)?,
                    updated_at: row.get(9)?,
                })
            })
            .optional()
    }

    pub(super) fn sold_for(self, purchase_price: i64) -> ContractProduct {
        ContractProduct {
            id: self.id,
            reference_id: self.reference_id,
            title: self.title,
            price: self.price,
            image_url: self.image_url,
            category: self.category,
            brand: self.brand,
            purchase_price,
            // No operation accepts a serial number.
            serial_number: String::new(),
            created_at: self.created_at,
            updated_at: self.updated_at,
        }
    }

    pub(super) fn beside_a_plan(self) -> PlanProduct {
        PlanProduct {
            id: self.id,
            reference_id: self.reference_id,
            title: self.title,
            price: self.price,
            image_url: self.image_url,
            created_at: self.created_at,
            updated_at: self.updated_at,
        }
    }
}

/// A row of the plan table.
#[derive(Clone, Debug)]
pub(super) struct PlanRow {
    pub(super) product_reference_id: String,
    pub(super) plan: Plan,
}

const PLAN_COLUMNS: &str = "product_reference_id, id, store_reference_id, title, price, term_length, \
                            service_type, protection_type, url";

impl PlanRow {
    pub(super) fn find(transaction: &Transaction<'_>, id: &str) -> rusqlite::Result<Option<Self>> {
        transaction
            .prepare_cached(&format!("SELECT {PLAN_COLUMNS} FROM plan WHERE id = ?1"))?
            .query_row([id], Self::read)
            .optional()
    }

    /// The plans offered for a product, in the order in which they were entered.
    pub(super) fn of_product(
        transaction: &Transaction<'_>,
        reference_id: &str,
    ) -> rusqlite::Result<Vec<Plan>> {
        transaction
            .prepare_cached(&format!(
                "SELECT {PLAN_COLUMNS} FROM plan WHERE product_reference_id = ?1 ORDER BY number"
            ))?
            .query_map([reference_id], |row| Ok(Self::read(row)?.plan))?
            .collect()
    }

    pub(super) fn in_a_contract(self) -> ContractPlan {
        ContractPlan {
            id: self.plan.id,
            title: self.plan.title,
            price: self.plan.price,
            term_length: self.plan.term_length,
            service_type: self.plan.service_type,
            protection_type: self.plan.protection_type,
            url: self.plan.url,
        }
    }

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            product_reference_id: row.get(0)?,
            plan: Plan {
                id: row.get(1)?,
                store_reference_id: row.get(2)?,
                title: row.get(3)?,
                price: row.get(4)?,
                term_length: row.get(5)?,
                service_type: row.get(6)?,
                protection_type: row.get(7)?,
                url: row.get(8)?,
            },
        })
    }
}
