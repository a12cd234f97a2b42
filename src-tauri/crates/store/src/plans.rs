//! `cache.db`: the service's answers about plans.
//!
//! Owns its connection. A damaged file is deleted, and the next start makes a new one; until then
//! nothing is known. No failure leaves this module.

mod file;
mod reading;
mod search_index;
mod searching;
mod writing;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::query::Read;
use rusqlite::{Connection, ErrorCode};
use tokio::sync::RwLock;
use warranty_model::interface::{Plan, PlanFilter, PlanProduct, ProductReference, Timestamp};

use self::searching::LastSearched;

#[derive(Debug)]
pub struct PlanCache {
    path: PathBuf,
    read_only: bool,
    /// `None` where the file cannot be used.
    connection: RwLock<Option<tokio_rusqlite::Connection>>,
    /// What searches look through.
    searched: Arc<Mutex<LastSearched>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// In the service's order.
    pub plans: Vec<Plan>,
    pub fetched_at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedPlan {
    pub plan: Plan,
    pub product_reference: Option<ProductReference>,
    pub product: Option<PlanProduct>,
    /// When the service said so.
    pub fetched_at: Timestamp,
}

impl PlanCache {
    /// Opens the cache; one whose file cannot be used knows nothing.
    pub async fn open(path: &Path, read_only: bool) -> Self {
        let connection = file::open(path, read_only).await;
        Self {
            path: path.to_owned(),
            read_only,
            connection: RwLock::new(connection),
            searched: Arc::default(),
        }
    }

    /// A cache that stores nothing, as when its file cannot be used.
    #[cfg(any(test, feature = "simulation"))]
    pub fn forgetful() -> Self {
        Self {
            path: PathBuf::new(),
            read_only: true,
            connection: RwLock::default(),
            searched: Arc::default(),
        }
    }

    /// The answer to a listing with this filter.
    pub async fn listing(
        &self,
        profile_id: &str,
        product: &ProductReference,
        filter: PlanFilter,
    ) -> Option<Listing> {
        let (profile_id, product) = (profile_id.to_owned(), product.clone());
        self.call(move |connection| reading::listing(connection, &profile_id, &product, filter))
            .await
            .flatten()
    }

    /// Plans whose own text or whose product's text contains all of these normalised words.
    pub async fn search(
        &self,
        profile_id: &str,
        words: Vec<String>,
        limit: u32,
    ) -> Vec<CachedPlan> {
        let profile_id = profile_id.to_owned();
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        self.search_in(move |connection, searched| {
            let numbers = searching::numbers(connection, searched, &profile_id, &words, limit)?;
            reading::of_numbers(connection, &numbers)
        })
        .await
        .unwrap_or_default()
    }

    /// Reads some of the plans that no search of the profile has reached yet, so that the first search
    /// for a rare word need not; `false` when there were none, or they could not be read.
    pub async fn read_ahead(&self, profile_id: &str) -> bool {
        let profile_id = profile_id.to_owned();
        self.search_in(move |connection, searched| {
            searching::read_ahead(connection, searched, &profile_id)
        })
        .await
        .unwrap_or_default()
    }

    /// All plans that such a search finds, in the same order, by their numbers; `None` when that
    /// could not be read.
    pub async fn numbers(&self, profile_id: &str, words: Vec<String>) -> Option<Vec<i64>> {
        let profile_id = profile_id.to_owned();
        self.search_in(move |connection, searched| {
            searching::numbers(connection, searched, &profile_id, &words, usize::MAX)
        })
        .await
    }

    /// The plans of these numbers, in their order, without those that are gone since.
    pub async fn of_numbers(&self, numbers: &[i64]) -> Option<Vec<CachedPlan>> {
        let numbers = numbers.to_owned();
        self.call(move |connection| reading::of_numbers(connection, &numbers))
            .await
    }

    /// Runs a statement. `None` when it could not be done: nothing was remembered, or nothing is
    /// known.
    async fn call<T: Send + 'static>(
        &self,
        statement: impl FnOnce(&mut Connection) -> Read<T> + Send + 'static,
    ) -> Option<T> {
        self.search_in(move |connection, _| statement(connection))
            .await
    }

    /// Makes a change, whole or not at all.
    async fn write(
        &self,
        change: impl FnOnce(&Connection) -> Result<(), rusqlite::Error> + Send + 'static,
    ) {
        self.call(move |connection| {
            let transaction = connection.transaction()?;
            change(&transaction)?;
            transaction.commit()
        })
        .await;
    }

    /// The same with what searches look through.
    async fn search_in<T: Send + 'static>(
        &self,
        statement: impl FnOnce(&mut Connection, &mut LastSearched) -> Read<T> + Send + 'static,
    ) -> Option<T> {
        let connection = self.connection.read().await.clone()?;
        let searched = Arc::clone(&self.searched);
        let done = connection.call(move |connection| {
            let mut searched = searched.lock().unwrap_or_else(PoisonError::into_inner);
            statement(connection, &mut searched)
        });
        match done.await {
            Ok(value) => Some(value),
            Err(error) => {
                tracing::warn!(%error, "the plan cache could not do something");
                if is_damage(&error) {
                    self.delete().await;
                }
                None
            }
        }
    }

    /// Deletes a damaged file, unless another caller has done so already.
    async fn delete(&self) {
        let Some(damaged) = self.connection.write().await.take() else {
            return;
        };
        // How its closing ends does not matter.
        drop(damaged.close().await);
        if !self.read_only {
            file::delete(&self.path);
        }
    }
}

/// Whether the file is to blame and not the machine. Damage shows in many ways, from a page that
/// SQLite cannot read to a value that is no text; all of it can be asked for again.
fn is_damage(error: &tokio_rusqlite::Error) -> bool {
    let tokio_rusqlite::Error::Error(error) = error else {
        return false;
    };
    !matches!(
        error.sqlite_error_code(),
        Some(
            ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::DiskFull
                | ErrorCode::SystemIoFailure
                | ErrorCode::CannotOpen
                | ErrorCode::PermissionDenied
                | ErrorCode::ReadOnly
                | ErrorCode::OutOfMemory
                | ErrorCode::OperationInterrupted
        )
    )
}

#[cfg(test)]
mod searching_tests;
#[cfg(test)]
mod tests;
