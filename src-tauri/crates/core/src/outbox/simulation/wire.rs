//! The way between desk and provider: what a request meets, and the rules every request is held to
//! when it leaves.
#![allow(clippy::wildcard_enum_match_arm)]

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use rand::Rng as _;
use uuid::Uuid;
use warranty_api::{
    Answer, BulkContracts, Contract, ContractBatch, ContractId, Error as ApiError, NoAnswer,
    NotSent, ProductReference, StoreId, Unreadable,
};
use zeroize::Zeroizing;

use super::faults::{self, FAULTS, Fault, Reaches};
use super::judge;
use super::provider::UNKNOWN_PRODUCT;
use super::world::{Asked, State, World};
use crate::outbox::samples::{contract, item, refused, unreadable};
use crate::outbox::{EndpointResolver, Outbox};
use crate::profile::Profile;
use crate::{Error, Result};
use warranty_runtime::work::{ContractsService, Endpoint};
use warranty_store::simulated_disk::Fate;
use warranty_vault::VaultError;

/// The time-out of a whole request.
const PATIENCE: Duration = Duration::from_secs(60);

/// One profile's line to the provider.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub world: World,
    pub profile: String,
    pub base_url: String,
    pub token: String,
}

/// What one request meets.
struct Course {
    fault: Fault,
    /// The work at the provider, when it takes the request on.
    work: Option<u64>,
    /// Until the provider is through with it.
    before: Duration,
    /// Until the answer is here.
    after: Duration,
    /// The process dies before the answer.
    dies: bool,
    /// What becomes of the commit that follows the answer, where a script says so.
    then: Option<Fate>,
}

impl EndpointResolver for World {
    fn reach<'a>(
        &'a self,
        _outbox: &'a Outbox,
        profile: &'a Profile,
    ) -> BoxFuture<'a, Result<Option<Endpoint>>> {
        super::enumeration::at_intent(self);
        let found = {
            let mut state = self.state();
            if !state.settled && state.elapsed() < state.locked_until {
                state.tally.met("keychain", "locked");
                Err(Error::Vault(VaultError::Locked))
            } else {
                let base_url = state.addresses.get(&profile.id).cloned();
                let token = state.tokens.get(&profile.id).cloned();
                Ok(token.map(|token| {
                    let base_url = base_url.unwrap_or_else(|| profile.base_url.clone());
                    Endpoint {
                        service: Arc::new(Line {
                            world: self.clone(),
                            profile: profile.id.clone(),
                            base_url: base_url.clone(),
                            token: token.clone(),
                        }),
                        store_id: StoreId::new("store").unwrap(),
                        base_url,
                        token_fingerprint: token,
                    }
                }))
            }
        };
        std::future::ready(found).boxed()
    }
}

impl ContractsService for Line {
    fn create_contracts(
        &self,
        body: Zeroizing<Vec<u8>>,
        key: Uuid,
    ) -> BoxFuture<'_, Result<Answer<BulkContracts>, ApiError>> {
        async move {
            let key = key.to_string();
            judge::request(self, &body, &key);
            let course = self.course(&body, &key);
            let fault = course.fault;
            let answer = self.travel(&body, &key, course).await;
            let mut state = self.world.state();
            state.ended(&self.profile, answer.as_ref().map(|_| ()));
            if answer.is_ok() {
                if matches!(fault, Fault::None | Fault::Slow | Fault::Shuffled) {
                    state.note_answer(&key);
                }
                state.silent_before.remove(&self.profile);
            }
            drop(state);
            answer
        }
        .boxed()
    }

    fn get_contract<'a>(
        &'a self,
        id: &'a ContractId,
    ) -> BoxFuture<'a, Result<Answer<Contract>, ApiError>> {
        async move {
            let wait = {
                let mut state = self.world.state();
                judge::lookup(&mut state, self);
                if state.settled {
                    Duration::from_millis(20)
                } else {
                    state.seconds(0.01, 2.0)
                }
            };
            tokio::time::sleep(wait).await;
            let mut state = self.world.state();
            let answer = self.found(&mut state, id);
            state.say(|| format!("looked up {id}: {}", short(&answer)));
            state.ended(&self.profile, answer.as_ref().map(|_| ()));
            answer
        }
        .boxed()
    }

    fn probe_plans<'a>(
        &'a self,
        _product: &'a ProductReference,
        _store: &'a StoreId,
    ) -> BoxFuture<'a, Result<(), ApiError>> {
        async move {
            tokio::time::sleep(Duration::from_millis(20)).await;
            let mut state = self.world.state();
            judge::lookup(&mut state, self);
            let now = state.elapsed();
            let fails = state.plans_fail || now < state.reads_fail_until;
            let trouble = if state.settled { 0.0 } else { state.trouble };
            let answer = if !state.settled && now < state.cut_until {
                Err(ApiError::NotSent(NotSent::Connect))
            } else if fails || state.chance(trouble) {
                Err(refused(503, "InternalException", None))
            } else {
                Ok(())
            };
            let word = if answer.is_ok() { "answered" } else { "failed" };
            state.tally.met("probe", word);
            state.say(|| format!("probe: {answer:?}"));
            state.ended(&self.profile, answer.as_ref().copied());
            answer
        }
        .boxed()
    }
}

