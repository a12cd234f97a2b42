//! Exports lists to a file: all rows of a filter, not only those on screen.
//!
//! Owns the columns of each list, named as in the interface so that files can be imported again.
//! [`crate::files`] writes the cells.

mod columns;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::contracts::{Contracts, CustomerState, EntryFilter};
use crate::day::{Date, DaySale, Days};
use crate::leads::Leads;
use crate::plans::{PlanList, Plans};
use std::path::Path;
use warranty_runtime::context::Context;

use serde::{Deserialize, Serialize};
use warranty_api::{PlanFilter, PlanId, ProductReference};

use crate::files::Format;
use crate::files::private_file::Existing;
use crate::files::writer::BackgroundWriter;
use crate::products::ProductFilter;
use crate::{Error, Result, StoreError, search_text};
use columns::{Columns, PlanRow};
use warranty_model::profile::Zone;

/// Rows read at once, to bound memory and to let other tasks use the database.
const PAGE: u32 = 2_000;

/// A list with its filter on screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum List {
    Entries {
        /// Filter and order; offset and limit are ignored.
        filter: EntryFilter,
    },
    /// Contracts that were looked up recently.
    Lookups,
    /// Products in the local list.
    Products {
        /// Filter and order; offset and limit are ignored.
        filter: ProductFilter,
    },
    /// Cached plans of all products.
    Plans {
        /// Only plans that contain every word of this text, or have a product that does.
        text: String,
        /// The plans on screen, in their order. They come before all others that are found.
        shown: Vec<PlanId>,
    },
    /// The cached plans of one product.
    PlansOf {
        product: ProductReference,
        filter: PlanFilter,
        /// The plans on screen, in their order. They come before all others of the product.
        shown: Vec<PlanId>,
    },
    /// Leads created here.
    Leads {
        /// Ids of the leads on screen, in their order; `None` for all leads, newest first.
        shown: Option<Vec<String>>,
    },
    /// The whole journal, newest line first.
    Journal,
    Day {
        date: Date,
        list: DayList,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum DayList {
    Sales,
    /// The figures of it and of the days before it.
    Days,
    /// Its figures by staff member.
    Staff,
    /// Its figures by product category.
    Categories,
    /// The work to finish before it is closed.
    Closing,
}

impl List {
    /// The file name of the list, without an extension.
    pub fn name(&self) -> &'static str {
        self.name_and_headers().0
    }

    fn name_and_headers(&self) -> (&'static str, Vec<String>) {
        match self {
            Self::Entries { .. } => ("contracts", columns::ENTRIES.headers()),
            Self::Lookups => ("contracts-looked-up", columns::LOOKUPS.headers()),
            Self::Products { .. } => ("products", columns::PRODUCTS.headers()),
            Self::Plans { .. } | Self::PlansOf { .. } => (PLANS, columns::PLANS.headers()),
            Self::Leads { .. } => ("leads", columns::LEADS.headers()),
            Self::Journal => ("journal", columns::JOURNAL.headers()),
            Self::Day { list, .. } => match list {
                DayList::Sales => ("day-sales", columns::DAY_SALES.headers()),
                DayList::Days => ("day-figures", columns::DAYS.headers()),
                DayList::Staff => ("day-by-staff", columns::DAY_PARTS.headers()),
                DayList::Categories => ("day-by-category", columns::DAY_PARTS.headers()),
                DayList::Closing => ("close-of-day", columns::CLOSING.headers()),
            },
        }
    }
}

const PLANS: &str = "plans";

/// The number of customers and notes among the rows that could not be read.
type ReadRows = Result<u64>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exported {
    pub rows: u64,
    /// Contracts whose customer, or leads whose note, could not be read: they are empty in the file.
    pub unread_customers: u64,
}

/// The file, and the clock of its times.
struct Rows {
    file: BackgroundWriter,
    zone: Zone,
}

impl Rows {
    /// Whether the file accepts more rows.
    async fn rows<'a, T: 'static>(
        &self,
        columns: &Columns<T>,
        items: impl IntoIterator<Item = &'a T>,
    ) -> bool {
        self.file.rows(columns.rows(items, self.zone)).await
    }
}

#[derive(Debug, Clone)]
pub struct Exports {
    pub(crate) context: Arc<Context>,
    pub(crate) contracts: Contracts,
    pub(crate) leads: Leads,
    pub(crate) plans: Plans,
    pub(crate) days: Days,
}

