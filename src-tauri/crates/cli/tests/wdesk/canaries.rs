//! Canaries: a token and a customer of their own go through every operation, every personality of the
//! service, a crash and the logs; then everything that was written is searched for them.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::Child;

use serde_json::json;
use tempfile::TempDir;
use warranty_sandbox::Personality;

use crate::canary::{Canary, Find, assert_none, search_bytes, search_process, search_tree};
use crate::harness::{
    Desk, Line, PLAN, PRODUCT, Run, Sale, Service, UNLINKED_PLAN, long, sales, until,
};

const TOKEN: &str = "c4nary-t0ken-Qv83zLm2-x71Kp9wR5eJ0";
const EMAIL: &str = "kx93vq-canary-mail@zz41q-h7.example";
const NAME: &str = "迦那利矢 鸚哥子鶸蔵";

fn token() -> [Canary; 1] {
    [Canary::new("the token", TOKEN)]
}

fn customer() -> [Canary; 2] {
    [
        Canary::new("the e-mail", EMAIL),
        Canary::new("the name", NAME),
    ]
}

/// A desk whose every place to write is below one folder, with what it printed; files that a person
/// made, and the service's own, lie elsewhere.
struct Cage {
    service: Service,
    desk: Desk,
    home: PathBuf,
    elsewhere: TempDir,
    printed: Vec<(String, Run)>,
    finds: Vec<Find>,
}

impl Cage {
    fn new() -> Self {
        let service = Service::start_with_token(TOKEN);
        let desk = Desk::fresh();
        let home = desk.folder().join("home");
        for place in ["home", "home/tmp", "home/data"] {
            std::fs::create_dir_all(desk.folder().join(place)).unwrap();
        }
        let mut cage = Self {
            service,
            desk,
            home,
            elsewhere: TempDir::new().unwrap(),
            printed: Vec::new(),
            finds: Vec::new(),
        };
        let (base_url, store) = (cage.service.base_url.clone(), cage.service.store.clone());
        let add = [
            "profile",
            "add",
            "counter",
            "--base-url",
            &base_url,
            "--store-id",
            &store,
        ];
        cage.run(&add);
        cage.print(
            &["token", "set"],
            cage.line(&["token", "set"]).input(TOKEN).run(),
        );
        cage
    }

    /// A line that writes at home and logs everything.
    fn line(&self, arguments: &[&str]) -> Line {
        let home = self.home.to_str().unwrap();
        let mut line = self.desk.wdesk(arguments);
        for name in [
            "HOME",
            "XDG_DATA_HOME",
            "XDG_CONFIG_HOME",
            "XDG_CACHE_HOME",
            "XDG_STATE_HOME",
        ] {
            line = line.env(name, home);
        }
        line.env("TMPDIR", &format!("{home}/tmp"))
            .env("WDESK_LOG", "trace")
            .env("RUST_LOG", "trace")
            .env("RUST_BACKTRACE", "full")
    }

    fn run(&mut self, arguments: &[&str]) {
        let run = self.line(arguments).run();
        self.print(arguments, run);
    }

    fn print(&mut self, arguments: &[&str], run: Run) {
        self.printed.push((arguments.join(" "), run));
    }

