//! Runs of rows that are no contracts: of products, links of plans, references.

use warranty_core::api::PlanFilter;
use warranty_core::bulk::{Layout, NewRun, NumberedRow, RunKind, RunState, RunView};
use warranty_core::{Desk, Error, Problem};
use warranty_sandbox::Operation::{GetPlan, ListPlans, UpdatePlan, UpsertProduct};

use crate::harness::{Stage, busy, plan, product, status, until, verbatim};
use crate::products::draft;
use crate::runs::{kept, new};
use crate::sales;
use crate::steps::{Steps, failed, refused, with};

fn cells(reference: &str, price: &str) -> [String; 5] {
    let image = "https://sample.invalid/a.png";
    [reference, "冷蔵庫", price, image, "家電"].map(str::to_owned)
}

/// A run of products, each with its price, kept and started.
pub async fn products(desk: &Desk, rows: &[(&str, &str)]) -> RunView {
    let rows = rows
        .iter()
        .map(|(reference, price)| cells(reference, price));
    started(desk, RunKind::Products, rows).await
}

/// Rows of a kind, kept and started.
pub async fn started<const N: usize>(
    desk: &Desk,
    kind: RunKind,
    rows: impl Iterator<Item = [String; N]>,
) -> RunView {
    let layout = Layout::plain(kind);
    let new = NewRun {
        kind,
        layout,
        ..new()
    };
    let rows = rows.map(|cells| NumberedRow {
        cells: cells.into_iter().collect(),
        ..NumberedRow::default()
    });
    let kept = kept(desk, new, rows).await;
    desk.start(&kept.id).await
}

#[tokio::test]
async fn products_of_a_file_are_put_once_each_and_bad_ones_named() {
    let stage = Stage::practising().await;
    let rows = [
        ("new-1", "1000"),
        ("new-2", "dear"),
        ("new-3", "3000"),
        ("new-1", "2000"),
    ];
    let view = products(&stage, &rows).await;
    assert_eq!((view.state, view.rejected), (RunState::Running, 2));
    stage.run().await;
    let view = stage.view(&view.id).await;
    assert_eq!(
        (view.state, view.entered, view.rejected),
        (RunState::Done, 2, 2)
    );
    assert_eq!(stage.arrived(UpsertProduct), 2);
    let bad = stage.left_out(&view.id).await;
    let named: Vec<_> = bad
        .iter()
        .map(|row| (row.number, row.problems[0].problem))
        .collect();
    assert_eq!(
        named,
        [(2, Problem::NotWholeNumber), (4, Problem::RepeatedRow)]
    );
    let known = stage.known(&product("new-1")).await;
    assert_eq!(known.product.price.unwrap().get(), 1000);

    // Nothing of it can be kept back any more.
    assert_eq!(view.unsent, 0);
    refused!(stage.bulk.pause(&view.id).await, Error::NotAllowed);
    refused!(stage.bulk.cancel(&view.id).await, Error::NotAllowed);
}

#[tokio::test]
async fn a_product_the_service_refuses_comes_back_with_its_words() {
    let stage = Stage::practising().await;
    stage.next(UpsertProduct, status(400));
    let view = products(&stage, &[("new-1", "1000"), ("new-2", "2000")]).await;
    stage.run().await;
    let view = stage.view(&view.id).await;
    assert_eq!(
        (view.state, view.entered, view.rejected),
        (RunState::Done, 1, 1)
    );
    let failure = stage.left_out(&view.id).await[0].failure.clone().unwrap();
    assert!(
        !failure.may_be_done && failure.request_id.is_some(),
        "{failure:?}"
    );
    let given_back = stage.given_back(&view.id).await;
    assert_eq!(given_back, [cells("new-1", "1000")]);
}

