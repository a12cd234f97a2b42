//! Sample sales.

use std::sync::LazyLock;

use uuid::Uuid;
use warranty_core::contracts::EntryDraft;
use warranty_sandbox::{SampleProduct, sample};

/// Sample products that have plans.
pub fn products() -> &'static [SampleProduct] {
    static PRODUCTS: LazyLock<Vec<SampleProduct>> = LazyLock::new(|| {
        let all = sample::catalogue().into_iter();
        all.filter(|product| !product.plans.is_empty()).collect()
    });
    &PRODUCTS
}

/// The `number`th sample sale: its own transaction, product, plan and customer.
pub fn sale(number: usize) -> EntryDraft {
    let products = products();
    let product = &products[number % products.len()];
    let plan = &product.plans[number % product.plans.len()];
    EntryDraft {
        transaction_id: format!("T-{number:05}"),
        transaction_total: (product.price + plan.price).to_string(),
        transaction_date: String::new(),
        customer_name: format!("見本　{number}子"),
        customer_email: format!("customer{number}@sample.invalid"),
        product_reference_id: product.reference_id.clone(),
        product_purchase_price: product.price.to_string(),
        plan_id: plan.id.clone(),
        plan_purchase_price: plan.price.to_string(),
    }
}

/// A sale that the service does not know the product and plan of.
pub fn unknown_sale(number: usize) -> EntryDraft {
    EntryDraft {
        product_reference_id: "no-such-product".into(),
        plan_id: "no-such-plan".into(),
        ..sale(number)
    }
}

/// The first so many sample sales.
pub fn sales(count: usize) -> Vec<EntryDraft> {
    (0..count).map(sale).collect()
}

/// A new id for an entry.
pub fn id() -> String {
    Uuid::new_v4().to_string()
}
