//! Customers are deleted when their time is over, and never because a clock is wrong.

use std::path::PathBuf;
use std::sync::Arc;

use chrono::{TimeDelta, Utc};
use warranty_core::api::Personal;
use warranty_core::contracts::CustomerState;
use warranty_core::drafts::DraftPlace;
use warranty_core::outbox::{Resolution, SubmissionState};
use warranty_core::settings::Settings;
use warranty_core::{Desk, DeskOptions};
use warranty_sandbox::{
    Operation::{BulkCreateContracts, GetContract},
    Visibility,
};

use crate::cases::masked;
use crate::harness::{Stage, TestClock, always, status, until};
use crate::leads::draft;
use crate::sales::{sale, sales};
use crate::steps::{Steps, beside, provider_has_none, with};

/// A desk over the folder of a stage, on some day.
struct Days {
    stage: Stage,
    clock: Arc<TestClock>,
}

impl Days {
    /// Three sales confirmed on the day 0, and one cancelled before it was sent.
    async fn sold() -> Self {
        let (stage, _) = Stage::live().await;
        let clock = TestClock::new();
        let mut days = Self { stage, clock };
        days.open_on(0).await;
        days.stage.enter(&sales(3)).await;
        days.stage.run_confirmed().await;
        let desk = &days.stage.desk;
        desk.enter(&sales(4)).await;
        let given_up = desk.entered().await.remove(3).id;
        desk.resolve(&given_up, Resolution::Cancel).await;
        days
    }

    /// Closes the desk and opens it on another day.
    async fn open_on(&mut self, day: i64) {
        self.clock.pass(24 * 60 * 60);
        self.open_at_once(day).await;
    }

    /// The same under a clock that was set, while no time passed.
    async fn open_at_once(&mut self, day: i64) {
        self.clock.set_ahead(day * 24 * 60 * 60);
        self.stage.desk.clone().close().await;
        let options = DeskOptions {
            clock: self.clock.clone(),
            ..self.stage.options()
        };
        self.stage.desk = Desk::open(options).await.unwrap();
    }

    /// Damages the file and opens the desk on another day: the number of the report, and the file that
    /// was set aside.
    async fn damaged_before(&mut self, day: i64) -> (u32, PathBuf) {
        self.stage.desk.clone().close().await;
        std::fs::write(self.stage.file("desk.db"), vec![7; 20_000]).unwrap();
        self.open_on(day).await;
        let report = self.stage.recovery.unseen().await.unwrap().unwrap();
        let aside = self.stage.file(&report.set_aside.unwrap());
        (report.number, aside)
    }

    async fn known(&self) -> usize {
        let entries = self.stage.entered().await;
        assert_eq!(entries.len(), 4, "an entry is never deleted");
        let known = entries
            .iter()
            .filter(|entry| entry.customer == CustomerState::Known);
        known.count()
    }
}

fn kept_for(days: u32) -> Settings {
    Settings {
        retention_days: Some(days),
        ..Settings::default()
    }
}

#[tokio::test]
async fn customers_and_drafts_are_deleted_ninety_days_after_nothing_more_is_to_come() {
    let mut days = Days::sold().await;
    let profile = days.stage.profile().await;
    let kept = days.stage.keep_draft(&profile, "sheet/head", "[]", 0).await;
    assert_eq!(kept, DraftPlace::File);
    for day in [1, 30, 60, 90] {
        days.open_on(day).await;
        assert_eq!(days.known().await, 4, "day {day}");
        let draft = days.stage.draft_of(&profile, "sheet/head").await;
        assert!(draft.is_some(), "day {day}");
    }
    days.open_on(91).await;
    assert_eq!(days.stage.draft_of(&profile, "sheet/head").await, None);
    assert_eq!(
        days.known().await,
        1,
        "the cancelled one was first seen on day 1"
    );
    days.open_on(92).await;
    assert_eq!(days.known().await, 0);
    let journal = days.stage.journal(10).await.unwrap();
    let said: Vec<_> = journal
        .iter()
        .filter(|line| line.action == "customers.forgotten")
        .map(|line| line.detail.clone().unwrap())
        .collect();
    assert_eq!(
        said,
        [
            "1 customers, 1 bodies",
            "3 customers, 1 bodies, 1 drafts, 2 runs"
        ]
    );

    // What was sold is known still, and is not sold again without a question.
    let entries = days.stage.entered().await;
    assert_eq!(entries[0].customer, CustomerState::Forgotten);
    assert_eq!(entries[0].customer_email, None);
    assert!(entries[0].contract_id.is_some());
    let case = days.stage.case(&entries[0].id).await;
    assert!(!case.attempts.is_empty());
    let again = days.stage.enter(&sales(3)).await;
    assert_eq!((again.entered, again.rejected), (0, 3));
    let dated = sales(3).into_iter().zip(&entries).map(|(sale, entry)| {
        let date = entry.transaction_date.to_string();
        with(sale, |it| it.transaction_date = date)
    });
    let again = days.stage.enter(&dated.collect::<Vec<_>>()).await;
    assert_eq!((again.entered, again.already_entered), (0, 3));
}

