//! The clock of a store where clocks change in summer.

use crate::harness::{Desk, Sale, Service, TOKEN, sales};

#[test]
fn a_date_without_an_offset_gets_the_one_that_the_zone_has_then() {
    let service = Service::start();
    let desk = Desk::fresh();
    let add = |zone: &str, code: i32| {
        let add = ["profile", "add", "berlin", "--base-url", &service.base_url];
        let with = ["--store-id", &service.store, "--time-zone", zone];
        desk.wdesk(&[&["--json"][..], &add, &with].concat())
            .run()
            .exits(code)
    };
    let refused = add("Europe/Atlantis", 2).json();
    assert_eq!(refused["error"]["problems"][0]["problem"], "notTimeZone");
    assert_eq!(add("europe/berlin", 0).json()["timeZone"], "Europe/Berlin");
    desk.wdesk(&["token", "set"]).input(TOKEN).run().exits(0);

    let dates = [
        ("t-1", "2026-07-01", "2026-07-01T00:00:00.000+02:00"),
        ("t-2", "2026-01-15", "2026-01-15T00:00:00.000+01:00"),
        ("t-3", "2026-03-29 02:30", "2026-03-29T02:30:00.000+01:00"),
        ("t-4", "2026-10-25 02:30", "2026-10-25T02:30:00.000+02:00"),
        (
            "t-5",
            "2026-07-01T00:00:00+09:00",
            "2026-07-01T00:00:00.000+09:00",
        ),
    ];
    let mut text = sales(&dates.map(|(transaction, ..)| Sale::of(transaction)));
    for (_, date, _) in dates {
        text = text.replacen("2026-11-20T10:00:00+09:00", date, 1);
    }
    let file = desk.file("sales.csv", &text);
    desk.wdesk(&["contracts", "enter", &file, "--no-wait"])
        .run()
        .exits(5);
    let mut kept: Vec<(String, String)> = desk
        .entries()
        .iter()
        .map(|entry| {
            let text = |field: &str| entry[field].as_str().unwrap().to_owned();
            (text("transactionId"), text("transactionDate"))
        })
        .collect();
    kept.sort();
    let expected =
        dates.map(|(transaction, _, moment)| (transaction.to_owned(), moment.to_owned()));
    assert_eq!(kept, expected);
}
