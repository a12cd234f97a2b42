//! What a killed process, an absent network and a second process leave behind.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use warranty_core::contracts::EnterMode;
use warranty_core::vault::MemoryVault;
use warranty_core::{Desk, DeskOptions, Error};
use warranty_sandbox::{Database, Options, Sandbox};

use crate::harness::{Stage, TestClock, until};
use crate::sales::{sale, sales};
use crate::steps::{Steps, refused};

/// Makes the desk's file of a folder damaged where every row of it can still be read.
fn spoil_an_index(folder: &Path) {
    let path = folder.join("desk.db");
    let connection = rusqlite::Connection::open(&path).unwrap();
    let root = "SELECT rootpage FROM sqlite_schema WHERE name = 'submission_state'";
    let page: usize = connection
        .query_row(root, [], |row| row.get::<_, u32>(0))
        .unwrap()
        .try_into()
        .unwrap();
    // Closed by its last user, the file has its log taken in.
    drop(connection);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[(page - 1) * 4096..page * 4096].fill(0);
    std::fs::write(path, bytes).unwrap();
}

#[tokio::test]
async fn a_file_entered_again_sells_nothing_that_only_the_damaged_file_knew() {
    let stage = Stage::practising().await;
    let folder = stage.folder.path();
    let backup = folder.join("backup");
    std::fs::create_dir_all(&backup).unwrap();
    let copy = backup.join("desk-00099999-20261121T090000Z.db");
    rusqlite::Connection::open(folder.join("desk.db"))
        .unwrap()
        .execute("VACUUM INTO ?1", [copy.to_str().unwrap()])
        .unwrap();
    // Entered and sold after the copy.
    let rows = sales(3);
    stage.enter(&rows).await;
    assert_eq!(stage.run().await.accepted, 3);

    let later = tempfile::tempdir().unwrap();
    for file in ["desk.db", "desk.db-wal"] {
        std::fs::copy(folder.join(file), later.path().join(file)).unwrap();
    }
    std::fs::create_dir(later.path().join("backup")).unwrap();
    let place = later.path().join("backup").join(copy.file_name().unwrap());
    std::fs::copy(&copy, place).unwrap();
    spoil_an_index(later.path());
    let desk = open(later.path(), stage.vault.clone()).await.unwrap();
    let report = desk.recovery.unseen().await.unwrap().unwrap();
    assert_eq!(report.pending.len(), 3);

    let staged = crate::runs::staged(&desk, &rows).await;
    let again = async |mode| desk.try_start(&staged.id, mode).await;
    for mode in [EnterMode::AllOrNothing, EnterMode::GoodRows] {
        refused!(again(mode).await, Error::RescueNotSeen);
    }
    assert_eq!(again(EnterMode::DryRun).await.unwrap().rejected, 3);
    desk.recovery.mark_seen(report.number).await.unwrap();
    let entered_again = desk.enter(&rows).await;
    assert_eq!((entered_again.entered, entered_again.rejected), (0, 3));
    let asking = desk.left_out(&entered_again.id).await;
    assert_eq!(asking[0].questions.len(), 1);
    assert!(matches!(
        desk.try_register(&rows[0], &[]).await,
        Err(Error::Questions(questions)) if questions.len() == 1
    ));
    assert!(desk.entered().await.is_empty());
}

async fn open(folder: &Path, vault: Arc<MemoryVault>) -> Result<Desk, Error> {
    Desk::open(DeskOptions::new(folder.to_owned(), vault)).await
}

#[tokio::test]
async fn what_was_acknowledged_is_there_after_a_kill() {
    let stage = Stage::practising().await;
    let rows = sales(12);
    stage.enter(&rows).await;
    let acknowledged = stage.entered().await;
    let (desk, _folder) = stage.after_a_kill(TestClock::new()).await;
    assert_eq!(desk.entered().await, acknowledged);
    assert_eq!(desk.run_confirmed().await.confirmed, 12);
    stage.assert_sold_once(&rows).await;
}

#[tokio::test]
async fn what_was_accepted_is_confirmed_after_a_restart() {
    let stage = Stage::practising().await;
    stage.enter(&sales(2)).await;
    assert_eq!(stage.run().await.accepted, 2);
    let stage = stage.restarted().await;
    assert_eq!(stage.run_confirmed().await.confirmed, 2);
    assert_eq!(stage.sent(), 1);
}

#[tokio::test]
async fn offline_everything_waits_and_online_it_goes() {
    let service = tempfile::tempdir().unwrap();
    let options = |addr| Options {
        addr,
        database: Database::File(service.path().join("sandbox.db")),
        ..Options::default()
    };
    let sandbox = Sandbox::start(options(([127, 0, 0, 1], 0).into()))
        .await
        .unwrap();
    let addr = sandbox.addr();
    let mut stage = Stage {
        sandbox,
        ..Stage::empty().await
    };
    stage.connect("本店").await;
    stage.sandbox.stop().await;
    let desk = stage.desk.clone();

    let rows = sales(25);
    assert_eq!(desk.enter(&rows).await.entered, 25);
    let began = Instant::now();
    assert_eq!(desk.run().await.waiting, 25);
    assert!(began.elapsed() < Duration::from_secs(10), "returns soon");
    let attempts: u32 = desk
        .entered()
        .await
        .iter()
        .map(|entry| entry.attempts)
        .sum();
    assert!(attempts > 0, "it was tried");

    stage.sandbox = Sandbox::start(options(addr)).await.unwrap();
    assert_eq!(stage.run_confirmed().await.confirmed, 25);
    stage.assert_sold_once(&rows).await;
}

