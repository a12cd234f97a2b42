//! What `wdesk doctor` finds out: the data folder, the keychain, the token, and the way to the
//! service. Creates nothing at the service.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::UNIX_EPOCH;

use serde::Serialize;
use warranty_api::{Client, Contact, LOOKUP, ProductReference, Route, Timeouts, TlsSeen, route};
use warranty_store::data_folder;
use warranty_vault::VaultError;

use crate::encryption::Customers;
use crate::policy::{ClosedProfile, PolicyFinding};
use crate::profile::{
    ConnectionReport, Finding, Profile, ProfileDraft, ProfileKind, TokenState, address_of,
};
use crate::recovery::RescueSummary;
use crate::{Desk, Error, Result};

const LEAST_FREE_BYTES: u64 = 100 << 20;
/// A larger difference to the clock of the service is wrong, in seconds.
const MOST_CLOCK_SECONDS: u64 = 300;

#[derive(Debug, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Diagnosis {
    pub version: &'static str,
    /// Name of the profile; `None` when there is none.
    pub profile: Option<String>,
    pub kind: Option<ProfileKind>,
    /// Whether the policy has it at another address or store than it still sells for.
    pub moved: bool,
    /// Whether the policy has mistakes, and the last good one counts.
    pub is_last_good: bool,
    /// Whether it has mistakes and there never was a good one: nothing is sold live.
    pub is_closed: bool,
    /// What of it cannot be used.
    pub findings: Vec<PolicyFinding>,
    /// Whether nothing can be sold under the profile, for that or another reason.
    pub nothing_sold: bool,
    /// Managed profiles that nothing is sold under; some computers may have no store for one.
    pub closed_profiles: Vec<ClosedProfile>,
    /// The data folder. On a network drive it is refused before anything else.
    pub folder: FolderFinding,
    /// The error of the keychain; `None` when it works.
    pub keychain: Option<VaultError>,
    /// Whether the profile's token is stored.
    pub token: TokenState,
    /// Whether customers can be read and entered.
    pub customers: Customers,
    /// The unread report of a replaced data file.
    pub rescue: Option<RescueSummary>,
    /// The way to the service; `None` without a live profile.
    pub network: Option<NetworkFinding>,
    /// Address, store and token at the service; `None` without a live profile, and while no connection can be
    /// set up on this computer.
    pub service: Option<ConnectionReport>,
}

#[derive(Debug, Clone, Copy, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FolderFinding {
    /// A file can be made in it, and the desk's own file be written.
    pub writable: bool,
    /// Free space in bytes; `None` where the system was not asked.
    #[specta(type = Option<f64>)]
    pub free_bytes: Option<u64>,
    /// Whether that is enough for the data; unknown counts as enough.
    pub has_space: bool,
}

impl FolderFinding {
    fn of(data_dir: &Path) -> Self {
        let free_bytes = data_folder::free_bytes(data_dir);
        Self {
            writable: data_folder::is_writable(data_dir),
            free_bytes,
            has_space: free_bytes.is_none_or(|free| free >= LEAST_FREE_BYTES),
        }
    }
}

/// The way to the service.
#[derive(Debug, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct NetworkFinding {
    /// Host that connections are made to: the proxy's when there is one.
    pub host: String,
    pub port: u16,
    pub proxy: bool,
    /// What its name resolves to; empty when it does not resolve.
    pub addresses: Vec<String>,
    /// Seconds that this computer's clock is ahead of the service's; `None` without an answer.
    #[specta(type = Option<f64>)]
    pub clock_ahead_seconds: Option<i64>,
    /// Whether that is little enough.
    pub clock: Finding,
    /// What was shown in the TLS handshake; `None` without one.
    pub tls: Option<TlsSeen>,
}

impl Diagnosis {
    /// Whether what is this computer's own works: folder, keychain, token, policy, clock, and trust
    /// in the certificates of the service.
    pub fn computer_works(&self) -> bool {
        let token = self.token == TokenState::Present || self.kind == Some(ProfileKind::Practice);
        let sound = |way: &NetworkFinding| {
            way.clock != Finding::Bad && way.tls.as_ref().is_none_or(|tls| tls.root.is_trusted())
        };
        self.folder.writable
            && self.folder.has_space
            && self.keychain.is_none()
            && !matches!(self.customers, Customers::Keychain(_))
            && token
            && self.profile.is_some()
            && !self.nothing_sold
            && !self.is_last_good
            && self.findings.is_empty()
            && self.network.as_ref().is_none_or(sound)
            && self.can_connect()
    }