#[tokio::test]
async fn a_refused_contract_that_is_cancelled_keeps_its_customer_from_then_on_as_long_as_any_other()
{
    let (stage, _) = Stage::live().await;
    stage.next(BulkCreateContracts, status(400));
    stage.register(&sale(0)).await;
    stage.run().await;
    let refused = stage.only().await;
    assert_eq!(refused.state, SubmissionState::Rejected);
    let clock = TestClock::new();
    let mut days = Days { stage, clock };
    for day in [0, 1, 30, 60, 95] {
        days.open_on(day).await;
    }
    days.stage.resolve(&refused.id, Resolution::Cancel).await;
    for (day, customer) in [
        (96, CustomerState::Known),
        (130, CustomerState::Known),
        (186, CustomerState::Known),
        (187, CustomerState::Forgotten),
    ] {
        days.open_on(day).await;
        assert_eq!(days.stage.only().await.customer, customer, "day {day}");
    }
}

#[tokio::test]
async fn a_lead_keeps_its_token_and_note_for_ninety_days_and_an_emptied_note_adds_none() {
    let (stage, _) = Stage::live().await;
    let clock = TestClock::new();
    let mut days = Days { stage, clock };
    days.open_on(0).await;
    let mut leads = Vec::new();
    for _ in 0..2 {
        let lead = days.stage.lead(&draft()).await.id;
        let note = Personal::new("call after six");
        days.stage.follow_up(&lead, None, Some(&note)).await;
        leads.push(lead);
    }
    for (day, kept) in [
        (1, [(true, true), (true, true)]),
        (30, [(true, true), (true, true)]),
        (60, [(true, true), (true, false)]),
        (90, [(true, true), (true, false)]),
        (91, [(false, false), (false, false)]),
    ] {
        days.open_on(day).await;
        for (lead, kept) in leads.iter().zip(kept) {
            let lead = days.stage.desk.leads.lead(lead).await.unwrap();
            let found = (lead.token.is_some(), lead.note.is_some());
            assert_eq!(found, kept, "day {day}");
        }
        if day == 30 {
            let empty = Personal::new("");
            days.stage.follow_up(&leads[1], None, Some(&empty)).await;
        }
    }
}

#[tokio::test]
async fn how_long_customers_are_kept_is_a_setting() {
    let mut days = Days::sold().await;
    for bad in [0, 3_651] {
        assert!(days.stage.settings_change(kept_for(bad)).await.is_err());
    }
    for day in [1, 7] {
        days.open_on(day).await;
        assert_eq!(days.known().await, 4, "day {day}");
    }
    days.stage.settings_change(kept_for(7)).await.unwrap();
    days.open_on(8).await;
    assert_eq!(days.known().await, 1);
}

#[tokio::test]
async fn a_desk_that_is_never_closed_deletes_as_well() {
    let days = Days::sold().await;
    days.stage.desk.outbox.start();
    for day in [1, 91, 92] {
        days.clock.set_ahead(day * 24 * 60 * 60);
        days.clock.pass(24 * 60 * 60);
        let left = if day == 92 { 0 } else { 4 };
        let checked = Utc::now().timestamp_millis() + (day * 24 - 1) * 60 * 60 * 1000;
        until(&format!("the check of day {day}"), async || {
            days.stage.desk.outbox.attended().await;
            let sql = "SELECT value > ?1 FROM setting WHERE name = 'retentionChecked'";
            let database = days.stage.database();
            database.query_row(sql, [checked.to_string()], |row| row.get(0)) == Ok(true)
        })
        .await;
        assert_eq!(days.known().await, left, "day {day}");
    }
}

