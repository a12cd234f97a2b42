//! Plans, contracts and lists: read from the service, and beside the window.

use std::fs::File;

use crate::harness::{Desk, PLAN, PRODUCT, Sale, Service, UNLINKED_PLAN, sales};

#[test]
fn the_plans_of_a_product_are_listed_by_status() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let plans = |status: &str| {
        let list = [
            "--json",
            "plans",
            "list",
            "--product",
            PRODUCT,
            "--status",
            status,
        ];
        let plan_list = desk.wdesk(&list).run().exits(0).json();
        let plans = plan_list["plans"].as_array().unwrap().clone();
        plans
            .iter()
            .map(|plan| plan["id"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert!(plans("Any").contains(&UNLINKED_PLAN.to_owned()));
    assert!(!plans("LiveInStore").contains(&UNLINKED_PLAN.to_owned()));
    assert!(plans("liveinstore").contains(&PLAN.to_owned()));
    let hidden = warranty_sandbox::sample::PRODUCT_NOT_DISPLAYED;
    let list = [
        "--json",
        "plans",
        "list",
        "--product",
        hidden,
        "--status",
        "Live",
    ];
    let plan_list = desk.wdesk(&list).run().exits(0).json();
    assert_eq!(plan_list["plans"], serde_json::json!([]));
}

#[test]
fn a_plan_is_opened_with_its_product_and_found_again_by_search() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let opened = desk
        .wdesk(&["--json", "plans", "show", PLAN])
        .run()
        .exits(0)
        .json();
    assert_eq!(opened["plan"]["id"], PLAN);
    assert_eq!(opened["product"]["referenceId"], PRODUCT);
    desk.wdesk(&["plans", "list", "--product", PRODUCT])
        .run()
        .exits(0);
    drop(service);
    for words in ["冷蔵庫", "３年 冷凍", PRODUCT] {
        let found = desk
            .wdesk(&["--json", "plans", "search", words])
            .run()
            .exits(0)
            .json();
        let ids: Vec<_> = found
            .as_array()
            .unwrap()
            .iter()
            .map(|one| &one["plan"]["id"])
            .collect();
        assert!(ids.contains(&&PLAN.into()), "{words}: {found}");
    }
    let run = desk
        .wdesk(&["plans", "show", PLAN, "--offline"])
        .run()
        .exits(0);
    assert!(run.stdout().contains("ago"), "{}", run.stdout());
    desk.wdesk(&["plans", "show", "plan-never-seen", "--offline"])
        .run()
        .exits(2);
}

#[test]
fn an_unknown_plan_is_the_services_refusal_with_its_request_id() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let run = desk
        .wdesk(&["--json", "plans", "show", "plan-nobody-has"])
        .run()
        .exits(3);
    assert_eq!(run.error_code(), "refused");
    assert!(run.json()["error"]["requestId"].is_string());
    assert!(run.stderr().contains("refused"), "{}", run.stderr());
}

#[test]
fn a_contract_is_looked_up_with_all_its_fields_and_an_unknown_one_refused() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    desk.wdesk(&["contracts", "enter", &file]).run().exits(0);
    let entries = desk.entries();
    let id = entries[0]["contractId"].as_str().unwrap();

    let contract = desk
        .wdesk(&["--json", "contracts", "show", id])
        .run()
        .exits(0)
        .json();
    assert_eq!(contract["transactionId"], "t-1");
    assert_eq!(contract["customer"]["name"], "見本 太郎");
    let run = desk.wdesk(&["contracts", "show", id]).run().exits(0);
    for words in [
        "inquiryCode",
        "customer.name",
        "見本 太郎",
        "store.name",
        "200,000",
    ] {
        assert!(
            run.stdout().contains(words),
            "{words} is not in {}",
            run.stdout()
        );
    }
    desk.wdesk(&["contracts", "show", "contract-nobody-has"])
        .run()
        .exits(3);
    desk.wdesk(&["contracts", "show", ".."]).run().exits(2);
}

#[test]
fn entries_are_listed_by_state_and_text() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let mut other = Sale::of("t-2");
    other.customer = "例題 花子".into();
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1"), other]));
    desk.wdesk(&["contracts", "enter", &file]).run().exits(0);
    let count = |arguments: &[&str]| {
        let line = [&["--json", "contracts", "list"], arguments].concat();
        desk.wdesk(&line)
            .run()
            .exits(0)
            .json()
            .as_array()
            .unwrap()
            .len()
    };
    assert_eq!(count(&["--state", "confirmed"]), 2);
    assert_eq!(count(&["--state", "queued", "--state", "needsPerson"]), 0);
    assert_eq!(count(&["--text", "花子"]), 1);
    assert_eq!(count(&["--limit", "1"]), 1);
}

#[test]
fn looking_at_what_is_here_never_takes_the_folder_from_others() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    desk.wdesk(&["contracts", "enter", &file]).run().exits(0);
    let entry = desk.entries()[0]["id"].as_str().unwrap().to_owned();
    let contract = desk.entries()[0]["contractId"].as_str().unwrap().to_owned();
    desk.wdesk(&["plans", "list", "--product", PRODUCT])
        .run()
        .exits(0);
    // Whoever would take the lock stumbles over this.
    let lock = desk.folder().join("desk.lock");
    std::fs::remove_file(&lock).unwrap();
    std::fs::create_dir(&lock).unwrap();
    for look in [
        &["profile", "list"][..],
        &["token", "status"],
        &["plans", "list", "--product", PRODUCT, "--offline"],
        &["plans", "show", PLAN, "--offline"],
        &["plans", "search", ""],
        &["products", "list"],
        &["contracts", "list"],
        &["contracts", "show", &contract],
        &["outbox", "status"],
        &["outbox", "list"],
        &["outbox", "show", &entry],
        &["leads", "list"],
    ] {
        desk.wdesk(look).run().exits(0);
    }
    desk.wdesk(&["outbox", "run"]).run().exits(2);
}

#[test]
fn beside_the_window_support_can_read_and_changes_are_refused_clearly() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    desk.wdesk(&["contracts", "enter", &file]).run().exits(0);
    desk.wdesk(&["plans", "list", "--product", PRODUCT])
        .run()
        .exits(0);

    // The window holds this lock for as long as it is open.
    let lock = File::options()
        .write(true)
        .open(desk.folder().join("desk.lock"))
        .unwrap();
    lock.try_lock().unwrap();
    assert_eq!(desk.outbox()["confirmed"], 1);
    assert_eq!(desk.entries().len(), 1);
    let list = ["--json", "plans", "list", "--product", PRODUCT, "--offline"];
    let plan_list = desk.wdesk(&list).run().exits(0).json();
    assert!(!plan_list["plans"].as_array().unwrap().is_empty());
    desk.wdesk(&["token", "status"]).run().exits(0);
    desk.wdesk(&["products", "list"]).run().exits(0);
    for change in [
        &["contracts", "enter", file.as_str()][..],
        &["outbox", "run"],
        &["token", "remove"],
        &["profile", "remove", "counter"],
        &["plans", "link", PLAN, "s-1"],
    ] {
        let line = [&["--json"], change].concat();
        let run = desk.wdesk(&line).run().exits(2);
        assert_eq!(run.error_code(), "inUse", "{change:?}");
        assert!(run.stderr().contains("window"), "{}", run.stderr());
    }
    drop(lock);
    desk.wdesk(&["outbox", "run"]).run().exits(0);
    assert_eq!(service.sold().len(), 1);
}
