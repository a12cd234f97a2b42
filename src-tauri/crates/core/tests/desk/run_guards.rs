//! What keeps a run from doing harm: rows that were not all kept, answers that are out of date, rows
//! meant for another profile, and one run in another's way.

use warranty_core::Error;
use warranty_core::bulk::{NumberedRow, RunOutcome, RunState, RunView, Runs, SheetPart, SheetRow};
use warranty_core::contracts::{EnterMode, EntryDraft};
use warranty_core::vault::Vault as _;
use warranty_sandbox::Operation::{GetPlan, ListPlans, UpsertProduct};

use crate::encryption_key::lose_key;
use crate::harness::{Stage, product, status};
use crate::run_kinds;
use crate::runs;
use crate::sales::{id, sale, sales};
use crate::steps::{Steps, questions, refused};

async fn profile_id(stage: &Stage) -> String {
    stage.profiles.all().await.unwrap().remove(0).id
}

/// Hands rows of the sheet in, with the yes a person gave.
pub async fn handed_in(stage: &Stage, id: &str, rows: Vec<SheetRow>) -> RunView {
    let part = SheetPart {
        profile_id: profile_id(stage).await,
        after: 0,
        rows,
        last: true,
    };
    stage.bulk.stage_sheet(id, part).await.unwrap()
}

pub fn unanswered(draft: EntryDraft) -> SheetRow {
    SheetRow {
        draft,
        confirmed: Vec::new(),
    }
}

/// A sale that was registered, and a row of it with a person's yes to a second contract.
async fn sold_and_wanted_again() -> (Stage, SheetRow) {
    let stage = Stage::practising().await;
    stage.register(&sale(0)).await;
    let asked = questions(stage.try_register(&sale(0), &[]).await);
    let row = SheetRow {
        draft: sale(0),
        confirmed: vec![asked[0].yes()],
    };
    (stage, row)
}

#[tokio::test]
async fn a_yes_to_a_second_contract_is_good_for_one() {
    let (stage, row) = sold_and_wanted_again().await;
    let (first, second) = (id(), id());
    for id in [&first, &second] {
        handed_in(&stage, id, vec![row.clone()]).await;
    }
    for id in [&first, &second] {
        stage.start(id).await;
    }
    stage.run().await;
    let second = stage.rows(&second).await;
    assert_eq!(second[0].outcome, Some(RunOutcome::AlreadyEntered));
    assert_eq!(stage.entered().await.len(), 2);
    assert_eq!(stage.sold().await["T-00000"], 2);
}

#[tokio::test]
async fn a_sale_entered_at_the_counter_after_the_yes_is_not_passed_over() {
    let (stage, row) = sold_and_wanted_again().await;
    let late = id();
    handed_in(&stage, &late, vec![row.clone()]).await;
    stage.register_with(&sale(0), &row.confirmed).await;
    stage.start_and_run(&late).await;
    assert_eq!(stage.sold().await["T-00000"], 2);
}

#[tokio::test]
async fn the_same_row_twice_is_one_sale_whatever_was_answered() {
    let (stage, row) = sold_and_wanted_again().await;
    let both = id();
    handed_in(&stage, &both, vec![row.clone(), row]).await;
    let view = stage.start_and_run(&both).await;
    assert_eq!((view.entered, view.rejected), (1, 1));
    assert_eq!(stage.sold().await["T-00000"], 2);
}

