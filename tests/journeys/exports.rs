//! Lists out of the real window into files: placed in the system's own dialog, whole, their owner's
//! alone, and readable here again.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use serde_json::json;
use warranty_core::files::{ReadOptions, Table};
use warranty_sandbox::sample;

use crate::harness::{Desk, Language, Sale, Setup, journey, journey_in, until};

impl Desk {
    /// Presses a list's button, names a place in the dialog, and gives the file and what is said.
    async fn exports(&self, list: &str, format: &str) -> (PathBuf, String) {
        self.exports_as(list, list, format).await
    }

    /// The same, under a name. The name of a file that is there would open the dialog's list of
    /// names, which takes the key that confirms.
    async fn exports_as(&self, list: &str, name: &str, format: &str) -> (PathBuf, String) {
        let name = format!("{name}.{format}");
        let path = self.folder().join(&name);
        self.press(&format!("{list}-export-{format}")).await;
        let title = self.language().word("export.title");
        self.answers_the_dialog(title, &path).await;
        let told = until(&format!("the page says that {name} is there"), async || {
            let told = self.text(&format!("{list}-export-told")).await;
            told.contains(&name).then_some(told)
        })
        .await;
        let facts = std::fs::metadata(&path).expect("the file is there");
        assert_eq!(facts.permissions().mode() & 0o777, 0o600);
        (path, told)
    }
}

impl Desk {
    /// Presses a list's header, and holds its file to the rows of the screen: to their order as far as
    /// they are painted, and to their number.
    async fn exports_as_shown(&self, list: &str, row: &str, header: &str, column: &str) {
        let script = format!(
            "return [...document.querySelectorAll('[data-testid=\"{row}-row\"]')]
                 .map((shown) => shown.dataset.{row})"
        );
        let before = self.script(&script).await;
        self.press(&format!("sort-{header}")).await;
        let shown = until(&format!("{list} are in another order"), async || {
            let now = self.script(&script).await;
            (now != before).then_some(now)
        })
        .await;
        let (file, _) = self
            .exports_as(list, &format!("{list}-by-{header}"), "csv")
            .await;
        let written = table(&file);
        let headers = &written.detected.headers;
        let place = headers.iter().position(|header| header == column);
        let place = place.expect("the file has the column");
        let ids: Vec<&str> = written.rows.iter().map(|row| &row.cells[place]).collect();
        let painted = shown.as_array().map_or(0, Vec::len);
        assert_eq!(json!(ids[..painted]), shown, "{list} by {header}");
        let rows = self
            .script("return document.querySelector('[data-testid=list]').ariaRowCount - 1")
            .await;
        assert_eq!(json!(ids.len()), rows, "{list} by {header}");
    }
}

fn table(path: &std::path::Path) -> Table {
    Table::read(path, &ReadOptions::default()).expect("it can be read here again")
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_become_files_in_japanese() {
    journey_in(Language::Japanese, lists_become_files).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_become_files_in_english() {
    journey(Setup::default(), lists_become_files).await;
}

async fn lists_become_files(desk: &mut Desk) {
    let sale = Sale {
        // A spreadsheet would calculate it.
        customer: "=1+1 見本",
        ..Sale::of_a_refrigerator()
    };
    desk.practise().await;
    desk.register(&sale).await;
    desk.receipt_is(&["confirmed"]).await;

    desk.go_to("contracts").await;
    for format in ["csv", "xlsx"] {
        let (file, _) = desk.exports("contracts", format).await;
        let rows = table(&file).contract_entries();
        let rows = rows.expect("it has the columns of sales");
        let [row] = rows.as_slice() else {
            panic!("one sale was made, not {}", rows.len());
        };
        assert_eq!(row.transaction_id, sale.transaction_id);
        assert_eq!(row.customer_name, sale.customer);
        assert_eq!(row.customer_email, sale.email);
        assert_eq!(row.product_reference_id, sale.product);
        assert_eq!(row.plan_id, sale.plan);
    }
    desk.shot(&format!("export-contracts-{}", desk.language().short()))
        .await;

    desk.go_to("products").await;
    let (file, told) = desk.exports("products", "xlsx").await;
    let products = sample::catalogue().len();
    assert_eq!(table(&file).rows.len(), products);
    assert!(told.contains(&products.to_string()), "{told}");
    desk.shot(&format!("export-products-{}", desk.language().short()))
        .await;

    desk.exports_as_shown("products", "product", "price", "referenceId")
        .await;
    let all = desk.text("products-sums").await;
    desk.write("products-search", "冷蔵").await;
    until("some products are found", async || {
        (desk.text("products-sums").await != all).then_some(())
    })
    .await;
    desk.exports_as_shown("products", "product", "title", "referenceId")
        .await;

    desk.go_to("plans").await;
    desk.write("plans-reference", sample::PRODUCT_REFRIGERATOR)
        .await;
    desk.press("plans-show").await;
    let (file, _) = desk.exports("plans", "csv").await;
    let text = std::fs::read_to_string(&file).expect("it can be read");
    assert!(text.contains(sample::REFRIGERATOR_PLAN_10_YEARS), "{text}");
    desk.exports_as_shown("plans", "plan", "price", "planId")
        .await;
    desk.shot(&format!("export-plans-{}", desk.language().short()))
        .await;
}
