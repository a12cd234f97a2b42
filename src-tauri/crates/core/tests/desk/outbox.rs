//! From the counter to the service: each sale once, whatever the answer.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;
use warranty_core::contracts::EntryFilter;
use warranty_core::notice::Notice;
use warranty_core::outbox::{
    AnswerClass, CaseReason, OutboxSummary, ResolutionKind, SubmissionState,
};
use warranty_core::overview::Connection;
use warranty_sandbox::{
    Action, AnswerOrder, Completeness, Operation, Personality, Rule, Visibility, When,
};

use crate::harness::{Stage, hasty, until};
use crate::sales::{
    assert_sold_once, enter, entered, id, keys, run, run_confirmed, run_until, sale, sales, sold,
    unknown_sale,
};

/// The service as it is, with contracts visible at once.
fn quick() -> Personality {
    Personality {
        visibility: Visibility::AfterMs(0),
        ..Personality::default()
    }
}

#[tokio::test]
async fn twenty_five_rows_are_sold_once_each_and_confirmed() {
    let stage = Stage::practising().await;
    let rows = sales(25);
    let report = enter(&stage.desk, &rows).await;
    assert_eq!((report.rows, report.entered), (25, 25));

    let summary = run_confirmed(&stage.desk).await;
    assert_eq!(
        summary,
        OutboxSummary {
            confirmed: 25,
            ..OutboxSummary::default()
        }
    );
    assert_sold_once(&stage.sandbox, &rows).await;
    assert_eq!(stage.arrived(Operation::BulkCreateContracts), 3);
    let keys = keys(&stage.sandbox);
    assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), 3);
    for key in keys {
        assert_eq!(Uuid::parse_str(&key).unwrap().get_version_num(), 4);
    }
    for entry in entered(&stage.desk).await {
        assert!(entry.contract_id.is_some() && entry.inquiry_code.is_some());
        assert_eq!(entry.attempts, 1);
        assert!(entry.product_title.is_some() && entry.plan_title.is_some());
    }
}

#[tokio::test]
async fn an_answer_dropped_after_the_commit_is_repeated_with_the_same_key_and_sold_once() {
    let stage = Stage::practising().await;
    stage.next(Operation::BulkCreateContracts, Action::DropAfterCommit);
    let rows = sales(3);
    enter(&stage.desk, &rows).await;
    let summary = run(&stage.desk).await;
    assert_eq!(summary.accepted, 3);
    assert_sold_once(&stage.sandbox, &rows).await;
    let keys = keys(&stage.sandbox);
    assert_eq!(keys.len(), 2);
    assert_eq!(keys[0], keys[1]);
    let case = stage
        .desk
        .outbox
        .case(&entered(&stage.desk).await[0].id)
        .await
        .unwrap();
    let classes: Vec<_> = case.attempts.iter().map(|attempt| attempt.class).collect();
    assert_eq!(
        classes,
        [Some(AnswerClass::Unknown), Some(AnswerClass::Accepted)]
    );
}

#[tokio::test]
async fn every_answer_that_is_no_answer_leaves_doubt_and_the_same_key_ends_it() {
    let faults = [
        Action::DropBeforeCommit,
        Action::Status {
            status: 500,
            after_commit: true,
        },
        Action::Status {
            status: 503,
            after_commit: false,
        },
        Action::HtmlWith200 { after_commit: true },
        Action::Redirect {
            status: 307,
            location: "http://127.0.0.1:9/".into(),
            after_commit: true,
        },
        Action::Truncate {
            keep_percent: 50,
            honest_length: true,
        },
        Action::Truncate {
            keep_percent: 50,
            honest_length: false,
        },
        Action::Oversize {
            bytes: 3 * 1024 * 1024,
        },
    ];
    for fault in faults {
        let stage = Stage::practising().await;
        stage.next(Operation::BulkCreateContracts, fault.clone());
        let rows = sales(2);
        enter(&stage.desk, &rows).await;
        let summary = run(&stage.desk).await;
        assert_eq!(summary.accepted, 2, "{fault:?}");
        assert_sold_once(&stage.sandbox, &rows).await;
        let keys = keys(&stage.sandbox);
        assert_eq!((keys.len(), &keys[0]), (2, &keys[1]), "{fault:?}");
    }
}

