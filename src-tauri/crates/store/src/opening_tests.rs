use std::fs::{self, File};

use super::*;
use crate::submissions::{self, Earlier, Frozen};
use crate::test_fixtures::{freeze, frozen, keep as keep_profile, profile, read, sent};
use warranty_model::outbox::CaseReason;
use warranty_model::outbox::state::{Event, State};
use warranty_model::recovery::RescuedRow;

fn at() -> DateTime<Utc> {
    "2026-11-21T10:00:00Z".parse().unwrap()
}

/// A folder whose file has an unknown, an accepted and a queued entry, the last one newer than the
/// copy beside it, and is closed.
async fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path(), at()).await.unwrap();
    keep_profile(&store, profile("profile", "practice")).await;
    sent(&store, 1, &["unknown"], Event::Unclear, &[]).await;
    sent(&store, 2, &["accepted"], Event::Accepted, &["c-2"]).await;
    assert_eq!(frozen(&store, freeze(3, &["queued"])).await, Frozen::Done);
    Backups::of(folder.path()).take(at()).unwrap();
    sent(&store, 4, &["later"], Event::Accepted, &["c-4"]).await;
    store.close().await;
    folder
}

/// Spoils two indexes, never a page of the schema: the rows stay readable.
fn spoil(folder: &Path) -> Vec<u8> {
    spoil_roots(folder, &["submission_duplicate", "lead_sale"], 0x5a)
}

/// Spoils the copy of an index, which nothing is read back from: the rows stay whole.
fn spoil_an_index(folder: &Path) {
    spoil_roots(folder, &["submission_state"], 0);
}

/// Fills the first page of each of these, and answers with the file as it is then.
fn spoil_roots(folder: &Path, names: &[&str], with: u8) -> Vec<u8> {
    let path = folder.join("desk.db");
    let connection = Connection::open(&path).unwrap();
    let root = |name: &&str| -> usize {
        let sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
        let page: u32 = connection.query_row(sql, [name], |row| row.get(0)).unwrap();
        usize::try_from(page).unwrap()
    };
    let pages: Vec<usize> = names.iter().map(root).collect();
    drop(connection);
    let mut bytes = fs::read(&path).unwrap();
    for page in pages {
        bytes[(page - 1) * 4096..page * 4096].fill(with);
    }
    fs::write(&path, &bytes).unwrap();
    bytes
}

async fn see(store: &Store, number: u32) {
    let line = crate::test_fixtures::line();
    store.mark_report_seen(number, line).await.unwrap();
}

async fn earlier(store: &Store, transaction: &str) -> Option<Earlier> {
    let sale = (transaction.to_owned(), "p".to_owned(), "a".to_owned());
    store
        .call(move |connection| {
            let store = crate::test_fixtures::service_store();
            submissions::earlier(connection, &store, &sale, None)
        })
        .await
        .unwrap()
        .into_iter()
        .next()
}

async fn report(store: &Store) -> Option<RescueReport> {
    store.unseen_report().await.unwrap()
}

/// Opens a folder whose file has to be replaced, and what is reported of that.
async fn rescued(folder: &Path) -> (Store, RescueReport) {
    let store = open(folder, at()).await.unwrap();
    let report = report(&store).await.unwrap();
    (store, report)
}

fn row<'a>(report: &'a RescueReport, transaction: &str) -> Option<&'a RescuedRow> {
    let mut rows = report.pending.iter();
    rows.find(|row| row.transaction_id == transaction)
}

