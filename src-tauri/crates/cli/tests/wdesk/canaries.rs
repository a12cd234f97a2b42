//! Canaries: a token and a customer of their own go through every operation, every personality of the
//! service, a crash and the logs; then everything that was written is searched for them.
#![cfg(target_os = "linux")]

use std::path::PathBuf;

use serde_json::json;
use tempfile::TempDir;
use warranty_sandbox::Personality;

use crate::canary::{Canary, Find, assert_none, search_bytes, search_process, search_tree};
use crate::harness::{
    Desk, PLAN, PRODUCT, Run, Sale, Service, UNLINKED_PLAN, Words, long, sales, slow,
};

const TOKEN: &str = "c4nary-t0ken-Qv83zLm2-x71Kp9wR5eJ0";
const EMAIL: &str = "kx93vq-canary-mail@zz41q-h7.example";
const NAME: &str = "迦那利矢 鸚哥子鶸蔵";

/// The personality of the short form: it refuses, with words about the customer, and sells all the same.
const SHORT: [&str; 1] = ["partial-failure"];

fn token() -> [Canary; 1] {
    [Canary::new("the token", TOKEN)]
}

fn customer() -> [Canary; 2] {
    [
        Canary::new("the e-mail", EMAIL),
        Canary::new("the name", NAME),
    ]
}

fn both() -> [Canary; 3] {
    let ([token], [email, name]) = (token(), customer());
    [token, email, name]
}

/// A desk whose every place to write is below one folder, with what it printed; files that a person
/// made, and the service's own, lie elsewhere.
struct Cage {
    service: Service,
    desk: Desk,
    elsewhere: TempDir,
    printed: Vec<(String, Run)>,
    finds: Vec<Find>,
}

impl Cage {
    fn new() -> Self {
        let service = Service::start_with_token(TOKEN);
        let mut desk = Desk::fresh();
        // Each process writes at home and logs everything.
        let home = desk.path("home");
        std::fs::create_dir_all(home.join("tmp")).unwrap();
        for name in [
            "HOME",
            "XDG_DATA_HOME",
            "XDG_CONFIG_HOME",
            "XDG_CACHE_HOME",
            "XDG_STATE_HOME",
        ] {
            desk.has_env(name, &home);
        }
        desk.has_env("TMPDIR", home.join("tmp"));
        desk.has_env("WDESK_LOG", "trace");
        desk.has_env("RUST_LOG", "trace");
        desk.has_env("RUST_BACKTRACE", "full");
        let to = format!(
            "--base-url {} --store-id {}",
            service.base_url, service.store
        );
        let mut cage = Self {
            service,
            desk,
            elsewhere: TempDir::new().unwrap(),
            printed: Vec::new(),
            finds: Vec::new(),
        };
        cage.run(format!("profile add counter {to}"));
        let set = cage.desk.wdesk("token set").input(TOKEN).run();
        cage.printed.push(("token set".to_owned(), set));
        cage
    }

    fn run(&mut self, words: impl Words) {
        let run = self.desk.run(&words);
        self.printed.push((format!("{words:?}"), run));
    }

    fn elsewhere(&self, name: &str) -> PathBuf {
        self.elsewhere.path().join(name)
    }