#[tokio::test]
async fn rows_that_were_not_all_kept_are_never_started_and_gone_after_a_restart() {
    let stage = Stage::practising().await;
    let part = stage.bulk.stage(crate::runs::new()).await.unwrap();
    let rows: Vec<_> = sales(3)
        .iter()
        .map(|row| Ok(NumberedRow::of_entry(row, &[])))
        .collect();
    let rows = rows.into_iter();
    let part = stage.bulk.add_rows(&part.id, rows, &|_| {}).await.unwrap();
    assert!(!part.whole);

    refused!(
        stage.try_start(&part.id, EnterMode::GoodRows).await,
        Error::NotAllowed
    );
    refused!(
        stage.bulk.check(&part.id, &|_, _| {}).await,
        Error::NotAllowed
    );

    let whole = id();
    handed_in(&stage, &whole, vec![unanswered(sale(7))]).await;
    let stage = stage.restarted().await;
    let left: Vec<String> = stage
        .bulk
        .runs(Runs::Latest(10))
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
    let first = stage.bulk.stage_sheet(&id, part(0, 10)).await.unwrap();
    assert_eq!((first.rows, first.whole), (10, false));
    // The answer to it was lost.
    let again = stage.bulk.stage_sheet(&id, part(0, 10)).await.unwrap();
    assert_eq!((again.rows, again.whole), (10, false));
    refused!(
        stage.bulk.stage_sheet(&id, part(20, 25)).await,
        Error::NotAllowed
    );
    stage.bulk.stage_sheet(&id, part(10, 20)).await.unwrap();
    for _ in 0..2 {
        let last = stage.bulk.stage_sheet(&id, part(20, 25)).await.unwrap();
        assert_eq!((last.rows, last.whole), (25, true));
    }
    stage.start_and_run(&id).await;
    stage.assert_sold_once(&rows).await;
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
    refused!(
        stage.bulk.stage_sheet(&id(), part).await,
        Error::ProfileMoved
    );
    assert!(stage.bulk.runs(Runs::Latest(10)).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_run_of_another_profile_is_not_called_gone() {
    let (stage, first) = Stage::live().await;
    let run = id();
    handed_in(&stage, &run, vec![unanswered(sale(0))]).await;
    stage.connect("支店").await;
    refused!(stage.bulk.run(&run).await, Error::ProfileMoved);
    refused!(stage.bulk.forget(&run).await, Error::ProfileMoved);
    refused!(stage.bulk.run(&id()).await, Error::NotKnown(_));
    stage.profiles.choose(&first.id).await.unwrap();
    assert_eq!(stage.bulk.run(&run).await.unwrap().rows, 1);
}

#[tokio::test]
async fn a_run_that_waits_holds_no_other_up() {
    let stage = Stage::practising().await;
    stage.next_times(UpsertProduct, status(401), 100);
    let waiting = run_kinds::products(&stage, &[("new-1", "1000")]).await;
    let behind = id();
    handed_in(&stage, &behind, vec![unanswered(sale(0))]).await;
    stage.start_and_run(&behind).await;
    let waiting = stage.view(&waiting.id).await;
    assert_eq!((waiting.state, waiting.pending), (RunState::Running, 1));
    assert_eq!(stage.view(&behind).await.state, RunState::Done);
    stage.assert_sold_once(&[sale(0)]).await;
}

#[tokio::test]
async fn a_row_that_was_left_out_is_not_sold_later_behind_the_back_of_who_mends_it() {
    let stage = Stage::practising().await;
    for operation in [GetPlan, ListPlans] {
        stage.next(operation, status(400));
    }
    let id = id();
    handed_in(&stage, &id, vec![unanswered(sale(0))]).await;
    let checked = stage.check(&id).await;
    assert_eq!(checked.rejected, 1);
    // The service knows the plan again, and a new process has forgotten what it said before.
    let stage = stage.restarted().await;
    let view = stage.start_and_run(&id).await;
    assert_eq!((view.state, view.rejected), (RunState::Done, 1));
    assert!(stage.sold().await.is_empty());
}

#[tokio::test]
async fn of_two_files_about_the_same_product_the_newer_has_the_last_word() {
    let stage = Stage::practising().await;
    stage.next(UpsertProduct, status(429));
    let older = run_kinds::products(&stage, &[("new-1", "1000")]).await;
    stage.run().await;
    let left = stage.view(&older.id).await;
    assert_eq!((left.state, left.pending), (RunState::Running, 1));
    let newer = run_kinds::products(&stage, &[("new-1", "900")]).await;
    stage.enter_rows(&newer.id).await;
    stage.run().await;
    let known = stage.known(&product("new-1")).await;
    assert_eq!(known.product.price.unwrap().get(), 900);
    assert_eq!(stage.arrived(UpsertProduct), 3);
}

#[tokio::test]
async fn rows_that_cannot_be_read_are_kept_until_they_can_be_or_a_person_ends_their_run() {
    let (stage, _) = Stage::live().await;
    let all = sales(5);
    let first = runs::started(&stage, &all[..3]).await.id;
    let second = runs::started(&stage, &all[3..]).await.id;
    let (name, key) = lose_key(&stage).await;
    let stage = stage.restarted().await;
    let open = async |stage: &Stage| stage.overview().await.open.runs;
    for renewed in [false, true] {
        if renewed {
            // A new key does not read them either.
            stage.encryption.renew_key().await.unwrap();
        }
        stage.run().await;
        for (id, rows) in [(&first, 3), (&second, 2)] {
            let view = stage.view(id).await;
            assert_eq!((view.state, view.pending), (RunState::Running, rows));
            assert!(view.unreadable);
        }
        assert_eq!(open(&stage).await, 2);
    }
    let ended = stage.bulk.cancel(&second).await.unwrap();
    assert_eq!(
        (ended.state, ended.unreadable),
        (RunState::Cancelled, false)
    );
    assert_eq!(open(&stage).await, 1);

    stage.vault.keep(&name, key).await.unwrap();
    let stage = stage.restarted().await;
    stage.run_confirmed().await;
    let done = stage.view(&first).await;
    assert_eq!((done.state, done.unreadable), (RunState::Done, false));
    stage.assert_sold_once(&sales(3)).await;
}
