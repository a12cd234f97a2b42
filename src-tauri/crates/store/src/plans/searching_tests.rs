//! What a search of plans finds, whatever was written since the one before.

use proptest::prelude::*;

use super::tests::{AT, Cache, hint, plan, plans_of, read};
use super::*;
use warranty_model::interface::PlanWithProduct;
use warranty_model::search_text::{fold, words};

#[tokio::test]
async fn text_is_found_in_both_scripts_and_all_widths() {
    let cache = Cache::new().await;
    let known = hint("2000000000015", Some("ﾄﾞﾗﾑ式洗濯機 ＷＸ-９"));
    let plans = vec![plan(
        "PL-100",
        "あんしん保証５年 エ―コ－ス",
        Some("STORE−7"),
    )];
    cache
        .keep_listing("p", known, PlanFilter::Any, plans, AT)
        .await;
    let basic = [plan("PL-200", "Basic", None)];
    cache.offers("other", &basic).await;
    for text in [
        "あんしん保証5年",
        "ドラム式",
        "ﾄﾞﾗﾑ",
        "wx-9",
        "ＷＸ",
        "5年",
        "保",
        "store-7",
        "pl-100",
        "000000015",
        "２０００",
        "出張修理 ドラム 9",
        "自然故障　洗濯",
        "WXー9",
        "storeー7",
        "pl–１００",
        "エーコース",
    ] {
        let found = cache.found(text).await;
        assert!(found.contains(&"PL-100".to_owned()), "{text}: {found:?}");
    }
    assert_eq!(cache.found("basic").await, ["PL-200"]);
    assert_eq!(cache.found("ドラム basic").await, [""; 0]);
    assert_eq!(cache.found("").await, ["PL-100", "PL-200"]);
}

#[tokio::test]
async fn what_changed_since_the_last_search_is_found_by_the_next() {
    let cache = Cache::new().await;
    let plans = [plan("a", "3年", None), plan("b", "5年", None)];
    cache.offers("R", &plans).await;
    cache.offers("S", &[plan("c", "3年", None)]).await;
    assert_eq!(cache.found("").await, ["a", "b", "c"]);

    let renamed = plan("b", "10年", Some("S-1"));
    let renamed = read(renamed, "R", "冷蔵庫");
    cache.keep_plan("p", renamed, AT).await;
    assert_eq!(cache.found("10年").await, ["b"]);
    assert_eq!(cache.found("s-1 冷蔵庫").await, ["b"]);
    assert_eq!(cache.found("5年").await, [""; 0]);
    // One plan goes over to another product, one is offered no longer, one has no product.
    let moved = plan("a", "3年", None);
    cache.offers("S", &[moved]).await;
    assert_eq!(cache.found("").await, ["b", "a"]);
    assert_eq!(cache.found("冷蔵庫").await, ["b"]);
    let alone = PlanWithProduct {
        plan: plan("0", "3年", None),
        product: None,
    };
    cache.keep_plan("p", alone, AT).await;
    assert_eq!(cache.found("3年").await, ["a", "0"]);
    let saved = hint("S", Some("洗濯機"));
    cache.keep_upsert("p", saved, Vec::new(), AT).await;
    assert_eq!(cache.found("洗濯機").await, ["a"]);
    cache.forget_profile("p").await;
    assert_eq!(cache.found("").await, [""; 0]);
}

#[tokio::test]
async fn profiles_are_searched_in_turns_and_forgotten_alone() {
    let cache = Cache::new().await;
    for (profile, id) in [("p", "a"), ("q", "b")] {
        let plans = vec![plan(id, "3年", None)];
        let product = hint("R", None);
        cache
            .keep_listing(profile, product, PlanFilter::Any, plans, AT)
            .await;
    }
    for _ in 0..2 {
        assert_eq!(cache.found("3年").await, ["a"]);
        let other = cache.search("q", words("3年"), 9).await;
        assert_eq!(plans_of(&other), ["b"]);
    }
    cache.forget_profile("p").await;
    assert_eq!(cache.found("3年").await, [""; 0]);
    let other = cache.search("q", words("3年"), 9).await;
    assert_eq!(plans_of(&other), ["b"]);
}

