//! Creates the client for a profile's service, and tests connections.

use warranty_api::{
    BaseUrl, Client, ContractId, Error as ApiError, PlanFilter, ProductReference, StoreId,
    Timeouts, Token,
};

use super::{
    ConnectionReport, Finding, PracticeService, Profile, ProfileDraft, ProfileKind, Profiles,
    TokenFingerprint, validation,
};
use crate::{Error, Field, Problem, Result, StoreError};
use warranty_model::call_outcome::CallFailure;
use warranty_model::outbox::Blocker;
use warranty_model::profile::connection::{address_finding, store_finding, token_finding};
use warranty_runtime::work::lock;

/// Most cached clients; beyond this the cache is cleared, because addresses or tokens changed.
const MAX_CLIENTS: usize = 16;

impl Profiles {
    /// Tests an address, a store and a token without creating anything: lists the plans of a product,
    /// then looks up a contract that does not exist. The token is sent only to an address that
    /// answered as the interface does. Defaults: the token of a profile with the same address and
    /// store, the current one first; a product whose plans were listed at this server before, or that it
    /// named. If there is none, the product does not exist either and the store cannot be tested.
    ///
    /// # Errors
    /// [`Error::Input`] when address or store are invalid; network errors are findings.
    pub async fn test_connection(
        &self,
        draft: &ProfileDraft,
        token: Option<Token>,
        product: Option<ProductReference>,
    ) -> Result<ConnectionReport> {
        let (base_url, store_id) = validation::service(draft).map_err(Error::Input)?;
        let profile = self.profile_at(&base_url, &store_id).await?;
        let kept_token = token.is_none();
        let token = match (token, &profile) {
            // If the keychain does not answer, the token is not tested and the report says so.
            (None, Some(profile)) => {
                let kept = self.token_for(&profile.id, &base_url).await;
                kept.unwrap_or(None)
            }
            (token, _) => token,
        };
        let has_token = token.is_some();
        let is_given = product.is_some();
        let product = match product {
            Some(product) => Some(product),
            None => self.listed_product(&base_url, &store_id).await?,
        };
        let client = Client::new(base_url, token, Timeouts::default(), &self.context.network)?;
        let client = match &profile {
            Some(profile) => self.overviews.observed(&client, &profile.id, kept_token),
            None => client,
        };
        let nothing = format!("connection-test-{}", self.context.ids.uuid());

        let listed_for = match &product {
            Some(product) => product.clone(),
            None => {
                ProductReference::new(&nothing).map_err(|_| Error::NotKnown(nothing.clone()))?
            }
        };
        let listed = client
            .list_plans(&listed_for, &store_id, Some(PlanFilter::Any))
            .await;
        let store = match (&product, &listed) {
            (None, _) => Finding::Unclear,
            (Some(_), Ok(plans)) if plans.value.is_empty() => Finding::Unclear,
            (Some(_), Ok(_)) => Finding::Good,
            (Some(_), Err(error)) => store_finding(error),
        };
        let of = |error: &ApiError| (CallFailure::of(false, error), error.to_string());
        let (address, mut failure) = match &listed {
            Ok(_) => (Finding::Good, None),
            Err(error) => {
                // A product that does not exist is refused as it should be.
                let expected = product.is_none() && store_finding(error) == Finding::Bad;
                (
                    address_finding(error, product.is_some() && !is_given),
                    (!expected).then(|| of(error)),
                )
            }
        };
        let token = if has_token && address == Finding::Good {
            let contract =
                ContractId::new(&nothing).map_err(|_| Error::NotKnown(nothing.clone()))?;
            let looked_up = client.get_contract(&contract).await;
            if let Err(error) = &looked_up
                && token_finding(error) != Finding::Good
            {
                failure = Some(of(error));
            }
            looked_up.map_or_else(|error| token_finding(&error), |_| Finding::Good)
        } else {
            Finding::Unclear
        };
        let (failure, detail) = failure.unzip();
        Ok(ConnectionReport {
            address,
            store,
            product,
            token,
            failure,
            detail,
        })
    }

