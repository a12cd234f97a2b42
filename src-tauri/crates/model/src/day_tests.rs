//! Days, rates and the close of a day.

use super::*;
use crate::outbox::Blocker;
use crate::overview::{Contact, OpenWork};

fn date(text: &str) -> Date {
    text.parse().unwrap()
}

fn hours(date: Date, zone: Zone) -> i64 {
    let span = date.span(zone);
    (span.until - span.from) / 3_600_000
}

#[test]
fn a_day_begins_at_midnight_of_the_store_and_is_as_long_as_its_clock_says() {
    let tokyo = Zone::fixed(540);
    let span = date("2026-11-21").span(tokyo);
    let begins = DateTime::from_timestamp_millis(span.from).unwrap();
    assert_eq!(begins.to_rfc3339(), "2026-11-20T15:00:00+00:00");
    assert_eq!(Date::of(begins, tokyo), date("2026-11-21"));
    let last = DateTime::from_timestamp_millis(span.until - 1).unwrap();
    assert_eq!(Date::of(last, tokyo), date("2026-11-21"));
    let berlin = Zone::Named("Europe/Berlin".parse().unwrap());
    assert_eq!(hours(date("2026-11-21"), berlin), 24);
    assert_eq!(hours(date("2026-03-29"), berlin), 23);
    assert_eq!(hours(date("2026-10-25"), berlin), 25);
    // Midnight itself is left out in spring, and Samoa left out a whole day.
    let beirut = Zone::Named("Asia/Beirut".parse().unwrap());
    assert_eq!(hours(date("2022-03-27"), beirut), 23);
    let apia = Zone::Named("Pacific/Apia".parse().unwrap());
    assert_eq!(hours(date("2011-12-30"), apia), 0);
}

#[test]
fn the_days_of_a_store_follow_each_other_without_a_gap() {
    for zone in ["Europe/Berlin", "Asia/Beirut", "Pacific/Apia"] {
        let zone = Zone::Named(zone.parse().unwrap());
        let mut day = date("2011-12-20");
        for _ in 0..400 {
            let next = Date(day.0.succ_opt().unwrap());
            assert_eq!(day.span(zone).until, next.span(zone).from, "{day}");
            day = next;
        }
    }
}

#[test]
fn a_date_is_read_in_one_form_alone() {
    assert_eq!(date("2026-11-21").to_string(), "2026-11-21");
    assert_eq!(date("2026-11-21").before(21), date("2026-10-31"));
    for bad in [
        "",
        "2026-11-31",
        "2026-1-1",
        "21.11.2026",
        "2026/11/21",
        "+2026-11-21",
        "1969-12-31",
        "12026-11-21",
        "2026-11-21T00:00",
        "２０２６-11-21",
    ] {
        assert_eq!(bad.parse::<Date>(), Err(BadDate), "{bad}");
    }
}

#[test]
fn the_attach_rate_is_of_contracts_and_leads_and_of_nothing_else() {
    let none = Amount::new(0).unwrap();
    let rate = |contracts, leads| Sold::new(contracts, none, leads).attach_permille;
    assert_eq!(rate(0, 0), None);
    assert_eq!(rate(0, 3), Some(0));
    assert_eq!(rate(3, 0), Some(1_000));
    assert_eq!(rate(2, 1), Some(667));
    assert_eq!(rate(1, 2), Some(333));
    assert_eq!(rate(u32::MAX, u32::MAX), Some(500));
}

/// Each kind of unfinished work on its own.
pub fn one_each() -> Vec<OpenWork> {
    let changes: [fn(&mut OpenWork); 15] = [
        |open| open.outbox.waiting = 1,
        |open| open.outbox.held = 1,
        |open| open.outbox.unknown = 1,
        |open| open.outbox.accepted = 1,
        |open| open.outbox.rejected = 1,
        |open| open.outbox.needs_person = 1,
        |open| open.outbox.possible_duplicates = 1,
        |open| open.sheet_rows = 1,
        |open| open.runs = 1,
        |open| open.leads_waiting = 1,
        |open| open.leads_unanswered = 1,
        |open| open.leads_rejected = 1,
        |open| open.drafts = 1,
        |open| open.lead_drafts = 1,
        |open| open.product_drafts = 1,
    ];
    let one = |change: fn(&mut OpenWork)| {
        let mut open = OpenWork::default();
        change(&mut open);
        open
    };
    changes.map(one).into()
}

fn left(closing: &CloseOfDay) -> u32 {
    closing.lines.iter().map(|line| line.count).sum()
}

#[test]
fn a_day_is_closed_only_while_every_line_is_empty() {
    let closing = |open, blocker, unseen| {
        let overview = Overview::new(open, Contact::default(), blocker, unseen);
        CloseOfDay::new(&overview, 0)
    };
    let closed = closing(OpenWork::default(), None, false);
    assert!(closed.closed);
    assert_eq!(left(&closed), 0);
    for open in one_each() {
        let closing = closing(open.clone(), None, false);
        assert!(!closing.closed, "{open:?}");
        assert_eq!(left(&closing), 1, "{open:?}");
    }
    for (blocker, unseen) in [(Some(Blocker::NoToken), false), (None, true)] {
        let closing = closing(OpenWork::default(), blocker, unseen);
        assert!(!closing.closed);
        assert_eq!(left(&closing), 1);
    }
}

#[test]
fn what_is_confirmed_leaves_nothing_to_do() {
    let mut open = OpenWork::default();
    open.outbox.confirmed = 7;
    let overview = Overview::new(open, Contact::default(), None, false);
    assert!(CloseOfDay::new(&overview, 0).closed);
    assert!(!CloseOfDay::new(&overview, 1).closed, "another profile");
}
