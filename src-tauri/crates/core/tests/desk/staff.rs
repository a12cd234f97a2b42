//! Who sells on a shared computer.

use futures::future::join;
use warranty_core::bulk::RunKind;
use warranty_core::bulk::from_file::FileToStage;
use warranty_core::contracts::EnterMode;
use warranty_core::files::{Mapping, ReadOptions};
use warranty_core::staff::{StaffPolicy, StaffState};
use warranty_core::{Error, Field};
use warranty_sandbox::Operation::BulkCreateContracts;

use crate::harness::{Stage, hasty, plan, status};
use crate::leads::draft as lead_draft;
use crate::products::draft as product_draft;
use crate::run_kinds;
use crate::runs::{new, staged as staged_rows, started};
use crate::sales::{self, id, sale, sales};
use crate::steps::{Steps, edit, provider_has_none};

const ID: &str = "7d9f3b52-6a0e-4c55-9d0a-1f1d4b8f2a10";

async fn state(stage: &Stage) -> StaffState {
    stage.status().await.unwrap().staff
}

#[tokio::test]
async fn what_is_entered_under_a_staff_code_is_that_persons_in_list_journal_and_day() {
    let stage = Stage::practising().await;
    let staff = &stage.staff;
    staff.change_policy(StaffPolicy::PerSale).await.unwrap();
    staff.enter(Some(" ４２ ")).unwrap();
    let sold = stage.register_under(ID, &sale(1), &[]).await.unwrap();
    assert_eq!(sold.entered_by, "42");
    let journal = stage.journal(1).await.unwrap();
    assert_eq!(journal[0].user, "42");
    let day = stage.days.day(None).await.unwrap();
    assert_eq!(day.by_staff[0].name.as_deref(), Some("42"));
    // The person of the sale before does not sell the next one.
    staff.enter(None).unwrap();
    let other = "8d9f3b52-6a0e-4c55-9d0a-1f1d4b8f2a10";
    let next = stage.register_under(other, &sale(2), &[]).await.unwrap();
    assert_ne!(next.entered_by, "42");
}

#[tokio::test]
async fn the_policy_is_the_profiles_and_the_code_ends_with_the_process_and_the_profile() {
    let stage = Stage::practising().await;
    assert_eq!(state(&stage).await, StaffState::default());
    let policy = StaffPolicy::PerStart;
    stage.staff.change_policy(policy).await.unwrap();
    stage.staff.enter(Some("42")).unwrap();
    let code = Some("42".to_owned());
    assert_eq!(state(&stage).await, StaffState { policy, code });
    let stage = stage.restarted().await;
    assert_eq!(state(&stage).await, StaffState { policy, code: None });

    stage.staff.enter(Some("42")).unwrap();
    stage.connect("本店").await;
    assert_eq!(state(&stage).await, StaffState::default());
}

#[tokio::test]
async fn a_code_that_cannot_be_one_is_refused_at_its_field() {
    let stage = Stage::practising().await;
    assert!(matches!(
        stage.staff.enter(Some(" ")),
        Err(Error::Input(problems)) if problems[0].field == Field::StaffCode
    ));
}

#[tokio::test]
async fn rows_are_of_the_person_who_handed_them_in_whoever_sells_while_they_are_entered() {
    let stage = Stage::practising().await;
    let staff = &stage.staff;
    staff.change_policy(StaffPolicy::PerStart).await.unwrap();
    staff.enter(Some("17")).unwrap();
    let run = started(&stage, &sales(2)).await;
    staff.enter(Some("42")).unwrap();
    stage.enter_rows(&run.id).await;
    for entry in stage.entered().await {
        assert_eq!(entry.entered_by, "17");
    }
    let journal = stage.journal(20).await.unwrap();
    let entered = journal
        .iter()
        .find(|line| line.action == "contracts.entered");
    assert_eq!(entered.unwrap().user, "17");
}

#[tokio::test]
async fn products_and_links_of_files_are_journalled_under_the_person_who_handed_them_in() {
    let stage = Stage::practising().await;
    let staff = &stage.staff;
    staff.enter(Some("17")).unwrap();
    let products = run_kinds::products(&stage, &[("new-1", "1000")]).await;
    let plan = sales::products()[0].plans[0].id.clone();
    let rows = [[plan, "P-1".to_owned()]].into_iter();
    let links = run_kinds::started(&stage, RunKind::PlanLinks, rows).await;
    staff.enter(Some("42")).unwrap();
    stage.enter_rows(&products.id).await;
    stage.enter_rows(&links.id).await;
    let actions = stage.actions(6).await;
    assert_eq!(
        actions,
        [
            "plans.linked",
            "plan.linked",
            "plan.linking",
            "products.sent",
            "product.stored",
            "product.sending",
        ]
    );
    assert_eq!(journal_users(&stage, 6).await, ["17"; 6]);
}

