//! Real desks, each with its own file and worker, at the same service on virtual time: they do what the
//! people at light ones did, and must ask at the same times.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use tokio::time::{Instant, sleep_until};
use uuid::Uuid;
use warranty_api::{
    Answer, BulkContracts, Contract, ContractBatch, ContractId, Error as ApiError,
    ProductReference, StoreId,
};
use warranty_model::outbox::recovery;
use warranty_runtime::notifications::Change;
use warranty_runtime::work::{ContractsService, Endpoint, lock};
use warranty_store::test_fixtures::is_long;
use zeroize::Zeroizing;

use super::super::provider::{Provider, Temper};
use super::super::world::World;
use super::super::{person, play as schedule};
use super::service::{Call, SCRIPTS, Script, Service};
use super::{BEGINS, ENDS, OVER, People, TYPING, play};
use crate::outbox::samples::{contract, item};
use crate::outbox::{EndpointResolver, Outbox};
use crate::profile::Profile;
use crate::{Desk, Result};

/// How many of each.
const DESKS: usize = 100;
/// The largest distance between the times of their requests.
const MOST_APART: f64 = 0.1;

/// What all desks share.
#[derive(Debug)]
struct Fleet {
    service: Mutex<Service>,
    script: Script,
    began: Instant,
    /// When desks asked by themselves.
    asked: Mutex<Vec<Duration>>,
    sold: Mutex<HashMap<String, Contract>>,
}

/// A desk's line to the service.
#[derive(Debug, Clone)]
struct Line {
    fleet: Arc<Fleet>,
    desk: usize,
    /// When it is given the new token.
    token_at: Option<Duration>,
}

impl Line {
    fn has_new_token(&self) -> bool {
        self.token_at
            .is_some_and(|at| at <= self.fleet.began.elapsed())
    }

    async fn ask(&self, call: Call) -> Result<(), ApiError> {
        let now = self.fleet.began.elapsed();
        let is_token_right = self.fleet.script != Script::Token
            || now < Duration::from_secs(BEGINS)
            || self.has_new_token();
        if call != Call::Read && now < Duration::from_secs(OVER) {
            lock(&self.fleet.asked).push(now);
        }
        let (reply, at) = lock(&self.fleet.service).reply(self.desk, call, now, is_token_right);
        sleep_until(self.fleet.began + at).await;
        reply.error().map_or(Ok(()), Err)
    }
}

impl EndpointResolver for Line {
    fn reach<'a>(
        &'a self,
        _outbox: &'a Outbox,
        profile: &'a Profile,
    ) -> BoxFuture<'a, Result<Option<Endpoint>>> {
        let endpoint = Endpoint {
            service: Arc::new(self.clone()),
            store_id: StoreId::new("store").unwrap(),
            base_url: profile.base_url.clone(),
            token_fingerprint: format!("new: {}", self.has_new_token()),
        };
        std::future::ready(Ok(Some(endpoint))).boxed()
    }
}

impl ContractsService for Line {
    fn create_contracts(
        &self,
        body: Zeroizing<Vec<u8>>,
        _: Uuid,
    ) -> BoxFuture<'_, Result<Answer<BulkContracts>, ApiError>> {
        async move {
            self.ask(Call::Send(0)).await?;
            let batch: ContractBatch = serde_json::from_slice(&body).unwrap();
            let mut sold = lock(&self.fleet.sold);
            let made = batch.items().iter().map(|item| {
                let id = format!("C{}", sold.len());
                let made = contract(&id, item);
                sold.insert(id, made.clone());
                made
            });
            let value = made.map(Some).collect();
            Ok(Answer { status: 201, value })
        }
        .boxed()
    }

    fn get_contract<'a>(
        &'a self,
        id: &'a ContractId,
    ) -> BoxFuture<'a, Result<Answer<Contract>, ApiError>> {
        async move {
            self.ask(Call::Look(0)).await?;
            let value = lock(&self.fleet.sold)[id.as_str()].clone();
            Ok(Answer { status: 200, value })
        }
        .boxed()
    }

    fn probe_plans<'a>(
        &'a self,
        _: &'a ProductReference,
        _: &'a StoreId,
    ) -> BoxFuture<'a, Result<(), ApiError>> {
        self.ask(Call::Probe).boxed()
    }
}

