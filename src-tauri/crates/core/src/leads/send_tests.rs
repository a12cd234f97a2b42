//! A lead in flight whose outcome cannot be written.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::time::Instant;

use super::*;
use crate::outbox::Network;
use crate::{Desk, DeskOptions};
use warranty_runtime::clock::Clock;
use warranty_store::simulated_disk::{Fate, Medium};
use warranty_store::{leads, test_fixtures};
use warranty_vault::MemoryVault;

type Fates = Arc<Mutex<Vec<Fate>>>;

/// tokio's time, which a test does not wait for.
#[derive(Debug)]
struct Paused(Instant);

impl Clock for Paused {
    fn now(&self) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + self.monotonic()
    }
    fn monotonic(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A desk with one lead in flight, and what becomes of its next commits.
async fn desk() -> (Desk, Medium, Fates) {
    let fates = Fates::default();
    let next = Arc::clone(&fates);
    let medium = Medium::new(move || next.lock().unwrap().pop().unwrap_or(Fate::Kept));
    let options = DeskOptions {
        clock: Arc::new(Paused(Instant::now())),
        ..DeskOptions::new(PathBuf::new(), Arc::new(MemoryVault::default()))
    };
    let desk = Desk::open_on(&medium, options, Arc::new(Network))
        .await
        .unwrap();
    let store = &desk.context.store;
    let profile = test_fixtures::profile("profile", "https://sample.invalid");
    test_fixtures::keep(store, profile).await;
    let lead = "id = 'lead', state = 'inFlight', transaction_id = 'T-1'";
    test_fixtures::inserted(store, "lead", lead).await;
    (desk, medium, fates)
}

fn state(medium: &Medium) -> LeadState {
    let kept = medium.look(|connection| leads::one(connection, "lead").unwrap());
    kept.unwrap().view.state
}

#[tokio::test(start_paused = true)]
async fn a_leads_outcome_is_written_once_the_disk_takes_it_however_long_that_is() {
    for (refusals, closes) in [(2, false), (20, false), (6, true)] {
        let (desk, medium, fates) = desk().await;
        *fates.lock().unwrap() = vec![Fate::Full; refusals];
        let outcome = LeadOutcome::of(LeadState::Created);
        let action = outcome.state.action();
        let line = desk.context.journal_line(action, "lead", None);
        let guard = desk.context.work.begin_lead("lead", "profile");
        desk.leads.step_lead_with_retry("lead", outcome, line).await;
        drop(guard);
        if closes {
            desk.close().await;
        } else {
            desk.outbox.start();
            tokio::time::sleep(Duration::from_secs(600)).await;
        }
        assert_eq!(state(&medium), LeadState::Created);
    }
}

#[tokio::test(start_paused = true)]
async fn a_lead_left_in_flight_in_nobodys_hand_becomes_unknown() {
    let (desk, medium, fates) = desk().await;
    let guard = desk.context.work.begin_lead("lead", "profile");
    desk.outbox.start();
    tokio::time::sleep(Duration::from_secs(3600)).await;
    assert_eq!(state(&medium), LeadState::InFlight, "its task runs");
    // Also when the disk refuses that at first.
    *fates.lock().unwrap() = vec![Fate::Broken];
    drop(guard);
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(state(&medium), LeadState::Unknown);
}

#[tokio::test(start_paused = true)]
async fn a_created_lead_is_shown_with_its_token_before_the_disk_takes_it() {
    let (desk, medium, fates) = desk().await;
    let profile = desk.context.profile_by_id("profile").await.unwrap();
    let key = desk.leads.encryption.key_for(&profile).await.unwrap();
    let token = key.encrypt(AssociatedData::LeadToken("lead"), b"token");
    let outcome = LeadOutcome {
        token: Some(token.unwrap()),
        ..LeadOutcome::of(LeadState::Created)
    };
    let line = desk.context.journal_line("lead.created", "lead", None);
    *fates.lock().unwrap() = vec![Fate::Full; 20];
    desk.leads.step_lead_with_retry("lead", outcome, line).await;
    assert_eq!(state(&medium), LeadState::InFlight);
    let shown = desk.leads.lead("lead").await.unwrap();
    let token = shown.token.as_ref().map(|token| token.expose());
    assert_eq!((shown.state, token), (LeadState::Created, Some("token")));
}
