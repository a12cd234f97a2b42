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

use rusqlite::{Connection, ErrorCode};
use tokio::sync::RwLock;
use warranty_model::interface::{
    Plan, PlanFilter, PlanId, PlanProduct, PlanWithProduct, ProductReference, Timestamp,
};

use self::searching::LastSearched;
use warranty_model::products::ProductHint;

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

/// Which answer a list of plans stood in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListingKind {
    /// A listing with this filter.
    Filter(PlanFilter),
    /// The answer of an upsert.
    Upsert,
}

/// A list of plans as it was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// In the service's order.
    pub plans: Vec<Plan>,
    /// When it was answered.
    pub fetched_at: Timestamp,
}

/// A plan with what is known of its product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedPlan {
    /// The plan.
    pub plan: Plan,
    /// The reference of its product.
    pub product_reference: Option<ProductReference>,
    /// Its product.
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
            place: RwLock::new(Place {
                generation: 0,
                connection,
                searched: Arc::default(),
            }),
        }
    }

    /// A cache that stores nothing, as when not even a database in memory could be opened.
    #[cfg(any(test, feature = "simulation"))]
    pub fn forgetful() -> Self {
        Self {
            path: PathBuf::new(),
            read_only: true,
            place: RwLock::new(Place {
                generation: 0,
                connection: None,
                searched: Arc::default(),
            }),
        }
    }

    /// Remembers a list of plans, and what is known of the product they are for.
    pub async fn keep_listing(
        &self,
        profile_id: &str,
        product: ProductHint,
        kind: ListingKind,
        plans: Vec<Plan>,
        at: i64,
    ) {
        let profile_id = profile_id.to_owned();
        self.call(move |connection| {
            writing::keep_listing(connection, &profile_id, &product, kind, &plans, at)
        })
        .await;
    }

    /// Remembers a plan read by id.
    pub async fn keep_plan(&self, profile_id: &str, plan: PlanWithProduct, at: i64) {
        let profile_id = profile_id.to_owned();
        self.call(move |connection| writing::keep_plan(connection, &profile_id, &plan, at))
            .await;
    }

    /// Stores what became known of products elsewhere, for products that have plans here. Replaces
    /// what is known when `replaces` is set, otherwise only fills in what is missing.
    pub async fn learn_products(
        &self,
        profile_id: &str,
        products: Vec<ProductHint>,
        replaces: bool,
    ) {
        let profile_id = profile_id.to_owned();
        self.call(move |connection| {
            writing::learn_products(connection, &profile_id, &products, replaces)
        })
        .await;
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

    /// The product that plans were listed of last.
    pub async fn listed_product(&self, profile_id: &str) -> Option<ProductReference> {
        let profile_id = profile_id.to_owned();
        self.call(move |connection| reading::listed_product(connection, &profile_id))
            .await
            .flatten()
    }

    /// One plan.
    pub async fn plan(&self, profile_id: &str, id: &PlanId) -> Option<CachedPlan> {
        let (profile_id, id) = (profile_id.to_owned(), id.clone());
        self.call(move |connection| reading::plan(connection, &profile_id, &id))
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

    /// Plans that carry this store reference.
    pub async fn used_by(&self, profile_id: &str, store_reference_id: &str) -> Vec<PlanId> {
        let (profile_id, reference) = (profile_id.to_owned(), store_reference_id.to_owned());
        self.call(move |connection| reading::used_by(connection, &profile_id, &reference))
            .await
            .unwrap_or_default()
    }

    /// Forgets everything of a profile whose address or store changed.
    pub async fn forget_profile(&self, profile_id: &str) {
        let profile_id = profile_id.to_owned();
        self.call(move |connection| writing::forget_profile(connection, &profile_id))
            .await;
    }

    /// Runs a statement; when the file turns out damaged, once more on a new one. `None` when it
    /// could not be done: nothing was remembered, or nothing is known.
    async fn call<T: Send + 'static>(
        &self,
        statement: impl Fn(&mut Connection) -> Result<T, rusqlite::Error> + Send + Sync + 'static,
    ) -> Option<T> {
        self.search_in(move |connection, _| statement(connection))
            .await
    }

    /// The same with what searches look through.
    async fn search_in<T: Send + 'static>(
        &self,
        statement: impl Fn(&mut Connection, &mut LastSearched) -> Result<T, rusqlite::Error>
        + Send
        + Sync
        + 'static,
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
    /// Runs a statement; `None` where there is no connection.
    async fn run<T: Send + 'static>(
        &self,
        statement: Arc<
            impl Fn(&mut Connection, &mut LastSearched) -> Result<T, rusqlite::Error>
            + Send
            + Sync
            + 'static,
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
