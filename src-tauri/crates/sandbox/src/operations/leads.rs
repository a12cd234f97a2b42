//! Creation of leads (spec 4.7).

use chrono::{DateTime, Utc};
use rusqlite::{Transaction, params};
use serde_json::json;
use uuid::Uuid;

use super::rows::ProductRow;
use crate::wire::{self, Field};
use crate::{Answer, Failure};

/// The answer has a customer although the request has none; a real provider would know the customer already.
const CUSTOMER_EMAIL: &str = "customer@sample.invalid";

/// Creates a lead: every request makes a new one.
pub(crate) fn create_lead(
    transaction: &Transaction<'_>,
    now: DateTime<Utc>,
    body: &[u8],
) -> Result<Answer, Failure> {
    let body = wire::parse(body)?;
    let body = Field::body(&body);
    let sold = body.get("product")?;
    let transaction_id = body.get("transactionId")?.string()?;
    let reference_id = sold.get("referenceId")?.string()?;
    let purchase_price = sold.get("purchasePrice")?.integer()?;
    let quantity = body.get("quantity")?.integer()?;
    let (transaction_date, _) = body.get("transactionDate")?.date_time()?;
    let product = ProductRow::find(transaction, &reference_id)?;
    let token = format!("lead-{}", Uuid::new_v4().simple());
    let lead = json!({
        "token": token,
        "transactionId": transaction_id,
        "customer": { "email": CUSTOMER_EMAIL },
        "product": product.sold_for(purchase_price),
        "quantity": quantity,
        "transactionDate": transaction_date,
        "status": "Open",
    });
    transaction.execute(
        "INSERT INTO lead (token, created_at_ms, document) VALUES (?1, ?2, ?3)",
        params![token, now.timestamp_millis(), lead.to_string()],
    )?;
    Answer::success(&lead)
}
