//! Codes that are known just as they are written: they are used byte for byte, whatever their script
//! and width.
//!
//! Owns where that is looked up: at this desk first, then at the service.

use std::sync::Arc;

use crate::context::Context;
use crate::plans::Plans;
use crate::profile::Profiles;
use crate::repeats::Outcome;
use std::collections::HashSet;
use std::time::Duration;
use warranty_model::interface::Error as ApiError;

use chrono::{DateTime, Utc};
use futures::stream::{self, StreamExt as _};
use warranty_api::{Client, ContractItem, PlanId, ProductReference};

use warranty_model::contracts::validation::{self, KnownCodes};
use warranty_model::contracts::{EntryDraft, EntryFields};

use crate::profile::Profile;
use crate::{Field, FieldProblem, StoreError};

/// Plans asked about at once.
pub(crate) const ASKED_AT_ONCE: usize = 4;

/// How long the service may take to say whether it knows a code. After one that it leaves without an
/// answer no other is asked.
const PATIENCE: Duration = Duration::from_secs(8);

/// Looks codes up, here and at the service.
#[derive(Debug, Clone)]
pub(crate) struct CodeLookup {
    pub(crate) context: Arc<Context>,
    pub(crate) profiles: Profiles,
    pub(crate) plans: Plans,
}

impl CodeLookup {
    /// The fields of an entry as a contract to create, or every reason why not.
    pub(crate) async fn read_entry(
        &self,
        profile: &Profile,
        draft: &EntryDraft,
        now: DateTime<Utc>,
    ) -> Result<ContractItem, Vec<FieldProblem>> {
        let known = self.known_codes(profile, &codes_of(draft)).await;
        validation::entry(draft, now, profile.zone(), &known)
    }

    /// Which of these codes are known here or to the service just as they are written. Only codes
    /// that reading would change or refuse are looked up.
    pub(crate) async fn known_codes(
        &self,
        profile: &Profile,
        codes: &[(Field, &str)],
    ) -> KnownCodes {
        let mut known = KnownCodes::default();
        let mut elsewhere = Vec::new();
        let mut changed = HashSet::new();
        for (field, text) in codes {
            let text = text.trim();
            if KnownCodes::must_ask(*field, text) {
                changed.insert((*field, text));
            }
        }
        if changed.is_empty() {
            return known;
        }
        let store = &self.context.store;
        let here = store.profiles_of_store(profile).await.unwrap_or_default();
        for (field, text) in changed {
            if self.is_known_here(&here, field, text).await {
                known.note(text);
                continue;
            }
            let read = KnownCodes::read(field, text);
            let read = read.as_deref().unwrap_or_default();
            if !self.is_known_here(&here, field, read).await {
                elsewhere.push((field, text.to_owned()));
            }
        }
        if elsewhere.is_empty() {
            return known;
        }
        // Plans are picked, not typed: one of which nothing is known stays as it is written.
        for (field, text) in &elsewhere {
            if *field == Field::PlanId && KnownCodes::read(*field, text).is_ok() {
                known.note(text);
            }
        }
        let Some(client) = self.client_to_check(profile).await else {
            return known;
        };
        let client = &client;
        let mut answers = stream::iter(elsewhere)
            .map(|(field, text)| async move {
                let asked = self.is_known_there(profile, client, field, &text);
                let answer = tokio::time::timeout(PATIENCE, asked).await;
                (text, answer)
            })
            .buffer_unordered(ASKED_AT_ONCE);
        while let Some((text, answer)) = answers.next().await {
            match answer {
                Ok(Some(true)) => known.note(&text),
                Ok(Some(false)) => known.forget(&text),
                Ok(None) => {}
                Err(_) => {
                    tracing::info!("the service did not say in time which codes it knows");
                    break;
                }
            }
        }
        known
    }

    /// The same of this desk alone.
    pub(crate) async fn known_codes_here(
        &self,
        profile: &Profile,
        codes: &[(Field, &str)],
    ) -> KnownCodes {
        let mut known = KnownCodes::default();
        let codes = codes.iter().map(|(field, text)| (*field, text.trim()));
        let changed: Vec<_> = codes
            .filter(|(field, text)| KnownCodes::must_ask(*field, text))
            .collect();
        if changed.is_empty() {
            return known;
        }
        let store = &self.context.store;
        let here = store.profiles_of_store(profile).await.unwrap_or_default();
        for (field, text) in changed {
            if self.is_known_here(&here, field, text).await {
                known.note(text);
            }
        }
        known
    }

    /// Whether one of these profiles, those of a store, knows a code as it is written; not when that
    /// cannot be read.
    async fn is_known_here(&self, profiles: &[String], field: Field, text: &str) -> bool {
        let known = self.try_known_here(profiles, field, text).await;
        known.unwrap_or_else(|error| {
            tracing::warn!(%error, "known products cannot be read");
            false
        })
    }

    /// As [`CodeLookup::is_known_here`], with the reason why it cannot be read.
    pub(crate) async fn try_known_here(
        &self,
        profiles: &[String],
        field: Field,
        text: &str,
    ) -> Result<bool, StoreError> {
        if field == Field::PlanId {
            let Ok(id) = PlanId::new(text) else {
                return Ok(false);
            };
            for profile in profiles {
                if self.context.cache.plan(profile, &id).await.is_some() {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        let Ok(reference) = ProductReference::new(text) else {
            return Ok(false);
        };
        for profile in profiles {
            if self
                .context
                .store
                .product(profile, &reference)
                .await?
                .is_some()
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The client to check with; `None` when there is no way to the service now.
    pub(crate) async fn client_to_check(&self, profile: &Profile) -> Option<Client> {
        match self.profiles.client_for(profile).await {
            Ok((client, _)) => Some(client),
            Err(error) => {
                tracing::info!(%error, "product and plan are not checked now");
                None
            }
        }
    }

    /// `None` when the service gave no answer that says it.
    async fn is_known_there(
        &self,
        profile: &Profile,
        client: &Client,
        field: Field,
        text: &str,
    ) -> Option<bool> {
        if field == Field::PlanId {
            let id = PlanId::new(text).ok()?;
            return match client.get_plan(&id).await {
                Ok(answer) if answer.value.plan.id == id => {
                    self.plans.learn(profile, &answer.value).await;
                    Some(true)
                }
                Ok(_) => Some(false),
                Err(error) => may_be_unknown(&error).then_some(false),
            };
        }
        let reference = ProductReference::new(text).ok()?;
        let store = self.profiles.store_of(profile).ok()?;
        let listed = client
            .list_plans(&reference, &store, Some(warranty_api::PlanFilter::Any))
            .await;
        Some(!listed.ok()?.value.is_empty())
    }
}

/// The codes of an entry that the service may have given.
pub(crate) fn codes_of<'a>(fields: impl Into<EntryFields<'a>>) -> [(Field, &'a str); 2] {
    let fields = fields.into();
    [
        (Field::ProductReferenceId, fields.product_reference_id),
        (Field::PlanId, fields.plan_id),
    ]
}

/// Whether an answer to reading a plan may mean that there is none of that id; the listing of its
/// product decides. Another error object, for instance of a service that is busy, says nothing.
pub(crate) fn may_be_unknown(error: &ApiError) -> bool {
    Outcome::of(error) == Outcome::Rejected
        || matches!(error, ApiError::Refused { status: 404, .. })
}
