//! Contracts: the resource (part 2) and the request that creates up to ten (part 4.1).

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::lenient::lenient;
use super::{Amount, ContractId, Count, Personal, PlanId, ProductReference, Stated, Timestamp};

/// Most contracts in one request, part 8.
pub const MAX_CONTRACTS_PER_REQUEST: usize = 10;

/// A contract as the service returns it. Only what answers are matched on is mandatory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct Contract {
    /// Contract id.
    pub id: ContractId,
    /// Code for inquiries.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub inquiry_code: Option<String>,
    /// The business's transaction identifier.
    pub transaction_id: String,
    /// Total of the transaction.
    #[serde(default)]
    #[cfg_attr(feature = "bindings", specta(type = Option<Amount>))]
    pub transaction_total: Stated,
    /// Date-time as it came.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub transaction_date: Option<String>,
    /// The customer.
    pub customer: Customer,
    /// The product sold.
    pub product: ContractProduct,
    /// The plan sold.
    pub plan: ContractPlan,
    /// The store.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<Store>))]
    pub store: Option<Store>,
    /// Whether the contract is fulfilled.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<bool>))]
    pub is_fulfilled: Option<bool>,
    /// State, shown as it came; the interface lists no values.
    #[serde(default)]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub status: Stated<String>,
    /// Whether the service marks it as fraud.
    #[serde(default)]
    #[cfg_attr(feature = "bindings", specta(type = Option<bool>))]
    pub fraud: Stated<bool>,
    /// Start of protection, as it came.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub started_at: Option<String>,
    /// End of protection, as it came.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub ended_at: Option<String>,
    /// As it came.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub created_at: Option<String>,
    /// As it came.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub updated_at: Option<String>,
}

/// The customer inside a contract.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct Customer {
    /// The service's id.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub id: Option<String>,
    /// Business-side key.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<Personal>))]
    pub reference_id: Option<Personal>,
    /// Name, one field, family name first as typed.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<Personal>))]
    pub name: Option<Personal>,
    /// E-mail.
    pub email: Personal,
    /// Telephone.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<Personal>))]
    pub phone: Option<Personal>,
    /// Billing address.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<Address>))]
    pub billing_address: Option<Address>,
    /// Shipping address.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<Address>))]
    pub shipping_address: Option<Address>,
}

/// A postal address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct Address {
    /// Postal number.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<Personal>))]
    pub postal_number: Option<Personal>,
    /// Prefecture.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<Personal>))]
    pub prefecture: Option<Personal>,
    /// City.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<Personal>))]
    pub city: Option<Personal>,
    /// Street and number.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<Personal>))]
    pub address: Option<Personal>,
    /// Building.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<Personal>))]
    pub building: Option<Personal>,
}

/// The product inside a contract or a lead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct ContractProduct {
    /// The service's id.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub id: Option<String>,
    /// Business-side key.
    pub reference_id: ProductReference,
    /// Title.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub title: Option<String>,
    /// Listed price.
    #[serde(default)]
    #[cfg_attr(feature = "bindings", specta(type = Option<Amount>))]
    pub price: Stated,
    /// Address of a picture; not checked here.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub image_url: Option<String>,
    /// Category.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub category: Option<String>,
    /// Brand.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub brand: Option<String>,
    /// Price it was sold at.
    #[serde(default)]
    #[cfg_attr(feature = "bindings", specta(type = Option<Amount>))]
    pub purchase_price: Stated,
    /// Serial number.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub serial_number: Option<String>,
    /// As it came.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub created_at: Option<String>,
    /// As it came.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub updated_at: Option<String>,
}

/// The plan inside a contract; it carries no `storeReferenceId`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct ContractPlan {
    /// Plan id.
    pub id: PlanId,
    /// Name of the plan.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub title: Option<String>,
    /// Price of the plan.
    #[serde(default)]
    #[cfg_attr(feature = "bindings", specta(type = Option<Amount>))]
    pub price: Stated,
    /// Length of the term; the interface names no unit.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<Count>))]
    pub term_length: Option<Count>,
    /// Kind of service, shown as it came.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub service_type: Option<String>,
    /// Kind of protection, shown as it came.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub protection_type: Option<String>,
    /// Page of the plan; not checked here.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub url: Option<String>,
}

/// The store inside a contract.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct Store {
    /// Store id.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub id: Option<String>,
    /// Name.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub name: Option<String>,
    /// Web site; not checked here.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub web_site: Option<String>,
    /// Address of a logo; not checked here.
    #[serde(default, deserialize_with = "lenient")]
    #[cfg_attr(feature = "bindings", specta(type = Option<String>))]
    pub logo_url: Option<String>,
}

/// One contract to create, part 4.1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct ContractItem {
    /// The business's transaction identifier.
    pub transaction_id: String,
    /// Total of the transaction.
    pub transaction_total: Amount,
    /// When it took place.
    pub transaction_date: Timestamp,
    /// Who bought.
    pub customer: ItemCustomer,
    /// What was bought.
    pub product: ItemProduct,
    /// Which plan.
    pub plan: ItemPlan,
}

/// The customer of a contract to create.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct ItemCustomer {
    /// Name, one field, family name first as typed.
    pub name: Personal,
    /// E-mail.
    pub email: Personal,
}

/// The product of a contract to create.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct ItemProduct {
    /// Business-side key.
    pub reference_id: ProductReference,
    /// Price it was sold at.
    pub purchase_price: Amount,
}

/// The plan of a contract to create.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct ItemPlan {
    /// Price the plan was sold at.
    pub purchase_price: Amount,
    /// Plan id.
    pub plan_id: PlanId,
}

/// One to ten contracts: what one request may carry, and nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ContractBatch {
    contracts: Vec<ContractItem>,
}

/// A number of contracts that no request may carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a request carries 1 to {MAX_CONTRACTS_PER_REQUEST} contracts, not {0}")]
pub struct BatchSizeError(pub usize);

impl ContractBatch {
    /// Takes one to ten items.
    ///
    /// # Errors
    /// [`BatchSizeError`] for none or more than ten.
    pub fn new(contracts: Vec<ContractItem>) -> Result<Self, BatchSizeError> {
        if (1..=MAX_CONTRACTS_PER_REQUEST).contains(&contracts.len()) {
            Ok(Self { contracts })
        } else {
            Err(BatchSizeError(contracts.len()))
        }
    }

    /// The items, in the order they are sent.
    #[must_use]
    pub fn items(&self) -> &[ContractItem] {
        &self.contracts
    }
}

impl<'de> Deserialize<'de> for ContractBatch {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Wire {
            contracts: Vec<ContractItem>,
        }
        let wire = Wire::deserialize(deserializer)?;
        Self::new(wire.contracts).map_err(serde::de::Error::custom)
    }
}
