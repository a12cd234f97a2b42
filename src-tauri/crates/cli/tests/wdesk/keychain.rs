//! A keychain that is not there, is locked or hangs: no command hangs, each says
//! what is wrong, and what waits is kept and nothing of it sent.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::harness::{Desk, Line, Run, Service, TOKEN, signal, until};

/// No command that keeps to its bound of five seconds a call takes so long, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(60);

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

    /// A desk in this session with its token.
    fn desk(&self, base_url: &str, store: &str) -> Desk {
        let mut desk = Desk::fresh();
        desk.has_env("DBUS_SESSION_BUS_ADDRESS", &self.address);
        desk.has_env("XDG_RUNTIME_DIR", self.folder.path());
        desk.add_profile(base_url, store);
        desk.set_token(TOKEN);
        desk
    }

    /// A desk in this session with its token and one sale that waits.
    fn stage(&self, service: &Service) -> Desk {
        let desk = self.desk(&service.base_url, &service.store);
        desk.keep(["t-1"]);
        desk
    }

    fn kill_keychain(&mut self) {
        self.keychain.kill().unwrap();
        self.keychain.wait().unwrap();
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
fn waits(service: &Service, desk: &Desk, words: &str, code: &str) {
    let run = in_time(desk.wdesk("outbox run")).exits_with_one_of(&[4, 5]);
    run.says(words).says("kept");
    let set = desk.wdesk("--json token set").input("another");
    let set = in_time(set).exits(2).fails_with(code);
    set.has("error/mayHaveChanged", "no");
    assert_eq!(service.bulk_requests(), 0);
}

/// What can be looked at all the same.
#[track_caller]
fn is_looked_at(desk: &Desk) {
    let status = in_time(desk.wdesk("--json token status")).exits(2);
    status.has("token", "unavailable");
    in_time(desk.wdesk("outbox list")).exits(0);
}

#[test]
fn a_locked_keychain_is_named_and_nothing_is_sent() {
    let (session, service) = (Session::start(), Service::start());
    let desk = session.stage(&service);
    session.lock();
    // One after the other: where nothing can show a prompt, several at once leave gnome-keyring waiting
    // for the first for ever.
    waits(&service, &desk, "keychain", "keychainLocked");
    is_looked_at(&desk);
    // A list is written without its customers, and is not called complete.
    let export = desk.json("contracts list --export list.csv").exits(4);
    let export = export.says("1 contract could not be read").says("keychain");
    export.has("unreadCustomers", 1);
    assert!(desk.read("list.csv").contains("t-1"));
    // Nor is a search by name, which finds nothing.
    let search = desk.json("contracts list --search 見本").exits(4);
    search.says("not found by name").says("keychain");
    let search = desk.run("contracts list --search 見本 --export found.csv");
    search.exits(4).says("not found by name");
    desk.does("contracts list").prints("t-1");
}

#[test]
fn a_keychain_that_hangs_keeps_no_command_waiting_for_ever() {
    let (session, service) = (Session::start(), Service::start());
    let desk = session.stage(&service);
    signal(&session.keychain, "STOP");
    std::thread::scope(|scope| {
        // Each waits for the keychain; looks go on beside a run.
        let looks = scope.spawn(|| is_looked_at(&desk));
        let words = "did not respond in time";
        waits(&service, &desk, words, "tokenNotConfirmed");
        looks.join().unwrap();
    });
    signal(&session.keychain, "CONT");
    desk.send().exits(0);
    service.has_sold(1);
}

#[test]
fn a_profile_is_not_removed_while_the_keychain_that_has_its_token_is_away() {
    let mut session = Session::start();
    let desk = session.desk("https://service.example.invalid", "s-1");
    let changes = ["--json profile remove counter", "--json token remove"];
    let nowhere = session.folder.path().join("nowhere");
    for change in changes {
        let line = desk.wdesk(change).env("XDG_RUNTIME_DIR", &nowhere);
        let run = line.without_env("DBUS_SESSION_BUS_ADDRESS").run().exits(2);
        run.fails_with("noKeychain");
    }
    assert!(desk.logged(r#""kind":"no store""#), "the log says why");
    session.kill_keychain();
    // A bus without a keychain says that nothing is kept.
    for change in changes {
        desk.run(change).exits(2).fails_with("noKeychain");
    }
    assert_eq!(desk.reports("profile list").count("profiles"), 1);
    let removed =
        "SELECT COUNT(*) FROM journal WHERE action IN ('token.removed', 'profile.removed')";
    assert_eq!(desk.value::<i64>(removed), 0);
}
