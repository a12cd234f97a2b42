//! What a journey needs: one real window at a time, driven as a person would, with evidence kept
//! when it fails. Knows the pages' test ids and nothing of the program's code.

mod axe;
mod counter;
mod desk;
mod driver;
mod evidence;
mod hostile_service;
mod input;
mod keychain;
mod language;
mod page;
mod pdf;
mod processes;
mod service;
mod session_lock;

use std::panic::{AssertUnwindSafe, resume_unwind};

use std::time::Duration;

use futures::FutureExt;

pub use counter::Sale;
pub use desk::{Desk, Setup};
pub use hostile_service::HostileService;
pub use keychain::lose_the_keys_of_customers;
pub use language::Language;
pub use page::{PATIENCE, Stroke, UNTIL_REPEATED, typed, until, until_some, until_within};
pub use pdf::Pdf;
pub use service::Service;

/// Beyond it a journey stands still: the driver sometimes waits for a window that is no more.
const LONGEST: Duration = Duration::from_mins(6);

/// A journey of a person who speaks this language.
pub async fn journey_in(language: Language, play: impl AsyncFnOnce(&mut Desk)) {
    journey(Setup::speaking(language), play).await;
}

/// Opens a window with a new data folder, plays the journey in it and closes it.
///
/// When the journey fails, what the window showed is kept under `artifacts/failures`. When it
/// succeeds, the page must not have tried anything that its content policy forbids.
pub async fn journey(setup: Setup, play: impl AsyncFnOnce(&mut Desk)) {
    evidence::tell_failures_briefly();
    let lock = session_lock::take().await;
    let mut desk = Desk::open(setup).await;
    let played = AssertUnwindSafe(async {
        tokio::time::timeout(LONGEST, play(&mut desk))
            .await
            .expect("the journey comes to its end");
        desk.has_asked_for_nothing_forbidden().await;
    })
    .catch_unwind()
    .await;
    if let Err(failure) = played {
        evidence::keep(&desk).await;
        desk.close().await;
        drop(lock);
        resume_unwind(failure);
    }
    desk.close().await;
    drop(lock);
}
