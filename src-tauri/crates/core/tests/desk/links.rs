//! Linking plans: what is written, what is proven, and what stays in doubt.

use warranty_core::api::{self, PlanId, PlanUpdate, Stated};
use warranty_core::export::List;
use warranty_core::{Error, Field, Operation, Problem};
use warranty_sandbox::{
    Action,
    Operation::{GetPlan, UpdatePlan},
    Rule, When, sample,
};

use crate::harness::{
    Stage, always, busy, drip, instead, plan, status, status_after_commit, until,
};
use crate::lists::written;
use crate::steps::{Steps, failed, problems, refused};

#[tokio::test]
async fn a_link_is_written_once_and_proven_by_reading_again() {
    let stage = Stage::practising().await;
    let id = plan(sample::REFRIGERATOR_PLAN_10_YEARS);
    let report = stage.link(&id, " ＮＥＷ-10 ", None).await;
    assert_eq!(report.plan.store_reference().as_deref(), Some("NEW-10"));
    assert_eq!(report.previous, None);
    assert!(report.also_used_by.is_empty());
    assert_eq!(stage.arrived(UpdatePlan), 1);
    assert_eq!(stage.arrived(GetPlan), 2);
    let cached = stage.plans.cached_plan(&id).await.unwrap().unwrap();
    assert_eq!(cached.plan.store_reference().as_deref(), Some("NEW-10"));
    let journal = stage.journal(5).await.unwrap();
    assert!(
        journal
            .iter()
            .any(|line| line.action == "plan.linked" && line.subject == id.as_str())
    );

    // The same link again changes nothing. A reference that the caller did not know of is not overwritten,
    // and another plan with the same reference is named.
    stage.link(&id, "NEW-10", None).await;
    refused!(
        stage.try_link(&id, "OURS", None).await,
        Error::ChangedMeanwhile { current: Some(current) } if current == "NEW-10"
    );
    assert_eq!(stage.arrived(UpdatePlan), 1);
    let other = plan(sample::REFRIGERATOR_PLAN_5_YEARS);
    let before = stage.plans.open(&other).await.unwrap();
    let before = before.plan.store_reference();
    let report = stage.link(&other, "NEW-10", before.as_deref()).await;
    assert_eq!(report.previous, before);
    assert_eq!(report.also_used_by, std::slice::from_ref(&id));
    // As it is written, in whatever width it is typed.
    for typed in ["NEW-10", " ＮＥＷ-10"] {
        let used_by = stage.plans.store_reference_used_by(typed).await;
        assert_eq!(used_by.unwrap(), [id.clone(), other.clone()], "{typed}");
    }
}

/// An answer that gives a plan this reference, in JSON.
fn with_reference(id: &PlanId, reference: &str) -> Action {
    let plan = format!("\"id\":\"{id}\",");
    instead(&plan, &format!("{plan}\"storeReferenceId\":{reference},"))
}

#[tokio::test]
async fn a_reference_that_is_not_understood_is_shown_as_it_came_and_is_nothing_to_write() {
    for odd in ["4711", "{}", "false"] {
        let stage = Stage::practising().await;
        let id = plan(sample::REFRIGERATOR_PLAN_10_YEARS);
        stage.service(|it| it.faults = always(GetPlan, with_reference(&id, odd)));
        stage.plans.open(&id).await.unwrap();
        let cached = stage.plans.cached_plan(&id).await.unwrap().unwrap().plan;
        let not_understood = Stated::NotUnderstood(odd.to_owned());
        assert_eq!(cached.store_reference_id, not_understood);
        assert!(cached.is_linked());
        let shown = serde_json::to_value(&cached).unwrap();
        assert_eq!(shown["storeReferenceId"], odd);
        // An exported list may be imported again.
        let list = List::Plans {
            text: id.as_str().to_owned(),
            shown: Vec::new(),
        };
        let (path, _) = written(&stage, &list, "plans.csv").await;
        let file = std::fs::read_to_string(path).unwrap();
        assert!(file.contains(&format!("\r\n\"{id}\",\"\",")), "{file}");
        for expected in [None, Some(odd)] {
            let link = stage.try_link(&id, "REF-9", expected).await;
            let problem = (Field::StoreReferenceId, Problem::ReplacesNotUnderstood);
            assert_eq!(problems(link), [problem]);
        }
        assert_eq!(stage.arrived(UpdatePlan), 0);
    }
}

