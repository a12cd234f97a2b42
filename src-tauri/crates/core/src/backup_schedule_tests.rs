//! Backups as a desk takes them.

use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use warranty_api::Personal;

use crate::Desk;
use crate::drafts::{DraftName, DraftPlace};
use crate::outbox::RunUntil;
use crate::profile::{Display, ProfileDraft, ProviderFacts};
use crate::testing::desk as open;
use warranty_runtime::settings::{Settings, Theme};
use warranty_store::backup::Backups;
use warranty_store::files::make_file;

/// How old a copy may be in these tests.
const OLD: TimeDelta = TimeDelta::hours(1);

/// Changes something, with a line of the journal.
async fn change(desk: &Desk) {
    desk.settings_change(Settings {
        theme: Some(Theme::Dark),
        ..Settings::default()
    })
    .await
    .unwrap();
    desk.context
        .journal_write("test.line", "x", None)
        .await
        .unwrap();
}

/// Adds a profile and chooses it; its id.
async fn profile(desk: &Desk) -> String {
    let draft = ProfileDraft {
        name: "本店".into(),
        base_url: "https://service.invalid".into(),
        store_id: "store".into(),
        utc_offset_minutes: 540,
        time_zone: None,
        display: Display::default(),
        facts: ProviderFacts::default(),
    };
    desk.profiles.add(draft).await.unwrap().id
}

fn copies(folder: &Path) -> Vec<PathBuf> {
    let found = Backups::of(folder).all();
    found.into_iter().map(|kept| kept.path).collect()
}

/// Waits until there are so many copies, with a clock that stands.
async fn copied(folder: &Path, count: usize) {
    let begun = std::time::Instant::now();
    while copies(folder).len() < count {
        assert!(begun.elapsed() < Duration::from_secs(60), "no copy");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn what_was_done_and_nothing_else_makes_a_whole_copy_once_the_desk_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let desk = open(folder.path()).await;
    change(&desk).await;
    desk.close().await;
    let taken = copies(folder.path());
    assert_eq!(taken.len(), 1);
    let copy = rusqlite::Connection::open(&taken[0]).unwrap();
    let lines: i64 = copy
        .query_row("SELECT COUNT(*) FROM journal", [], |row| row.get(0))
        .unwrap();
    assert_eq!(lines, 1);
    open(folder.path()).await.close().await;
    assert_eq!(copies(folder.path()), taken);
}

#[tokio::test]
async fn what_changes_soon_after_a_copy_of_another_process_is_in_the_next_one_ten_minutes_later() {
    let folder = tempfile::tempdir().unwrap();
    let desk = open(folder.path()).await;
    change(&desk).await;
    desk.close().await;
    let taken = copies(folder.path());
    let desk = open(folder.path()).await;
    change(&desk).await;
    desk.context.backups.back_up_soon();
    // Time stands while a copy is being taken.
    tokio::time::pause();
    tokio::time::sleep(Duration::from_secs(9 * 60)).await;
    assert_eq!(copies(folder.path()), taken);
    tokio::time::sleep(Duration::from_secs(2 * 60)).await;
    tokio::time::resume();
    assert_eq!(copies(folder.path())[1..], taken);
    desk.close().await;
    assert_eq!(copies(folder.path())[1..], taken);
}

#[tokio::test]
async fn what_finds_nothing_to_change_makes_no_copy() {
    let folder = tempfile::tempdir().unwrap();
    let desk = open(folder.path()).await;
    let chosen = profile(&desk).await;
    desk.close().await;
    let taken = copies(folder.path());
    let desk = open(folder.path()).await;
    let until = RunUntil {
        confirmed: false,
        at_most: Duration::from_secs(1),
    };
    desk.outbox.run(until, &|_| {}).await.unwrap();
    desk.profiles.choose(&chosen).await.unwrap();
    desk.close().await;
    assert_eq!(copies(folder.path()), taken);
}

#[tokio::test]
async fn the_newest_three_copies_are_kept_whatever_the_clock_said() {
    let folder = tempfile::tempdir().unwrap();
    open(folder.path()).await.close().await;
    let backups = Backups::of(folder.path());
    for day in [28, 3, 2, 1, 4] {
        let at: DateTime<Utc> = format!("2026-11-{day:02}T10:00:00Z").parse().unwrap();
        backups.take(at).unwrap();
    }
    let kept: Vec<u32> = backups.all().iter().map(|kept| kept.number).collect();
    assert_eq!(kept, [5, 4, 3]);
}

#[tokio::test]
async fn a_copy_is_behind_when_it_is_old_or_lacks_something() {
    let folder = tempfile::tempdir().unwrap();
    let at: DateTime<Utc> = "2026-11-21T10:00:00Z".parse().unwrap();
    let backups = Backups::of(folder.path());
    let desk = open(folder.path()).await;
    assert!(!backups.is_behind(at, OLD));
    change(&desk).await;
    assert!(backups.is_behind(at, OLD));
    backups.take(at).unwrap();
    assert!(!backups.is_behind(at, OLD));
    assert!(backups.is_behind(at + TimeDelta::hours(2), OLD));
    // Taken by a clock that was ahead.
    assert!(backups.is_behind(at - TimeDelta::hours(2), OLD));
    change(&desk).await;
    assert!(backups.is_behind(at, OLD));
    desk.close().await;
}

#[tokio::test]
async fn a_copy_that_cannot_be_taken_is_told_and_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let desk = open(folder.path()).await;
    // A file where the folder should be.
    std::fs::remove_dir_all(folder.path().join("backup")).unwrap();
    drop(make_file(&folder.path().join("backup")).unwrap());
    change(&desk).await;
    assert!(!desk.status().await.unwrap().backup.failed);
    desk.context.backups.back_up_soon();
    desk.context.backups.back_up_at_close().await;
    let state = desk.status().await.unwrap().backup;
    assert_eq!((state.failed, state.taken_at), (true, None));
    change(&desk).await;
    desk.close().await;
}

