//! Typed client of the warranty contracts service interface, version 1.
//!
//! Owns the wire: the seven operations, their headers, their bodies, and what an answer can mean.
//! Knows nothing of stores, queues, databases, keychains or windows.
//!
//! # How to read it
//!
//! [`Client`] has one method for each operation of part 4. A call sends its request at most once:
//! no redirect is followed, nothing is repeated, and it ends within [`Timeouts`]. It returns an
//! [`Answer`] or an [`Error`] that says what may have happened at the service; whether to repeat
//! is for the caller, who knows the operation and its key. What we match on is mandatory in the
//! resources, everything else is optional and never spoils an answer.
//!
//! The token travels over TLS or on loopback alone, never on the plan listing, and neither it nor
//! anything [`Personal`] can be printed.

#![warn(missing_docs)]

mod answer;
mod client;
mod failure;
mod numbers;
mod retry_after;
mod transport;

pub use answer::{Resource, judge};
pub use client::{Client, ClientError, Observer};
pub use warranty_model::interface::*;
