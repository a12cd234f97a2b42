//! Files of sales as a person makes them.

use crate::harness::{PLAN, PRODUCT};

/// What the sample catalogue asks for [`PLAN`].
fn plan_price() -> i64 {
    warranty_sandbox::sample::catalogue()
        .into_iter()
        .flat_map(|product| product.plans)
        .find(|plan| plan.id == PLAN)
        .unwrap()
        .price
}

/// Sales as CSV, under the columns of `contracts enter`.
pub fn sales<S: Into<Sale>>(rows: impl IntoIterator<Item = S>) -> String {
    let mut text = String::from(
        "transactionId,transactionTotal,transactionDate,customerName,customerEmail,\
         productReferenceId,productPurchasePrice,planId,planPurchasePrice\n",
    );
    for row in rows {
        let row: Sale = row.into();
        text.push_str(&format!(
            "{},{},2026-11-20T10:00:00+09:00,{},{},{},189800,{},{}\n",
            row.transaction, row.total, row.customer, row.email, row.product, row.plan, row.fee
        ));
    }
    text
}

/// So many sales, `t-0` and on.
pub fn numbered(count: usize) -> impl Iterator<Item = Sale> {
    (0..count).map(|number| Sale::of(&format!("t-{number}")))
}

/// One sale; sound unless a test says otherwise.
#[derive(Debug, Clone)]
pub struct Sale {
    pub transaction: String,
    pub total: String,
    pub customer: String,
    pub email: String,
    pub product: String,
    pub plan: String,
    pub fee: String,
}

macro_rules! with_another {
    ($($field:ident)*) => {$(
        pub fn $field(mut self, text: &str) -> Self {
            text.clone_into(&mut self.$field);
            self
        }
    )*};
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

    with_another!(transaction total customer email product plan fee);
}

impl From<&str> for Sale {
    fn from(transaction: &str) -> Self {
        Self::of(transaction)
    }
}

impl From<&String> for Sale {
    fn from(transaction: &String) -> Self {
        Self::of(transaction)
    }
}

impl From<&Sale> for Sale {
    fn from(sale: &Self) -> Self {
        sale.clone()
    }
}
