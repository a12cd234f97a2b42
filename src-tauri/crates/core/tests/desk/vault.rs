//! A keychain that hangs, fails or answers too late: what the desk makes of it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, pending};
use tokio::sync::Barrier;
use warranty_core::api::Token;
use warranty_core::clock::{Clock, SystemClock};
use warranty_core::profile::{Display, TokenState};
use warranty_core::vault::{MemoryVault, Vault, VaultError};
use warranty_core::{Desk, DeskOptions, Error};

use crate::harness::{Stage, TestClock, until};
use crate::plans::Told;
use crate::sales;
use crate::steps::{Steps, refused};

/// How a [`Keychain`] answers.
#[derive(Debug, Clone, Default)]
pub enum Manner {
    /// At once.
    #[default]
    Well,
    /// Never.
    Never,
    /// Keeping is done after whoever asked has given up.
    KeepsTooLate,
    /// With this failure.
    Badly(VaultError),
    /// Only when so many calls are there at the same time.
    Together(Arc<Barrier>),
    /// As a session bus without one: it says that nothing is kept, and keeps nothing.
    Bare,
    /// It gives everything but what has a name that begins so.
    Without(&'static str),
}

/// A keychain in memory that can be told how to answer, and counts.
#[derive(Debug, Default)]
pub struct Keychain {
    manner: Mutex<Manner>,
    pub kept: MemoryVault,
    asked: Mutex<Vec<String>>,
    probes: AtomicUsize,
}

impl Keychain {
    pub fn be(&self, manner: Manner) {
        *self.manner.lock().unwrap() = manner;
    }

    fn manner(&self) -> Manner {
        self.manner.lock().unwrap().clone()
    }

    /// How often something was asked for whose name begins so.
    pub fn asked(&self, name: &str) -> usize {
        let asked = self.asked.lock().unwrap();
        asked.iter().filter(|one| one.starts_with(name)).count()
    }

    fn probes(&self) -> usize {
        self.probes.load(Ordering::SeqCst)
    }

    async fn answer(&self) -> Result<(), VaultError> {
        match self.manner() {
            Manner::Well | Manner::KeepsTooLate | Manner::Without(_) => Ok(()),
            Manner::Never => pending().await,
            Manner::Badly(error) => Err(error),
            Manner::Bare => Err(VaultError::Locked),
            Manner::Together(barrier) => {
                barrier.wait().await;
                Ok(())
            }
        }
    }
}

impl Vault for Keychain {
    fn token(&self, name: &str) -> BoxFuture<'_, Result<Option<Token>, VaultError>> {
        let name = name.to_owned();
        self.asked.lock().unwrap().push(name.clone());
        async move {
            let manner = self.manner();
            if matches!(manner, Manner::Bare) {
                return Ok(None);
            }
            if matches!(manner, Manner::Without(withheld) if name.starts_with(withheld)) {
                return Err(VaultError::Locked);
            }
            self.answer().await?;
            self.kept.token(&name).await
        }
        .boxed()
    }

    fn keep(&self, name: &str, token: Token) -> BoxFuture<'_, Result<(), VaultError>> {
        let name = name.to_owned();
        async move {
            let late = matches!(self.manner(), Manner::KeepsTooLate);
            self.answer().await?;
            self.kept.keep(&name, token).await?;
            if late { Err(VaultError::Slow) } else { Ok(()) }
        }
        .boxed()
    }

    fn forget(&self, name: &str) -> BoxFuture<'_, Result<(), VaultError>> {
        let name = name.to_owned();
        async move {
            self.answer().await?;
            self.kept.forget(&name).await
        }
        .boxed()
    }

    fn forget_later(&self, name: &str) {
        self.kept.forget_later(name);
    }

    fn probe(&self) -> BoxFuture<'_, Result<(), VaultError>> {
        self.probes.fetch_add(1, Ordering::SeqCst);
        self.answer().boxed()
    }
}

/// A desk over such a keychain, on the folder of a stage whose own desk is closed.
pub async fn over(stage: &Stage, keychain: &Arc<Keychain>, clock: Arc<dyn Clock>) -> Desk {
    stage.desk.clone().close().await;
    let options = DeskOptions {
        clock,
        ..DeskOptions::new(stage.folder.path().to_owned(), keychain.clone())
    };
    Desk::open(options).await.unwrap()
}

/// The same by the machine's clock, with a live profile.
pub async fn live_over(stage: &Stage, keychain: &Arc<Keychain>) -> Desk {
    let desk = over(stage, keychain, TestClock::new()).await;
    if desk.profiles.current().await.unwrap().is_none() {
        connect(&desk, stage).await;
    }
    desk
}

async fn connect(desk: &Desk, stage: &Stage) {
    let connected = desk.profiles.connect(stage.draft("本店"), stage.token());
    connected.await.unwrap();
}

/// A desk over such a keychain and a service; the folder lives as long as both.
struct Set {
    stage: Stage,
    keychain: Arc<Keychain>,
    desk: Desk,
}

async fn set() -> Set {
    set_by(Arc::new(SystemClock::default())).await
}

async fn set_by(clock: Arc<dyn Clock>) -> Set {
    let stage = Stage::empty().await;
    let keychain = Arc::new(Keychain::default());
    let desk = over(&stage, &keychain, clock).await;
    Set {
        stage,
        keychain,
        desk,
    }
}

async fn live() -> Set {
    connected(set().await).await
}

async fn connected(set: Set) -> Set {
    connect(&set.desk, &set.stage).await;
    set
}

