//! The warranty service itself, whole, as a real HTTP service over SQLite on the loopback interface.
//!
//! It is what practice mode talks to and what the tests are judged by. It owns its own reading of the
//! interface: its wire structs are written from the specification and nothing here knows the desk's
//! client or core, so a mistake of theirs cannot cancel itself out here.
//!
//! Everything it serves is **sample data**: a made-up store, made-up brands, addresses under
//! `sample.invalid`. Where the specification says "not shown", a [`Personality`] decides.

mod app;
mod catalogue;
mod cipher;
mod clock;
mod connection;
mod control;
mod error_response;
mod fault_presets;
mod faults;
mod handler;
mod header_checks;
mod keys;
mod ledger;
mod operation;
mod operations;
mod options;
mod outcome;
mod personality;
mod presets;
mod reply;
mod request_log;
mod response_faults;
mod response_stream;
mod router;
mod server;
mod store;
mod wire;
mod wire_faults;

pub use catalogue::{STORE_ID, SamplePlan, SampleProduct, sample};
pub use cipher::Cipher;
pub use fault_presets::named_faults;
pub use faults::{Action, Rule, ScriptedFault, When};
pub use ledger::{LedgerError, Sale, delete_before};
pub use operation::Operation;
pub use options::{Database, Options, StartError};
pub use personality::{
    AnswerOrder, BulkFailure, Completeness, ErrorStatus, KeyPolicy, Personality, Visibility,
};
pub use presets::UnknownPersonality;
pub use request_log::{RecordedRequest, TokenSeen};
pub use server::Sandbox;
pub use wire_faults::WireFault;
