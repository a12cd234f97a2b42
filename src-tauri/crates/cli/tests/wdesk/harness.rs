//! The real program on a data folder of its own, as a process, and what tests ask of it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use rusqlite::types::FromSql;
use rusqlite::{Connection, Params};
use serde_json::Value;
use tempfile::TempDir;
use warranty_core::vault::{KeychainVault, Vault};

pub use crate::command_line::{Line, Run, Words};
pub use crate::service::{Service, busy, refusal, replace, slow, status, verbatim};
pub use crate::sheet::{Sale, numbered, sales};

/// The practice token of every test; a canary where it must not turn up.
pub const TOKEN: &str = "practice-token-canary-7f3a91";

/// The promised sample product with several plans.
pub const PRODUCT: &str = warranty_sandbox::sample::PRODUCT_REFRIGERATOR;
/// Its plan of three years.
pub const PLAN: &str = warranty_sandbox::sample::REFRIGERATOR_PLAN_3_YEARS;
/// Its plan that the sample store has not linked.
pub const UNLINKED_PLAN: &str = warranty_sandbox::sample::REFRIGERATOR_PLAN_10_YEARS;

/// A practice service that is well, and a desk with a profile for it and its token.
pub fn shop() -> (Service, Desk) {
    let service = Service::start();
    let desk = Desk::connected(&service);
    (service, desk)
}

/// A data folder, and wdesk on it.
pub struct Desk {
    folder: TempDir,
    environment: Vec<(&'static str, OsString)>,
}

impl Desk {
    /// A desk on which nothing was set up.
    pub fn fresh() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
            environment: Vec::new(),
        }
    }

    /// From now on each process of it has this in its environment.
    pub fn has_env(&mut self, name: &'static str, value: impl Into<OsString>) {
        self.environment.push((name, value.into()));
    }

    /// A desk with a profile for a service and its token.
    pub fn connected(service: &Service) -> Self {
        Self::connected_to(&service.base_url, &service.store)
    }

    pub fn connected_to(base_url: &str, store: &str) -> Self {
        let desk = Self::fresh();
        desk.add_profile(base_url, store);
        desk.set_token(TOKEN);
        desk
    }

    /// A desk with a token for an address where nothing listens, until a service takes that address.
    pub fn offline() -> (String, Self) {
        let address = steady_address();
        let desk = Self::connected_to(&format!("http://{address}"), warranty_sandbox::STORE_ID);
        (address, desk)
    }

    pub fn add_profile(&self, base_url: &str, store: &str) {
        let to = format!("--base-url {base_url} --store-id {store} --utc-offset +09:00");
        self.does(format!("profile add counter {to}"));
    }

    /// Adds another profile with its token, and uses it.
    pub fn uses(&self, name: &str, base_url: &str, store: &str) -> Run {
        let to = format!("--base-url {base_url} --store-id {store} --utc-offset +09:00");
        let added = self.reports(format!("profile add {name} {to}"));
        self.does(["profile", "use", name]);
        self.set_token(TOKEN);
        added
    }

    pub fn set_token(&self, token: &str) {
        self.wdesk("token set").input(token).run().exits(0);
    }

    pub fn token(&self) -> String {
        self.json("token status").text("token")
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A command line on this folder, and in it.
    pub fn wdesk(&self, words: impl Words) -> Line {
        let mut command = program();
        if self.folder().exists() {
            command.current_dir(self.folder());
        }
        for (name, value) in &self.environment {
            command.env(name, value);
        }
        command
            .arg("--data-dir")
            .arg(self.folder())
            .args(words.words());
        Line::of(command)
    }

    /// A command line on no folder in particular.
    pub fn bare(words: impl Words) -> Line {
        let mut command = program();
        command.args(words.words());
        Line::of(command)
    }

    /// Runs a command line for people.
    pub fn run(&self, words: impl Words) -> Run {
        self.wdesk(words).run()
    }

    /// Runs a command line for programs.
    pub fn json(&self, words: impl Words) -> Run {
        self.json_line(words).run()
    }

    pub fn json_line(&self, words: impl Words) -> Line {
        self.wdesk(("--json", words))
    }

    /// Runs a command line for people that does all it is asked to do.
    #[track_caller]
    pub fn does(&self, words: impl Words) -> Run {
        self.run(words).exits(0)
    }

    /// Runs a command line for programs that does all it is asked to do.
    #[track_caller]
    pub fn reports(&self, words: impl Words) -> Run {
        self.json(words).exits(0)
    }

    /// Whether a line of the log has these words.
    pub fn logged(&self, words: &str) -> bool {
        let mut logs = std::fs::read_dir(self.path("logs")).unwrap();
        logs.any(|log| {
            let lines = std::fs::read_to_string(log.unwrap().path()).unwrap();
            lines.contains(words)
        })
    }

    /// The path of a file beside the desk's own.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    /// Writes a file beside the desk's own.
    pub fn file(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn sales<S: Into<Sale>>(&self, name: &str, rows: impl IntoIterator<Item = S>) -> String {
        self.file(name, &sales(rows))
    }

    /// Enters a file of sales, and gives the report.
    pub fn enter<S: Into<Sale>>(
        &self,
        rows: impl IntoIterator<Item = S>,
        options: impl Words,
    ) -> Run {
        self.sales("sales.csv", rows);
        self.json(("contracts enter sales.csv", options))
    }

    /// Enters sales that wait.
    pub fn keep<S: Into<Sale>>(&self, rows: impl IntoIterator<Item = S>) {
        self.enter(rows, "--no-wait").exits(5);
    }

    /// A process that enters a file of sales; the first of them is sold and its answer on the way.
    pub fn selling(&self, service: &Service, words: impl Words) -> Child {
        let before = service.ledger().len();
        let process = self.wdesk(words).spawn();
        until("the sale", || service.ledger().len() > before);
        process
    }

    pub fn send(&self) -> Run {
        self.run("outbox run")
    }

    /// Lets the outbox run until what has an unknown outcome may be repeated. Whether the provider keeps keys is not
    /// known, so a person is to ask it about each repeat.
    pub fn repeat(&self) -> Run {
        self.run("outbox run --wait 60").exits(4)
    }

    /// Ends a case as a person says.
    pub fn resolve(&self, id: &str, options: impl Words) -> Run {
        self.json((["outbox", "resolve", id], options))
    }

    /// Creates a lead of the transaction `t-1`.
    pub fn create_lead(&self, options: impl Words) -> Run {
        let of = format!("--transaction-id t-1 --product {PRODUCT} --purchase-price 189800");
        self.json((format!("leads create {of} --quantity 1"), options))
    }

    pub fn put_product(&self, reference: &str) -> Run {
        let with =
            "--title 見本 --price 9800 --image-url https://sample.invalid/a.png --category 見本";
        self.json((["products", "put", "--reference-id", reference], with))
    }

    pub fn outbox(&self) -> Run {
        self.reports("outbox status")
    }

    pub fn entries(&self) -> Vec<Value> {
        self.reports("contracts list --limit 100000").list()
    }

    #[track_caller]
    pub fn entry(&self, transaction: &str) -> Value {
        let mut entries = self.entries().into_iter();
        let entry = entries.find(|entry| entry["transactionId"] == transaction);
        entry.unwrap_or_else(|| panic!("{transaction} was not entered"))
    }

    /// A field of the entry of a transaction, as text.
    #[track_caller]
    pub fn of(&self, transaction: &str, field: &str) -> String {
        self.entry(transaction)[field].as_str().unwrap().to_owned()
    }

    /// Fails unless every entry is in this state, for this reason of a person's case.
    #[track_caller]
    pub fn shows(&self, state: &str, case: Option<&str>) {
        let entries = self.entries();
        assert!(!entries.is_empty(), "nothing was entered");
        for entry in entries {
            let shown = (entry["state"].as_str(), entry["case"].as_str());
            assert_eq!(shown, (Some(state), case), "{entry}");
        }
    }

    /// The file with what is entered.
    pub fn database(&self) -> Connection {
        Connection::open(self.path("desk.db")).unwrap()
    }

    /// The only value of a query of it.
    pub fn value<T: FromSql>(&self, query: &str) -> T {
        let found = self.database().query_row(query, [], |row| row.get(0));
        found.unwrap()
    }

    /// Changes the file behind the program's back, and says in how many rows.
    pub fn change(&self, statement: &str, parameters: impl Params) -> usize {
        self.database().execute(statement, parameters).unwrap()
    }

    /// Holds the folder as an open window does.
    pub fn open_window(&self) -> std::fs::File {
        let lock = std::fs::File::open(self.folder()).unwrap();
        lock.try_lock().unwrap();
        lock
    }

    /// From now on what was sent was sent before the machine was last started.
    pub fn machine_starts_anew(&self) {
        let another = "UPDATE batch SET process_id = '00000000-0000-4000-8000-000000000001'";
        assert!(self.change(another, []) > 0);
    }
}

/// The program; its only log is what a test asks for.
pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wdesk"));
    command.env_remove("WDESK_LOG");
    command
}

