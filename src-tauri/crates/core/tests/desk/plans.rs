//! Browsing, searching and refreshing plans.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::sync::broadcast::Receiver;
use tokio::task::JoinHandle;
use warranty_core::api::{Amount, PlanFilter};
use warranty_core::clock::Clock;
use warranty_core::notice::Notice;
use warranty_core::plans::Source;
use warranty_core::products::KnownFrom;
use warranty_core::{Desk, DeskOptions, Error, Operation};
use warranty_sandbox::{
    Action,
    Operation::{GetPlan, ListPlans},
    sample,
};

use crate::harness::{
    Stage, TestClock, always, hint, html, instead, plan, product, status, too_many, until,
};
use crate::steps::{Steps, failed, refused, with};

/// A clock that stands still until it is told to go on.
#[derive(Debug)]
pub struct Told(pub AtomicI64);

impl Clock for Told {
    fn now(&self) -> DateTime<Utc> {
        DateTime::from_timestamp(self.0.load(Ordering::SeqCst), 0).unwrap()
    }
    fn monotonic(&self) -> Duration {
        Duration::from_secs(self.0.load(Ordering::SeqCst).unsigned_abs())
    }
}

#[tokio::test]
async fn a_product_with_plans_is_remembered_and_an_unknown_one_is_not() {
    let stage = Stage::practising().await;
    let nothing = product("nothing");
    let answer = stage.plans.refresh(&nothing, PlanFilter::Any).await;
    assert_eq!(failed(answer), Operation::ListPlans);
    assert!(stage.find_products("", 10).await.is_empty());
    let none = product(sample::PRODUCT_WITHOUT_PLANS);
    let none = stage.refresh(&none, PlanFilter::Any).await;
    assert!(none.plans.is_empty() && none.fetched_at.is_some());

    let refrigerator = product(sample::PRODUCT_REFRIGERATOR);
    let before = stage.cached(&refrigerator).await;
    assert_eq!((before.fetched_at, before.age_seconds), (None, None));
    assert!(before.plans.is_empty());
    let fresh = stage.refresh(&refrigerator, PlanFilter::Any).await;
    assert_eq!((fresh.source, fresh.plans.len()), (Source::Service, 3));
    let stage = stage.restarted().await;
    let cached = stage.cached(&refrigerator).await;
    assert_eq!((cached.source, cached.plans), (Source::Cache, fresh.plans));
    let known = stage.known(&refrigerator).await;
    assert_eq!(known.known_from, KnownFrom::Reference);
}

/// The last that was told of a refresh of this many products: how many are done and failed, and whether
/// it is over.
fn last_told(mut notices: Receiver<Notice>, of: u32) -> Option<(u32, u32, bool)> {
    let mut last = None;
    while let Ok(notice) = notices.try_recv() {
        if let Notice::RefreshProgress {
            done,
            total,
            failed,
            finished,
            ..
        } = notice
        {
            assert_eq!(total, of);
            last = Some((done, failed, finished));
        }
    }
    last
}

#[tokio::test]
async fn an_opened_plan_brings_its_product_and_is_found_by_its_title() {
    let stage = Stage::practising().await;
    let id = plan(sample::REFRIGERATOR_PLAN_5_YEARS);
    assert_eq!(stage.plans.cached_plan(&id).await.unwrap(), None);
    let opened = stage.plans.open(&id).await.unwrap();
    assert_eq!(opened.source, Source::Service);
    assert_eq!(opened.page_host.as_deref(), Some("sample.invalid"));
    let title = opened.product.as_ref().unwrap().title.clone().unwrap();

    stage.sandbox.stop().await;
    let found = stage.desk.find_plans(&title, 10).await;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].plan, opened.plan);
    assert_eq!(found[0].product, opened.product);
    assert_eq!(found[0].source, Source::Cache);
    let cached = stage.desk.plans.cached_plan(&id).await.unwrap().unwrap();
    assert_eq!(
        cached.product_reference,
        Some(product(sample::PRODUCT_REFRIGERATOR))
    );
    let page = stage.desk.plans.page(&id, "sample.invalid").await.unwrap();
    assert_eq!(Some(page), opened.plan.url);
    // Only the host that was shown is opened.
    let other = stage.desk.plans.page(&id, "other.invalid").await;
    refused!(other, Error::NoPage);
    let reference = product(sample::PRODUCT_REFRIGERATOR);
    let known = stage.desk.known(&reference).await;
    assert_eq!(
        (known.product.title, known.known_from),
        (Some(title), KnownFrom::Plan)
    );
}

