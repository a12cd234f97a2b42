//! A keychain that is not there, is locked, hangs or has lost the token: no command hangs, each says
//! what is wrong, and what waits is kept and nothing of it sent.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use warranty_core::vault::{KeychainVault, Vault};

use crate::harness::{Desk, Line, Run, Sale, Service, TOKEN, sales, until};

/// A keychain call is waited for five seconds; with what is around it a command takes at most this.
const PATIENCE: Duration = Duration::from_secs(6);

/// A session bus and a keychain of their own, so that other tests keep theirs.
struct Session {
    bus: Child,
    keychain: Child,
    address: String,
    folder: TempDir,
}

impl Session {
    /// Both running, the keychain unlocked.
    fn start() -> Self {
        let folder = TempDir::new().unwrap();
        let config = concat!(env!("CARGO_MANIFEST_DIR"), "/../../setup/session-bus.conf");
        let mut bus = Command::new("dbus-daemon")
            .args(["--config-file", config, "--nofork", "--print-address"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut address = String::new();
        BufReader::new(bus.stdout.take().unwrap())
            .read_line(&mut address)
            .unwrap();
        let address = address.trim_end().to_owned();
        let mut keychain = Command::new("gnome-keyring-daemon")
            .args(["--foreground", "--unlock", "--components=secrets"])
            .env("DBUS_SESSION_BUS_ADDRESS", &address)
            .env("HOME", folder.path())
            .env("XDG_DATA_HOME", folder.path())
            .env("XDG_RUNTIME_DIR", folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        keychain.stdin.take().unwrap().write_all(b"x").unwrap();
        let session = Self {
            bus,
            keychain,
            address,
            folder,
        };
        until("a keychain on the bus", || session.secrets("Get", &[]));
        session
    }

    /// Calls the Secret Service; whether it answered well.
    fn secrets(&self, method: &str, arguments: &[&str]) -> bool {
        let (interface, arguments) = match method {
            "Get" => (
                "org.freedesktop.DBus.Properties.Get",
                vec![
                    "string:org.freedesktop.Secret.Service",
                    "string:Collections",
                ],
            ),
            _ => ("org.freedesktop.Secret.Service.Lock", arguments.to_vec()),
        };
        Command::new("dbus-send")
            .args(["--session", "--print-reply", "--reply-timeout=2000"])
            .args(["--dest=org.freedesktop.secrets", "/org/freedesktop/secrets"])
            .arg(interface)
            .args(arguments)
            .env("DBUS_SESSION_BUS_ADDRESS", &self.address)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap()
            .success()
    }

    fn lock(&self) {
        let login = "array:objpath:/org/freedesktop/secrets/collection/login";
        assert!(self.secrets("Lock", &[login]));
    }

    fn signal(process: &Child, signal: &str) {
        let pid = process.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &pid]).status();
        assert!(sent.unwrap().success());
    }

    /// A line of the desk in this session.
    fn on(&self, desk: &Desk, arguments: &[&str]) -> Line {
        desk.wdesk(arguments)
            .env("DBUS_SESSION_BUS_ADDRESS", &self.address)
            .env("XDG_RUNTIME_DIR", self.folder.path().to_str().unwrap())
    }

    /// A desk in this session with its token and one sale that waits.
    fn stage(&self, service: &Service) -> Desk {
        let desk = Desk::fresh();
        desk.add_profile(&service.base_url, &service.store);
        self.on(&desk, &["token", "set"])
            .input(TOKEN)
            .run()
            .exits(0);
        let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
        let enter = ["contracts", "enter", &file, "--no-wait"];
        self.on(&desk, &enter).run().exits(5);
        desk
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        for process in [&mut self.keychain, &mut self.bus] {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

#[track_caller]
fn in_time(line: Line) -> Run {
    let began = Instant::now();
    let run = line.run();
    let took = began.elapsed();
    assert!(took < PATIENCE, "{took:?}: {}", run.stderr());
    run
}

/// What holds for every keychain that does not give the token: said in time and in words, kept, unsent.
#[track_caller]
fn waits(session: &Session, service: &Service, desk: &Desk, words: &str) {
    std::thread::scope(|scope| {
        // Each may wait its five seconds; looks go on beside a run.
        let status = scope.spawn(|| in_time(session.on(desk, &["--json", "token", "status"])));
        let list = scope.spawn(|| in_time(session.on(desk, &["outbox", "list"])));
        let run = in_time(session.on(desk, &["outbox", "run"]));
        assert!(
            matches!(run.0.status.code(), Some(4 | 5)),
            "{}",
            run.stderr()
        );
        assert!(run.stderr().contains(words), "{words}: {}", run.stderr());
        assert!(run.stderr().contains("kept"), "{}", run.stderr());
        let status = status.join().unwrap().exits(2);
        assert_eq!(status.json()["token"], "unavailable");
        list.join().unwrap().exits(0);
    });
    let run = in_time(
        session
            .on(desk, &["--json", "token", "set"])
            .input("another"),
    )
    .exits(2);
    assert_eq!(run.error_code(), "keychain");
    assert_eq!(run.json()["error"]["maySold"], "no");
    assert_eq!(service.bulk_requests(), 0);
}

fn sold_once_it_is_well(session: &Session, service: &Service, desk: &Desk) {
    session.on(desk, &["outbox", "run"]).run().exits(0);
    assert_eq!(service.sold().len(), 1);
}

#[test]
fn a_locked_keychain_is_named_and_nothing_is_sent() {
    let (session, service) = (Session::start(), Service::start());
    let desk = session.stage(&service);
    session.lock();
    waits(&session, &service, &desk, "keychain");
}

#[test]
fn a_keychain_that_hangs_is_waited_for_five_seconds() {
    let (session, service) = (Session::start(), Service::start());
    let desk = session.stage(&service);
    Session::signal(&session.keychain, "STOP");
    waits(&session, &service, &desk, "did not respond in time");
    Session::signal(&session.keychain, "CONT");
    sold_once_it_is_well(&session, &service, &desk);
}

#[test]
fn a_keychain_that_died_is_named() {
    let (mut session, service) = (Session::start(), Service::start());
    let desk = session.stage(&service);
    session.keychain.kill().unwrap();
    session.keychain.wait().unwrap();
    waits(&session, &service, &desk, "keychain");
}

#[test]
fn a_profile_is_not_removed_while_the_keychain_that_has_its_token_is_away() {
    let mut session = Session::start();
    let desk = Desk::fresh();
    desk.add_profile("https://service.example.invalid", "s-1");
    let set = session.on(&desk, &["token", "set"]).input(TOKEN);
    set.run().exits(0);
    let nowhere = session.folder.path().join("nowhere");
    let away = |session: &Session, without_bus: bool, arguments: &[&str]| {
        let line = session.on(&desk, arguments);
        let line = match without_bus {
            true => line
                .without_env("DBUS_SESSION_BUS_ADDRESS")
                .env("XDG_RUNTIME_DIR", nowhere.to_str().unwrap()),
            false => line,
        };
        let run = line.run().exits(2);
        assert_eq!(run.error_code(), "keychain");
    };
    let remove = ["--json", "profile", "remove", "counter"];
    let forget = ["--json", "token", "remove"];
    away(&session, true, &remove);
    away(&session, true, &forget);
    session.keychain.kill().unwrap();
    session.keychain.wait().unwrap();
    // A bus without a keychain says that nothing is kept.
    away(&session, false, &remove);
    away(&session, false, &forget);
    let listed = desk.wdesk(&["--json", "profile", "list"]).run().exits(0);
    assert_eq!(listed.json()["profiles"].as_array().unwrap().len(), 1);
    let db = rusqlite::Connection::open(desk.folder().join("desk.db")).unwrap();
    let removed =
        "SELECT COUNT(*) FROM journal WHERE action IN ('token.removed', 'profile.removed')";
    let lines: i64 = db.query_row(removed, [], |row| row.get(0)).unwrap();
    assert_eq!(lines, 0);
}

#[test]
fn a_token_that_is_lost_from_the_keychain_is_asked_for() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    desk.wdesk(&["contracts", "enter", &file, "--no-wait"])
        .run()
        .exits(5);
    let profiles = desk
        .wdesk(&["--json", "profile", "list"])
        .run()
        .exits(0)
        .json();
    let profile = profiles["current"].as_str().unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let vault = Arc::new(KeychainVault::new());
    runtime.block_on(vault.forget(profile)).unwrap();

    let run = desk.wdesk(&["outbox", "run"]).run();
    assert!(
        matches!(run.0.status.code(), Some(4 | 5)),
        "{}",
        run.stderr()
    );
    assert!(run.stderr().contains("wdesk token set"), "{}", run.stderr());
    assert_eq!(service.bulk_requests(), 0);
    desk.wdesk(&["token", "set"]).input(TOKEN).run().exits(0);
    desk.wdesk(&["outbox", "run"]).run().exits(0);
    assert_eq!(service.sold().len(), 1);
}