impl Exports {
    /// Refuses an export that the organization does not allow.
    ///
    /// # Errors
    /// [`Error::Managed`].
    pub fn allowed(&self) -> Result<()> {
        self.context.refuse_when("exportAllowed", false)
    }

    /// Writes a list to a file that only this user can read and records it in the journal.
    ///
    /// # Errors
    /// [`Error::Write`]; [`Error::NoProfile`]; [`Error::Store`]. In these cases `path` is
    /// unchanged.
    pub async fn list(
        &self,
        list: &List,
        path: &Path,
        format: Format,
        existing: Existing,
    ) -> Result<Exported> {
        let (name, headers) = list.name_and_headers();
        let file = self.begin(path, format, existing, headers).await?;
        let read = self.write_list(list, &file).await;
        self.exported(name, file.file, read).await
    }

    /// As [`Exports::list`], for a plan list that was already read.
    ///
    /// # Errors
    /// As [`Exports::list`].
    pub async fn plan_list(
        &self,
        plan_list: &PlanList,
        path: &Path,
        format: Format,
        existing: Existing,
    ) -> Result<Exported> {
        let headers = columns::PLANS.headers();
        let file = self.begin(path, format, existing, headers).await?;
        file.rows(&columns::PLANS, &PlanRow::of_list(plan_list))
            .await;
        self.exported(PLANS, file.file, Ok(0)).await
    }

    /// Begins a file on the clock of the store; UTC without a profile.
    async fn begin(
        &self,
        path: &Path,
        format: Format,
        existing: Existing,
        headers: Vec<String>,
    ) -> Result<Rows> {
        self.allowed()?;
        let zone = match self.context.profile_now().await {
            Ok(profile) => profile.zone(),
            Err(Error::NoProfile | Error::SellingClosed) => Zone::fixed(0),
            Err(error) => return Err(error),
        };
        let file = BackgroundWriter::begin(path, format, existing, headers);
        Ok(Rows { file, zone })
    }

    async fn exported(
        &self,
        name: &str,
        file: BackgroundWriter,
        read: ReadRows,
    ) -> Result<Exported> {
        let unread_customers = match read {
            Ok(unread) => unread,
            Err(error) => {
                file.give_up().await;
                return Err(error);
            }
        };
        let rows = self.context.export_file("list.exported", name, file);
        Ok(Exported {
            rows: rows.await?,
            unread_customers,
        })
    }

    /// Writes all rows of a list. If the file accepts no more rows, the loop ends; finishing the
    /// file returns the error.
    async fn write_list(&self, list: &List, file: &Rows) -> ReadRows {
        match list {
            List::Entries { filter } => self.write_entries(filter, file).await,
            List::Lookups => {
                let found = self.contracts.recent_lookups().await?;
                file.rows(&columns::LOOKUPS, &found).await;
                Ok(0)
            }
            List::Products { filter } => self.write_products(filter, file).await,
            List::Plans { text, shown } => self.write_plans(text, shown, file).await,
            List::PlansOf {
                product,
                filter,
                shown,
            } => {
                let mut plans = PlanRow::of_list(&self.plans.cached(product, *filter).await?);
                let places: HashMap<&PlanId, usize> = shown.iter().zip(0..).collect();
                plans.sort_by_key(|row| places.get(&row.plan.id).copied().unwrap_or(usize::MAX));
                file.rows(&columns::PLANS, &plans).await;
                Ok(0)
            }
            List::Leads { shown: None } => {
                let profile = self.context.profile_now().await?;
                let below = |number| self.leads.below(&profile, number, PAGE);
                write_numbered(&columns::LEADS, below, |lead| lead.note_unreadable, file).await
            }
            List::Leads { shown: Some(shown) } => self.write_shown_leads(shown, file).await,
            List::Journal => {
                let store = &self.context.store;
                let below = |number| async move { Ok(store.journal_below(number, PAGE).await?) };
                write_numbered(&columns::JOURNAL, below, |_| false, file).await
            }
            List::Day { date, list } => self.write_day(*date, *list, file).await,
        }
    }

    async fn write_entries(&self, filter: &EntryFilter, file: &Rows) -> ReadRows {
        let numbers = self.contracts.listed_numbers(filter).await?;
        let mut unread = 0;
        for numbers in numbers.chunks(PAGE as usize) {
            let entries = self.contracts.numbered(numbers.to_vec()).await?;
            let customers = entries.iter().map(|entry| entry.customer);
            unread += customers.filter(CustomerState::is_unread).count() as u64;
            if !file.rows(&columns::ENTRIES, &entries).await {
                break;
            }
        }
        Ok(unread)
    }

