//! A day's sales from a file: chosen in the system's dialog, its columns named, checked, run,
//! corrected and read in again. The service's ledger is the judge.

use std::path::Path;
use std::time::Duration;

use encoding_rs::SHIFT_JIS;
use warranty_sandbox::sample;

use crate::harness::{Desk, Language, PATIENCE, Service, UNTIL_REPEATED, journey_in, until_within};

/// As a till exports it; nobody but this store calls the e-mail address "contact".
const HEADERS: &str =
    "伝票番号,合計金額,販売日時,お客様氏名,連絡先,商品コード,商品価格,プランコード,保証料";

/// What the plan costs at the service.
const FEE: &str = "9490";

/// A row of a sale of the refrigerator.
fn row(transaction: u32, email: &str, plan: &str, fee: &str) -> String {
    let product = sample::PRODUCT_REFRIGERATOR;
    format!(
        "POS-{transaction:04},\"208,780\",2026/11/20 10:{transaction:02},見本　太郎,{email},{product},189800,{plan},{fee}"
    )
}

fn good(transaction: u32) -> String {
    row(
        transaction,
        "taro.mihon@sample.invalid",
        sample::REFRIGERATOR_PLAN_5_YEARS,
        FEE,
    )
}

/// Writes rows below the headers, as a Japanese Windows does.
fn write(path: &Path, rows: &[String]) {
    let text = format!("{HEADERS}\r\n{}\r\n", rows.join("\r\n"));
    let (bytes, _, unmapped) = SHIFT_JIS.encode(&text);
    assert!(!unmapped, "the text fits CP932");
    std::fs::write(path, bytes).expect("the file can be written");
}

impl Desk {
    pub async fn chooses(&self, path: &Path) {
        self.press("import-choose").await;
        let title = self.language().word("import.chooseTitle");
        self.answers_the_dialog(title, path).await;
    }

    pub async fn counts_rows(&self, name: &str, wanted: u32) {
        self.counts_rows_within(PATIENCE, name, wanted).await;
    }

    async fn counts_rows_within(&self, patience: Duration, name: &str, wanted: u32) {
        let count = format!("[data-testid=\"import-count-{name}\"] dd");
        let what = format!("{wanted} rows are counted as {name}");
        until_within(patience, &what, async || {
            let found = self.see_where(&count).await;
            found
                .text()
                .await
                .is_ok_and(|text| text == wanted.to_string())
        })
        .await;
    }

    async fn takes_column(&self, field: &str, column: u32) {
        self.bring_into_view(&format!("import-column-{field}"))
            .await
            .select_by_value(&column.to_string())
            .await
            .expect("the column can be chosen");
    }

