//! A killed process, a web page for an answer, a refusal: nothing lost, nothing sold twice, a clear end.

use serde_json::json;

use crate::harness::{PLAN, kill, shop, slow, status};

#[test]
fn a_machine_that_goes_down_while_sending_leaves_a_case_that_is_never_resent_by_itself() {
    let (service, desk) = shop();
    // The service sells, and its answer takes longer than the process lives.
    service.answers_sales(&slow(15_000));
    desk.sales("sales.csv", ["t-1"]);
    let process = desk.selling(&service, "contracts enter sales.csv");
    // While the process lives it is on its way.
    desk.outbox().has("waiting", 1);
    kill(process);
    // A look does not call what may be sold waiting.
    desk.outbox().has("waiting", 0).has("unknown", 1);
    desk.machine_starts_anew();
    desk.shows("unknown", None);

    service.is_well();
    for _ in 0..2 {
        desk.send().exits(4).says("wdesk outbox list");
        desk.shows("needsPerson", Some("unknownTooLong"));
    }
    assert_eq!(service.bulk_requests(), 1, "sent again by itself");

    let case = desk.json("outbox list").exits(0).text("0/id");
    desk.run(["outbox", "show", &case])
        .exits(0)
        .prints("--give-contract-id");
    desk.resolve(&case, "--give-contract-id nobody-has-this")
        .exits(3);
    let contract = service.contract();
    service.shows(&contract);
    desk.resolve(&case, ["--give-contract-id", &contract])
        .exits(0);
    desk.send().exits(0);
    desk.shows("confirmed", None);
    assert_eq!(desk.of("t-1", "contractId"), contract);
    service.has_sold(1);
}

#[test]
fn a_service_that_answers_with_a_web_page_is_named_as_such() {
    let (service, desk) = shop();
    service.behave(&json!("html-with-200"));
    let run = desk
        .json(["plans", "show", PLAN])
        .exits(5)
        .says("sign-in page");
    run.fails_with("unreadableAnswer");
}

#[test]
fn a_sale_the_service_refuses_is_told_with_its_words_and_sold_once_when_entered_again() {
    let (service, desk) = shop();
    service.answers_sales(&status(400));
    let report = desk.enter(["t-1"], "--wait 5").exits(3).has("refused", 1);
    report.text("cases/0/requestId");
    service.has_sold(0);
    service.is_well();
    desk.enter(["t-1"], "").exits(0).has("entered", 1);
    service.has_sold(1);
}
