//! `wdesk` killed with SIGKILL at every moment of its work, over a service that is killed too and
//! loses answers: no row lost, none sold twice, none shown as sold that is not.

mod books;
mod moment;

use std::path::Path;
use std::sync::{Arc, Mutex};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use warranty_core::outbox::Resolution;
use warranty_core::vault::KeychainVault;
use warranty_core::{DeskOptions, Error};

use crate::harness::{Desk, Service, TOKEN, kill, long, steady_address};
use books::{Books, Met, Phase};
use moment::Moment;

/// A desk, its service, and one file of sales after the other.
struct World {
    desk: Desk,
    service: Service,
    random: StdRng,
    books: Books,
    /// Rows of all files so far.
    rows: Vec<String>,
    /// How many rows of `rows` came before the file being entered.
    before: usize,
    /// Whether nothing of the file is kept yet.
    fresh: bool,
    /// How often a process worked on it since.
    tries: usize,
}

impl World {
    fn new(seed: u64) -> Self {
        let desk = Desk::fresh();
        let address = steady_address();
        let service = Self::service(&desk, &address);
        desk.add_profile(&service.base_url, &service.store);
        desk.set_token(TOKEN);
        let mut world = Self {
            desk,
            service,
            random: StdRng::seed_from_u64(seed),
            books: Books::default(),
            rows: Vec::new(),
            before: 0,
            fresh: true,
            tries: 0,
        };
        world.next_file();
        world
    }

    fn service(desk: &Desk, address: &str) -> Service {
        let folder = desk.folder().join("service");
        std::fs::create_dir_all(&folder).unwrap();
        let db = folder.join("service.db");
        let service = Service::start_with(format!("--addr {address} --db {}", db.display()));
        service.is_well();
        service
    }

    /// Kills the service and starts it again over the same file: what it has done by then is done,
    /// and nothing more comes of what it was asked before.
    fn service_anew(&mut self) {
        self.service.kill();
        let address = self.service.address().to_owned();
        self.service = Self::service(&self.desk, &address);
    }

    /// A file of one to four batches, none of whose sales was seen before.
    fn next_file(&mut self) {
        self.before = self.rows.len();
        let count = self.random.random_range(1..=35);
        let fresh = (0..count).map(|n| format!("t-{}", self.before + n));
        self.rows.extend(fresh);
        self.desk.sales("sales.csv", &self.rows[self.before..]);
        self.fresh = true;
        self.tries = 0;
    }

    /// A service that takes its time and loses some answers.
    fn personality(&mut self) -> Value {
        let chance = |percent: u8, seed: u64, action: Value| {
            json!({
                "operations": ["bulkCreateContracts"],
                "when": {"probability": {"percent": percent, "seed": seed}},
                "action": action,
            })
        };
        let seed = self.random.random_range(0..u64::from(u32::MAX));
        json!({
            "visibility": {"afterMs": self.random.random_range(0..200)},
            "latencyMs": self.random.random_range(0..25),
            "answerDelayMs": self.random.random_range(0..60),
            "faults": [
                chance(12, seed, json!("dropAfterCommit")),
                chance(5, seed + 1, json!("dropBeforeCommit")),
                chance(5, seed + 2, json!({"status": {"status": 500, "afterCommit": true}})),
            ],
        })
    }

    /// Lets one process work until its moment, and kills it. Whether it was still there.
    fn kill_at(&mut self, moment: Moment) -> bool {
        let personality = self.personality();
        self.service.behave(&personality);
        let entering = self.fresh || self.random.random_bool(0.7);
        let line = if entering {
            "contracts enter sales.csv"
        } else {
            "outbox run"
        };
        let mut process = self.desk.wdesk(line).spawn();
        moment.wait(&mut process, &self.desk, &self.service, &mut self.random);
        let alive = process.try_wait().unwrap().is_none();
        kill(process);
        self.service_anew();
        alive
    }

    /// Closes cases as a person does who asks the provider: by `wdesk`, or as the window does it.
    fn person(&mut self, entries: &[Value]) {
        let open = entries
            .iter()
            .filter(|entry| entry["state"] == "needsPerson");
        let mut cases: Vec<(String, Truth)> = open
            .map(|entry| {
                let sold = self.books.contract_of(&text(entry, "transactionId"));
                (text(entry, "id"), sold.map_or(Truth::None, Truth::Contract))
            })
            .collect();
        for (_, truth) in &cases {
            if let Truth::Contract(contract) = truth {
                self.service.shows(contract);
            }
        }
        if let Some((id, truth)) = cases.pop() {
            let resolved = self.desk.resolve(&id, truth.options());
            resolved.exits(match truth {
                Truth::Contract(_) => 0,
                Truth::None => 5,
            });
        }
        if !cases.is_empty() {
            let replay = self.random.random_bool(0.15).then(|| cases[0].0.clone());
            close_cases(self.desk.folder(), cases, replay);
        }
    }

    /// Reads what the service has and what the desk shows, and holds one against the other.
    fn judge(&mut self) -> Vec<Value> {
        let entries = self.desk.entries();
        self.books.judge(&self.service.ledger(), &entries);
        entries
    }

    /// Whether every row of the files so far is confirmed.
    fn done(&self, entries: &[Value]) -> bool {
        self.rows.iter().all(|row| {
            entries
                .iter()
                .any(|entry| entry["transactionId"] == **row && entry["state"] == "confirmed")
        })
    }

