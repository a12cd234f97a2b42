//! Encrypted rows turned into what is shown and sent.

use std::collections::HashMap;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use warranty_api::{ContractBatch, ContractItem, Personal};
use zeroize::Zeroizing;

use super::{AssociatedData, Closed, DataKey, Encrypted, Opened};
use crate::contracts::{CustomerState, EntryFilter, SubmissionView};
use crate::search_text;
use crate::{Desk, StoreError};
use warranty_store::batches::Batch;
use warranty_store::submission_queries::{self, Candidate, KeptEntry};

/// The body of a batch, opened.
#[derive(Clone)]
pub(crate) struct Body {
    /// The exact bytes.
    pub bytes: Zeroizing<Vec<u8>>,
    /// What they carry, in their order.
    pub items: Vec<ContractItem>,
}

/// A customer, opened: name and e-mail.
type Customer = (Personal, Personal);

/// The keys of some rows, each asked for once.
type Keys = HashMap<String, Result<Arc<DataKey>, Closed>>;

/// A text that was encrypted as its bytes.
#[allow(clippy::needless_pass_by_value, reason = "it is wiped here")]
pub(crate) fn text(bytes: Zeroizing<Vec<u8>>) -> Option<Personal> {
    std::str::from_utf8(&bytes).ok().map(Personal::new)
}

/// A value that was encrypted as JSON.
#[allow(clippy::needless_pass_by_value, reason = "it is wiped here")]
pub(crate) fn json<T: DeserializeOwned>(bytes: Zeroizing<Vec<u8>>) -> Option<T> {
    serde_json::from_slice(&bytes).ok()
}

impl Desk {
    /// The body of a batch.
    pub(crate) async fn body_of(&self, batch: &Batch) -> Result<Opened<Body>, StoreError> {
        let Some(encrypted) = &batch.body else {
            return Ok(Opened::Forgotten);
        };
        let place = AssociatedData::Body(batch.body_place());
        self.decrypt(place, encrypted, |bytes| {
            let items = serde_json::from_slice::<ContractBatch>(&bytes).ok()?;
            Some(Body {
                items: items.items().to_vec(),
                bytes,
            })
        })
        .await
    }

    /// What was encrypted for a place, as `read` makes it of its bytes.
    pub(crate) async fn decrypt<T>(
        &self,
        place: AssociatedData<'_>,
        encrypted: &Encrypted,
        read: impl FnOnce(Zeroizing<Vec<u8>>) -> Option<T>,
    ) -> Result<Opened<T>, StoreError> {
        Ok(match self.key(&encrypted.key_id).await? {
            Ok(key) => key
                .decrypt(place, &encrypted.bytes)
                .and_then(read)
                .map_or(Opened::Lost, Opened::Known),
            Err(closed) => closed.into(),
        })
    }

    /// Entries with their customers, as far as those can be read.
    pub(crate) async fn shown(
        &self,
        kept: Vec<KeptEntry>,
    ) -> Result<Vec<SubmissionView>, StoreError> {
        let mut keys = Keys::new();
        let mut shown = Vec::with_capacity(kept.len());
        for KeptEntry { mut view, customer } in kept {
            match self.customer(&mut keys, &view.id, &customer).await? {
                Opened::Known((name, email)) => {
                    view.customer = CustomerState::Known;
                    view.customer_name = Some(name);
                    view.customer_email = Some(email);
                }
                Opened::Forgotten => view.customer = CustomerState::Forgotten,
                Opened::Locked(_) => view.customer = CustomerState::Locked,
                Opened::Lost => view.customer = CustomerState::Lost,
            }
            shown.push(view);
        }
        Ok(shown)
    }

