//! Profiles: the service, the store, and the known facts about the provider.
//!
//! Owns the rules of profiles. The token is in the keychain, never here.

use serde::{Deserialize, Serialize};

use crate::encrypted::StoreBinding;

pub mod connection;
pub mod validation;

pub use crate::time_zone::Zone;

/// Whether contracts of a profile are real.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ProfileKind {
    /// The practice service inside this program: nothing is really sold.
    Practice,
    /// A real service.
    Live,
}

/// The data of a profile, without the token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    /// Its own id, a UUID.
    pub id: String,
    /// Its name, chosen by staff.
    pub name: String,
    pub kind: ProfileKind,
    /// Base address; for practice the word `practice`, because its port changes at each start.
    pub base_url: String,
    pub store_id: String,
    /// Offset given to new transaction dates where there is no time zone, in minutes east of UTC.
    pub utc_offset_minutes: i32,
    /// Time zone that gives each transaction date its own offset, by its IANA name.
    pub time_zone: Option<String>,
    pub display: Display,
    pub facts: ProviderFacts,
}

/// A store at a service. Sales are compared within it, under all profiles for it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ServiceStore {
    /// Scheme, host and port of the service; for practice the word `practice`. The path is not
    /// included: it is not known whether two paths of one host are two services, and an unnecessary
    /// question about a sale costs less than a second contract.
    pub origin: String,
    pub store_id: String,
}

impl Profile {
    pub fn zone(&self) -> Zone {
        let named = self.time_zone.as_deref().and_then(|name| name.parse().ok());
        named.map_or_else(|| Zone::fixed(self.utc_offset_minutes), Zone::Named)
    }

    pub fn store(&self) -> ServiceStore {
        Self::store_at(&self.base_url, &self.store_id)
    }

    /// The service without one of its stores: a product is the same for all of them.
    pub fn service(&self) -> ServiceStore {
        Self::store_at(&self.base_url, "")
    }

    /// The binding of something with this id that is entered under the profile.
    pub fn place<'a>(&'a self, id: &'a str) -> StoreBinding<'a> {
        StoreBinding {
            id,
            profile_id: &self.id,
            base_url: &self.base_url,
            store_id: &self.store_id,
        }
    }

    /// A store at a normalised address.
    pub fn store_at(base_url: &str, store_id: &str) -> ServiceStore {
        let origin = url::Url::parse(base_url).map(|address| address.origin());
        ServiceStore {
            origin: match origin {
                Ok(origin) if origin.is_tuple() => origin.ascii_serialization(),
                Ok(_) | Err(_) => base_url.to_owned(),
            },
            store_id: store_id.to_owned(),
        }
    }
}

/// Labels that the interface does not define. An empty label is not shown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Display {
    /// Label of amounts, for instance 円.
    pub currency: String,
    /// Unit of `termLength`, for instance か月.
    pub term_unit: String,
}

/// Whether a bulk request that fails has created nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum BulkFact {
    #[default]
    Unknown,
    AllOrNothing,
    /// Some contracts may be created and others not.
    Partial,
}

/// Known facts about the provider. They may remove questions, never safety checks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ProviderFacts {
    /// Is a bulk request all-or-nothing?
    pub bulk: BulkFact,
    /// How long the service replays an idempotency key, in seconds; `None` while unknown.
    pub key_replay_seconds: Option<u32>,
}

/// A profile to create or change, as typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ProfileDraft {
    pub name: String,
    /// Base address as typed.
    pub base_url: String,
    /// Store id as typed.
    pub store_id: String,
    /// Minutes east of UTC.
    pub utc_offset_minutes: i32,
    /// IANA name of a time zone as typed; empty: the offset is valid all year.
    pub time_zone: Option<String>,
    pub display: Display,
    pub facts: ProviderFacts,
}

impl From<&Profile> for ProfileDraft {
    fn from(profile: &Profile) -> Self {
        Self {
            name: profile.name.clone(),
            base_url: profile.base_url.clone(),
            store_id: profile.store_id.clone(),
            utc_offset_minutes: profile.utc_offset_minutes,
            time_zone: profile.time_zone.clone(),
            display: profile.display.clone(),
            facts: profile.facts.clone(),
        }
    }
}

/// Whether a profile's token is available. The token itself is never returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum TokenState {
    Present,
    Absent,
    /// A token is stored that was entered for another server, or by a version that did not record
    /// the server. It is not used and has to be entered again.
    OtherServer,
    /// The keychain could not be read.
    Unavailable,
}
