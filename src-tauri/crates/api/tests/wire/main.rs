//! The client on the wire, against listeners that misbehave.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod addresses;
mod bodies;
mod headers;
mod listener;
mod meaning;
mod once;
mod operations;
mod proxies;
mod redirects;
mod requests;
mod resources;
mod secrecy;
mod settings;
mod tls;
mod unsent;
