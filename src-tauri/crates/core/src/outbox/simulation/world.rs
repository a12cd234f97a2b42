//! The world of one schedule: its dice, its time, its disk, and everything that outlives a process.
//!
//! Owns what a seed decides. Whatever asks for time, an id or a commit gets it from here, so that a
//! seed replays to the letter.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use tokio::sync::Notify;
use tokio::time::Instant;
use uuid::Uuid;

use super::enumeration::Moment;
use super::judge::Requests;
use super::provider::Provider;
use super::tally::Tally;
use warranty_api::Error as ApiError;
use warranty_runtime::clock::{Clock, Ids};
use warranty_store::simulated_disk::{Fate, Medium};
use warranty_vault::MemoryVault;

/// A schedule's world. Cheap to clone; all clones are the same world.
#[derive(Clone)]
pub(super) struct World(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    /// The process is to stop where it stands.
    died: Notify,
}

/// What the world knows.
pub(super) struct State {
    /// Every chance there is.
    pub dice: StdRng,
    /// The service and its ledger.
    pub provider: Provider,
    /// The desk's disk; made with the world.
    pub medium: Option<Medium>,
    /// The keychain.
    pub vault: Arc<MemoryVault>,
    /// How the disk fails.
    pub disk: DiskTemper,
    /// What the next commits come to, where a script decides; the dice do when it is empty.
    pub fates: Vec<Fate>,
    /// The token each profile's desk has, by profile.
    pub tokens: BTreeMap<String, String>,
    /// The address each profile's desk asks, by profile.
    pub addresses: BTreeMap<String, String>,
    /// Until when there is no way to a service: the keychain is locked.
    pub locked_until: Duration,
    /// Until when nothing leaves this machine.
    pub cut_until: Duration,
    /// Until when each profile's service asked for nothing new.
    pub quiet_until: HashMap<String, Duration>,
    /// The same for the request that was answered so, by key: the desk's file knows it, so it holds
    /// after a restart.
    pub asked: HashMap<String, Asked>,
    /// Profiles whose last sale, lookup or probe failed in this process.
    pub silent: BTreeSet<String>,
    /// From when on something new may be sold to such a service all the same.
    pub trials: HashMap<String, Duration>,
    /// Profiles of which that may have been so in an earlier process: the time counts from there.
    pub silent_before: BTreeSet<String>,
    /// Sales are entered as the rows of files too: in every fourth schedule, so that the others stay as
    /// they were.
    pub files: bool,
    /// Plans can never be read, also when the troubles are over.
    pub plans_fail: bool,
    /// Until when nothing at all can be read, also when the troubles are over.
    pub reads_fail_until: Duration,
    /// How often something goes wrong with a request.
    pub trouble: f64,
    /// What befalls the next attempts, the last first, where a script decides.
    pub moments: Vec<Moment>,
    /// What is known of every key that was ever sent.
    pub requests: HashMap<String, Requests>,
    /// Entries of which a person said that the provider has none, by the first entry in whose place
    /// they stand.
    pub words: BTreeSet<String>,
    /// A person is waiting for a lookup.
    pub looking: bool,
    /// How often a person allowed one more repeat, by key.
    pub grants: HashMap<String, u32>,
    /// What entries were acknowledged, by id.
    pub acknowledged: BTreeMap<String, String>,
    /// What a person noted of an entry when they looked the provider's books up.
    pub notes: HashMap<String, Option<String>>,
    /// Which process this is, from 1.
    pub life: u32,
    /// Names the last start of the machine.
    pub boot: Uuid,
    /// Whether the machine is started again after each process, where a script decides; the dice do
    /// otherwise.
    pub restarts: Option<bool>,
    /// The troubles are over: everyone behaves well.
    pub settled: bool,
    /// What was broken.
    pub violations: Vec<String>,
    /// What was met.
    pub tally: Tally,
    /// The wall clock is set wrong by this.
    pub wall_offset: TimeDelta,
    /// It was when this process began.
    pub began_offset: TimeDelta,
    /// How much time had passed when the machine started.
    booted: Duration,
    /// How much time had passed when this process began.
    base: Duration,
    began: Option<Instant>,
    traced: bool,
}

/// A wait that the answer to a request asked for.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    pub profile: String,
    pub until: Duration,
    /// How the wall clock was set when that process began: it keeps its waits by it.
    pub wall_offset: TimeDelta,
}

