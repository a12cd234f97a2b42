//! Runs of rows that are no contracts: products put, plans linked, references known.

use warranty_core::bulk::{
    Layout, NewRun, RowCells, RowList, RunKind, RunSource, RunState, RunView,
};
use warranty_core::{Desk, Problem};
use warranty_sandbox::Operation::UpsertProduct;

use crate::harness::{Stage, plan, product, status};
use crate::sales::{id, products};
use crate::steps::Steps;

/// Rows of a kind, kept and started.
pub async fn started(desk: &Desk, kind: RunKind, rows: &[&[&str]]) -> RunView {
    let new = NewRun {
        id: id(),
        kind,
        source: RunSource::File,
        name: "rows.csv".to_owned(),
        layout: Layout::plain(kind),
    };
    let kept = desk.bulk.stage(new).await.unwrap();
    let cells: Vec<_> = rows
        .iter()
        .map(|cells| {
            Ok(RowCells {
                cells: cells.iter().map(ToString::to_string).collect(),
                ..RowCells::default()
            })
        })
        .collect();
    desk.bulk
        .add_rows(&kept.id, cells.into_iter(), &|_| {})
        .await
        .unwrap();
    desk.bulk.mark_whole(&kept.id).await.unwrap();
    desk.start(&kept.id).await
}

#[tokio::test]
async fn products_of_a_file_are_put_once_each_and_bad_ones_named() {
    let stage = Stage::practising().await;
    let image = "https://sample.invalid/a.png";
    let rows: [&[&str]; 4] = [
        &["new-1", "冷蔵庫", "1000", image, "家電"],
        &["new-2", "洗濯機", "dear", image, "家電"],
        &["new-3", "掃除機", "3000", image, "家電"],
        &["new-1", "冷蔵庫", "2000", image, "家電"],
    ];
    let view = started(&stage, RunKind::Products, &rows).await;
    assert_eq!((view.state, view.rejected), (RunState::Running, 2));
    stage.run().await;
    let view = stage.view(&view.id).await;
    assert_eq!(
        (view.state, view.entered, view.rejected),
        (RunState::Done, 2, 2)
    );
    assert_eq!(stage.arrived(UpsertProduct), 2);
    let bad = stage.bulk.rows(&view.id, Some(RowList::Rejected), 0, 10);
    let bad = bad.await.unwrap();
    let named: Vec<_> = bad
        .iter()
        .map(|row| (row.number, row.problems[0].problem))
        .collect();
    assert_eq!(
        named,
        [(2, Problem::NotWholeNumber), (4, Problem::RepeatedRow)]
    );
    let known = stage.catalog.product(&product("new-1")).await.unwrap();
    assert_eq!(known.unwrap().price.unwrap().get(), 1000);
}

#[tokio::test]
async fn a_product_the_service_refuses_comes_back_with_its_words() {
    let stage = Stage::practising().await;
    stage.next(UpsertProduct, status(400));
    let image = "https://sample.invalid/a.png";
    let rows: [&[&str]; 2] = [
        &["new-1", "冷蔵庫", "1000", image, "家電"],
        &["new-2", "洗濯機", "2000", image, "家電"],
    ];
    let view = started(&stage, RunKind::Products, &rows).await;
    stage.run().await;
    let view = stage.view(&view.id).await;
    assert_eq!(
        (view.state, view.entered, view.rejected),
        (RunState::Done, 1, 1)
    );
    let bad = stage.bulk.rows(&view.id, Some(RowList::Rejected), 0, 10);
    let failure = bad.await.unwrap()[0].failure.clone().unwrap();
    assert!(
        !failure.may_be_done && failure.request_id.is_some(),
        "{failure:?}"
    );
    let mut back = stage.bulk.rejected_rows(&view.id).await.unwrap();
    let back = back.next().await.unwrap().unwrap();
    assert_eq!(back[0].cells.to_vec(), rows[0]);
}

#[tokio::test]
async fn plans_of_a_file_are_linked_and_seen_to_be() {
    let stage = Stage::practising().await;
    let sample = products();
    let (first, second) = (&sample[0].plans[0].id, &sample[1].plans[0].id);
    for id in [first, second] {
        stage.plans.open(&plan(id)).await.unwrap();
    }
    let rows: [&[&str]; 3] = [&[first, "P-1"], &[second, ""], &["no such plan", "P-3"]];
    let view = started(&stage, RunKind::PlanLinks, &rows).await;
    stage.run().await;
    let view = stage.view(&view.id).await;
    assert_eq!(
        (view.state, view.entered, view.rejected),
        (RunState::Done, 1, 2)
    );
    let linked = stage.plans.open(&plan(first)).await.unwrap();
    assert_eq!(linked.plan.store_reference_id.as_deref(), Some("P-1"));
}

#[tokio::test]
async fn references_of_a_file_are_known_with_their_plans() {
    let stage = Stage::practising().await;
    let sample = products();
    let reference = sample[0].reference_id.as_str();
    let rows: [&[&str]; 2] = [&[reference], &["never-heard-of"]];
    let view = started(&stage, RunKind::ProductReferences, &rows).await;
    stage.run().await;
    let view = stage.view(&view.id).await;
    assert_eq!(view.state, RunState::Done);
    assert_eq!(view.entered + view.rejected, 2);
    let plans = stage.find_plans(reference, 10).await;
    assert!(!plans.is_empty());
}
