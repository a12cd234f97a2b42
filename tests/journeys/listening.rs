//! The window listens nowhere but where somebody practises, and only while they do.

use std::net::{Ipv4Addr, TcpStream};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use crate::harness::{Desk, Sale, Service, Setup, journey};

const DAY: i64 = 24 * 60 * 60 * 1000;

#[tokio::test(flavor = "multi_thread")]
async fn the_window_listens_only_while_a_practice_profile_is_in_use() {
    if std::fs::metadata("/proc/self").unwrap().uid() != 0 {
        eprintln!("not judged: the program lets the superuser alone see where it listens");
        return;
    }
    journey(Setup::default(), async |desk: &mut Desk| {
        let english = desk.language();
        let service = Service::start().await;
        desk.connect(&service).await;
        assert_eq!(desk.listens_at(), [0; 0], "a live profile alone");

        desk.go_to("settings").await;
        desk.press("profile-practise").await;
        desk.see("mode-band").await;
        let port = the_port(desk);
        assert!(is_open(port));
        desk.go_to("register").await;
        desk.register(&Sale::of_a_refrigerator()).await;
        desk.receipt_is(&["accepted", "confirmed"]).await;

        use_profile(desk, "Sample store").await;
        desk.sees_no("mode-band").await;
        assert_eq!(desk.listens_at(), [0; 0], "live is in use again");
        assert!(!is_open(port));

        // What was practised goes on, and nothing says that it could not.
        use_profile(desk, english.word("firstRun.practiceName")).await;
        desk.see("mode-band").await;
        assert!(is_open(the_port(desk)));
        desk.go_to("outbox").await;
        desk.outbox_counts("confirmed", 1).await;
        assert!(
            !desk
                .page_text()
                .await
                .contains(english.word("banner.noPractice"))
        );

        // A start with live in use opens nothing, and old practice data goes all the same.
        use_profile(desk, "Sample store").await;
        desk.sees_no("mode-band").await;
        desk.start_again_after(grow_old).await;
        desk.see("register-submit").await;
        assert_eq!(desk.listens_at(), [0; 0], "after a start");
        assert_eq!(practised(&desk.data_dir()), 0);

        use_profile(desk, english.word("firstRun.practiceName")).await;
        desk.see("mode-band").await;
        let port = the_port(desk);
        let row = row_of(english.word("firstRun.practiceName"));
        press(desk, &format!("{row} [data-testid=profile-remove]")).await;
        desk.press("profile-question-yes").await;
        desk.sees_no("mode-band").await;
        assert_eq!(desk.listens_at(), [0; 0], "the practice profile is removed");
        assert!(!is_open(port));
    })
    .await;
}

fn the_port(desk: &Desk) -> u16 {
    let ports = desk.listens_at();
    assert_eq!(ports.len(), 1, "practice alone: {ports:?}");
    ports[0]
}

fn is_open(port: u16) -> bool {
    TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok()
}

fn row_of(profile: &str) -> String {
    format!("[data-testid=profile-row][data-profile='{profile}']")
}

async fn press(desk: &Desk, css: &str) {
    desk.see_where(css).await.click().await.unwrap();
}

async fn use_profile(desk: &Desk, profile: &str) {
    desk.go_to("settings").await;
    press(
        desk,
        &format!("{} [data-testid=profile-use]", row_of(profile)),
    )
    .await;
}

/// Makes what was practised 92 days old, and the last check one day.
fn grow_old(data_dir: &Path) {
    assert_eq!(practised(data_dir), 1);
    let practice = rusqlite::Connection::open(data_dir.join("practice.db")).unwrap();
    let older = "UPDATE contract SET created_at_ms = created_at_ms - ?1";
    practice.execute(older, [92 * DAY]).unwrap();
    let yesterday = chrono::Utc::now().timestamp_millis() - DAY;
    let own = rusqlite::Connection::open(data_dir.join("desk.db")).unwrap();
    let checked = "UPDATE setting SET value = ?1 WHERE name = 'retentionChecked'";
    own.execute(checked, [yesterday.to_string()]).unwrap();
    let since_start = "DELETE FROM setting WHERE name = 'retentionSinceStart'";
    own.execute(since_start, []).unwrap();
}

/// How many contracts the practice service's file holds.
fn practised(data_dir: &Path) -> i64 {
    rusqlite::Connection::open(data_dir.join("practice.db"))
        .unwrap()
        .query_row("SELECT count(*) FROM contract", [], |row| row.get(0))
        .unwrap()
}
