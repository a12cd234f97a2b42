//! Which column was which field, remembered for each set of headers.

use warranty_core::Field;
use warranty_core::files::{Mapping, RunKind, guess};

use crate::harness::Stage;

fn headers(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[tokio::test]
async fn what_a_person_mapped_is_there_again_for_the_same_headers_and_for_no_others() {
    let stage = Stage::empty().await;
    let desk = &stage;
    let odd = headers(&["A", "B", "プラン"]);
    let mut mapping = guess(&odd, RunKind::PlanLinks).mapping;
    mapping.set(Field::StoreReferenceId, Some(1));
    desk.bulk
        .mapping_remember(RunKind::PlanLinks, &odd, &mapping)
        .await
        .unwrap();
    let known = async |kind, names: &[&str]| {
        let found = desk.bulk.mapping_remembered(kind, &headers(names)).await;
        found.unwrap()
    };
    assert_eq!(
        known(RunKind::PlanLinks, &["A", "B", "プラン"]).await,
        Some(mapping)
    );
    assert_eq!(known(RunKind::Contracts, &["A", "B", "プラン"]).await, None);
    assert_eq!(known(RunKind::PlanLinks, &["B", "A", "プラン"]).await, None);
    let wide = known(RunKind::PlanLinks, &["ａ", " b ", "プラン"]).await;
    assert_eq!(wide.unwrap().column(Field::StoreReferenceId), Some(1));

    // What the headers say of themselves takes the place of what was chosen before.
    let plain: Mapping = guess(&odd, RunKind::PlanLinks).mapping;
    desk.bulk
        .mapping_remember(RunKind::PlanLinks, &odd, &plain)
        .await
        .unwrap();
    assert_eq!(known(RunKind::PlanLinks, &["A", "B", "プラン"]).await, None);
}

#[tokio::test]
async fn headers_that_differ_in_brackets_alone_are_not_the_same_in_another_order() {
    let stage = Stage::empty().await;
    let kind = RunKind::Contracts;
    let mut mapping = Mapping::default();
    mapping.set(Field::ProductPurchasePrice, Some(0));
    let chosen = headers(&["商品価格（税込）", "商品価格（税抜）"]);
    let remembered = stage.bulk.mapping_remember(kind, &chosen, &mapping);
    remembered.await.unwrap();
    let swapped = headers(&["商品価格（税抜）", "商品価格（税込）"]);
    let found = stage.bulk.mapping_remembered(kind, &swapped).await;
    assert_eq!(found.unwrap(), None);
}

#[tokio::test]
async fn only_the_last_fifty_sets_of_headers_are_remembered_and_none_of_their_words() {
    let stage = Stage::empty().await;
    let mut mapping = Mapping::default();
    mapping.set(Field::PlanId, Some(1));
    for number in 0..51 {
        let headers = headers(&["canary-header-5f2a", &number.to_string()]);
        stage
            .bulk
            .mapping_remember(RunKind::PlanLinks, &headers, &mapping)
            .await
            .unwrap();
    }
    let known = async |number: &str| {
        let headers = headers(&["canary-header-5f2a", number]);
        let found = stage.bulk.mapping_remembered(RunKind::PlanLinks, &headers);
        found.await.unwrap().is_some()
    };
    assert!(!known("0").await);
    assert!(known("1").await && known("50").await);
    stage.assert_not_on_disk(&["canary-header-5f2a"]);
}
