//! Searches entries by text, including their encrypted customers.
//!
//! Owns the search of encrypted names: decrypted in memory, a few thousand rows at a time.

use std::collections::HashMap;
use std::sync::Arc;

use warranty_api::Personal;
use zeroize::Zeroizing;

use super::{Contracts, CustomerState, EntryFilter, SubmissionView};
use crate::encryption::{AssociatedData, DataKey, Decrypted, Encrypted, KeyUnavailable, json};
use crate::{StoreError, search_text};
use warranty_store::submission_queries::{self, Candidate, KeptEntry};

/// A decrypted customer: name and e-mail.
type Customer = (Personal, Personal);

/// The keys of some rows, each looked up once.
type Keys = HashMap<String, Result<Arc<DataKey>, KeyUnavailable>>;

impl Contracts {
    /// Entries with their customers, as far as those can be decrypted.
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

    /// A profile's matching entries, newest first. Customers that cannot be decrypted are not found
    /// by name.
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
                .matching(&mut keys, profile_id, filter, below, most)
                .await?;
            let Some((next, matching)) = page else { break };
            found.extend(matching);
            below = next;
        }
        self.by_numbers(found).await
    }

    /// The next matching entries of a profile below a number, newest first, with the number to
    /// continue below; `None` at the end. Ignores the filter's limit.
    pub(crate) async fn entries_below(
        &self,
        profile_id: &str,
        filter: &EntryFilter,
        below: i64,
    ) -> Result<Option<(i64, Vec<SubmissionView>)>, StoreError> {
        let mut keys = Keys::new();
        let page = self
            .matching(&mut keys, profile_id, filter, below, usize::MAX)
            .await?;
        match page {
            Some((next, matching)) => Ok(Some((next, self.by_numbers(matching).await?))),
            None => Ok(None),
        }
    }

    /// The numbers of at most `most` matches among the next few entries below a number, and the
    /// lowest number examined.
    async fn matching(
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
        let mut matching = Vec::new();
        for candidate in page {
            if matching.len() < most && self.matches(keys, &words, &candidate).await? {
                matching.push(candidate.number);
            }
        }
        Ok(Some((next, matching)))
    }

    async fn by_numbers(&self, numbers: Vec<i64>) -> Result<Vec<SubmissionView>, StoreError> {
        let kept = self.context.store.submissions_numbered(numbers).await?;
        self.shown(kept).await
    }

    async fn matches(
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
