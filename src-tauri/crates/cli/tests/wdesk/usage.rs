//! Odd calls: arguments, names, files and pipes as they should not be. The right exit code, words, and
//! nothing lost.

use std::fs::{self, File};
use std::io::Read;
use std::process::Stdio;

use serde_json::json;

use crate::harness::{Desk, Run, Sale, Service, sales, until, wish};

#[test]
fn a_command_line_with_a_mistake_ends_with_two_and_sends_nothing() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    let long = "x".repeat(100_000);
    let lines: &[&[&str]] = &[
        &[],
        &["contracts"],
        &["contracts", "enter"],
        &["contracts", "enter", &file, &file],
        &["contracts", "enter", &file, "--wait", "-1"],
        &[
            "contracts",
            "enter",
            &file,
            "--wait",
            "99999999999999999999",
        ],
        &["contracts", "enter", &file, "--encoding", "ebcdic"],
        &["contracts", "enter", &file, "--no-wait", "--dry-run"],
        &["contracts", "enter", &file, "--profile", "nobody"],
        &["contracts", "enter", &file, "--rejected", ""],
        &["contracts", "show", ""],
        &["contracts", "show", &long],
        &["contracts", "list", "--state", "sold"],
        &["outbox", "resolve", "x"],
        &["outbox", "resolve", "x", "--cancel", "--replay-once"],
        &["outbox", "resolve", "' OR 1=1 --", "--cancel"],
        &[
            "profile",
            "add",
            "",
            "--base-url",
            "https://a.invalid",
            "--store-id",
            "s",
        ],
        &[
            "profile",
            "add",
            "a\u{7}b",
            "--base-url",
            "https://a.invalid",
            "--store-id",
            "s",
        ],
        &[
            "profile",
            "add",
            "a",
            "--base-url",
            "https://a.invalid",
            "--store-id",
            "a\nb",
        ],
        &[
            "profile",
            "add",
            "a",
            "--base-url",
            "https://u:p@a.invalid",
            "--store-id",
            "s",
        ],
        &[
            "profile",
            "add",
            "a",
            "--base-url",
            "file:///etc/passwd",
            "--store-id",
            "s",
        ],
        &[
            "profile",
            "add",
            &long,
            "--base-url",
            "https://a.invalid",
            "--store-id",
            "s",
        ],
        &["profile", "use", "../../etc/passwd"],
        &["leads", "create", "--transaction-id", "t"],
        &["sandbox", "serve", "--addr", "0.0.0.0:0"],
        &["sandbox", "serve", "--personality", "kind"],
    ];
    for line in lines {
        let run = desk.wdesk(line).run().exits(2);
        assert!(!run.stderr().contains("panicked"), "{}", run.stderr());
        assert!(!run.stderr().contains('\u{7}'), "{line:?}");
    }
    assert!(desk.entries().is_empty());
    assert_eq!(service.bulk_requests(), 0);
}

#[test]
fn what_is_no_file_of_sales_is_refused_whatever_it_is() {
    let desk = Desk::connected_to("http://127.0.0.1:9", "store");
    let huge = desk.folder().join("huge.csv");
    File::create(&huge).unwrap().set_len(300 << 20).unwrap();
    let deep = desk.file("deep.csv", &"\"".repeat(1_000_001));
    let folder = desk.folder().to_str().unwrap();
    for (file, words) in [
        (folder, "cannot be opened"),
        (huge.to_str().unwrap(), "256 MB at most"),
        ("/dev/null", "contains no rows"),
        ("/dev/zero", "256 MB at most"),
        ("a\u{0301}\n\u{202e}b", "cannot be opened"),
        (&deep, "a quote is not closed"),
    ] {
        let run = desk.wdesk(&["contracts", "enter", file]).run().exits(2);
        assert!(run.stderr().contains(words), "{file:?}: {}", run.stderr());
        assert!(
            run.stderr().contains("Nothing was sent"),
            "{}",
            run.stderr()
        );
    }
    assert!(desk.entries().is_empty());
}