    async fn write_products(&self, filter: &ProductFilter, file: &Rows) -> ReadRows {
        let profile = self.context.profile_now().await?;
        // Read at once: a product that is added meanwhile would move the rows between two pages.
        let all = ProductFilter {
            offset: 0,
            limit: u32::MAX,
            ..filter.clone()
        };
        let page = self.context.store.list_products(&profile.id, all).await?;
        file.rows(&columns::PRODUCTS, &page.products).await;
        Ok(0)
    }

    async fn write_plans(&self, text: &str, shown: &[PlanId], file: &Rows) -> ReadRows {
        let profile = self.context.profile_now().await?;
        let cache = &self.context.cache;
        let mut first = Vec::new();
        for id in shown {
            // A plan may have been removed since it was listed.
            first.extend(cache.plan(&profile.id, id).await.map(PlanRow::from));
        }
        if !file.rows(&columns::PLANS, &first).await {
            return Ok(0);
        }
        let written: HashSet<&PlanId> = first.iter().map(|row| &row.plan.id).collect();
        let numbers = cache.numbers(&profile.id, search_text::words(text)).await;
        for numbers in numbers.ok_or_else(cache_lost)?.chunks(PAGE as usize) {
            let found = cache.of_numbers(numbers).await;
            // Some plans may have been removed since; an empty page means that the cache was lost.
            let found = found.filter(|found| !found.is_empty());
            let rows = found.ok_or_else(cache_lost)?.into_iter().map(PlanRow::from);
            let rows: Vec<PlanRow> = rows.filter(|row| !written.contains(&row.plan.id)).collect();
            if !file.rows(&columns::PLANS, &rows).await {
                break;
            }
        }
        Ok(0)
    }

    async fn write_shown_leads(&self, shown: &[String], file: &Rows) -> ReadRows {
        let profile = self.context.profile_now().await?;
        let mut leads = Vec::with_capacity(shown.len());
        for id in shown {
            let kept = self.context.store.lead(id).await?;
            if let Some(kept) = kept.filter(|kept| kept.profile_id == profile.id) {
                leads.push(self.leads.shown(kept).await?);
            }
        }
        file.rows(&columns::LEADS, &leads).await;
        Ok(leads.iter().filter(|lead| lead.note_unreadable).count() as u64)
    }

    async fn write_day(&self, date: Date, list: DayList, file: &Rows) -> ReadRows {
        let day = self.days.day(Some(date)).await?;
        match list {
            DayList::Sales => return self.write_day_sales(date, file).await,
            DayList::Days => file.rows(&columns::DAYS, &day.days).await,
            DayList::Staff => file.rows(&columns::DAY_PARTS, &day.by_staff).await,
            DayList::Categories => file.rows(&columns::DAY_PARTS, &day.by_category).await,
            DayList::Closing => file.rows(&columns::CLOSING, &day.closing.lines).await,
        };
        Ok(0)
    }

    async fn write_day_sales(&self, date: Date, file: &Rows) -> ReadRows {
        let mut last: Option<DaySale> = None;
        loop {
            let found = self.days.sales(date, last.as_ref()).await?;
            let written = file.rows(&columns::DAY_SALES, &found).await;
            last = found.into_iter().next_back();
            if last.is_none() || !written {
                return Ok(0);
            }
        }
    }
}

/// Writes what `below` reads below a number, newest first, until there is no more.
async fn write_numbered<T: 'static, F>(
    columns: &Columns<T>,
    below: impl Fn(i64) -> F,
    is_unread: fn(&T) -> bool,
    file: &Rows,
) -> ReadRows
where
    F: Future<Output = Result<Vec<(i64, T)>>>,
{
    let (mut number, mut unread) = (i64::MAX, 0);
    loop {
        let found = below(number).await?;
        let Some((last, _)) = found.last() else { break };
        number = *last;
        unread += found.iter().filter(|(_, row)| is_unread(row)).count() as u64;
        if !file.rows(columns, found.iter().map(|(_, row)| row)).await {
            break;
        }
    }
    Ok(unread)
}

/// An error, because a partial list would look complete.
fn cache_lost() -> Error {
    StoreError::Sqlite("the remembered plans were lost while they were read".to_owned()).into()
}
