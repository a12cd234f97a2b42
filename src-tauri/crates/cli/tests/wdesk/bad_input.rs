//! Files that cannot be entered as they are: each problem named at its line, nothing sent.

use crate::harness::{Desk, Run, Sale, Service, sales};

fn refused_whole(desk: &Desk, service: &Service, bad: &Sale) -> Run {
    let file = desk.file("sales.csv", &sales(&[Sale::of("good-1"), bad.clone()]));
    let run = desk.wdesk(&["contracts", "enter", &file]).run().exits(2);
    assert!(
        run.stderr().contains("Nothing was entered"),
        "{}",
        run.stderr()
    );
    assert!(desk.entries().is_empty());
    assert_eq!(service.bulk_requests(), 0);
    run
}

#[test]
fn every_kind_of_bad_row_is_named_at_its_line_and_keeps_the_file_out() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let with = |change: fn(&mut Sale)| {
        let mut sale = Sale::of("bad-1");
        change(&mut sale);
        sale
    };
    let cases: [(Sale, &str); 9] = [
        (
            with(|sale| sale.product = "2099999999999".into()),
            "productReferenceId: The service does not know this product",
        ),
        (
            with(|sale| sale.product = warranty_sandbox::sample::PRODUCT_NOTEBOOK.into()),
            "planId: This plan belongs to another product",
        ),
        (
            with(|sale| sale.plan = "plan-nobody-has".into()),
            "planId: The service does not know this plan",
        ),
        (
            with(|sale| sale.email = "taro.example.jp".into()),
            "customerEmail: Enter a valid email address.",
        ),
        (
            with(|sale| sale.total = "1980.5".into()),
            "transactionTotal: Enter a whole number",
        ),
        (
            with(|sale| sale.fee = "abc".into()),
            "planPurchasePrice: Enter a whole number",
        ),
        (
            with(|sale| sale.transaction = "1.23E+11".into()),
            "transactionId: A spreadsheet seems to have rounded this number",
        ),
        (
            with(|sale| sale.customer = String::new()),
            "customerName: Required",
        ),
        (with(|sale| sale.fee = "1".into()), "The plan now costs"),
    ];
    for (bad, words) in cases {
        let run = refused_whole(&desk, &service, &bad);
        let line = run
            .stderr()
            .lines()
            .find(|line| line.starts_with("line 3: "))
            .map(String::from);
        assert!(
            line.as_deref().is_some_and(|line| line.contains(words)),
            "{words:?} is not at line 3 of {}",
            run.stderr()
        );
    }
}

#[test]
fn bad_rows_come_back_as_a_file_that_can_be_corrected_and_entered() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let mut bad = Sale::of("t-2");
    bad.email = "nobody".into();
    let file = desk.file(
        "sales.csv",
        &sales(&[Sale::of("t-1"), bad, Sale::of("t-3")]),
    );
    let rejected = desk.folder().join("rejected.csv");
    let rejected = rejected.to_str().unwrap();

    let run = desk
        .wdesk(&[
            "--json",
            "contracts",
            "enter",
            &file,
            "--rejected",
            rejected,
        ])
        .run()
        .exits(4);
    let report = run.json();
    assert_eq!(report["entered"], 2);
    assert_eq!(report["rejected"][0]["line"], 3);
    assert_eq!(
        report["rejected"][0]["problems"][0]["field"],
        "customerEmail"
    );
    assert_eq!(report["rejected"][0]["problems"][0]["problem"], "notEmail");
    assert_eq!(service.sold().len(), 2);

    let returned = std::fs::read_to_string(rejected).unwrap();
    assert!(returned.contains("reason"), "{returned}");
    assert!(
        returned.contains("customerEmail: Enter a valid email address."),
        "{returned}"
    );
    let corrected = desk.file(
        "corrected.csv",
        &returned.replace("nobody", "taro@example.jp"),
    );
    desk.wdesk(&["contracts", "enter", &corrected])
        .run()
        .exits(0);
    assert_eq!(service.sold().len(), 3);
}

