//! The warranty service itself, whole, as a real HTTP service over SQLite on the loopback interface.
//!
//! It is what practice mode talks to and what the tests are judged by. It owns its own reading of the
//! interface: its wire structs are written from the specification and nothing here knows the desk's
//! client or core, so a mistake of theirs cannot cancel itself out here.
//!
//! Everything it serves is **sample data**: a made-up store, made-up brands, addresses under
//! `sample.invalid`. Where the specification says "not shown", a [`Personality`] decides.

mod admission;
mod app;
mod bend;
mod catalogue;
mod clock;
mod connection;
mod control;
mod damage;
mod departure;
mod exchange;
mod faults;
mod keys;
mod ledger;
mod named;
mod named_faults;
mod operation;
mod operations;
mod options;
mod outcome;
mod personality;
mod record;
mod refusal;
mod reply;
mod router;
mod server;
mod store;
mod veil;
mod wire;

pub use catalogue::{STORE_ID, SamplePlan, SampleProduct, sample};
pub use damage::Damage;
pub use faults::{Action, Rule, ScriptedFault, When};
pub use ledger::{LedgerError, Sale, forget_before};
pub use named::UnknownPersonality;
pub use named_faults::named_faults;
pub use operation::Operation;
pub use options::{Database, Options, StartError};
pub use personality::{
    AnswerOrder, BulkFailure, Completeness, ErrorStatus, KeyPolicy, Personality, Visibility,
};
pub use record::{RecordedRequest, TokenSeen};
pub use server::Sandbox;
pub use veil::Veil;