/// When real desks ask, while their people do as those of light ones did.
fn real(script: Script, people: &[People]) -> Vec<Duration> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(async {
        let fleet = Arc::new(Fleet {
            service: Mutex::new(Service::new(script, people.len())),
            script,
            began: Instant::now(),
            asked: Mutex::default(),
            sold: Mutex::default(),
        });
        let desks = people.iter().enumerate().map(|(desk, people)| {
            let line = Line {
                fleet: Arc::clone(&fleet),
                desk,
                token_at: people.token_at,
            };
            live(line, people)
        });
        futures::future::join_all(desks).await;
        std::mem::take(&mut *lock(&fleet.asked))
    })
}

/// One desk from its first sale to the end.
async fn live(line: Line, people: &People) {
    let seed = u64::try_from(line.desk).unwrap();
    // Its provider is not asked: the fleet has a service of its own.
    let world = World::new(seed, |_| Provider::new(Temper::plain()), false);
    world.begin();
    let desk = schedule::open_at(&world, Arc::new(line.clone()))
        .await
        .unwrap();
    // The live one: a practice service is nobody else's.
    let [_, profile] = schedule::profiles_of(&world);
    let at = |time: Duration| sleep_until(line.fleet.began + time);
    let evening = people.entered.iter().filter(|time| time.is_zero());
    for _ in evening {
        enter(&world, &desk, &profile).await;
    }
    let reading = async {
        for time in people.entered.iter().filter(|time| !time.is_zero()) {
            at(time.saturating_sub(TYPING)).await;
            desk.outbox.attended().await;
            read(&line, &desk, &profile).await;
        }
    };
    let entering = async {
        for time in people.entered.iter().filter(|time| !time.is_zero()) {
            at(*time).await;
            enter(&world, &desk, &profile).await;
        }
    };
    let token = async {
        if let Some(time) = line.token_at {
            at(time).await;
            desk.profiles.token_changed(&profile.id);
            desk.outbox.token_given(&profile).await.unwrap();
        }
    };
    let working = async {
        at(people.on_at).await;
        desk.outbox.start();
        at(Duration::from_secs(OVER)).await;
    };
    futures::join!(reading, entering, token, working);
    desk.outbox.wind_down();
    world.close();
}

/// A person reads plans, as the client of the pages does.
async fn read(line: &Line, desk: &Desk, profile: &Profile) {
    if let Err(error) = line.ask(Call::Read).await {
        desk.context.keep_rate_limit(&profile.id, &error, 1);
        if recovery::fails(&error) {
            let now = desk.context.instant().mono;
            let work = &desk.context.work;
            work.change(&profile.id, |breaker| breaker.recovery.doubt(now));
        }
    }
}

/// A person enters a sale.
async fn enter(world: &World, desk: &Desk, profile: &Profile) {
    let sale = item(&desk.context.ids.uuid().to_string(), "p", "a");
    let entry = person::Entry {
        split: false,
        of_run: false,
    };
    person::enter_these(world, desk, profile, vec![sale], entry).await;
    let now = desk.context.instant().mono;
    desk.context.work.sale_entered(&profile.id, now);
    let notifications = &desk.outbox.notifications;
    notifications.publish(Change::Many).await;
}

/// The Kolmogorov-Smirnov distance of two samples: how far their shares up to any time are apart.
fn apart(one: &[Duration], other: &[Duration]) -> f64 {
    let sorted = |times: &[Duration]| {
        let mut times = times.to_vec();
        times.sort_unstable();
        times
    };
    let (one, other) = (sorted(one), sorted(other));
    let share = |times: &[Duration], until| {
        times.partition_point(|time| *time <= until) as f64 / times.len() as f64
    };
    let apart = |until: &Duration| (share(&one, *until) - share(&other, *until)).abs();
    one.iter().chain(&other).map(apart).fold(0.0, f64::max)
}

#[test]
fn real_desks_ask_when_light_ones_do() {
    let scripts = if is_long() {
        SCRIPTS.to_vec()
    } else {
        vec![Script::RateDate]
    };
    for script in scripts {
        let light = play(script, DESKS);
        let real = real(script, &light.people);
        let after = |times: &[Duration]| -> Vec<Duration> {
            let ends = Duration::from_secs(ENDS);
            times.iter().copied().filter(|time| *time >= ends).collect()
        };
        let whole = apart(&light.asked, &real);
        let returned = apart(&after(&light.asked), &after(&real));
        println!(
            "PROOF fleet: {script:?} {DESKS} real desks ask {} times and light ones {}: apart {whole:.3}, {returned:.3} after the return",
            real.len(),
            light.asked.len(),
        );
        assert!(whole < MOST_APART && returned < MOST_APART, "{script:?}");
    }
}