    /// The address of a draft if no live profile uses its server: the user must confirm it before
    /// the program contacts it. `None` for a known server, and for an invalid draft.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read; [`Error::Managed`] for a new server
    /// while profiles are locked.
    pub async fn new_server(&self, draft: &ProfileDraft) -> Result<Option<BaseUrl>> {
        let Ok((base_url, _)) = validation::service(draft) else {
            return Ok(None);
        };
        let origin = base_url.origin();
        let known = self
            .all()
            .await?
            .iter()
            .any(|profile| address_of(profile).is_ok_and(|address| address.origin() == origin));
        if !known {
            // A new server is for a new profile.
            self.context.refuse_when("profilesLocked", true)?;
        }
        Ok((!known).then_some(base_url))
    }

    /// The client for a profile's service with its token, and the token's fingerprint; the client
    /// has no token and the fingerprint is `None` while none is set.
    pub(crate) async fn client_for(
        &self,
        profile: &Profile,
    ) -> Result<(Client, Option<TokenFingerprint>)> {
        let found = self.find_client(profile).await;
        match &found {
            Ok((_, None)) => {
                let missing = Some(Blocker::NoToken);
                self.overviews.set_blocker(&profile.id, missing);
            }
            Ok((_, Some(_))) => self.overviews.clear_blocker(&profile.id),
            Err(error) => self.overviews.set_blocker_from(&profile.id, error),
        }
        found
    }

    async fn find_client(&self, profile: &Profile) -> Result<(Client, Option<TokenFingerprint>)> {
        if self.context.store.is_damaged() {
            return Err(StoreError::Damaged.into());
        }
        let (base_url, token) = match profile.kind {
            ProfileKind::Practice => {
                let practice = self.practice_service()?;
                (practice.base_url, Some(practice.token))
            }
            ProfileKind::Live => {
                let base_url = address_of(profile)?;
                let token = self.token_or_help(profile, &base_url).await?;
                (base_url, token)
            }
        };
        let fingerprint = match &token {
            Some(token) => Some(self.fingerprint(token).await?),
            None => None,
        };
        self.expect_unmoved(profile).await?;
        let client = self.client_at(base_url, token, fingerprint.clone())?;
        Ok((
            self.overviews.observed(&client, &profile.id, true),
            fingerprint,
        ))
    }

    /// Checks that a profile still has the same address and store as when it was read; otherwise work
    /// for the old store would be shown under the new one.
    pub(crate) async fn expect_unmoved(&self, profile: &Profile) -> Result<()> {
        match self.context.profile_by_id(&profile.id).await {
            Ok(kept) if kept.base_url == profile.base_url && kept.store_id == profile.store_id => {
                Ok(())
            }
            Ok(_) | Err(Error::UnknownProfile(_)) => Err(Error::ProfileMoved),
            Err(error) => Err(error),
        }
    }

    /// A client for the one operation that needs no token (part 4.5): it works without a keychain.
    pub(crate) fn client_without_token(&self, profile: &Profile) -> Result<Client> {
        let found = self.find_client_without_token(profile);
        let blocker = self.overviews.blocker_of(&profile.id);
        match &found {
            Ok(_) if blocker == Some(Blocker::NetworkSetup) => {
                self.overviews.clear_blocker(&profile.id);
            }
            Err(error) if blocker.is_none() => {
                self.overviews.set_blocker_from(&profile.id, error);
            }
            // What else keeps sales from being sent does so still.
            Ok(_) | Err(_) => {}
        }
        found
    }

    fn find_client_without_token(&self, profile: &Profile) -> Result<Client> {
        let base_url = match profile.kind {
            ProfileKind::Practice => self.practice_service()?.base_url,
            ProfileKind::Live => address_of(profile)?,
        };
        let client = self.client_at(base_url, None, None)?;
        Ok(self.overviews.observed(&client, &profile.id, true))
    }

