//! The request bodies of the interface, read as the specification has them. Knows neither the database nor HTTP.

mod fields;
mod requests;

pub(crate) use fields::Field;
pub(crate) use requests::{ContractItem, contract_items, parse};
