//! Resolves the endpoint of a profile.
//!
//! Owns the trait that tests implement.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use futures::FutureExt as _;
use futures::future::BoxFuture;

use super::{Blocker, Outbox};
use crate::Result;
use crate::encryption::Customers;
use crate::profile::{Profile, ProfileKind};
use warranty_runtime::work::{Endpoint, lock};

pub(crate) trait EndpointResolver: Send + Sync + std::fmt::Debug {
    /// The endpoint of a profile; `None` while no token is set. Notes what is in the way as the profile's
    /// blocker.
    fn reach<'a>(
        &'a self,
        outbox: &'a Outbox,
        profile: &'a Profile,
    ) -> BoxFuture<'a, Result<Option<Endpoint>>>;
}

/// The service at the profile's address.
#[derive(Debug)]
pub(crate) struct Network;

impl EndpointResolver for Network {
    fn reach<'a>(
        &'a self,
        outbox: &'a Outbox,
        profile: &'a Profile,
    ) -> BoxFuture<'a, Result<Option<Endpoint>>> {
        async move {
            let work = &outbox.context.work;
            let clock = &outbox.context.clock;
            if !outbox.context.store.is_damaged()
                && let Some(known) = lock(&work.endpoints).get(profile, clock.monotonic())
            {
                outbox.overviews.clear_blocker(&profile.id);
                return Ok(Some(known));
            }
            let resets = work.resets.load(Ordering::SeqCst);
            let (client, fingerprint) = outbox.profiles.client_for(profile).await?;
            // After the token, because the keychain is then known to answer.
            if fingerprint.is_some() {
                outbox.high_water.compare_before_sending(profile).await?;
            }
            let store_id = outbox.profiles.store_of(profile)?;
            let found = fingerprint.map(|fingerprint| Endpoint {
                service: Arc::new(client),
                store_id,
                base_url: profile.base_url.clone(),
                token_fingerprint: fingerprint.as_str().to_owned(),
            });
            if let Some(found) = &found {
                // Checked under the locks under which endpoints are removed.
                let in_progress = lock(&work.tasks);
                let mut endpoints = lock(&work.endpoints);
                // An endpoint that changed while it was read is not cached.
                let unchanged = work.resets.load(Ordering::SeqCst) == resets;
                if unchanged && !in_progress.is_empty() {
                    endpoints.insert(profile, found.clone(), clock.monotonic());
                }
            }
            Ok(found)
        }
        .boxed()
    }
}

impl Outbox {
    /// Why the chosen profile's outbox could not send when it last tried; `None` when it could, or
    /// has not tried yet. A read-only desk tries now.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::Store`].
    pub async fn blocker(&self) -> Result<Option<Blocker>> {
        let profile = self.context.profile_now().await?;
        if self.context.read_only {
            // No dispatcher runs in this process.
            let is_live = profile.kind == ProfileKind::Live;
            let blocker = match self.encryption.customers(is_live).await? {
                Customers::Readable => None,
                Customers::Keychain(error) => Some(Blocker::Vault(error)),
                Customers::KeyLost => Some(Blocker::KeyLost),
            };
            match blocker {
                Some(_) => self.overviews.set_blocker(&profile.id, blocker),
                None => drop(self.endpoint(&profile).await),
            }
        }
        Ok(self.overviews.blocker_of(&profile.id))
    }

    /// The endpoint of a profile, if there is one.
    pub(super) async fn endpoint(&self, profile: &Profile) -> Option<Endpoint> {
        let found = self.resolver.reach(self, profile).await;
        let found = found.inspect_err(|error| {
            tracing::info!(%error, "there is no way to the service now");
        });
        found.ok().flatten()
    }
}