#[tokio::test]
async fn plans_are_read_ahead_to_the_last_and_for_the_profile_searched_last_alone() {
    let cache = Cache::new().await;
    for number in 0..50 {
        let title = format!("{number}番");
        let plans = [plan(&title, &title, None)];
        cache.offers(&format!("R{number:02}"), &plans).await;
    }
    assert!(!cache.read_ahead("p").await, "nothing was searched");
    cache.search("p", words(""), 1).await;
    assert!(!cache.read_ahead("q").await);
    let mut parts = 0;
    while cache.read_ahead("p").await {
        parts += 1;
    }
    assert_eq!(parts, 3);
    assert_eq!(cache.found("49番").await, ["49番"]);
}

#[tokio::test]
async fn what_another_process_writes_is_found_too() {
    let cache = Cache::new().await;
    cache.offers("R", &[plan("a", "3年", None)]).await;
    let reader = PlanCache::open(&cache.path(), true).await;
    assert_eq!(reader.numbers("p", words("年")).await.unwrap().len(), 1);
    cache.offers("S", &[plan("b", "5年", None)]).await;
    assert_eq!(reader.numbers("p", words("年")).await.unwrap().len(), 2);
}

#[tokio::test]
async fn titles_that_change_again_and_again_do_not_pile_up() {
    let cache = Cache::new().await;
    for number in 0..20 {
        let title = format!("{number}番");
        cache.offers("R", &[plan("a", &title, None)]).await;
        assert_eq!(cache.found(&title).await, ["a"]);
    }
    let searched = cache.searched.lock().unwrap();
    let kinds = searched.index.kinds();
    assert!(kinds <= 3, "{kinds} kinds");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Judged by the plainest way there is: every field of every plan, one after the other.
    #[test]
    fn exactly_the_plans_that_hold_every_word_are_found_in_their_order(
        plans in prop::collection::vec(
            ("[a-cＡ-Ｃ]{1,2}", "[あいｱｲ5５ ]{0,4}", "[a-c\"%*]{0,2}", prop::option::of("[RST]")),
            0..40,
        ),
        typed in prop::collection::vec("[a-cＡ-Ｃあいｱｲア5５RST\"%* 　]{0,4}", 1..8),
        limit in 1..20_usize,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let cache = Cache::new().await;
            let mut kept = std::collections::BTreeMap::new();
            for (id, title, store_reference, product) in plans {
                let plan = plan(&id, &title, Some(&store_reference));
                let with = |reference: &String| read(plan.clone(), reference, "商品");
                let alone = PlanWithProduct { plan: plan.clone(), product: None };
                let read = product.as_ref().map_or(alone, with);
                cache.keep_plan("p", read, AT).await;
                let (_, of) = kept.remove(&id).unwrap_or((plan.clone(), None));
                kept.insert(id, (plan, product.or(of)));
                // Searched and read ahead in between, so that each search follows from the one before.
                cache.search("p", words("a"), 2).await;
                if title.contains('5') {
                    cache.read_ahead("p").await;
                }
            }
            let mut shown: Vec<_> = kept.into_values().collect();
            shown.sort_by_key(|(plan, product)| {
                (product.is_none(), product.clone(), plan.id.as_str().to_owned())
            });
            for typed in &typed {
                let holds = |(plan, product): &&(Plan, Option<String>)| {
                    let reference = plan.store_reference();
                    let fields = [
                        Some(plan.id.as_str()),
                        plan.title.as_deref(),
                        reference.as_deref(),
                        plan.service_type.as_deref(),
                        plan.protection_type.as_deref(),
                        product.as_deref(),
                        product.as_ref().map(|_| "商品"),
                    ];
                    words(typed).iter().all(|word| {
                        fields.iter().flatten().any(|field| fold(field).contains(word.as_str()))
                    })
                };
                let expected: Vec<&str> = shown.iter().filter(holds).take(limit)
                    .map(|(plan, _)| plan.id.as_str()).collect();
                let bound = u32::try_from(limit).unwrap();
                let found = cache.search("p", words(typed), bound).await;
                prop_assert_eq!(plans_of(&found), expected);
            }
            Ok(())
        })?;
    }
}
