//! Files that cannot be entered as they are: each problem named at its line, nothing sent.

use serde_json::json;

use crate::harness::{Sale, sales, shop, status};

#[test]
fn every_kind_of_bad_row_is_named_at_its_line_and_keeps_the_file_out() {
    let (service, desk) = shop();
    let bad = |transaction: &str| Sale::of(transaction);
    let another = warranty_sandbox::sample::PRODUCT_NOTEBOOK;
    let rows = [
        (
            bad("b-1").product("2099999999999"),
            "productReferenceId: The service does not know this",
        ),
        (
            bad("b-2").product(another),
            "planId: This plan belongs to another product",
        ),
        (
            bad("b-3").plan("plan-nobody-has"),
            "planId: The service does not know this plan",
        ),
        (
            bad("b-4").email("taro.example.jp"),
            "customerEmail: Enter a valid email address.",
        ),
        (
            bad("b-5").total("1980.5"),
            "transactionTotal: Enter a whole number",
        ),
        (
            bad("b-6").fee("abc"),
            "planPurchasePrice: Enter a whole number",
        ),
        (
            bad("1.23E+11"),
            "transactionId: A spreadsheet seems to have rounded this number",
        ),
        (bad("b-8").customer(""), "customerName: Required"),
        (bad("b-9").fee("1"), "The plan now costs"),
    ];
    let good = Sale::of("good-1");
    let all = [&good].into_iter().chain(rows.iter().map(|(row, _)| row));
    desk.sales("sales.csv", all);
    let run = desk.run("contracts enter sales.csv").exits(2);
    let said = run.says("Nothing was entered").stderr();
    for (number, (_, words)) in rows.iter().enumerate() {
        let line = format!("line {}: ", number + 3);
        let named = said
            .lines()
            .any(|told| told.starts_with(&line) && told.contains(words));
        assert!(named, "{words:?} is not at {line}of {said}");
    }
    assert!(desk.entries().is_empty());
    assert_eq!(service.bulk_requests(), 0);
}

#[test]
fn bad_rows_come_back_as_a_file_that_can_be_corrected_and_entered() {
    let (service, desk) = shop();
    // Without a good row it is bad input, and still comes back.
    let bad = Sale::of("t-2").email("nobody");
    let none = desk.enter([bad], "--rejected none.csv").exits(2);
    none.says("nothing was sent");
    assert!(desk.read("none.csv").contains("nobody"));
    assert!(desk.entries().is_empty());

    let rows = [
        Sale::of("t-1"),
        Sale::of("t-2").email("nobody"),
        Sale::of("t-3"),
    ];
    let run = desk.enter(rows, "--rejected rejected.csv").exits(4);
    let problem = json!({"field": "customerEmail", "problem": "notEmail"});
    let run = run.has("entered", 2).has("found/0/line", 3);
    run.has("found/0/problems/0", problem);
    service.has_sold(2);

    let returned = desk.read("rejected.csv");
    assert!(returned.contains("reason"), "{returned}");
    assert!(
        returned.contains("Email: Enter a valid email address."),
        "{returned}"
    );
    desk.file(
        "corrected.csv",
        &returned.replace("nobody", "taro@example.jp"),
    );
    desk.does("contracts enter corrected.csv");
    service.has_sold(3);
}

#[test]
fn reasons_are_in_the_language_of_the_window() {
    let (_service, desk) = shop();
    let set = "INSERT INTO setting (name, value) VALUES ('language', 'ja')";
    desk.database().execute(set, []).unwrap();
    let bad = Sale::of("t-1").email("nobody");
    desk.enter([bad], "--rejected rejected.csv").exits(2);
    let returned = desk.read("rejected.csv");
    assert!(returned.contains("メールアドレス"), "{returned}");
}

#[test]
fn rows_left_out_do_not_hide_what_became_of_the_others() {
    let (service, desk) = shop();
    let enter = |transaction: &str, more: &str, code: i32| {
        let rows = [Sale::of(transaction), Sale::of("bad").email("nobody")];
        desk.enter(
            rows,
            format!("--rejected rejected-{transaction}.csv {more}"),
        )
        .exits(code);
    };
    enter("t-1", "", 4);
    enter("t-2", "--no-wait", 5);
    enter("t-3", "--dry-run", 4);
    service.answers_sales(&status(400));
    enter("t-4", "--wait 5", 3);
    service.behave(&json!("wrong-token"));
    enter("t-5", "--wait 5", 4);
}

