//! The clock of a store where clocks change in summer.

use crate::harness::{Desk, Service, TOKEN, sales};

#[test]
fn a_date_without_an_offset_gets_the_one_that_the_zone_has_then() {
    let service = Service::start();
    let desk = Desk::fresh();
    let add = |zone: &str| {
        let to = format!(
            "--base-url {} --store-id {}",
            service.base_url, service.store
        );
        desk.json(format!("profile add berlin {to} --time-zone {zone}"))
    };
    let refused = add("Europe/Atlantis").exits(2);
    refused.has("error/problems/0/problem", "notTimeZone");
    add("europe/berlin")
        .exits(0)
        .has("timeZone", "Europe/Berlin");
    desk.set_token(TOKEN);

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
    let mut text = sales(dates.map(|(transaction, ..)| transaction));
    for (_, date, _) in dates {
        text = text.replacen("2026-11-20T10:00:00+09:00", date, 1);
    }
    desk.file("sales.csv", &text);
    desk.run("contracts enter sales.csv --no-wait").exits(5);
    for (transaction, _, moment) in dates {
        assert_eq!(desk.of(transaction, "transactionDate"), moment);
    }
}