fn set_aside_in(folder: &Path) -> Vec<String> {
    let name = |file: std::io::Result<fs::DirEntry>| file.unwrap().file_name().into_string();
    let names = fs::read_dir(folder).unwrap().map(name).map(Result::unwrap);
    let is_one =
        |name: &String| name.starts_with(DAMAGED) && !BESIDE.iter().any(|end| name.ends_with(end));
    let mut names: Vec<String> = names.filter(is_one).collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_damaged_file_is_set_aside_and_the_copy_sends_nothing_by_itself() {
    let folder = folder().await;
    let spoilt = spoil(folder.path());
    let (store, report) = rescued(folder.path()).await;
    let names = set_aside_in(folder.path());
    assert_eq!(names, ["desk.db.damaged-20261121T100000Z"]);
    assert_eq!(fs::read(folder.path().join(&names[0])).unwrap(), spoilt);
    assert_eq!(report.set_aside.as_ref(), Some(&names[0]));
    assert_eq!(report.backup_taken_at.unwrap().get(), at());
    assert_eq!(report.restored_rows, 3);
    let state = |id| row(&report, id).map(|row| row.state);
    assert_eq!(state("unknown"), Some(SubmissionState::Unknown));
    assert_eq!(state("queued"), Some(SubmissionState::Queued));
    assert_eq!(state("accepted"), None);

    let reason = State::NeedsPerson(CaseReason::RestoredFromBackup);
    for id in ["unknown", "queued"] {
        let case = read(&store, id).await;
        assert_eq!((case.state, case.batch.state), (reason, reason));
        let record = &case.batch.record;
        assert!(record.unknown_before && record.reached && !record.replay_granted);
        assert_eq!(record.first_sent, None, "no window is open");
    }
    assert_eq!(read(&store, "accepted").await.state, State::Accepted);
}

/// Changes a text in the rows of all tables, and in no index.
fn change_rows(folder: &Path, from: &[u8], to: &[u8]) {
    const LEAF_OF_A_TABLE: u8 = 13;
    let path = folder.join("desk.db");
    let mut bytes = fs::read(&path).unwrap();
    let pages = bytes.chunks_mut(4096);
    for page in pages.filter(|page| page[0] == LEAF_OF_A_TABLE) {
        for start in 0..=page.len() - from.len() {
            if page[start..].starts_with(from) {
                page[start..start + to.len()].copy_from_slice(to);
            }
        }
    }
    fs::write(&path, &bytes).unwrap();
}

#[tokio::test]
async fn a_damaged_row_whose_index_still_names_the_sale_is_listed_as_the_index_has_it() {
    let folder = folder().await;
    change_rows(folder.path(), b"later", b"lates");
    let (store, report) = rescued(folder.path()).await;
    assert!(!report.complete);
    assert!(row(&report, "later").is_some() && row(&report, "lates").is_some());
    let known = earlier(&store, "later").await.unwrap();
    assert_eq!(known.state, SubmissionState::Unknown);
}

#[tokio::test]
async fn a_rescue_under_a_clock_that_fell_back_asks_about_sales_up_to_the_day_of_its_copy() {
    let folder = folder().await;
    change_rows(folder.path(), b"later", b"lates");
    let fallen = "2000-01-01T00:00:00Z".parse().unwrap();
    let store = open(folder.path(), fallen).await.unwrap();
    let gap = store.recovery_gap().await.unwrap();
    assert_eq!(gap, Some(at().timestamp_millis()));

    // Copy and clock of the start may both be old; the person who has seen the report lives now.
    let now = at().timestamp_millis() + 86_400_000;
    let mut line = crate::test_fixtures::line();
    line.at = now;
    store.mark_report_seen(1, line).await.unwrap();
    assert_eq!(store.recovery_gap().await.unwrap(), Some(now));
}

#[tokio::test]
async fn without_a_copy_the_desk_begins_anew_and_says_so() {
    let folder = folder().await;
    fs::remove_dir_all(folder.path().join("backup")).unwrap();
    spoil(folder.path());
    let (_, report) = rescued(folder.path()).await;
    assert_eq!((report.backup_taken_at, report.restored_rows), (None, 0));
    assert!(!report.pending.is_empty());
}

#[tokio::test]
async fn a_copy_that_is_damaged_too_gives_way_to_the_one_before() {
    let folder = folder().await;
    let backups = Backups::of(folder.path());
    backups.take(at() + chrono::TimeDelta::hours(1)).unwrap();
    let newest = backups.all()[0].path.clone();
    let mut bytes = fs::read(&newest).unwrap();
    bytes[4096..].fill(0x5a);
    fs::write(&newest, bytes).unwrap();
    spoil(folder.path());
    let (_, report) = rescued(folder.path()).await;
    assert_eq!(report.backup_taken_at.unwrap().get(), at());
    assert!(newest.exists());
}

#[tokio::test]
async fn a_file_that_is_gone_while_copies_are_there_is_no_first_run() {
    let folder = folder().await;
    fs::remove_file(folder.path().join("desk.db")).unwrap();
    assert!(matches!(
        check_readable(folder.path()).await,
        Err(StoreError::Damaged)
    ));
    let (_, report) = rescued(folder.path()).await;
    assert_eq!((report.set_aside, report.restored_rows), (None, 3));
}

#[tokio::test]
async fn a_rescue_that_was_interrupted_is_taken_up_again() {
    for is_behind_a_copy in [false, true] {
        let folder = folder().await;
        let path = folder.path().join("desk.db");
        if is_behind_a_copy {
            // The log was damaged too, and what it held is gone.
            let before = fs::read(&path).unwrap();
            let store = open(folder.path(), at()).await.unwrap();
            sent(&store, 5, &["last"], Event::Accepted, &["c-5"]).await;
            Backups::of(folder.path()).take(at()).unwrap();
            store.close().await;
            fs::write(&path, before).unwrap();
        } else {
            fs::remove_dir_all(folder.path().join("backup")).unwrap();
        }
        let spoilt = spoil(folder.path());
        // The process died after it had set the file aside.
        let aside = set_aside(&path, at()).unwrap().unwrap();
        let later = at() + chrono::TimeDelta::hours(1);
        let store = open(folder.path(), later).await.unwrap();
        let report = report(&store).await.unwrap();
        assert_eq!(
            report.set_aside.as_deref(),
            aside.file_name().unwrap().to_str()
        );
        assert!(!report.pending.is_empty());
        assert_eq!(fs::read(aside).unwrap(), spoilt);
    }
}

#[tokio::test]
async fn an_interrupted_rescue_is_taken_up_also_if_its_clock_was_behind_that_of_an_earlier_one() {
    let folder = folder().await;
    spoil(folder.path());
    let (store, _) = rescued(folder.path()).await;
    see(&store, 1).await;
    Backups::of(folder.path()).take(at()).unwrap();
    store.close().await;
    spoil(folder.path());
    let path = folder.path().join("desk.db");
    let before = at() - chrono::TimeDelta::days(9_000);
    let aside = set_aside(&path, before).unwrap().unwrap();
    let (_, report) = rescued(folder.path()).await;
    let name = aside.file_name().unwrap().to_str();
    assert_eq!(report.set_aside.as_deref(), name);
}

#[tokio::test]
async fn a_file_that_is_gone_is_not_read_from_one_that_an_earlier_rescue_set_aside() {
    for is_header_broken in [false, true] {
        let folder = folder().await;
        spoil_an_index(folder.path());
        if is_header_broken {
            let mut file = File::options()
                .write(true)
                .open(folder.path().join("desk.db"));
            std::io::Write::write_all(file.as_mut().unwrap(), &[0x5a; 100]).unwrap();
        }
        let (store, _) = rescued(folder.path()).await;
        see(&store, 1).await;
        let confirmed = "UPDATE submission SET state = 'confirmed' WHERE id = 'accepted'";
        store.change(confirmed, []).await.unwrap();
        sent(&store, 5, &["last"], Event::Accepted, &["c-5"]).await;
        Backups::of(folder.path()).take(at()).unwrap();
        store.close().await;
        fs::remove_file(folder.path().join("desk.db")).unwrap();
        let (_, report) = rescued(folder.path()).await;
        assert_eq!((&report.set_aside, report.complete), (&None, true));
        assert_eq!(row(&report, "accepted"), None);
    }
}

#[tokio::test]
async fn files_set_aside_in_the_same_second_keep_their_own_names() {
    let folder = folder().await;
    for _ in 0..2 {
        spoil(folder.path());
        open(folder.path(), at()).await.unwrap().close().await;
    }
    let expected = [
        "desk.db.damaged-20261121T100000Z",
        "desk.db.damaged-20261121T100000Z-2",
    ];
    assert_eq!(set_aside_in(folder.path()), expected);
}

#[tokio::test]
async fn a_value_that_changed_in_a_file_nobody_wrote_is_damage() {
    let folder = folder().await;
    closed(folder.path()).await;
    let path = folder.path().join("desk.db");
    let written = fs::metadata(&path).unwrap().modified().unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let place = bytes.windows(3).rposition(|three| three == b"c-4").unwrap();
    bytes[place + 2] = b'5';
    fs::write(&path, &bytes).unwrap();
    let file = File::options().write(true).open(&path).unwrap();
    file.set_modified(written).unwrap();
    let store = open(folder.path(), at()).await.unwrap();
    assert!(report(&store).await.is_some());
}

#[tokio::test]
async fn what_only_the_damaged_file_had_is_listed_and_in_doubt_after_the_report_was_seen_too() {
    let folder = folder().await;
    spoil_an_index(folder.path());
    let (store, report) = rescued(folder.path()).await;
    assert!(report.complete);
    let later = row(&report, "later").unwrap();
    assert_eq!(later.contract_id.as_deref(), Some("c-4"));
    assert!(!later.in_backup && row(&report, "queued").unwrap().in_backup);
    for _ in 0..2 {
        let doubt = earlier(&store, "later").await.unwrap();
        assert_eq!((doubt.id.as_ref(), doubt.is_unknown()), (None, true));
        assert_eq!(doubt.state, SubmissionState::Accepted);
        assert_eq!(doubt.contract_id.unwrap().as_str(), "c-4");
        see(&store, 1).await;
    }
    assert_eq!(earlier(&store, "never").await, None);
    // What is at the desk again is asked about as an entry of the desk.
    assert!(earlier(&store, "queued").await.unwrap().id.is_some());
}

#[tokio::test]
async fn what_is_no_damage_leaves_the_copies_for_the_next_start() {
    let folder = folder().await;
    spoil(folder.path());
    // It cannot be opened, which says nothing of what is in it.
    let newest = folder
        .path()
        .join("backup/desk-00000009-20261121T110000Z.db");
    fs::create_dir(&newest).unwrap();
    let refused = open(folder.path(), at()).await;
    assert!(!matches!(refused, Ok(_) | Err(StoreError::Damaged)));
    assert!(!folder.path().join("desk.db").exists());
    fs::remove_dir(&newest).unwrap();
    let (_, report) = rescued(folder.path()).await;
    assert_eq!((report.restored_rows, report.number), (3, 1));
    assert!(report.set_aside.is_some());
}

#[test]
fn a_damaged_file_that_cannot_be_deleted_keeps_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let place = |hour| {
        let name = format!("desk.db.damaged-20261121T{hour}0000Z");
        folder.path().join(name)
    };
    for hour in [10, 12, 14] {
        fs::create_dir(place(hour)).unwrap();
        fs::write(place(hour + 1), "").unwrap();
    }
    let later = "2126-11-21T10:00:00Z".parse().unwrap();
    let reported = std::collections::BTreeMap::new();
    let forgotten = forget_set_aside(folder.path(), later, later, &reported);
    assert_eq!(forgotten.unwrap(), 3);
    assert_eq!(set_aside_in(folder.path()).len(), 3);
}

