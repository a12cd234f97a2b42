//! Builds the services of a desk; each is given the services it depends on.
//!
//! Owns their order, and forwards events of a lower service to a higher one.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use tokio::sync::broadcast;

use crate::Result;
use crate::bulk::Bulk;
use crate::catalog::Catalog;
use crate::contracts::Contracts;
use crate::day::Days;
use crate::drafts::Drafts;
use crate::encryption::Encryption;
use crate::export::Exports;
use crate::known_codes::CodeLookup;
use crate::leads::Leads;
use crate::outbox::{EndpointResolver, Outbox};
use crate::plans::{PlanCache, Plans};
use crate::print::Printing;
use crate::products::Products;
use crate::profile::{Profile, Profiles};
use crate::recovery::Recovery;
use crate::staff::Staff;
use warranty_model::outbox::recovery::Pace;
use warranty_runtime::backup_schedule::BackupSchedule;
use warranty_runtime::clock::{Clock, Ids, SystemClock, SystemIds};
use warranty_runtime::context::{Context, Subscribers};
use warranty_runtime::high_water::HighWater;
use warranty_runtime::journal::os_user;
use warranty_runtime::keyed_lock::KeyedLock;
use warranty_runtime::notifications::Notifications;
use warranty_runtime::overview::Overviews;
use warranty_runtime::policy::{self, PolicySource, PolicyState};
use warranty_runtime::work::{RunQueue, WorkState, lock};
use warranty_store::Store;
use warranty_store::lock::FolderLock;
use warranty_vault::{Vault, WatchedVault};

/// Notices buffered for a slow receiver; one that misses notices reads the state again.
const NOTICE_BUFFER: usize = 256;

/// The services of a desk; each uses only those declared before it.
#[derive(Debug)]
pub struct Services {
    pub(crate) context: Arc<Context>,
    pub encryption: Encryption,
    pub overviews: Overviews,
    pub(crate) high_water: HighWater,
    pub profiles: Profiles,
    pub catalog: Catalog,
    pub plans: Plans,
    pub products: Products,
    pub contracts: Contracts,
    pub leads: Leads,
    pub recovery: Recovery,
    pub drafts: Drafts,
    pub bulk: Bulk,
    pub outbox: Outbox,
    pub staff: Staff,
    pub days: Days,
    pub exports: Exports,
    pub printing: Printing,
}

#[derive(Debug, Clone)]
pub struct DeskOptions {
    /// The folder for all data except tokens.
    pub data_dir: PathBuf,
    /// Where tokens are stored.
    pub vault: Arc<dyn Vault>,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn Ids>,
    /// The profile to use, by name, instead of the selected one.
    pub profile: Option<String>,
    /// Where the policy of this computer lies.
    pub policies: Arc<dyn PolicySource>,
}

impl DeskOptions {
    /// The options for a folder and a vault, with the system's clock and random numbers.
    pub fn new(data_dir: PathBuf, vault: Arc<dyn Vault>) -> Self {
        Self {
            data_dir,
            vault,
            clock: Arc::new(SystemClock::default()),
            ids: Arc::new(SystemIds),
            profile: None,
            policies: policy::of_this_computer(),
        }
    }
}

/// How fast this desk comes back after an outage.
fn pace(policy: &PolicyState) -> Pace {
    let (usual, set) = (Pace::default(), policy.value::<policy::Pace>("pace"));
    let set = set.unwrap_or_default();
    let seconds = |seconds: u32| Duration::from_secs(seconds.into());
    Pace {
        spread: set
            .spread_minutes
            .map_or(usual.spread, |minutes| seconds(minutes.saturating_mul(60))),
        unattended_cap: set
            .unattended_cap_seconds
            .map_or(usual.unattended_cap, seconds),
    }
}

pub(crate) struct Files {
    pub store: Store,
    pub cache: PlanCache,
    pub data_dir: Option<PathBuf>,
    /// The file of a desk that is only read.
    pub journal_path: Option<PathBuf>,
    pub lock: Option<FolderLock>,
    pub policy: PolicyState,
}

