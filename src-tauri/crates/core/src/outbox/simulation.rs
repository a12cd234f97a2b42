//! Seeded schedules of the real worker against a provider that answers as it likes, judged by what
//! the provider really sold. A failing seed is named, and `WARRANTY_SEED` replays it alone.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::{BoxFuture, ready};
use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;
use rand::{Rng as _, SeedableRng as _};
use warranty_api::{
    Answer, Contract, ContractBatch, ContractId, Error as ApiError, IdempotencyKey, NoAnswer,
    NotSent, ServiceError, Unreadable,
};

use super::samples::contract;
use super::service::{ContractsService, Counterpart, Reach};
use super::{RunUntil, SubmissionState};
use crate::clock::Ids;
use crate::contracts::{EnterMode, EntryDraft, EntryFilter, SubmissionView};
use crate::profile::{BulkFact, Display, Profile, ProfileDraft, ProviderFacts};
use crate::vault::MemoryVault;
use crate::{Desk, DeskOptions, Error};

const SEEDS: u64 = 40;
/// Requests to create after which the provider answers well.
const TROUBLE: u32 = 12;
/// Lookups that may not find what is there.
const LOOKS_IN_TROUBLE: u32 = 4;

/// What the provider has done and how it answers next.
#[derive(Debug)]
struct Provider {
    dice: StdRng,
    asked: u32,
    looked: u32,
    contracts: Vec<Contract>,
    by_key: HashMap<String, (Vec<u8>, Vec<Contract>)>,
    /// A key that came with other bytes than before.
    bent: bool,
}

#[derive(Debug, Clone)]
struct Simulated(Arc<Mutex<Provider>>);

impl Provider {
    fn sell(&mut self, body: &[u8], key: &str) -> Vec<Contract> {
        if let Some((before, made)) = self.by_key.get(key) {
            self.bent |= before != body;
            return made.clone();
        }
        let batch: ContractBatch = serde_json::from_slice(body).unwrap();
        let made: Vec<Contract> = batch
            .items()
            .iter()
            .map(|item| {
                let id = format!("C{}", self.contracts.len() + 1);
                let made = contract(&id, item);
                self.contracts.push(made.clone());
                made
            })
            .collect();
        self.by_key
            .insert(key.to_owned(), (body.to_vec(), made.clone()));
        made
    }

    fn answer(&mut self, body: &[u8], key: &str) -> Result<Answer<Vec<Contract>>, ApiError> {
        self.asked += 1;
        let trouble = if self.asked > TROUBLE {
            9
        } else {
            self.dice.random_range(0..14)
        };
        let answer = |value| Ok(Answer { status: 200, value });
        match trouble {
            0 => Err(ApiError::NotSent(NotSent::Connect)),
            1 => Err(ApiError::NoAnswer(NoAnswer::Broken)),
            2 => {
                self.sell(body, key);
                Err(ApiError::NoAnswer(NoAnswer::Timeout))
            }
            3 => {
                self.sell(body, key);
                Err(ApiError::Unreadable {
                    status: 200,
                    reason: Unreadable::NotJson,
                })
            }
            4 => Err(refusal(500, "InternalException")),
            5 => Err(refusal(429, "TooManyRequests")),
            6 => {
                let mut made = self.sell(body, key);
                made.pop();
                answer(made)
            }
            7 => {
                let mut made = self.sell(body, key);
                made.push(made[0].clone());
                answer(made)
            }
            8 => {
                self.sell(body, key);
                Err(refusal(400, "ConflictException"))
            }
            _ => {
                let mut made = self.sell(body, key);
                made.shuffle(&mut self.dice);
                answer(made)
            }
        }
    }

    fn look(&mut self, id: &ContractId) -> Result<Answer<Contract>, ApiError> {
        self.looked += 1;
        if self.looked <= LOOKS_IN_TROUBLE && self.dice.random_bool(0.3) {
            return Err(refusal(404, "NotFoundException"));
        }
        self.contracts
            .iter()
            .find(|contract| contract.id == *id)
            .cloned()
            .map(|value| Answer { status: 200, value })
            .ok_or_else(|| refusal(404, "NotFoundException"))
    }
}

fn refusal(status: u16, code: &str) -> ApiError {
    ApiError::Refused {
        status,
        error: ServiceError {
            request_id: "simulated".into(),
            code: code.into(),
            error: "simulated".into(),
        },
        retry_after: None,
    }
}

impl ContractsService for Simulated {
    fn create_contracts(
        &self,
        body: Vec<u8>,
        key: IdempotencyKey,
    ) -> BoxFuture<'_, Result<Answer<Vec<Contract>>, ApiError>> {
        let answer = self.0.lock().unwrap().answer(&body, &key.to_string());
        async move {
            tokio::task::yield_now().await;
            answer
        }
        .boxed()
    }

    fn get_contract<'a>(
        &'a self,
        id: &'a ContractId,
    ) -> BoxFuture<'a, Result<Answer<Contract>, ApiError>> {
        ready(self.0.lock().unwrap().look(id)).boxed()
    }
}

impl Reach for Simulated {
    fn reach<'a>(
        &'a self,
        _desk: &'a Desk,
        profile: &'a Profile,
    ) -> BoxFuture<'a, Result<Option<Counterpart>, Error>> {
        ready(Ok(Some(Counterpart {
            service: Arc::new(self.clone()),
            base_url: profile.base_url.clone(),
            token_fingerprint: "simulated".into(),
        })))
        .boxed()
    }
}

