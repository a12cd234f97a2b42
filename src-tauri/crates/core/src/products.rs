//! The upsert of products. Part 4.3.
//!
//! Guarantees that one upsert runs at a time for each reference, and that an upsert is repeated
//! only while its outcome is unknown and no newer one waits.

use std::sync::Arc;

use crate::change_order::in_order;
use crate::known_codes::CodeLookup;
use crate::profile::{Profile, Profiles};
use warranty_api::{Client, Product, ProductUpsert, Stated};
use warranty_runtime::context::Context;

pub use warranty_model::products::{
    KnownFrom, ProductDraft, ProductFilter, ProductHint, ProductPage, ProductRecord, ProductSort,
    UpsertReport,
};
pub(crate) use warranty_model::products::{echo_differs, validation};

use crate::{Error, Field, Operation, Result};
use warranty_runtime::keyed_lock::{KeyGuard, KeyedLock, LockKey};
use warranty_runtime::repeats::Outcome;

const MAX_SENDS: u32 = 3;

#[derive(Debug, Clone)]
pub struct Products {
    pub(crate) context: Arc<Context>,
    pub(crate) profiles: Profiles,
    pub(crate) codes: CodeLookup,
    pub(crate) locks: Arc<KeyedLock>,
}

impl Products {
    /// Sends an upsert. The intent is written to the journal before the first request is sent.
    ///
    /// # Errors
    /// [`Error::ProfileMoved`] when the desk uses another profile than the one meant, and
    /// [`Error::Input`]: then nothing was sent; [`Error::Service`] with what may have happened.
    pub async fn put(&self, profile_id: &str, draft: &ProductDraft) -> Result<UpsertReport> {
        let user = self.context.who();
        self.context.writable()?;
        let profile = self.context.expect_profile(profile_id).await?;
        self.context.refuse_profile(&profile)?;
        self.put_for(&profile, draft, &user, None).await
    }

    /// As [`Products::put`], for a given profile and person, and for a row of `run`: such a row is not sent
    /// over a newer change, and its intent is written once.
    pub(crate) async fn put_for(
        &self,
        profile: &Profile,
        draft: &ProductDraft,
        user: &str,
        run: Option<i64>,
    ) -> Result<UpsertReport> {
        let code = (Field::ProductReferenceId, draft.reference_id.as_str());
        let known = self.codes.known_codes(profile, &[code]).await;
        let upsert = validation::check(draft, &known).map_err(Error::Input)?;
        let reference = upsert.reference_id.as_str();
        let key = LockKey::Product(profile.service(), reference.to_owned());
        let guard = self.locks.lock(key).await;
        let (client, _) = self.profiles.client_for(profile).await?;
        let code = (Field::ProductReferenceId, reference);
        let send = Box::pin(async {
            let context = &self.context;
            // A row that waits is tried again and again.
            if !run.is_some_and(|run| context.runs.has_journalled(run, reference)) {
                let line = context.journal_line("product.sending", reference, None);
                context.store.append_to_journal(line.by(user)).await?;
            }
            run.inspect(|run| context.runs.set_journalled(*run, reference));
            self.send_upsert(&client, &guard, &upsert).await
        });
        let product = in_order(&self.context, profile.service(), code, run, send).await?;
        self.learn_upsert(profile, &upsert, &product, user).await;
        Ok(UpsertReport {
            echo_differs: echo_differs(&upsert, &product),
            product,
        })
    }

    async fn send_upsert(
        &self,
        client: &Client,
        guard: &KeyGuard,
        upsert: &ProductUpsert,
    ) -> Result<Product> {
        let upsert_error = Error::service(Operation::UpsertProduct);
        let mut unknown = None;
        let mut repeats = 0;
        loop {
            let error = match client.upsert_product(upsert).await {
                Ok(answer) => return Ok(answer.value),
                Err(error) => error,
            };
            match Outcome::of(&error) {
                Outcome::Unknown
                    if repeats + 1 < MAX_SENDS
                        && guard.is_newest()
                        && self.context.may_repeat(&error) =>
                {
                    self.context.pause(repeats, &error).await;
                    unknown = Some(error);
                    repeats += 1;
                }
                Outcome::Unknown => return Err(upsert_error(error)),
                Outcome::NotSent | Outcome::Declined(_) | Outcome::Rejected => {
                    // An earlier request may have succeeded, so its error is returned.
                    return Err(upsert_error(unknown.unwrap_or(error)));
                }
            }
        }
    }

    /// Stores the fields of the answer, and the sent ones where the answer has none. An answer about
    /// another product is ignored, and one of a server that the profile has left meanwhile.
    async fn learn_upsert(
        &self,
        profile: &Profile,
        upsert: &ProductUpsert,
        product: &Product,
        user: &str,
    ) {
        let about_another = product.reference_id != upsert.reference_id;
        if about_another || self.profiles.expect_unmoved(profile).await.is_err() {
            return;
        }
        let hint = ProductHint {
            reference_id: product.reference_id.clone(),
            title: product.title.clone().or(Some(upsert.title.clone())),
            price: match product.price {
                Stated::Absent => Some(upsert.price),
                Stated::Known(_) | Stated::NotUnderstood(_) => product.price.known(),
            },
            image_url: product.image_url.clone().or(Some(upsert.image_url.clone())),
            category: product.category.clone().or(Some(upsert.category.clone())),
            brand: product.brand.clone(),
        }
        .bounded();
        let (context, reference) = (&self.context, product.reference_id.as_str());
        let line = context.journal_line("product.stored", reference, None);
        let line = line.by(user);
        let at = line.at;
        let store = &context.store;
        let remembered = store.remember_upsert(&profile.id, hint.clone(), line).await;
        if let Err(error) = remembered {
            // The service has stored the product, so the upsert succeeded.
            tracing::warn!(%error, "the answer of an upsert could not be remembered");
        }
        let cache = &self.context.cache;
        let plans = product.plans.clone();
        cache.keep_upsert(&profile.id, hint, plans, at).await;
    }
}