#[tokio::test]
async fn what_changes_soon_after_a_copy_is_in_the_next_one_without_another_change() {
    let folder = tempfile::tempdir().unwrap();
    let desk = open(folder.path()).await;
    change(&desk).await;
    desk.context.backups.back_up_soon();
    copied(folder.path(), 1).await;
    change(&desk).await;
    desk.context.backups.back_up_soon();
    // The wait for the next one begins.
    tokio::task::yield_now().await;
    assert_eq!(copies(folder.path()).len(), 1);
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(601)).await;
    copied(folder.path(), 2).await;
    tokio::time::resume();
    desk.close().await;
    assert_eq!(copies(folder.path()).len(), 2);
}

#[tokio::test]
async fn a_draft_is_in_a_copy_ten_minutes_later_though_nothing_else_changes() {
    let folder = tempfile::tempdir().unwrap();
    let desk = open(folder.path()).await;
    let profile = profile(&desk).await;
    let keep = async |name| {
        let (name, text) = (DraftName::new(name).unwrap(), Personal::new("typed"));
        let kept = desk.drafts.keep(&profile, &name, text, 1).await;
        assert_eq!(kept.unwrap(), DraftPlace::File);
        // What was begun for it in the background goes on.
        tokio::task::yield_now().await;
    };
    keep("sheet/1").await;
    copied(folder.path(), 1).await;
    keep("sheet/2").await;
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(601)).await;
    copied(folder.path(), 2).await;
    tokio::time::resume();
    let copy = rusqlite::Connection::open(&copies(folder.path())[0]).unwrap();
    let drafts = copy.query_row("SELECT COUNT(*) FROM draft", [], |row| row.get(0));
    assert_eq!(drafts, Ok(2));
}

#[tokio::test]
async fn damage_that_a_copy_finds_is_mended_at_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let desk = open(folder.path()).await;
    change(&desk).await;
    desk.close().await;
    let good = copies(folder.path());

    let desk = open(folder.path()).await;
    let path = folder.path().join("desk.db");
    let page = {
        let file = rusqlite::Connection::open(&path).unwrap();
        let root = "SELECT rootpage FROM sqlite_master WHERE name = 'lead'";
        file.query_row(root, [], |row| row.get::<_, u32>(0))
            .unwrap()
    };
    let mut file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.seek(SeekFrom::Start(u64::from(page - 1) * 4096))
        .unwrap();
    file.write_all(&[0x5a; 4096]).unwrap();
    drop(file);
    change(&desk).await;
    desk.close().await;
    assert_eq!(copies(folder.path()), good);

    let desk = open(folder.path()).await;
    assert!(desk.status().await.unwrap().rescue.is_some());
    desk.close().await;
}