#[tokio::test]
async fn copies_from_before_a_rescue_stay_until_its_report_was_seen() {
    let folder = folder().await;
    spoil(folder.path());
    let store = open(folder.path(), at()).await.unwrap();
    let backups = Backups::of(folder.path());
    let numbers = || -> Vec<u32> { backups.all().iter().map(|kept| kept.number).collect() };
    for _ in 0..4 {
        backups.take(at()).unwrap();
    }
    assert_eq!(numbers(), [5, 4, 3, 1]);
    see(&store, 1).await;
    backups.take(at()).unwrap();
    assert_eq!(numbers(), [6, 5, 4]);
}

#[tokio::test]
async fn a_journal_of_a_damaged_file_is_set_aside_with_it() {
    let folder = folder().await;
    let path = folder.path().join("desk.db");
    fs::write(&path, [0x5a; 8192]).unwrap();
    fs::write(with_suffix(&path, "-journal"), b"journal").unwrap();
    open(folder.path(), at()).await.unwrap().close().await;
    let names = set_aside_in(folder.path());
    assert_eq!(names.len(), 1);
    let journal = with_suffix(&folder.path().join(&names[0]), "-journal");
    assert_eq!(fs::read(journal).unwrap(), b"journal");
}

#[tokio::test]
async fn what_an_interrupted_rescue_left_behind_goes_to_the_file_it_belongs_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("desk.db");
    let damaged = folder.path().join("desk.db.damaged-20261121T100000Z");
    fs::write(&damaged, b"file").unwrap();
    // The process died between two renames, and so at two places at once here.
    for (suffix, at_next) in [("-wal", 1), ("-shm", 2)] {
        fs::write(with_suffix(&path, suffix), suffix).unwrap();
        let later = at() + chrono::TimeDelta::hours(at_next);
        assert_eq!(set_aside(&path, later).unwrap(), None);
        let beside = with_suffix(&damaged, suffix);
        assert_eq!(fs::read(beside).unwrap(), suffix.as_bytes());
    }
    // A log of another file is not mixed with it.
    fs::write(with_suffix(&path, "-wal"), b"other").unwrap();
    set_aside(&path, at()).unwrap();
    assert_eq!(fs::read(with_suffix(&damaged, "-wal")).unwrap(), b"-wal");
    assert!(!with_suffix(&path, "-wal").exists());
}

