//! Builds entries and their batches: exact body, idempotency key and order. Does not know when they
//! are sent.

use warranty_api::{ContractBatch, ContractItem};

use super::{Contracts, sale};
use crate::encryption::{AssociatedData, BatchBinding, DataKey};
use crate::profile::{Profile, ProviderFacts};
use crate::{Error, Result, StoreError};
use warranty_model::contracts::preflight::PlanFindings;
use warranty_model::outbox::batching;
use warranty_model::outbox::state::{self, Event, Record, State};
use warranty_store::submissions::{NewBatch, NewEntry, NewSubmissions, Unsold};

impl Contracts {
    /// Splits entries of a profile into batches with an encrypted body and a key. An entry marked in
    /// `alone`, by index, gets its own batch.
    pub(crate) fn build_batches(
        &self,
        data_key: &DataKey,
        profile: &Profile,
        ids: &[String],
        items: &[ContractItem],
        alone: &[bool],
    ) -> Result<Vec<NewBatch>> {
        let queued = state::step(
            State::Draft,
            &Record::default(),
            Event::Frozen,
            &ProviderFacts::default(),
            self.context.instant(),
        )
        .map_err(|state::InvalidTransition| Error::NotAllowed)?
        .to;
        batching::cut(items, alone)
            .into_iter()
            .map(|members| {
                let carried = members.iter().map(|index| items[*index].clone()).collect();
                let body = ContractBatch::new(carried)
                    .map_err(|error| StoreError::Sqlite(error.to_string()))?;
                let id = self.context.ordered_id();
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
                    body: data_key.encrypt_json(AssociatedData::Body(place), &body)?,
                    id,
                    entry_ids: members.iter().map(|index| ids[*index].clone()).collect(),
                })
            })
            .collect()
    }

    /// One entry in a batch of its own.
    pub(crate) fn new_submission(
        &self,
        data_key: &DataKey,
        profile: &Profile,
        id: String,
        item: ContractItem,
        findings: PlanFindings,
    ) -> Result<NewSubmissions> {
        let (ids, items) = (std::slice::from_ref(&id), std::slice::from_ref(&item));
        Ok(NewSubmissions {
            batches: self.build_batches(data_key, profile, ids, items, &[])?,
            entries: vec![new_entry(data_key, id, item, findings)?],
            ..self.new_submissions(profile)
        })
    }

    /// Empty submissions of a profile, entered by this user now.
    pub(crate) fn new_submissions(&self, profile: &Profile) -> NewSubmissions {
        NewSubmissions {
            profile_id: profile.id.clone(),
            run: None,
            base_url: profile.base_url.clone(),
            store: profile.store(),
            user: self.context.who(),
            at: self.context.clock.now().timestamp_millis(),
            entries: Vec::new(),
            batches: Vec::new(),
            lines: Vec::new(),
        }
    }
}

/// An entry with its customer encrypted; it replaces no other.
pub(crate) fn new_entry(
    data_key: &DataKey,
    id: String,
    item: ContractItem,
    findings: PlanFindings,
) -> Result<NewEntry> {
    Ok(NewEntry {
        customer: data_key.encrypt_json(
            AssociatedData::Customer(&id),
            &(&item.customer.name, &item.customer.email),
        )?,
        id,
        item,
        product_title: findings.product_title,
        plan_title: findings.plan_title,
        price_checked: findings.price_checked,
        replaces: None,
    })
}

/// The sale of an item, of which there may be no other entry than those `beside` it.
pub(crate) fn unsold(
    profile: &Profile,
    item: &ContractItem,
    beside: Vec<Option<String>>,
) -> Unsold {
    Unsold {
        store: profile.store(),
        sale: sale::of(item),
        beside,
        except: None,
    }
}
