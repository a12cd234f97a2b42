#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::*;
use crate::Store;
use crate::test_fixtures::{NOW, contract, moved, read, sent, store, taken};
use warranty_model::outbox::state::{Event, Route};
use warranty_model::outbox::{CaseReason, ResolutionKind};

fn decided(case: &Case, kind: &str, to: State) -> Settlement {
    Settlement {
        id: case.id.clone(),
        from: case.state,
        revision: case.batch.revision,
        to,
        at: NOW,
        contract: None,
        status: None,
        duplicate_possible: false,
        resolved: Some((kind.to_owned(), None)),
        dissolve: false,
        anew: Vec::new(),
        unsold: Vec::new(),
        lines: Vec::new(),
    }
}

async fn settled(store: &Store, settlement: Settlement) -> Settled {
    store
        .write_savepoint(move |transaction| settle(transaction, &settlement))
        .await
        .unwrap()
}

#[tokio::test]
async fn a_contract_of_another_entry_is_not_taken_in_again() {
    let (_folder, store) = store().await;
    sent(&store, 1, &["one"], Event::Accepted, &["c-1"]).await;
    sent(
        &store,
        2,
        &["two", "three"],
        Event::Accepted,
        &["c-1", "c-3"],
    )
    .await;
    let one = read(&store, "one").await;
    assert_eq!(one.state, State::Accepted);
    let two = read(&store, "two").await;
    assert_eq!(two.state, State::NeedsPerson(CaseReason::Contradiction));
    assert_eq!(two.contract_id, None);
    let three = read(&store, "three").await;
    assert_eq!(three.state, State::Accepted);
    assert_eq!(three.contract_id.unwrap().as_str(), "c-3");
    let told = store.journal_below(i64::MAX, 1).await.unwrap();
    assert_eq!(told[0].1.action, "outbox.contractTwice");
    assert_eq!(told[0].1.detail.as_deref(), Some("c-1"));
}

#[tokio::test]
async fn a_person_cannot_give_an_entry_the_contract_of_another() {
    let (_folder, store) = store().await;
    sent(&store, 1, &["one"], Event::Accepted, &["c-1"]).await;
    sent(&store, 2, &["two", "three"], Event::RejectedSeveral, &[]).await;
    let give = |case: &Case, id: &str| Settlement {
        contract: Some(contract(id)),
        ..decided(case, "giveContractId", State::Confirmed)
    };
    // Both were looked up before either was given.
    let (two, three) = (read(&store, "two").await, read(&store, "three").await);
    assert_eq!(settled(&store, give(&two, "c-1")).await, Settled::Claimed);
    assert_eq!(settled(&store, give(&two, "c-2")).await, Settled::Done);
    let three = Settlement {
        revision: three.batch.revision + 1,
        ..give(&three, "c-2")
    };
    assert_eq!(settled(&store, three).await, Settled::Claimed);
    assert_eq!(
        read(&store, "three").await.state,
        State::NeedsPerson(CaseReason::RejectedBatch)
    );
}

#[tokio::test]
async fn the_table_itself_refuses_one_contract_for_two_entries() {
    let (_folder, store) = store().await;
    sent(&store, 1, &["one"], Event::Accepted, &["c-1"]).await;
    sent(&store, 2, &["two"], Event::Accepted, &["c-2"]).await;
    let refused = store
        .call(|connection| connection.execute("UPDATE submission SET contract_id = 'c-1'", []))
        .await;
    assert!(refused.is_err());
}

/// A batch of two that was never answered, for a person.
async fn unanswered(store: &Store) {
    sent(store, 1, &["one", "two"], Event::Unclear, &[]).await;
    let unknown = read(store, "one").await;
    let over = moved(&unknown, Event::Due(Route::Other), &[]);
    assert!(taken(store, over).await);
}

#[tokio::test]
async fn a_decision_about_one_entry_ends_a_replay_read_before_it() {
    let (_folder, store) = store().await;
    unanswered(&store).await;
    let one = read(&store, "one").await;
    let replay = moved(
        &read(&store, "two").await,
        Event::Person(ResolutionKind::ReplayOnce),
        &[],
    );
    let none = decided(&one, "providerHasNone", State::Cancelled);
    assert_eq!(settled(&store, none).await, Settled::Done);
    assert!(
        !taken(&store, replay).await,
        "it would be sold a second time"
    );
    assert!(!read(&store, "two").await.batch.record.whole);
}

#[tokio::test]
async fn a_replay_ends_a_decision_about_one_entry_read_before_it() {
    let (_folder, store) = store().await;
    unanswered(&store).await;
    let one = read(&store, "one").await;
    let replay = moved(&one, Event::Person(ResolutionKind::ReplayOnce), &[]);
    assert!(taken(&store, replay).await);
    let none = decided(&one, "providerHasNone", State::Cancelled);
    assert_eq!(settled(&store, none).await, Settled::Moved);
}