#[tokio::test]
async fn what_went_on_after_the_copy_is_listed_as_the_damaged_file_knew_it() {
    let folder = folder().await;
    let connection = Connection::open(folder.path().join("desk.db")).unwrap();
    let newer = "UPDATE submission SET state = 'needsPerson' WHERE id = 'accepted'";
    connection.execute(newer, []).unwrap();
    drop(connection);
    spoil_an_index(folder.path());
    let (_, report) = rescued(folder.path()).await;
    let row = row(&report, "accepted").unwrap();
    assert_eq!(row.state, SubmissionState::NeedsPerson);
    assert!(row.in_backup);
}

#[tokio::test]
async fn a_second_rescue_leaves_the_first_report_to_be_seen() {
    let folder = folder().await;
    let hour = chrono::TimeDelta::hours(1);
    for number in 0..2 {
        spoil_an_index(folder.path());
        let store = open(folder.path(), at() + hour * number).await.unwrap();
        assert_eq!(report(&store).await.unwrap().at.get(), at());
        store.close().await;
    }
    let store = open(folder.path(), at()).await.unwrap();
    let first = report(&store).await.unwrap();
    assert!(row(&first, "later").is_some());
    let summary = store.unseen_report_summary().await.unwrap().unwrap();
    assert_eq!((summary.number, summary.at), (first.number, first.at));
    assert_eq!(summary.pending as usize, first.pending.len());
    see(&store, first.number).await;
    let second = report(&store).await.unwrap();
    assert_eq!(second.at.get(), at() + hour);
    assert!(earlier(&store, "later").await.is_some());
    see(&store, second.number).await;
    assert_eq!(report(&store).await, None);
}