#[test]
fn a_file_without_a_good_row_is_bad_input_and_still_comes_back() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let mut bad = Sale::of("t-1");
    bad.email = "nobody".into();
    let file = desk.file("sales.csv", &sales(&[bad]));
    let rejected = desk.folder().join("rejected.csv");
    let place = rejected.to_str().unwrap();
    let run = desk
        .wdesk(&["contracts", "enter", &file, "--rejected", place])
        .run()
        .exits(2);
    assert!(
        run.stderr().contains("nothing was sent"),
        "{}",
        run.stderr()
    );
    let returned = std::fs::read_to_string(rejected).unwrap();
    assert!(returned.contains("nobody"), "{returned}");
    assert!(desk.entries().is_empty());
}

#[test]
fn rows_left_out_do_not_hide_what_became_of_the_others() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let mut bad = Sale::of("bad");
    bad.email = "nobody".into();
    let enter = |transaction: &str, more: &[&str], code: i32| {
        let rejected = desk.folder().join(format!("rejected-{transaction}.csv"));
        let place = rejected.to_str().unwrap();
        let file = desk.file("sales.csv", &sales(&[Sale::of(transaction), bad.clone()]));
        let line = [
            &["contracts", "enter", &file, "--rejected", place][..],
            more,
        ]
        .concat();
        desk.wdesk(&line).run().exits(code);
    };
    enter("t-1", &[], 4);
    enter("t-2", &["--no-wait"], 5);
    enter("t-3", &["--dry-run"], 4);
    service.behave(&serde_json::json!({"faults": [{
        "operations": ["bulkCreateContracts"],
        "action": {"status": {"status": 400}},
    }]}));
    enter("t-4", &["--wait", "5"], 3);
    service.behave(&serde_json::json!("wrong-token"));
    enter("t-5", &["--wait", "5"], 4);
}

#[test]
fn a_place_for_rejected_rows_that_cannot_be_written_stops_before_anything_is_entered() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1")]));
    let other = desk.file("kept.csv", "the only copy");
    for place in ["/nowhere/rejected.csv", &file, &other] {
        let run = desk
            .wdesk(&["--json", "contracts", "enter", &file, "--rejected", place])
            .run()
            .exits(2);
        assert_eq!(run.error_code(), "fileNotWritten");
    }
    assert_eq!(std::fs::read_to_string(other).unwrap(), "the only copy");
    assert!(desk.entries().is_empty());
    assert_eq!(service.sold().len(), 0);
}

#[test]
fn a_file_that_is_no_table_of_sales_is_refused_with_what_is_missing() {
    let desk = Desk::connected_to("http://127.0.0.1:9", "store");
    let file = desk.file("sales.csv", "transactionId,customerName\nt-1,見本 太郎\n");
    let run = desk
        .wdesk(&["--json", "contracts", "enter", &file])
        .run()
        .exits(2);
    assert_eq!(run.error_code(), "file");
    assert_eq!(run.json()["error"]["maySold"], "no");
    assert!(run.stderr().contains("planId"), "{}", run.stderr());
    let run = desk
        .wdesk(&["contracts", "enter", "/nowhere/sales.csv"])
        .run()
        .exits(2);
    assert!(
        run.stderr().contains("cannot be opened"),
        "{}",
        run.stderr()
    );
}

#[test]
fn a_command_line_that_cannot_be_understood_ends_with_two_and_a_document() {
    let desk = Desk::fresh();
    let run = desk.wdesk(&["--json", "contracts", "sell"]).run().exits(2);
    assert_eq!(run.error_code(), "usage");
    desk.wdesk(&["--help"]).run().exits(0);
}

