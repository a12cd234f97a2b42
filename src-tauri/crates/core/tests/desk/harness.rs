//! A stage for a test: a practice service, a data folder, a vault in memory and a desk over them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use warranty_core::api::{
    BaseUrl, Client, NetworkSettings, PlanId, ProductReference, StoreId, Timeouts, Token,
};
use warranty_core::clock::{Clock, Ids, SystemClock};
use warranty_core::contracts::EntryDraft;
use warranty_core::files::private_file::Existing;
use warranty_core::products::ProductHint;
use warranty_core::profile::{Display, Profile, ProfileDraft, ProviderFacts};
use warranty_core::vault::MemoryVault;
use warranty_core::{Desk, DeskOptions, Error, PracticeService};
use warranty_sandbox::{
    Action, Operation, Options, Personality, Rule, Sale, Sandbox, ScriptedFault, Visibility, When,
};

use crate::canary::{Canary, assert_none, search_tree};

pub struct Stage {
    pub desk: Desk,
    pub sandbox: Sandbox,
    pub vault: Arc<MemoryVault>,
    pub folder: TempDir,
}

impl Deref for Stage {
    type Target = Desk;

    fn deref(&self) -> &Desk {
        &self.desk
    }
}

impl Stage {
    /// A service and a desk without a profile, as on first run.
    pub async fn empty() -> Self {
        let options = Options {
            personality: Personality {
                visibility: Visibility::AfterMs(50),
                ..Personality::default()
            },
            ..Options::default()
        };
        let sandbox = Sandbox::start(options).await.unwrap();
        let vault = Arc::new(MemoryVault::default());
        let folder = tempfile::tempdir().unwrap();
        let desk = open(&folder, &vault).await;
        Self {
            desk,
            sandbox,
            vault,
            folder,
        }
    }

    /// Working under the practice profile.
    pub async fn practising() -> Self {
        let stage = Self::empty().await;
        stage.attach_practice();
        stage.practise().await.unwrap();
        stage
    }

    /// Chooses the practice profile.
    pub async fn practise(&self) -> Result<Profile, Error> {
        let display = Display::default();
        self.profiles.practise("練習".to_owned(), display).await
    }

    /// Working under a live profile with its token, the service being the sandbox all the same.
    pub async fn live() -> (Self, Profile) {
        let stage = Self::empty().await;
        let profile = stage.connect("本店").await;
        (stage, profile)
    }

    /// The same with a token that the service refuses.
    pub async fn refused() -> (Self, Profile) {
        let stage = Self::empty().await;
        let wrong = Token::new("not-the-token").unwrap();
        let profile = stage.profiles.connect(stage.draft("本店"), wrong).await;
        (stage, profile.unwrap())
    }

    /// Adds a live profile for the sandbox, and chooses it.
    pub async fn connect(&self, name: &str) -> Profile {
        let connected = self.profiles.connect(self.draft(name), self.token()).await;
        connected.unwrap()
    }

    /// Adds a live profile for the sandbox.
    pub async fn add(&self, name: &str) -> Profile {
        self.profiles.add(self.draft(name)).await.unwrap()
    }

    /// Gives a profile the token that the service takes.
    pub async fn give_token(&self, profile: &Profile) {
        let kept = self.profiles.set_token(&profile.id, self.token()).await;
        kept.unwrap();
    }

    /// Working under a live profile for a service that gives the same answer, a status and a body, to
    /// each kind of request by its method, whatever it is asked.
    pub async fn answered(answers: &[(&str, &str)]) -> Self {
        let stage = Self::empty().await;
        let mut draft = stage.draft("本店");
        draft.base_url = parrot(answers).await;
        let connected = stage.profiles.connect(draft, stage.token()).await;
        connected.unwrap();
        stage
    }

    /// A desk over the files as they are on the disk at this moment: what a killed process leaves.
    pub async fn after_a_kill(&self, clock: Arc<dyn Clock>) -> (Desk, TempDir) {
        let folder = tempfile::tempdir().unwrap();
        for file in std::fs::read_dir(self.folder.path()).unwrap() {
            let path = file.unwrap().path();
            // The index of the write-ahead log is made again from the log itself.
            if path.is_file() && path.extension().is_none_or(|ending| ending != "db-shm") {
                let name = path.file_name().unwrap();
                std::fs::copy(&path, folder.path().join(name)).unwrap();
            }
        }
        let desk = open_by(clock, &folder, &self.vault).await;
        self.attach_practice_to(&desk);
        (desk, folder)
    }