/// A service with what it uses, each named like its field. What it keeps of its own begins empty.
macro_rules! service {
    ($service:ident with $($used:ident),+ $(; own $($own:ident),+)?) => {
        $service {
            $($used: $used.clone(),)+
            $($($own: Arc::default(),)+)?
        }
    };
}

impl Services {
    /// Builds the services on the files of a data folder.
    pub(crate) fn wire(
        options: DeskOptions,
        mut files: Files,
        resolver: Arc<dyn EndpointResolver>,
    ) -> Arc<Self> {
        let work = Arc::new(WorkState::new(options.clock.as_ref(), options.ids.as_ref()));
        *lock(&work.pace) = pace(&files.policy);
        let notices = broadcast::Sender::new(NOTICE_BUFFER);
        let data_dir = files.data_dir.as_ref();
        let context = Arc::new(Context {
            backups: BackupSchedule::new(&files.store, &options.clock, data_dir, &notices),
            store: files.store,
            cache: files.cache,
            vault: WatchedVault::new(options.vault),
            clock: options.clock,
            ids: options.ids,
            data_dir: files.data_dir,
            network: policy::network(&mut files.policy, options.policies.as_ref()),
            policy: files.policy,
            policies: options.policies,
            helped: Mutex::default(),
            closed_profiles: Mutex::default(),
            notices,
            chosen: options.profile,
            work,
            runs: RunQueue::default(),
            read_only: files.journal_path.is_some(),
            journal_path: files.journal_path,
            user: os_user(),
            staff: Mutex::default(),
            subscribers: OnceLock::new(),
            lock: Mutex::new(files.lock),
        });
        let services = Arc::new(Self::new(context, resolver));
        let subscribers: Weak<dyn Subscribers> = Arc::downgrade(&services) as _;
        // Cannot fail: the context was just created.
        let _ = services.context.subscribers.set(subscribers);
        services
    }

    pub(crate) fn new(context: Arc<Context>, resolver: Arc<dyn EndpointResolver>) -> Self {
        let locks = Arc::<KeyedLock>::default();
        let encryption = service!(Encryption with context; own keys);
        let overviews = Overviews::new(Arc::clone(&context));
        let high_water = HighWater::new(Arc::clone(&context), overviews.clone());
        let notifications = Notifications::new(Arc::clone(&context), overviews.clone());
        let profiles = service!(
            Profiles with context, encryption, overviews; own practice, clients
        );
        let catalog = service!(Catalog with context; own sold);
        let plans = service!(Plans with context, profiles, catalog, locks; own refresh);
        let codes = service!(CodeLookup with context, profiles, plans);
        let products = service!(Products with context, profiles, codes, locks);
        let contracts = service!(
            Contracts with context, encryption, high_water, profiles, catalog, plans,
            codes, notifications; own listing
        );
        let leads = service!(
            Leads with context, encryption, high_water, notifications, profiles, codes
        );
        let recovery = service!(Recovery with context, overviews, high_water);
        let drafts = service!(Drafts with context, encryption, overviews);
        let bulk = service!(
            Bulk with context, encryption, overviews, recovery, notifications, catalog,
            plans, products, codes, contracts; own memory
        );
        let outbox = service!(
            Outbox with context, encryption, high_water, overviews, notifications,
            profiles, catalog, codes, contracts, leads, bulk, resolver
        );
        let staff = service!(Staff with context);
        let days = service!(Days with context, overviews, profiles);
        let exports = service!(Exports with context, contracts, leads, plans, days);
        let printing = service!(Printing with context, contracts, plans, days);
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
            leads,
            recovery,
            drafts,
            bulk,
            outbox,
            staff,
            days,
            exports,
            printing,
        }
    }
}

impl Subscribers for Services {
    fn token_given<'a>(&'a self, profile: &'a Profile) -> BoxFuture<'a, Result<()>> {
        self.outbox.token_given(profile).boxed()
    }

    fn counts_sent(&self) -> BoxFuture<'_, Result<()>> {
        self.bulk.publish_progress().boxed()
    }

    fn customers_deleted(&self) -> BoxFuture<'_, ()> {
        self.contracts.forget_list().boxed()
    }
}
