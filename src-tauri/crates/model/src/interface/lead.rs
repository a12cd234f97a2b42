//! Leads: what creates one and what comes back (part 2 and 4.7).

use serde::{Deserialize, Serialize};

use super::lenient::lenient;
use super::{Amount, ContractProduct, Count, Personal, ProductReference, Timestamp};

/// A lead to create (part 4.7).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct LeadRequest {
    /// The business's transaction identifier.
    pub transaction_id: String,
    /// What was bought.
    pub product: LeadProduct,
    /// How many; the interface gives no bounds.
    pub quantity: Count,
    /// When it took place.
    pub transaction_date: Timestamp,
}

/// The product of a lead to create.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct LeadProduct {
    /// Business-side key.
    pub reference_id: ProductReference,
    /// Price it was sold at.
    pub purchase_price: Amount,
}

/// A lead as the service returns it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct Lead {
    /// Token of the lead: a secret of the customer, shown once.
    pub token: Personal,
    /// The business's transaction identifier.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub transaction_id: Option<String>,
    /// The customer.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<LeadCustomer>))]
    pub customer: Option<LeadCustomer>,
    /// The product.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<ContractProduct>))]
    pub product: Option<ContractProduct>,
    /// How many.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<Count>))]
    pub quantity: Option<Count>,
    /// As it came.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub transaction_date: Option<String>,
    /// State, shown as it came.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub status: Option<String>,
}

/// The customer of a lead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct LeadCustomer {
    /// E-mail.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<Personal>))]
    pub email: Option<Personal>,
}
