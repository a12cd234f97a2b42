//! From the counter to the service: each sale once, whatever the answer.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;
use warranty_core::notice::Notice;
use warranty_core::outbox::{CaseReason, OutboxSummary};
use warranty_core::overview::Connection;
use warranty_sandbox::{
    AnswerOrder,
    Operation::{BulkCreateContracts, GetPlan},
    Visibility,
};

use crate::harness::{Stage, drip, instead, status, until};
use crate::sales::{id, sale, sales, unknown_sale};
use crate::steps::{Steps, with};

#[tokio::test]
async fn an_answer_with_other_amounts_is_a_persons_and_keeps_its_contract() {
    let stage = Stage::practising().await;
    let (total, price) = (sale(0).transaction_total, sale(0).product_purchase_price);
    for (number, (field, sent, said)) in [
        ("transactionTotal", &total, "\"1\""),
        ("transactionTotal", &total, "1"),
        ("purchasePrice", &price, "1.5"),
    ]
    .into_iter()
    .enumerate()
    {
        let [sent, other] = [sent.as_str(), said].map(|value| format!("\"{field}\":{value},"));
        stage.next(BulkCreateContracts, instead(&sent, &other));
        let draft = with(sale(0), |it| it.transaction_id = format!("T-{number}"));
        let id = stage.register(&draft).await.id;
        stage.run().await;
        let entry = stage.submission(&id).await;
        assert_eq!(
            entry.case,
            Some(CaseReason::Contradiction),
            "{field} {said}"
        );
        assert!(entry.contract_id.is_some(), "{field} {said}");
    }
}

#[tokio::test]
async fn twenty_five_rows_are_sold_once_each_and_a_shuffled_answer_gives_each_its_own_contract() {
    let stage = Stage::practising().await;
    stage.service(|it| {
        it.answer_order = AnswerOrder::Shuffled;
        it.visibility = Visibility::AfterMs(0);
    });
    let rows = sales(25);
    stage.enter(&rows).await;
    let summary = stage.run_confirmed().await;
    assert_eq!(
        summary,
        OutboxSummary {
            confirmed: 25,
            ..OutboxSummary::default()
        }
    );
    stage.assert_sold_once(&rows).await;
    let keys: BTreeSet<String> = stage.keys().into_iter().collect();
    assert_eq!((stage.sent(), keys.len()), (3, 3));
    for key in keys {
        assert_eq!(Uuid::parse_str(&key).unwrap().get_version_num(), 4);
    }
    let sold: BTreeMap<String, String> = stage
        .ledger()
        .await
        .into_iter()
        .map(|sale| (sale.transaction_id, sale.contract_id))
        .collect();
    for entry in stage.entered().await {
        let contract = entry.contract_id.unwrap();
        assert_eq!(contract.as_str(), sold[&entry.transaction_id]);
        assert!(entry.inquiry_code.is_some() && entry.attempts == 1);
        assert!(entry.product_title.is_some() && entry.plan_title.is_some());
    }
}

#[tokio::test]
async fn a_refused_token_holds_the_queue_and_a_new_one_frees_it() {
    let (stage, profile) = Stage::refused().await;

    let rows = sales(60);
    assert_eq!(stage.enter(&rows).await.entered, 60);
    let summary = stage.run().await;
    assert!(summary.held > 0);
    assert_eq!(summary.held + summary.waiting, 60);
    let asked = stage.sent();
    assert!(asked <= 4, "{asked} requests with a refused token");
    stage.run().await;
    assert_eq!(stage.sent(), asked);

    stage.give_token(&profile).await;
    assert_eq!(stage.run_confirmed().await.confirmed, 60);
    stage.assert_sold_once(&rows).await;
}

#[tokio::test]
async fn one_stuck_batch_does_not_keep_the_others() {
    let stage = Stage::practising().await;
    stage.next(BulkCreateContracts, drip(1, 1_000));
    stage.outbox.start();
    stage.enter(&sales(100)).await;
    until("all but one batch", async || {
        stage.summary().await.accepted >= 90
    })
    .await;
    let summary = stage.summary().await;
    assert_eq!(summary.waiting, 10, "{summary:?}");
}

#[tokio::test]
async fn an_unchecked_row_that_is_refused_takes_no_other_with_it() {
    let stage = Stage::practising().await;
    unchecked(&stage, 4);
    let mut rows = sales(3);
    rows.push(unknown_sale(3));
    stage.enter(&rows).await;
    let summary = stage.run_confirmed().await;
    assert_eq!((summary.confirmed, summary.rejected), (3, 1));
    stage.assert_sold_once(&rows[..3]).await;
}

#[tokio::test]
async fn a_refused_batch_is_plainly_rejected_where_the_provider_makes_all_or_nothing() {
    let (stage, profile) = Stage::live().await;
    let mut draft = stage.draft("本店");
    draft.facts.bulk = warranty_core::profile::BulkFact::AllOrNothing;
    stage.change(&profile, draft).await;
    unchecked(&stage, 4);
    stage.enter(&[sale(0), unknown_sale(1)]).await;
    assert_eq!(stage.run().await.rejected, 2);
    assert!(stage.sold().await.is_empty());
}

#[tokio::test]
async fn listeners_hear_which_entries_changed_and_whether_the_service_is_there() {
    let stage = Stage::practising().await;
    let mut notices = stage.notices();
    stage.outbox.start();
    let sold = id();
    stage.register_under(&sold, &sale(0), &[]).await.unwrap();
    let mut connection = None;
    let mut states = Vec::new();
    let heard = async {
        loop {
            let notice = notices.recv().await.unwrap();
            if let Notice::OutboxChanged { changed } = notice {
                assert_eq!(changed, Some(vec![sold.clone()]));
            } else if let Notice::OverviewChanged { overview, .. } = notice {
                connection = Some(overview.connection);
                let summary = overview.open.outbox;
                states.push(summary.clone());
                if summary.confirmed == 1 {
                    break;
                }
            }
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), heard)
        .await
        .unwrap();
    assert_eq!(connection, Some(Connection::Connected));
    assert!(states.iter().any(|summary| summary.waiting == 1));
    assert!(states.iter().any(|summary| summary.accepted == 1));
}

#[tokio::test]
async fn entries_are_found_by_what_people_remember_of_them() {
    let stage = Stage::practising().await;
    stage.enter(&sales(12)).await;
    stage.run().await;
    let contract_id = stage.entered().await[4].contract_id.clone().unwrap();
    let find = async |text: &str| -> Vec<String> {
        let found = stage.find(text).await.into_iter();
        found.map(|entry| entry.transaction_id).collect()
    };
    assert_eq!(find("t-00004").await, ["T-00004"]);
    assert_eq!(find("見本 4子").await, ["T-00004"]);
    assert_eq!(find("customer4@").await, ["T-00004"]);
    assert_eq!(find("CUSTOMER４@Sample").await, ["T-00004"]);
    assert_eq!(find(contract_id.as_str()).await, ["T-00004"]);
    assert_eq!(find("customer Ｔ－0001").await, ["T-00011", "T-00010"]);
    let newest = find("見本").await;
    assert_eq!((newest.len(), newest[0].as_str()), (10, "T-00011"));
    for nothing in ["100%", "_", "customer4@ t-00005"] {
        assert!(find(nothing).await.is_empty(), "{nothing}");
    }
}

/// The next so many checks go unanswered, so that entries are made unchecked.
fn unchecked(stage: &Stage, times: u32) {
    stage.next_times(GetPlan, status(500), times);
}