#[test]
fn a_place_for_rejected_rows_that_cannot_be_written_stops_before_anything_is_entered() {
    let (service, desk) = shop();
    desk.file("kept.csv", "the only copy");
    for place in ["/nowhere/rejected.csv", "sales.csv", "kept.csv"] {
        let run = desk.enter(["t-1"], ["--rejected", place]).exits(2);
        run.fails_with("fileNotWritten");
    }
    assert_eq!(desk.read("kept.csv"), "the only copy");
    assert!(desk.entries().is_empty());
    service.has_sold(0);
}

#[test]
fn the_lead_and_the_product_say_which_field_is_wrong_and_send_nothing() {
    let (service, desk) = shop();
    let of = "--transaction-id t-1 --product p-1 --purchase-price 12.5 --quantity 0";
    let lead = desk.json(format!("leads create {of}")).exits(2);
    let problems = lead.at("error/problems").to_string();
    assert!(problems.contains("productPurchasePrice"), "{problems}");
    assert!(problems.contains("quantity"), "{problems}");
    let put = "--reference-id r-1 --title t --price -1 --image-url nowhere --category c";
    desk.run(format!("products put {put}"))
        .exits(2)
        .says("--image-url");
    assert_eq!(service.requests("", ""), 0);
}

#[test]
fn a_row_entered_before_with_other_data_is_named_and_changes_nothing() {
    let (service, desk) = shop();
    desk.enter(["t-1", "t-2"], "").exits(0);
    let before = (service.ledger(), desk.entries());
    let other = Sale::of("t-2").total("210000").email("hanako@example.jp");
    let run = desk
        .enter([Sale::of("t-1"), other], "")
        .exits(4)
        .says("line 3: ");
    assert_eq!(run.count("found"), 1);
    let fields = json!(["transactionTotal", "customerEmail"]);
    let run = run.has("alreadyEntered", 2).has("found/0/line", 3);
    run.has("found/0/differs", fields);
    assert_eq!((service.ledger(), desk.entries()), before);
}

#[test]
fn a_dry_run_says_what_could_be_entered_and_whether_the_service_was_asked() {
    let (service, desk) = shop();
    desk.sales("sales.csv", ["t-1", "t-2"]);
    let dry = || desk.run("contracts enter sales.csv --dry-run");
    let run = dry()
        .exits(0)
        .prints("can be used")
        .prints("nothing was entered");
    run.does_not_print("entered now")
        .does_not_print("not checked");
    assert_eq!(service.bulk_requests(), 0);
    drop(service);
    dry()
        .exits(5)
        .prints("not checked")
        .says("could not be reached");
    desk.does("token remove");
    dry().exits(5).says("no token");
    assert!(desk.entries().is_empty());
}

#[test]
fn a_file_that_is_no_table_or_whose_cells_could_be_mistaken_for_others_is_refused() {
    let (service, desk) = shop();
    for (text, words) in [
        (
            "transactionId,customerName\nt-1,Taro\n".to_owned(),
            "planId",
        ),
        (
            sales([Sale::of("t-1").customer("Mihon, Taro")]),
            "line 2: transactionId: The row has more cells",
        ),
        // Rows that stray quotes made one.
        (
            sales(["見本", "\"見本", "\"太郎", "見本"].map(|it| Sale::of("t-1").customer(it))),
            "quote is not closed: lines 3 to 4",
        ),
    ] {
        desk.file("sales.csv", &text);
        let run = desk.run("contracts enter sales.csv").exits(2).says(words);
        let said = run.stderr().to_lowercase();
        assert!(said.contains("nothing was sent") || said.contains("nothing was entered"));
    }
    desk.file("sales.csv", "transactionId,customerName\nt-1,Taro\n");
    let run = desk.json("contracts enter sales.csv").exits(2);
    run.fails_with("file").has("error/mayHaveChanged", "no");
    assert!(desk.entries().is_empty());
    service.has_sold(0);
}

#[test]
fn a_text_formula_is_its_text_and_any_other_is_asked_about_at_its_cell() {
    let (service, desk) = shop();
    let formulas = ["=1+1", " =1+1", "\u{3000}＝A1", " =\"0003\""];
    let texts = ["=\"0001\"", "\"=\"\"0002\"\"\""];
    let rows = texts.iter().chain(&formulas).copied();
    let run = desk.enter(rows, "--rejected rejected.csv").exits(4);
    assert_eq!(run.count("found"), formulas.len());
    for (at, formula) in formulas.into_iter().enumerate() {
        let asked = run.at(&format!("found/{at}/questions/0"));
        let cell = format!("A{}", run.at(&format!("found/{at}/line")));
        assert_eq!(
            (&asked["cell"], &asked["text"]),
            (&json!(cell), &json!(formula))
        );
    }
    assert_eq!(service.transactions(), ["0001", "0002"]);
}
