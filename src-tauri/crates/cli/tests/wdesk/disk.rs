//! A disk that is full, read-only or gone, for real: nothing is sent without a durable intent, nothing
//! is lost, and a person is told what happened and whether anything may have been sold.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::{Child, Command};

use serde_json::json;

use crate::harness::{Desk, Line, Run, Sale, Service, sales, until};

/// Every write beyond a file's first `bytes` fails, as on a full disk.
fn with_room(line: Line, bytes: u64) -> Line {
    // The signal that would end the process is ignored, so that the write itself fails.
    let limit = format!("trap '' XFSZ; exec prlimit --fsize={bytes} \"$@\"");
    line.through(&["sh", "-c", &limit, "sh"])
}

/// Takes all room from a running process that was started by [`with_room`].
fn fill_up(process: &Child) {
    let pid = process.id().to_string();
    let line = ["--fsize=0:", "--pid", &pid];
    assert!(
        Command::new("prlimit")
            .args(line)
            .status()
            .unwrap()
            .success()
    );
}

fn stage(rows: &[&str]) -> (Service, Desk, String) {
    let service = Service::start();
    let desk = Desk::connected(&service);
    service.behave(&json!({"visibility": {"afterMs": 0}}));
    let rows: Vec<Sale> = rows.iter().map(|id| Sale::of(id)).collect();
    let file = desk.file("sales.csv", &sales(&rows));
    (service, desk, file)
}

#[track_caller]
fn tells(run: &Run, may_sold: &str) {
    let error = &run.json()["error"];
    assert_eq!(error["maySold"], may_sold, "{error}");
    assert!(!run.stderr().contains("panicked"), "{}", run.stderr());
}

#[test]
fn sales_that_cannot_be_kept_are_not_sent() {
    let (service, desk, file) = stage(&["t-1", "t-2"]);
    // The lock and the database's own small files fit; the log of changes does not.
    let line = desk.wdesk(&["--json", "contracts", "enter", &file]);
    let run = with_room(line, 8 * 1024).run().exits(2);
    tells(&run, "no");
    assert!(
        run.stderr().contains("Nothing was saved or sent"),
        "{}",
        run.stderr()
    );
    assert_eq!(service.bulk_requests(), 0);
    assert!(desk.entries().is_empty());
    desk.wdesk(&["contracts", "enter", &file]).run().exits(0);
    assert_eq!(service.sold().len(), 2);
}

#[test]
fn an_intent_that_cannot_be_kept_is_not_carried_out() {
    let (service, desk, file) = stage(&["t-1"]);
    let line = ["contracts", "enter", &file, "--no-wait"];
    desk.wdesk(&line).run().exits(5);
    let run = desk.wdesk(&["--json", "outbox", "run"]);
    let run = with_room(run, 8 * 1024).run();
    assert!(
        matches!(run.0.status.code(), Some(2 | 4)),
        "{}",
        run.stderr()
    );
    assert_eq!(service.bulk_requests(), 0);
    assert_eq!(desk.entries()[0]["state"], "queued");
    desk.wdesk(&["outbox", "run"]).run().exits(0);
    assert_eq!(service.sold().len(), 1);
}

#[test]
fn an_outcome_that_cannot_be_kept_is_said_and_asked_for_again() {
    let (service, desk, file) = stage(&["t-1"]);
    let action = json!({"slowDrip": {"chunkBytes": 1_000_000, "pauseMs": 1_000}});
    service.behave(&json!({
        "visibility": {"afterMs": 0},
        "faults": [{"operations": ["bulkCreateContracts"], "action": action}],
    }));
    let line = desk.wdesk(&["--json", "contracts", "enter", &file]);
    let process = with_room(line, 64 << 20).spawn();
    until("the sale", || service.sold().len() == 1);
    fill_up(&process);
    let run = Run(process.wait_with_output().unwrap()).exits(4);
    tells(&run, "maybe");
    assert!(run.stderr().contains("outbox"), "{}", run.stderr());
    service.behave(&json!({"visibility": {"afterMs": 0}}));
    // Repeated with its key; whether the provider keeps keys is for a person to ask.
    desk.wdesk(&["outbox", "run", "--wait", "60"])
        .run()
        .exits(4);
    assert_eq!(desk.entries()[0]["state"], "confirmed");
    assert_eq!(desk.entries()[0]["duplicatePossible"], true);
    assert_eq!((service.sold().len(), service.bulk_requests()), (1, 2));
}

/// A line without the power to write where the permissions forbid it: root's is taken away.
fn unprivileged(line: Line) -> Line {
    if users_id() == 0 {
        line.through(&["setpriv", "--bounding-set=-all", "--inh-caps=-all"])
    } else {
        line
    }
}

fn users_id() -> u32 {
    let output = Command::new("id").arg("-u").output().unwrap();
    String::from_utf8(output.stdout)
        .unwrap()
        .trim()
        .parse()
        .unwrap()
}

/// Makes a folder and the files in it read-only, or writable again.
fn forbid_writing(folder: &Path, forbid: bool) {
    use std::os::unix::fs::PermissionsExt;
    let set = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            set(&path, if forbid { 0o400 } else { 0o600 });
        }
    }
    set(folder, if forbid { 0o500 } else { 0o700 });
}