#[test]
fn the_lead_and_the_product_say_which_field_is_wrong_and_send_nothing() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let run = desk
        .wdesk(&[
            "--json",
            "leads",
            "create",
            "--transaction-id",
            "t-1",
            "--product",
            crate::harness::PRODUCT,
            "--purchase-price",
            "12.5",
            "--quantity",
            "0",
        ])
        .run()
        .exits(2);
    let problems = run.json()["error"]["problems"].clone();
    let fields: Vec<_> = problems
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["field"])
        .collect();
    assert!(
        fields.contains(&&"productPurchasePrice".into()),
        "{problems}"
    );
    assert!(fields.contains(&&"quantity".into()), "{problems}");

    let run = desk
        .wdesk(&[
            "products",
            "put",
            "--reference-id",
            "r-1",
            "--title",
            "t",
            "--price",
            "-1",
            "--image-url",
            "not an address",
            "--category",
            "c",
        ])
        .run()
        .exits(2);
    assert!(run.stderr().contains("imageUrl"), "{}", run.stderr());
}

#[test]
fn a_row_entered_before_with_other_data_is_named_and_changes_nothing() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1"), Sale::of("t-2")]));
    desk.wdesk(&["contracts", "enter", &file]).run().exits(0);
    let before = (service.ledger(), desk.entries());

    let mut other = Sale::of("t-2");
    other.total = "210000".into();
    other.email = "hanako@example.jp".into();
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1"), other]));
    let run = desk
        .wdesk(&["--json", "contracts", "enter", &file])
        .run()
        .exits(4);
    assert_eq!(run.json()["alreadyEntered"], 2);
    let differing = &run.json()["differing"];
    assert_eq!(differing.as_array().unwrap().len(), 1, "{differing}");
    assert_eq!(differing[0]["line"], 3);
    assert_eq!(
        differing[0]["fields"],
        serde_json::json!(["transactionTotal", "customerEmail"])
    );
    assert!(run.stderr().contains("line 3: "), "{}", run.stderr());
    assert_eq!((service.ledger(), desk.entries()), before);
}

#[test]
fn a_dry_run_says_what_could_be_entered_and_whether_the_service_was_asked() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let file = desk.file("sales.csv", &sales(&[Sale::of("t-1"), Sale::of("t-2")]));
    let dry = ["contracts", "enter", &file, "--dry-run"];
    let words = desk.wdesk(&dry).run().exits(0).stdout();
    assert!(words.contains("can be entered"), "{words}");
    assert!(!words.contains("entered now"), "{words}");
    assert!(!words.contains("not checked"), "{words}");
    drop(service);
    let run = desk.wdesk(&dry).run().exits(5);
    assert!(run.stdout().contains("not checked"), "{}", run.stdout());
    assert!(
        run.stderr().contains("could not be reached"),
        "{}",
        run.stderr()
    );
    desk.wdesk(&["token", "remove"]).run().exits(0);
    let run = desk.wdesk(&dry).run().exits(5);
    assert!(run.stderr().contains("no token"), "{}", run.stderr());
    assert!(desk.entries().is_empty());
}

#[test]
fn a_file_whose_cells_could_be_mistaken_for_others_is_refused() {
    let desk = Desk::connected_to("http://127.0.0.1:9", "store");
    let good = sales(&[Sale::of("t-1")]);
    let mut comma = Sale::of("t-1");
    comma.customer = "Mihon, Taro".into();
    let wide: Vec<u8> = std::iter::once(0xfeff)
        .chain(good.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    let twice = good.replacen("transactionId,", "planId,transactionId,", 1);
    let twice = twice.replacen("\nt-1,", "\np-1,t-1,", 1);
    let cases = [
        (
            sales(&[comma]).into_bytes(),
            "line 2: transactionId: The row has more cells",
        ),
        (wide, "UTF-16"),
        (twice.into_bytes(), "could match: planId"),
    ];
    for (bytes, words) in cases {
        let file = desk.file("sales.csv", "");
        std::fs::write(&file, bytes).unwrap();
        let run = desk.wdesk(&["contracts", "enter", &file]).run().exits(2);
        assert!(run.stderr().contains(words), "{}", run.stderr());
        assert!(run.stderr().to_lowercase().contains("nothing was sent"));
    }
    assert!(desk.entries().is_empty());
}

#[test]
fn rows_that_stray_quotes_made_one_are_refused_by_their_lines() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let named = |transaction: &str, customer: &str| Sale {
        customer: customer.to_owned(),
        ..Sale::of(transaction)
    };
    for (second, third) in [("\"見本", "\"太郎"), ("\"見本 太郎", "見本 花子\"")] {
        let rows = [
            Sale::of("t-1"),
            named("t-2", second),
            named("t-3", third),
            Sale::of("t-4"),
        ];
        let file = desk.file("sales.csv", &sales(&rows));
        let run = desk.wdesk(&["contracts", "enter", &file]).run().exits(2);
        let said = run.stderr();
        assert!(said.contains("quote is not closed: lines 3 to 4"), "{said}");
        assert_eq!(service.sold(), []);
    }
}

