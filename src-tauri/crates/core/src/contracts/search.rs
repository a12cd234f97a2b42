//! Entries found by what is written of them, their customers included.
//!
//! Owns how encrypted names are searched: opened in memory, a few thousand rows at a time.

use std::collections::HashMap;
use std::sync::Arc;

use warranty_api::Personal;
use zeroize::Zeroizing;

use super::{Contracts, CustomerState, EntryFilter, SubmissionView};
use crate::encryption::{AssociatedData, DataKey, Decrypted, Encrypted, KeyUnavailable, json};
use crate::{StoreError, search_text};
use warranty_store::submission_queries::{self, Candidate, KeptEntry};

/// A customer, opened: name and e-mail.
type Customer = (Personal, Personal);

/// The keys of some rows, each asked for once.
type Keys = HashMap<String, Result<Arc<DataKey>, KeyUnavailable>>;

impl Contracts {
    /// Entries with their customers, as far as those can be read.
    pub(crate) async fn shown(
        &self,
        kept: Vec<KeptEntry>,
    ) -> Result<Vec<SubmissionView>, StoreError> {
        let mut keys = Keys::new();
        let mut shown = Vec::with_capacity(kept.len());
        for KeptEntry { mut view, customer } in kept {
            match self.customer(&mut keys, &view.id, &customer).await? {
                Decrypted::Known((name, email)) => {
                    view.customer = CustomerState::Known;
                    view.customer_name = Some(name);
                    view.customer_email = Some(email);
                }
                Decrypted::Deleted => view.customer = CustomerState::Forgotten,
                Decrypted::Locked(_) => view.customer = CustomerState::Locked,
                Decrypted::Lost => view.customer = CustomerState::Lost,
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
            let kept = self.context.store.submissions(profile_id, filter).await?;
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
            .context
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
        let kept = self.context.store.submissions_numbered(numbers).await?;
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
        let Decrypted::Known((name, email)) = self
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
    ) -> Result<Decrypted<Customer>, StoreError> {
        let Some(encrypted) = customer else {
            return Ok(Decrypted::Deleted);
        };
        let key = match keys.get(&encrypted.key_id) {
            Some(key) => key.clone(),
            None => {
                let key = self.encryption.key(&encrypted.key_id).await?;
                keys.insert(encrypted.key_id.clone(), key.clone());
                key
            }
        };
        Ok(match key {
            Ok(key) => key
                .decrypt(AssociatedData::Customer(id), &encrypted.bytes)
                .and_then(json)
                .map_or(Decrypted::Lost, Decrypted::Known),
            Err(closed) => closed.into(),
        })
    }
}
