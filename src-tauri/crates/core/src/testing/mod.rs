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

use std::path::Path;
use std::sync::Arc;

use warranty_vault::MemoryVault;

use crate::{Desk, DeskOptions};

/// A desk over a keychain in memory.
pub(crate) async fn desk(folder: &Path) -> Desk {
    let options = DeskOptions::new(folder.to_owned(), Arc::new(MemoryVault::default()));
    Desk::open(options).await.unwrap()
}
