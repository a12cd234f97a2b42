//! The plan cache: what it finds, and that nothing that happens to it stops anyone.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;
use warranty_model::interface::{Amount, Count, PlanId, PlanWithProduct, Stated};

use super::*;
use warranty_model::products::ProductHint;
use warranty_model::search_text::words;

pub(super) const AT: i64 = 1_795_000_000_000;

pub(super) struct Cache {
    cache: PlanCache,
    folder: TempDir,
}

impl std::ops::Deref for Cache {
    type Target = PlanCache;

    fn deref(&self) -> &PlanCache {
        &self.cache
    }
}

impl Cache {
    pub(super) async fn new() -> Self {
        Self::over(tempfile::tempdir().unwrap(), "cache.db", false).await
    }

    pub(super) fn path(&self) -> PathBuf {
        self.folder.path().join("cache.db")
    }

    /// A cache over a file of a folder.
    async fn over(folder: TempDir, name: &str, read_only: bool) -> Self {
        let cache = PlanCache::open(&folder.path().join(name), read_only).await;
        Self { cache, folder }
    }

    pub(super) async fn offers(&self, product: &str, plans: &[Plan]) {
        self.list(product, PlanFilter::Any, plans).await;
    }

    async fn offered(&self, product: &str) -> Vec<String> {
        self.listed(product, PlanFilter::Any).await.unwrap()
    }

    async fn linked(&self, product: &str) -> Vec<String> {
        self.listed(product, PlanFilter::LiveInStore).await.unwrap()
    }

    pub(super) async fn list(&self, product: &str, filter: PlanFilter, plans: &[Plan]) {
        self.keep_listing("p", hint(product, None), filter, plans.to_vec(), AT)
            .await;
    }

    async fn listed(&self, product: &str, filter: PlanFilter) -> Option<Vec<String>> {
        let listing = self.listing("p", &reference(product), filter).await?;
        Some(ids(listing.plans.iter()))
    }

    pub(super) async fn found(&self, text: &str) -> Vec<String> {
        plans_of(&self.search("p", words(text), 50).await)
    }
}

fn three_years() -> [Plan; 1] {
    [plan("a", "3年", None)]
}

pub(super) fn plans_of(found: &[CachedPlan]) -> Vec<String> {
    ids(found.iter().map(|found| &found.plan))
}

fn ids<'a>(plans: impl Iterator<Item = &'a Plan>) -> Vec<String> {
    plans.map(|plan| plan.id.as_str().to_owned()).collect()
}

fn reference(text: &str) -> ProductReference {
    ProductReference::new(text).unwrap()
}

pub(super) fn hint(reference_id: &str, title: Option<&str>) -> ProductHint {
    ProductHint {
        title: title.map(str::to_owned),
        ..ProductHint::of_reference(reference(reference_id))
    }
}

pub(super) fn plan(id: &str, title: &str, store_reference: Option<&str>) -> Plan {
    Plan {
        id: PlanId::new(id).unwrap(),
        store_reference_id: store_reference.map(str::to_owned).into(),
        title: Some(title.to_owned()),
        price: Some(Amount::new(4900).unwrap()).into(),
        term_length: Some(Count::new(60).unwrap()),
        service_type: Some("出張修理".to_owned()),
        protection_type: Some("自然故障".to_owned()),
        url: None,
    }
}

pub(super) fn read(plan: Plan, product: &str, title: &str) -> PlanWithProduct {
    PlanWithProduct {
        plan,
        product: Some(PlanProduct {
            id: None,
            reference_id: reference(product),
            title: Some(title.to_owned()),
            price: Stated::Absent,
            image_url: None,
            created_at: None,
            updated_at: None,
        }),
    }
}

#[tokio::test]
async fn a_listing_comes_back_in_the_services_order_with_its_moment() {
    let cache = Cache::new().await;
    let plans = [plan("z", "5年", None), plan("a", "3年", Some("S-1"))];
    cache.offers("R", &plans).await;
    let product = reference("R");
    let listing = cache.listing("p", &product, PlanFilter::Any).await;
    let listing = listing.unwrap();
    assert_eq!(listing.plans, plans);
    assert_eq!(listing.fetched_at.get().timestamp_millis(), AT);
    assert_eq!(cache.listed("R", PlanFilter::Live).await, None);
    assert_eq!(cache.listed("other", PlanFilter::Any).await, None);
    let elsewhere = cache.listing("another profile", &product, PlanFilter::Any);
    assert_eq!(elsewhere.await, None);
}

