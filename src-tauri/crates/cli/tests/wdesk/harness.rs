//! The real program on a data folder of its own, as a process, and what tests ask of it.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

pub use crate::service::Service;
pub use crate::sheet::{Sale, sales};

/// The practice token of every test; a canary where it must not turn up.
pub const TOKEN: &str = "practice-token-canary-7f3a91";

/// The promised sample product with several plans.
pub const PRODUCT: &str = warranty_sandbox::sample::PRODUCT_REFRIGERATOR;
/// Its plan of three years.
pub const PLAN: &str = warranty_sandbox::sample::REFRIGERATOR_PLAN_3_YEARS;
/// Its plan that the sample store has not linked.
pub const UNLINKED_PLAN: &str = warranty_sandbox::sample::REFRIGERATOR_PLAN_10_YEARS;

/// A data folder, and wdesk on it.
pub struct Desk {
    folder: TempDir,
}

impl Desk {
    /// A desk on which nothing was set up.
    pub fn fresh() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
        }
    }

    /// A desk with a profile for a service and its token.
    pub fn connected(service: &Service) -> Self {
        Self::connected_to(&service.base_url, &service.store)
    }

    pub fn connected_to(base_url: &str, store: &str) -> Self {
        let desk = Self::fresh();
        desk.add_profile(base_url, store);
        desk.wdesk(&["token", "set"]).input(TOKEN).run().exits(0);
        desk
    }

    pub fn add_profile(&self, base_url: &str, store: &str) {
        self.wdesk(&[
            "profile",
            "add",
            "counter",
            "--base-url",
            base_url,
            "--store-id",
            store,
            "--utc-offset",
            "+09:00",
        ])
        .run()
        .exits(0);
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A command line on this folder.
    pub fn wdesk(&self, arguments: &[&str]) -> Line {
        let mut command = program();
        command.arg("--data-dir").arg(self.folder()).args(arguments);
        Line {
            command,
            input: String::new(),
        }
    }

    /// A command line on no folder in particular.
    pub fn bare(arguments: &[&str]) -> Line {
        let mut command = program();
        command.args(arguments);
        Line {
            command,
            input: String::new(),
        }
    }

    /// A file beside the desk's own.
    pub fn file(&self, name: &str, text: &str) -> String {
        let path = self.folder().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Counts of the outbox.
    pub fn outbox(&self) -> Value {
        self.wdesk(&["--json", "outbox", "status"])
            .run()
            .exits(0)
            .json()
    }

    /// From now on what was sent was sent before the machine was last started.
    pub fn machine_starts_anew(&self) {
        let db = rusqlite::Connection::open(self.folder().join("desk.db")).unwrap();
        let another = "UPDATE batch SET process_id = '00000000-0000-4000-8000-000000000001'";
        assert!(db.execute(another, []).unwrap() > 0);
    }

    /// Every entry, as JSON.
    pub fn entries(&self) -> Vec<Value> {
        let arguments = ["--json", "contracts", "list", "--limit", "100000"];
        let listed = self.wdesk(&arguments).run().exits(0).json();
        listed.as_array().unwrap().clone()
    }
}

/// A command line about to run.
pub struct Line {
    command: Command,
    input: String,
}

impl Line {
    pub fn input(mut self, text: &str) -> Self {
        text.clone_into(&mut self.input);
        self
    }

    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    pub fn without_env(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// The same line as the last arguments of another program.
    pub fn through(self, program: &[&str]) -> Self {
        let mut command = Command::new(program[0]);
        command.args(&program[1..]).arg(self.command.get_program());
        command.args(self.command.get_args());
        for (name, value) in self.command.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        Self { command, ..self }
    }

    /// With this as standard input.
    pub fn run_with(mut self, stdin: Stdio) -> Run {
        Run(self.command.stdin(stdin).output().unwrap())
    }

    pub fn run(self) -> Run {
        let input = self.input.clone();
        let mut child = self.spawn();
        // A program that does not want its input may have gone already.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        Run(child.wait_with_output().unwrap())
    }

    pub fn spawn(mut self) -> Child {
        self.command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }
}

/// A command line that has run.
pub struct Run(pub Output);

impl Run {
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(
            self.0.status.code(),
            Some(code),
            "stdout: {}\nstderr: {}",
            self.stdout(),
            self.stderr()
        );
        self
    }

    pub fn stdout(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).unwrap()
    }

    pub fn stderr(&self) -> String {
        String::from_utf8(self.0.stderr.clone()).unwrap()
    }

    /// Stdout, which must be one JSON document.
    #[track_caller]
    pub fn json(&self) -> Value {
        let text = self.stdout();
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    /// The stable code of a failure, from the JSON document.
    #[track_caller]
    pub fn error_code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap().to_owned()
    }
}

/// The program; its only log is what a test asks for.
pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wdesk"));
    command.env_remove("WDESK_LOG");
    command
}

/// The 500 sample sales.
pub fn sample_sales() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/sales-500.csv")
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

/// Wishes by this signal that a process ends.
pub fn wish(process: &Child, signal: &str) {
    let pid = process.id().to_string();
    let sent = Command::new("kill").args(["-s", signal, &pid]).status();
    assert!(sent.unwrap().success());
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

/// Whether any file below a folder contains the bytes.
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
