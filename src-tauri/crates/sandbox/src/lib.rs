//! The warranty service as a real HTTP service over SQLite, on the loopback interface: for practice and tests.
//!
//! It owns its own reading of the interface: its wire structs are written from the specification, and nothing
//! here uses the desk's client or core, so that a mistake there cannot hide behind the same mistake here.
//!
//! Everything it serves is **sample data**: a made-up store, made-up brands, addresses under `sample.invalid`.
//!
//! With the feature `faults` it can also misbehave, under a personality or a script, and shows its ledger and
//! the requests it got. The released window is built without it.

mod answer;
mod app;
mod behaviour;
mod catalogue;
mod cipher;
mod clock;
#[cfg(feature = "faults")]
mod control;
#[cfg(feature = "faults")]
mod fault_handler;
#[cfg(feature = "faults")]
mod faults;
mod handler;
mod header_checks;
#[cfg(feature = "faults")]
mod inspection;
mod keys;
mod lock;
mod operation;
mod operations;
mod options;
mod request;
mod router;
mod server;
mod situation;
mod store;
mod wire;

#[cfg(feature = "faults")]
pub use behaviour::{BulkFailure, KeyPolicy, Visibility};
pub use catalogue::{STORE_ID, SamplePlan, SampleProduct, sample};
pub use cipher::Cipher;
#[cfg(feature = "faults")]
pub use faults::{
    Action, AnswerOrder, Completeness, ErrorStatus, LedgerError, Personality, RecordedRequest,
    Rule, Sale, ScriptedFault, UnknownPersonality, When, named_faults,
};
#[cfg(feature = "faults")]
pub use header_checks::TokenSeen;
#[cfg(feature = "faults")]
pub use operation::Operation;
pub use options::{Database, Options, StartError};
pub use server::Sandbox;
pub use situation::Situation;
pub use store::delete_before;

use crate::answer::{Answer, ErrorKind, ErrorResponse, Failure, Reply};
use crate::app::App;
use crate::lock::lock;
#[cfg(not(feature = "faults"))]
use crate::operation::Operation;
