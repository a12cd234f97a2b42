//! Products: the desk's own list, and the upsert.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::task::JoinHandle;
use warranty_core::api::Amount;
use warranty_core::products::{KnownFrom, ProductDraft, ProductHint, UpsertReport};
use warranty_core::{Error, Field, Operation};
use warranty_sandbox::{Action, Operation::UpsertProduct, Rule, When, sample};

use crate::harness::{Stage, busy, hint, plan, product, status, until, verbatim};
use crate::steps::{Steps, failed, refused};

pub fn draft(reference: &str, title: &str) -> ProductDraft {
    ProductDraft {
        reference_id: reference.to_owned(),
        title: title.to_owned(),
        price: "128,000".to_owned(),
        image_url: "https://sample.invalid/image.png".to_owned(),
        category: "冷蔵庫".to_owned(),
    }
}

fn titled(reference: &str, title: &str) -> ProductHint {
    ProductHint {
        title: Some(title.to_owned()),
        ..hint(reference)
    }
}

#[tokio::test]
async fn an_upsert_is_sent_once_and_its_answer_remembered() {
    let stage = Stage::practising().await;
    let put = draft(sample::PRODUCT_REFRIGERATOR, "ﾚｲｿﾞｳｺ ５０型");
    let report = stage.put(&put).await;
    assert!(report.echo_differs.is_empty(), "{:?}", report.echo_differs);
    assert_eq!(report.product.plans.len(), 3);
    assert!(report.product.mfr_warranty.is_some());
    assert_eq!(stage.arrived(UpsertProduct), 1);

    let stage = stage.restarted().await;
    let refrigerator = product(sample::PRODUCT_REFRIGERATOR);
    let known = stage.known(&refrigerator).await;
    assert_eq!(known.product.title.as_ref(), Some(&put.title));
    assert_eq!(known.product.price, Some(Amount::new(128_000).unwrap()));
    assert_eq!(known.known_from, KnownFrom::Upsert);
    assert!(
        known.product.brand.is_some(),
        "the brand comes from the answer"
    );
    // It and its plans are found through the new title, in whatever width it is typed.
    assert_eq!(stage.find_products("レイゾウコ 50", 10).await.len(), 1);
    assert_eq!(stage.find_plans("レイゾウコ 50", 10).await.len(), 3);
    let actions = stage.actions(10).await;
    assert_eq!(&actions[..2], ["product.stored", "product.sending"]);
}

#[tokio::test]
async fn an_upsert_in_doubt_is_repeated_a_few_times_with_the_same_body() {
    let stage = Stage::practising().await;
    stage.next(UpsertProduct, Action::DropAfterCommit);
    stage.next(UpsertProduct, status(503));
    let report = stage.put(&draft("NEW-1", "x")).await;
    assert!(report.echo_differs.is_empty());
    let lengths: Vec<usize> = stage
        .sandbox
        .requests()
        .iter()
        .filter(|request| request.operation == Some(UpsertProduct))
        .map(|request| request.body_length)
        .collect();
    assert_eq!(lengths.len(), 3);
    assert!(lengths.iter().all(|length| *length == lengths[0]));

    // One that is refused is not repeated.
    for action in [status(401), status(400)] {
        stage.next(UpsertProduct, action);
        refused!(
            stage.try_put(&draft("NEW-2", "x")).await,
            Error::Service { .. }
        );
    }
    assert_eq!(stage.arrived(UpsertProduct), 5);
    assert!(stage.find_products("NEW-2", 10).await.is_empty());

    stage.next_times(UpsertProduct, Action::DropBeforeCommit, 10);
    assert_eq!(
        failed(stage.try_put(&draft("NEW-1", "y")).await),
        Operation::UpsertProduct
    );
    assert_eq!(stage.arrived(UpsertProduct), 8);
}

/// An upsert that has reached the service, and whose answer will be lost.
async fn an_upsert_in_doubt(stage: &Stage) -> JoinHandle<Result<UpsertReport, Error>> {
    stage.service(|it| {
        it.latency_ms = 500;
        it.faults = vec![Rule {
            operations: vec![UpsertProduct],
            when: When::Nth(1),
            action: Action::DropBeforeCommit,
        }];
    });
    let (desk, profile) = (stage.desk.clone(), stage.profile().await);
    let old = draft("NEW-1", "old");
    let put = tokio::spawn(async move { desk.products.put(&profile.id, &old).await });
    until("the first upsert", async || {
        stage.arrived(UpsertProduct) == 1
    })
    .await;
    put
}