    /// A profile's entries that fit, newest first. Customers are opened in memory to be searched, a
    /// few thousand rows at a time; those that cannot be opened are not found by their names.
    pub(crate) async fn search(
        &self,
        profile_id: &str,
        filter: &EntryFilter,
    ) -> Result<Vec<SubmissionView>, StoreError> {
        let words = search_text::words(&filter.text);
        if words.is_empty() {
            let kept = self.inner.store.submissions(profile_id, filter).await?;
            return self.shown(kept).await;
        }
        let limit = usize::try_from(filter.limit.min(submission_queries::MOST_LISTED))
            .unwrap_or(usize::MAX);
        let mut keys = Keys::new();
        let mut found = Vec::new();
        let mut below = i64::MAX;
        while found.len() < limit {
            let most = limit - found.len();
            let page = self
                .fitting(&mut keys, profile_id, filter, below, most)
                .await?;
            let Some((next, fitting)) = page else { break };
            found.extend(fitting);
            below = next;
        }
        self.of_numbers(found).await
    }

    /// The next few of a profile's entries that fit, newest first, from below a number on, with the
    /// number to go on from; `None` when there are no more. The filter's limit does not count.
    pub(crate) async fn entries_below(
        &self,
        profile_id: &str,
        filter: &EntryFilter,
        below: i64,
    ) -> Result<Option<(i64, Vec<SubmissionView>)>, StoreError> {
        let mut keys = Keys::new();
        let page = self
            .fitting(&mut keys, profile_id, filter, below, usize::MAX)
            .await?;
        match page {
            Some((next, fitting)) => Ok(Some((next, self.of_numbers(fitting).await?))),
            None => Ok(None),
        }
    }

    /// The numbers of those that fit, at most so many, among the next few entries below a number,
    /// and the lowest number looked at.
    async fn fitting(
        &self,
        keys: &mut Keys,
        profile_id: &str,
        filter: &EntryFilter,
        below: i64,
        most: usize,
    ) -> Result<Option<(i64, Vec<i64>)>, StoreError> {
        let words = search_text::words(&filter.text);
        let page = self
            .inner
            .store
            .search_candidates(profile_id, filter, below)
            .await?;
        let Some(next) = page.last().map(|candidate| candidate.number) else {
            return Ok(None);
        };
        let mut fitting = Vec::new();
        for candidate in page {
            if fitting.len() < most && self.fits(keys, &words, &candidate).await? {
                fitting.push(candidate.number);
            }
        }
        Ok(Some((next, fitting)))
    }

    async fn of_numbers(&self, numbers: Vec<i64>) -> Result<Vec<SubmissionView>, StoreError> {
        let kept = self.inner.store.submissions_numbered(numbers).await?;
        self.shown(kept).await
    }

    async fn fits(
        &self,
        keys: &mut Keys,
        words: &[String],
        candidate: &Candidate,
    ) -> Result<bool, StoreError> {
        let missing: Vec<&String> = words
            .iter()
            .filter(|word| !candidate.folded.contains(word.as_str()))
            .collect();
        if missing.is_empty() {
            return Ok(true);
        }
        let Opened::Known((name, email)) = self
            .customer(keys, &candidate.id, &candidate.customer)
            .await?
        else {
            return Ok(false);
        };
        let folded = Zeroizing::new(search_text::fold_all([
            Some(name.expose()),
            Some(email.expose()),
        ]));
        Ok(missing.iter().all(|word| folded.contains(word.as_str())))
    }

    async fn customer(
        &self,
        keys: &mut Keys,
        id: &str,
        customer: &Option<Encrypted>,
    ) -> Result<Opened<Customer>, StoreError> {
        let Some(encrypted) = customer else {
            return Ok(Opened::Forgotten);
        };
        let key = match keys.get(&encrypted.key_id) {
            Some(key) => key.clone(),
            None => {
                let key = self.key(&encrypted.key_id).await?;
                keys.insert(encrypted.key_id.clone(), key.clone());
                key
            }
        };
        Ok(match key {
            Ok(key) => key
                .decrypt(AssociatedData::Customer(id), &encrypted.bytes)
                .and_then(json)
                .map_or(Opened::Lost, Opened::Known),
            Err(closed) => closed.into(),
        })
    }
}