#[tokio::test]
async fn a_plan_that_is_read_without_its_product_keeps_the_one_that_is_known() {
    let stage = Stage::practising().await;
    let id = plan(sample::REFRIGERATOR_PLAN_5_YEARS);
    let before = stage.plans.open(&id).await.unwrap();
    assert!(before.product.is_some());
    let without = instead(r#""product":"#, r#""other":"#);
    stage.next(GetPlan, without);
    let opened = stage.plans.open(&id).await.unwrap();
    assert_eq!(opened.source, Source::Service);
    assert_eq!(opened.product, before.product);
    assert_eq!(opened.product_reference, before.product_reference);
}

#[tokio::test]
async fn all_known_products_are_refreshed_with_progress() {
    let stage = Stage::practising().await;
    let references = [
        sample::PRODUCT_REFRIGERATOR,
        sample::PRODUCT_NOTEBOOK,
        sample::PRODUCT_CAMERA,
        "unknown-to-the-service",
    ];
    let hints = references.iter().map(|reference| hint(reference)).collect();
    let new = stage.remember(hints, KnownFrom::Reference).await;
    assert_eq!(new, 4);
    let notices = stage.notices();
    stage.plans.refresh_all(PlanFilter::Any).await.unwrap();
    assert_eq!(last_told(notices, 4), Some((4, 1, true)));
    for reference in &references[..3] {
        // The counter asks for live plans without a network.
        for filter in [PlanFilter::Any, PlanFilter::Live] {
            let cached = stage.desk.plans.cached(&product(reference), filter).await;
            let cached = cached.unwrap();
            assert!(cached.fetched_at.is_some() && !cached.plans.is_empty());
        }
    }
}

/// How many products there are, and a refresh of them all that has asked about some.
async fn refreshing(stage: &Stage) -> (usize, JoinHandle<Result<(), Error>>) {
    let products = sample::catalogue();
    let hints = products.iter().map(|sample| hint(&sample.reference_id));
    stage.remember(hints.collect(), KnownFrom::Reference).await;
    let desk = stage.desk.clone();
    let refresh = tokio::spawn(async move { desk.plans.refresh_all(PlanFilter::Live).await });
    until("the first listings", async || stage.arrived(ListPlans) >= 3).await;
    (products.len(), refresh)
}

#[tokio::test]
async fn a_cancelled_refresh_stops_and_keeps_what_is_done() {
    let stage = Stage::practising().await;
    let (total, refresh) = refreshing(&stage).await;
    // While one runs, another does nothing.
    stage.plans.refresh_all(PlanFilter::Live).await.unwrap();
    stage.plans.cancel_refresh();
    refresh.await.unwrap().unwrap();
    let arrived = stage.arrived(ListPlans);
    assert!(arrived < total, "{arrived} of {total} were asked for");
    assert!(!stage.find_plans("", 10).await.is_empty());
    // It can begin again.
    stage.plans.cancel_refresh();
    stage.plans.refresh_all(PlanFilter::Live).await.unwrap();
    assert_eq!(stage.arrived(ListPlans), arrived + total);
}

#[tokio::test]
async fn the_products_of_a_profile_are_refreshed_while_those_of_another_are() {
    let (stage, first) = Stage::live().await;
    stage.service(|it| it.answer_delay_ms = 1_000);
    let (_, refresh) = refreshing(&stage).await;

    let second = stage.connect("支店").await;
    assert_ne!(second.id, first.id);
    let camera = hint(sample::PRODUCT_CAMERA);
    stage.remember(vec![camera], KnownFrom::Reference).await;
    stage.plans.refresh_all(PlanFilter::Live).await.unwrap();
    let camera = product(sample::PRODUCT_CAMERA);
    let cached = stage.plans.cached(&camera, PlanFilter::Live).await;
    assert!(cached.unwrap().fetched_at.is_some());
    stage.plans.cancel_refresh();
    refresh.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_refresh_ends_early_when_the_service_is_asked_too_often_and_asks_nothing_in_the_wait() {
    let clock = TestClock::new();
    let stage = Stage::practising().await.restarted_by(clock.clone()).await;
    let hints = (0..50).map(|number| hint(&format!("P-{number}"))).collect();
    stage.remember(hints, KnownFrom::Reference).await;
    let refresh_all = async || stage.plans.refresh_all(PlanFilter::Live).await;
    stage.next(ListPlans, too_many("3600"));
    refused!(refresh_all().await, Error::Service { .. });
    let arrived = stage.arrived(ListPlans);
    assert!(arrived <= 5, "{arrived} of 50 were asked for");
    clock.pass(3_500);
    refused!(
        refresh_all().await,
        Error::Service { source, .. } if source.status() == Some(429)
    );
    assert_eq!(stage.arrived(ListPlans), arrived);
    clock.pass(200);
    // It knows none of them.
    assert_eq!(failed(refresh_all().await), Operation::ListPlans);
    assert_eq!(stage.arrived(ListPlans), arrived + 50);
}

#[tokio::test]
async fn a_refresh_ends_early_when_the_service_cannot_be_reached_or_fails() {
    let stage = Stage::practising().await;
    let hints = (0..50).map(|number| hint(&format!("P-{number}"))).collect();
    stage.remember(hints, KnownFrom::Reference).await;
    let desk = stage.desk.clone();
    let refresh_all = async || desk.plans.refresh_all(PlanFilter::Live).await;
    let ends_early = async || {
        let notices = desk.notices();
        refused!(refresh_all().await, Error::Service { .. });
        let (done, _, finished) = last_told(notices, 50).unwrap();
        assert!(done < 10 && finished, "{done}");
    };
    for fault in [Action::DropBeforeCommit, status(503), html()] {
        stage.service(|it| it.faults = always(ListPlans, fault));
        ends_early().await;
    }
    stage.sandbox.stop().await;
    ends_early().await;
}

#[tokio::test]
async fn a_refresh_that_refreshes_nothing_says_why() {
    let stage = Stage::practising().await;
    let hints = (0..5).map(|number| hint(&format!("P-{number}"))).collect();
    stage.remember(hints, KnownFrom::Reference).await;
    let notices = stage.notices();
    // The service knows none of them.
    let refreshed = stage.plans.refresh_all(PlanFilter::Live).await;
    assert_eq!(failed(refreshed), Operation::ListPlans);
    assert_eq!(last_told(notices, 5), Some((5, 5, true)));
}

#[tokio::test]
async fn the_age_of_what_is_remembered_follows_the_clock() {
    let stage = Stage::practising().await;
    let clock = Arc::new(Told(AtomicI64::new(1_795_000_000)));
    let folder = tempfile::tempdir().unwrap();
    let options = DeskOptions {
        clock: clock.clone(),
        ..DeskOptions::new(folder.path().to_owned(), stage.vault.clone())
    };
    let desk = Desk::open(options).await.unwrap();
    desk.profiles
        .connect(stage.draft("本店"), stage.token())
        .await
        .unwrap();
    let refrigerator = product(sample::PRODUCT_REFRIGERATOR);
    desk.refresh(&refrigerator, PlanFilter::Any).await;
    let age = async || {
        let plan_list = desk.cached(&refrigerator).await;
        let record = desk.find_plans("", 1).await.remove(0);
        assert_eq!(plan_list.age_seconds, record.age_seconds);
        record.age_seconds
    };
    clock.0.fetch_add(90, Ordering::SeqCst);
    assert_eq!(age().await, Some(90));
    // What was read while the clock was ahead does not look new.
    clock.0.fetch_sub(4000, Ordering::SeqCst);
    assert_eq!(age().await, None);
}

#[tokio::test]
async fn an_answer_that_comes_after_the_profile_moved_is_not_cached_under_it() {
    let (stage, profile) = Stage::live().await;
    stage.service(|it| it.answer_delay_ms = 1_000);
    let refrigerator = product(sample::PRODUCT_REFRIGERATOR);
    let (desk, asked_for) = (stage.desk.clone(), refrigerator.clone());
    let asked = tokio::spawn(async move { desk.plans.refresh(&asked_for, PlanFilter::Any).await });
    until("the listing", async || stage.arrived(ListPlans) == 1).await;
    let moved = with(stage.draft("本店"), |it| {
        it.store_id = "another-store".to_owned();
    });
    stage.change(&profile, moved).await;
    refused!(asked.await.unwrap(), Error::ProfileMoved);
    assert_eq!(stage.cached(&refrigerator).await.fetched_at, None);
    assert!(stage.find_products("", 1).await.is_empty());
}

#[tokio::test]
async fn a_plan_listed_twice_is_offered_once() {
    let listed = r#"[{"id":"a","price":1},{"id":"b"},{"id":"a","price":2}]"#;
    let stage = Stage::answered(&[("GET", listed)]).await;
    let refrigerator = product(sample::PRODUCT_REFRIGERATOR);
    let fresh = stage.refresh(&refrigerator, PlanFilter::Any).await;
    let cached = stage.cached(&refrigerator).await;
    for plan_list in [fresh, cached] {
        let plans = plan_list.plans.iter();
        let seen: Vec<_> = plans
            .map(|plan| (plan.id.as_str(), plan.price.known().map(Amount::get)))
            .collect();
        assert_eq!(seen, [("a", Some(1)), ("b", None)]);
    }
}