#[test]
fn a_data_folder_that_is_none_is_named() {
    let desk = Desk::fresh();
    let file = desk.file("file", "x");
    for place in [&file, "/proc/nobody/here", ""] {
        let line = ["--json", "--data-dir", place, "profile", "list"];
        let run = Desk::bare(&line).run().exits(2);
        assert!(!run.stderr().is_empty());
    }
    let odd = desk.folder().join("data dir\n\u{202e}").join("é");
    let line = ["--data-dir", odd.to_str().unwrap(), "profile", "list"];
    Desk::bare(&line).run().exits(0);
    assert!(odd.join("desk.db").exists());
}

/// Runs a line under a shell that does something to its streams.
fn in_shell(desk: &Desk, arguments: &[&str], streams: &str) -> Run {
    let line = desk.wdesk(arguments);
    line.through(&["sh", "-c", &format!("\"$@\" {streams}"), "sh"])
        .run()
}

#[test]
fn a_reader_that_has_had_enough_and_closed_streams_do_no_harm() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    service.behave(&json!({"visibility": {"afterMs": 0}}));
    let enter = |transaction: &str, streams: &str| {
        let file = desk.file("sales.csv", &sales(&[Sale::of(transaction)]));
        in_shell(&desk, &["contracts", "enter", &file], streams)
    };
    enter("t-1", "| head -c 0; exit 0").exits(0);
    enter("t-2", "2>&-").exits(0);
    enter("t-3", "<&-").exits(0);
    enter("t-4", ">&- 2>&- <&-");
    assert_eq!(service.sold().len(), 4);
    let run = in_shell(&desk, &["--json", "token", "set"], "<&-").exits(2);
    assert_eq!(run.error_code(), "badToken");
    in_shell(&desk, &["contracts", "list"], "| head -c 1; exit 0").exits(0);
    assert_eq!(desk.outbox()["confirmed"], 4);
}

#[test]
fn a_result_that_could_not_be_written_is_not_called_unsent() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    service.behave(&json!({"visibility": {"afterMs": 0}}));
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    let run = in_shell(&desk, &["contracts", "enter", &file], "> /dev/full").exits(4);
    assert_eq!(service.sold().len(), 1);
    assert!(run.stderr().contains("outbox status"), "{}", run.stderr());
}

/// Enters a sale whose answer takes a while, sends signals once it is sold, and gives the process.
fn interrupted(signals: &[&str], milliseconds: u64) -> (Service, Desk, Run) {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let action = json!({"slowDrip": {"chunkBytes": 1_000_000, "pauseMs": milliseconds}});
    service.behave(&json!({
        "visibility": {"afterMs": 0},
        "faults": [{"operations": ["bulkCreateContracts"], "action": action}],
    }));
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    let mut process = desk.wdesk(&["contracts", "enter", &file]).spawn();
    until("the sale", || service.sold().len() == 1);
    let mut stderr = process.stderr.take().unwrap();
    for (index, signal) in signals.iter().enumerate() {
        wish(&process, signal);
        if index == 0 {
            // The first one is heard before the next is sent.
            let mut heard = [0; 9];
            stderr.read_exact(&mut heard).unwrap();
            assert_eq!(&heard, b"Stopping:");
        }
    }
    let output = process.wait_with_output().unwrap();
    (service, desk, Run(output))
}

#[test]
fn every_wish_to_end_waits_for_the_answer_on_its_way() {
    for signal in ["INT", "HUP"] {
        let (service, desk, run) = interrupted(&[signal], 1_000);
        run.exits(0);
        assert!(desk.entries()[0]["contractId"].is_string());
        assert_eq!(service.bulk_requests(), 1);
    }
}

