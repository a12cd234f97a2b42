//! Answers as bytes: what a service could say to harm its reader.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../../../../tests/fuzz/mod.rs"]
mod engine;
mod fields;
mod fuzz;
#[path = "../../../../../tests/hostile/mod.rs"]
mod hostile;
mod resources;
mod samples;
