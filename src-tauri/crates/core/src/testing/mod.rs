//! Tests text input with hostile and with random bytes: files, the arguments of the bridge and of
//! wdesk, addresses to open.

#[path = "../../../../../tests/fuzz/mod.rs"]
mod engine;
mod fuzz;
mod hostile;
#[path = "../../../../../tests/hostile/mod.rs"]
pub(crate) mod texts;
#[path = "../../../files/tests/whole_file/mod.rs"]
mod whole_file;
mod workbooks;