#[tokio::test]
async fn an_upsert_in_doubt_is_not_repeated_once_a_newer_one_waits() {
    let stage = Stage::practising().await;
    let first = an_upsert_in_doubt(&stage).await;
    let second = stage.put(&draft("NEW-1", "new")).await;
    assert_eq!(second.product.title.as_deref(), Some("new"));
    assert_eq!(failed(first.await.unwrap()), Operation::UpsertProduct);
    assert_eq!(stage.arrived(UpsertProduct), 2);
    let known = stage.known(&product("NEW-1")).await;
    assert_eq!(known.product.title.as_deref(), Some("new"));
}

#[tokio::test]
async fn an_older_upsert_under_another_profile_of_the_store_is_not_repeated_over_a_newer_one() {
    let (stage, _) = Stage::live().await;
    let first = an_upsert_in_doubt(&stage).await;
    stage.connect("本店 2").await;
    stage.put(&draft("NEW-1", "new")).await;
    assert_eq!(failed(first.await.unwrap()), Operation::UpsertProduct);
    assert_eq!(stage.arrived(UpsertProduct), 2);
}

#[tokio::test]
async fn an_upsert_answered_with_a_wish_to_wait_is_not_repeated_within_it() {
    let stage = Stage::practising().await;
    stage.next(UpsertProduct, busy("60"));
    let put = async || stage.try_put(&draft("NEW-1", "x")).await;
    assert_eq!(failed(put().await), Operation::UpsertProduct);
    assert_eq!(stage.arrived(UpsertProduct), 1);
    // One as short as its own pauses is kept.
    stage.next(UpsertProduct, busy("1"));
    let began = Instant::now();
    put().await.unwrap();
    assert!(began.elapsed() >= Duration::from_secs(1));
    assert_eq!(stage.arrived(UpsertProduct), 3);
}

#[tokio::test]
async fn a_text_of_the_service_that_is_too_long_to_send_is_cut_but_stays_too_long() {
    // Spaces around a text are not sent, so none may be where it is cut.
    let is_space = |at: usize| at > 0 && at.is_multiple_of(100);
    let long = |length| -> String {
        let characters = (0..length).map(|at| if is_space(at) { ' ' } else { '長' });
        characters.collect()
    };
    let answer = |extra: usize| {
        json!({
            "referenceId": "NEW-1", "price": 1, "title": long(500 + extra),
            "imageUrl": "x".repeat(2048 + extra), "category": long(200 + extra),
            "brand": long(1000 + extra),
        })
    };
    let stage = Stage::practising().await;
    for (extra, kept) in [(0, 0), (1, 1), (300, 1)] {
        let body = answer(extra).to_string();
        stage.next(UpsertProduct, verbatim(200, "application/json", body));
        stage.put(&draft("NEW-1", "x")).await;
        let known = stage.known(&product("NEW-1")).await.product;
        let length = |text: Option<String>| text.unwrap().trim().chars().count();
        assert_eq!(length(known.title), 500 + kept);
        assert_eq!(length(known.category), 200 + kept);
        assert_eq!(length(known.image_url), 2048 + kept);
        assert_eq!(length(known.brand), 1000 + kept);
    }
}

#[tokio::test]
async fn every_field_the_answer_does_not_confirm_is_named() {
    let stage = Stage::answered(&[(
        "PUT",
        r#"{"referenceId":"NEW-1","title":"別の名前","price":128000,"brand":"見本"}"#,
    )])
    .await;
    let report = stage.put(&draft("NEW-1", "x")).await;
    assert_eq!(
        report.echo_differs,
        [Field::Title, Field::ImageUrl, Field::Category]
    );
    let known = stage.known(&product("NEW-1")).await;
    assert_eq!(known.product.title.as_deref(), Some("別の名前"));
    assert_eq!(
        known.product.category.as_deref(),
        Some("冷蔵庫"),
        "as it was sent"
    );

    let other = stage.put(&draft("NEW-2", "x")).await;
    assert_eq!(other.echo_differs[0], Field::ProductReferenceId);
    assert_eq!(stage.find_products("new-2", 9).await, []);
}

