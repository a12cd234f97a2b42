//! The sandbox judged from outside: over real connections, by the rules of the specification.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod caller;
mod contracts;
mod control;
mod faults;
mod headers;
mod keys;
mod leads;
mod life;
mod plans;
mod products;
mod strangers;
mod temper;
mod veil;
