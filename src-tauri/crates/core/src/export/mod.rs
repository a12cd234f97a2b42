//! Lists out of the desk, into a file that a person chose: all that a filter finds, not only what a
//! screen shows of it.
//!
//! Owns which columns a list has, under the interface's names, so that a file of entries, products
//! or plans can be read here again. How cells become bytes is [`crate::files`]' business.

mod columns;

use std::sync::Arc;

use crate::context::Context;
use crate::contracts::Contracts;
use crate::plans::Plans;
use std::path::Path;

use serde::{Deserialize, Serialize};
use warranty_api::{PlanFilter, ProductReference};

use crate::contracts::EntryFilter;
use crate::files::Format;
use crate::files::export::Cell;
use crate::files::private_file::Existing;
use crate::files::writer::Outgoing;
use crate::plans::PlanShelf;
use crate::{Error, StoreError, search_text};

/// Rows read at once: others get their turn at the database in between, and memory stays flat.
const PAGE: u32 = 2_000;

/// A list as it is filtered on screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum List {
    /// What was entered here.
    Entries {
        /// Which of it; its limit does not count.
        filter: EntryFilter,
    },
    /// Contracts looked up lately.
    Lookups,
    /// Products known here.
    Products {
        /// Those that contain every word of it.
        text: String,
    },
    /// Plans remembered here, of all products.
    Plans {
        /// Those that contain every word of it, or whose product does.
        text: String,
    },
    /// The plans of one product as they are remembered.
    PlansOf {
        /// The product.
        product: ProductReference,
        /// Which of them.
        filter: PlanFilter,
    },
    /// Leads made here.
    Leads,
}

impl List {
    /// What a file of it is called, without an ending.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Entries { .. } => "contracts",
            Self::Lookups => "contracts-looked-up",
            Self::Products { .. } => "products",
            Self::Plans { .. } | Self::PlansOf { .. } => PLANS,
            Self::Leads => "leads",
        }
    }
}

const PLANS: &str = "plans";

/// Rows on their way, or why there are none.
type Fed = Result<(), Error>;

/// Lists written into files.
#[derive(Debug, Clone)]
pub struct Exports {
    pub(crate) context: Arc<Context>,
    pub(crate) contracts: Contracts,
    pub(crate) plans: Plans,
}

impl Exports {
    /// Writes a list into a file for this user alone and notes it in the journal; gives how many
    /// rows it has.
    ///
    /// # Errors
    /// [`Error::Write`]; [`Error::NoProfile`]; [`Error::Store`]. Then no new file is at `path`.
    pub async fn list(
        &self,
        list: &List,
        path: &Path,
        format: Format,
        existing: Existing,
    ) -> Result<u64, Error> {
        let file = Outgoing::begin(path, format, existing, columns::headers(list));
        let fed = self.feed_list(list, &file).await;
        self.exported(list.name(), file, fed).await
    }

    /// The same for the plans of a shelf as it was read.
    ///
    /// # Errors
    /// As [`Exports::list`].
    pub async fn shelf(
        &self,
        shelf: &PlanShelf,
        path: &Path,
        format: Format,
        existing: Existing,
    ) -> Result<u64, Error> {
        let file = Outgoing::begin(path, format, existing, columns::of_plans());
        file.rows(rows_of(shelf)).await;
        self.exported(PLANS, file, Ok(())).await
    }

    async fn exported(&self, name: &str, file: Outgoing, fed: Fed) -> Result<u64, Error> {
        if let Err(error) = fed {
            file.give_up().await;
            return Err(error);
        }
        self.context.hand_out("list.exported", name, file).await
    }

    /// Hands all rows of a list on. A file that has stopped taking them says why when it is
    /// finished.
    async fn feed_list(&self, list: &List, file: &Outgoing) -> Fed {
        match list {
            List::Entries { filter } => self.feed_entries(filter, file).await,
            List::Lookups => {
                let found = self.contracts.recent_lookups().await?;
                file.rows(found.iter().map(columns::lookup).collect()).await;
                Ok(())
            }
            List::Products { text } => self.feed_products(text, file).await,
            List::Plans { text } => self.feed_plans(text, file).await,
            List::PlansOf { product, filter } => {
                let shelf = self.plans.cached(product, *filter).await?;
                file.rows(rows_of(&shelf)).await;
                Ok(())
            }
            List::Leads => self.feed_leads(file).await,
        }
    }

    async fn feed_entries(&self, filter: &EntryFilter, file: &Outgoing) -> Fed {
        let profile = self.context.profile_now().await?;
        let mut below = i64::MAX;
        while let Some((next, entries)) = self
            .contracts
            .entries_below(&profile.id, filter, below)
            .await?
        {
            if !file
                .rows(entries.iter().map(columns::entry).collect())
                .await
            {
                break;
            }
            below = next;
        }
        Ok(())
    }

    async fn feed_products(&self, text: &str, file: &Outgoing) -> Fed {
        let profile = self.context.profile_now().await?;
        let mut after = String::new();
        loop {
            let store = &self.context.store;
            let found = store
                .search_products(&profile.id, text, &after, PAGE)
                .await?;
            let Some(last) = found.last() else { break };
            after = last.reference_id.as_str().to_owned();
            if !file
                .rows(found.iter().map(columns::product).collect())
                .await
            {
                break;
            }
        }
        Ok(())
    }

    async fn feed_plans(&self, text: &str, file: &Outgoing) -> Fed {
        let profile = self.context.profile_now().await?;
        let cache = &self.context.cache;
        let numbers = cache.numbers(&profile.id, search_text::words(text)).await;
        let page = usize::try_from(PAGE).unwrap_or(usize::MAX);
        for numbers in numbers.ok_or_else(cache_lost)?.chunks(page) {
            let found = cache.of_numbers(numbers).await;
            // Plans that the service no longer has are gone one by one, a damaged cache all at once.
            let found = found.filter(|found| !found.is_empty());
            let rows = found.ok_or_else(cache_lost)?;
            if !file.rows(rows.iter().map(columns::plan).collect()).await {
                break;
            }
        }
        Ok(())
    }

    async fn feed_leads(&self, file: &Outgoing) -> Fed {
        let profile = self.context.profile_now().await?;
        let mut below = i64::MAX;
        loop {
            let store = &self.context.store;
            let found = store.leads_below(&profile.id, below, PAGE).await?;
            let Some((last, _)) = found.last() else { break };
            below = *last;
            let rows = found.iter().map(|(_, lead)| columns::lead(lead));
            if !file.rows(rows.collect()).await {
                break;
            }
        }
        Ok(())
    }
}

fn rows_of(shelf: &PlanShelf) -> Vec<Vec<Cell>> {
    let row = |plan| columns::plan_of(plan, shelf);
    shelf.plans.iter().map(row).collect()
}

/// Half a list would pass for a whole one.
fn cache_lost() -> Error {
    StoreError::Sqlite("the remembered plans were lost while they were read".to_owned()).into()
}
