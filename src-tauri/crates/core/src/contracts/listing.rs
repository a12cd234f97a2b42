//! Lists entries: filtered, sorted and paged, with the sum of their fees.
//!
//! Owns the index in memory: built when a list is first requested, newest entries first, and then
//! kept up to date with the file. The data of displayed entries is read from the file each time.

use std::collections::BTreeSet;
use std::sync::Arc;

use tokio::sync::Mutex;
use warranty_model::contracts::list_index::{IndexedEntry, ListIndex, Selected, Wanted};
use warranty_model::contracts::{EntryPage, ReadingProgress};
use warranty_model::interface::Amount;

use super::{Contracts, EntryFilter, SubmissionView};
use crate::encryption::Decrypted;
use crate::profile::Profile;
use crate::{Result, StoreError, search_text};
use warranty_runtime::notifications::Change;
use warranty_store::entry_index::EntryWatch;

/// Number of entries read in one step; other work can use the file between the steps.
const PART: u32 = 2_000;
/// The same of the first step, which the first page waits for: more than a window shows at once.
const FIRST_PART: u32 = 500;

#[derive(Default)]
pub(crate) struct Listing(Mutex<Option<Reading>>);

struct Reading {
    profile_id: String,
    watch: EntryWatch,
    index: ListIndex,
    /// The lowest number that was read; `None` when all entries were read.
    below: Option<i64>,
    total: u32,
    /// Whether a task is reading the rest.
    continued: bool,
    /// Keys of customers that could not be decrypted.
    missing: BTreeSet<String>,
    /// Whether a task is asking the keychain for them.
    asking: bool,
}

impl std::fmt::Debug for Listing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Listing")
    }
}

impl Contracts {
    /// A page of the chosen profile's entries. Customers that cannot be decrypted are not found by
    /// name.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::Store`].
    pub async fn list(&self, filter: &EntryFilter) -> Result<EntryPage> {
        self.page(filter, true).await
    }

    /// Whether the last list lacks the names of customers that could not be decrypted.
    pub async fn lacks_customers(&self) -> bool {
        let listing = self.listing.0.lock().await;
        listing
            .as_ref()
            .is_some_and(|reading| !reading.missing.is_empty())
    }

    /// As [`Contracts::list`], but does not wait for all entries: they are read in the background,
    /// and the result includes the progress.
    ///
    /// # Errors
    /// As [`Contracts::list`].
    pub async fn list_so_far(&self, filter: &EntryFilter) -> Result<EntryPage> {
        self.page(filter, false).await
    }

    /// The numbers of all entries of a list, in its order.
    pub(crate) async fn listed_numbers(&self, filter: &EntryFilter) -> Result<Vec<i64>> {
        let profile = self.context.profile_now().await?;
        let (selected, _) = self.selected(&profile, filter, true).await?;
        Ok(selected.numbers.clone())
    }

    /// The entries with these numbers, in this order.
    pub(crate) async fn numbered(
        &self,
        numbers: Vec<i64>,
    ) -> Result<Vec<SubmissionView>, StoreError> {
        let kept = self.context.store.submissions_numbered(numbers).await?;
        self.shown(kept).await
    }

    async fn page(&self, filter: &EntryFilter, whole: bool) -> Result<EntryPage> {
        let profile = self.context.profile_now().await?;
        let (selected, reading) = self.selected(&profile, filter, whole).await?;
        let size = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        let numbers = selected.numbers.iter().skip(size(filter.offset));
        let numbers = numbers.take(size(filter.limit)).copied().collect();
        Ok(EntryPage {
            entries: self.numbered(numbers).await?,
            count: u32::try_from(selected.numbers.len()).unwrap_or(u32::MAX),
            not_sold: u32::try_from(selected.not_sold).unwrap_or(u32::MAX),
            fees: i64::try_from(selected.fees)
                .ok()
                .and_then(|fees| Amount::new(fees).ok()),
            reading,
        })
    }

    /// The entries that match a filter; unless `whole`, only among those read so far.
    async fn selected(
        &self,
        profile: &Profile,
        filter: &EntryFilter,
        whole: bool,
    ) -> Result<(Arc<Selected>, Option<ReadingProgress>), StoreError> {
        let wanted = wanted(profile, filter);
        // With read-only access, another process may have changed the entries since they were read.
        let mut fresh = self.context.read_only;
        loop {
            let mut listing = self.listing.0.lock().await;
            // The index is stored again only on success: after an error entries may be missing.
            let stale = std::mem::take(&mut fresh);
            let usable = listing.take().filter(|reading| {
                !stale
                    && reading.profile_id == profile.id
                    && !reading
                        .missing
                        .iter()
                        .any(|key| self.encryption.is_loaded(key))
            });
            let mut reading = match usable {
                Some(reading) => reading,
                None => self.begin(&profile.id).await?,
            };
            if whole && reading.below.is_some() {
                self.read_part(&mut reading, PART).await?;
                *listing = Some(reading);
                continue;
            }
            self.follow(&mut reading).await?;
            if reading.below.is_some() && !reading.continued {
                reading.continued = true;
                tokio::spawn(self.clone().read_rest(profile.id.clone()));
            }
            if !whole && !reading.missing.is_empty() && !reading.asking {
                reading.asking = true;
                let missing = reading.missing.clone();
                tokio::spawn(self.clone().ask_for(missing));
            }
            let selected = (reading.index.select(&wanted), reading.progress());
            *listing = Some(reading);
            return Ok(selected);
        }
    }

