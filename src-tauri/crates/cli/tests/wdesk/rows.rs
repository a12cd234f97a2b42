//! Files whose rows are done at the service one by one: products, plan links and references of products.

use serde_json::{Value, json};

use crate::harness::{
    Desk, PLAN, PRODUCT, Run, Sale, Service, TOKEN, UNLINKED_PLAN, kill, refusal, shop, signal,
    slow, status, until,
};

/// A file of products, `p-00` and on.
fn products(count: usize) -> String {
    let line = |number| {
        format!("p-{number:02},見本 {number},3980,https://sample.invalid/1.png,季節家電\n")
    };
    let lines: String = (0..count).map(line).collect();
    format!("referenceId,title,price,imageUrl,category\n{lines}")
}

/// The fault of a service that refuses the first product.
fn refuses_the_first() -> Value {
    json!({
        "operations": ["upsertProduct"], "when": {"nth": 1},
        "action": refusal(400, "BadRequestException"),
    })
}

/// A desk that was ended while the first of these many products was on its way.
fn ended_on_the_way(count: usize) -> (Service, Desk, Run) {
    let (service, desk) = shop();
    service.behave(&json!({"answerDelayMs": 200}));
    desk.file("products.csv", &products(count));
    let process = desk.wdesk("--json products import products.csv").spawn();
    until("the first is on its way", || put(&service) > 0);
    signal(&process, "INT");
    let run = Run::from(process).exits(5);
    (service, desk, run)
}

/// How many requests to put a product arrived.
fn put(service: &Service) -> usize {
    service.requests("PUT", "/v1/products/upsert")
}

#[test]
fn plans_of_a_file_are_linked_and_one_bad_row_links_none() {
    let (_service, desk) = shop();
    desk.does(format!("plans list --product {PRODUCT}"));
    let reference = || {
        let shown = desk.reports(["plans", "show", UNLINKED_PLAN]);
        shown["plan"]["storeReferenceId"].clone()
    };
    let good = format!("planId,storeReferenceId\n{UNLINKED_PLAN},EW-10Y\n");
    desk.file("links.csv", &format!("{good}plan-x,\n"));
    let bad = desk.json("plans link-file links.csv").exits(2);
    bad.has("entered", 0).has("found/0/line", 3);
    desk.file("links.csv", &good);
    desk.reports("plans link-file links.csv --dry-run")
        .has("entered", 0);
    assert_eq!(reference(), Value::Null);
    desk.reports("plans link-file links.csv").has("entered", 1);
    assert_eq!(reference(), "EW-10Y");
}

#[test]
fn a_first_line_that_may_be_a_row_is_not_dropped_for_columns_chosen_by_number() {
    let (_service, desk) = shop();
    desk.file(
        "links.csv",
        &format!("{UNLINKED_PLAN},EW-10Y\nnope,EW-5Y\n"),
    );
    let linked = "plans link-file links.csv --map planId=1 --map storeReferenceId=2";
    let run = desk.json(linked).exits(2).fails_with("badColumn");
    run.says("--header-line");
    desk.reports(format!("{linked} --dry-run --header-line 0"))
        .has("rows", 2);
    desk.reports(format!("{linked} --dry-run --header-line 1"))
        .has("rows", 1);
}

#[test]
fn references_of_a_file_are_known_here_with_their_plans() {
    let (_service, desk) = shop();
    // One that is there twice is known once.
    let twice = format!("referenceId\n{PRODUCT}\n{PRODUCT}\n");
    desk.file("references.csv", &twice);
    desk.reports("products references references.csv")
        .has("entered", 2);
    desk.reports("products list").has("0/referenceId", PRODUCT);
    let list = format!("plans list --product {PRODUCT} --offline");
    desk.reports(list).prints(UNLINKED_PLAN);
}

