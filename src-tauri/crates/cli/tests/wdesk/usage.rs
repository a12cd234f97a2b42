//! Odd calls: arguments, names, files and pipes as they should not be. The right exit code, words, and
//! nothing lost.

use std::fs::{self, File};
use std::io::Read;
use std::process::Stdio;

use serde_json::json;

use crate::harness::{
    Desk, PRODUCT, Run, Service, UNLINKED_PLAN, Words, busy, numbered, shop, signal, slow, status,
    until,
};

#[test]
fn a_number_or_a_day_that_cannot_be_read_is_said_in_plain_words() {
    for (line, words) in [
        ("outbox run --wait abc", "not a whole number"),
        (
            "contracts enter sales.csv --repeated-lines x",
            "not a whole number",
        ),
        ("contracts list --from abc", "written like 2026-11-21"),
    ] {
        Desk::bare(line).run().exits(2).says(words);
    }
}

#[test]
fn help_is_no_wider_than_is_read_at_a_glance() {
    for line in ["", "--help", "contracts enter -h", "contracts enter --help"] {
        let run = Desk::bare(line).run();
        let help = run.stdout() + &run.stderr();
        let widest = help.lines().map(|line| line.chars().count()).max();
        assert!((60..=100).contains(&widest.unwrap()), "{help}");
    }
}

#[test]
fn a_command_line_with_a_mistake_ends_with_two_and_sends_nothing() {
    let (service, desk) = shop();
    desk.sales("sales.csv", ["t-1"]);
    let long = "x".repeat(100_000);
    let profile = |name, url, store| {
        [
            "profile",
            "add",
            name,
            "--base-url",
            url,
            "--store-id",
            store,
        ]
    };
    let url = "https://a.invalid";
    let lines: &[&dyn Words] = &[
        &"",
        &"contracts",
        &"contracts sell",
        &"contracts enter",
        &"contracts enter sales.csv sales.csv",
        &"contracts enter sales.csv --wait -1",
        &"contracts enter sales.csv --wait 99999999999999999999",
        &"contracts enter sales.csv --encoding ebcdic",
        &"contracts enter sales.csv --no-wait --dry-run",
        &"contracts enter sales.csv --profile nobody",
        &["contracts", "enter", "sales.csv", "--rejected", ""],
        &["contracts", "show", ""],
        &["contracts", "show", &*long],
        &"contracts list --state sold",
        &"outbox resolve x",
        &"outbox resolve x --cancel --replay-once",
        &["outbox", "resolve", "' OR 1=1 --", "--cancel"],
        &profile("", url, "s"),
        &profile("a\u{7}b", url, "s"),
        &profile("a", url, "a\nb"),
        &profile("a", "https://u:p@a.invalid", "s"),
        &profile("a", "file:///etc/passwd", "s"),
        &profile(&long, url, "s"),
        &"profile use ../../etc/passwd",
        &"leads create --transaction-id t",
    ];
    for line in lines {
        let run = desk.run(line).exits(2).does_not_say("panicked");
        run.does_not_say("\u{7}");
    }
    desk.json("contracts sell").exits(2).fails_with("usage");
    assert!(desk.entries().is_empty());
    assert_eq!(service.bulk_requests(), 0);
}

#[test]
fn what_is_no_file_of_sales_is_refused_whatever_it_is() {
    let (_address, desk) = Desk::offline();
    let huge = File::create(desk.path("huge.csv")).unwrap();
    huge.set_len(300 << 20).unwrap();
    desk.file("deep.csv", &"\"".repeat(1_000_001));
    for (file, words) in [
        (".", "cannot be opened"),
        ("huge.csv", "256 MB at most"),
        ("/dev/null", "contains no rows"),
        ("/dev/zero", "256 MB at most"),
        ("a\u{0301}\n\u{202e}b", "There is no file"),
        ("deep.csv", "a quote is not closed"),
    ] {
        let run = desk.run(["contracts", "enter", file]).exits(2);
        run.says(words).says("Nothing was sent");
    }
    assert!(desk.entries().is_empty());
}

#[test]
fn a_data_folder_that_is_none_is_named() {
    let desk = Desk::fresh();
    let file = desk.file("file", "x");
    for place in [&file, "/proc/nobody/here", ""] {
        let line = ["--json", "--data-dir", place, "profile", "list"];
        assert_ne!(Desk::bare(line).run().exits(2).stderr(), "");
    }
    let odd = desk.path("data dir\n\u{202e}").join("é");
    let line = ["--data-dir", odd.to_str().unwrap(), "profile", "list"];
    Desk::bare(line).run().exits(0);
    assert!(odd.join("desk.db").exists());
}