#[tokio::test]
async fn a_first_look_asks_for_the_token_while_it_tries_the_keychain() {
    let set = live().await;
    // The token, the try and the high-water mark.
    set.keychain.be(Manner::Together(Arc::new(Barrier::new(3))));
    let status = tokio::time::timeout(Duration::from_secs(60), set.desk.status())
        .await
        .expect("one after the other")
        .unwrap();
    assert_eq!((status.token, status.keychain), (TokenState::Present, None));
}

#[tokio::test]
async fn a_keychain_that_works_is_tried_once_and_again_after_it_failed() {
    let set = live().await;
    for _ in 0..3 {
        assert_eq!(set.desk.status().await.unwrap().keychain, None);
    }
    assert_eq!(set.keychain.probes(), 1, "each try writes a secret");

    set.keychain.be(Manner::Badly(VaultError::Locked));
    for _ in 0..2 {
        let status = set.desk.status().await.unwrap();
        assert_eq!(
            (status.token, status.keychain),
            (TokenState::Unavailable, Some(VaultError::Locked))
        );
    }
    set.keychain.be(Manner::Well);
    let status = set.desk.status().await.unwrap();
    assert_eq!((status.token, status.keychain), (TokenState::Present, None));
    let tried = set.keychain.probes();
    set.desk.status().await.unwrap();
    assert_eq!(set.keychain.probes(), tried);
}

#[tokio::test]
async fn a_keychain_that_failed_is_not_asked_again_by_each_reading_of_the_day() {
    let set = live().await;
    assert!(set.desk.days.day(None).await.unwrap().closing.closed);
    let before = set.keychain.asked("");
    set.keychain.be(Manner::Badly(VaultError::Locked));
    for _ in 0..3 {
        assert!(!set.desk.days.day(None).await.unwrap().closing.closed);
    }
    assert_eq!(set.keychain.asked(""), before + 1);
    // Something else finds out that it works again.
    set.keychain.be(Manner::Well);
    let profile = set.desk.profile().await;
    let token = set.desk.profiles.token_state(&profile.id).await;
    assert_eq!(token.unwrap(), TokenState::Present);
    assert!(set.desk.days.day(None).await.unwrap().closing.closed);
}

#[tokio::test]
async fn practising_waits_for_no_keychain() {
    let set = set().await;
    set.keychain.be(Manner::Never);
    set.stage.attach_practice_to(&set.desk);
    set.desk
        .profiles
        .practise("練習".to_owned(), Display::default())
        .await
        .unwrap();
    let status = tokio::time::timeout(Duration::from_secs(60), set.desk.status())
        .await
        .expect("it waits for the keychain")
        .unwrap();
    assert_eq!((status.token, status.keychain), (TokenState::Present, None));
    assert_eq!(set.keychain.probes(), 0);
}

#[tokio::test]
async fn without_a_token_that_is_kept_in_time_neither_a_live_profile_nor_a_token_stays_behind() {
    for (manner, error) in [
        (Manner::Badly(VaultError::Locked), VaultError::Locked),
        (Manner::KeepsTooLate, VaultError::Slow),
    ] {
        let set = set().await;
        set.keychain.be(manner);
        let draft = set.stage.draft("本店");
        refused!(
            set.desk.profiles.connect(draft, set.stage.token()).await,
            Error::Vault(found) if *found == error
        );
        assert!(set.desk.profiles.all().await.unwrap().is_empty());
        assert!(set.keychain.kept.names().is_empty());
    }
}

#[tokio::test]
async fn a_token_that_may_be_kept_is_called_so_and_tried_at_once() {
    let set = live().await;
    let profile = set.desk.profile().await;
    set.desk.profiles.remove_token(&profile.id).await.unwrap();
    set.desk.register(&sales::sale(0)).await;
    let before = set.keychain.asked("");
    set.desk.outbox.start();
    until("the worker finds no token", async || {
        set.keychain.asked("") > before
    })
    .await;
    assert_eq!(set.stage.sent(), 0);

    set.keychain.be(Manner::KeepsTooLate);
    refused!(
        set.desk
            .profiles
            .set_token(&profile.id, set.stage.token())
            .await,
        Error::TokenNotConfirmed
    );
    until(
        "the sale, long before the worker looks by itself",
        async || set.stage.sent() == 1,
    )
    .await;
    let journal = set.desk.journal(20).await.unwrap();
    assert!(journal.iter().any(|line| line.action == "token.unanswered"));
}

#[tokio::test]
async fn a_token_whose_deletion_was_not_answered_in_time_is_said_to_be_perhaps_gone() {
    let set = live().await;
    let profiles = &set.desk.profiles;
    let id = set.desk.profile().await.id;
    set.keychain.be(Manner::Badly(VaultError::Slow));
    refused!(profiles.remove_token(&id).await, Error::TokenNotConfirmed);
    refused!(profiles.remove(&id).await, Error::TokenNotConfirmed);
    assert_eq!(profiles.all().await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_long_queue_asks_the_keychain_for_few_of_its_requests() {
    // A clock on which nothing takes any time.
    let now = SystemClock::default().now().timestamp();
    let set = connected(set_by(Arc::new(Told(now.into()))).await).await;
    set.desk.enter(&sales::sales(400)).await;
    let before = set.keychain.asked("");
    assert_eq!(set.desk.run().await.waiting, 0);
    assert_eq!(set.stage.sent(), 40);
    // The fourteen that were read first may each have asked.
    let asked = set.keychain.asked("") - before;
    assert!(asked <= 14, "{asked} times");

    let before = set.keychain.asked("");
    set.desk.enter(&sales::sales(401)[400..]).await;
    set.desk.run().await;
    assert!(
        set.keychain.asked("") > before,
        "nothing is kept when all is done"
    );
}
