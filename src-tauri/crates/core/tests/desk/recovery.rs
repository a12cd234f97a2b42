//! A damaged file, a second process that only reads, and a run without a network.

use std::path::Path;
use std::time::Duration;

use warranty_core::Error;
use warranty_core::api::Personal;
use warranty_core::contracts::EnterMode;
use warranty_core::drafts::DraftName;
use warranty_core::outbox::Resolution;

use crate::harness::{Stage, open};
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
    let desk = open(&later, &stage.vault).await;
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

#[tokio::test]
async fn a_reader_beside_the_window_sees_everything_and_changes_nothing() {
    let (stage, profile) = Stage::live().await;
    stage.enter(&sales(3)).await;
    stage.keep_draft(&profile, "counter", "typed", 0).await;
    let reader = stage.reader().await;
    assert_eq!(reader.entered().await.len(), 3);
    assert_eq!(reader.summary().await.waiting, 3);
    stage.enter(&sales(5)).await;
    assert_eq!(reader.entered().await.len(), 5);

    refused!(reader.try_register(&sale(9), &[]).await, Error::InUse);
    refused!(reader.bulk.stage(crate::runs::new()).await, Error::InUse);
    let first = reader.entered().await[0].id.clone();
    let cancel = Resolution::Cancel;
    refused!(reader.try_resolve(&first, cancel).await, Error::InUse);
    assert_eq!(stage.entered().await.len(), 5);
    refused!(
        reader.try_keep_draft(&profile, "counter", "other", 0).await,
        Error::InUse
    );
    let counter = DraftName::new("counter").unwrap();
    refused!(
        reader.drafts.remove(&profile.id, &counter).await,
        Error::InUse
    );
    let read = reader.draft_of(&profile, "counter").await;
    assert_eq!(read.unwrap().text, Some(Personal::new("typed")));
}

#[tokio::test]
async fn a_single_entry_offline_does_not_keep_a_run_waiting() {
    let stage = Stage::empty().await;
    stage.connect("本店").await;
    stage.register(&sale(0)).await;
    // From here on nobody listens where it is to be sent.
    stage.sandbox.stop().await;
    for _ in 0..3 {
        let run = stage.desk.try_run(false, Duration::from_secs(3_600));
        let run = tokio::time::timeout(Duration::from_secs(60), run).await;
        assert_eq!(run.expect("it waits").unwrap().waiting, 1);
    }
}
