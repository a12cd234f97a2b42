//! What keeps a run from doing harm: rows that were not all kept, answers that are out of date, rows
//! meant for another profile, and one run in another's way.

use warranty_core::Error;
use warranty_core::bulk::{RowCells, RunKind, RunOutcome, RunState, RunView, SheetPart, SheetRow};
use warranty_core::contracts::{Confirmed, EnterMode, EntryDraft, Question};
use warranty_core::vault::Vault as _;
use warranty_sandbox::{Action, Operation};

use crate::harness::Stage;
use crate::run_kinds;
use crate::runs;
use crate::sales::{assert_sold_once, entered, id, run, run_confirmed, sale, sales, sold};
use crate::seal_key::lose_key;

async fn profile_id(stage: &Stage) -> String {
    stage.desk.profiles.all().await.unwrap().remove(0).id
}

/// Hands rows of the sheet in, with the yes a person gave.
pub async fn handed_in(stage: &Stage, id: &str, rows: Vec<SheetRow>) -> RunView {
    let part = SheetPart {
        profile_id: profile_id(stage).await,
        after: 0,
        rows,
        last: true,
    };
    stage.desk.bulk.stage_sheet(id, part).await.unwrap()
}

pub async fn started(stage: &Stage, id: &str) -> RunView {
    stage
        .desk
        .bulk
        .start(id, EnterMode::GoodRows, &|_, _| {})
        .await
        .unwrap()
}

pub fn unanswered(draft: EntryDraft) -> SheetRow {
    SheetRow {
        draft,
        confirmed: Vec::new(),
    }
}

async fn registered(stage: &Stage, draft: &EntryDraft, yes: &[Confirmed]) {
    stage
        .desk
        .contracts
        .register(&id(), draft, yes)
        .await
        .unwrap();
}

/// The question about an earlier entry of this sale.
async fn asked(stage: &Stage, draft: &EntryDraft) -> Question {
    let asked = stage.desk.contracts.register(&id(), draft, &[]).await;
    let Err(Error::Questions(mut questions)) = asked else {
        panic!("{asked:?}");
    };
    questions.remove(0)
}

#[tokio::test]
async fn a_yes_to_a_second_contract_is_good_for_one() {
    let stage = Stage::practising().await;
    registered(&stage, &sale(0), &[]).await;
    let yes = asked(&stage, &sale(0)).await.yes();
    let row = SheetRow {
        draft: sale(0),
        confirmed: vec![yes],
    };
    let (first, second) = (id(), id());
    for id in [&first, &second] {
        handed_in(&stage, id, vec![row.clone()]).await;
    }
    for id in [&first, &second] {
        started(&stage, id).await;
    }
    run(&stage.desk).await;
    let second = stage.desk.bulk.rows(&second, None, 0, 10).await.unwrap();
    assert_eq!(second[0].outcome, Some(RunOutcome::AlreadyEntered));
    assert_eq!(entered(&stage.desk).await.len(), 2);
    assert_eq!(sold(&stage.sandbox).await["T-00000"], 2);
}

#[tokio::test]
async fn a_sale_entered_at_the_counter_after_the_yes_is_not_passed_over() {
    let stage = Stage::practising().await;
    registered(&stage, &sale(0), &[]).await;
    let yes = asked(&stage, &sale(0)).await.yes();
    let row = SheetRow {
        draft: sale(0),
        confirmed: vec![yes.clone()],
    };
    let late = id();
    handed_in(&stage, &late, vec![row]).await;
    registered(&stage, &sale(0), &[yes]).await;
    started(&stage, &late).await;
    run(&stage.desk).await;
    assert_eq!(sold(&stage.sandbox).await["T-00000"], 2);
}

#[tokio::test]
async fn the_same_row_twice_is_one_sale_whatever_was_answered() {
    let stage = Stage::practising().await;
    registered(&stage, &sale(0), &[]).await;
    let row = SheetRow {
        draft: sale(0),
        confirmed: vec![asked(&stage, &sale(0)).await.yes()],
    };
    let both = id();
    handed_in(&stage, &both, vec![row.clone(), row]).await;
    started(&stage, &both).await;
    run(&stage.desk).await;
    let view = stage.desk.bulk.run(&both).await.unwrap();
    assert_eq!((view.entered, view.rejected), (1, 1));
    assert_eq!(sold(&stage.sandbox).await["T-00000"], 2);
}

