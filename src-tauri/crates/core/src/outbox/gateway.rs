//! Where a profile's batches and lookups go.
//!
//! Owns the seam at which a test puts another service in.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use futures::FutureExt as _;
use futures::future::BoxFuture;

use super::{Obstacle, Outbox};
use crate::Error;
use crate::overview::obstacle;
use crate::profile::Profile;
use crate::work::{Endpoint, lock};

/// How a profile's service is found.
pub(crate) trait EndpointResolver: Send + Sync + std::fmt::Debug {
    /// The service; `None` while no token is set.
    fn reach<'a>(
        &'a self,
        outbox: &'a Outbox,
        profile: &'a Profile,
    ) -> BoxFuture<'a, Result<Option<Endpoint>, Error>>;
}

/// The service at the profile's address.
#[derive(Debug)]
pub(crate) struct Network;

impl EndpointResolver for Network {
    fn reach<'a>(
        &'a self,
        outbox: &'a Outbox,
        profile: &'a Profile,
    ) -> BoxFuture<'a, Result<Option<Endpoint>, Error>> {
        async move {
            let work = &outbox.context.work;
            let clock = &outbox.context.clock;
            if !outbox.context.store.is_damaged()
                && let Some(known) = lock(&work.endpoints).get(profile, clock.monotonic())
            {
                return Ok(Some(known));
            }
            let turn = work.resets.load(Ordering::SeqCst);
            let (client, fingerprint) = outbox.profiles.client_for(profile).await?;
            // After the token: a keychain that gave that one answers again.
            if fingerprint.is_some() {
                outbox.high_water.compare_before_sending(profile).await?;
            }
            let found = fingerprint.map(|fingerprint| Endpoint {
                service: Arc::new(client),
                base_url: profile.base_url.clone(),
                token_fingerprint: fingerprint.as_str().to_owned(),
            });
            if let Some(found) = &found {
                // Looked at under the locks under which they are let go.
                let in_progress = lock(&work.tasks);
                let mut endpoints = lock(&work.endpoints);
                // What was changed while it was read is not found by anyone.
                let unchanged = work.resets.load(Ordering::SeqCst) == turn;
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
    /// What kept the chosen profile's outbox from sending when it was last tried; `None` when
    /// nothing did, or nothing was tried yet. A desk opened to read tries now.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::Store`].
    pub async fn obstacle(&self) -> Result<Option<Obstacle>, Error> {
        let profile = self.context.profile_now().await?;
        if self.context.read_only {
            // Nobody else finds it out in this process.
            self.endpoint(&profile).await;
        }
        Ok(self.overviews.obstacle_of(&profile.id))
    }

    /// The way to a profile's service now; what stands in it is kept.
    pub(super) async fn endpoint(&self, profile: &Profile) -> Option<Endpoint> {
        let found = self.resolver.reach(self, profile).await;
        let obstacle = match &found {
            Ok(Some(_)) => None,
            Ok(None) => Some(Obstacle::NoToken),
            Err(error) => {
                tracing::info!(%error, "there is no way to the service now");
                obstacle(error)
            }
        };
        self.overviews.note_obstacle(&profile.id, obstacle);
        found.ok().flatten()
    }
}