#[test]
fn a_file_of_products_is_checked_whole_before_anything_is_sent() {
    let (_service, desk) = shop();
    let bad = "r-3,見本,abc,https://sample.invalid/3.png,季節家電\n";
    desk.file("products.csv", &(products(2) + bad));
    let run = desk
        .json("products import products.csv")
        .exits(2)
        .says("line 4: price");
    run.has("entered", 0).has("found/0/line", 4);
    let again = products(1).lines().last().unwrap().to_owned();
    desk.file("products.csv", &(products(1) + &again));
    desk.json("products import products.csv")
        .exits(2)
        .says("line 3: referenceId: Already in an earlier row");

    desk.file("products.csv", &products(2));
    desk.reports("products import products.csv --dry-run")
        .has("entered", 0);
    assert_eq!(desk.reports("products list").value(), &json!([]));
    desk.reports("products import products.csv")
        .has("entered", 2);
    assert_eq!(desk.reports("products list").list().len(), 2);
}

#[test]
fn what_an_outage_left_of_a_file_is_kept_as_a_run() {
    let (_address, desk) = Desk::offline();
    desk.file("products.csv", &products(2));
    let run = desk.json("products import products.csv").exits(5);
    let run = run
        .has("entered", 0)
        .has("pending", 2)
        .has("waits/code", "noNetwork");
    run.says("`wdesk outbox run` goes on");
    // Nothing else waits, and yet it is not all done.
    desk.run("outbox run --wait 5")
        .exits(5)
        .says("2 rows of files");
    desk.change("UPDATE run SET state = 'paused'", []);
    let id = desk.reports("imports list").text("0/id");
    for (source, name) in [("file", "products.csv"), ("sheet", "Sheet")] {
        desk.change("UPDATE run SET source = ?1", [source]);
        let run = desk.run("outbox run").exits(4);
        let run = run.says(&format!(
            "\"{name}\" is paused: `wdesk imports resume {id}`"
        ));
        assert_eq!(run.stderr().matches("paused").count(), 1);
    }
}

#[test]
fn a_paused_import_is_named_only_for_a_file_whose_sales_wait_in_it() {
    let (_service, desk) = shop();
    desk.keep(["t-1"]);
    desk.change("UPDATE run SET state = 'paused'", []);
    desk.sales("other.csv", ["t-2"]);
    let other = desk.run("contracts enter other.csv --no-wait").exits(5);
    other
        .does_not_print("paused")
        .prints("`wdesk outbox run` sends");
    let paused = desk.run("contracts enter sales.csv --no-wait").exits(4);
    paused.prints("An import is paused");
}

#[test]
fn rows_that_wait_for_a_token_need_a_person_at_each_run_who_is_told_what_to_do() {
    let (service, desk) = shop();
    desk.file("products.csv", &products(1));
    let declined =
        json!({"operations": ["upsertProduct"], "action": refusal(401, "UnauthorizedException")});
    service.faults(&json!([declined]));
    desk.json("products import products.csv").exits(4);
    let run = || desk.run("outbox run --wait 5");
    run().exits(4).says("refused the token");
    desk.does("token remove");
    run().exits(4).says("No access token is set");
    service.is_well();
    desk.set_token(TOKEN);
    run().exits(0);
}

#[test]
fn references_that_wait_need_no_person_when_the_token_is_missing() {
    let (service, desk) = shop();
    desk.keep(["t-1"]);
    desk.does("token remove");
    desk.run("outbox run --wait 5").exits(5);
    desk.file("references.csv", &format!("referenceId\n{PRODUCT}\n"));
    service.answers("listPlans", &status(503));
    desk.run("products references references.csv").exits(5);
    let run = desk.run("outbox run --wait 5").exits(5);
    run.says("1 row of a file could not be sent");
}