#[tokio::test]
async fn rows_that_were_not_all_kept_are_never_started_and_gone_after_a_restart() {
    let stage = Stage::practising().await;
    let part = stage.desk.bulk.stage(crate::runs::new()).await.unwrap();
    let rows: Vec<_> = sales(3)
        .iter()
        .map(|row| Ok(RowCells::of_entry(row, &[])))
        .collect();
    let rows = rows.into_iter();
    let part = stage
        .desk
        .bulk
        .add_rows(&part.id, rows, &|_| {})
        .await
        .unwrap();
    assert!(!part.whole);
    let good = EnterMode::GoodRows;
    let start = stage.desk.bulk.start(&part.id, good, &|_, _| {}).await;
    assert!(matches!(start, Err(Error::NotLawful)));
    let check = stage.desk.bulk.check(&part.id, &|_, _| {}).await;
    assert!(matches!(check, Err(Error::NotLawful)));

    let whole = id();
    handed_in(&stage, &whole, vec![unanswered(sale(7))]).await;
    let stage = stage.restarted().await;
    let left: Vec<String> = stage
        .desk
        .bulk
        .runs(10)
        .await
        .unwrap()
        .into_iter()
        .map(|run| run.id)
        .collect();
    assert_eq!(left, [whole]);
}

#[tokio::test]
async fn a_sheet_handed_in_part_by_part_is_whole_with_the_last_and_each_row_is_there_once() {
    let stage = Stage::practising().await;
    let profile_id = profile_id(&stage).await;
    let rows = sales(25);
    let id = id();
    let part = |from: usize, to: usize| SheetPart {
        profile_id: profile_id.clone(),
        after: u32::try_from(from).unwrap(),
        rows: rows[from..to].iter().cloned().map(unanswered).collect(),
        last: to == rows.len(),
    };
    let first = stage.desk.bulk.stage_sheet(&id, part(0, 10)).await.unwrap();
    assert_eq!((first.rows, first.whole), (10, false));
    // The answer to it was lost.
    let again = stage.desk.bulk.stage_sheet(&id, part(0, 10)).await.unwrap();
    assert_eq!((again.rows, again.whole), (10, false));
    let gap = stage.desk.bulk.stage_sheet(&id, part(20, 25)).await;
    assert!(matches!(gap, Err(Error::NotLawful)));
    stage
        .desk
        .bulk
        .stage_sheet(&id, part(10, 20))
        .await
        .unwrap();
    for _ in 0..2 {
        let last = stage
            .desk
            .bulk
            .stage_sheet(&id, part(20, 25))
            .await
            .unwrap();
        assert_eq!((last.rows, last.whole), (25, true));
    }
    started(&stage, &id).await;
    run(&stage.desk).await;
    assert_sold_once(&stage.sandbox, &rows).await;
}