#[tokio::test]
async fn a_plan_that_is_no_longer_offered_is_no_longer_found() {
    let cache = Cache::new().await;
    let (old, new) = (plan("old", "延長保証", None), plan("new", "延長保証", None));
    cache
        .list("R", PlanFilter::Live, std::slice::from_ref(&old))
        .await;
    cache.offers("R", &[old, new.clone()]).await;
    cache.offers("R", &[new]).await;
    assert_eq!(cache.found("延長保証").await, ["new"]);
    assert_eq!(cache.listed("R", PlanFilter::Live).await.unwrap(), [""; 0]);
}

#[tokio::test]
async fn a_plan_of_two_products_stays_with_each_at_the_price_that_was_listed_for_it() {
    let cache = Cache::new().await;
    let at = |price: i64| Plan {
        price: Some(Amount::new(price).unwrap()).into(),
        ..plan("p", "3年", None)
    };
    let listed = async |product| {
        let product = reference(product);
        let listing = cache.listing("p", &product, PlanFilter::Any).await;
        listing.unwrap().plans
    };
    cache.offers("B", &[at(8_000)]).await;
    cache.offers("A", &[at(5_000)]).await;
    assert_eq!(listed("B").await, [at(8_000)]);
    // Either may be asked for again.
    cache.offers("B", &[at(9_000)]).await;
    cache.list("A", PlanFilter::Live, &[at(6_000)]).await;
    assert_eq!(listed("B").await, [at(9_000)]);
    assert_eq!(listed("A").await, [at(6_000)]);
    let link = async |store_reference_id: Stated<String>| {
        let linked = Plan {
            store_reference_id,
            ..at(6_000)
        };
        let linked = read(linked, "A", "洗濯機");
        cache.keep_plan("p", linked, AT).await;
    };
    // A link is one for both, also where the linked plans were asked for before.
    cache.list("B", PlanFilter::LiveInStore, &[]).await;
    link(Some("S-1".to_owned()).into()).await;
    assert_eq!(cache.linked("B").await, ["p"]);
    // One that is not understood stays so.
    let odd = Stated::NotUnderstood("4711".to_owned());
    link(odd.clone()).await;
    assert_eq!(listed("B").await[0].store_reference_id, odd);

    cache.offers("A", &[]).await;
    assert_eq!(cache.listed("A", PlanFilter::Live).await.unwrap(), [""; 0]);
    let of_b = cache.search("p", words("3年"), 50).await;
    assert_eq!(of_b[0].product_reference, Some(reference("B")));
    assert_eq!(of_b[0].plan.price, at(9_000).price);
    assert_eq!(of_b[0].plan.store_reference_id, odd);
    assert_eq!(listed("B").await[0].price, at(9_000).price);
}

#[tokio::test]
async fn linked_plans_are_told_from_all_plans_and_follow_a_new_link() {
    let cache = Cache::new().await;
    let (a, b) = (plan("a", "3年", Some("S-1")), plan("b", "5年", None));
    cache.offers("R", &[a.clone(), b]).await;
    assert_eq!(cache.linked("R").await, ["a"]);
    // Asked for on its own, then outdated by a link made since.
    cache.list("R", PlanFilter::LiveInStore, &[a]).await;
    let linked = read(plan("b", "5年", Some("S-2")), "R", "洗濯機");
    cache.keep_plan("p", linked, AT).await;
    assert_eq!(cache.linked("R").await, ["a", "b"]);
    let used_by = cache.used_by("p", "S-2").await;
    assert_eq!(used_by, [PlanId::new("b").unwrap()]);
}

