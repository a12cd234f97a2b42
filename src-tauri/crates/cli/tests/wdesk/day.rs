//! `wdesk day`: the figures of a day and what is left before it is closed.

use serde_json::Value;

use crate::harness::{Desk, Run, TOKEN, shop, status};

/// How much is left on a line.
fn left(day: &Run, item: &str) -> u64 {
    let lines = day.at("closing/lines").as_array().unwrap();
    let line = lines.iter().find(|line| line["item"] == item);
    line.unwrap()["count"].as_u64().unwrap()
}

#[test]
fn a_day_is_left_open_with_exit_code_4_until_nothing_waits_and_closed_with_0() {
    let (service, desk) = shop();
    let empty = desk.reports("day").has("closing/closed", true);
    empty.has("figures/attachPermille", Value::Null);

    service.answers_next_sale(&status(401));
    desk.enter(["t-1", "t-2"], "--wait 10").exits(4);
    let open = desk.json("day").exits(4).has("closing/closed", false);
    let open = open
        .has("figures/contracts", 2)
        .has("figures/sold", 0)
        .has("states/waiting", 2);
    assert_eq!(left(&open, "waiting"), 2);
    desk.run("day")
        .exits(4)
        .prints("contracts waiting to be sent");

    desk.set_token(TOKEN);
    desk.does("outbox run --wait 20");
    let closed = desk.reports("day").has("closing/closed", true);
    closed.has("figures/sold", 2).has("states/confirmed", 2);
    desk.does("day").prints("the day can be closed");
}

#[test]
fn the_figures_are_those_of_the_day_on_the_clock_of_the_store() {
    let (_service, desk) = shop();
    desk.enter(["t-0", "t-2"], "").exits(0);
    desk.create_lead("").exits(0);
    let today = desk.reports("day");
    let today = today.has("figures/contracts", 2).has("figures/leads", 1);

    // The same moment is on another day in a store whose clock is a day ahead or behind.
    let at = "UPDATE submission SET entered_at = (strftime('%s', '2026-03-01 16:00:00') * 1000)";
    assert_eq!(desk.change(at, []), 2);
    let date = today.text("today");
    for (date, contracts) in [("2026-03-01", 0), ("2026-03-02", 2), (&date, 0)] {
        let day = desk.reports(format!("day --date {date}"));
        day.has("figures/contracts", contracts);
    }
}

#[test]
fn the_sales_of_a_day_go_into_a_file_without_their_customers() {
    let (_service, desk) = shop();
    desk.enter(["t-1"], "").exits(0);
    desk.does("day --export day.csv");
    let written = desk.read("day.csv");
    assert_eq!(written.lines().count(), 2, "{written}");
    assert!(
        written.contains("t-1") && written.contains("+09:00"),
        "{written}"
    );
    assert!(
        !written.contains(&desk.of("t-1", "customerName")),
        "{written}"
    );
}

#[test]
fn a_day_is_not_closed_without_a_token_and_its_file_does_not_hide_that() {
    let (_service, desk) = shop();
    desk.does("token remove");
    assert_eq!(left(&desk.json("day").exits(4), "connection"), 1);
    desk.run("day --export day.csv").exits(4);
    assert!(desk.path("day.csv").exists());
}

#[test]
fn a_day_that_the_calendar_does_not_have_is_bad_usage() {
    for date in ["2026-02-30", "today", "20260301"] {
        Desk::fresh().run(["day", "--date", date]).exits(2);
    }
}