#[test]
fn a_paused_import_is_resumed_or_cancelled_by_the_command_that_a_run_names() {
    let (service, desk, _) = ended_on_the_way(10);
    service.is_well();
    let id = desk.reports("imports list").text("0/id");
    let pauses = |where_it_was: &str| {
        let paused = format!("UPDATE run SET state = 'paused', {where_it_was}");
        assert_eq!(desk.change(&paused, []), 1);
        for command in ["resume", "cancel"] {
            desk.send()
                .exits(4)
                .says(&format!("imports {command} {id}"));
        }
    };
    pauses("next_chunk = next_chunk");
    desk.does(format!("imports resume {id}")).prints("running");
    desk.run(format!("imports resume {id}")).exits(2);
    desk.send().exits(0);
    // Also where nothing of it waits.
    pauses("next_chunk = chunks");
    desk.run("day").exits(4);
    desk.does(format!("imports cancel {id}"));
    desk.does("day");
    desk.run(format!("imports cancel {id}")).exits(2);
    desk.send().exits(0);
}

#[test]
fn no_row_of_a_cancelled_import_is_called_waiting() {
    let (_address, desk) = Desk::offline();
    desk.file("products.csv", &products(2));
    desk.run("products import products.csv").exits(5);
    let id = desk.reports("imports list").text("0/id");
    let cancelled = desk.does(format!("imports cancel {id}"));
    let printed = cancelled.stdout();
    let cells: Vec<_> = printed.split_whitespace().rev().skip(2).take(3).collect();
    // Rejected, waiting and all rows, from the right.
    assert_eq!(cells, ["0", "0", "2"], "{printed}");
}

#[test]
fn a_wish_to_end_leaves_a_file_of_products_behind_the_one_on_its_way() {
    const COUNT: usize = 40;
    let (service, desk, run) = ended_on_the_way(COUNT);
    let run = run.has("entered", put(&service));
    // What was being sent has a known outcome.
    assert!(run["entered"].as_u64() < Some(COUNT as u64));

    service.is_well();
    desk.send().exits(0);
    assert_eq!(put(&service), COUNT, "each was put once");
}

#[test]
fn a_continued_file_with_rows_that_could_not_be_used_is_named_until_they_are_fetched() {
    let (service, desk, _) = ended_on_the_way(10);
    service.faults(&json!([refuses_the_first()]));
    is_fetched_before_all_is_well(&desk, "sample words");

    let rows = [Sale::of("t-1"), Sale::of("t-2").email("no address")];
    desk.enter(rows, "--rejected rejected.csv").exits(4);
    // As if it had been killed before it was through.
    let again = "UPDATE run SET state = 'running', rejected_taken = 0 WHERE kind = 'contracts'";
    assert_eq!(desk.change(again, []), 1);
    // Whoever finishes it names it, and so does every later file until then.
    for later in ["t-3", "t-4"] {
        desk.enter([later], "").exits(4).says("imports rejected");
    }
    is_fetched_before_all_is_well(&desk, "no address");
}

#[test]
fn rows_of_a_continued_file_that_differ_from_their_entries_are_named_when_it_is_finished() {
    let (_service, desk) = shop();
    desk.enter(["t-1"], "").exits(0);
    desk.enter([Sale::of("t-1").total("210000")], "").exits(4);
    let finishes: [&dyn Fn() -> Run; 2] = [&|| desk.send(), &|| desk.enter(["t-2"], "")];
    for finish in finishes {
        // As if it had been killed before it was through.
        desk.change("UPDATE run SET state = 'running' WHERE differing = 1", []);
        finish()
            .exits(4)
            .says("sales.csv")
            .says("line 2: entered before");
    }
    desk.send().exits(0);
}

/// The only open file is finished, and its rejected rows are fetched; these words are among them.
fn is_fetched_before_all_is_well(desk: &Desk, words: &str) {
    let open = desk.reports("imports list");
    let id = open.text("0/id");
    desk.run("day").exits(4);
    desk.send().exits(4).says(&format!("imports rejected {id}"));
    let out = format!("{id}.csv");
    desk.does(format!("imports rejected {id} --out {out}"));
    assert!(desk.read(&out).contains(words));
    desk.send().exits(0);
    desk.does("day");
}

