//! Tests of the sandbox over real connections, against the specification.
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
