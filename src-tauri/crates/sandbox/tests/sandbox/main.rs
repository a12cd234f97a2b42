//! The sandbox judged from outside: over real connections, by the rules of the specification.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod cipher;
mod client;
mod contracts;
mod control;
mod faults;
mod headers;
mod keys;
mod leads;
mod lifecycle;
mod other_callers;
mod personalities;
mod plans;
mod products;