    /// A file of sales, where a person keeps such files.
    fn file<const N: usize>(&self, name: &str, rows: [Sale; N]) -> String {
        let path = self.elsewhere(name);
        std::fs::write(&path, sales(rows)).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Every command there is.
    fn every_operation(&mut self, mark: &str) {
        // Answers that do not come are waited for in the long form alone.
        let wait = if long() || mark == "well" { "2" } else { "0" };
        let of = |number: u8| sale(&format!("{mark}-{number}"));
        let file = self.file(&format!("{mark}.csv"), [of(1), of(2)]);
        let mixed = [of(3).fee("nothing"), of(4)];
        let mixed = self.file(&format!("{mark}-mixed.csv"), mixed);
        let made = self.elsewhere(mark).display().to_string();
        let product = "--title t --price 1 --image-url https://sample.invalid/1.png --category c";
        let lead = format!("--product {PRODUCT} --purchase-price 189800 --quantity 1");
        for line in [
            format!("contracts enter {file} --wait 2"),
            format!("--json contracts enter {mixed} --rejected {made}-rejected.csv --wait {wait}"),
            format!("contracts enter {file} --dry-run"),
            "contracts list".to_owned(),
            format!("contracts list --export {made}-list.csv"),
            format!("contracts list --text {EMAIL} --export {made}-list.xlsx"),
            format!("--json contracts list --text {EMAIL}"),
            format!("outbox run --wait {wait}"),
            "outbox list".to_owned(),
            "outbox status".to_owned(),
            "doctor".to_owned(),
            "key status".to_owned(),
            "settings".to_owned(),
            format!("plans list --product {PRODUCT}"),
            format!("plans show {PLAN}"),
            format!("plans link {UNLINKED_PLAN} {mark}"),
            format!("products put --reference-id r-1 {product}"),
            format!("leads create --transaction-id {mark}-lead {lead}"),
            "leads list".to_owned(),
            "token status".to_owned(),
            "contracts show nobody-has-this".to_owned(),
        ] {
            self.run(line);
        }
        // And some of the contracts and cases that there are.
        let listed = self.desk.json("contracts list").list();
        for entry in listed.iter().take(3) {
            self.run(["outbox", "show", entry["id"].as_str().unwrap()]);
            if let Some(contract) = entry["contractId"].as_str() {
                self.run(["contracts", "show", contract]);
            }
        }
    }

    /// A process killed while its sale is on the way, looked at while it lives.
    fn crash(&mut self) {
        self.service.answers_sales(&slow(15_000));
        let file = self.file("crash.csv", [sale("crash-1")]);
        let enter = format!("contracts enter {file}");
        let mut process = self.desk.selling(&self.service, enter);
        self.finds.extend(search_process(&both(), process.id()));
        self.look_at_disk();
        process.kill().unwrap();
        self.printed.push(("killed".to_owned(), Run::from(process)));
    }

    fn look_at_disk(&mut self) {
        self.finds
            .extend(search_tree(&both(), self.desk.folder(), &[]));
        // What a person made by hand, and the rows given back, name the customer and not the token.
        self.finds
            .extend(search_tree(&token(), self.elsewhere.path(), &[]));
    }

    /// Opens a support bundle and searches each of its files.
    fn look_into_a_bundle(&mut self) {
        let out = self.elsewhere("bundle.zip");
        self.run(["support", "bundle", "--out", out.to_str().unwrap()]);
        let files = crate::support::opened(&out);
        assert!(
            files.keys().any(|name| name.starts_with("logs/")),
            "{:?}",
            files.keys()
        );
        for (name, bytes) in files {
            let place = format!("{name} of the bundle");
            self.finds.extend(search_bytes(&both(), &place, &bytes));
        }
    }

    /// Searches everything.
    fn search(mut self) {
        self.look_into_a_bundle();
        self.look_at_disk();
        let mut logged = 0;
        for (line, run) in &self.printed {
            let (out, err) = (&run.output.stdout, &run.output.stderr);
            logged += err.len();
            self.finds
                .extend(search_bytes(&token(), &format!("stdout of {line}"), out));
            self.finds
                .extend(search_bytes(&both(), &format!("stderr of {line}"), err));
            assert!(!err.windows(8).any(|part| part == b"panicked"), "{line}");
        }
        assert!(logged > 100_000, "the logs were asked for: {logged} bytes");
        let logs = std::fs::read_dir(self.desk.path("logs")).unwrap();
        assert!(logs.count() > 0, "the folder of the log was searched too");
        let sold = self.service.ledger();
        let sold = sold.iter().any(|sale| sale["customerEmail"] == EMAIL);
        assert!(sold, "nothing was sold to the customer");
        assert_none(&self.finds);
    }
}

fn sale(transaction: &str) -> Sale {
    Sale::of(transaction).customer(NAME).email(EMAIL)
}

#[test]
fn neither_token_nor_customer_is_in_anything_written() {
    let began = std::time::Instant::now();
    let mut cage = Cage::new();
    cage.service.is_well();
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