#[tokio::test]
async fn an_answer_that_does_not_account_for_everything_is_not_believed_nor_asked_for_again() {
    for completeness in [
        Completeness::Partial(1),
        Completeness::Doubled(1),
        Completeness::Foreign(1),
    ] {
        let stage = Stage::practising().await;
        stage.sandbox.set_personality(Personality {
            completeness,
            ..quick()
        });
        enter(&stage.desk, &sales(3)).await;
        assert_eq!(run(&stage.desk).await.needs_person, 3, "{completeness:?}");
        assert_eq!(stage.arrived(Operation::BulkCreateContracts), 1);
        assert!(sold(&stage.sandbox).await.values().all(|sold| *sold == 1));
    }
}

#[tokio::test]
async fn a_shuffled_answer_gives_each_entry_its_own_contract() {
    let stage = Stage::practising().await;
    stage.sandbox.set_personality(Personality {
        answer_order: AnswerOrder::Shuffled,
        ..quick()
    });
    let rows = sales(10);
    enter(&stage.desk, &rows).await;
    assert_eq!(run_confirmed(&stage.desk).await.confirmed, 10);
    let sold: BTreeMap<String, String> = stage
        .sandbox
        .ledger()
        .await
        .unwrap()
        .into_iter()
        .map(|sale| (sale.transaction_id, sale.contract_id))
        .collect();
    for entry in entered(&stage.desk).await {
        assert_eq!(
            entry.contract_id.unwrap().as_str(),
            sold[&entry.transaction_id]
        );
    }
}

#[tokio::test]
async fn a_refused_token_holds_the_lane_and_a_new_one_frees_it() {
    let stage = Stage::empty().await;
    let wrong = warranty_core::api::Token::new("not-the-token").unwrap();
    let profile = stage
        .desk
        .profiles
        .connect(stage.draft("本店"), wrong)
        .await
        .unwrap();
    let rows = sales(60);
    assert_eq!(enter(&stage.desk, &rows).await.entered, 60);
    let summary = run(&stage.desk).await;
    assert!(summary.held > 0);
    assert_eq!(summary.held + summary.waiting, 60);
    let asked = stage.arrived(Operation::BulkCreateContracts);
    assert!(asked <= 4, "{asked} requests with a refused token");
    run(&stage.desk).await;
    assert_eq!(stage.arrived(Operation::BulkCreateContracts), asked);

    stage
        .desk
        .profiles
        .set_token(&profile.id, stage.token())
        .await
        .unwrap();
    assert_eq!(run_confirmed(&stage.desk).await.confirmed, 60);
    assert_sold_once(&stage.sandbox, &rows).await;
}

#[tokio::test]
async fn what_was_held_goes_after_a_restart_with_another_token() {
    let stage = Stage::empty().await;
    let wrong = warranty_core::api::Token::new("not-the-token").unwrap();
    let profile = stage
        .desk
        .profiles
        .connect(stage.draft("本店"), wrong)
        .await
        .unwrap();
    enter(&stage.desk, &sales(2)).await;
    assert_eq!(run(&stage.desk).await.held, 2);
    let stage = stage.restarted().await;
    assert_eq!(run(&stage.desk).await.held, 2);
    stage
        .desk
        .profiles
        .set_token(&profile.id, stage.token())
        .await
        .unwrap();
    let stage = stage.restarted().await;
    assert_eq!(run(&stage.desk).await.accepted, 2);
}

#[tokio::test]
async fn a_rate_limit_is_waited_out() {
    let stage = Stage::practising().await;
    stage.next(
        Operation::BulkCreateContracts,
        Action::TooManyRequests {
            retry_after: Some("1".into()),
        },
    );
    // At the counter: rows wait longer, so that not all desks return at once.
    let rows = sales(1);
    let entered = stage.desk.contracts.register(&id(), &rows[0], &[]).await;
    entered.unwrap();
    let began = std::time::Instant::now();
    assert_eq!(run(&stage.desk).await.accepted, 1);
    assert!(began.elapsed() >= std::time::Duration::from_secs(1));
    assert_eq!(stage.arrived(Operation::BulkCreateContracts), 2);
    assert_sold_once(&stage.sandbox, &rows).await;
}