    /// Whether a connection can be set up on this computer, where one is needed.
    pub fn can_connect(&self) -> bool {
        self.service.is_some() || self.kind != Some(ProfileKind::Live)
    }

    /// Whether the service refuses the token or the store.
    pub fn is_refused(&self) -> bool {
        let service = self.service.as_ref();
        service.is_some_and(|found| found.token == Finding::Bad || found.store == Finding::Bad)
    }

    /// Whether a person has to decide about a lost key, before anything is entered, or about an unread
    /// report, before a file or a lead is.
    pub fn needs_person(&self) -> bool {
        self.customers == Customers::KeyLost || self.rescue.is_some()
    }

    /// Whether everything works. What could not be checked does not, so no practice profile does.
    pub fn works(&self) -> bool {
        let network = self.network.as_ref();
        let service = self.service.as_ref();
        self.computer_works()
            && !self.needs_person()
            && self.kind == Some(ProfileKind::Live)
            && !self.moved
            && network.is_none_or(|way| !way.addresses.is_empty() && way.clock == Finding::Good)
            && service.is_none_or(|found| {
                let findings = [found.address, found.store, found.token];
                findings.iter().all(|finding| *finding == Finding::Good)
            })
    }
}

impl Desk {
    /// Finds out what works. `product` is one to test the store with, as for a connection test.
    ///
    /// # Errors
    /// [`Error::Store`] when the desk's own file cannot be read; everything else is a finding.
    pub async fn diagnose(
        &self,
        data_dir: &Path,
        product: Option<ProductReference>,
    ) -> Result<Diagnosis> {
        let profile = self.context.current_profile().await?;
        let moved = self.profiles.moved().await?;
        let (token, keychain) = self.profiles.token_and_keychain(profile.as_ref()).await?;
        let is_live = profile.iter().any(|one| one.kind == ProfileKind::Live);
        let customers = self.encryption.customers(is_live).await?;
        let (network, service) = match &profile {
            Some(profile) if is_live => {
                let draft = ProfileDraft::from(profile);
                let tested = self.profiles.test_connection(&draft, None, product).await;
                let service = match tested {
                    Err(Error::Network(_)) => None,
                    tested => Some(tested?),
                };
                (self.network(profile).await.ok(), service)
            }
            Some(_) | None => (None, None),
        };
        let refused = profile
            .iter()
            .any(|one| self.context.refuse_profile(one).is_err());
        let mut findings = self.context.policy.findings.clone();
        findings.extend(self.context.unused_helpers());
        Ok(Diagnosis {
            findings,
            version: env!("CARGO_PKG_VERSION"),
            kind: profile.as_ref().map(|profile| profile.kind),
            moved: profile.iter().any(|profile| moved.contains(&profile.name)),
            is_last_good: self.context.policy.is_last_good,
            is_closed: self.context.policy.is_closed,
            nothing_sold: refused || self.context.organization(profile.as_ref()).closed,
            closed_profiles: self.context.closed_profiles(),
            profile: profile.map(|profile| profile.name),
            folder: FolderFinding::of(data_dir),
            keychain,
            token,
            customers,
            rescue: self.recovery.unseen_summary().await?,
            network,
            service,
        })
    }

    async fn network(&self, profile: &Profile) -> Result<NetworkFinding> {
        let settings = &self.context.network;
        let base_url = address_of(profile)?;
        let Route {
            host,
            port,
            is_proxy,
        } = route(&base_url, settings);
        let lookup = tokio::net::lookup_host((host.clone(), port));
        let resolved = tokio::time::timeout(LOOKUP, lookup).await;
        let resolved = resolved.ok().and_then(Result::ok).into_iter().flatten();
        let addresses: BTreeSet<String> = resolved.map(|found| found.ip().to_string()).collect();
        let store = self.profiles.store_of(profile)?;
        let Contact { time, tls } =
            Client::contact(base_url, &store, Timeouts::default(), settings).await?;
        let clock_ahead_seconds = time.and_then(|theirs| {
            let theirs = theirs.duration_since(UNIX_EPOCH).ok()?.as_secs();
            Some(self.context.clock.now().timestamp() - i64::try_from(theirs).ok()?)
        });
        Ok(NetworkFinding {
            clock: match clock_ahead_seconds {
                None => Finding::Unclear,
                Some(ahead) if ahead.unsigned_abs() > MOST_CLOCK_SECONDS => Finding::Bad,
                Some(_) => Finding::Good,
            },
            clock_ahead_seconds,
            host,
            port,
            proxy: is_proxy,
            addresses: Vec::from_iter(addresses),
            tls,
        })
    }
}
