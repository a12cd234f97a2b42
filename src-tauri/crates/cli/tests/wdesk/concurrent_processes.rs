//! Several processes on one data folder: one works, the others are told so, and no row is lost.

use std::process::Child;

use crate::harness::{Desk, PLAN, PRODUCT, Run, Service, TOKEN, distinct, numbered, shop, slow};

/// Fails unless the folder is in use and the line changed nothing.
#[track_caller]
fn refuses(desk: &Desk, line: &str) {
    let run = desk.json_line(line).input(TOKEN).run().exits(2);
    let run = run.fails_with("inUse").has("error/mayHaveChanged", "no");
    run.says("Nothing was changed").says("window");
}

#[test]
fn beside_one_that_works_changes_are_refused_and_looks_are_not() {
    let (service, desk) = shop();
    service.answers_sales(&slow(6_000));
    desk.sales("sales.csv", ["t-1"]);
    desk.sales("other.csv", ["t-2"]);
    let process = desk.selling(&service, "contracts enter sales.csv");
    let case = desk.of("t-1", "id");
    for line in [
        "contracts enter other.csv",
        "contracts enter sales.csv",
        "outbox run",
        &format!("outbox resolve {case} --cancel"),
    ] {
        refuses(&desk, line);
    }
    for line in [
        "contracts list",
        "outbox status",
        &format!("outbox show {case}"),
        &format!("plans list --product {PRODUCT}"),
    ] {
        desk.does(line);
    }
    Run::from(process).exits(0);
    desk.does("contracts enter other.csv");
    service.has_sold(2);
    assert_eq!(service.bulk_requests(), 2);
}

#[test]
fn beside_an_open_window_changes_are_refused_and_looks_are_not() {
    let (service, desk) = shop();
    desk.does(format!("plans list --product {PRODUCT}"));
    desk.enter(["t-1"], "").exits(0);
    let (case, contract) = (desk.of("t-1", "id"), desk.of("t-1", "contractId"));
    let window = desk.open_window();
    for line in [
        "contracts enter sales.csv",
        "outbox run",
        "profile remove counter",
        "token set",
        "token remove",
        &format!("plans link {PLAN} s-1"),
    ] {
        refuses(&desk, line);
    }
    for line in [
        "contracts list",
        &format!("contracts show {contract}"),
        "outbox status",
        "outbox list",
        &format!("outbox show {case}"),
        "profile list",
        "token status",
        &format!("plans list --product {PRODUCT} --offline"),
        &format!("plans show {PLAN} --offline"),
        &format!("plans search {PRODUCT}"),
        "products list",
        "leads list",
    ] {
        desk.does(line);
    }
    drop(window);
    service.has_sold(1);
}

#[test]
fn many_that_enter_the_same_file_at_once_sell_each_row_once() {
    let (service, desk) = shop();
    desk.sales("sales.csv", numbered(25));
    let processes: Vec<Child> = (0..6)
        .map(|_| desk.wdesk("contracts enter sales.csv").spawn())
        .collect();
    let runs = processes.into_iter().map(Run::from);
    let codes: Vec<_> = runs
        .map(|run| run.exits_with_one_of(&[0, 2]).code())
        .collect();
    assert!(codes.contains(&Some(0)), "nobody worked");
    let sold = service.sold();
    assert_eq!((sold.len(), distinct(&sold).len()), (25, 25));
    assert_eq!(desk.entries().len(), 25);
}

#[test]
fn many_first_looks_at_a_new_folder_all_succeed() {
    let desk = Desk::fresh();
    let data = desk.path("data");
    let line = ["--data-dir", data.to_str().unwrap(), "profile", "list"];
    let looks: Vec<Child> = (0..8).map(|_| Desk::bare(line).spawn()).collect();
    for look in looks {
        Run::from(look).exits(0);
    }
}

#[test]
fn nobody_takes_over_a_sale_on_its_way() {
    let service = Service::start_as("keys-ignored");
    let desk = Desk::connected(&service);
    service.answers_sales(&slow(2_000));
    desk.sales("sales.csv", ["t-1"]);
    let process = desk.selling(&service, "contracts enter sales.csv");
    desk.json("outbox run").exits(2).fails_with("inUse");
    Run::from(process).exits(0);
    service.has_sold(1);
    assert_eq!(service.bulk_requests(), 1);
}
