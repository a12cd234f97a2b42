//! Creation of leads (spec 4.7).

use chrono::{DateTime, Utc};
use rusqlite::{Transaction, params};
use serde_json::json;
use uuid::Uuid;

use super::rows::ProductRow;
use crate::{
    outcome::{Answer, Failure},
    wire::{self, LeadBody},
};

/// The answer has a customer although the request has none; a real provider would know the customer already.
const CUSTOMER_EMAIL: &str = "customer@sample.invalid";

/// Creates a lead: every request makes a new one.
pub(crate) fn create_lead(
    transaction: &Transaction<'_>,
    now: DateTime<Utc>,
    body: &[u8],
) -> Result<Answer, Failure> {
    let body = LeadBody::read(&wire::parse(body)?)?;
    let product = ProductRow::find(transaction, &body.product_reference_id)?;
    let token = format!("lead-{}", Uuid::new_v4().simple());
    let lead = json!({
        "token": token,
        "transactionId": body.transaction_id,
        "customer": { "email": CUSTOMER_EMAIL },
        "product": product.sold_for(body.product_purchase_price),
        "quantity": body.quantity,
        "transactionDate": body.transaction_date,
        "status": "Open",
    });
    transaction.execute(
        "INSERT INTO lead (token, created_at_ms, document) VALUES (?1, ?2, ?3)",
        params![token, now.timestamp_millis(), lead.to_string()],
    )?;
    Answer::success(&lead)
}