/// Runs a line under a shell that does something to its streams.
fn in_shell(desk: &Desk, line: &str, streams: &str) -> Run {
    let shell = format!("\"$@\" {streams}");
    desk.wdesk(line)
        .through(&["bash", "-c", &shell, "bash"])
        .run()
}

#[test]
fn a_reader_that_has_had_enough_and_closed_streams_do_no_harm() {
    let (service, desk) = shop();
    let enter = |transaction: &str, streams: &str| {
        desk.sales("sales.csv", [transaction]);
        in_shell(&desk, "contracts enter sales.csv", streams)
    };
    enter("t-1", "| head -c 0; exit 0").exits(0);
    enter("t-2", "2>&-").exits(0);
    enter("t-3", "<&-").exits(0);
    enter("t-4", ">&- 2>&- <&-");
    service.has_sold(4);
    let set = in_shell(&desk, "--json token set", "<&-").exits(2);
    set.fails_with("badToken");
    in_shell(&desk, "contracts list", "| head -c 1; exit 0").exits(0);
    desk.outbox().has("confirmed", 4);
    // A result that could not be written is not called unsent.
    enter("t-5", "> /dev/full").exits(4).says("outbox status");
    service.has_sold(5);
}

fn lead(transaction: &str) -> String {
    let of = format!("--transaction-id {transaction} --product {PRODUCT}");
    format!("leads create {of} --purchase-price 5 --quantity 1")
}

#[test]
fn a_lead_held_back_by_its_token_is_a_persons() {
    let (service, desk) = shop();
    service.answers("createLead", &status(401));
    let run = desk.run(lead("t-1")).exits(4);
    run.says("wdesk token set");
}

#[test]
fn a_lead_of_unknown_outcome_that_is_declined_when_it_is_sent_again_stays_a_persons() {
    let (service, desk) = shop();
    service.answers("createLead", &status(500));
    let id = desk.create_lead("").exits(4).text("id");
    for (declined, words) in [
        (status(401), "refused the access token"),
        (busy(429, "9"), "Too many"),
    ] {
        service.answers("createLead", &declined);
        let again = desk.json(["leads", "again", &id]).exits(4);
        again.says(words).says("may exist").has("state", "unknown");
    }
}

/// Enters a sale whose answer takes a while, sends signals once it is sold, and gives the process.
fn interrupted(signals: &[&str], milliseconds: u64) -> (Service, Desk, Run) {
    let (service, desk) = shop();
    service.answers_sales(&slow(milliseconds));
    desk.sales("sales.csv", ["t-1"]);
    let mut process = desk.selling(&service, "contracts enter sales.csv");
    let mut stderr = process.stderr.take().unwrap();
    for (index, name) in signals.iter().enumerate() {
        signal(&process, name);
        if index == 0 {
            // The first one is heard before the next is sent.
            let mut heard = [0; 9];
            stderr.read_exact(&mut heard).unwrap();
            assert_eq!(&heard, b"Stopping:");
        }
    }
    (service, desk, Run::from(process))
}

#[test]
fn every_wish_to_end_waits_for_the_answer_on_its_way() {
    for name in ["INT", "HUP", "TERM"] {
        let (service, desk, run) = interrupted(&[name], 1_000);
        run.exits(0);
        assert!(desk.entry("t-1")["contractId"].is_string());
        assert_eq!(service.bulk_requests(), 1);
    }
}

#[test]
fn a_wish_to_end_while_a_lead_is_sent_waits_for_its_token() {
    let (service, desk) = shop();
    service.answers("createLead", &slow(1_500));
    let process = desk.wdesk(lead("t-1")).spawn();
    until("the lead has arrived", || {
        service.requests("POST", "/v1/leads") == 1
    });
    signal(&process, "INT");
    Run::from(process)
        .exits(0)
        .prints("token")
        .says("Stopping:");
}

#[test]
fn a_wish_to_end_while_a_product_or_a_plan_is_changed_waits_for_the_answer() {
    let (service, desk) = shop();
    let changed = |operation: &str, path: &str, line: &str| {
        service.answers(operation, &slow(1_500));
        let process = desk.wdesk(line).spawn();
        until("the change has arrived", || {
            service.requests("PUT", path) == 1
        });
        signal(&process, "INT");
        Run::from(process).says("Stopping:")
    };
    let put = "products put --reference-id A1 --title A --price 1 --category C \
               --image-url https://sample.invalid/a.png";
    changed("upsertProduct", "/v1/products/upsert", put)
        .exits(0)
        .prints("A1");
    let link = format!("plans link {UNLINKED_PLAN} S-1");
    let path = format!("/v1/plans/{UNLINKED_PLAN}");
    changed("updatePlan", &path, &link).exits(0).prints("S-1");
}