#[test]
fn a_wish_to_end_while_a_file_is_entered_starts_nothing_more_and_says_that_some_may_be_sold() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let ids: Vec<String> = (0..3_000).map(|number| format!("t-{number}")).collect();
    let rows: Vec<Sale> = ids.iter().map(|id| Sale::of(id)).collect();
    let file = desk.file("sales.csv", &sales(&rows));
    let process = desk.wdesk(&["--json", "contracts", "enter", &file]).spawn();
    let waiting = || desk.outbox()["waiting"].as_u64().unwrap();
    until("the first rows are entered", || waiting() > 0);
    wish(&process, "INT");
    let run = Run(process.wait_with_output().unwrap()).exits(5);
    assert_eq!(run.error_code(), "stopped");
    assert_eq!(run.json()["error"]["maySold"], "maybe");
    let sent = service.bulk_requests();
    let kept = desk.wdesk(&["outbox", "run", "--wait", "0"]).run().exits(5);
    assert!(kept.stderr().contains("rows of files"), "{}", kept.stderr());
    assert!(waiting() < 3_000);
    assert_eq!(
        service.bulk_requests(),
        sent,
        "nothing is sent once it has ended"
    );
}

#[test]
fn a_second_wish_ends_it_at_once_and_says_that_nobody_knows() {
    let began = std::time::Instant::now();
    let (service, desk, run) = interrupted(&["INT", "INT"], 15_000);
    assert!(began.elapsed().as_secs() < 14, "it waited for the answer");
    assert_eq!(run.0.status.code(), Some(4));
    assert_eq!(service.sold().len(), 1);
    service.behave(&json!({"visibility": {"afterMs": 0}}));
    // Repeated with its key; whether the provider keeps keys is for a person to ask.
    desk.wdesk(&["outbox", "run", "--wait", "60"])
        .run()
        .exits(4);
    assert_eq!(desk.entries()[0]["state"], "confirmed");
    assert_eq!((service.sold().len(), service.bulk_requests()), (1, 2));
}

#[test]
fn a_token_from_an_endless_or_hostile_input_is_refused() {
    let desk = Desk::connected_to("https://service.example.invalid", "s-1");
    for input in ["a\u{0}b", "two\nlines", "schlüssel", &"x".repeat(100_000)] {
        desk.wdesk(&["token", "set"]).input(input).run().exits(2);
    }
    let endless = desk.wdesk(&["token", "set"]);
    let zero = Stdio::from(File::open("/dev/zero").unwrap());
    endless.run_with(zero).exits(2);
    // The one that was kept is still there.
    let run = desk.wdesk(&["--json", "token", "status"]).run().exits(0);
    assert_eq!(run.json()["token"], "present");
}

#[test]
fn nothing_of_a_help_text_or_version_touches_the_data_folder() {
    let desk = Desk::fresh();
    for line in [
        &["--help"][..],
        &["--version"],
        &["contracts", "enter", "--help"],
    ] {
        desk.wdesk(line).run().exits(0);
    }
    assert_eq!(fs::read_dir(desk.folder()).unwrap().count(), 0);
}

#[test]
fn the_manual_has_a_page_for_each_command_and_the_shells_complete_each() {
    let desk = Desk::fresh();
    let folder = desk.folder().join("manual");
    desk.wdesk(&["manual", folder.to_str().unwrap()])
        .run()
        .exits(0);
    let help = desk.wdesk(&["--help"]).run().stdout();
    let after = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands: Vec<&str> = after
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.len() > 10, "{commands:?}");
    let read = |name: String| fs::read_to_string(folder.join(name)).unwrap();
    let of_shells = ["wdesk.bash", "_wdesk", "wdesk.fish", "_wdesk.ps1"]
        .map(|name| read(format!("completions/{name}")));
    for command in commands {
        let page = read(format!("man1/wdesk-{command}.1"));
        assert!(page.contains(".SH SYNOPSIS"), "{command}");
        assert!(
            of_shells.iter().all(|text| text.contains(command)),
            "{command}"
        );
    }
}