    pub(crate) fn store_of(&self, profile: &Profile) -> Result<StoreId> {
        match profile.kind {
            ProfileKind::Practice => Ok(self.practice_service()?.store_id),
            ProfileKind::Live => StoreId::new(&profile.store_id)
                .map_err(|_| Error::input(Field::StoreId, Problem::BadCharacters)),
        }
    }

    pub(crate) fn practice_service(&self) -> Result<PracticeService> {
        let practice = lock(&self.practice).clone();
        practice.ok_or(Error::PracticeNotRunning)
    }

    /// The cached client, or a new one; clients are cached to reuse their connections.
    fn client_at(
        &self,
        base_url: BaseUrl,
        token: Option<Token>,
        fingerprint: Option<TokenFingerprint>,
    ) -> Result<Client> {
        let mut clients = lock(&self.clients);
        let key = (base_url.as_str().to_owned(), fingerprint);
        if let Some(client) = clients.get(&key) {
            return Ok(client.clone());
        }
        if clients.len() >= MAX_CLIENTS {
            clients.clear();
        }
        let client = Client::new(base_url, token, Timeouts::default(), &self.context.network)?;
        clients.insert(key, client.clone());
        Ok(client)
    }

    /// A product whose plans were listed at this server, for this store if there is one.
    async fn listed_product(
        &self,
        base_url: &BaseUrl,
        store_id: &StoreId,
    ) -> Result<Option<ProductReference>> {
        let mut profiles = self.all().await?;
        profiles.sort_by_key(|profile| profile.store_id != store_id.as_str());
        for profile in profiles {
            if address_of(&profile).is_ok_and(|address| address.origin() == base_url.origin()) {
                let (cache, store) = (&self.context.cache, &self.context.store);
                let found = match cache.listed_product(&profile.id).await {
                    Some(listed) => Some(listed),
                    None => store.product_of_the_service(&profile.id).await?,
                };
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    }

    /// A profile with this address and store; the current one before any other.
    async fn profile_at(&self, base_url: &BaseUrl, store_id: &StoreId) -> Result<Option<Profile>> {
        let current = self.current().await?;
        let mut profiles = current.into_iter().chain(self.all().await?);
        Ok(profiles.find(|profile| {
            profile.base_url == base_url.as_str() && profile.store_id == store_id.as_str()
        }))
    }
}

pub(crate) fn address_of(profile: &Profile) -> Result<BaseUrl> {
    web_address(&profile.base_url)
}

pub(super) fn web_address(text: &str) -> Result<BaseUrl> {
    BaseUrl::parse(text).map_err(|_| Error::input(Field::BaseUrl, Problem::NotWebAddress))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_read_without_a_token_shows_what_stands_in_its_way_and_when_that_is_gone() {
        let (_folder, desk) = crate::testing::new_desk().await;
        let profiles = &desk.profiles;
        let profile = |kind, base_url: &str| Profile {
            kind,
            ..warranty_store::test_fixtures::profile("profile", base_url)
        };
        let practice = profile(ProfileKind::Practice, "");
        let found = profiles.client_without_token(&practice);
        assert!(matches!(found, Err(Error::PracticeNotRunning)));
        let blocker = || profiles.overviews.blocker_of("profile");
        assert_eq!(blocker(), Some(Blocker::PracticeNotRunning));

        let live = profile(ProfileKind::Live, "https://sample.invalid");
        for (before, after) in [
            (Blocker::NetworkSetup, None),
            (Blocker::NoToken, Some(Blocker::NoToken)),
        ] {
            profiles.overviews.set_blocker("profile", Some(before));
            profiles.client_without_token(&live).unwrap();
            assert_eq!(blocker(), after);
        }
    }
}