/// A service that answers no probe for so long is sold one thing all the same.
pub(super) const TRIAL_AFTER: Duration = Duration::from_secs(4 * 3600);

/// How often the disk fails at a commit.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct DiskTemper {
    /// In `0.0..1.0`.
    pub chance: f64,
    /// Until when every commit fails.
    pub full_until: Duration,
    /// When it failed last, and how often at that very moment.
    pub failed: (Duration, u32),
}

impl World {
    pub(super) fn new(
        seed: u64,
        provider: impl FnOnce(&mut StdRng) -> Provider,
        traced: bool,
    ) -> Self {
        let mut dice = StdRng::seed_from_u64(seed);
        let provider = provider(&mut dice);
        let world = Self(Arc::new(Shared {
            state: Mutex::new(State {
                dice,
                provider,
                medium: None,
                vault: Arc::default(),
                disk: DiskTemper::default(),
                fates: Vec::new(),
                tokens: BTreeMap::new(),
                addresses: BTreeMap::new(),
                locked_until: Duration::ZERO,
                cut_until: Duration::ZERO,
                quiet_until: HashMap::new(),
                asked: HashMap::new(),
                silent: BTreeSet::new(),
                trials: HashMap::new(),
                silent_before: BTreeSet::new(),
                plans_fail: false,
                reads_fail_until: Duration::ZERO,
                trouble: 0.0,
                moments: Vec::new(),
                requests: HashMap::new(),
                words: BTreeSet::new(),
                looking: false,
                grants: HashMap::new(),
                acknowledged: BTreeMap::new(),
                notes: HashMap::new(),
                life: 0,
                boot: Uuid::nil(),
                restarts: None,
                booted: Duration::ZERO,
                files: seed % 4 == 1,
                settled: false,
                violations: Vec::new(),
                tally: Tally::default(),
                wall_offset: TimeDelta::zero(),
                began_offset: TimeDelta::zero(),
                base: Duration::ZERO,
                began: None,
                traced,
            }),
            died: Notify::new(),
        }));
        let of_medium = world.clone();
        let medium = Medium::new(move || of_medium.commit());
        world.state().medium = Some(medium);
        world
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap()
    }

    /// What the disk does with a commit.
    fn commit(&self) -> Fate {
        let mut state = self.state();
        let fate = state.fate();
        if fate != Fate::Kept {
            state.tally.met("disk", &format!("{fate:?}"));
            state.say(|| format!("disk: {fate:?}"));
        }
        let restless = fate != Fate::Kept && state.asks_without_rest();
        drop(state);
        if restless || matches!(fate, Fate::DiesBefore | Fate::DiesAfter) {
            self.0.died.notify_one();
        }
        fate
    }

    pub(super) fn medium(&self) -> Medium {
        self.state().medium.clone().unwrap()
    }

    /// A process begins. Called on its runtime.
    pub(super) fn begin(&self) {
        let mut state = self.state();
        state.began = Some(Instant::now());
        state.began_offset = state.wall_offset;
        state.life += 1;
        state.quiet_until.clear();
        state.silent.clear();
        let asked = std::mem::take(&mut state.trials);
        state.silent_before.extend(asked.into_keys());
        state.looking = false;
        let life = state.life;
        state.say(|| format!("-- process {life} begins"));
    }

    /// A process ends, and so much time passes until the next one; about every third time the
    /// machine is started again in between. Called on its runtime.
    pub(super) fn end(&self, gap: Duration) {
        let mut state = self.state();
        state.base = state.elapsed() + gap;
        state.began = None;
        let restarts = state.restarts;
        if restarts.unwrap_or_else(|| state.chance(1.0 / 3.0)) {
            state.boot = Uuid::from_u128(state.dice.random());
            state.booted = state.base;
            state.say(|| "-- the machine is started anew".to_owned());
        }
    }

    /// Time since the world began.
    pub(super) fn elapsed(&self) -> Duration {
        self.state().elapsed()
    }

    /// Stops the process where it stands.
    pub(super) fn kill(&self) {
        self.medium().crash();
        self.0.died.notify_one();
    }

    /// Returns when the process is to stop.
    pub(super) async fn death(&self) {
        self.0.died.notified().await;
    }

