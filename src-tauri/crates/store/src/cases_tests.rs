use super::*;
use crate::batches::Move;
use crate::test_fixtures::{freeze, frozen, moved, now, read, sent, store};
use warranty_model::interface::ContractId;
use warranty_model::outbox::CaseReason;
use warranty_model::outbox::matching::Named;
use warranty_model::outbox::state::{Event, Route};

#[tokio::test]
async fn a_contract_of_another_entry_is_not_taken_in_again() {
    let (_folder, store) = store().await;
    sent(&store, 1, &["one"], Event::Accepted, &["c-1"]).await;
    let ids = ["two", "three"];
    sent(&store, 2, &ids, Event::Accepted, &["c-1", "c-3"]).await;
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
    let (_, attempts) = store.case_history(&two).await.unwrap();
    assert_eq!(attempts[0].detail.as_deref(), Some("c-1"));
}

#[tokio::test]
async fn another_server_may_give_the_id_of_a_contract_that_the_profile_has_from_its_former_one() {
    let (_folder, store) = store().await;
    sent(&store, 1, &["one"], Event::Accepted, &["c-1"]).await;
    let elsewhere = "UPDATE submission SET origin = 'https://test.sample.invalid'";
    assert_eq!(store.change(elsewhere, []).await.unwrap(), 1);
    sent(&store, 2, &["two"], Event::Accepted, &["c-1"]).await;
    let two = read(&store, "two").await;
    assert_eq!(two.state, State::Accepted);
    assert_eq!(two.contract_id.unwrap().as_str(), "c-1");
}

#[tokio::test]
async fn an_answer_in_part_names_no_contract_of_another_profile_of_the_store() {
    let (_folder, store) = store().await;
    sent(&store, 1, &["one"], Event::Accepted, &["c-1"]).await;
    let elsewhere = "UPDATE submission SET profile_id = 'other'";
    assert_eq!(store.change(elsewhere, []).await.unwrap(), 1);
    frozen(&store, freeze(2, &["two", "three"])).await;
    let begun = moved(&read(&store, "two").await, Event::Due(Route::Same), &[]);
    assert!(store.take_step(begun, now()).await.unwrap());
    let named = |place, id: &str, twice| Named {
        place,
        contract_id: ContractId::new(id).unwrap(),
        twice,
    };
    let in_part = Move {
        named: vec![named(0, "c-1", false), named(1, "c-3", true)],
        ..moved(&read(&store, "two").await, Event::InPart, &[])
    };
    assert!(store.take_step(in_part, now()).await.unwrap());
    assert_eq!(read(&store, "two").await.contract_id, None);
    let three = read(&store, "three").await;
    assert_eq!(three.contract_id.unwrap().as_str(), "c-3");
    assert!(three.duplicate_possible, "the answer named another one too");
}

#[tokio::test]
async fn the_table_itself_refuses_one_contract_for_two_entries() {
    let (_folder, store) = store().await;
    sent(&store, 1, &["one"], Event::Accepted, &["c-1"]).await;
    sent(&store, 2, &["two"], Event::Accepted, &["c-2"]).await;
    let twice = "UPDATE submission SET contract_id = 'c-1'";
    assert!(store.change(twice, []).await.is_err());
}