    async fn begin(&self, profile_id: &str) -> Result<Reading, StoreError> {
        let store = &self.context.store;
        let mut reading = Reading {
            profile_id: profile_id.to_owned(),
            watch: store.watch_entries().await?,
            index: ListIndex::default(),
            below: Some(i64::MAX),
            total: store.count_entries(profile_id).await?,
            continued: false,
            missing: BTreeSet::new(),
            asking: false,
        };
        self.read_part(&mut reading, FIRST_PART).await?;
        Ok(reading)
    }

    /// Drops the index after customers were deleted, so that no data of them stays in memory.
    pub(crate) async fn forget_list(&self) {
        *self.listing.0.lock().await = None;
    }

    /// Asks the keychain for missing keys, so that no list waits for it. If one is found, open
    /// lists are loaded again.
    async fn ask_for(self, missing: BTreeSet<String>) {
        let mut found = false;
        for key in missing {
            found |= matches!(self.encryption.key(&key).await, Ok(Ok(_)));
        }
        if let Some(reading) = self.listing.0.lock().await.as_mut() {
            reading.asking = false;
        }
        if found {
            self.notifications.notify_soon(Change::Many).await;
        }
    }

    async fn read_rest(self, profile_id: String) {
        loop {
            let mut listing = self.listing.0.lock().await;
            let Some(reading) = listing
                .as_mut()
                .filter(|reading| reading.profile_id == profile_id && reading.below.is_some())
            else {
                return;
            };
            if let Err(error) = self.read_part(reading, PART).await {
                *listing = None;
                tracing::warn!(%error, "the entries could not be read for the list");
                return;
            }
        }
    }

    async fn read_part(&self, reading: &mut Reading, most: u32) -> Result<(), StoreError> {
        let Some(below) = reading.below else {
            return Ok(());
        };
        let store = &self.context.store;
        let part = store
            .indexed_below(&reading.profile_id, below, most)
            .await?;
        reading.below = part.last().map(|entry| entry.number);
        if part.len() < usize::try_from(most).unwrap_or(usize::MAX) {
            reading.below = None;
        }
        for entry in part {
            self.put(reading, entry).await?;
        }
        if reading.below.is_none() {
            reading.index.prepare();
        }
        Ok(())
    }

    #[cfg(test)]
    pub(super) async fn listing_size(&self) -> usize {
        let listing = self.listing.0.lock().await;
        listing.as_ref().map_or(0, |reading| reading.index.size())
    }

    /// Applies the changes since the last reading.
    async fn follow(&self, reading: &mut Reading) -> Result<(), StoreError> {
        for entry in reading.watch.changed(&reading.profile_id).await? {
            self.put(reading, entry).await?;
        }
        Ok(())
    }

    async fn put(&self, reading: &mut Reading, entry: IndexedEntry) -> Result<(), StoreError> {
        let mut customer = self.customer(&entry.id, &entry.customer).await?;
        let key = entry.customer.as_ref().map(|customer| &customer.key_id);
        let absent = key.filter(|id| !self.encryption.is_loaded(id)).cloned();
        if absent.is_none() && matches!(customer, Decrypted::Locked(_) | Decrypted::Lost) {
            // Its key may have come back since. A body that its key does not decrypt stays unreadable.
            customer = self.customer(&entry.id, &entry.customer).await?;
        }
        match &customer {
            Decrypted::Known((name, email)) => {
                let customer = (name.expose(), email.expose());
                reading.index.put(entry, Some(customer));
            }
            Decrypted::Locked(_) | Decrypted::Lost => {
                reading.missing.extend(absent);
                reading.index.put(entry, None);
            }
            Decrypted::Deleted => reading.index.put(entry, None),
        }
        Ok(())
    }
}

impl Reading {
    fn progress(&self) -> Option<ReadingProgress> {
        let done = u32::try_from(self.index.count()).unwrap_or(u32::MAX);
        self.below.map(|_| ReadingProgress {
            done,
            total: self.total.max(done),
        })
    }
}

fn wanted(profile: &Profile, filter: &EntryFilter) -> Wanted {
    let begin = |day: chrono::NaiveDate| {
        let local = day.and_hms_opt(0, 0, 0)?;
        let moment = profile.zone().of_local(local)?;
        Some(moment.timestamp_millis())
    };
    let before = |day: chrono::NaiveDate| day.succ_opt().and_then(begin);
    Wanted {
        states: filter.states.clone(),
        possible_duplicates: filter.possible_duplicates,
        keys: search_text::name_keys(&filter.text),
        from: filter.from.and_then(begin).unwrap_or(i64::MIN),
        before: filter.to.and_then(before).unwrap_or(i64::MAX),
        sort: filter.sort,
        ascending: filter.ascending,
    }
}
