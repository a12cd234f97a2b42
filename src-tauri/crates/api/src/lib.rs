//! Typed client of the warranty contracts service interface, version 1.
//!
//! Owns the HTTP protocol: the seven operations, their headers, their bodies, and what an answer
//! can mean. Knows nothing of stores, queues, databases, keychains or windows.
//!
//! # How to read it
//!
//! [`Client`] has one method for each operation of part 4. A call sends its request at most once:
//! it follows no redirect, never retries, and ends within [`Timeouts`]. It returns an [`Answer`] or
//! an [`Error`] that says what may have happened at the service. The caller, who knows the
//! operation and its idempotency key, decides whether to retry. In a resource only the fields that
//! the program compares are mandatory; a missing or malformed optional field does not make the
//! answer unreadable.
//!
//! The token is sent over TLS or to loopback only, and never with the plan listing. Neither the
//! token nor a [`Personal`] value can be printed.

mod answer;
mod client;
mod failure;
mod names;
mod network;
mod retry_after;
mod route;
#[cfg(test)]
mod testing;
mod tls_seen;
mod transport;
mod verdicts;
mod verifier;

pub use client::{Client, ClientError, Contact, Observer};
pub use names::LOOKUP;
pub use network::{NetworkSettings, ProxyChoice, certificates};
pub use route::{Route, route};
pub use tls_seen::{CertificateSeen, RootKind, TlsSeen};
pub use warranty_model::interface::*;
