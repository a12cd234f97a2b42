//! The real program against the real practice service, each in a process of its own.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// The practice token of every test; a canary where it must not turn up.
pub const TOKEN: &str = "practice-token-canary-7f3a91";

/// The promised sample product with several plans.
pub const PRODUCT: &str = warranty_sandbox::sample::PRODUCT_REFRIGERATOR;
/// Its plan of three years.
pub const PLAN: &str = warranty_sandbox::sample::REFRIGERATOR_PLAN_3_YEARS;
/// Its plan that the sample store has not linked.
pub const UNLINKED_PLAN: &str = warranty_sandbox::sample::REFRIGERATOR_PLAN_10_YEARS;

/// What the sample catalogue asks for [`PLAN`].
pub fn plan_price() -> i64 {
    warranty_sandbox::sample::catalogue()
        .into_iter()
        .flat_map(|product| product.plans)
        .find(|plan| plan.id == PLAN)
        .unwrap()
        .price
}

/// A `wdesk sandbox serve` process.
pub struct Service {
    child: Child,
    pub base_url: String,
    pub store: String,
    // Kept open so that the process never writes into a closed pipe.
    _stdout: BufReader<ChildStdout>,
}

impl Service {
    /// A service that shows a contract soon after it was made.
    pub fn start() -> Self {
        let service = Self::start_with(&[]);
        service.behave(&serde_json::json!({"visibility": {"afterMs": 200}}));
        service
    }

    /// A service as a person starts it.
    pub fn start_with(arguments: &[&str]) -> Self {
        let mut child = program()
            .args(["sandbox", "serve", "--token", TOKEN])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = || {
            let mut line = String::new();
            stdout.read_line(&mut line).unwrap();
            line.trim_end().to_owned()
        };
        let base_url = value_of(&line(), "listening on ");
        assert_eq!(value_of(&line(), "token "), TOKEN);
        let store = value_of(&line(), "store ");
        Self {
            child,
            base_url,
            store,
            _stdout: stdout,
        }
    }

    /// Every contract that exists at the service: transaction, product, plan.
    pub fn sold(&self) -> Vec<(String, String, String)> {
        let text = |sale: &Value, field: &str| sale[field].as_str().unwrap().to_owned();
        self.ledger()
            .iter()
            .map(|sale| {
                (
                    text(sale, "transactionId"),
                    text(sale, "productReferenceId"),
                    text(sale, "planId"),
                )
            })
            .collect()
    }

    pub fn ledger(&self) -> Vec<Value> {
        let ledger = self.control("GET", "/_sandbox/ledger", "");
        ledger.as_array().unwrap().clone()
    }

    /// How many requests for bulk creation have arrived.
    pub fn bulk_requests(&self) -> usize {
        let requests = self.control("GET", "/_sandbox/requests", "");
        let all = requests["requests"].as_array().unwrap();
        let bulk = |request: &&Value| request["path"] == "/v1/contracts/bulk";
        all.iter().filter(bulk).count()
    }

    /// A name, or settings as JSON.
    pub fn behave(&self, personality: &Value) {
        self.control("PUT", "/_sandbox/personality", &personality.to_string());
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn wait(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }

    pub fn address(&self) -> &str {
        self.base_url.strip_prefix("http://").unwrap()
    }

    fn control(&self, method: &str, path: &str, body: &str) -> Value {
        let mut stream = TcpStream::connect(self.address()).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nX-Service-Auth-Token: {TOKEN}\r\n\
             Content-Type: application/json\r\nAccept: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.address(),
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200"), "{answer}");
        serde_json::from_str(body).unwrap()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn value_of(line: &str, label: &str) -> String {
    line.strip_prefix(label)
        .unwrap_or_else(|| panic!("{line:?} does not begin with {label:?}"))
        .to_owned()
}

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
fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wdesk"));
    command.env_remove("WDESK_LOG");
    command
}

/// Sales as CSV, under the columns of `contracts enter`.
pub fn sales(rows: &[Sale]) -> String {
    let mut text = String::from(
        "transactionId,transactionTotal,transactionDate,customerName,customerEmail,\
         productReferenceId,productPurchasePrice,planId,planPurchasePrice\n",
    );
    for row in rows {
        text.push_str(&format!(
            "{},{},2026-11-20T10:00:00+09:00,{},{},{},189800,{},{}\n",
            row.transaction, row.total, row.customer, row.email, row.product, row.plan, row.fee
        ));
    }
    text
}

/// One sale; sound unless a test says otherwise.
#[derive(Clone)]
pub struct Sale {
    pub transaction: String,
    pub total: String,
    pub customer: String,
    pub email: String,
    pub product: String,
    pub plan: String,
    pub fee: String,
}

impl Sale {
    pub fn of(transaction: &str) -> Self {
        Self {
            transaction: transaction.to_owned(),
            total: "200000".to_owned(),
            customer: "見本 太郎".to_owned(),
            email: "taro@example.jp".to_owned(),
            product: PRODUCT.to_owned(),
            plan: PLAN.to_owned(),
            fee: plan_price().to_string(),
        }
    }
}

/// The 500 sample sales.
pub fn sample_sales() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/sales-500.csv")
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
