//! Answers as bytes: what a service could say to harm its reader.

#[path = "../../../../../tests/fuzz/mod.rs"]
mod engine;
mod fields;
mod fuzz;
#[path = "../../../../../tests/hostile/mod.rs"]
mod hostile;
mod resources;
mod samples;