    /// The world forgets its disk, which knows the world: without this neither ever ends.
    pub(super) fn close(&self) {
        self.state().medium = None;
    }
}

impl State {
    pub(super) fn elapsed(&self) -> Duration {
        let passed = self.began.map_or(Duration::ZERO, |began| began.elapsed());
        self.base + passed
    }

    /// A profile's held requests may go now, whatever wait was asked for.
    pub(super) fn let_go(&mut self, profile: &str) {
        self.quiet_until.remove(profile);
        self.asked.retain(|_, asked| asked.profile != profile);
    }

    /// A sale, a lookup or a probe of a profile ended.
    pub(super) fn ended(&mut self, profile: &str, result: Result<(), &ApiError>) {
        if matches!(result, Err(ApiError::NotSent(_))) {
            return;
        }
        // Counted from any answer: also from one that only the desk does not understand.
        let trial = if self.silent_before.contains(profile) {
            Duration::ZERO
        } else {
            self.elapsed() + TRIAL_AFTER
        };
        self.trials.entry(profile.to_owned()).or_insert(trial);
        let fails = matches!(
            result,
            Err(ApiError::NoAnswer(_)
                | ApiError::Refused { status: 500.., .. }
                | ApiError::Unreadable { status: 500.., .. })
        );
        if !fails {
            self.silent.remove(profile);
        } else if !self.looking {
            // Otherwise it may be a person's own lookup that failed.
            self.silent.insert(profile.to_owned());
        }
    }

    /// One of these, each as likely.
    pub(super) fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.dice.random_range(0..of.len())]
    }

    pub(super) fn chance(&mut self, chance: f64) -> bool {
        self.dice.random_bool(chance)
    }

    /// A time between these, in seconds.
    pub(super) fn seconds(&mut self, from: f64, to: f64) -> Duration {
        Duration::from_secs_f64(self.dice.random_range(from..to))
    }

    pub(super) fn say(&self, what: impl FnOnce() -> String) {
        if self.traced {
            println!("{:>10.3} s  {}", self.elapsed().as_secs_f64(), what());
        }
    }

    pub(super) fn broken(&mut self, rule: String) {
        self.say(|| format!("BROKEN: {rule}"));
        self.violations.push(rule);
    }

    fn fate(&mut self) -> Fate {
        if let Some(fate) = self.fates.pop() {
            return fate;
        }
        if self.settled {
            return Fate::Kept;
        }
        if self.elapsed() < self.disk.full_until {
            return Fate::Full;
        }
        if self.disk.chance == 0.0 || !self.chance(self.disk.chance) {
            return Fate::Kept;
        }
        let fate = self.one_of(&[
            Fate::Full,
            Fate::Broken,
            Fate::DiesBefore,
            Fate::DiesBefore,
            Fate::DiesAfter,
            Fate::DiesAfter,
        ]);
        if fate == Fate::Full {
            let stays = self.seconds(0.0, 20.0);
            self.disk.full_until = self.elapsed() + stays;
        }
        fate
    }
}

/// A disk that failed may be asked so often in one moment, and no more.
const MOST_ASKED: u32 = 200;

impl State {
    /// Notes a failure of the disk; `true` when it is being asked without any rest.
    fn asks_without_rest(&mut self) -> bool {
        let now = self.elapsed();
        let (when, often) = self.disk.failed;
        let often = if when == now { often + 1 } else { 1 };
        self.disk.failed = (now, often);
        if often == MOST_ASKED {
            self.broken("a disk that fails is asked without any rest".to_owned());
        }
        often >= MOST_ASKED
    }
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("World")
    }
}

impl Clock for World {
    fn now(&self) -> DateTime<Utc> {
        let state = self.state();
        let passed = TimeDelta::from_std(state.elapsed()).unwrap();
        DateTime::from_timestamp_millis(1_800_000_000_000).unwrap() + passed + state.wall_offset
    }

    fn monotonic(&self) -> Duration {
        let state = self.state();
        state.elapsed() - state.booted
    }

    fn counted_from(&self) -> Option<Uuid> {
        Some(self.state().boot)
    }
}

impl Ids for World {
    fn uuid(&self) -> Uuid {
        uuid::Builder::from_random_bytes(self.state().dice.random()).into_uuid()
    }

    fn fraction(&self) -> f64 {
        self.state().dice.random()
    }
}
