//! Sample items, the contracts a service would make of them, and other answers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::time::Duration;

use crate::interface::{
    Amount, Contract, ContractItem, Error, ItemCustomer, ItemPlan, ItemProduct, Personal, PlanId,
    ProductReference, ServiceError, Timestamp, Unreadable,
};

/// An item of a sample customer.
pub fn item(transaction: &str, product: &str, plan: &str) -> ContractItem {
    ContractItem {
        transaction_id: transaction.to_owned(),
        transaction_total: Amount::new(110_000).unwrap(),
        transaction_date: Timestamp::parse("2026-11-21T10:00:00+09:00").unwrap(),
        customer: ItemCustomer {
            name: Personal::new("見本　花子"),
            email: Personal::new("customer@sample.invalid"),
        },
        product: ItemProduct {
            reference_id: ProductReference::new(product).unwrap(),
            purchase_price: Amount::new(100_000).unwrap(),
        },
        plan: ItemPlan {
            purchase_price: Amount::new(5_000).unwrap(),
            plan_id: PlanId::new(plan).unwrap(),
        },
    }
}

/// The contract a service makes of an item, with nothing but what must be there and its amounts.
pub fn contract(id: &str, item: &ContractItem) -> Contract {
    serde_json::from_value(serde_json::json!({
        "id": id,
        "transactionId": item.transaction_id,
        "transactionTotal": item.transaction_total.get(),
        "customer": { "email": item.customer.email.expose() },
        "product": {
            "referenceId": item.product.reference_id.as_str(),
            "purchasePrice": item.product.purchase_price.get(),
        },
        "plan": { "id": item.plan.plan_id.as_str() },
    }))
    .unwrap()
}

/// A refusal in the service's own words.
pub fn refused(status: u16, code: &str, retry_after: Option<Duration>) -> Error {
    Error::Refused {
        status,
        error: ServiceError {
            request_id: "req-1".into(),
            code: code.into(),
            error: "the service's words".into(),
        },
        retry_after,
    }
}

/// An answer that is not what the interface says.
pub fn unreadable(status: u16, reason: Unreadable, retry_after: Option<Duration>) -> Error {
    Error::Unreadable {
        status,
        reason,
        retry_after,
    }
}
