//! Keeps the order of changes to a product or a plan: what was asked for later stays.

use warranty_model::profile::ServiceStore;
use warranty_runtime::context::Context;
use warranty_runtime::repeats::Outcome;

use crate::{Error, Field, Problem, Result};

/// Makes a change to a product of a service or a plan of a store, while its lock is held. A change for a row
/// of `run` is older than everything asked for since the run was stored.
///
/// # Errors
/// [`Error::Input`] with [`Problem::ChangedMeanwhile`] when a newer change was made, or perhaps made: then
/// this one is not begun.
pub(crate) async fn in_order<T>(
    context: &Context,
    of: ServiceStore,
    (field, code): (Field, &str),
    run: Option<i64>,
    change: impl Future<Output = Result<T>>,
) -> Result<T> {
    let store = &context.store;
    let noted = store.note_change(of, field, code.to_owned(), run);
    let Some(noted) = noted.await? else {
        return Err(Error::input(field, Problem::ChangedMeanwhile));
    };
    let changed = change.await;
    if let Err(error) = &changed
        && !may_be_made(error)
        && let Err(error) = store.take_change_back(noted).await
    {
        // The caller needs the error of the change more; a row that waits is left out, with its reason.
        tracing::warn!(%error, "a change that was not made stays noted");
    }
    changed
}

#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "all other errors happen before a change is sent"
)]
/// Whether a change that ended in this error may be made at the service.
pub(crate) fn may_be_made(error: &Error) -> bool {
    match error {
        Error::Service { operation, source } => {
            operation.changes() && Outcome::of(source) == Outcome::Unknown
        }
        Error::NotProven { .. } | Error::NotReadAgain(_) => true,
        _ => false,
    }
}