/// Does what 17 began, while 42 begins something else.
async fn overtaken<T>(stage: &Stage, begun_by_17: impl Future<Output = T>) -> T {
    let staff = &stage.staff;
    staff.enter(Some("17")).unwrap();
    let other = async { staff.enter(Some("42")).unwrap() };
    join(begun_by_17, other).await.0
}

/// Everybody whom the newest lines of the journal name.
async fn journal_users(stage: &Stage, lines: u32) -> Vec<String> {
    let lines = stage.journal(lines).await.unwrap().into_iter();
    lines.map(|line| line.user).collect()
}

#[tokio::test]
async fn what_takes_long_is_of_the_person_who_began_it_whoever_begins_something_meanwhile() {
    let stage = Stage::practising().await;
    let (profile, ids) = (stage.profile().await.id, [id(), id()]);
    let (sold, declined) = (sale(0), lead_draft());
    let sold = stage.contracts.register(&profile, &ids[0], &sold, &[]);
    let sold = overtaken(&stage, sold).await.unwrap();
    assert_eq!(sold.entered_by, "17");
    assert_eq!(journal_users(&stage, 1).await, ["17"]);

    let corrected = overtaken(&stage, stage.resolve(&sold.id, edit(sale(1)))).await;
    assert_eq!(corrected.submission.entered_by, "17");
    assert_eq!(journal_users(&stage, 1).await, ["17"]);

    let lead = stage.leads.create(&profile, &ids[1], &declined, None);
    let lead = overtaken(&stage, lead).await.unwrap();
    assert_eq!(lead.entered_by, "17");
    assert_eq!(journal_users(&stage, 2).await, ["17", "17"]);

    let upsert = product_draft("new-1", "refrigerator");
    let put = stage.products.put(&profile, &upsert);
    overtaken(&stage, put).await.unwrap();
    assert_eq!(journal_users(&stage, 2).await, ["17", "17"]);

    let linked = plan(&sales::products()[0].plans[0].id);
    let read = stage.plans.open(&linked).await.unwrap().plan;
    let before = read.store_reference();
    let link = stage
        .plans
        .link(&profile, &linked, "P-1", before.as_deref());
    overtaken(&stage, link).await.unwrap();
    assert_eq!(journal_users(&stage, 2).await, ["17", "17"]);

    let staged = overtaken(&stage, stage.bulk.stage(new())).await.unwrap();
    assert_eq!(staged.created_by, "17");

    let rows = staged_rows(&stage, &sales(2)).await;
    let mode = EnterMode::GoodRows;
    let start = stage.bulk.start(&rows.id, mode, &|_, _| {});
    overtaken(&stage, start).await.unwrap();
    assert_eq!(stage.actions(1).await, ["run.started"]);
    assert_eq!(journal_users(&stage, 1).await, ["17"]);
}

#[tokio::test]
async fn rows_of_a_file_are_of_the_person_who_opened_it_however_long_it_takes_to_read() {
    let stage = Stage::practising().await;
    let path = stage.file("references.csv");
    std::fs::write(&path, "productReferenceId\nA-1\n").unwrap();
    let opened = stage
        .bulk
        .open_file(&path, RunKind::ProductReferences, ReadOptions::default());
    let opened = overtaken(&stage, opened).await.unwrap();
    let file = FileToStage {
        profile_id: stage.profile().await.id,
        mapping: opened.mapping_with(&Mapping::default()).unwrap(),
        file: opened,
        remember: false,
    };
    let run = stage.bulk.stage_file(&id(), file, &|_| {}).await.unwrap();
    assert_eq!(run.created_by, "17");
}

#[tokio::test]
async fn a_sale_that_is_sent_anew_unchanged_stays_with_the_person_who_sold_it() {
    let stage = hasty(Stage::practising().await).await;
    stage.staff.enter(Some("17")).unwrap();
    stage.next_times(BulkCreateContracts, status(500), 6);
    let sold = stage.register(&sale(0)).await;
    assert_eq!(stage.run().await.needs_person, 1);

    // A manager decides, and no code is asked for.
    stage.staff.enter(None).unwrap();
    let none = provider_has_none("case 4711", &[]);
    let anew = stage.resolve(&sold.id, none).await.submission;
    assert_eq!(anew.entered_by, "17");
    assert_ne!(journal_users(&stage, 1).await, ["17"]);
}
