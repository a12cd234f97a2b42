//! Products: the desk's own list, and the upsert.

use warranty_core::api::Amount;
use warranty_core::products::{KnownFrom, ProductDraft, ProductHint};
use warranty_core::{Error, Field, Operation as PlanLookups, Problem};
use warranty_sandbox::{Action, Operation, Personality, Rule, When, sample};

use crate::harness::{Stage, parrot, plan, product, until};

fn draft(reference: &str, title: &str) -> ProductDraft {
    ProductDraft {
        reference_id: reference.to_owned(),
        title: title.to_owned(),
        price: "128,000".to_owned(),
        image_url: "https://sample.invalid/image.png".to_owned(),
        category: "冷蔵庫".to_owned(),
    }
}

fn hint(reference: &str, title: Option<&str>) -> ProductHint {
    ProductHint {
        reference_id: product(reference),
        title: title.map(str::to_owned),
        price: None,
        image_url: None,
        category: None,
        brand: None,
    }
}

#[tokio::test]
async fn an_upsert_is_sent_once_and_its_answer_remembered() {
    let stage = Stage::practising().await;
    let report = stage
        .desk
        .products
        .put(&draft(sample::PRODUCT_REFRIGERATOR, "新しい冷蔵庫"))
        .await
        .unwrap();
    assert!(report.echo_differs.is_empty(), "{:?}", report.echo_differs);
    assert_eq!(report.product.plans.len(), 3);
    assert!(report.product.mfr_warranty.is_some());
    assert_eq!(stage.arrived(Operation::UpsertProduct), 1);

    let stage = stage.restarted().await;
    let refrigerator = product(sample::PRODUCT_REFRIGERATOR);
    let known = stage
        .desk
        .catalog
        .product(&refrigerator)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(known.title.as_deref(), Some("新しい冷蔵庫"));
    assert_eq!(known.price, Some(Amount::new(128_000).unwrap()));
    assert_eq!(known.known_from, KnownFrom::Upsert);
    assert!(known.brand.is_some(), "the brand comes from the answer");
    // Its plans are found through the new title.
    assert_eq!(
        stage
            .desk
            .plans
            .search("新しい冷蔵庫", 10)
            .await
            .unwrap()
            .len(),
        3
    );
    let journal = stage.desk.journal(10).await.unwrap();
    let actions: Vec<&str> = journal.iter().map(|line| line.action.as_str()).collect();
    assert_eq!(&actions[..2], ["product.stored", "product.sending"]);
}