#[tokio::test]
async fn of_the_words_that_a_product_was_refused_with_only_so_many_are_kept() {
    let stage = Stage::practising().await;
    let long = "x".repeat(50_000);
    let said = format!(r#"{{"error":"{long}","code":"BadRequestException","requestId":"{long}"}}"#);
    stage.next(UpsertProduct, verbatim(400, "application/json", said));
    let view = products(&stage, &[("new-1", "1000")]).await;
    stage.run().await;
    let failure = stage.left_out(&view.id).await[0].failure.clone().unwrap();
    assert_eq!(failure.code.as_deref(), Some("BadRequestException"));
    for kept in [failure.message, failure.request_id] {
        assert_eq!(kept.unwrap().len(), 1_000);
    }
}

#[tokio::test]
async fn a_row_that_is_refused_while_its_run_is_cancelled_comes_back_as_it_was() {
    let stage = Stage::practising().await;
    stage.next(UpsertProduct, status(400));
    let rows = [("new-1", "1000"), ("new-2", "2000")];
    let view = products(&stage, &rows).await;
    stage.service(|it| it.latency_ms = 1_000);
    let stopped = async {
        until("the first row on its way", async || {
            stage.arrived(UpsertProduct) == 1
        })
        .await;
        stage.bulk.cancel(&view.id).await.unwrap()
    };
    let (_, cancelled) = tokio::join!(stage.enter_rows(&view.id), stopped);
    assert_eq!(cancelled.rejected, 0, "it was refused before");
    let view = stage.view(&view.id).await;
    assert_eq!((view.state, view.rejected), (RunState::Cancelled, 1));
    let given_back = stage.given_back(&view.id).await;
    assert_eq!(given_back, [cells("new-1", "1000")]);
    assert_eq!(stage.overview().await.open.runs, 0);
    assert_eq!(stage.arrived(UpsertProduct), 1);
}

#[tokio::test]
async fn good_links_and_references_of_a_file_are_carried_out_and_the_others_left_out() {
    let stage = Stage::practising().await;
    let sample = sales::products();
    let (first, second) = (&sample[0].plans[0].id, &sample[1].plans[0].id);
    for id in [first, second] {
        stage.plans.open(&plan(id)).await.unwrap();
    }
    let rows = [[first, "P-1"], [second, ""], ["no such plan", "P-3"]];
    let rows = rows.map(|row| row.map(str::to_owned)).into_iter();
    let links = started(&stage, RunKind::PlanLinks, rows).await;
    let rows = [sample[0].reference_id.as_str(), "never-heard-of"].map(|of| [of.to_owned()]);
    let references = started(&stage, RunKind::ProductReferences, rows.into_iter()).await;
    stage.run().await;
    for (id, done) in [(&links.id, (1, 2)), (&references.id, (1, 1))] {
        let view = stage.view(id).await;
        assert_eq!(view.state, RunState::Done);
        assert_eq!((view.entered, view.rejected), done);
    }
    let linked = stage.plans.open(&plan(first)).await.unwrap();
    assert_eq!(linked.plan.store_reference().as_deref(), Some("P-1"));
    let listed = product(&sample[0].reference_id);
    let offered = stage.plans.cached(&listed, PlanFilter::Live).await;
    assert!(offered.unwrap().fetched_at.is_some());
}

#[tokio::test]
async fn a_row_whose_plan_could_not_be_read_is_not_said_to_be_done_perhaps() {
    let stage = Stage::practising().await;
    let id = &sales::products()[0].plans[0].id;
    stage.next_times(GetPlan, status(503), 20);
    let rows = [[id.clone(), "P-1".to_owned()]].into_iter();
    let view = started(&stage, RunKind::PlanLinks, rows).await;
    stage.run().await;
    let failure = stage.left_out(&view.id).await[0].failure.clone().unwrap();
    assert!(!failure.may_be_done, "{failure:?}");
    assert_eq!(stage.arrived(UpdatePlan), 0);
}

#[tokio::test]
async fn the_rows_of_a_file_wait_while_the_service_fails_and_not_for_one_that_it_fails_at() {
    let stage = Stage::practising().await;
    stage.next_times(UpsertProduct, status(503), 6);
    stage.next(ListPlans, status(503));
    let rows = [("new-1", "1000"), ("new-2", "2000"), ("new-3", "3000")];
    let view = products(&stage, &rows).await;
    let tried = stage.bulk.enter(&view.id, &|_, _| {}).await;
    assert!(matches!(tried, Err(Error::Service { .. })), "{tried:?}");
    let left = stage.view(&view.id).await;
    assert_eq!((left.state, left.rejected), (RunState::Running, 0));
    assert_eq!((left.entered, left.pending), (0, 3));
    // It answers again, and still fails at the first.
    stage.enter_rows(&view.id).await;
    let done = stage.view(&view.id).await;
    assert_eq!((done.state, done.entered), (RunState::Done, 2));
    assert_eq!(done.rejected, 1);
}

#[tokio::test]
async fn a_product_whose_code_lost_its_zeros_is_left_out_of_a_file() {
    let stage = Stage::practising().await;
    stage.put(&draft("00490001", "known")).await;
    let rows = [("490001", "1000"), ("00490001", "2000"), ("490002", "3000")];
    let view = products(&stage, &rows).await;
    assert_eq!((view.pending, view.rejected), (2, 1));
    let bad = &stage.left_out(&view.id).await[0];
    assert_eq!(bad.problems[0].problem, Problem::LeadingZerosLost);
    assert_eq!(bad.number, 1);
}

#[tokio::test]
async fn a_waiting_row_is_not_sent_over_what_was_changed_after_it_was_read() {
    let stage = Stage::practising().await;
    let plan_id = &sales::products()[0].plans[0].id;
    let older = products(&stage, &[("new-4", "1000")]).await;
    let paused = products(&stage, &[("new-5", "1000")]).await;
    stage.bulk.pause(&paused.id).await.unwrap();
    let rows = ["new-1", "new-2", "new-3", "new-4", "new-5"].map(|of| (of, "5000"));
    let file = products(&stage, &rows).await;
    let link = [plan_id.clone(), "OLD".to_owned()];
    let links = started(&stage, RunKind::PlanLinks, [link].into_iter()).await;
    // Changed; perhaps changed; certainly not changed.
    stage.put(&draft("new-1", "newer")).await;
    for (reference, answer) in [("new-2", busy("60")), ("new-3", status(400))] {
        stage.next(UpsertProduct, answer);
        failed(stage.try_put(&draft(reference, "newer")).await);
    }
    let plan_id = plan(plan_id);
    let read = stage.plans.open(&plan_id).await.unwrap();
    let before = read.plan.store_reference();
    stage.link(&plan_id, "NEWER", before.as_deref()).await;

    stage.run().await;
    stage.bulk.resume(&paused.id).await.unwrap();
    stage.run().await;
    let changed = [Problem::ChangedMeanwhile];
    for (run, left_out) in [
        (older, &[][..]),
        (paused, &[1]),
        (file, &[1, 2]),
        (links, &[1]),
    ] {
        let rows = stage.left_out(&run.id).await;
        let numbers: Vec<_> = rows.iter().map(|row| row.number).collect();
        assert_eq!(numbers, left_out);
        for row in rows {
            let found = row.problems.iter().map(|found| found.problem);
            assert_eq!(found.collect::<Vec<_>>(), changed);
        }
    }
    let price = async |of| stage.known(&product(of)).await.product.price.unwrap().get();
    assert_eq!(price("new-1").await, 128_000);
    for row_of_the_newest_file in ["new-3", "new-4", "new-5"] {
        assert_eq!(price(row_of_the_newest_file).await, 5_000);
    }
    let linked = stage.plans.open(&plan_id).await.unwrap().plan;
    assert_eq!(linked.store_reference().as_deref(), Some("NEWER"));
}

#[tokio::test]
async fn a_waiting_row_is_not_sent_over_what_was_changed_under_another_store_of_the_service() {
    let (stage, profile) = Stage::live().await;
    let file = products(&stage, &[("new-1", "5000"), ("new-2", "5000")]).await;
    let other = with(stage.draft("支店"), |it| {
        it.store_id = "another".to_owned()
    });
    stage.profiles.connect(other, stage.token()).await.unwrap();
    stage.put(&draft("new-1", "newer")).await;
    stage.profiles.choose(&profile.id).await.unwrap();

    stage.run().await;
    let rows = stage.left_out(&file.id).await;
    let left_out: Vec<_> = rows.iter().map(|row| row.number).collect();
    assert_eq!(left_out, [1]);
    assert_eq!(stage.arrived(UpsertProduct), 2);
}

#[tokio::test]
async fn a_plan_that_nobody_here_has_seen_is_linked_whatever_reference_it_has() {
    let stage = Stage::practising().await;
    let id = &sales::products()[0].plans[0].id;
    let rows = [[id.clone(), "P-1".to_owned()]].into_iter();
    let view = started(&stage, RunKind::PlanLinks, rows).await;
    stage.run().await;
    assert_eq!(stage.view(&view.id).await.entered, 1);
}

#[tokio::test]
async fn a_product_of_a_file_is_journalled_once_however_often_it_could_not_be_sent() {
    let stage = Stage::practising().await;
    let desk = stage.desk.clone();
    let run = products(&desk, &[("new-1", "1000")]).await;
    stage.sandbox.stop().await;
    for _ in 0..20 {
        let tried = desk.bulk.enter(&run.id, &|_, _| {}).await;
        refused!(tried, Error::Service { .. });
    }
    assert_eq!(desk.actions(2).await, ["product.sending", "run.started"]);
}
