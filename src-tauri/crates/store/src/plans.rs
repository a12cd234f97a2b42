//! `cache.db`: the service's answers about plans.
//!
//! Owns its connection. A damaged file is set aside and created again; if that fails the cache is in
//! memory, and if that fails nothing is cached. No failure leaves this module.

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

/// `cache.db`, or what replaces it.
#[derive(Debug)]
pub struct PlanCache {
    path: PathBuf,
    read_only: bool,
    place: RwLock<Place>,
}

/// The connection in use.
#[derive(Debug, Clone)]
struct Place {
    /// Counts the files there have been, so that of several callers who meet the same damage only
    /// the first makes a new one.
    generation: u64,
    /// `None` when not even a database in memory could be opened.
    connection: Option<tokio_rusqlite::Connection>,
    /// What searches look through, read from this connection.
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
    /// Opens the cache; whatever happens to the file, there is one afterwards.
    pub async fn open(path: &Path, read_only: bool) -> Self {
        let connection = file::open(path.to_owned(), read_only).await;
        Self {
            path: path.to_owned(),
            read_only,
            place: RwLock::new(Place::of(connection)),
        }
    }

    /// A cache that stores nothing, as when not even a database in memory could be opened.
    #[cfg(any(test, feature = "simulation"))]
    pub fn forgetful() -> Self {
        Self {
            path: PathBuf::new(),
            read_only: true,
            place: RwLock::new(Place::of(None)),
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

    /// Runs a statement; when the file turns out damaged, once more on a new one. `None` when it
    /// could not be done: nothing was remembered, or nothing is known.
    async fn call<T: Send + 'static>(
        &self,
        statement: impl Fn(&mut Connection) -> Read<T> + Send + Sync + 'static,
    ) -> Option<T> {
        self.search_in(move |connection, _| statement(connection))
            .await
    }

    /// Makes a change, whole or not at all.
    async fn write(
        &self,
        change: impl Fn(&Connection) -> Result<(), rusqlite::Error> + Send + Sync + 'static,
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
        statement: impl Fn(&mut Connection, &mut LastSearched) -> Read<T> + Send + Sync + 'static,
    ) -> Option<T> {
        let statement = Arc::new(statement);
        let place = self.place.read().await.clone();
        match place.run(statement.clone()).await? {
            Ok(value) => return Some(value),
            Err(error) if !is_damage(&error) => {
                tracing::warn!(%error, "the plan cache could not do something");
                return None;
            }
            Err(_) => {}
        }
        tracing::warn!("the plan cache is damaged and is made anew");
        let renewed = self.renew(place.generation).await;
        renewed.run(statement).await?.ok()
    }

    /// Replaces a damaged file, unless another caller has done so already.
    async fn renew(&self, damaged: u64) -> Place {
        let mut place = self.place.write().await;
        if place.generation == damaged {
            if let Some(old) = place.connection.take() {
                // It is damaged: how its closing ends does not matter.
                drop(old.close().await);
            }
            place.generation += 1;
            place.searched = Arc::default();
            place.connection = if self.read_only {
                file::in_memory().await
            } else {
                file::set_aside(&self.path);
                file::open(self.path.clone(), false).await
            };
        }
        place.clone()
    }
}

impl Place {
    fn of(connection: Option<tokio_rusqlite::Connection>) -> Self {
        Self {
            generation: 0,
            connection,
            searched: Arc::default(),
        }
    }

    /// Runs a statement; `None` where there is no connection.
    async fn run<T: Send + 'static>(
        &self,
        statement: Arc<
            impl Fn(&mut Connection, &mut LastSearched) -> Read<T> + Send + Sync + 'static,
        >,
    ) -> Option<Result<T, tokio_rusqlite::Error>> {
        let searched = self.searched.clone();
        let done = self.connection.as_ref()?.call(move |connection| {
            let mut searched = searched.lock().unwrap_or_else(PoisonError::into_inner);
            statement(connection, &mut searched)
        });
        Some(done.await)
    }
}

/// Whether the file is to blame and not the machine. Damage shows in many ways, from a page that
/// SQLite cannot read to a value that is no text; all of it can be asked for again.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "the foreign enums are non-exhaustive"
)]
fn is_damage(error: &tokio_rusqlite::Error) -> bool {
    match error {
        tokio_rusqlite::Error::Error(error) => !matches!(
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
        ),
        _ => false,
    }
}

#[cfg(test)]
mod searching_tests;
#[cfg(test)]
mod tests;
