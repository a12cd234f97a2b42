//! `wdesk day`: the figures of a day and what is left before it is closed.

use serde_json::{Value, json};

use crate::harness::{Desk, Sale, Service, sales};

fn day(desk: &Desk, more: &[&str], exit: i32) -> Value {
    let arguments = [&["--json", "day"], more].concat();
    desk.wdesk(&arguments).run().exits(exit).json()
}

/// How much is left on a line.
fn left(day: &Value, item: &str) -> u64 {
    let lines = day["closing"]["lines"].as_array().unwrap();
    let line = lines.iter().find(|line| line["item"] == item);
    line.unwrap()["count"].as_u64().unwrap()
}

#[test]
fn a_day_is_left_open_with_exit_code_4_until_nothing_waits_and_closed_with_0() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let empty = day(&desk, &[], 0);
    assert_eq!(empty["closing"]["closed"], true);
    assert_eq!(empty["figures"]["attachPermille"], Value::Null);

    service.behave(&json!({
        "visibility": {"afterMs": 0},
        "faults": [{
            "operations": ["bulkCreateContracts"],
            "when": {"nth": 1},
            "action": {"status": {"status": 401}},
        }],
    }));
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1"), Sale::of("t-2")]));
    desk.wdesk(&["contracts", "enter", &file, "--wait", "10"])
        .run()
        .exits(4);
    let open = day(&desk, &[], 4);
    assert_eq!(open["closing"]["closed"], false);
    assert_eq!(left(&open, "waiting"), 2, "{open}");
    assert_eq!(open["figures"]["contracts"], 2);
    assert_eq!(open["figures"]["sold"], 0);
    assert_eq!(open["states"]["waiting"], 2);
    let text = desk.wdesk(&["day"]).run().exits(4);
    assert!(
        text.stdout().contains("contracts waiting to be sent"),
        "{}",
        text.stdout()
    );

    desk.wdesk(&["token", "set"])
        .input(crate::harness::TOKEN)
        .run()
        .exits(0);
    desk.wdesk(&["outbox", "run", "--wait", "20"])
        .run()
        .exits(0);
    let closed = day(&desk, &[], 0);
    assert_eq!(closed["closing"]["closed"], true, "{closed}");
    assert_eq!(closed["figures"]["sold"], 2);
    assert_eq!(closed["states"]["confirmed"], 2);
    let text = desk.wdesk(&["day"]).run().exits(0);
    assert!(
        text.stdout().contains("the day can be closed"),
        "{}",
        text.stdout()
    );
}

#[test]
fn the_figures_are_those_of_the_day_on_the_clock_of_the_store() {
    let service = Service::start();
    service.behave(&json!({"visibility": {"afterMs": 0}}));
    let desk = Desk::connected(&service);
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1"), Sale::of("t-2")]));
    desk.wdesk(&["contracts", "enter", &file, "--wait", "20"])
        .run()
        .exits(0);
    let lead = [
        "leads",
        "create",
        "--transaction-id",
        "t-3",
        "--product",
        crate::harness::PRODUCT,
        "--purchase-price",
        "1000",
        "--quantity",
        "1",
    ];
    desk.wdesk(&lead).run().exits(0);

    let today = day(&desk, &[], 0);
    let date = today["today"].as_str().unwrap().to_owned();
    let figures = &today["figures"];
    assert_eq!(
        (&figures["contracts"], &figures["leads"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(figures["attachPermille"], 667);
    let fees: i64 = desk
        .entries()
        .iter()
        .map(|entry| entry["planPurchasePrice"].as_i64().unwrap())
        .sum();
    assert_eq!(figures["fees"], fees);
    let days = today["days"].as_array().unwrap();
    assert_eq!(days.len(), 14);
    assert_eq!(days.last(), Some(figures));
    assert_eq!(today["byStaff"][0]["contracts"], 2);
    assert_eq!(today["byStaff"][0]["name"], desk.entries()[0]["enteredBy"]);

    // The same moment is on another day in a store whose clock is a day ahead or behind.
    let at = |name: &str| {
        let db = rusqlite::Connection::open(desk.folder().join("desk.db")).unwrap();
        let noon = "UPDATE submission SET entered_at = (strftime('%s', ?1) * 1000)";
        assert_eq!(db.execute(noon, [name]).unwrap(), 2);
    };
    at("2026-03-01 16:00:00");
    assert_eq!(
        day(&desk, &["--date", "2026-03-01"], 0)["figures"]["contracts"],
        0
    );
    assert_eq!(
        day(&desk, &["--date", "2026-03-02"], 0)["figures"]["contracts"],
        2
    );
    assert_eq!(day(&desk, &["--date", &date], 0)["figures"]["contracts"], 0);
}

#[test]
fn the_sales_of_a_day_go_into_a_file_without_their_customers() {
    let service = Service::start();
    service.behave(&json!({"visibility": {"afterMs": 0}}));
    let desk = Desk::connected(&service);
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    desk.wdesk(&["contracts", "enter", &file, "--wait", "20"])
        .run()
        .exits(0);
    let path = desk.folder().join("day.csv");
    desk.wdesk(&["day", "--export", path.to_str().unwrap()])
        .run()
        .exits(0);
    let written = std::fs::read_to_string(path).unwrap();
    assert_eq!(written.lines().count(), 2, "{written}");
    assert!(
        written.contains("t-1") && written.contains("+09:00"),
        "{written}"
    );
    let customer = desk.entries()[0]["customerName"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(!written.contains(&customer), "{written}");
}

#[test]
fn a_day_is_not_closed_without_a_token_and_its_file_does_not_hide_that() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    desk.wdesk(&["token", "remove"]).run().exits(0);
    assert_eq!(left(&day(&desk, &[], 4), "connection"), 1);
    let path = desk.folder().join("day.csv");
    desk.wdesk(&["day", "--export", path.to_str().unwrap()])
        .run()
        .exits(4);
    assert!(path.exists());
}

#[test]
fn a_day_that_the_calendar_does_not_have_is_bad_usage() {
    let desk = Desk::fresh();
    for date in ["2026-02-30", "today", "20260301"] {
        desk.wdesk(&["day", "--date", date]).run().exits(2);
    }
}