#[test]
fn a_file_that_was_killed_while_it_was_checked_is_named_until_it_is_removed() {
    let (service, desk) = shop();
    service.answers("getPlan", &slow(30_000));
    desk.sales("sales.csv", ["t-1", "t-2"]);
    let process = desk.wdesk("contracts enter sales.csv").spawn();
    until("it is checked", || {
        service.requests("GET", "/v1/plans/") > 0
    });
    kill(process);
    service.is_well();
    desk.run("day").exits(4);
    let id = desk.reports("imports list").text("0/id");
    desk.send().exits(4).says(&format!("imports remove {id}"));
    desk.does(format!("imports remove {id}"));
    desk.send().exits(0);
    desk.does("day");
    service.has_sold(0);
}

#[test]
fn rows_that_wait_for_a_token_come_before_rows_that_were_refused() {
    let (service, desk) = shop();
    desk.file("products.csv", &products(2));
    let declined =
        json!({"operations": ["upsertProduct"], "action": refusal(401, "UnauthorizedException")});
    service.faults(&json!([refuses_the_first(), declined]));
    let run = desk.json("products import products.csv").exits(4);
    run.has("pending", 1).has("found/0/line", 2);
}

#[test]
fn products_that_cannot_be_sent_come_back_as_a_file_from_wdesk() {
    let (service, desk) = shop();
    let bad = "p-02,,3980,https://sample.invalid/1.png,季節家電\n";
    desk.file("products.csv", &format!("{}{bad}", products(2)));
    let import = |options: &str| desk.json(format!("products import products.csv {options}"));
    let tried = import("--dry-run --rejected tried.csv").exits(4);
    tried.has("found/0/line", 4).has("entered", 0);
    assert!(desk.read("tried.csv").contains("p-02"));
    service.faults(&json!([refuses_the_first()]));
    import("--rejected back.csv").exits(3).has("entered", 1);
    let back = desk.read("back.csv");
    assert!(
        back.contains("sample words") && back.contains("p-02"),
        "{back}"
    );
    assert_eq!(back.lines().count(), 3, "{back}");
}

#[test]
fn the_check_of_a_link_file_names_a_reference_that_another_plan_has() {
    let (service, desk) = shop();
    desk.does(format!("plans link {PLAN} SHELF-1"));
    let row = format!("planId,storeReferenceId\n{UNLINKED_PLAN},SHELF-1\n");
    desk.file("links.csv", &row);
    let check = "plans link-file links.csv --dry-run";
    let checked = desk.reports(check);
    checked.has("found/0/line", 2);
    // Alone it is said before the link, too.
    service.answers("updatePlan", &refusal(400, "BadRequestException"));
    let link = desk.run(format!("plans link {UNLINKED_PLAN} SHELF-1"));
    link.exits(3).says(PLAN);
    desk.file("links.csv", &row.replace(UNLINKED_PLAN, PLAN));
    desk.reports(check).does_not_say("check it");
}

#[test]
fn a_link_of_a_file_that_replaces_another_reference_is_named_before_and_after() {
    let (_service, desk) = shop();
    desk.does(format!("plans link {PLAN} NEW-1"));
    let row = format!("planId,storeReferenceId\n{PLAN},OLD-1\n");
    desk.file("links.csv", &row);
    for line in [
        "plans link-file links.csv --dry-run",
        "plans link-file links.csv",
    ] {
        let run = desk.reports(line).has("found/0/line", 2);
        run.says("which is replaced");
    }
    // Once it is linked so, nothing is replaced.
    let run = desk.reports("plans link-file links.csv");
    run.does_not_say("which is replaced");
}

#[test]
fn two_plans_of_a_file_with_one_store_reference_are_named() {
    let (_service, desk) = shop();
    let twice = format!("planId,storeReferenceId\n{UNLINKED_PLAN},EW-10Y\n{PLAN}, EW-10Y\n");
    desk.file("links.csv", &twice);
    for (line, done) in [
        ("plans link-file links.csv --dry-run", 0),
        ("plans link-file links.csv", 2),
    ] {
        let run = desk.reports(line).says("line 3: check it");
        run.has("entered", done).has("found/0/line", 3);
    }
}