#[tokio::test]
async fn rows_meant_for_another_profile_are_refused() {
    let stage = Stage::practising().await;
    let part = SheetPart {
        profile_id: "another".to_owned(),
        after: 0,
        rows: vec![unanswered(sale(0))],
        last: true,
    };
    let refused = stage.desk.bulk.stage_sheet(&id(), part).await;
    assert!(matches!(refused, Err(Error::ProfileMoved)));
    assert!(stage.desk.bulk.runs(10).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_run_that_waits_holds_no_other_up() {
    let stage = Stage::practising().await;
    let refused = Action::Status {
        status: 401,
        after_commit: false,
    };
    stage.next_times(Operation::UpsertProduct, refused, 100);
    let image = "https://sample.invalid/a.png";
    let rows: [&[&str]; 1] = [&["new-1", "冷蔵庫", "1000", image, "家電"]];
    let waiting = run_kinds::started(&stage.desk, RunKind::Products, &rows).await;
    let behind = id();
    handed_in(&stage, &behind, vec![unanswered(sale(0))]).await;
    started(&stage, &behind).await;
    run(&stage.desk).await;
    let waiting = stage.desk.bulk.run(&waiting.id).await.unwrap();
    assert_eq!((waiting.state, waiting.pending), (RunState::Running, 1));
    assert_eq!(
        stage.desk.bulk.run(&behind).await.unwrap().state,
        RunState::Done
    );
    assert_sold_once(&stage.sandbox, &[sale(0)]).await;
}

#[tokio::test]
async fn a_row_that_was_left_out_is_not_sold_later_behind_the_back_of_who_mends_it() {
    let stage = Stage::practising().await;
    for operation in [Operation::GetPlan, Operation::ListPlans] {
        let unknown = Action::Status {
            status: 400,
            after_commit: false,
        };
        stage.next(operation, unknown);
    }
    let id = id();
    handed_in(&stage, &id, vec![unanswered(sale(0))]).await;
    let checked = stage.desk.bulk.check(&id, &|_, _| {}).await.unwrap();
    assert_eq!(checked.rejected, 1);
    // The service knows the plan again, and a new process has forgotten what it said before.
    let stage = stage.restarted().await;
    stage.attach_practice();
    started(&stage, &id).await;
    run(&stage.desk).await;
    let view = stage.desk.bulk.run(&id).await.unwrap();
    assert_eq!((view.state, view.rejected), (RunState::Done, 1));
    assert!(sold(&stage.sandbox).await.is_empty());
}

#[tokio::test]
async fn of_two_files_about_the_same_product_the_newer_has_the_last_word() {
    let stage = Stage::practising().await;
    let busy = Action::Status {
        status: 429,
        after_commit: false,
    };
    stage.next(Operation::UpsertProduct, busy);
    let image = "https://sample.invalid/a.png";
    let priced = |price: &'static str| [["new-1", "冷蔵庫", price, image, "家電"]];
    let old = priced("1000");
    let old: Vec<&[&str]> = old.iter().map(|row| &row[..]).collect();
    let older = run_kinds::started(&stage.desk, RunKind::Products, &old).await;
    run(&stage.desk).await;
    let left = stage.desk.bulk.run(&older.id).await.unwrap();
    assert_eq!((left.state, left.pending), (RunState::Running, 1));
    let new = priced("900");
    let new: Vec<&[&str]> = new.iter().map(|row| &row[..]).collect();
    let newer = run_kinds::started(&stage.desk, RunKind::Products, &new).await;
    stage.desk.bulk.enter(&newer.id, &|_, _| {}).await.unwrap();
    run(&stage.desk).await;
    let reference = crate::harness::product("new-1");
    let known = stage.desk.catalog.product(&reference).await.unwrap();
    assert_eq!(known.unwrap().price.unwrap().get(), 900);
    assert_eq!(stage.arrived(Operation::UpsertProduct), 3);
}

#[tokio::test]
async fn rows_that_cannot_be_read_are_kept_until_they_can_be_or_a_person_ends_their_run() {
    let (stage, _) = Stage::live().await;
    let all = sales(5);
    let first = runs::started(&stage.desk, &all[..3]).await.id;
    let second = runs::started(&stage.desk, &all[3..]).await.id;
    let (name, key) = lose_key(&stage).await;
    let stage = stage.restarted().await;
    let open = async |stage: &Stage| stage.desk.overviews.current().await.unwrap().open.runs;
    // Nor does a new key read them.
    for _ in 0..2 {
        run(&stage.desk).await;
        for (id, rows) in [(&first, 3), (&second, 2)] {
            let view = stage.desk.bulk.run(id).await.unwrap();
            assert_eq!((view.state, view.pending), (RunState::Running, rows));
            assert!(view.unreadable);
        }
        assert_eq!(open(&stage).await, 2);
        stage.desk.encryption.renew_key().await.unwrap();
    }
    let ended = stage.desk.bulk.cancel(&second).await.unwrap();
    assert_eq!(
        (ended.state, ended.unreadable),
        (RunState::Cancelled, false)
    );
    assert_eq!(open(&stage).await, 1);

    stage.vault.keep(&name, key).await.unwrap();
    let stage = stage.restarted().await;
    run_confirmed(&stage.desk).await;
    let done = stage.desk.bulk.run(&first).await.unwrap();
    assert_eq!((done.state, done.unreadable), (RunState::Done, false));
    assert_sold_once(&stage.sandbox, &sales(3)).await;
}
