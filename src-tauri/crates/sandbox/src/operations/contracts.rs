//! Bulk creation and lookup of contracts (spec 4.1, 4.2).

use chrono::{DateTime, FixedOffset, Months, Utc};
use rusqlite::{OptionalExtension, Transaction, params};
use serde_json::{Value, json, value::RawValue};
use uuid::Uuid;

use super::rows::{PlanRow, ProductRow};
use crate::behaviour::{BulkFailure, Visibility};
use crate::clock::{written, written_with_offset};
use crate::wire::{self, Field};
use crate::{Answer, ErrorResponse, Failure, catalogue};

/// At most this many contracts per request (spec part 8).
const MAX_CONTRACTS: usize = 10;

/// Creates the contracts of a bulk request. `on_failure` says what happens when some items fail.
pub(crate) fn bulk_create(
    transaction: &Transaction<'_>,
    on_failure: BulkFailure,
    now: DateTime<Utc>,
    idempotency_key: Option<&str>,
    body: &[u8],
) -> Result<Answer, Failure> {
    let items = contract_items(&wire::parse(body)?)?;
    let mut good = Vec::new();
    let mut first_failure = None;
    for (index, item) in items.iter().enumerate() {
        match offered(transaction, index, item) {
            Ok(found) => good.push((item, found)),
            Err(Failure::Refused(error)) => {
                first_failure.get_or_insert(error);
            }
            Err(failure) => return Err(failure),
        }
    }
    match (first_failure, on_failure) {
        (Some(error), BulkFailure::AllOrNothing) => Err(error.into()),
        (Some(error), BulkFailure::PartialError) => {
            create(transaction, now, idempotency_key, good)?;
            // An answer instead of a failure, so that the transaction is committed.
            Ok(Answer::error(&error))
        }
        (None, _) | (Some(_), BulkFailure::PartialCreated) => {
            Answer::success(&create(transaction, now, idempotency_key, good)?)
        }
    }
}

