//! What each operation does to the database. Knows neither headers nor faults, which are handled around it.

mod contracts;
mod leads;
mod plans;
mod products;
mod rows;

pub(crate) use contracts::{bulk_create, get_contract};
pub(crate) use leads::create_lead;
pub(crate) use plans::{get_plan, list_plans, update_plan};
pub(crate) use products::upsert_product;
