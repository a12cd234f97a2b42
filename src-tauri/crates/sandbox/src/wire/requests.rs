//! Request bodies (spec part 4). The specification does not say which fields are optional, so all are required;
//! unknown fields are ignored.

use chrono::{DateTime, FixedOffset};
use serde_json::Value;

use super::Field;
use crate::error_response::ErrorResponse;

/// At most this many contracts per request (spec part 8).
const MAX_CONTRACTS: usize = 10;

pub(crate) fn parse(body: &[u8]) -> Result<Value, ErrorResponse> {
    serde_json::from_slice(body)
        .map_err(|error| ErrorResponse::bad_request(format!("the body is not JSON: {error}")))
}

/// One item of a bulk creation (4.1).
#[derive(Clone, Debug)]
pub(crate) struct ContractItem {
    pub(crate) transaction_id: String,
    pub(crate) transaction_total: i64,
    /// As it was sent.
    pub(crate) transaction_date: String,
    pub(crate) transaction_moment: DateTime<FixedOffset>,
    pub(crate) customer_name: String,
    pub(crate) customer_email: String,
    pub(crate) product_reference_id: String,
    pub(crate) product_purchase_price: i64,
    pub(crate) plan_id: String,
    pub(crate) plan_purchase_price: i64,
}

/// The items of a bulk creation, 1 to 10 of them.
pub(crate) fn contract_items(body: &Value) -> Result<Vec<ContractItem>, ErrorResponse> {
    let items = Field::body(body).get("contracts")?.items()?;
    if items.is_empty() || items.len() > MAX_CONTRACTS {
        return Err(ErrorResponse::bad_request(format!(
            "contracts must hold 1 to {MAX_CONTRACTS} items; it holds {}",
            items.len()
        )));
    }
    items.iter().map(contract_item).collect()
}

fn contract_item(item: &Field<'_>) -> Result<ContractItem, ErrorResponse> {
    let (transaction_date, transaction_moment) = item.get("transactionDate")?.date_time()?;
    let customer = item.get("customer")?;
    let product = item.get("product")?;
    let plan = item.get("plan")?;
    Ok(ContractItem {
        transaction_id: item.get("transactionId")?.string()?,
        transaction_total: item.get("transactionTotal")?.integer()?,
        transaction_date,
        transaction_moment,
        customer_name: customer.get("name")?.string()?,
        customer_email: customer.get("email")?.email()?,
        product_reference_id: product.get("referenceId")?.string()?,
        product_purchase_price: product.get("purchasePrice")?.integer()?,
        plan_id: plan.get("planId")?.string()?,
        plan_purchase_price: plan.get("purchasePrice")?.integer()?,
    })
}