/// One contract, if it has become visible.
pub(crate) fn get_contract(
    transaction: &Transaction<'_>,
    visibility: Visibility,
    now: DateTime<Utc>,
    id: &str,
) -> Result<Answer, Failure> {
    let kept: Option<(i64, String)> = transaction
        .query_row(
            "SELECT created_at_ms, decrypted(document) FROM contract
             WHERE id = ?1 AND decrypted(document) IS NOT NULL",
            [id],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()?;
    let visible = kept.filter(|(created_at_ms, _)| {
        let age = now.timestamp_millis().saturating_sub(*created_at_ms);
        // Creation times are truncated to milliseconds, so a contract whose age equals the delay may be
        // up to a millisecond younger than the delay.
        match visibility {
            Visibility::AfterMs(delay) => {
                delay == 0 || u64::try_from(age).is_ok_and(|age| age > delay)
            }
            Visibility::Never => false,
        }
    });
    match visible {
        Some((_, document)) => Answer::success(&RawValue::from_string(document)?),
        None => Err(ErrorResponse::not_found(format!("contract {id:?} is not found")).into()),
    }
}

/// The product and the plan of an item; an error object that names the item when it cannot be created.
fn offered(
    transaction: &Transaction<'_>,
    index: usize,
    item: &ContractItem,
) -> Result<(ProductRow, PlanRow), Failure> {
    let refused = |message: String| {
        Failure::from(ErrorResponse::bad_request(format!(
            "contracts[{index}]: {message}"
        )))
    };
    let product = match ProductRow::find(transaction, &item.product_reference_id) {
        Err(Failure::Refused(error)) => return Err(refused(error.message)),
        found => found?,
    };
    let plan = PlanRow::find(transaction, &item.plan_id)?
        .ok_or_else(|| refused(format!("plan {:?} is not found", item.plan_id)))?;
    if plan.product_reference_id != product.reference_id {
        return Err(refused(format!(
            "plan {:?} is not offered for product {:?}",
            item.plan_id, item.product_reference_id
        )));
    }
    Ok((product, plan))
}

fn create(
    transaction: &Transaction<'_>,
    now: DateTime<Utc>,
    idempotency_key: Option<&str>,
    good: Vec<(&ContractItem, (ProductRow, PlanRow))>,
) -> Result<Vec<Value>, Failure> {
    good.into_iter()
        .map(|(item, (product, plan))| {
            let id = Uuid::new_v4();
            let contract = contract(id, now, item, product, plan);
            keep(transaction, id, now, idempotency_key, item, &contract)?;
            Ok(contract)
        })
        .collect()
}

/// The resource, with every field. No operation accepts an address or a telephone number, so these are empty.
fn contract(
    id: Uuid,
    now: DateTime<Utc>,
    item: &ContractItem,
    product: ProductRow,
    plan: PlanRow,
) -> Value {
    let code = id.simple().to_string().to_uppercase();
    let address =
        json!({ "postalNumber": "", "prefecture": "", "city": "", "address": "", "building": "" });
    json!({
        "id": id,
        "inquiryCode": format!("{}-{}", &code[..4], &code[4..8]),
        "transactionId": item.transaction_id,
        "transactionTotal": item.transaction_total,
        "transactionDate": item.transaction_date,
        "customer": {
            "id": Uuid::new_v4(),
            "referenceId": "",
            "name": item.customer_name,
            "email": item.customer_email,
            "phone": "",
            "billingAddress": address,
            "shippingAddress": address,
        },
        "store": {
            "id": catalogue::STORE_ID,
            "name": catalogue::STORE_NAME,
            "webSite": catalogue::STORE_WEB_SITE,
            "logoUrl": catalogue::STORE_LOGO_URL,
        },
        "isFulfilled": false,
        "status": "Active",
        "fraud": false,
        "startedAt": written_with_offset(item.transaction_moment),
        "endedAt": written_with_offset(end(item.transaction_moment, plan.term_length)),
        "createdAt": written(now),
        "updatedAt": written(now),
        "product": product.sold_for(item.product_purchase_price),
        "plan": plan.in_a_contract(),
    })
}

/// This service counts terms in months. A term that would end after the year 9999 ends at its start.
fn end(start: DateTime<FixedOffset>, months: i64) -> DateTime<FixedOffset> {
    const LAST_YEAR_WITH_FOUR_DIGITS: i32 = 9999;
    u32::try_from(months)
        .ok()
        .and_then(|months| start.checked_add_months(Months::new(months)))
        .filter(|end| chrono::Datelike::year(end) <= LAST_YEAR_WITH_FOUR_DIGITS)
        .unwrap_or(start)
}

fn keep(
    transaction: &Transaction<'_>,
    id: Uuid,
    now: DateTime<Utc>,
    idempotency_key: Option<&str>,
    item: &ContractItem,
    contract: &Value,
) -> Result<(), Failure> {
    transaction
        .prepare_cached(
            "INSERT INTO contract (id, transaction_id, transaction_total, customer_email,
                                   product_reference_id, product_purchase_price, plan_id,
                                   plan_purchase_price, idempotency_key, created_at_ms, document)
             VALUES (?1, ?2, ?3, encrypted(?4), ?5, ?6, ?7, ?8, ?9, ?10, encrypted(?11))",
        )?
        .execute(params![
            id.to_string(),
            item.transaction_id,
            item.transaction_total,
            item.customer_email,
            item.product_reference_id,
            item.product_purchase_price,
            item.plan_id,
            item.plan_purchase_price,
            idempotency_key,
            now.timestamp_millis(),
            contract.to_string(),
        ])?;
    Ok(())
}

/// One item of a bulk creation (4.1).
#[derive(Clone, Debug)]
struct ContractItem {
    transaction_id: String,
    transaction_total: i64,
    transaction_date: String,
    transaction_moment: DateTime<FixedOffset>,
    customer_name: String,
    customer_email: String,
    product_reference_id: String,
    product_purchase_price: i64,
    plan_id: String,
    plan_purchase_price: i64,
}

/// The items of a bulk creation, 1 to 10 of them.
fn contract_items(body: &Value) -> Result<Vec<ContractItem>, ErrorResponse> {
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