#[tokio::test]
async fn without_the_practice_service_its_entries_wait() {
    let stage = Stage::practising().await;
    stage.enter(&sales(2)).await;
    let stage = stage.restarted_alone().await;
    let summary = stage.run().await;
    assert_eq!(summary.waiting, 2);
    stage.outbox.start();
    stage.attach_practice();
    until("accepted", async || stage.summary().await.accepted == 2).await;
}

#[tokio::test]
async fn a_second_process_is_told_that_the_folder_is_in_use() {
    let stage = Stage::practising().await;
    refused!(
        open(stage.folder.path(), stage.vault.clone()).await,
        Error::InUse
    );
    let Stage { desk, folder, .. } = stage;
    desk.close().await;
    open(folder.path(), Arc::default()).await.unwrap();
}

#[tokio::test]
async fn a_reader_beside_the_window_sees_everything_and_changes_nothing() {
    let stage = Stage::practising().await;
    stage.enter(&sales(3)).await;
    let reader = stage.reader().await;
    assert_eq!(reader.entered().await.len(), 3);
    assert_eq!(reader.summary().await.waiting, 3);
    stage.enter(&sales(5)).await;
    assert_eq!(reader.entered().await.len(), 5);

    refused!(reader.try_register(&sale(9), &[]).await, Error::InUse);
    refused!(reader.bulk.stage(crate::runs::new()).await, Error::InUse);
    let first = reader.entered().await[0].id.clone();
    let cancel = warranty_core::outbox::Resolution::Cancel;
    refused!(reader.try_resolve(&first, cancel).await, Error::InUse);
    assert_eq!(stage.entered().await.len(), 5);
}

#[tokio::test]
async fn a_reader_of_an_empty_folder_finds_an_empty_desk_and_holds_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let vault = Arc::new(MemoryVault::default());
    let options = DeskOptions::new(folder.path().join("desk"), vault.clone());
    let reader = Desk::open_to_read(options.clone()).await.unwrap();
    refused!(reader.outbox.summary().await, Error::NoProfile);
    Desk::open(options).await.unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn the_desks_files_are_for_this_user_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("desk");
    let desk = open(&path, Arc::default()).await.unwrap();
    desk.settings_change(warranty_core::settings::Settings::default())
        .await
        .unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&path), 0o700);
    for name in ["desk.db", "desk.db-wal", "desk.lock"] {
        assert_eq!(mode(&path.join(name)), 0o600, "{name}");
    }
}

#[tokio::test]
async fn without_a_folder_that_can_be_written_nothing_opens() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    refused!(
        open(&file.join("desk"), Arc::default()).await,
        Error::Store(warranty_core::StoreError::Folder(_))
    );
}

/// Makes the desk's own file refuse, as a full disk does, whenever an attempt is written so.
fn refuse(folder: &Path, what: &str) -> rusqlite::Connection {
    let connection = rusqlite::Connection::open(folder.join("desk.db")).unwrap();
    connection
        .execute_batch(&format!(
            "CREATE TRIGGER refuse BEFORE {what} ON attempt
             BEGIN SELECT RAISE(ABORT, 'refused'); END"
        ))
        .unwrap();
    connection
}

#[tokio::test]
async fn nothing_is_sent_that_could_not_be_written_down_first() {
    let stage = Stage::practising().await;
    let rows = sales(2);
    stage.enter(&rows).await;
    let file = refuse(stage.folder.path(), "INSERT");
    let until = warranty_core::outbox::RunUntil {
        confirmed: false,
        at_most: Duration::from_secs(10),
    };
    refused!(stage.outbox.run(until, &|_| {}).await, Error::Store(_));
    assert_eq!(stage.sent(), 0);
    assert_eq!(stage.summary().await.waiting, 2);

    file.execute_batch("DROP TRIGGER refuse").unwrap();
    assert_eq!(stage.run().await.accepted, 2);
    stage.assert_sold_once(&rows).await;
}

#[tokio::test]
async fn an_answer_that_could_not_be_written_down_is_in_doubt_and_asked_for_again() {
    let stage = Stage::practising().await;
    let rows = sales(2);
    stage.enter(&rows).await;
    let file = refuse(stage.folder.path(), "UPDATE");
    let until = warranty_core::outbox::RunUntil {
        confirmed: false,
        at_most: Duration::from_secs(20),
    };
    refused!(stage.outbox.run(until, &|_| {}).await, Error::Store(_));
    assert_eq!(stage.ledger().await.len(), 2);
    assert_eq!(stage.summary().await.accepted, 0);

    file.execute_batch("DROP TRIGGER refuse").unwrap();
    assert_eq!(stage.run().await.accepted, 2);
    stage.assert_sold_once(&rows).await;
    let case = stage.case(&stage.entered().await[0].id).await;
    assert_eq!(case.attempts[0].class, None);
}

#[tokio::test]
async fn a_single_entry_offline_does_not_keep_a_run_waiting() {
    let stage = Stage::empty().await;
    stage.connect("本店").await;
    stage.register(&sale(0)).await;
    // From here on nobody listens where it is to be sent.
    stage.sandbox.stop().await;
    for _ in 0..3 {
        let began = Instant::now();
        assert_eq!(stage.desk.run().await.waiting, 1);
        assert!(began.elapsed() < Duration::from_secs(6), "returns soon");
    }
}
