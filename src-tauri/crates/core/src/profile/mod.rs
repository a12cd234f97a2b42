//! Profiles: which service, which store, and what is known of the provider.
//!
//! Owns their rules. The token of a profile lives in the vault and never here.

mod connection;
mod manage;
mod token;
mod warning;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, RwLock};

use crate::context::Context;
use crate::overview::Overviews;
use serde::{Deserialize, Serialize};
use warranty_api::{BaseUrl, ProductReference, StoreId, Token};

pub(crate) use token::TokenFingerprint;
pub use warning::ProfileWarning;
pub use warranty_model::profile::{
    BulkFact, Display, Profile, ProfileDraft, ProfileKind, ProviderFacts, TokenState,
};
pub(crate) use warranty_model::profile::{same_server, validation};

/// What a connection test found. It creates nothing at the service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct ConnectionReport {
    /// The address answers as this interface does.
    pub address: Finding,
    /// The service lists plans of `product` for the store; refused, it does not know one of them.
    pub store: Finding,
    /// The product whose plans were listed; `None` when none is known here, so that the store was
    /// not tested.
    pub product: Option<ProductReference>,
    /// The token is accepted: the service answered a lookup with something else than 401 or 403.
    pub token: Finding,
    /// What the service or the network said, for the curious.
    pub detail: Option<String>,
}

/// One thing a connection test looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum Finding {
    /// As it should be.
    Good,
    /// Not as it should be.
    Bad,
    /// Could not be told.
    Unclear,
}

/// The practice service, started by whoever owns this process.
#[derive(Debug, Clone)]
pub struct PracticeService {
    /// Its address now.
    pub base_url: BaseUrl,
    /// Its own token.
    pub token: Token,
    /// Its store.
    pub store_id: StoreId,
}

/// Clients by address and token, kept so that connections are used again.
type Clients = HashMap<(String, Option<TokenFingerprint>), warranty_api::Client>;

/// Profiles, their tokens, and the clients of their services.
#[derive(Debug, Clone)]
pub struct Profiles {
    pub(crate) context: Arc<Context>,
    pub(crate) overviews: Overviews,
    pub(crate) practice: Arc<RwLock<Option<PracticeService>>>,
    pub(crate) clients: Arc<Mutex<Clients>>,
}
