//! Who sells on a shared computer.

use warranty_core::staff::{StaffPolicy, StaffState};
use warranty_core::{Error, Field};

use crate::harness::Stage;
use crate::runs::started;
use crate::sales::{sale, sales};
use crate::steps::Steps;

const ID: &str = "7d9f3b52-6a0e-4c55-9d0a-1f1d4b8f2a10";

async fn state(stage: &Stage) -> StaffState {
    stage.status().await.unwrap().staff
}

#[tokio::test]
async fn what_is_entered_under_a_staff_code_is_that_persons_in_list_journal_and_day() {
    let stage = Stage::practising().await;
    let staff = &stage.staff;
    staff.change_policy(StaffPolicy::PerSale).await.unwrap();
    staff.enter(Some(" ４２ ")).unwrap();
    let sold = stage.register_under(ID, &sale(1), &[]).await.unwrap();
    assert_eq!(sold.entered_by, "42");
    let journal = stage.journal(1).await.unwrap();
    assert_eq!(journal[0].user, "42");
    let day = stage.days.day(None).await.unwrap();
    assert_eq!(day.by_staff[0].name.as_deref(), Some("42"));
    // The person of the sale before does not sell the next one.
    staff.enter(None).unwrap();
    let other = "8d9f3b52-6a0e-4c55-9d0a-1f1d4b8f2a10";
    let next = stage.register_under(other, &sale(2), &[]).await.unwrap();
    assert_ne!(next.entered_by, "42");
}

#[tokio::test]
async fn the_policy_is_the_profiles_and_the_code_ends_with_the_process_and_the_profile() {
    let stage = Stage::practising().await;
    assert_eq!(state(&stage).await, StaffState::default());
    let policy = StaffPolicy::PerStart;
    stage.staff.change_policy(policy).await.unwrap();
    stage.staff.enter(Some("42")).unwrap();
    let code = Some("42".to_owned());
    assert_eq!(state(&stage).await, StaffState { policy, code });
    let stage = stage.restarted().await;
    assert_eq!(state(&stage).await, StaffState { policy, code: None });

    stage.staff.enter(Some("42")).unwrap();
    stage.connect("本店").await;
    assert_eq!(state(&stage).await, StaffState::default());
}

#[tokio::test]
async fn a_code_that_cannot_be_one_is_refused_at_its_field() {
    let stage = Stage::practising().await;
    assert!(matches!(
        stage.staff.enter(Some(" ")),
        Err(Error::Input(problems)) if problems[0].field == Field::StaffCode
    ));
}

#[tokio::test]
async fn rows_are_of_the_person_who_handed_them_in_whoever_sells_while_they_are_entered() {
    let stage = Stage::practising().await;
    let staff = &stage.staff;
    staff.change_policy(StaffPolicy::PerStart).await.unwrap();
    staff.enter(Some("17")).unwrap();
    let run = started(&stage, &sales(2)).await;
    staff.enter(Some("42")).unwrap();
    stage.enter_rows(&run.id).await;
    for entry in stage.entered().await {
        assert_eq!(entry.entered_by, "17");
    }
    let journal = stage.journal(20).await.unwrap();
    let entered = journal
        .iter()
        .find(|line| line.action == "contracts.entered");
    assert_eq!(entered.unwrap().user, "17");
}