    /// Where the run on screen stands, as the texts name it.
    async fn run_is(&self, state: &str) {
        let word = self.language().word(&format!("runState.{state}"));
        self.reads("import-run-state", word).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_days_sales_from_a_file_in_cp932_are_sold_once() {
    journey_in(Language::Japanese, async |desk: &mut Desk| {
        let mut service = Service::start().await;
        let sales = desk.folder().join("sales.csv");
        let mut rows: Vec<String> = (1..=11).map(good).collect();
        rows.push(row(
            12,
            "taro.mihon",
            sample::REFRIGERATOR_PLAN_5_YEARS,
            FEE,
        ));
        rows.push(row(13, "a@sample.invalid", "plan-of-nobody", FEE));
        rows.push(row(
            14,
            "a@sample.invalid",
            sample::REFRIGERATOR_PLAN_5_YEARS,
            "9000",
        ));
        rows.push(good(1));
        write(&sales, &rows);

        desk.connect(&service).await;
        desk.go_to("import").await;
        desk.see("import-choose").await;
        desk.shot("import-choose").await;
        names_the_columns(desk, &sales).await;
        is_checked_and_asks(desk, &service).await;
        goes_on_after_a_power_cut(desk, &mut service).await;
        let corrected = gets_the_rest_back_and_corrects_it(desk).await;
        sells_the_rest_and_nothing_twice(desk, &service, &corrected).await;
    })
    .await;
}

async fn names_the_columns(desk: &mut Desk, sales: &Path) {
    desk.chooses(sales).await;
    let encoding = desk.text("import-encoding").await;
    assert!(encoding.contains("Shift_JIS"), "{encoding}");
    let missing = desk.text("import-missing").await;
    assert!(missing.contains("メールアドレス"), "{missing}");
    desk.page_says("見本　太郎").await;
    desk.shot("import-columns").await;
    desk.takes_column("customerEmail", 4).await;
    desk.sees_no("import-missing").await;
}

async fn is_checked_and_asks(desk: &mut Desk, service: &Service) {
    desk.press("import-check").await;
    desk.see("import-start").await;
    desk.counts_rows("good", 11).await;
    desk.counts_rows("rejected", 4).await;
    let repeated = desk.language().word("import.repeatedRow");
    desk.page_says(&repeated.replace("{{line}}", "2")).await;
    // Each equal row is answered for itself.
    assert!(!desk.shows("import-answer-all-repeatedRow").await);
    let page = desk.page_text().await;
    for key in ["problem.notEmail", "problem.unknownPlan"] {
        let words = desk.language().word(key);
        assert!(page.contains(words), "{words} is said");
    }
    let row = desk.text("import-row-content").await;
    assert!(
        row.contains(sample::PRODUCT_REFRIGERATOR),
        "the row is named by its content: {row}"
    );
    desk.shot("import-checked").await;
    desk.press("import-answer").await;
    desk.counts_rows("good", 12).await;
    assert!(service.sold().await.is_empty(), "a check sells nothing");
}

async fn goes_on_after_a_power_cut(desk: &mut Desk, service: &mut Service) {
    service.go_down().await;
    desk.press("import-start").await;
    desk.see("import-run-state").await;
    desk.cut_the_power_and_start_again().await;
    service.come_back().await;
    desk.go_to("import").await;
    desk.press("import-past-open").await;
    desk.counts_rows_within(UNTIL_REPEATED, "confirmed", 12)
        .await;
    desk.run_is("done").await;
    desk.shot("import-done").await;
    assert_eq!(service.sold().await.len(), 12);
}

async fn gets_the_rest_back_and_corrects_it(desk: &mut Desk) -> std::path::PathBuf {
    let rest = desk.folder().join("rest.csv");
    desk.press("import-save-rejected").await;
    let title = desk.language().word("import.saveRejectedTitle");
    desk.answers_the_dialog(title, &rest).await;
    desk.see("import-saved").await;
    let written = std::fs::read_to_string(&rest).expect("the rows left out are there");
    assert_eq!(
        written.lines().count(),
        4,
        "headers and three rows: {written}"
    );
    assert!(written.contains(desk.language().word("problem.notEmail")));
    let mended = written
        .replace("\"taro.mihon\"", "taro.mihon@sample.invalid")
        .replace("plan-of-nobody", sample::REFRIGERATOR_PLAN_5_YEARS);
    std::fs::write(&rest, mended).expect("the file can be mended");
    rest
}

async fn sells_the_rest_and_nothing_twice(desk: &mut Desk, service: &Service, rest: &Path) {
    desk.press("import-another").await;
    desk.chooses(rest).await;
    desk.see("import-remembered").await;
    desk.press("import-check").await;
    desk.counts_rows("good", 2).await;
    desk.press("import-start").await;
    // The repeated row, without a yes, is the contract that was sold before.
    desk.counts_rows("confirmed", 3).await;

    desk.press("import-another").await;
    desk.chooses(rest).await;
    desk.press("import-check").await;
    desk.see("import-all-before").await;
    desk.shot("import-all-before").await;

    let mut sold: Vec<String> = service
        .sold()
        .await
        .into_iter()
        .map(|sale| sale.transaction_id)
        .collect();
    sold.sort();
    let wanted: Vec<String> = (1..=14).map(|number| format!("POS-{number:04}")).collect();
    assert_eq!(sold, wanted, "each sale once");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_of_the_till_is_compared_and_its_missing_sale_goes_into_the_sheet() {
    journey_in(Language::Japanese, async |desk: &mut Desk| {
        desk.practise().await;
        let list = desk.folder().join("list.csv");
        write(&list, &[good(1), good(2)]);
        desk.go_to("import").await;
        desk.chooses(&list).await;
        desk.takes_column("customerEmail", 4).await;
        desk.press("import-check").await;
        desk.press("import-start").await;
        desk.run_is("done").await;

        let cheaper = row(
            2,
            "taro.mihon@sample.invalid",
            sample::REFRIGERATOR_PLAN_5_YEARS,
            "9000",
        );
        write(&list, &[good(1), cheaper, good(3)]);
        desk.go_to("today").await;
        desk.press("today-compare").await;
        desk.chooses(&list).await;
        desk.press("import-compare").await;
        for (name, count) in [
            ("matched", 1),
            ("different", 1),
            ("missing", 1),
            ("extra", 0),
        ] {
            desk.counts_rows(name, count).await;
        }
        desk.shot("compared-with-the-till").await;
        desk.press("compared-into-sheet").await;
        desk.page_says("POS-0003").await;
        desk.shot("missing-sale-in-the-sheet").await;
    })
    .await;
}