#[tokio::test]
async fn a_new_product_is_created_and_found_in_the_list() {
    let stage = Stage::practising().await;
    stage
        .desk
        .products
        .put(&draft("NEW-1", "ﾃﾚﾋﾞ ５０型"))
        .await
        .unwrap();
    let found = stage.desk.catalog.search("テレビ 50", 10).await.unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].title.as_deref(), Some("ﾃﾚﾋﾞ ５０型"));
    assert!(
        stage
            .desk
            .catalog
            .search("テレビ 60", 10)
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn a_draft_with_a_missing_field_is_not_sent() {
    let stage = Stage::practising().await;
    let mut bad = draft("NEW-1", "x");
    bad.category = " ".to_owned();
    bad.price = "12.5".to_owned();
    let Err(Error::Input(problems)) = stage.desk.products.put(&bad).await else {
        panic!("it was sent");
    };
    let named: Vec<_> = problems
        .iter()
        .map(|found| (found.field, found.problem))
        .collect();
    assert_eq!(
        named,
        [
            (Field::Price, Problem::NotWholeNumber),
            (Field::Category, Problem::Missing)
        ]
    );
    assert_eq!(stage.arrived(Operation::UpsertProduct), 0);
}

#[tokio::test]
async fn an_upsert_in_doubt_is_repeated_a_few_times_with_the_same_body() {
    let stage = Stage::practising().await;
    stage.next(Operation::UpsertProduct, Action::DropAfterCommit);
    stage.next(
        Operation::UpsertProduct,
        Action::Status {
            status: 503,
            after_commit: false,
        },
    );
    let report = stage.desk.products.put(&draft("NEW-1", "x")).await.unwrap();
    assert!(report.echo_differs.is_empty());
    let lengths: Vec<usize> = stage
        .sandbox
        .requests()
        .iter()
        .filter(|request| request.operation == Some(Operation::UpsertProduct))
        .map(|request| request.body_length)
        .collect();
    assert_eq!(lengths.len(), 3);
    assert!(lengths.iter().all(|length| *length == lengths[0]));

    stage.next_times(Operation::UpsertProduct, Action::DropBeforeCommit, 10);
    let failed = stage.desk.products.put(&draft("NEW-1", "y")).await;
    assert!(matches!(
        failed,
        Err(Error::Service {
            operation: PlanLookups::UpsertProduct,
            ..
        })
    ));
    assert_eq!(stage.arrived(Operation::UpsertProduct), 6);
}

#[tokio::test]
async fn a_refused_upsert_is_not_repeated() {
    let stage = Stage::practising().await;
    for action in [
        Action::Unauthorized,
        Action::Status {
            status: 400,
            after_commit: false,
        },
    ] {
        stage.next(Operation::UpsertProduct, action);
        let refused = stage.desk.products.put(&draft("NEW-1", "x")).await;
        assert!(matches!(refused, Err(Error::Service { .. })));
    }
    assert_eq!(stage.arrived(Operation::UpsertProduct), 2);
    assert!(stage.desk.catalog.search("", 10).await.unwrap().is_empty());
}

#[tokio::test]
async fn an_upsert_in_doubt_is_not_repeated_once_a_newer_one_waits() {
    let stage = Stage::practising().await;
    stage.sandbox.set_personality(Personality {
        latency_ms: 500,
        faults: vec![Rule {
            operations: vec![Operation::UpsertProduct],
            when: When::Nth(1),
            action: Action::DropBeforeCommit,
        }],
        ..Personality::default()
    });
    let desk = stage.desk.clone();
    let first = tokio::spawn(async move { desk.products.put(&draft("NEW-1", "old")).await });
    until("the first upsert", async || {
        stage.arrived(Operation::UpsertProduct) == 1
    })
    .await;
    let second = stage
        .desk
        .products
        .put(&draft("NEW-1", "new"))
        .await
        .unwrap();
    assert_eq!(second.product.title.as_deref(), Some("new"));
    assert!(matches!(
        first.await.unwrap(),
        Err(Error::Service {
            operation: PlanLookups::UpsertProduct,
            ..
        })
    ));
    assert_eq!(stage.arrived(Operation::UpsertProduct), 2);
    let known = stage
        .desk
        .catalog
        .product(&product("NEW-1"))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(known.title.as_deref(), Some("new"));
}

#[tokio::test]
async fn every_field_the_answer_does_not_confirm_is_named() {
    let service = parrot(&[(
        "PUT",
        r#"{"referenceId":"NEW-1","title":"別の名前","price":128000,"brand":"見本"}"#,
    )])
    .await;
    let stage = Stage::at(&service).await;
    let report = stage.desk.products.put(&draft("NEW-1", "x")).await.unwrap();
    assert_eq!(
        report.echo_differs,
        [Field::Title, Field::ImageUrl, Field::Category]
    );
    let known = stage
        .desk
        .catalog
        .product(&product("NEW-1"))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(known.title.as_deref(), Some("別の名前"));
    assert_eq!(known.category.as_deref(), Some("冷蔵庫"), "as it was sent");

    let other = stage.desk.products.put(&draft("NEW-2", "x")).await.unwrap();
    assert_eq!(other.echo_differs[0], Field::ProductReferenceId);
    assert_eq!(stage.desk.catalog.search("new-2", 9).await.unwrap(), []);
}

#[tokio::test]
async fn what_is_known_is_never_blanked_and_guesses_replace_nothing() {
    let stage = Stage::practising().await;
    stage
        .desk
        .plans
        .open(&plan(sample::REFRIGERATOR_PLAN_3_YEARS))
        .await
        .unwrap();
    let refrigerator = product(sample::PRODUCT_REFRIGERATOR);
    let before = stage
        .desk
        .catalog
        .product(&refrigerator)
        .await
        .unwrap()
        .unwrap();
    assert!(before.title.is_some() && before.category.is_none());

    let mut catalogue = hint(sample::PRODUCT_REFRIGERATOR, Some("別の名前"));
    catalogue.category = Some("冷蔵庫".to_owned());
    let hints = vec![
        catalogue,
        hint("NEW-2", Some("x")),
        hint(sample::PRODUCT_REFRIGERATOR, None),
    ];
    let new = stage
        .desk
        .catalog
        .remember(hints, KnownFrom::Practice)
        .await
        .unwrap();
    assert_eq!(new, 1);
    let after = stage
        .desk
        .catalog
        .product(&refrigerator)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(after.title, before.title);
    assert_eq!(after.category.as_deref(), Some("冷蔵庫"));
    assert_eq!(
        (after.known_from, after.known_at),
        (before.known_from, before.known_at)
    );
    // A contract read from the service does replace.
    let read = vec![hint(sample::PRODUCT_REFRIGERATOR, Some("新しい名前"))];
    stage
        .desk
        .catalog
        .remember(read, KnownFrom::Contract)
        .await
        .unwrap();
    let after = stage
        .desk
        .catalog
        .product(&refrigerator)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(after.title.as_deref(), Some("新しい名前"));
    assert_eq!(after.category.as_deref(), Some("冷蔵庫"));
}

#[tokio::test]
async fn the_list_is_bounded_in_order_and_each_profiles_own() {
    let (stage, _) = Stage::live().await;
    let hints = (0..30)
        .rev()
        .map(|number| hint(&format!("P-{number:02}"), Some("商品")))
        .collect();
    stage
        .desk
        .catalog
        .remember(hints, KnownFrom::Reference)
        .await
        .unwrap();
    let found = stage.desk.catalog.search("商品", 3).await.unwrap();
    let references: Vec<&str> = found
        .iter()
        .map(|found| found.reference_id.as_str())
        .collect();
    assert_eq!(references, ["P-00", "P-01", "P-02"]);
    assert_eq!(
        stage.desk.catalog.search("ｐ-2", 99).await.unwrap().len(),
        10
    );
    for hostile in ["%", "_", "'", "\"", "\\"] {
        assert!(
            stage
                .desk
                .catalog
                .search(hostile, 9)
                .await
                .unwrap()
                .is_empty()
        );
    }
    stage.desk.profiles.add(stage.draft("支店")).await.unwrap();
    stage.desk.profiles.choose("支店").await.unwrap();
    assert!(stage.desk.catalog.search("", 99).await.unwrap().is_empty());
}

#[tokio::test]
async fn an_upsert_that_waited_while_its_profile_moved_takes_no_token_along() {
    let (stage, profile) = Stage::live().await;
    let other = Stage::empty().await;
    stage.sandbox.set_personality(Personality {
        answer_delay_ms: 1_500,
        ..Personality::default()
    });
    let put = |title: &'static str| {
        let desk = stage.desk.clone();
        tokio::spawn(async move { desk.products.put(&draft("NEW-1", title)).await })
    };
    let first = put("first");
    until("it is on its way", async || {
        stage.arrived(Operation::UpsertProduct) == 1
    })
    .await;
    let second = put("second");
    // It asks for the profile now, before it is changed, and then waits behind the first one.
    tokio::task::yield_now().await;
    let moved = other.draft("本店");
    stage
        .desk
        .profiles
        .change(&profile.id, moved)
        .await
        .unwrap();
    let token = warranty_core::api::Token::new("of-the-other-service").unwrap();
    stage
        .desk
        .profiles
        .set_token(&profile.id, token)
        .await
        .unwrap();
    first.await.unwrap().unwrap();
    let waited = second.await.unwrap();
    assert!(matches!(waited, Err(Error::ProfileMoved)), "{waited:?}");
    assert_eq!(stage.arrived(Operation::UpsertProduct), 1);
}
