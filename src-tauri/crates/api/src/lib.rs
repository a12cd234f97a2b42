//! Typed client of the warranty contracts service interface, version 1.
//!
//! Owns the wire: the seven operations, their headers, their bodies, and what an answer can mean.
//! Knows nothing of stores, queues, databases, keychains or windows.

#![warn(missing_docs)]

mod types;

pub use types::*;