#[tokio::test]
async fn the_journal_keeps_no_more_of_a_replaced_reference_than_of_other_texts() {
    let former = "R".repeat(5_000);
    let stage = Stage::practising().await;
    let id = plan(sample::REFRIGERATOR_PLAN_10_YEARS);
    let former_in_json = format!("\"{former}\"");
    stage.next(GetPlan, with_reference(&id, &former_in_json));
    stage.link(&id, "REF-9", Some(&former)).await;
    for line in stage.journal(2).await.unwrap() {
        let kept = format!("REF-9 <- {}", &former[..1_000]);
        assert_eq!(line.detail, Some(kept), "{}", line.action);
    }
}

#[tokio::test]
async fn a_link_in_doubt_is_looked_at_before_it_is_repeated() {
    let stage = Stage::practising().await;
    let id = plan(sample::REFRIGERATOR_PLAN_10_YEARS);
    // Done, and the answer lost or an error: reading shows it, nothing is repeated. Not done: reading shows
    // the old one, and it is repeated.
    for (action, known, wanted, arrived) in [
        (Action::DropAfterCommit, None, "ONE", 1),
        (status_after_commit(500), Some("ONE"), "SHOWN", 2),
        (Action::DropBeforeCommit, Some("SHOWN"), "TWO", 4),
    ] {
        stage.next(UpdatePlan, action);
        let report = stage.link(&id, wanted, known).await;
        assert_eq!(report.plan.store_reference().as_deref(), Some(wanted));
        assert_eq!(stage.arrived(UpdatePlan), arrived);
    }
    // Never done: the plan says what it is now.
    stage.next_times(UpdatePlan, Action::DropBeforeCommit, 10);
    let failed = stage.try_link(&id, "THREE", Some("TWO")).await;
    assert!(matches!(
        &failed,
        Err(Error::NotProven { current: Some(now), answer: Some(api::Error::NoAnswer(_)) })
            if now == "TWO"
    ));
    assert_eq!(last_action(&stage).await, "plan.linkUnknown");
    assert_eq!(stage.arrived(UpdatePlan), 7);
}

#[tokio::test]
async fn a_link_answered_with_a_wish_to_wait_is_not_repeated_within_it() {
    let stage = Stage::practising().await;
    let id = plan(sample::REFRIGERATOR_PLAN_10_YEARS);
    stage.next(UpdatePlan, busy("60"));
    refused!(
        stage.try_link(&id, "REF", None).await,
        Error::NotProven {
            current: None,
            answer: Some(_)
        }
    );
    assert_eq!(stage.arrived(UpdatePlan), 1);
}

#[tokio::test]
async fn a_refused_link_is_not_repeated_and_an_empty_one_is_not_sent() {
    let stage = Stage::practising().await;
    let id = plan(sample::REFRIGERATOR_PLAN_10_YEARS);
    stage.next(UpdatePlan, status(400));
    assert_eq!(
        failed(stage.try_link(&id, "REF", None).await),
        Operation::UpdatePlan
    );
    assert_eq!(stage.arrived(UpdatePlan), 1);
    assert_eq!(last_action(&stage).await, "plan.notLinked");
    let empty = stage.try_link(&id, " ", None).await;
    assert!(matches!(
        empty,
        Err(Error::Input(problems)) if problems[0].field == Field::StoreReferenceId
    ));
    assert_eq!(
        failed(stage.try_link(&plan("no-such-plan"), "REF", None).await),
        Operation::GetPlan
    );
    assert_eq!(stage.arrived(UpdatePlan), 1);
}