    pub fn attach_practice(&self) {
        self.attach_practice_to(&self.desk);
    }

    pub fn attach_practice_to(&self, desk: &Desk) {
        desk.attach_practice(PracticeService {
            base_url: self.base_url(),
            token: self.token(),
            store_id: StoreId::new(self.sandbox.store_id()).unwrap(),
        });
    }

    /// The draft of a live profile for the sandbox.
    pub fn draft(&self, name: &str) -> ProfileDraft {
        ProfileDraft {
            name: name.to_owned(),
            base_url: self.sandbox.base_url(),
            store_id: self.sandbox.store_id().to_owned(),
            utc_offset_minutes: 540,
            time_zone: None,
            display: Display::default(),
            facts: ProviderFacts::default(),
        }
    }

    pub fn base_url(&self) -> BaseUrl {
        BaseUrl::parse(&self.sandbox.base_url()).unwrap()
    }

    pub fn token(&self) -> Token {
        Token::new(self.sandbox.token()).unwrap()
    }

    /// Someone else at the same service.
    pub fn someone_else(&self) -> Client {
        Client::new(
            self.base_url(),
            Some(self.token()),
            Timeouts::default(),
            &NetworkSettings::default(),
        )
        .unwrap()
    }

    /// What goes wrong with the next request of an operation.
    pub fn next(&self, operation: Operation, action: Action) {
        self.next_times(operation, action, 1);
    }

    /// What goes wrong with so many requests of an operation.
    pub fn next_times(&self, operation: Operation, action: Action, times: u32) {
        self.sandbox.script(vec![ScriptedFault {
            operations: vec![operation],
            action,
            times,
        }]);
    }

    /// How many requests of an operation arrived.
    pub fn arrived(&self, operation: Operation) -> usize {
        self.sandbox
            .requests()
            .iter()
            .filter(|request| request.operation == Some(operation))
            .count()
    }

    /// How many requests to create contracts arrived.
    pub fn sent(&self) -> usize {
        self.arrived(Operation::BulkCreateContracts)
    }

    /// Every idempotency key that arrived with a bulk request, in order.
    pub fn keys(&self) -> Vec<String> {
        let requests = self.sandbox.requests().into_iter();
        requests.filter_map(|one| one.idempotency_key).collect()
    }

    /// How many batches arrived, however often each.
    pub fn distinct_keys(&self) -> usize {
        self.keys().into_iter().collect::<BTreeSet<_>>().len()
    }

    /// The service as it is by default, with something changed.
    pub fn service(&self, change: impl FnOnce(&mut Personality)) {
        let mut personality = Personality::default();
        change(&mut personality);
        self.sandbox.set_personality(personality);
    }

    /// Everything that was really sold.
    pub async fn ledger(&self) -> Vec<Sale> {
        self.sandbox.ledger().await.unwrap()
    }

    /// The contract of a transaction that was really sold.
    pub async fn contract_of(&self, transaction_id: &str) -> String {
        let mut sold = self.ledger().await.into_iter();
        let sale = sold.find(|sale| sale.transaction_id == transaction_id);
        sale.unwrap().contract_id
    }

    /// How often each transaction was really sold.
    pub async fn sold(&self) -> BTreeMap<String, usize> {
        let mut sold = BTreeMap::new();
        for Sale { transaction_id, .. } in self.ledger().await {
            *sold.entry(transaction_id).or_default() += 1;
        }
        sold
    }

    /// Asserts that exactly these sales were made, each once.
    pub async fn assert_sold_once(&self, rows: &[EntryDraft]) {
        let once = rows.iter().map(|row| (row.transaction_id.clone(), 1));
        assert_eq!(self.sold().await, once.collect());
    }