/// Waits are as short as they may be.
#[derive(Debug)]
struct Hasty;

impl Ids for Hasty {
    fn uuid(&self) -> uuid::Uuid {
        uuid::Uuid::new_v4()
    }
    fn fraction(&self) -> f64 {
        0.0
    }
}

fn draft(number: usize) -> EntryDraft {
    EntryDraft {
        transaction_id: format!("T{number}"),
        transaction_total: "110000".into(),
        transaction_date: "2026-11-21T10:00:00+09:00".into(),
        customer_name: "見本　花子".into(),
        customer_email: format!("c{number}@sample.invalid"),
        product_reference_id: "p".into(),
        product_purchase_price: "100000".into(),
        plan_id: "a".into(),
        plan_purchase_price: "5000".into(),
    }
}

async fn play(seed: u64) {
    let mut dice = StdRng::seed_from_u64(seed);
    let rows: Vec<EntryDraft> = (0..dice.random_range(1..40)).map(draft).collect();
    let provider = Simulated(Arc::new(Mutex::new(Provider {
        dice,
        asked: 0,
        looked: 0,
        contracts: Vec::new(),
        by_key: HashMap::new(),
        bent: false,
    })));
    let folder = tempfile::tempdir().unwrap();
    let options = DeskOptions {
        ids: Arc::new(Hasty),
        ..DeskOptions::new(folder.path().to_owned(), Arc::new(MemoryVault::default()))
    };
    let desk = Desk::open_over(options, Arc::new(provider.clone()))
        .await
        .unwrap();
    let draft = ProfileDraft {
        name: "simulated".into(),
        // Nobody listens there: entries are made unchecked.
        base_url: "http://127.0.0.1:9".into(),
        store_id: "store".into(),
        utc_offset_minutes: 540,
        display: Display::default(),
        // Unchecked entries share batches only where a batch is known to be made whole or not.
        facts: ProviderFacts {
            bulk: BulkFact::AllOrNothing,
            ..ProviderFacts::default()
        },
    };
    let profile = desk.profile_add(draft.clone()).await.unwrap();
    let report = desk
        .contracts_enter(&rows, EnterMode::GoodRows, &|_, _| {})
        .await
        .unwrap();
    assert_eq!(usize::try_from(report.entered).unwrap(), rows.len());
    let unknown = ProfileDraft {
        facts: ProviderFacts::default(),
        ..draft
    };
    desk.profile_change(&profile.id, unknown).await.unwrap();
    let until = RunUntil {
        confirmed: true,
        at_most: Duration::from_secs(20),
    };
    for _ in 0..4 {
        // A run that finds the service out of reach returns; the next one finds it back.
        desk.outbox_run(until, &|_| {}).await.unwrap();
    }
    let filter = EntryFilter {
        limit: 100,
        ..EntryFilter::default()
    };
    let shown = desk.submissions(&filter).await.unwrap();
    judge(seed, &rows, &shown, &provider.0.lock().unwrap());
}

fn judge(seed: u64, rows: &[EntryDraft], shown: &[SubmissionView], provider: &Provider) {
    assert!(!provider.bent, "seed {seed}: a key came with other bytes");
    assert_eq!(shown.len(), rows.len(), "seed {seed}: a row was lost");
    let mut sold: BTreeMap<&str, Vec<&Contract>> = BTreeMap::new();
    for contract in &provider.contracts {
        sold.entry(&contract.transaction_id)
            .or_default()
            .push(contract);
    }
    let mut given = HashSet::new();
    for entry in shown {
        let made = sold
            .get(entry.transaction_id.as_str())
            .map_or(&[][..], |made| made);
        assert!(
            made.len() <= 1,
            "seed {seed}: {} was sold {} times",
            entry.transaction_id,
            made.len()
        );
        match entry.state {
            SubmissionState::Accepted | SubmissionState::Confirmed => {
                let id = entry.contract_id.clone().unwrap();
                assert_eq!(
                    Some(&id),
                    made.first().map(|made| &made.id),
                    "seed {seed}: {} shows another contract",
                    entry.transaction_id
                );
                assert!(given.insert(id), "seed {seed}: a contract was given twice");
            }
            SubmissionState::Unknown | SubmissionState::InFlight | SubmissionState::NeedsPerson => {
            }
            SubmissionState::Draft
            | SubmissionState::Queued
            | SubmissionState::Held
            | SubmissionState::Rejected
            | SubmissionState::Cancelled => assert!(
                made.is_empty(),
                "seed {seed}: {} is shown as {:?} and was sold",
                entry.transaction_id,
                entry.state
            ),
        }
        assert!(
            matches!(
                entry.state,
                SubmissionState::Confirmed | SubmissionState::NeedsPerson
            ),
            "seed {seed}: {} never got further than {:?}",
            entry.transaction_id,
            entry.state
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_schedule_of_troubles_loses_doubles_or_invents_a_sale() {
    let seeds = match std::env::var("WARRANTY_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
    {
        Some(seed) => seed..seed + 1,
        None => 0..SEEDS,
    };
    let plays: Vec<_> = seeds.map(|seed| tokio::spawn(play(seed))).collect();
    for play in plays {
        play.await.unwrap();
    }
}
