//! What counts as news of a product, and what is known after several words about the same one.

use super::*;
use warranty_model::interface::Amount;

use crate::Store;
use crate::test_fixtures::{NOW, line, store};

const LATER: i64 = NOW + 1;

fn hint(title: &str) -> ProductHint {
    ProductHint {
        title: Some(title.to_owned()),
        ..ProductHint::of_reference(ProductReference::new("p").unwrap())
    }
}

/// Hears these titles of one product at once; how many of them were news.
async fn heard(store: &Store, titles: &[&str], at: i64) -> usize {
    let hints: Vec<_> = titles.iter().map(|title| hint(title)).collect();
    let from = KnownFrom::Plan;
    let news = store
        .call(move |connection| news(connection, "profile", hints, from, at))
        .await
        .unwrap();
    let count = news.len();
    store
        .write(move |transaction| remember(transaction, "profile", &news, from, at))
        .await
        .unwrap();
    count
}

async fn record(store: &Store) -> ProductRecord {
    let record = store.product("profile", &hint("").reference_id).await;
    record.unwrap().unwrap()
}

async fn known(store: &Store) -> (String, i64) {
    let ProductRecord {
        product, known_at, ..
    } = record(store).await;
    (product.title.unwrap(), known_at.get().timestamp_millis())
}

#[tokio::test]
async fn the_same_words_are_news_only_at_another_time_and_other_words_at_once() {
    let (_folder, store) = store().await;
    assert_eq!(heard(&store, &["a"], NOW).await, 1);
    assert_eq!(heard(&store, &["a"], NOW).await, 0);
    assert_eq!(known(&store).await, ("a".to_owned(), NOW));
    assert_eq!(heard(&store, &["a"], LATER).await, 1);
    assert_eq!(known(&store).await, ("a".to_owned(), LATER));
    assert_eq!(heard(&store, &["b"], LATER).await, 1);
    assert_eq!(known(&store).await, ("b".to_owned(), LATER));
    // A clock set back makes nothing old.
    assert_eq!(heard(&store, &["b"], NOW).await, 1);
}

#[tokio::test]
async fn a_contract_sold_earlier_fills_blanks_and_replaces_nothing_that_the_service_said() {
    for from in [KnownFrom::Upsert, KnownFrom::Plan, KnownFrom::Contract] {
        let (_folder, store) = store().await;
        let sold = ProductHint {
            category: Some("category".to_owned()),
            ..hint("as it was sold long ago")
        };
        let said = hint("said before");
        for (hint, from, at) in [(said, from, NOW), (sold, KnownFrom::Contract, LATER)] {
            let heard = store.remember_products("profile", vec![hint], from, at);
            heard.await.unwrap();
        }
        let told = ("said before".to_owned(), NOW);
        assert_eq!(known(&store).await, told, "{from:?}");
        let category = record(&store).await.product.category;
        assert_eq!(category.as_deref(), Some("category"));
    }
}

#[tokio::test]
async fn of_several_words_about_a_product_the_last_one_stays() {
    for titles in [["b", "a"], ["a", "b"], ["b", "b"]] {
        let (_folder, store) = store().await;
        heard(&store, &["a"], NOW).await;
        heard(&store, &titles, LATER).await;
        assert_eq!(known(&store).await.0, titles[1], "{titles:?}");
    }
}

#[tokio::test]
async fn a_list_of_products_is_read_in_parts_in_any_order_with_those_without_a_value_last() {
    let (_folder, store) = store().await;
    let hints = [
        ("a", Some(300), "x"),
        ("b", None, "x"),
        ("c", Some(100), "x"),
        ("d", Some(200), "y"),
    ];
    let hints = hints.map(|(reference, price, title)| ProductHint {
        reference_id: ProductReference::new(reference).unwrap(),
        price: price.map(|price| Amount::new(price).unwrap()),
        ..hint(title)
    });
    let heard = store.remember_products("profile", hints.to_vec(), KnownFrom::Contract, NOW);
    heard.await.unwrap();
    for (ascending, all) in [(true, ["c", "a", "b"]), (false, ["a", "c", "b"])] {
        let mut found = Vec::new();
        for offset in 0..3 {
            let filter = ProductFilter {
                text: "x".to_owned(),
                sort: ProductSort::Price,
                ascending,
                offset,
                limit: 1,
            };
            let page = store.list_products("profile", filter).await.unwrap();
            assert_eq!(page.count, 3);
            let products = page.products.into_iter();
            found.extend(products.map(|one| one.product.reference_id));
        }
        let found: Vec<_> = found.iter().map(ProductReference::as_str).collect();
        assert_eq!(found, all);
    }
}

#[tokio::test]
async fn a_plan_read_does_not_make_the_category_of_a_product_new() {
    let (_folder, store) = store().await;
    let categorised = |title| ProductHint {
        category: Some("category".to_owned()),
        ..hint(title)
    };
    let hear = async |hint, from, at| {
        let heard = store.remember_products("profile", vec![hint], from, at);
        heard.await.unwrap();
        known(&store).await
    };
    hear(categorised("saved"), KnownFrom::Upsert, NOW).await;
    let told = hear(hint("of a plan"), KnownFrom::Plan, LATER).await;
    assert_eq!(told, ("of a plan".to_owned(), NOW));
    let told = hear(categorised("saved"), KnownFrom::Upsert, LATER).await;
    assert_eq!(told, ("saved".to_owned(), LATER));
}

#[tokio::test]
async fn a_brand_that_an_upsert_no_longer_returns_is_not_called_new() {
    let (_folder, store) = store().await;
    let branded = ProductHint {
        brand: Some("brand".to_owned()),
        ..hint("a")
    };
    for (hint, at) in [(branded, NOW), (hint("b"), LATER)] {
        let line = journal::Line { at, ..line() };
        store.remember_upsert("profile", hint, line).await.unwrap();
    }
    assert_eq!(known(&store).await, ("b".to_owned(), LATER));
    assert_eq!(record(&store).await.product.brand, None);
}

#[tokio::test]
async fn a_product_is_found_by_a_code_with_any_kind_of_dash_and_by_its_long_marks() {
    let (_folder, store) = store().await;
    heard(&store, &["炊飯器 NP–1000 セーター *"], NOW).await;
    for dash in "-ーｰ－‐‑‒–—―−".chars() {
        for text in [format!("np{dash}1000"), format!("セ{dash}タ")] {
            assert_eq!(found(&store, &text).await, 1, "{text}");
        }
    }
    for text in [
        "np1000",
        "np-2000",
        "n*-1000",
        "n?-1000",
        "[n]p-1000",
        "np-*",
    ] {
        assert_eq!(found(&store, text).await, 0, "{text}");
    }
}

/// How many products a text finds.
async fn found(store: &Store, text: &str) -> u32 {
    let filter = ProductFilter {
        text: text.to_owned(),
        ..ProductFilter::default()
    };
    store.list_products("profile", filter).await.unwrap().count
}
