//! The services of a desk and how they are wired.
//!
//! Owns the order: each service is given those below it. What a lower one announces to a higher one
//! is passed on here.

use std::sync::Arc;

use futures::FutureExt as _;
use futures::future::BoxFuture;

use crate::Error;
use crate::bulk::Bulk;
use crate::catalog::Catalog;
use crate::context::{Context, Subscribers};
use crate::contracts::Contracts;
use crate::drafts::Drafts;
use crate::encryption::Encryption;
use crate::export::Exports;
use crate::high_water::HighWater;
use crate::keyed_lock::Lanes;
use crate::known_codes::CodeLookup;
use crate::leads::Leads;
use crate::notifications::Notifications;
use crate::outbox::{EndpointResolver, Outbox};
use crate::overview::Overviews;
use crate::plans::Plans;
use crate::print::Printing;
use crate::products::Products;
use crate::profile::{Profile, Profiles};
use crate::recovery::Recovery;

/// The services of a desk, each over the ones before it.
#[derive(Debug)]
pub(crate) struct Services {
    pub context: Arc<Context>,
    pub encryption: Encryption,
    pub overviews: Overviews,
    pub high_water: HighWater,
    pub profiles: Profiles,
    pub catalog: Catalog,
    pub plans: Plans,
    pub products: Products,
    pub contracts: Contracts,
    pub outbox: Outbox,
    pub leads: Leads,
    pub recovery: Recovery,
    pub drafts: Drafts,
    pub bulk: Bulk,
    pub exports: Exports,
    pub printing: Printing,
}

impl Services {
    /// Wires them, from the lowest up.
    pub fn new(context: Arc<Context>, resolver: Arc<dyn EndpointResolver>) -> Self {
        let lanes = Arc::<Lanes>::default();
        let encryption = Encryption {
            context: Arc::clone(&context),
            keys: Arc::default(),
        };
        let overviews = Overviews {
            context: Arc::clone(&context),
            contacts: Arc::default(),
            obstacles: Arc::default(),
            unsaved: Arc::default(),
        };
        let high_water = HighWater {
            context: Arc::clone(&context),
            overviews: overviews.clone(),
            known: Arc::default(),
        };
        let notifications = Notifications {
            context: Arc::clone(&context),
            overviews: overviews.clone(),
            telling: Arc::default(),
        };
        let profiles = Profiles {
            context: Arc::clone(&context),
            overviews: overviews.clone(),
            practice: Arc::default(),
            clients: Arc::default(),
        };
        let catalog = Catalog {
            context: Arc::clone(&context),
        };
        let plans = Plans {
            context: Arc::clone(&context),
            profiles: profiles.clone(),
            catalog: catalog.clone(),
            refresh: Arc::default(),
            lanes: Arc::clone(&lanes),
        };
        let codes = CodeLookup {
            context: Arc::clone(&context),
            profiles: profiles.clone(),
            plans: plans.clone(),
        };
        let products = Products {
            context: Arc::clone(&context),
            profiles: profiles.clone(),
            codes: codes.clone(),
            lanes: Arc::clone(&lanes),
        };
        let contracts = Contracts {
            context: Arc::clone(&context),
            encryption: encryption.clone(),
            high_water: high_water.clone(),
            profiles: profiles.clone(),
            catalog: catalog.clone(),
            plans: plans.clone(),
            codes: codes.clone(),
            notifications: notifications.clone(),
        };
        let outbox = Outbox {
            context: Arc::clone(&context),
            encryption: encryption.clone(),
            high_water: high_water.clone(),
            overviews: overviews.clone(),
            notifications: notifications.clone(),
            profiles: profiles.clone(),
            catalog: catalog.clone(),
            codes: codes.clone(),
            contracts: contracts.clone(),
            resolver,
        };
        let leads = Leads {
            context: Arc::clone(&context),
            encryption: encryption.clone(),
            high_water: high_water.clone(),
            notifications: notifications.clone(),
            profiles: profiles.clone(),
            codes: codes.clone(),
            tokens: Arc::default(),
        };
        let recovery = Recovery {
            context: Arc::clone(&context),
            overviews: overviews.clone(),
            high_water: high_water.clone(),
        };
        let drafts = Drafts {
            context: Arc::clone(&context),
            encryption: encryption.clone(),
            overviews: overviews.clone(),
        };
        let bulk = Bulk {
            context: Arc::clone(&context),
            encryption: encryption.clone(),
            overviews: overviews.clone(),
            recovery: recovery.clone(),
            notifications: notifications.clone(),
            catalog: catalog.clone(),
            plans: plans.clone(),
            products: products.clone(),
            codes: codes.clone(),
            contracts: contracts.clone(),
            memory: Arc::default(),
        };
        let exports = Exports {
            context: Arc::clone(&context),
            contracts: contracts.clone(),
            plans: plans.clone(),
        };
        let printing = Printing {
            context: Arc::clone(&context),
            contracts: contracts.clone(),
            plans: plans.clone(),
        };
        Self {
            context,
            encryption,
            overviews,
            high_water,
            profiles,
            catalog,
            plans,
            products,
            contracts,
            outbox,
            leads,
            recovery,
            drafts,
            bulk,
            exports,
            printing,
        }
    }
}

impl Subscribers for Services {
    fn token_given<'a>(&'a self, profile: &'a Profile) -> BoxFuture<'a, Result<(), Error>> {
        self.outbox.outbox_token_given(profile).boxed()
    }

    fn counts_told(&self) -> BoxFuture<'_, Result<(), Error>> {
        self.bulk.tell_progress().boxed()
    }

    fn lead_due<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<bool, Error>> {
        self.leads.lead_goes(id).boxed()
    }

    fn lead_unknown<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<(), Error>> {
        self.leads.doubt_lead(id).boxed()
    }

    fn rows_due<'a>(&'a self, profile: &'a Profile, run: i64) -> BoxFuture<'a, Result<(), Error>> {
        self.bulk.feed_next(profile, run).boxed()
    }
}