#[tokio::test]
async fn a_contract_that_never_shows_is_looked_for_and_never_sent_again() {
    let stage = Stage::practising().await;
    stage.sandbox.set_personality(Personality {
        visibility: Visibility::Never,
        ..Personality::default()
    });
    let rows = sales(2);
    enter(&stage.desk, &rows).await;
    let summary = run_until(&stage.desk, true, 5).await;
    assert_eq!(summary.accepted, 2);
    assert!(stage.arrived(Operation::GetContract) >= 2);
    assert_eq!(stage.arrived(Operation::BulkCreateContracts), 1);
    let entry = &entered(&stage.desk).await[0];
    assert!(entry.next_at.is_some());
    let case = stage.desk.outbox.case(&entry.id).await.unwrap();
    assert_eq!(case.resolutions, []);
}

#[tokio::test]
async fn one_stuck_batch_does_not_keep_the_others() {
    let stage = Stage::practising().await;
    stage.next(
        Operation::BulkCreateContracts,
        Action::SlowDrip {
            chunk_bytes: 1,
            pause_ms: 1_000,
        },
    );
    stage.desk.outbox.start();
    enter(&stage.desk, &sales(100)).await;
    until("all but one batch", async || {
        stage.desk.outbox.summary().await.unwrap().accepted >= 90
    })
    .await;
    let summary = stage.desk.outbox.summary().await.unwrap();
    assert_eq!(summary.waiting, 10, "{summary:?}");
}

#[tokio::test]
async fn a_refused_single_entry_says_why_and_an_edited_one_takes_its_place() {
    let stage = Stage::practising().await;
    unchecked(&stage, 1);
    let view = stage
        .desk
        .contracts
        .register(&id(), &unknown_sale(1), &[])
        .await
        .unwrap();
    assert_eq!(run(&stage.desk).await.rejected, 1);
    let case = stage.desk.outbox.case(&view.id).await.unwrap();
    assert_eq!(case.submission.state, SubmissionState::Rejected);
    assert!(case.submission.refusal.is_some() && case.submission.request_id.is_some());
    assert_eq!(
        case.resolutions,
        [ResolutionKind::Edit, ResolutionKind::Cancel]
    );

    let mended = warranty_core::outbox::Resolution::Edit {
        draft: Box::new(sale(1)),
        confirmed: Vec::new(),
    };
    let anew = stage.desk.outbox.resolve(&view.id, mended).await.unwrap();
    assert_eq!(anew.replaces.as_deref(), Some(view.id.as_str()));
    assert_eq!(run_confirmed(&stage.desk).await.confirmed, 1);
    assert_sold_once(&stage.sandbox, &[sale(1)]).await;
    let old = stage.desk.outbox.case(&view.id).await.unwrap();
    assert_eq!(old.submission.state, SubmissionState::Cancelled);
    assert_eq!(old.replaced_by, Some(anew.submission.id));
    let keys = keys(&stage.sandbox);
    assert_ne!(keys[0], keys[1], "a mended entry is another request");
}

#[tokio::test]
async fn a_refused_batch_of_several_needs_a_person_while_nobody_knows_what_was_made() {
    let stage = Stage::practising().await;
    stage.next(
        Operation::BulkCreateContracts,
        Action::Status {
            status: 400,
            after_commit: false,
        },
    );
    enter(&stage.desk, &sales(4)).await;
    let summary = run(&stage.desk).await;
    assert_eq!(summary.needs_person, 4);
    for entry in entered(&stage.desk).await {
        assert_eq!(entry.case, Some(CaseReason::RejectedBatch));
    }
    assert_eq!(stage.arrived(Operation::BulkCreateContracts), 1);
}

#[tokio::test]
async fn an_unchecked_row_that_is_refused_takes_no_other_with_it() {
    let stage = Stage::practising().await;
    unchecked(&stage, 4);
    let mut rows = sales(3);
    rows.push(unknown_sale(3));
    enter(&stage.desk, &rows).await;
    let summary = run_confirmed(&stage.desk).await;
    assert_eq!((summary.confirmed, summary.rejected), (3, 1));
    assert_sold_once(&stage.sandbox, &rows[..3]).await;
}

#[tokio::test]
async fn a_refused_batch_is_plainly_rejected_where_the_provider_makes_all_or_nothing() {
    let (stage, profile) = Stage::live().await;
    let mut draft = stage.draft("本店");
    draft.facts.bulk = warranty_core::profile::BulkFact::AllOrNothing;
    stage
        .desk
        .profiles
        .change(&profile.id, draft)
        .await
        .unwrap();
    unchecked(&stage, 2);
    enter(&stage.desk, &[sale(0), unknown_sale(1)]).await;
    assert_eq!(run(&stage.desk).await.rejected, 2);
    assert!(sold(&stage.sandbox).await.is_empty());
}

