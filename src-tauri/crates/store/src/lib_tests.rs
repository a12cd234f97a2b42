use super::*;

/// A file of another version of the program, which needs so many steps of its readers.
async fn file_of(path: &Path, version: i32, min_reader: &'static str) {
    let store = test_fixtures::made(path).await;
    let changed = store.call(move |connection| {
        connection.pragma_update(None, "user_version", version)?;
        connection.execute(
            "UPDATE setting SET value = ?1 WHERE name = 'minReader'",
            [min_reader],
        )
    });
    assert_eq!(changed.await.unwrap(), 1);
    store.close().await;
}

/// The steps of a version after this one.
const NEXT: Steps = &[
    M::up(include_str!("schema/desk.sql")),
    M::up("CREATE TABLE later (number INTEGER PRIMARY KEY) STRICT"),
];

/// Opens a file as that version does.
async fn opened_by_the_next(path: &Path) -> Store {
    Store::open_with(path, false, NEXT).await.unwrap()
}

#[tokio::test]
async fn a_file_of_a_newer_version_is_named_and_left_alone() {
    for (version, min_reader) in [(1_000, "1000"), (1_000, "sample"), (-1, "1")] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("desk.db");
        file_of(&path, version, min_reader).await;
        for read_only in [false, true] {
            assert!(matches!(
                Store::open(&path, read_only).await,
                Err(StoreError::Newer)
            ));
        }
    }
}

#[tokio::test]
async fn a_newer_file_that_this_version_can_work_with_is_worked_with_and_stays_newer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("desk.db");
    file_of(&path, 1_000, "1").await;
    let store = test_fixtures::made(&path).await;
    let salt = store.change_setting(settings::FINGERPRINT_SALT, |_| "sample".to_owned());
    salt.await.unwrap();
    assert_eq!(store.call(version).await.unwrap(), 1_000);
    store.close().await;
    let reader = Store::open(&path, true).await.unwrap();
    let salt = reader.setting(settings::FINGERPRINT_SALT).await.unwrap();
    assert_eq!(salt.as_deref(), Some("sample"));
}

#[tokio::test]
async fn a_copy_from_before_a_step_is_kept_for_two_weeks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("desk.db");
    test_fixtures::made(&path).await.close().await;
    // Opening the file again takes no step and makes no copy.
    for _ in 0..2 {
        let store = opened_by_the_next(&path).await;
        assert_eq!(store.call(version).await.unwrap(), NEXT.len());
        store.close().await;
    }
    let kept = || -> Vec<std::path::PathBuf> {
        let found = std::fs::read_dir(folder.path().join("backup")).unwrap();
        let mut found: Vec<_> = found.map(|file| file.unwrap().path()).collect();
        found.retain(|path| path.to_str().unwrap().contains("before-1-"));
        found
    };
    let copies = kept();
    assert_eq!(copies.len(), 1);
    let copy = rusqlite::Connection::open(&copies[0]).unwrap();
    assert_eq!(version(&copy).unwrap(), 1);
    let backups = backup::Backups::of(folder.path());
    let in_days = |days| Utc::now() + chrono::TimeDelta::days(days);
    backups.take(in_days(13)).unwrap();
    assert_eq!(kept(), copies);
    backups.take(in_days(15)).unwrap();
    assert!(kept().is_empty());
}

#[tokio::test]
async fn a_copy_from_before_a_step_goes_with_the_customers_also_when_it_is_the_only_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("desk.db");
    test_fixtures::made(&path).await.close().await;
    opened_by_the_next(&path).await.close().await;
    let backups = backup::Backups::of(folder.path());
    assert!(backups.all().is_empty());
    // A step that failed is tried again, and leaves one copy.
    let again = Utc::now() + chrono::TimeDelta::seconds(1);
    backup::keep_before_steps(&path, 1, again).unwrap();
    let later = Utc::now() + chrono::TimeDelta::days(1);
    assert_eq!(backups.forget(later).unwrap(), 1);
    assert_eq!(backups.forget(later).unwrap(), 0);
}

#[tokio::test]
async fn an_old_copy_that_cannot_be_deleted_stops_neither_a_new_copy_nor_other_deletions() {
    let (folder, store) = test_fixtures::store().await;
    store.close().await;
    let backups = backup::Backups::of(folder.path());
    let copies = folder.path().join("backup");
    // What is deleted as a file is, and is none, stays.
    for held in [
        "before-1-20261121T100000Z",
        "desk-00000002-20261121T100000Z",
    ] {
        std::fs::create_dir_all(copies.join(format!("{held}.db"))).unwrap();
    }
    std::fs::write(copies.join("desk-00000001-20261121T100000Z.db"), "").unwrap();
    let numbers = || -> Vec<u32> { backups.all().iter().map(|kept| kept.number).collect() };
    let at = "2026-12-31T10:00:00Z".parse().unwrap();
    for _ in 3..=6 {
        backups.take(at).unwrap();
    }
    assert_eq!(numbers(), [6, 5, 4, 2]);
    let later = at + chrono::TimeDelta::days(1);
    assert_eq!(backups.forget(later).unwrap(), 2);
    assert_eq!(numbers(), [6, 2]);
}

#[tokio::test]
async fn a_reader_cannot_write() {
    let (folder, store) = test_fixtures::store().await;
    store.close().await;
    let reader = Store::open(&folder.path().join("desk.db"), true)
        .await
        .unwrap();
    let answer = reader
        .call(|connection| connection.execute("DELETE FROM setting", []))
        .await;
    assert!(matches!(answer, Err(StoreError::ReadOnly)));
}

#[tokio::test]
async fn a_writer_asks_for_the_flush_that_reaches_the_medium() {
    let (_folder, store) = test_fixtures::store().await;
    for pragma in ["fullfsync", "checkpoint_fullfsync"] {
        let on: i64 = store
            .call(move |connection| connection.pragma_query_value(None, pragma, |row| row.get(0)))
            .await
            .unwrap();
        assert_eq!(on, 1, "{pragma}");
    }
}

#[tokio::test]
async fn a_reader_that_notes_an_export_while_the_file_is_away_makes_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("desk.db");
    assert!(Store::open(&path, false).await.is_err());
    assert!(!path.exists());
}

#[tokio::test]
async fn a_lost_key_that_a_queued_lead_is_bound_with_is_in_use() {
    let (_folder, store) = test_fixtures::store().await;
    for state in ["queued", "cancelled"] {
        let lead = format!("state = '{state}', store_key = '{state}', store_mark = x'01'");
        test_fixtures::inserted(&store, "lead", lead).await;
    }
    assert!(store.is_key_used("queued").await.unwrap());
    assert!(!store.is_key_used("cancelled").await.unwrap());
}
