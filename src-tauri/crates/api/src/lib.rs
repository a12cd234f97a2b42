//! Typed client of the warranty contracts service interface, version 1.
//!
//! Owns the wire: the seven operations, their headers, their bodies, and what an answer can mean.
//! Knows nothing of stores, queues, databases, keychains or windows.

#![warn(missing_docs)]

mod client;
mod endpoint;
mod error;
mod types;

pub use client::{Client, ClientError};
pub use endpoint::{BaseUrl, BaseUrlError, Timeouts, Token, TokenError};
pub use error::{Answer, Error, NoAnswer, NotSent, ServiceError, Unreadable};
pub use types::*;
