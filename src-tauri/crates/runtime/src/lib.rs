//! What the services of the desk share: clock, context, work in progress, notices, counts and errors.
//!
//! Names no service: a service calls what is here, and hears of events through
//! [`Subscribers`](context::Subscribers).

pub mod backup_schedule;
pub mod clock;
pub mod context;
mod error;
pub mod high_water;
pub mod journal;
pub mod keyed_lock;
pub mod log;
pub mod notice;
pub mod notifications;
pub mod organization;
pub mod overview;
pub mod policy;
pub mod repeats;
pub mod settings;
pub mod work;

pub use error::{Error, Field, FieldProblem, Operation, Problem, StoreError};

/// What the services answer unless another error is named.
pub type Result<T, E = Error> = std::result::Result<T, E>;