#[test]
fn a_text_formula_is_its_text_and_any_other_is_asked_about_at_its_cell() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let formulas = ["=1+1", " =1+1", "\u{3000}＝A1", " =\"0003\""];
    let texts = ["=\"0001\"", "\"=\"\"0002\"\"\""];
    let codes: Vec<Sale> = texts
        .iter()
        .chain(&formulas)
        .copied()
        .map(Sale::of)
        .collect();
    let file = desk.file("sales.csv", &sales(&codes));
    let rejected = desk.folder().join("rejected.csv");
    let rejected = ["--rejected", rejected.to_str().unwrap()];
    let enter = [&["--json", "contracts", "enter", &file][..], &rejected].concat();
    let run = desk.wdesk(&enter).run().exits(4).json();
    let rejected = run["rejected"].as_array().unwrap();
    assert_eq!(rejected.len(), formulas.len());
    for (row, formula) in rejected.iter().zip(formulas) {
        let asked = &row["questions"][0];
        let cell = format!("A{}", row["line"]);
        assert_eq!(
            (&asked["cell"], &asked["text"]),
            (&cell.into(), &formula.into())
        );
    }
    let mut sold: Vec<String> = service.sold().into_iter().map(|sale| sale.0).collect();
    sold.sort();
    assert_eq!(sold, ["0001", "0002"]);
}

#[test]
fn a_cell_too_many_and_a_name_on_two_lines_stop_no_other_row() {
    let service = Service::start();
    let desk = Desk::connected(&service);
    let text = sales(&["t-1", "t-2", "t-3", "t-4"].map(Sale::of));
    let lines: Vec<String> = text
        .lines()
        .enumerate()
        .map(|(at, line)| match at {
            2 => format!("{line},,"),
            3 => line.replace("見本 太郎", "\"見本\r\n太郎\""),
            4 => format!("{line},x"),
            _ => line.to_owned(),
        })
        .collect();
    let file = desk.file("sales.csv", &lines.join("\n"));
    let rejected = desk.folder().join("rejected.csv");
    let enter = ["--json", "contracts", "enter", &file, "--rejected"];
    let run = desk
        .wdesk(&[&enter[..], &[rejected.to_str().unwrap()]].concat())
        .run()
        .exits(4);
    let bad = &run.json()["rejected"];
    assert_eq!(bad.as_array().unwrap().len(), 1, "{bad}");
    assert_eq!(bad[0]["problems"][0]["problem"], "extraCells");
    assert!(run.stderr().contains("more cells"), "{}", run.stderr());
    let mut sold: Vec<String> = service.sold().into_iter().map(|sale| sale.0).collect();
    sold.sort();
    assert_eq!(sold, ["t-1", "t-2", "t-3"]);
    let names = desk
        .entries()
        .into_iter()
        .map(|entry| entry["customerName"].clone());
    assert!(names.into_iter().all(|name| name == "見本 太郎"));
}
