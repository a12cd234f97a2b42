//! `wdesk contracts list`: found by name, by day, in an order and part by part.

use crate::harness::{Desk, Sale, Service, sales};

fn transactions(desk: &Desk, more: &[&str]) -> Vec<String> {
    let line = [&["--json", "contracts", "list"], more].concat();
    let listed = desk.wdesk(&line).run().exits(0).json();
    let transaction = |entry: &serde_json::Value| entry["transactionId"].as_str().unwrap().into();
    listed.as_array().unwrap().iter().map(transaction).collect()
}

#[test]
fn a_list_is_searched_sorted_and_read_in_parts() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let sale = |transaction: &str, customer: &str| Sale {
        customer: customer.to_owned(),
        ..Sale::of(transaction)
    };
    let rows = [
        sale("t-2", "髙橋　花子"),
        sale("t-3", "ﾐﾎﾝ ｼﾞﾛｳ"),
        sale("t-1", "見本 三郎"),
    ];
    let earlier = sales(&rows[..2]);
    let later = sales(&rows[2..]).replace("2026-11-20", "2026-11-21");
    for (name, rows) in [("a.csv", earlier), ("b.csv", later)] {
        let file = desk.file(name, &rows);
        desk.wdesk(&["contracts", "enter", &file, "--no-wait"])
            .run()
            .exits(5);
    }
    assert_eq!(transactions(&desk, &[]), ["t-1", "t-3", "t-2"]);
    assert_eq!(transactions(&desk, &["--search", "高橋花子"]), ["t-2"]);
    assert_eq!(transactions(&desk, &["--search", "みほんじろう"]), ["t-3"]);
    assert_eq!(transactions(&desk, &["--from", "2026-11-21"]), ["t-1"]);
    assert_eq!(transactions(&desk, &["--to", "2026-11-20"]), ["t-3", "t-2"]);
    let sorted = ["--sort", "transactionId", "--ascending"];
    assert_eq!(transactions(&desk, &sorted), ["t-1", "t-2", "t-3"]);
    let part = [&sorted[..], &["--offset", "1", "--limit", "1"]].concat();
    assert_eq!(transactions(&desk, &part), ["t-2"]);
    for wrong in [["--from", "2026-02-30"], ["--sort", "e-mail"]] {
        let line = [&["contracts", "list"], &wrong[..]].concat();
        desk.wdesk(&line).run().exits(2);
    }
}