#[tokio::test]
async fn a_case_is_sold_anew_for_its_customer_after_those_of_its_batch_were_deleted() {
    let (stage, _) = Stage::live().await;
    let mut days = Days {
        stage,
        clock: TestClock::new(),
    };
    days.open_on(0).await;
    days.stage.settings_change(kept_for(7)).await.unwrap();
    days.stage.service(|it| {
        it.visibility = Visibility::AfterMs(0);
        it.faults = always(GetContract, masked());
    });
    days.stage.enter(&sales(3)).await;
    assert_eq!(days.stage.run_confirmed().await.needs_person, 1);
    days.stage.service(|_| {});
    for day in [1, 6, 8, 9] {
        days.open_on(day).await;
    }
    let kept = "SELECT (SELECT COUNT(*) FROM batch WHERE length(body) > 0),
                    (SELECT COUNT(*) FROM submission_customer)";
    let database = days.stage.database();
    let kept = database.query_row(kept, [], |row| Ok((row.get(0)?, row.get(1)?)));
    assert_eq!(kept, Ok((0, 1)), "of the case its own customer alone");

    let entry = days.stage.entered().await.remove(0);
    assert_eq!(entry.state, SubmissionState::NeedsPerson);
    let told = [beside(&entry.id)];
    let anew = provider_has_none("asked them", &told);
    let anew = days.stage.resolve(&entry.id, anew).await.submission;
    assert_ne!(anew.id, entry.id, "nothing was sold anew");
    days.stage.run_confirmed().await;
    let sold = days.stage.submission(&anew.id).await;
    assert_eq!(sold.state, SubmissionState::Confirmed);
    assert_eq!(
        (sold.customer_email, sold.transaction_date),
        (entry.customer_email, entry.transaction_date)
    );
}

#[tokio::test]
async fn what_is_not_finished_is_never_deleted() {
    let mut days = Days::sold().await;
    days.stage.enter(&sales(4)).await;
    for day in [1, 30, 60, 90, 120] {
        days.open_on(day).await;
    }
    let entries = days.stage.entered().await;
    let waiting = entries
        .iter()
        .find(|entry| entry.state == SubmissionState::Queued)
        .unwrap();
    assert_eq!(waiting.customer, CustomerState::Known);
    assert_eq!(days.stage.run_confirmed().await.waiting, 0);
}

#[tokio::test]
async fn a_clock_that_jumped_deletes_nothing_before_it_went_on_for_a_day() {
    let mut days = Days::sold().await;
    days.open_on(1).await;
    days.open_on(4_000).await;
    assert_eq!(days.known().await, 4);
    // It was wrong, and is mended.
    days.open_on(2).await;
    days.open_on(3).await;
    assert_eq!(days.known().await, 4);
    // It was right: the desk rested for years.
    days.open_on(4_000).await;
    assert_eq!(days.known().await, 4);
    days.open_on(4_001).await;
    assert_eq!(days.known().await, 0);
}

#[tokio::test]
async fn two_wrong_clocks_within_a_day_of_the_machine_delete_nothing() {
    let mut days = Days::sold().await;
    days.open_on(1).await;
    for day in [400, 402, 404, 1] {
        days.open_at_once(day).await;
        assert_eq!(days.known().await, 4, "day {day}");
    }
    // A clock that was put right is believed at once, so that the next wrong one finds no old check ahead.
    days.clock = TestClock::started_anew();
    for day in [400, 2] {
        days.open_at_once(day).await;
    }
    days.clock = TestClock::new();
    days.open_at_once(401).await;
    assert_eq!(days.known().await, 4);
    // After another start of the machine the clock alone counts.
    for day in [92, 93] {
        days.clock = TestClock::started_anew();
        days.clock.pass(u64::from(day == 93) * 24 * 60 * 60);
        days.open_at_once(day).await;
    }
    assert_eq!(days.known().await, 0);
}

#[tokio::test]
async fn customers_are_kept_through_long_rests_and_clocks_that_fall_back_and_go_in_the_end() {
    for (kept, gone) in [
        // Opened once in six weeks, it deletes what was over at the opening before.
        (&[42, 84, 126][..], &[168, 210][..]),
        // What was finished under a clock that fell back is kept as long as anything else.
        (&[-4_000, 2, 3, 4, 60], &[]),
        // The ends are noted before it falls back, and it is believed on its second day.
        (&[1, -400, -399, 2, 3, 30, 60, 89], &[92, 93]),
    ] {
        let mut days = Days::sold().await;
        let profile = days.stage.profile().await;
        days.stage.keep_draft(&profile, "sheet/1", "rows", 3).await;
        let gap = "INSERT INTO rescue (at, pending, newest_copy, report, seen_at, cause, gap_until)
             VALUES (0, 0, 0, '', 0, 'damaged', unixepoch() * 1000) RETURNING gap_until";
        let number = |stage: &Stage, sql| -> i64 {
            let found = stage.database().query_row(sql, [], |row| row.get(0));
            found.unwrap()
        };
        let gap = number(&days.stage, gap);
        for day in kept {
            days.open_on(*day).await;
            assert_eq!(days.known().await, 4, "day {day} of {kept:?}");
            let rows = days.stage.draft_of(&profile, "sheet/1").await;
            assert!(rows.is_some(), "day {day} of {kept:?}");
        }
        let now = number(&days.stage, "SELECT gap_until FROM rescue");
        assert_eq!(now, gap, "after {kept:?}");
        for day in gone {
            days.open_on(*day).await;
        }
        let left = if gone.is_empty() { 4 } else { 0 };
        assert_eq!(days.known().await, left, "after {kept:?}");
    }
}