    /// Asserts that none of these texts is anywhere in the folder, in any form.
    pub fn assert_not_on_disk(&self, secrets: &[&str]) {
        let canaries: Vec<_> = secrets
            .iter()
            .map(|one| Canary::new("secret", one))
            .collect();
        assert_none(&search_tree(&canaries, self.folder.path(), &[]));
    }

    /// A file beside the desk's own.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The rows of a run that were left out, as the file to correct them in has them: without the
    /// last column, which is the reason.
    pub async fn given_back(&self, run: &str) -> Vec<Vec<String>> {
        let path = self.file("given-back.csv");
        let (existing, reason) = (Existing::Refuse, |_: &_| String::new());
        let written = self.bulk.write_rejected_rows(run, &path, existing, &reason);
        written.await.unwrap();
        let mut file = csv::Reader::from_path(&path).unwrap();
        let rows = file.records().map(|row| {
            let mut cells: Vec<_> = row.unwrap().iter().map(str::to_owned).collect();
            cells.pop();
            cells
        });
        rows.collect()
    }

    /// The desk's own file, as another program has it open.
    pub fn database(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.file("desk.db")).unwrap()
    }

    pub fn options(&self) -> DeskOptions {
        DeskOptions::new(self.folder.path().to_owned(), self.vault.clone())
    }

    /// A desk that only reads, beside this one.
    pub async fn reader(&self) -> Desk {
        Desk::open_to_read(self.options()).await.unwrap()
    }

    /// The same folder, vault and services with a new desk, as after a restart of the program.
    pub async fn restarted(self) -> Self {
        let stage = self.restarted_alone().await;
        stage.attach_practice();
        stage
    }

    /// The same, without the practice service.
    pub async fn restarted_alone(self) -> Self {
        self.reopened(|options| options).await
    }

    /// The same, by another clock than the machine's.
    pub async fn restarted_by(self, clock: Arc<dyn Clock>) -> Self {
        let stage = self.reopened(|options| DeskOptions { clock, ..options });
        let stage = stage.await;
        stage.attach_practice();
        stage
    }

    /// The same, opened otherwise.
    pub async fn reopened(self, with: impl FnOnce(DeskOptions) -> DeskOptions) -> Self {
        self.desk.close().await;
        let desk = DeskOptions::new(self.folder.path().to_owned(), self.vault.clone());
        let desk = Desk::open(with(desk)).await.unwrap();
        Self { desk, ..self }
    }
}

/// An answer of this status, to a request that did nothing.
pub fn status(status: u16) -> Action {
    Action::Status {
        status,
        retry_after: None,
        after_commit: false,
    }
}

/// An answer of this status, to a request that was carried out.
pub fn status_after_commit(status: u16) -> Action {
    Action::Status {
        status,
        retry_after: None,
        after_commit: true,
    }
}

/// The usual answer with one text in place of another.
pub fn instead(from: &str, to: &str) -> Action {
    Action::Replace {
        from: from.to_owned(),
        to: to.to_owned(),
    }
}

pub fn html() -> Action {
    verbatim(200, "text/html", "<!DOCTYPE html><html></html>")
}

/// An answer in these words, for a request that was not done.
pub fn verbatim(status: u16, content_type: &str, body: impl Into<String>) -> Action {
    Action::Verbatim {
        status,
        content_type: content_type.to_owned(),
        headers: Vec::new(),
        body: body.into(),
        after_commit: false,
    }
}

/// An answer that asks to wait so long.
pub fn too_many(retry_after: &str) -> Action {
    Action::Status {
        status: 429,
        retry_after: Some(retry_after.to_owned()),
        after_commit: false,
    }
}

/// An answer that the service is overloaded, and when it may be asked again.
pub fn busy(retry_after: &str) -> Action {
    Action::Verbatim {
        status: 503,
        content_type: "text/plain".into(),
        headers: vec![("retry-after".into(), retry_after.into())],
        body: String::new(),
        after_commit: false,
    }
}

/// An answer so many bytes at a time, with pauses of so many milliseconds.
pub fn drip(chunk_bytes: usize, pause_ms: u64) -> Action {
    Action::SlowDrip {
        chunk_bytes,
        pause_ms,
    }
}