#[tokio::test]
async fn what_is_known_is_never_blanked_and_guesses_replace_nothing() {
    let stage = Stage::practising().await;
    stage
        .plans
        .open(&plan(sample::REFRIGERATOR_PLAN_3_YEARS))
        .await
        .unwrap();
    let refrigerator = product(sample::PRODUCT_REFRIGERATOR);
    let before = stage.known(&refrigerator).await;
    assert!(before.product.title.is_some() && before.product.category.is_none());

    let mut catalogue = titled(sample::PRODUCT_REFRIGERATOR, "別の名前");
    catalogue.category = Some("冷蔵庫".to_owned());
    let hints = vec![
        catalogue,
        titled("NEW-2", "x"),
        hint(sample::PRODUCT_REFRIGERATOR),
    ];
    let new = stage.remember(hints, KnownFrom::Practice).await;
    assert_eq!(new, 1);
    let after = stage.known(&refrigerator).await;
    assert_eq!(after.product.title, before.product.title);
    assert_eq!(after.product.category.as_deref(), Some("冷蔵庫"));
    assert_eq!(
        (after.known_from, after.known_at),
        (before.known_from, before.known_at)
    );
    // A plan read from the service does replace.
    let read = vec![titled(sample::PRODUCT_REFRIGERATOR, "新しい名前")];
    stage.remember(read, KnownFrom::Plan).await;
    let after = stage.known(&refrigerator).await;
    assert_eq!(after.product.title.as_deref(), Some("新しい名前"));
    assert_eq!(after.product.category.as_deref(), Some("冷蔵庫"));
}

#[tokio::test]
async fn the_list_is_bounded_in_order_and_each_profiles_own() {
    let (stage, _) = Stage::live().await;
    let hints = (0..30)
        .rev()
        .map(|number| titled(&format!("P-{number:02}"), "商品"))
        .collect();
    stage.remember(hints, KnownFrom::Reference).await;
    let found = stage.find_products("商品", 3).await;
    let references: Vec<&str> = found
        .iter()
        .map(|found| found.product.reference_id.as_str())
        .collect();
    assert_eq!(references, ["P-00", "P-01", "P-02"]);
    assert_eq!(stage.find_products("ｐ-2", 99).await.len(), 10);
    for hostile in ["%", "_", "'", "\"", "\\"] {
        assert!(stage.find_products(hostile, 9).await.is_empty());
    }
    stage.add("支店").await;
    stage.profiles.choose("支店").await.unwrap();
    assert!(stage.find_products("", 99).await.is_empty());
}

#[tokio::test]
async fn an_upsert_that_waited_while_its_profile_moved_takes_no_token_along() {
    let (stage, profile) = Stage::live().await;
    let other = Stage::empty().await;
    stage.service(|it| it.answer_delay_ms = 1_500);
    let put = |title: &'static str| {
        let (desk, id) = (stage.desk.clone(), profile.id.clone());
        tokio::spawn(async move { desk.products.put(&id, &draft("NEW-1", title)).await })
    };
    let first = put("first");
    until("it is on its way", async || {
        stage.arrived(UpsertProduct) == 1
    })
    .await;
    let second = put("second");
    // It asks for the profile now, before it is changed, and then waits behind the first one.
    tokio::task::yield_now().await;
    let moved = other.draft("本店");
    stage.change(&profile, moved).await;
    let token = warranty_core::api::Token::new("of-the-other-service").unwrap();
    stage.profiles.set_token(&profile.id, token).await.unwrap();
    first.await.unwrap().unwrap();
    refused!(second.await.unwrap(), Error::ProfileMoved);
    assert_eq!(stage.arrived(UpsertProduct), 1);
}

#[tokio::test]
async fn a_contract_sold_earlier_changes_nothing_in_what_a_search_of_plans_shows() {
    let stage = Stage::practising().await;
    let put = draft(sample::PRODUCT_REFRIGERATOR, "saved");
    stage.put(&put).await;
    let sold = titled(sample::PRODUCT_REFRIGERATOR, "as it was sold");
    stage.remember(vec![sold], KnownFrom::Contract).await;
    let found = stage.find_plans("", 1).await.remove(0);
    assert_eq!(found.product.unwrap().title.as_deref(), Some("saved"));
}
