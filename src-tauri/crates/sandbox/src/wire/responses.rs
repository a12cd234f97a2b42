//! Resources as answers contain them, with every field (spec part 2).

use serde::Serialize;

/// A contract.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Contract {
    pub(crate) id: String,
    pub(crate) inquiry_code: String,
    pub(crate) transaction_id: String,
    pub(crate) transaction_total: i64,
    pub(crate) transaction_date: String,
    pub(crate) customer: ContractCustomer,
    pub(crate) product: ContractProduct,
    pub(crate) plan: ContractPlan,
    pub(crate) store: Store,
    pub(crate) is_fulfilled: bool,
    pub(crate) status: &'static str,
    pub(crate) fraud: bool,
    pub(crate) started_at: String,
    pub(crate) ended_at: String,
    pub(crate) created_at: String,
    pub(crate) updated_at: String,
}

/// The customer in a contract.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContractCustomer {
    pub(crate) id: String,
    pub(crate) reference_id: String,
    pub(crate) name: String,
    pub(crate) email: String,
    pub(crate) phone: String,
    pub(crate) billing_address: Address,
    pub(crate) shipping_address: Address,
}

/// An address. No operation accepts one, so every field is empty.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Address {
    pub(crate) postal_number: String,
    pub(crate) prefecture: String,
    pub(crate) city: String,
    pub(crate) address: String,
    pub(crate) building: String,
}

/// The product in a contract or a lead.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContractProduct {
    pub(crate) id: String,
    pub(crate) reference_id: String,
    pub(crate) title: String,
    pub(crate) price: i64,
    pub(crate) image_url: String,
    pub(crate) category: String,
    pub(crate) brand: String,
    pub(crate) purchase_price: i64,
    pub(crate) serial_number: String,
    pub(crate) created_at: String,
    pub(crate) updated_at: String,
}

/// The plan in a contract: a plan without `storeReferenceId`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContractPlan {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) price: i64,
    pub(crate) term_length: i64,
    pub(crate) service_type: String,
    pub(crate) protection_type: String,
    pub(crate) url: String,
}

/// A plan. `storeReferenceId` is absent while it is not set.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Plan {
    pub(crate) id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) store_reference_id: Option<String>,
    pub(crate) title: String,
    pub(crate) price: i64,
    pub(crate) term_length: i64,
    pub(crate) service_type: String,
    pub(crate) protection_type: String,
    pub(crate) url: String,
}

/// The store in a contract.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Store {
    pub(crate) id: &'static str,
    pub(crate) name: &'static str,
    pub(crate) web_site: &'static str,
    pub(crate) logo_url: &'static str,
}

/// The answer of a product upsert.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Product {
    pub(crate) id: String,
    pub(crate) reference_id: String,
    pub(crate) title: String,
    pub(crate) price: i64,
    pub(crate) image_url: String,
    pub(crate) category: String,
    pub(crate) brand: String,
    pub(crate) created_at: String,
    pub(crate) updated_at: String,
    pub(crate) plans: Vec<Plan>,
    pub(crate) mfr_warranty: MakerWarranty,
}

/// The maker's own warranty.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MakerWarranty {
    pub(crate) coverage_days: i64,
    pub(crate) url: &'static str,
}

/// The answer of a plan read by id.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PlanWithProduct {
    pub(crate) plan: Plan,
    pub(crate) product: PlanProduct,
}

/// The product beside a plan.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlanProduct {
    pub(crate) id: String,
    pub(crate) reference_id: String,
    pub(crate) title: String,
    pub(crate) price: i64,
    pub(crate) image_url: String,
    pub(crate) created_at: String,
    pub(crate) updated_at: String,
}

/// A lead.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Lead {
    pub(crate) token: String,
    pub(crate) transaction_id: String,
    pub(crate) customer: LeadCustomer,
    pub(crate) product: ContractProduct,
    pub(crate) quantity: i64,
    pub(crate) transaction_date: String,
    pub(crate) status: &'static str,
}

/// The customer of a lead.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct LeadCustomer {
    pub(crate) email: &'static str,
}