/// A fault that each request of an operation meets.
pub fn always(operation: Operation, action: Action) -> Vec<Rule> {
    vec![Rule {
        operations: vec![operation],
        when: When::Always,
        action,
    }]
}

/// The machine's clock with a wall clock that somebody sets.
#[derive(Debug, Default)]
pub struct TestClock {
    machine: SystemClock,
    /// Seconds it goes before the machine's.
    ahead: AtomicI64,
    /// Seconds that have passed and did not on the machine.
    passed: AtomicU64,
    /// Whether the machine was started again since.
    started_anew: bool,
}

impl TestClock {
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// The clock after the machine was started again.
    pub fn started_anew() -> Arc<Self> {
        let started_anew = true;
        Arc::new(Self {
            started_anew,
            ..Self::default()
        })
    }

    pub fn set_ahead(&self, seconds: i64) {
        self.ahead.store(seconds, Ordering::SeqCst);
    }

    /// Advances the monotonic clock.
    pub fn pass(&self, seconds: u64) {
        self.passed.fetch_add(seconds, Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> DateTime<Utc> {
        self.machine.now() + TimeDelta::seconds(self.ahead.load(Ordering::SeqCst))
    }
    fn monotonic(&self) -> Duration {
        self.machine.monotonic() + Duration::from_secs(self.passed.load(Ordering::SeqCst))
    }
    fn counted_from(&self) -> Option<uuid::Uuid> {
        if self.started_anew {
            return Some(uuid::Uuid::from_u128(2));
        }
        self.machine.counted_from()
    }
}

/// Randomness that never makes a wait longer than it must be.
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

/// The same stage with a desk that waits no longer than it must.
pub async fn hasty(stage: Stage) -> Stage {
    let ids = Arc::new(Hasty);
    let stage = stage.reopened(|options| DeskOptions { ids, ..options });
    let stage = stage.await;
    stage.attach_practice();
    stage
}

pub async fn open(folder: &TempDir, vault: &Arc<MemoryVault>) -> Desk {
    open_by(Arc::new(SystemClock::default()), folder, vault).await
}

/// The same, by another clock than the machine's.
async fn open_by(clock: Arc<dyn Clock>, folder: &TempDir, vault: &Arc<MemoryVault>) -> Desk {
    Desk::open(DeskOptions {
        clock,
        ..DeskOptions::new(folder.path().to_owned(), vault.clone())
    })
    .await
    .unwrap()
}

async fn parrot(answers: &[(&str, &str)]) -> String {
    let answers: Vec<_> = answers
        .iter()
        .map(|(method, body)| ((*method).to_owned(), (*body).to_owned()))
        .collect();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut line, _)) = listener.accept().await {
            let mut asked = Vec::new();
            let mut piece = [0; 4096];
            // Bodies here are far smaller than one piece, so a request ends with a short read.
            loop {
                let length = line.read(&mut piece).await.unwrap_or(0);
                asked.extend_from_slice(&piece[..length]);
                if length < piece.len() {
                    break;
                }
            }
            let asked = String::from_utf8_lossy(&asked).into_owned();
            let body = answers
                .iter()
                .find(|(method, _)| asked.starts_with(method))
                .map_or("{}", |(_, body)| body.as_str());
            let answer = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\
                 content-length: {}\r\n\r\n{body}",
                body.len()
            );
            // Whoever asked may be gone.
            drop(line.write_all(answer.as_bytes()).await);
        }
    });
    format!("http://{address}")
}

pub fn product(reference: &str) -> ProductReference {
    ProductReference::new(reference).unwrap()
}

/// A product of which nothing but its reference is known.
pub fn hint(reference: &str) -> ProductHint {
    ProductHint::of_reference(product(reference))
}

pub fn plan(id: &str) -> PlanId {
    PlanId::new(id).unwrap()
}

/// Waits until a condition holds, and fails when it does not within a minute: long enough for a
/// machine that does much else, since only what never comes waits so long.
pub async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !holds().await {
        assert!(Instant::now() < deadline, "never came: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// A service as it is by one of the names that the sandbox knows.
pub fn named(name: &str) -> Personality {
    Personality::named(name).unwrap()
}
