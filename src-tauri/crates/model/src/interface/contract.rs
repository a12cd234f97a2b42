//! Contracts: the resource (part 2) and the request that creates up to ten (part 4.1).

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use thiserror::Error;

use super::wire::{lenient_or_default, wire};
use super::{Amount, ContractId, Count, Personal, PlanId, ProductReference, Stated, Timestamp};

/// Most contracts in one request, part 8.
pub const MAX_CONTRACTS_PER_REQUEST: usize = 10;

/// The items of an answer to a bulk request (part 4.1), in its order; `None` for each that is no contract.
pub type BulkContracts = Vec<Option<Contract>>;

/// An amount of a contract, which a person is shown as it came where it is not understood.
type ContractAmount = Stated<Amount>;

wire! {
    /// A contract as the service returns it. Only what tells which sale it is of is mandatory.
    pub struct Contract {
        pub id: ContractId,
        pub inquiry_code: Option<String>,
        /// The business's transaction identifier.
        pub transaction_id: String,
        pub transaction_total: ContractAmount,
        /// Date-time as it came.
        pub transaction_date: Option<String>,
        /// Without any field when the answer has no customer that can be read: a service may erase one.
        #[serde(default, deserialize_with = "lenient_or_default")]
        #[specta(type = Customer)]
        pub customer: Customer,
        pub product: ContractProduct,
        pub plan: ContractPlan,
        pub store: Option<Store>,
        pub is_fulfilled: Option<bool>,
        /// Shown as it came; the interface lists no values.
        pub status: Stated<String>,
        /// Whether the service marks it as fraud.
        pub fraud: Stated<bool>,
        /// Start of protection, as it came.
        pub started_at: Option<String>,
        /// End of protection, as it came.
        pub ended_at: Option<String>,
        /// Date-time as it came.
        pub created_at: Option<String>,
        /// Date-time as it came.
        pub updated_at: Option<String>,
    }

    #[derive(Default)]
    pub struct Customer {
        pub id: Option<String>,
        /// Business-side key.
        pub reference_id: Option<Personal>,
        /// Name, one field, family name first as typed.
        pub name: Option<Personal>,
        pub email: Option<Personal>,
        pub phone: Option<Personal>,
        pub billing_address: Option<Address>,
        pub shipping_address: Option<Address>,
    }

    pub struct Address {
        pub postal_number: Option<Personal>,
        pub prefecture: Option<Personal>,
        pub city: Option<Personal>,
        /// Street and number.
        pub address: Option<Personal>,
        pub building: Option<Personal>,
    }

    /// The product inside a contract or a lead.
    pub struct ContractProduct {
        /// The service's id.
        pub id: Option<String>,
        /// Business-side key.
        pub reference_id: ProductReference,
        pub title: Option<String>,
        /// Listed price.
        pub price: ContractAmount,
        /// Address of a picture; not checked here.
        pub image_url: Option<String>,
        pub category: Option<String>,
        pub brand: Option<String>,
        pub purchase_price: ContractAmount,
        pub serial_number: Option<String>,
        /// Date-time as it came.
        pub created_at: Option<String>,
        /// Date-time as it came.
        pub updated_at: Option<String>,
    }

    /// The plan inside a contract; it carries no `storeReferenceId`.
    pub struct ContractPlan {
        pub id: PlanId,
        pub title: Option<String>,
        pub price: ContractAmount,
        /// The interface names no unit.
        pub term_length: Option<Count>,
        /// Shown as it came.
        pub service_type: Option<String>,
        /// Shown as it came.
        pub protection_type: Option<String>,
        /// Page of the plan; not checked here.
        pub url: Option<String>,
    }

    pub struct Store {
        pub id: Option<String>,
        pub name: Option<String>,
        /// Not checked here.
        pub web_site: Option<String>,
        /// Not checked here.
        pub logo_url: Option<String>,
    }

    /// One contract to create, part 4.1.
    pub struct ContractItem {
        /// The business's transaction identifier.
        pub transaction_id: String,
        pub transaction_total: Amount,
        pub transaction_date: Timestamp,
        pub customer: ItemCustomer,
        pub product: ItemProduct,
        pub plan: ItemPlan,
    }

    pub struct ItemCustomer {
        /// Name, one field, family name first as typed.
        pub name: Personal,
        pub email: Personal,
    }

    pub struct ItemProduct {
        /// Business-side key.
        pub reference_id: ProductReference,
        pub purchase_price: Amount,
    }

    pub struct ItemPlan {
        pub purchase_price: Amount,
        pub plan_id: PlanId,
    }
}

/// One to ten contracts: what one request may carry, and nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContractBatch {
    #[serde(deserialize_with = "sendable")]
    contracts: Vec<ContractItem>,
}

/// A number of contracts that no request may carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a request carries 1 to {MAX_CONTRACTS_PER_REQUEST} contracts, not {0}")]
pub struct BatchSizeError(pub usize);

impl ContractBatch {
    /// Takes one to ten items.
    pub fn new(contracts: Vec<ContractItem>) -> Result<Self, BatchSizeError> {
        if (1..=MAX_CONTRACTS_PER_REQUEST).contains(&contracts.len()) {
            Ok(Self { contracts })
        } else {
            Err(BatchSizeError(contracts.len()))
        }
    }

    /// The items, in the order they are sent.
    pub fn items(&self) -> &[ContractItem] {
        &self.contracts
    }
}

fn sendable<'de, D: Deserializer<'de>>(sent: D) -> Result<Vec<ContractItem>, D::Error> {
    let batch = ContractBatch::new(Vec::deserialize(sent)?).map_err(D::Error::custom)?;
    Ok(batch.contracts)
}
