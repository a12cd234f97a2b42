//! What the front end may ask: one file a subject. A command takes its arguments, makes one call
//! into the desk and maps the error; nothing is decided here.

pub mod contracts;
pub mod drafts;
pub mod imports;
pub mod leads;
pub mod lists;
pub mod outbox;
pub mod papers;
pub mod plans;
pub mod products;
pub mod profiles;
pub mod runs;
pub mod status;

use crate::error::UiError;
use crate::state::Shared;

/// What every command returns.
pub type Reply<T> = Result<T, UiError>;

/// The shared state as Tauri hands it over.
pub type Handle<'a> = tauri::State<'a, Shared>;