    /// A file of sales to the customer, where a person keeps such files.
    fn file(&self, transactions: &[&str]) -> String {
        let rows: Vec<Sale> = transactions.iter().map(|id| sale(id)).collect();
        let path = self
            .elsewhere
            .path()
            .join(format!("{}.csv", transactions[0]));
        std::fs::write(&path, sales(&rows)).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Every command there is.
    fn every_operation(&mut self, mark: &str) {
        // Answers that do not come are waited for in the long form alone.
        let wait = if long() || mark == "well" { "2" } else { "0" };
        let file = self.file(&[&format!("{mark}-1"), &format!("{mark}-2")]);
        let mut bad = sale(&format!("{mark}-3"));
        bad.fee = "nothing".into();
        let mixed = self.elsewhere.path().join(format!("{mark}-mixed.csv"));
        std::fs::write(&mixed, sales(&[bad, sale(&format!("{mark}-4"))])).unwrap();
        let rejected = self.elsewhere.path().join(format!("{mark}-rejected.csv"));
        let (mixed, rejected) = (mixed.to_str().unwrap(), rejected.to_str().unwrap());
        let list = |form: &str| {
            let path = self.elsewhere.path().join(format!("{mark}-list.{form}"));
            path.to_str().unwrap().to_owned()
        };
        let (csv, workbook) = (list("csv"), list("xlsx"));
        let lead = format!("{mark}-lead");
        for line in [
            &["contracts", "enter", &file, "--wait", "2"][..],
            &[
                "--json",
                "contracts",
                "enter",
                mixed,
                "--rejected",
                rejected,
                "--wait",
                wait,
            ],
            &["contracts", "enter", &file, "--dry-run"],
            &["contracts", "list"],
            &["contracts", "list", "--export", &csv],
            &["contracts", "list", "--text", EMAIL, "--export", &workbook],
            &["--json", "contracts", "list", "--text", EMAIL],
            &["outbox", "run", "--wait", wait],
            &["outbox", "list"],
            &["outbox", "status"],
            &["profile", "test"],
            &["key", "status"],
            &["settings"],
            &["plans", "list", "--product", PRODUCT],
            &["plans", "show", PLAN],
            &["plans", "link", UNLINKED_PLAN, mark],
            &[
                "products",
                "put",
                "--reference-id",
                "r-1",
                "--title",
                "t",
                "--price",
                "1",
                "--image-url",
                "https://sample.invalid/1.png",
                "--category",
                "c",
            ],
            &[
                "leads",
                "create",
                "--transaction-id",
                &lead,
                "--product",
                PRODUCT,
                "--purchase-price",
                "189800",
                "--quantity",
                "1",
            ],
            &["leads", "list"],
            &["token", "status"],
            &["contracts", "show", "nobody-has-this"],
        ] {
            self.run(line);
        }
        self.show_all();
    }

    /// Shows every contract and case that there is.
    fn show_all(&mut self) {
        let listed = self.line(&["--json", "contracts", "list"]).run().json();
        for entry in listed.as_array().unwrap().iter().take(3) {
            let id = entry["id"].as_str().unwrap();
            self.run(&["outbox", "show", id]);
            if let Some(contract) = entry["contractId"].as_str() {
                self.run(&["contracts", "show", contract]);
            }
        }
    }

    /// A process killed while its sale is on the way, looked at while it lives.
    fn crash(&mut self) {
        let action = json!({"slowDrip": {"chunkBytes": 1_000_000, "pauseMs": 15_000}});
        self.service.behave(&json!({
            "faults": [{"operations": ["bulkCreateContracts"], "action": action}],
        }));
        let before = self.service.sold().len();
        let file = self.file(&["crash-1"]);
        let mut process = self.line(&["contracts", "enter", &file]).spawn();
        until("the sale", || self.service.sold().len() > before);
        self.look_inside(&process);
        self.look_at_disk();
        process.kill().unwrap();
        let output = process.wait_with_output().unwrap();
        self.print(&["killed"], Run(output));
    }

    fn look_inside(&mut self, process: &Child) {
        self.finds.extend(search_process(&token(), process.id()));
        self.finds.extend(search_process(&customer(), process.id()));
    }

    fn look_at_disk(&mut self) {
        let folder: &Path = self.desk.folder();
        self.finds.extend(search_tree(&token(), folder, &[]));
        self.finds.extend(search_tree(&customer(), folder, &[]));
        // What a person made by hand, and the rows given back, name the customer and not the token.
        let made = self.elsewhere.path();
        self.finds.extend(search_tree(&token(), made, &[]));
    }

    /// Opens a support bundle and searches each of its files.
    fn look_into_a_bundle(&mut self) {
        let out = self.elsewhere.path().join("bundle.zip");
        self.run(&["support", "bundle", "--out", out.to_str().unwrap()]);
        let files = crate::support::opened(&out);
        assert!(
            files.keys().any(|name| name.starts_with("logs/")),
            "{:?}",
            files.keys()
        );
        for (name, bytes) in files {
            let place = format!("{name} of the bundle");
            self.finds.extend(search_bytes(&token(), &place, &bytes));
            self.finds.extend(search_bytes(&customer(), &place, &bytes));
        }
    }

    /// Searches everything.
    fn search(mut self) {
        self.look_into_a_bundle();
        self.look_at_disk();
        for (line, run) in &self.printed {
            let (out, err) = (&run.0.stdout, &run.0.stderr);
            self.finds
                .extend(search_bytes(&token(), &format!("stdout of {line}"), out));
            self.finds
                .extend(search_bytes(&token(), &format!("stderr of {line}"), err));
            self.finds
                .extend(search_bytes(&customer(), &format!("stderr of {line}"), err));
            assert!(!err.windows(8).any(|part| part == b"panicked"), "{line}");
        }
        let logged: usize = self.printed.iter().map(|(_, run)| run.0.stderr.len()).sum();
        assert!(logged > 100_000, "the logs were asked for: {logged} bytes");
        let logs = std::fs::read_dir(self.desk.folder().join("logs")).unwrap();
        assert!(logs.count() > 0, "the folder of the log was searched too");
        assert!(
            self.service
                .ledger()
                .iter()
                .any(|sale| sale["customerEmail"] == EMAIL),
            "nothing was sold to the customer"
        );
        assert_none(&self.finds);
    }
}

fn sale(transaction: &str) -> Sale {
    Sale {
        customer: NAME.to_owned(),
        email: EMAIL.to_owned(),
        ..Sale::of(transaction)
    }
}

#[test]
#[allow(clippy::print_stdout, reason = "the proof's line")]
fn neither_token_nor_customer_is_in_anything_written() {
    let began = std::time::Instant::now();
    let mut cage = Cage::new();
    cage.service.behave(&json!({"visibility": {"afterMs": 0}}));
    cage.every_operation("well");
    cage.crash();
    let names: Vec<&str> = Personality::names()
        .iter()
        .copied()
        .filter(|name| long() || SHORT.contains(name))
        .collect();
    for name in &names {
        cage.service.behave(&json!(name));
        cage.every_operation(name);
    }
    let lines = cage.printed.len();
    cage.search();
    println!(
        "PROOF canaries: token, e-mail and name through {} personalities, a crash and {lines} commands \
         logged at trace; found 0 times in data folder, home, temporary files, logs, support bundle, output, \
         /proc, {} s",
        names.len(),
        began.elapsed().as_secs()
    );
}

#[test]
fn a_customer_practised_with_is_in_no_file_either() {
    let desk = Desk::fresh();
    crate::practice::practise_in_the_window(&desk);
    let elsewhere = TempDir::new().unwrap();
    let file = elsewhere.path().join("sales.csv");
    std::fs::write(&file, sales(&[sale("t-1"), sale("t-2")])).unwrap();
    let file = file.to_str().unwrap();
    desk.wdesk(&["contracts", "enter", file]).run().exits(0);
    let entries = desk.entries();
    assert_eq!(entries[0]["customerEmail"], EMAIL);
    let id = entries[0]["contractId"].as_str().unwrap();
    let shown = desk.wdesk(&["contracts", "show", id]).run().exits(0);
    assert!(shown.stdout().contains(EMAIL), "{}", shown.stdout());
    assert!(desk.folder().join("practice.db").exists());
    assert_none(&search_tree(&customer(), desk.folder(), &[]));
}

/// The personalities of the short form: those whose answers are the oddest.
const SHORT: [&str; 3] = ["wrong-token", "truncated-answer", "partial-failure"];
