//! Lists out of the real window into files: placed in the system's own dialog, whole, their owner's
//! alone, and readable here again.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::json;
use warranty_core::Field;
use warranty_core::files::layout::Layout;
use warranty_core::files::{Detected, FileError, FileRow, Mapping, ReadOptions, RunKind, open};
use warranty_sandbox::sample;

use crate::harness::{Desk, Sale, Setup, journey, until, until_some};

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
        let told = until_some(&format!("the page says that {name} is there"), async || {
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
        let shown = until_some(&format!("{list} are in another order"), async || {
            let now = self.script(&script).await;
            (now != before).then_some(now)
        })
        .await;
        let (file, _) = self
            .exports_as(list, &format!("{list}-by-{header}"), "csv")
            .await;
        let (detected, written) = table(&file);
        let mut headers = detected.headers.iter();
        let place = headers.position(|header| header == column);
        let place = place.expect("the file has the column");
        let ids: Vec<&str> = written
            .iter()
            .map(|row| row.cells.get(place).unwrap())
            .collect();
        let painted = shown.as_array().map_or(0, Vec::len);
        assert_eq!(json!(ids[..painted]), shown, "{list} by {header}");
        let rows = self.script_at("list", "return it.ariaRowCount - 1").await;
        assert_eq!(json!(ids.len()), rows, "{list} by {header}");
    }
}

/// What a file was found to be, and all its rows.
fn table(path: &Path) -> (Detected, Vec<FileRow>) {
    let read = || {
        let mut source = open(path, &ReadOptions::default())?;
        let rows = source.rows()?.collect::<Result<_, _>>()?;
        Ok::<_, FileError>((source.detected().clone(), rows))
    };
    read().expect("it can be read here again")
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_become_files() {
    journey(Setup::default(), writes_its_lists).await;
}

async fn writes_its_lists(desk: &mut Desk) {
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
        let (detected, mut rows) = table(&file);
        assert_eq!(rows.len(), 1, "one sale was made");
        let mapping = detected.guess(RunKind::Contracts);
        let mapping = mapping.with(RunKind::Contracts, &Mapping::default());
        let mapping = mapping.expect("no column of sales is there twice");
        let layout = Layout::of_file(RunKind::Contracts, None, &detected, &mapping);
        let layout = layout.expect("it has the columns of sales");
        let cells = layout.taken(detected.kind, rows.remove(0)).cells;
        for (field, text) in [
            (Field::TransactionId, sale.transaction_id),
            (Field::CustomerName, sale.customer),
            (Field::CustomerEmail, sale.email),
            (Field::ProductReferenceId, sale.product),
            (Field::PlanId, sale.plan),
        ] {
            assert_eq!(layout.cell(&cells, field), text);
        }
    }
    desk.shot("export-contracts").await;

    desk.go_to("products").await;
    let (file, told) = desk.exports("products", "xlsx").await;
    let products = sample::catalogue().len();
    assert_eq!(table(&file).1.len(), products);
    assert!(told.contains(&products.to_string()), "{told}");
    desk.shot("export-products").await;

    desk.exports_as_shown("products", "product", "price", "referenceId")
        .await;
    let all = desk.text("products-sums").await;
    desk.write("products-search", "冷蔵").await;
    until("some products are found", async || {
        desk.text("products-sums").await != all
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
    desk.shot("export-plans").await;
}
