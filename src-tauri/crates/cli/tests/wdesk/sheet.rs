//! Files of sales as a person makes them.

use crate::harness::{PLAN, PRODUCT};

/// What the sample catalogue asks for [`PLAN`].
pub fn plan_price() -> i64 {
    warranty_sandbox::sample::catalogue()
        .into_iter()
        .flat_map(|product| product.plans)
        .find(|plan| plan.id == PLAN)
        .unwrap()
        .price
}

/// Sales as CSV, under the columns of `contracts enter`.
pub fn sales(rows: &[Sale]) -> String {
    let mut text = String::from(
        "transactionId,transactionTotal,transactionDate,customerName,customerEmail,\
         productReferenceId,productPurchasePrice,planId,planPurchasePrice\n",
    );
    for row in rows {
        text.push_str(&format!(
            "{},{},2026-11-20T10:00:00+09:00,{},{},{},189800,{},{}\n",
            row.transaction, row.total, row.customer, row.email, row.product, row.plan, row.fee
        ));
    }
    text
}

/// One sale; sound unless a test says otherwise.
#[derive(Clone)]
pub struct Sale {
    pub transaction: String,
    pub total: String,
    pub customer: String,
    pub email: String,
    pub product: String,
    pub plan: String,
    pub fee: String,
}

impl Sale {
    pub fn of(transaction: &str) -> Self {
        Self {
            transaction: transaction.to_owned(),
            total: "200000".to_owned(),
            customer: "見本 太郎".to_owned(),
            email: "taro@example.jp".to_owned(),
            product: PRODUCT.to_owned(),
            plan: PLAN.to_owned(),
            fee: plan_price().to_string(),
        }
    }
}
