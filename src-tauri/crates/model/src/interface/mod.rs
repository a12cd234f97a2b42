//! The service interface: what travels over the wire, one file a subject, and what may have happened
//! when a call did not succeed. Parts 2, 4 and 7 of the interface.

mod address;
mod contract;
mod error;
mod ids;
mod lead;
mod number;
mod personal;
mod plan;
mod product;
mod stated;
mod time;
mod timeouts;
mod token;
mod wire;

pub(crate) use address::ALL_BUT_UNRESERVED;
pub use address::{BaseUrl, BaseUrlError, shown_host};
pub use contract::{
    Address, BatchSizeError, BulkContracts, Contract, ContractBatch, ContractItem, ContractPlan,
    ContractProduct, Customer, ItemCustomer, ItemPlan, ItemProduct, MAX_CONTRACTS_PER_REQUEST,
    Store,
};
pub use error::{Answer, Error, NoAnswer, NotSent, ServiceError, Unreadable};
pub use ids::{ContractId, IdError, PlanId, ProductReference, StoreId, check_id};
pub use lead::{Lead, LeadCustomer, LeadProduct, LeadRequest};
pub use number::{Amount, Count, NumberError};
pub use personal::Personal;
pub use plan::{Plan, PlanFilter, PlanProduct, PlanUpdate, PlanWithProduct};
pub use product::{MfrWarranty, Product, ProductUpsert};
pub use stated::{Stated, bounded};
pub use time::{Timestamp, TimestampError};
pub use timeouts::Timeouts;
pub use token::{Token, TokenError};
