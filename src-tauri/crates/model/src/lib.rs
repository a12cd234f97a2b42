//! What the desk is about: the types of the service interface and the rules that need nothing but
//! their arguments.
//!
//! Owns identifiers, amounts, what one sale is, validation, the table of states of a contract, what
//! an answer means, and the views that the window and wdesk show. No I/O, no async, no clock: time,
//! ids and facts are arguments.

pub mod bulk;
pub mod call_outcome;
pub mod clock;
pub mod contracts;
pub mod day;
pub mod display;
pub mod drafts;
pub mod encrypted;
pub mod interface;
pub mod journal;
pub mod leads;
mod name_variants;
pub mod outbox;
pub mod overview;
pub mod plans;
pub mod policy;
pub mod print;
mod problem;
pub mod products;
pub mod profile;
pub mod reconciliation;
pub mod recovery;
pub mod redaction;
pub mod search_text;
pub mod settings;
pub mod staff;
pub mod submission_state;
pub mod texts;
mod time_zone;
pub mod vault_error;

pub use problem::{Field, FieldProblem, Operation, Problem, one_line};
use problem::{Problems, fields_where};
