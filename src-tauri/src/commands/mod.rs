//! The commands of the front end, one file a subject. A command takes arguments, makes one call and
//! maps the error; it makes no decisions.

pub mod contracts;
pub mod days;
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
pub mod support;

use crate::error::UiError;
use crate::state::AppState;

pub type Reply<T> = Result<T, UiError>;

pub type Handle<'a> = tauri::State<'a, AppState>;