#[tokio::test]
async fn what_an_upsert_said_of_a_product_and_its_plans_is_found() {
    let cache = Cache::new().await;
    cache.offers("R", &three_years()).await;
    assert_eq!(cache.found("冷蔵庫").await, [""; 0]);
    for title in ["洗濯機", "冷蔵庫"] {
        let plans = vec![plan("b", "5年", None)];
        let product = hint("R", Some(title));
        cache.keep_upsert("p", product, plans, AT).await;
        assert_eq!(cache.found(title).await, ["a", "b"]);
    }
    // What is known before a listing fills gaps and replaces nothing.
    let known = hint("R", Some("別の名前"));
    let plans = three_years().to_vec();
    cache
        .keep_listing("p", known, PlanFilter::Live, plans, AT)
        .await;
    assert_eq!(cache.found("冷蔵庫").await, ["a", "b"]);
    let id = PlanId::new("a").unwrap();
    let found = cache.plan("p", &id).await.unwrap();
    assert_eq!(found.product_reference, Some(reference("R")));
    assert_eq!(found.product.unwrap().title.as_deref(), Some("冷蔵庫"));
}

#[tokio::test]
async fn a_file_that_is_no_database_is_deleted_and_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cache.db");
    fs::write(&path, b"not a database, but long enough to be looked at").unwrap();
    let cache = Cache::over(folder, "cache.db", false).await;
    cache.offers("R", &three_years()).await;
    assert_eq!(cache.offered("R").await, ["a"]);
    let again = PlanCache::open(&cache.path(), false).await;
    assert!(again.plan("p", &PlanId::new("a").unwrap()).await.is_some());
}

#[tokio::test]
async fn a_file_of_a_newer_version_is_made_anew() {
    let first = Cache::new().await;
    let newer = "PRAGMA user_version = 999";
    let done = first.call(move |connection| connection.execute_batch(newer));
    done.await.unwrap();
    let cache = Cache::over(first.folder, "cache.db", false).await;
    cache.offers("R", &three_years()).await;
    assert_eq!(cache.offered("R").await, ["a"]);
}

#[tokio::test]
async fn a_file_found_damaged_while_working_knows_nothing_until_the_next_start_makes_a_new_one() {
    let cache = Cache::new().await;
    let plans: Vec<Plan> = (0..200)
        .map(|number| plan(&format!("a{number}"), "延長保証プラン", None))
        .collect();
    cache.offers("R", &plans).await;
    assert_eq!(cache.found("延長保証").await.len(), 50);
    // Every page but the first is overwritten behind the back of the open connection.
    let run = |pragma| cache.call(move |connection| connection.execute_batch(pragma));
    run("PRAGMA wal_checkpoint(TRUNCATE)").await.unwrap();
    let mut bytes = fs::read(cache.path()).unwrap();
    bytes[4096..].fill(0x5a);
    fs::write(cache.path(), bytes).unwrap();
    run("PRAGMA shrink_memory").await;
    let (one, other) = tokio::join!(cache.found("延長保証"), cache.found("プラン"));
    assert_eq!((one, other), (Vec::new(), Vec::new()));
    assert!(!cache.path().exists());
    cache.offers("R", &three_years()).await;
    assert_eq!(cache.listed("R", PlanFilter::Any).await, None);
    let cache = Cache::over(cache.folder, "cache.db", false).await;
    cache.offers("R", &three_years()).await;
    assert_eq!(cache.offered("R").await, ["a"]);
}

#[tokio::test]
async fn where_no_file_can_be_made_nothing_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::over(folder, "missing/cache.db", false).await;
    cache.offers("R", &three_years()).await;
    assert_eq!(cache.listed("R", PlanFilter::Any).await, None);
    assert!(!cache.path().exists());
}

#[tokio::test]
async fn a_reader_without_a_file_has_an_empty_cache_and_makes_none() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::over(folder, "cache.db", true).await;
    assert_eq!(cache.listed("R", PlanFilter::Any).await, None);
    assert!(!cache.path().exists());
}

#[tokio::test]
async fn without_any_database_nothing_is_known_and_nothing_fails() {
    let cache = Cache {
        cache: PlanCache::forgetful(),
        folder: tempfile::tempdir().unwrap(),
    };
    cache.offers("R", &three_years()).await;
    assert_eq!(cache.listed("R", PlanFilter::Any).await, None);
    assert_eq!(cache.found("3年").await, [""; 0]);
    // It is not taken for an empty one.
    assert_eq!(cache.numbers("p", Vec::new()).await, None);
    assert!(cache.of_numbers(&[1]).await.is_none());
}
