//! The bodies of the interface, written from the specification: what is read from requests and what is
//! written in answers. Knows neither the database nor HTTP.

mod fields;
mod requests;
mod responses;

pub(crate) use fields::Field;
pub(crate) use requests::{ContractItem, LeadBody, PlanBody, ProductBody, contract_items, parse};
pub(crate) use responses::{
    Address, Contract, ContractCustomer, ContractPlan, ContractProduct, Lead, LeadCustomer,
    MakerWarranty, Plan, PlanProduct, PlanWithProduct, Product, Store,
};
