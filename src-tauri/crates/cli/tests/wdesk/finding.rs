//! `wdesk contracts list`: found by name, by day, in an order and part by part.

use chrono::{DateTime, FixedOffset};

use crate::harness::{PRODUCT, Sale, sales, shop};

#[test]
fn a_list_is_searched_sorted_and_read_in_parts() {
    let (_service, desk) = shop();
    let earlier = [
        Sale::of("t-2").customer("髙橋　花子"),
        Sale::of("t-3").customer("ﾐﾎﾝ ｼﾞﾛｳ"),
    ];
    let later = sales([Sale::of("t-1").customer("見本 三郎")]);
    desk.keep(earlier);
    desk.file("b.csv", &later.replace("2026-11-20", "2026-11-21"));
    desk.run("contracts enter b.csv --no-wait").exits(5);
    for (options, found) in [
        ("", &["t-1", "t-3", "t-2"][..]),
        ("--search 高橋花子", &["t-2"]),
        ("--search みほんじろう", &["t-3"]),
        ("--text 三郎", &["t-1"]),
        ("--from 2026-11-21", &["t-1"]),
        ("--to 2026-11-20", &["t-3", "t-2"]),
        ("--state queued --state needsPerson", &["t-1", "t-3", "t-2"]),
        ("--state confirmed", &[]),
        ("--sort transactionId --ascending", &["t-1", "t-2", "t-3"]),
        (
            "--sort transactionId --ascending --offset 1 --limit 1",
            &["t-2"],
        ),
    ] {
        let listed = desk.reports(format!("contracts list {options}")).list();
        let listed: Vec<_> = listed.iter().map(|entry| &entry["transactionId"]).collect();
        assert_eq!(listed, found, "{options}");
    }
    for wrong in ["--from 2026-02-30", "--sort e-mail"] {
        desk.run(format!("contracts list {wrong}")).exits(2);
    }
}

#[test]
fn times_are_those_of_the_store_wherever_the_computer_is() {
    let (_service, desk) = shop();
    desk.keep([Sale::of("t-1")]);
    let entered = DateTime::parse_from_rfc3339(&desk.of("t-1", "enteredAt")).unwrap();
    let at_the_store = entered.with_timezone(&FixedOffset::east_opt(9 * 3600).unwrap());
    let shown = at_the_store.format("%Y-%m-%d %H:%M:%S").to_string();
    let lists = desk.wdesk("contracts list").env("TZ", "America/New_York");
    lists.run().exits(0).prints(&shown);
}

#[test]
fn a_list_that_is_cut_says_so() {
    let (_service, desk) = shop();
    desk.does(format!("plans list --product {PRODUCT}"));
    desk.create_lead("").exits(0);
    for list in ["plans search 年", "journal"] {
        let cut = desk.does(format!("{list} --limit 1"));
        cut.says("The first 1 are listed; there are more");
    }
    for list in ["plans search 年", "products list", "leads list", "journal"] {
        let whole = desk.does(format!("{list} --limit 501"));
        whole.does_not_say("there are more");
    }
}