impl Line {
    /// Where a provider keeps what it remembers of a key.
    fn scope(&self) -> String {
        format!("{} {}", self.base_url, self.token)
    }

    fn course(&self, body: &[u8], key: &str) -> Course {
        let mut state = self.world.state();
        let now = state.elapsed();
        let (fault, dies, then) = match state.moments.pop() {
            Some(moment) => moment.befalls(),
            None => (self.fault(&mut state, now), false, None),
        };
        state.tally.met("answer", &fault.word());
        let keys = state.provider.temper.word();
        state.tally.met("keys", keys);
        let (before, after) = match fault {
            Fault::None | Fault::Shuffled => (Duration::from_millis(30), Duration::from_millis(20)),
            Fault::Slow => (state.seconds(0.1, 40.0), state.seconds(0.1, 15.0)),
            Fault::TimedOutAfter => {
                let before = state.seconds(0.1, 50.0);
                (before, PATIENCE - before)
            }
            Fault::DoneLate => (PATIENCE, Duration::ZERO),
            _ if state.settled => (Duration::from_millis(30), Duration::from_millis(20)),
            _ => (state.seconds(0.001, 3.0), state.seconds(0.001, 3.0)),
        };
        let due = match fault.reaches() {
            Reaches::Nowhere | Reaches::Unheard => None,
            Reaches::Done => Some(now + before),
            Reaches::DoneLate => {
                let late = state.seconds(1.0, 3000.0);
                Some(now + PATIENCE + late)
            }
        };
        let work = due.map(|due| state.provider.take_on(&self.scope(), key, body, (now, due)));
        state.note_request(self, key, fault, now);
        state.say(|| format!("sends {key} to {}: {fault:?}", self.scope()));
        Course {
            fault,
            work,
            before,
            after,
            dies: dies || fault == Fault::DiesBeforeAnswer,
            then,
        }
    }

    fn fault(&self, state: &mut State, now: Duration) -> Fault {
        let accepted = state.provider.accepts.get(&self.profile);
        if accepted.is_some_and(|accepted| *accepted != self.token) {
            return Fault::Unauthorised;
        }
        if state.settled {
            return Fault::None;
        }
        if now < state.cut_until {
            return state.one_of(&[Fault::NoName, Fault::NoConnection, Fault::BadCertificate]);
        }
        let trouble = state.trouble;
        if state.chance(trouble) {
            let index = state.dice.random_range(0..FAULTS.len());
            FAULTS[index]
        } else {
            Fault::None
        }
    }

