//! What travels over the wire, one file a subject. Part 2 and part 4 of the interface.

mod contract;
mod ids;
mod iso8601;
mod lead;
mod lenient;
mod number;
mod personal;
mod plan;
mod product;
mod stated;
mod time;

pub use contract::{
    Address, BatchSizeError, Contract, ContractBatch, ContractItem, ContractPlan, ContractProduct,
    Customer, ItemCustomer, ItemPlan, ItemProduct, MAX_CONTRACTS_PER_REQUEST, Store,
};
pub use ids::{ContractId, IdError, IdempotencyKey, PlanId, ProductReference, StoreId};
pub use lead::{Lead, LeadCustomer, LeadProduct, LeadRequest};
pub use number::{Amount, Count, NumberError};
pub use personal::Personal;
pub use plan::{Plan, PlanFilter, PlanProduct, PlanUpdate, PlanWithProduct};
pub use product::{MfrWarranty, Product, ProductUpsert};
pub use stated::Stated;
pub use time::{Timestamp, TimestampError};