    /// Without any more trouble, until nothing is left to do.
    fn finish(&mut self) {
        for _ in 0..10 {
            self.desk.run("contracts enter sales.csv --wait 30");
            let entries = self.judge();
            if self.done(&entries) {
                return;
            }
            self.person(&entries);
        }
        panic!("something is left to do: {:?}", self.desk.outbox().value());
    }
}

/// What the provider says of a sale in doubt.
enum Truth {
    /// It has this contract.
    Contract(String),
    /// It has none.
    None,
}

impl Truth {
    fn options(&self) -> [&str; 2] {
        match self {
            Self::Contract(id) => ["--give-contract-id", id],
            Self::None => ["--provider-has-none", "desk 4711"],
        }
    }

    fn resolution(self) -> Resolution {
        match self {
            Self::Contract(contract_id) => Resolution::GiveContractId { contract_id },
            Self::None => Resolution::ProviderHasNone {
                reference: "desk 4711".to_owned(),
                confirmed: Vec::new(),
            },
        }
    }
}

/// Closes cases in this process, on the folder `wdesk` has just left.
fn close_cases(folder: &Path, cases: Vec<(String, Truth)>, replay: Option<String>) {
    let options = DeskOptions::new(folder.to_owned(), Arc::new(KeychainVault::new()));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let desk = warranty_core::Desk::open(options).await.unwrap();
        let mut replayed = false;
        if let Some(id) = replay {
            // The key still stands for the same request, whatever became of it; but not where
            // another entry of its batch was settled alone.
            let confirmed = Vec::new();
            let once = Resolution::ReplayOnce { confirmed };
            match desk.outbox.resolve(&id, once).await {
                Ok(_) => replayed = true,
                Err(error) => assert!(matches!(error, Error::NotAllowed), "{error}"),
            }
        }
        for (id, truth) in cases {
            match desk.outbox.resolve(&id, truth.resolution()).await {
                Ok(_) => {}
                // A replay takes its whole batch along.
                Err(Error::NotAllowed) if replayed => {}
                Err(error) => panic!("{id}: {error}"),
            }
        }
        desk.close().await;
    });
}

fn text(value: &Value, field: &str) -> String {
    value[field].as_str().unwrap().to_owned()
}

/// Kills so often on one desk, then lets it finish; the rows it had, and where the kills fell.
fn campaign(seed: u64, wanted: usize) -> (usize, Met) {
    let mut world = World::new(seed);
    let (mut kills, mut runs) = (0, 0);
    let mut met = Met::default();
    while kills < wanted {
        assert!(runs < wanted * 4, "only {kills} of {runs} runs were killed");
        let moment = Moment::nth(runs, world.fresh);
        runs += 1;
        let alive = world.kill_at(moment);
        let entries = world.judge();
        let of_file = &world.rows[world.before..];
        let here: Vec<&Value> = entries
            .iter()
            .filter(|entry| of_file.contains(&text(entry, "transactionId")))
            .collect();
        world.fresh = here.is_empty();
        world.tries += usize::from(!world.fresh);
        if alive {
            kills += 1;
            met.count(Phase::of(&here));
        }
        world.person(&entries);
        // What is left of a file stays with the outbox while the next one is entered.
        if world.tries >= 3 || world.done(&entries) {
            world.next_file();
        }
    }
    world.finish();
    books::integrity(world.desk.folder());
    let rows = world.rows.len();
    assert_eq!(world.service.ledger().len(), rows, "rows and sales differ");
    (rows, met)
}

/// Seeds of all campaigns, and how often each kills.
fn campaigns() -> (std::ops::Range<u64>, usize) {
    let chosen = std::env::var("WARRANTY_SEED").ok();
    let first = chosen
        .as_ref()
        .map_or(20_261_121, |seed| seed.parse().unwrap());
    let (count, kills) = if long() { (25, 40) } else { (1, 25) };
    // A seed that was chosen runs alone.
    (
        first..first + if chosen.is_some() { 1 } else { count },
        kills,
    )
}

#[test]
fn whenever_it_is_killed_every_row_is_sold_once_and_none_is_lost() {
    let began = std::time::Instant::now();
    let (seeds, each) = campaigns();
    let count = seeds.clone().count();
    let left = Mutex::new(seeds);
    let next = || left.lock().unwrap().next();
    let (mut rows, mut met) = (0, Met::default());
    std::thread::scope(|scope| {
        let work = || {
            let mut done = Vec::new();
            while let Some(seed) = next() {
                let ran = std::panic::catch_unwind(|| campaign(seed, each));
                done.push(ran.unwrap_or_else(|failure| {
                    eprintln!("again with WARRANTY_SEED={seed}");
                    std::panic::resume_unwind(failure)
                }));
            }
            done
        };
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        for (more, fell) in workers.into_iter().flat_map(|one| one.join().unwrap()) {
            rows += more;
            met.add(&fell);
        }
    });
    let fell = met.text(long());
    println!(
        "PROOF kill -9: {} kills ({fell}), {rows} rows, 0 lost, 0 doubled, 0 falsely shown as \
         sold, integrity ok, {} s",
        count * each,
        began.elapsed().as_secs()
    );
}