#[test]
fn a_wish_to_end_while_sales_are_sent_keeps_back_those_that_have_not_left() {
    let (service, desk) = shop();
    service.answers_sales(&slow(3_000));
    desk.sales("sales.csv", numbered(200));
    let process = desk.wdesk("contracts enter sales.csv").spawn();
    until("four are on their way", || service.bulk_requests() >= 4);
    signal(&process, "INT");
    Run::from(process).exits(5);
    assert_eq!(service.bulk_requests(), 4);
    desk.outbox().has("waiting", 160).has("unknown", 0);
}

#[test]
fn a_wish_to_end_while_a_file_is_entered_starts_nothing_more_and_says_that_some_may_be_sold() {
    let (service, desk) = shop();
    desk.sales("sales.csv", numbered(3_000));
    let process = desk.wdesk("--json contracts enter sales.csv").spawn();
    let waiting = || desk.outbox()["waiting"].as_u64().unwrap();
    until("the first rows are entered", || waiting() > 0);
    signal(&process, "INT");
    let run = Run::from(process).exits(5).fails_with("stopped");
    run.has("error/mayHaveChanged", "maybe");
    let sent = service.bulk_requests();
    desk.run("outbox run --wait 0")
        .exits(5)
        .says("rows of files");
    assert!(waiting() < 3_000);
    assert_eq!(
        service.bulk_requests(),
        sent,
        "nothing is sent once it has ended"
    );
}

#[test]
fn a_second_wish_ends_it_at_once_and_says_that_nobody_knows() {
    let (service, desk, run) = interrupted(&["INT", "INT"], 15_000);
    run.exits(4);
    service.has_sold(1);
    desk.shows("unknown", None);
}

#[test]
fn a_second_wish_during_a_change_of_a_product_names_where_to_look() {
    let (service, desk) = shop();
    service.answers("upsertProduct", &slow(15_000));
    let put = "products put --reference-id A1 --title A --price 1 --category C \
               --image-url https://sample.invalid/a.png";
    let mut process = desk.wdesk(put).spawn();
    until("the change has arrived", || {
        service.requests("PUT", "/v1/products/upsert") == 1
    });
    signal(&process, "INT");
    let mut heard = [0; 9];
    let stderr = process.stderr.as_mut().unwrap();
    stderr.read_exact(&mut heard).unwrap();
    signal(&process, "INT");
    let run = Run::from(process).exits(4);
    run.says("`wdesk plans show PLAN`").says("products put");
}

#[test]
fn a_token_from_an_endless_or_hostile_input_is_refused() {
    let desk = Desk::connected_to("https://service.example.invalid", "s-1");
    for input in ["a\u{0}b", "two\nlines", "schlüssel", &"x".repeat(100_000)] {
        desk.wdesk("token set").input(input).run().exits(2);
    }
    let zero = Stdio::from(File::open("/dev/zero").unwrap());
    desk.wdesk("token set").run_with(zero).exits(2);
    // The one that was kept is still there.
    assert_eq!(desk.token(), "present");
}

#[test]
fn nothing_of_a_help_text_or_version_touches_the_data_folder() {
    let desk = Desk::fresh();
    for line in ["--help", "--version", "contracts enter --help"] {
        desk.does(line);
    }
    assert_eq!(fs::read_dir(desk.folder()).unwrap().count(), 0);
}

#[test]
fn the_manual_has_a_page_for_each_command_and_the_shells_complete_each() {
    let desk = Desk::fresh();
    desk.does("manual manual");
    let help = desk.run("--help").stdout();
    let after = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands: Vec<&str> = after
        .take_while(|line| !line.is_empty())
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.len() > 10, "{commands:?}");
    let of_shells = ["wdesk.bash", "_wdesk", "wdesk.fish", "_wdesk.ps1"]
        .map(|name| desk.read(&format!("manual/completions/{name}")));
    for command in commands {
        let page = desk.read(&format!("manual/man1/wdesk-{command}.1"));
        assert!(page.contains(".SH SYNOPSIS"), "{command}");
        assert!(
            of_shells.iter().all(|text| text.contains(command)),
            "{command}"
        );
    }
}

#[test]
fn a_request_that_is_answered_slowly_is_not_reported_as_not_sent() {
    let (service, desk) = shop();
    // Longer in all than the answer to a read may take, and never silent for so long.
    service.answers_sales(&json!({"slowDrip": {"chunkBytes": 300, "pauseMs": 11_000}}));
    desk.enter(["t-1"], "--wait 1").exits(0);
    desk.outbox().has("accepted", 1);
}