/// A file of `tests/fixtures`.
pub fn fixture(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/fixtures");
    format!("{folder}/{name}")
}

/// Whether the long form of the proofs is asked for.
pub fn long() -> bool {
    std::env::var("WARRANTY_PROVE").is_ok_and(|form| form == "long")
}

/// An address that stays free while nothing listens there: outside the range from which the system
/// takes ports for outgoing connections.
pub fn steady_address() -> String {
    static TAKEN: AtomicU32 = AtomicU32::new(0);
    let free = std::iter::repeat_with(|| TAKEN.fetch_add(7, Ordering::Relaxed))
        .map(|n| 10_000 + (std::process::id() + n) % 20_000)
        .find(|port| std::net::TcpListener::bind(format!("127.0.0.1:{port}")).is_ok());
    format!("127.0.0.1:{}", free.unwrap())
}

/// Takes a secret out of the keychain, where it must be.
pub fn lose_secret(name: &str) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let vault = Arc::new(KeychainVault::new());
    assert!(runtime.block_on(vault.token(name)).unwrap().is_some());
    runtime.block_on(vault.forget(name)).unwrap();
}

pub fn signal(process: &Child, name: &str) {
    let pid = process.id().to_string();
    let sent = Command::new("kill").args(["-s", name, &pid]).status();
    assert!(sent.unwrap().success());
}

/// Ends a process as a loss of power would.
pub fn kill(mut process: Child) {
    process.kill().unwrap();
    process.wait().unwrap();
}

/// Waits until something is so, and fails when it does not come to be.
#[track_caller]
pub fn until(what: &str, mut so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !so() {
        assert!(Instant::now() < deadline, "never came to be: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The items without those that occur more than once.
pub fn distinct<T: Ord + Clone>(items: &[T]) -> BTreeSet<T> {
    items.iter().cloned().collect()
}

pub fn any_file_contains(folder: &Path, needle: &[u8]) -> bool {
    std::fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() {
            return any_file_contains(&path, needle);
        }
        let bytes = std::fs::read(path).unwrap();
        bytes.windows(needle.len()).any(|window| window == needle)
    })
}
