//! Entries into frozen batches: the exact bytes, the key, and the row that will carry them.
//!
//! Owns what is frozen. When it is sent is the outbox's.

use warranty_api::{ContractBatch, ContractItem};
use zeroize::Zeroizing;

use super::Contracts;
use crate::encryption::{AssociatedData, BatchBinding, DataKey};
use crate::profile::{Profile, ProviderFacts};
use crate::{Error, StoreError};
use warranty_model::outbox::batching;
use warranty_model::outbox::state::{self, Event, Record, State};
use warranty_store::submissions::{NewBatch, NewSubmissions};

impl Contracts {
    /// Cuts entries of a profile into batches and freezes each: encrypted body, key and order. Those marked in
    /// `alone`, by the same index, get a batch of their own.
    pub(crate) fn cut_and_freeze(
        &self,
        seal: &DataKey,
        profile: &Profile,
        ids: &[String],
        items: &[ContractItem],
        alone: &[bool],
    ) -> Result<Vec<NewBatch>, Error> {
        let queued = state::step(
            State::Draft,
            &Record::default(),
            Event::Frozen,
            &ProviderFacts::default(),
            self.context.instant(),
        )
        .map_err(|state::InvalidTransition| Error::NotLawful)?
        .to;
        batching::cut(items, alone)
            .into_iter()
            .map(|members| {
                let carried = members.iter().map(|index| items[*index].clone()).collect();
                let body = ContractBatch::new(carried)
                    .map_err(|error| StoreError::Sqlite(error.to_string()))
                    .and_then(|batch| {
                        serde_json::to_vec(&batch)
                            .map(Zeroizing::new)
                            .map_err(|error| StoreError::Sqlite(error.to_string()))
                    })?;
                let id = self.context.ids.uuid().to_string();
                let key = self.context.ids.uuid();
                let place = BatchBinding {
                    id: &id,
                    profile_id: &profile.id,
                    base_url: &profile.base_url,
                    key,
                };
                Ok(NewBatch {
                    key,
                    state: queued,
                    body: seal.encrypt(AssociatedData::Body(place), &body)?,
                    id,
                    entry_ids: members.iter().map(|index| ids[*index].clone()).collect(),
                })
            })
            .collect()
    }

    /// Nothing yet, for a profile, by this user, now.
    pub(crate) fn freeze_for(&self, profile: &Profile) -> NewSubmissions {
        NewSubmissions {
            profile_id: profile.id.clone(),
            run: None,
            base_url: profile.base_url.clone(),
            store: profile.store(),
            user: self.context.user.clone(),
            at: self.context.clock.now().timestamp_millis(),
            entries: Vec::new(),
            batches: Vec::new(),
            lines: Vec::new(),
        }
    }
}
