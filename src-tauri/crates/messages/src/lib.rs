//! The error catalogue and the sentences of the window and wdesk.
//!
//! Owns the stable codes and which text of the translation files in `ui/src/i18n` belongs to which
//! code. Knows neither a window nor a terminal, and contains no sentence itself.

mod catalogue;
mod consequence;
mod rows;

pub use catalogue::{ErrorCode, not_written, sentence};
pub use consequence::{Effect, Next, consequence};
pub use rows::{problem, question, rejection, row_failure};
pub use warranty_core::texts::{Values, named, optional_text, text, wire_name};

#[cfg(test)]
mod text_tests;