#[tokio::test]
async fn listeners_hear_which_entries_changed_and_whether_the_service_is_there() {
    let stage = Stage::practising().await;
    let mut notices = stage.desk.notices();
    stage.desk.outbox.start();
    let sold = id();
    stage
        .desk
        .contracts
        .register(&sold, &sale(0), &[])
        .await
        .unwrap();
    let mut connection = None;
    let mut states = Vec::new();
    let heard = async {
        loop {
            match notices.recv().await.unwrap() {
                Notice::OutboxChanged { summary, changed } => {
                    assert_eq!(changed, Some(vec![sold.clone()]));
                    states.push(summary.clone());
                    if summary.confirmed == 1 {
                        break;
                    }
                }
                Notice::OverviewChanged { overview, .. } => connection = Some(overview.connection),
                Notice::RefreshProgress { .. }
                | Notice::BlockerChanged { .. }
                | Notice::RescueFound
                | Notice::OverviewLost
                | Notice::RunProgressed { .. } => {}
            }
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(15), heard)
        .await
        .unwrap();
    assert_eq!(connection, Some(Connection::Connected));
    assert!(states.iter().any(|summary| summary.waiting == 1));
    assert!(states.iter().any(|summary| summary.accepted == 1));
    let of = async |ids: &[&str]| {
        let ids = ids.iter().map(|&id| id.to_owned()).collect();
        let filter = EntryFilter {
            limit: 10,
            ids,
            ..EntryFilter::default()
        };
        stage.desk.contracts.submissions(&filter).await.unwrap()
    };
    assert_eq!(of(&[&sold, "another"]).await.len(), 1);
    assert!(of(&["another"]).await.is_empty());
}

#[tokio::test]
async fn entries_are_found_by_what_people_remember_of_them() {
    let stage = Stage::practising().await;
    enter(&stage.desk, &sales(12)).await;
    run(&stage.desk).await;
    let contract_id = entered(&stage.desk).await[4].contract_id.clone().unwrap();
    let find = async |text: &str| {
        let filter = EntryFilter {
            text: text.to_owned(),
            limit: 100,
            ..EntryFilter::default()
        };
        stage
            .desk
            .contracts
            .submissions(&filter)
            .await
            .unwrap()
            .into_iter()
            .map(|entry| entry.transaction_id)
            .collect::<Vec<_>>()
    };
    assert_eq!(find("t-00004").await, ["T-00004"]);
    assert_eq!(find("見本 4子").await, ["T-00004"]);
    assert_eq!(find("customer4@").await, ["T-00004"]);
    assert_eq!(find(contract_id.as_str()).await, ["T-00004"]);
    assert_eq!(find("customer Ｔ－0001").await, ["T-00011", "T-00010"]);
    assert!(find("100%").await.is_empty());
    assert!(find("_").await.is_empty());
    let filter = EntryFilter {
        states: vec![SubmissionState::Confirmed],
        limit: 100,
        ..EntryFilter::default()
    };
    assert!(
        stage
            .desk
            .contracts
            .submissions(&filter)
            .await
            .unwrap()
            .is_empty()
    );
}

/// The next so many checks go unanswered, so that entries are made unchecked.
fn unchecked(stage: &Stage, times: u32) {
    stage.next_times(
        Operation::GetPlan,
        Action::Status {
            status: 500,
            after_commit: false,
        },
        times,
    );
}

#[tokio::test]
async fn a_service_that_always_fails_is_asked_six_times_and_then_a_person() {
    let stage = hasty(Stage::practising().await).await;
    stage.sandbox.set_personality(Personality {
        faults: vec![Rule {
            operations: vec![Operation::BulkCreateContracts],
            when: When::Always,
            action: Action::Status {
                status: 500,
                after_commit: true,
            },
        }],
        ..quick()
    });
    let rows = sales(1);
    enter(&stage.desk, &rows).await;
    let summary = run(&stage.desk).await;
    assert_eq!(summary.needs_person, 1);
    let keys = keys(&stage.sandbox);
    assert_eq!(keys.len(), 6);
    assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), 1);
    assert_sold_once(&stage.sandbox, &rows).await;
    let entry = &entered(&stage.desk).await[0];
    assert_eq!(entry.case, Some(CaseReason::UnknownTooLong));
}