    async fn travel(
        &self,
        body: &[u8],
        key: &str,
        course: Course,
    ) -> Result<Answer<BulkContracts>, ApiError> {
        tokio::time::sleep(course.before).await;
        if course.fault == Fault::DiesOnTheWay {
            self.die("on the way").await;
        }
        {
            let mut state = self.world.state();
            let now = state.elapsed();
            state.provider.work_until(now);
        }
        if course.dies {
            self.die("before the answer").await;
        }
        tokio::time::sleep(course.after).await;
        let mut state = self.world.state();
        state.fates.extend(course.then);
        let reply = course.work.and_then(|work| state.provider.reply(work));
        let stranger = if matches!(course.fault, Fault::Stranger | Fault::Extra) {
            strangers(&mut state, course.fault, body)
        } else {
            Vec::new()
        };
        let refusal = state.provider.temper.refusal;
        let answer = faults::answer(course.fault, reply, refusal, stranger, &mut state.dice);
        if let Some(asked) = course.fault.asks() {
            let until = state.elapsed() + asked;
            state.quiet_until.insert(self.profile.clone(), until);
            let asked = Asked {
                profile: self.profile.clone(),
                until,
                wall_offset: state.began_offset,
            };
            state.asked.insert(key.to_owned(), asked);
        }
        state.say(|| format!("answered {key}: {}", short(&answer)));
        answer
    }

    async fn die(&self, where_: &str) {
        {
            let mut state = self.world.state();
            state.tally.met("death", where_);
            state.say(|| format!("dies {where_}"));
        }
        self.world.kill();
        std::future::pending::<()>().await;
    }

    fn found(&self, state: &mut State, id: &ContractId) -> Result<Answer<Contract>, ApiError> {
        let now = state.elapsed();
        state.provider.work_until(now);
        let accepted = state.provider.accepts.get(&self.profile);
        if accepted.is_some_and(|accepted| *accepted != self.token) {
            return Err(refused(401, "UnauthorizedException", None));
        }
        if now < state.reads_fail_until {
            return Err(ApiError::NoAnswer(NoAnswer::Timeout));
        }
        let mut number = 99;
        if !state.settled {
            if now < state.cut_until {
                return Err(ApiError::NotSent(NotSent::Connect));
            }
            let trouble = state.trouble;
            if state.chance(trouble) {
                number = state.dice.random_range(0..9);
            }
        }
        let names = [
            "not found",
            "timed out",
            "cut",
            "500",
            "429",
            "html",
            "otherwise",
            "not sent",
            "401",
        ];
        state
            .tally
            .met("lookup", names.get(number).unwrap_or(&"honest"));
        let honest = state.provider.find(id, now).cloned();
        match number {
            0 => Err(refused(404, "NotFoundException", None)),
            1 => Err(ApiError::NoAnswer(NoAnswer::Timeout)),
            2 => Err(ApiError::NoAnswer(NoAnswer::Broken)),
            3 => Err(refused(500, "InternalException", None)),
            4 => {
                let asked = Duration::from_secs(30);
                state.quiet_until.insert(self.profile.clone(), now + asked);
                Err(refused(429, "TooManyRequestsException", Some(asked)))
            }
            5 => Err(unreadable(200, Unreadable::NotJson, None)),
            6 => honest.map_or_else(
                || Err(refused(404, "NotFoundException", None)),
                |mut found| {
                    found.transaction_id.push('x');
                    Ok(Answer {
                        status: 200,
                        value: found,
                    })
                },
            ),
            7 => Err(ApiError::NotSent(NotSent::Connect)),
            8 => Err(refused(401, "UnauthorizedException", None)),
            _ => honest
                .map(|value| Answer { status: 200, value })
                .ok_or_else(|| refused(404, "BadRequestException", None)),
        }
    }
}

/// Contracts of other people: for the same transactions, products and plans, under other e-mails;
/// or of a transaction nobody here knows.
fn strangers(state: &mut State, fault: Fault, body: &[u8]) -> Vec<Contract> {
    let batch: ContractBatch = serde_json::from_slice(body).unwrap();
    if fault == Fault::Extra {
        return vec![contract("X1", &item("elsewhere", UNKNOWN_PRODUCT, "a"))];
    }
    let number = state.dice.random_range(0..1_000_000);
    (0..)
        .zip(batch.items())
        .map(|(index, item)| {
            let mut other = contract(&format!("S{number}-{index}"), item);
            other.customer.email = Some(warranty_api::Personal::new("stranger@sample.invalid"));
            other
        })
        .collect()
}

fn short<T>(answer: &Result<Answer<T>, ApiError>) -> String {
    match answer {
        Ok(answer) => format!("HTTP {}", answer.status),
        Err(error) => error.to_string(),
    }
}