#[tokio::test]
async fn an_accepted_link_that_reading_does_not_show_is_not_called_done() {
    let stage = Stage::answered(&[
        ("PUT", r#"{"id":"p-1","storeReferenceId":"WANTED"}"#),
        ("GET", r#"{"plan":{"id":"p-1","storeReferenceId":""}}"#),
    ])
    .await;
    refused!(
        stage.try_link(&plan("p-1"), "WANTED", None).await,
        Error::NotProven {
            current: None,
            answer: None
        }
    );
}

async fn last_action(stage: &Stage) -> String {
    stage.actions(1).await.remove(0)
}

#[tokio::test]
async fn a_write_is_called_neither_done_nor_undone_when_the_plan_cannot_be_read_again() {
    let id = plan(sample::REFRIGERATOR_PLAN_10_YEARS);
    for lost in [true, false] {
        let stage = Stage::practising().await;
        // Only the first reading is answered.
        stage.service(|it| {
            it.faults = vec![Rule {
                operations: vec![GetPlan],
                when: When::Nth(2),
                action: status(500),
            }]
        });
        if lost {
            stage.next(UpdatePlan, Action::DropAfterCommit);
        }
        let answer = stage.try_link(&id, "ONE", None).await;
        let not_answered = matches!(
            &answer,
            Err(Error::Service {
                operation: Operation::UpdatePlan,
                source: api::Error::NoAnswer(_),
            })
        );
        let not_read = matches!(&answer, Err(Error::NotReadAgain(_)));
        assert_eq!((not_answered, not_read), (lost, !lost), "{answer:?}");
        assert_eq!(last_action(&stage).await, "plan.linkUnknown");
    }
}

#[tokio::test]
async fn a_reference_that_is_kept_otherwise_than_sent_is_not_called_unchanged() {
    let stage = Stage::practising().await;
    let id = plan(sample::REFRIGERATOR_PLAN_10_YEARS);
    // The answer takes a while, in which someone else writes over it.
    stage.next(UpdatePlan, drip(1_000_000, 1500));
    let (desk, ours, profile) = (stage.desk.clone(), id.clone(), stage.profile().await);
    let link = tokio::spawn(async move { desk.plans.link(&profile.id, &ours, "OURS", None).await });
    until("the write", async || stage.arrived(UpdatePlan) == 1).await;
    let theirs = PlanUpdate {
        store_reference_id: "THEIRS".to_owned(),
    };
    until("it is there", async || {
        let read = stage.someone_else().get_plan(&id).await.unwrap();
        read.value.plan.store_reference().as_deref() == Some("OURS")
    })
    .await;
    stage
        .someone_else()
        .update_plan(&id, &theirs)
        .await
        .unwrap();
    let ended = link.await.unwrap();
    assert!(matches!(&ended, Err(Error::NotProven { current: Some(now), .. }) if now == "THEIRS"));
}

#[tokio::test]
async fn a_reference_that_the_service_keeps_with_white_space_can_be_replaced() {
    let stage = Stage::practising().await;
    let id = plan(sample::REFRIGERATOR_PLAN_10_YEARS);
    stage.link(&id, "OLD", None).await;
    for known in ["OLD ", "OLD"] {
        stage.next(GetPlan, instead("\"OLD\"", "\"OLD \""));
        let report = stage.link(&id, "NEW", Some(known)).await;
        assert_eq!(report.previous.as_deref(), Some("OLD "));
        stage.link(&id, "OLD", Some("NEW")).await;
    }
}

#[tokio::test]
async fn an_answer_about_another_plan_proves_no_link() {
    let stage = Stage::answered(&[(
        "GET",
        r#"{"plan":{"id":"p-2","storeReferenceId":"WANTED"}}"#,
    )])
    .await;
    let linked = stage.try_link(&plan("p-1"), "WANTED", None).await;
    assert_eq!(failed(linked), Operation::GetPlan);
    assert!(stage.plans.open(&plan("p-1")).await.is_err());
}
