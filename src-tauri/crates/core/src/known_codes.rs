//! Finds codes that are known exactly as written, so that they are not normalised.
//!
//! Owns where codes are looked up: in the local files first, then at the service.

use std::sync::Arc;

use crate::plans::Plans;
use crate::profile::{Profile, Profiles};
use std::collections::HashSet;
use std::time::Duration;
use warranty_model::interface::Error as ApiError;
use warranty_runtime::context::Context;
use warranty_runtime::repeats::Outcome;

use chrono::{DateTime, Utc};
use futures::stream::{self, StreamExt as _};
use warranty_api::{Client, ContractItem, PlanId, ProductReference};

use warranty_model::contracts::validation::{self, KnownCodes};
use warranty_model::contracts::{EntryDraft, EntryTexts};

use crate::{Field, FieldProblem, StoreError};

pub(crate) const MAX_CONCURRENT_REQUESTS: usize = 8;

/// How long the service may take to answer about a code. After one timeout no other code is asked
/// about.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(8);

#[derive(Debug, Clone)]
pub(crate) struct CodeLookup {
    pub(crate) context: Arc<Context>,
    pub(crate) profiles: Profiles,
    pub(crate) plans: Plans,
}

impl CodeLookup {
    /// Validates the fields of an entry as a contract to create.
    pub(crate) async fn read_entry(
        &self,
        profile: &Profile,
        draft: &EntryDraft,
        now: DateTime<Utc>,
    ) -> Result<ContractItem, Vec<FieldProblem>> {
        let known = self.known_codes(profile, &codes_of(draft)).await;
        validation::entry(draft, now, profile.zone(), &known)
    }

    /// Which of these codes are known, locally or to the service, exactly as written. Only codes that
    /// validation would change or refuse are looked up.
    pub(crate) async fn known_codes(
        &self,
        profile: &Profile,
        codes: &[(Field, &str)],
    ) -> KnownCodes {
        let (known, to_ask) = Box::pin(self.known_and_to_ask(profile, codes)).await;
        Box::pin(self.ask(profile, known, to_ask)).await
    }

    /// The same for the codes of rows: while the service asks to be left alone, it is asked nothing.
    pub(crate) async fn known_codes_of_rows(
        &self,
        profile: &Profile,
        codes: &[(Field, &str)],
    ) -> KnownCodes {
        let (known, to_ask) = Box::pin(self.known_and_to_ask(profile, codes)).await;
        if self.context.asked_to_wait(&profile.id).is_some() {
            return known;
        }
        Box::pin(self.ask(profile, known, to_ask)).await
    }

    /// The codes that are known here, and those that only the service can know.
    async fn known_and_to_ask(
        &self,
        profile: &Profile,
        codes: &[(Field, &str)],
    ) -> (KnownCodes, Vec<(Field, String)>) {
        let (mut known, profiles, unknown) = self.look_up_locally(profile, codes).await;
        let mut to_ask = Vec::new();
        for (field, text) in unknown {
            let read = KnownCodes::read(field, text);
            let read = read.as_deref().unwrap_or_default();
            if !self.is_known_locally(&profiles, field, read).await {
                to_ask.push((field, text.to_owned()));
            }
        }
        // The user selects a plan and does not type its id, so an id without an answer stays as
        // written.
        for (field, text) in &to_ask {
            if *field == Field::PlanId && KnownCodes::read(*field, text).is_ok() {
                known.note(text);
            }
        }
        (known, to_ask)
    }

    /// Adds what the service says of these codes.
    async fn ask(
        &self,
        profile: &Profile,
        mut known: KnownCodes,
        to_ask: Vec<(Field, String)>,
    ) -> KnownCodes {
        if to_ask.is_empty() {
            return known;
        }
        let Some(client) = self.client_to_check(profile).await else {
            return known;
        };
        let client = &client;
        let mut answers = stream::iter(to_ask)
            .map(|(field, text)| async move {
                let asked = self.is_known_to_service(profile, client, field, &text);
                let answer = tokio::time::timeout(ANSWER_TIMEOUT, asked).await;
                (text, answer)
            })
            .buffer_unordered(MAX_CONCURRENT_REQUESTS);
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

    /// The codes that a profile of this store knows, these profiles, and the codes that none of them
    /// knows. Only codes that validation would change or refuse are looked up.
    pub(crate) async fn look_up_locally<'a>(
        &self,
        profile: &Profile,
        codes: &[(Field, &'a str)],
    ) -> (KnownCodes, Vec<String>, HashSet<(Field, &'a str)>) {
        let mut known = KnownCodes::default();
        let mut unknown = HashSet::new();
        let codes = codes.iter().copied();
        let changed = codes.filter(|(field, text)| KnownCodes::must_ask(*field, text));
        let changed: HashSet<_> = changed.collect();
        if changed.is_empty() {
            return (known, Vec::new(), unknown);
        }
        let store = &self.context.store;
        let profiles = store.profiles_of_store(profile).await.unwrap_or_default();
        for (field, text) in changed {
            // White space around a code belongs to it only where the service returned it so.
            let trimmed = text.trim();
            let differs = KnownCodes::must_ask(field, trimmed);
            if self.is_known_locally(&profiles, field, text).await {
                known.note(text);
            } else if differs && self.is_known_locally(&profiles, field, trimmed).await {
                known.note(trimmed);
            } else if differs {
                unknown.insert((field, trimmed));
            }
        }
        (known, profiles, unknown)
    }

    /// Whether one of these profiles knows a code exactly as written; `false` when that cannot be
    /// read.
    async fn is_known_locally(&self, profiles: &[String], field: Field, text: &str) -> bool {
        let known = self.try_known_locally(profiles, field, text).await;
        known.unwrap_or_else(|error| {
            tracing::warn!(%error, "known products cannot be read");
            false
        })
    }

    /// As [`CodeLookup::is_known_locally`], but returns the error of the store.
    pub(crate) async fn try_known_locally(
        &self,
        profiles: &[String],
        field: Field,
        text: &str,
    ) -> Result<bool, StoreError> {
        let (store, cache) = (&self.context.store, &self.context.cache);
        if field == Field::PlanId {
            let Ok(id) = PlanId::new(text) else {
                return Ok(false);
            };
            for profile in profiles {
                if cache.plan(profile, &id).await.is_some() {
                    return Ok(true);
                }
            }
        } else if let Ok(reference) = ProductReference::new(text) {
            for profile in profiles {
                if store.product(profile, &reference).await?.is_some() {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The client to check with; `None` when the service cannot be called now.
    pub(crate) async fn client_to_check(&self, profile: &Profile) -> Option<Client> {
        match self.profiles.client_for(profile).await {
            Ok((client, _)) => Some(client),
            Err(error) => {
                tracing::info!(%error, "product and plan are not checked now");
                None
            }
        }
    }

    /// Whether the service knows a code; `None` when its answer does not show that.
    async fn is_known_to_service(
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

/// The codes of an entry that the service may know.
pub(crate) fn codes_of<'a>(of: impl Into<EntryTexts<'a>>) -> [(Field, &'a str); 2] {
    let of = of.into();
    [
        (Field::ProductReferenceId, of.product_reference_id),
        (Field::PlanId, of.plan_id),
    ]
}

/// Whether the error of reading a plan may mean that no plan has this id; the listing of its product
/// then decides. Other errors, for instance of a busy service, prove nothing.
pub(crate) fn may_be_unknown(error: &ApiError) -> bool {
    Outcome::of(error) == Outcome::Rejected
        || matches!(error, ApiError::Refused { status: 404, .. })
}