#[tokio::test]
async fn a_sheet_with_rows_that_were_not_submitted_outlives_a_short_retention_time_whole() {
    let mut days = Days::sold().await;
    let profile = days.stage.profile().await;
    days.stage.settings_change(kept_for(7)).await.unwrap();
    days.stage.keep_draft(&profile, "sheet/1", "rows", 3).await;
    days.open_on(6).await;
    days.stage.keep_draft(&profile, "sheet/head", "1", 0).await;
    for day in [8, 30, 60] {
        days.open_on(day).await;
        let rows = days.stage.draft_of(&profile, "sheet/1").await;
        assert!(rows.is_some(), "day {day}");
    }
    days.stage.keep_draft(&profile, "sheet/1", "rows", 0).await;
    days.open_on(67).await;
    days.open_on(68).await;
    assert_eq!(days.stage.draft_of(&profile, "sheet/1").await, None);
}

#[tokio::test]
async fn a_sale_set_aside_at_the_counter_outlives_a_short_retention_time() {
    let mut days = Days::sold().await;
    let profile = days.stage.profile().await;
    days.stage.settings_change(kept_for(7)).await.unwrap();
    let aside = "counter/1";
    days.stage.keep_draft(&profile, aside, "typed", 0).await;
    for month in 0..13 {
        days.open_on(8 + 29 * month).await;
        let kept = days.stage.draft_of(&profile, aside).await;
        assert!(kept.is_some(), "month {month}");
    }
    days.open_on(366).await;
    days.open_on(367).await;
    assert_eq!(days.stage.draft_of(&profile, aside).await, None);
}

#[tokio::test]
async fn files_set_aside_and_old_copies_go_after_the_retention_time_once_their_list_was_read() {
    let mut days = Days::sold().await;
    days.open_on(1).await;
    let (report, aside) = days.damaged_before(2).await;
    let folder = days.stage.folder.path().to_owned();
    // Before the rescue there were two copies; they stay as long as nobody has read the report.
    let copies = || -> usize {
        let names = std::fs::read_dir(folder.join("backup")).unwrap();
        let names = names.map(|file| file.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.starts_with("desk-0")).count()
    };
    let before = copies();
    for day in [30, 60, 93] {
        days.open_on(day).await;
        assert!(aside.exists(), "day {day}");
        // Taken in the background.
        until(&format!("a copy of day {day}"), async || copies() > before).await;
    }
    days.stage.recovery.mark_seen(report).await.unwrap();
    for day in [94, 120, 150, 184] {
        days.open_on(day).await;
        assert!(aside.exists(), "day {day}");
    }
    assert!(copies() <= 3, "copies from before the rescue stay");
    days.open_on(185).await;
    assert!(!aside.exists());
    let names = std::fs::read_dir(&folder).unwrap();
    let names = names.map(|file| file.unwrap().file_name().into_string().unwrap());
    assert!(!names.into_iter().any(|name| name.contains("damaged")));
    assert!(
        days.stage
            .actions(100)
            .await
            .contains(&"customers.filesForgotten".to_owned())
    );
}

#[tokio::test]
async fn a_file_set_aside_around_a_wrong_clock_is_kept_as_long_as_any_other() {
    for (before, set_aside_on, seen_on, has_copy) in [
        (1, -9_000, -9_000, true),
        (1, -9_000, -9_000, false),
        (1, -9_000, 2, true),
        // The copy was taken under a clock that was ahead.
        (4_000, 2, 2, true),
    ] {
        let mut days = Days::sold().await;
        days.open_on(before).await;
        if !has_copy {
            days.stage.desk.clone().close().await;
            std::fs::remove_dir_all(days.stage.file("backup")).unwrap();
        }
        let (report, aside) = days.damaged_before(set_aside_on).await;
        // The last writes may be in the log alone; a clock that was ahead dated them, too.
        let log = PathBuf::from(format!("{}-wal", aside.display()));
        std::fs::write(&log, "").unwrap();
        for (path, days) in [(&aside, -100), (&log, before - 1)] {
            let file = std::fs::File::options().write(true).open(path).unwrap();
            let at = Utc::now() + TimeDelta::days(days);
            file.set_modified(at.into()).unwrap();
        }
        days.open_on(seen_on).await;
        days.stage.recovery.mark_seen(report).await.unwrap();
        for day in [2, 3, 4, 30, 60, 92] {
            days.open_on(day).await;
            assert!(aside.exists(), "day {day}");
        }
        days.open_on(93).await;
        assert!(!aside.exists(), "seen on {seen_on}");
    }
}
