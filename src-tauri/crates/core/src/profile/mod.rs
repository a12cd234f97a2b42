//! Profiles: the service, the store, and the known facts about the provider.
//!
//! Owns the rules of profiles. Tokens are stored in the vault only.

mod connection;
mod manage;
mod managed;
mod token;
mod token_helper;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::encryption::Encryption;
use warranty_api::{BaseUrl, StoreId, Token};
use warranty_runtime::context::Context;
use warranty_runtime::overview::Overviews;

pub(crate) use connection::address_of;
pub(crate) use token::TokenFingerprint;
pub use token::set_managed_token;
pub use warranty_model::profile::connection::{ConnectionReport, Finding};
pub(crate) use warranty_model::profile::validation;
pub use warranty_model::profile::{
    BulkFact, Display, Profile, ProfileDraft, ProfileKind, ProviderFacts, TokenState, Zone,
};

/// The practice service, started by the program that owns this process.
#[derive(Debug, Clone)]
pub struct PracticeService {
    pub base_url: BaseUrl,
    pub token: Token,
    pub store_id: StoreId,
}

impl PracticeService {
    /// `None` where one of them is malformed.
    pub fn at(base_url: &str, token: &str, store_id: &str) -> Option<Self> {
        Some(Self {
            base_url: BaseUrl::parse(base_url).ok()?,
            token: Token::new(token).ok()?,
            store_id: StoreId::new(store_id).ok()?,
        })
    }
}

/// Clients by address and token, cached to reuse connections.
type Clients = HashMap<(String, Option<TokenFingerprint>), warranty_api::Client>;

/// Profiles, their tokens, and the clients of their services.
#[derive(Debug, Clone)]
pub struct Profiles {
    pub(crate) context: Arc<Context>,
    pub(crate) encryption: Encryption,
    pub(crate) overviews: Overviews,
    pub(crate) practice: Arc<Mutex<Option<PracticeService>>>,
    pub(crate) clients: Arc<Mutex<Clients>>,
}