#[test]
fn a_read_only_folder_is_named_and_nothing_is_sent() {
    let (service, desk, file) = stage(&["t-1"]);
    desk.wdesk(&["contracts", "enter", &file, "--no-wait"])
        .run()
        .exits(5);
    forbid_writing(desk.folder(), true);
    let runs: Vec<Run> = [
        vec!["--json", "contracts", "enter", &file],
        vec!["--json", "outbox", "run"],
        vec!["--json", "contracts", "list"],
    ]
    .into_iter()
    .map(|line| unprivileged(desk.wdesk(&line)).run())
    .collect();
    forbid_writing(desk.folder(), false);
    for run in &runs[..2] {
        assert_eq!(run.0.status.code(), Some(2), "{}", run.stderr());
        tells(run, "no");
        assert!(run.stderr().contains("may write there"), "{}", run.stderr());
    }
    // A look works, or says why it does not.
    assert!(
        matches!(runs[2].0.status.code(), Some(0 | 2)),
        "{}",
        runs[2].stderr()
    );
    assert_eq!(service.bulk_requests(), 0);
    desk.wdesk(&["outbox", "run"]).run().exits(0);
    assert_eq!(service.sold().len(), 1);
}

#[test]
fn a_folder_that_is_gone_is_not_taken_for_a_sale_that_is_done() {
    let (service, desk, file) = stage(&["t-1"]);
    let outside = tempfile::TempDir::new().unwrap();
    let kept = outside.path().join("sales.csv");
    fs::copy(&file, &kept).unwrap();
    desk.wdesk(&["contracts", "enter", &file, "--no-wait"])
        .run()
        .exits(5);
    fs::remove_dir_all(desk.folder()).unwrap();
    for line in [
        vec!["--json", "outbox", "run"],
        vec!["--json", "contracts", "enter", kept.to_str().unwrap()],
    ] {
        let run = desk.wdesk(&line).run().exits(2);
        assert_eq!(run.error_code(), "noProfile");
    }
    assert_eq!(service.bulk_requests(), 0);
}

#[test]
fn a_folder_that_goes_while_sales_are_sent_stops_the_sending_and_is_said() {
    let (service, desk, _) = stage(&[]);
    let rows: Vec<Sale> = (0..80).map(|n| Sale::of(&format!("t-{n}"))).collect();
    let outside = tempfile::TempDir::new().unwrap();
    let file = outside.path().join("sales.csv");
    fs::write(&file, sales(&rows)).unwrap();
    let action = json!({"slowDrip": {"chunkBytes": 1_000_000, "pauseMs": 1_000}});
    service.behave(&json!({
        "visibility": {"afterMs": 0},
        "faults": [{"operations": ["bulkCreateContracts"], "action": action}],
    }));
    let line = ["--json", "contracts", "enter", file.to_str().unwrap()];
    let process = desk.wdesk(&line).spawn();
    until("the first sales", || !service.sold().is_empty());
    // Moved and not deleted: while it is written to, it cannot be emptied.
    fs::rename(desk.folder(), outside.path().join("gone")).unwrap();
    let run = Run(process.wait_with_output().unwrap()).exits(4);
    assert_eq!(run.error_code(), "dataFolder");
    tells(&run, "maybe");
    // Four were on their way; none of the others left without a record of it.
    assert!(service.bulk_requests() <= 4, "{}", service.bulk_requests());
}

/// Runs a line where `folder` is a disk of this many bytes, that no other process sees.
fn on_small_disk(line: Line, folder: &Path, bytes: u64) -> Line {
    let mount = format!(
        "cp -a \"$1\" \"$1.kept\" && mount -t tmpfs -o size={bytes} none \"$1\" \
         && cp -a \"$1.kept/.\" \"$1\" && shift && exec \"$@\""
    );
    let namespaces: &[&str] = if users_id() == 0 {
        &["-m"]
    } else {
        &["-r", "-m"]
    };
    let folder = folder.to_str().unwrap();
    let program = [
        &["unshare"][..],
        namespaces,
        &["sh", "-c", &mount, "sh", folder],
    ]
    .concat();
    line.through(&program)
}

/// What a folder and all in it take on a disk, in bytes.
fn used(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let sizes = entries.map(|entry| match entry.file_type().unwrap().is_dir() {
        true => 4096 + used(&entry.path()),
        false => entry.metadata().unwrap().len().div_ceil(4096) * 4096,
    });
    sizes.sum()
}

#[allow(clippy::print_stdout, reason = "the proof's line")]
#[test]
#[ignore = "needs the right to mount, which not every machine gives; make prove runs it"]
fn a_small_disk_that_is_really_full_is_named_as_full() {
    for kibibytes in [0, 8, 32, 64, 128, 256, 400] {
        let (service, desk, _) = stage(&[]);
        let rows: Vec<Sale> = (0..600).map(|n| Sale::of(&format!("t-{n}"))).collect();
        let outside = tempfile::TempDir::new().unwrap();
        let file = outside.path().join("sales.csv");
        fs::write(&file, sales(&rows)).unwrap();
        let used = used(desk.folder());
        let line = desk.wdesk(&["--json", "contracts", "enter", file.to_str().unwrap()]);
        let run = on_small_disk(line, desk.folder(), used + (kibibytes << 10)).run();
        fs::remove_dir_all(desk.folder().with_extension("kept")).ok();
        match run.0.status.code() {
            Some(2) => {
                assert_eq!(
                    run.error_code(),
                    "diskFull",
                    "{kibibytes}: {}",
                    run.stderr()
                );
                tells(&run, "no");
                assert_eq!(service.bulk_requests(), 0);
            }
            Some(4) => {
                assert_eq!(
                    run.error_code(),
                    "diskFull",
                    "{kibibytes}: {}",
                    run.stderr()
                );
                tells(&run, "maybe");
            }
            other => assert_eq!(other, Some(0), "{kibibytes}: {}", run.stderr()),
        }
        let sold = service.sold();
        assert_eq!(crate::harness::distinct(&sold).len(), sold.len());
    }
    println!("PROOF disk: 7 disks filled to the brim, nothing sold without its record, 0 doubled");
}
