//! The client on the wire: against listeners that misbehave, and against every fault that the practice
//! service can play on every operation.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod addresses;
mod bodies;
mod expected;
mod headers;
mod kept;
mod listener;
mod meaning;
mod once;
mod operations;
mod proxies;
mod requests;
mod secrecy;
mod settings;
mod table;
mod tls;
mod unsent;
