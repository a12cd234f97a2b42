//! Files whose rows are done at the service one by one: products, plan links and references of products.

use serde_json::json;

use crate::harness::{Desk, PRODUCT, Run, Service, UNLINKED_PLAN, until, wish};

#[test]
fn plans_of_a_file_are_linked_and_one_bad_row_links_none() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let list = ["plans", "list", "--product", PRODUCT];
    desk.wdesk(&list).run().exits(0);
    let reference = |desk: &Desk| {
        let shown = desk
            .wdesk(&["--json", "plans", "show", UNLINKED_PLAN])
            .run()
            .exits(0);
        shown.json()["plan"]["storeReferenceId"].clone()
    };

    let bad = format!("planId,storeReferenceId\n{UNLINKED_PLAN},EW-10Y\nplan-x,\n");
    let file = desk.file("links.csv", &bad);
    let run = desk
        .wdesk(&["--json", "plans", "link-file", &file])
        .run()
        .exits(2);
    assert_eq!(run.json()["done"], 0);
    assert_eq!(run.json()["rejected"][0]["line"], 3);
    assert!(reference(&desk).is_null());

    let file = desk.file(
        "links.csv",
        &format!("planId,storeReferenceId\n{UNLINKED_PLAN},EW-10Y\n"),
    );
    let dry = ["--json", "plans", "link-file", &file, "--dry-run"];
    assert_eq!(desk.wdesk(&dry).run().exits(0).json()["done"], 0);
    assert!(reference(&desk).is_null());
    let run = desk
        .wdesk(&["--json", "plans", "link-file", &file])
        .run()
        .exits(0);
    assert_eq!(run.json()["done"], 1);
    assert_eq!(reference(&desk), "EW-10Y");
}

#[test]
fn references_of_a_file_are_known_here_with_their_plans() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let file = desk.file("references.csv", &format!("referenceId\n{PRODUCT}\n"));
    let run = desk
        .wdesk(&["--json", "products", "references", &file])
        .run()
        .exits(0);
    assert_eq!(run.json()["done"], 1);
    let listed = desk.wdesk(&["--json", "products", "list"]).run().exits(0);
    assert_eq!(listed.json()[0]["referenceId"], PRODUCT);
    let offline = ["--json", "plans", "list", "--product", PRODUCT, "--offline"];
    let plans = desk.wdesk(&offline).run().exits(0).json();
    assert!(plans.to_string().contains(UNLINKED_PLAN));
}

#[test]
fn what_an_outage_left_of_a_file_is_kept_as_a_run() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    drop(service);
    let file = desk.file("references.csv", &format!("referenceId\n{PRODUCT}\n"));
    let run = desk
        .wdesk(&["--json", "products", "references", &file])
        .run()
        .exits(5);
    assert_eq!(run.json()["notDone"], 1);
    assert!(
        run.stderr().contains("`wdesk outbox run` goes on"),
        "{}",
        run.stderr()
    );
    // Nothing else waits, and yet it is not all done.
    let later = ["outbox", "run", "--wait", "5"];
    let later = desk.wdesk(&later).run().exits(5);
    assert!(
        later.stderr().contains("1 rows of files"),
        "{}",
        later.stderr()
    );
}

#[test]
fn a_wish_to_end_leaves_a_file_of_products_behind_the_one_on_its_way() {
    const COUNT: usize = 40;
    let service = Service::start();
    let desk = Desk::connected(&service);
    service.behave(&json!({"answerDelayMs": 200}));
    let lines: Vec<String> = (0..COUNT)
        .map(|number| {
            format!("p-{number:02},見本 {number},3980,https://sample.invalid/1.png,季節家電")
        })
        .collect();
    let text = format!(
        "referenceId,title,price,imageUrl,category\n{}\n",
        lines.join("\n")
    );
    let file = desk.file("products.csv", &text);
    let process = desk.wdesk(&["--json", "products", "import", &file]).spawn();
    let put = || service.requests("PUT", "/v1/products/upsert");
    until("the first is on its way", || put() > 0);
    wish(&process, "INT");
    let run = Run(process.wait_with_output().unwrap()).exits(5);
    let done = usize::try_from(run.json()["done"].as_u64().unwrap()).unwrap();
    assert_eq!(done, put(), "what was on its way is not in doubt");
    assert!(done < COUNT);

    service.behave(&json!({}));
    desk.wdesk(&["outbox", "run"]).run().exits(0);
    assert_eq!(put(), COUNT, "each was put once");
}
