//! Hostile texts in every column of a file, and as addresses to open.

use chrono::{DateTime, Utc};

use super::texts::{Hostile, combined, corpus, long};
use super::whole_file::Table;
use crate::contracts::EntryDraft;
use crate::contracts::validation::{self, KnownCodes};
use crate::files::{Encoding, FileError};
use crate::products::ProductDraft;
use crate::{Field, FieldProblem};
use warranty_model::profile::Zone;

const CONTRACT: [(&str, &str, Field); 9] = [
    ("transactionId", "T-1", Field::TransactionId),
    ("transactionTotal", "118000", Field::TransactionTotal),
    (
        "transactionDate",
        "2026-11-21T10:00:00+09:00",
        Field::TransactionDate,
    ),
    ("customerName", "見本 太郎", Field::CustomerName),
    ("customerEmail", "taro@example.com", Field::CustomerEmail),
    ("productReferenceId", "SKU-1", Field::ProductReferenceId),
    ("productPurchasePrice", "98000", Field::ProductPurchasePrice),
    ("planId", "p-1", Field::PlanId),
    ("planPurchasePrice", "20000", Field::PlanPurchasePrice),
];

const PRODUCT: [(&str, &str, Field); 5] = [
    ("referenceId", "SKU-1", Field::ProductReferenceId),
    ("title", "見本の冷蔵庫", Field::Title),
    ("price", "98000", Field::Price),
    ("imageUrl", "https://example.com/a.png", Field::ImageUrl),
    ("category", "冷蔵庫", Field::Category),
];

/// A file with one row that holds the text in one column.
fn file(columns: &[(&str, &str, Field)], at: usize, text: &str) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new()
        .quote_style(csv::QuoteStyle::Always)
        .from_writer(Vec::new());
    writer
        .write_record(columns.iter().map(|(name, _, _)| name))
        .unwrap();
    let cells = columns
        .iter()
        .enumerate()
        .map(|(index, (_, usual, _))| if index == at { text } else { usual });
    writer.write_record(cells).unwrap();
    writer.into_inner().unwrap()
}

/// The row, or the error of the whole file.
fn table(columns: &[(&str, &str, Field)], at: usize, hostile: &Hostile) -> Option<Table> {
    let text = hostile.text()?;
    let table = Table::parse(&file(columns, at, &text), Encoding::Utf8);
    match table {
        Ok(table) => {
            assert_eq!(table.rows.len(), 1, "{}", hostile.name);
            assert!(
                table.rows[0].cells.get(at) == Some(&*text),
                "{} was altered",
                hostile.name
            );
            Some(table)
        }
        Err(FileError::NotText { .. }) if text.contains('\0') => None,
        Err(error) => panic!("{} in {}: {error}", hostile.name, columns[at].0),
    }
}

fn only(field: Field, problems: &[FieldProblem], what: &str) {
    let others = problems.iter().any(|problem| problem.field != field);
    assert!(!problems.is_empty() && !others, "{what}: {problems:?}");
}

/// Whether a text is short and has no control characters, as a code must be.
fn is_plain(text: &str) -> bool {
    !text.chars().any(char::is_control) && text.chars().count() <= 512
}

fn contract(draft: &EntryDraft, now: DateTime<Utc>, field: Field, what: &str) {
    match validation::entry(draft, now, Zone::fixed(540), &KnownCodes::default()) {
        Ok(item) => {
            let texts = [
                item.transaction_id.as_str(),
                item.customer.name.expose(),
                item.product.reference_id.as_str(),
                item.plan.plan_id.as_str(),
            ];
            assert!(texts.into_iter().all(is_plain), "{what}");
            assert!(item.customer.email.expose().len() <= 254, "{what}");
        }
        Err(problems) => only(field, &problems, what),
    }
}

fn product(draft: &ProductDraft, field: Field, what: &str) {
    match crate::products::validation::check(draft, &KnownCodes::default()) {
        Ok(put) => {
            assert!(!put.title.chars().any(char::is_control), "{what}");
            assert!(!put.category.chars().any(char::is_control), "{what}");
            let address = url::Url::parse(&put.image_url).unwrap();
            assert!(matches!(address.scheme(), "https" | "http"), "{what}");
        }
        Err(problems) => only(field, &problems, what),
    }
}

#[test]
fn a_hostile_cell_is_text_or_a_problem_of_its_own_column() {
    let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
    let mut texts = corpus();
    texts.extend(combined(if long() { 5_000 } else { 100 }));
    let mut tried = 0;
    for hostile in &texts {
        for (at, (name, _, field)) in CONTRACT.iter().enumerate() {
            let what = format!("{name} ← {}", hostile.name);
            let Some(table) = table(&CONTRACT, at, hostile) else {
                continue;
            };
            contract(&table.contract_entries().unwrap()[0], now, *field, &what);
            tried += 1;
        }
        for (at, (name, _, field)) in PRODUCT.iter().enumerate() {
            let what = format!("{name} ← {}", hostile.name);
            let Some(table) = table(&PRODUCT, at, hostile) else {
                continue;
            };
            product(&table.product_drafts().unwrap()[0], *field, &what);
            tried += 1;
        }
    }
    println!(
        "PROOF hostile files: {} texts x 14 columns = {tried} files, 0 panics, 0 altered",
        texts.len()
    );
}

#[test]
fn a_hostile_header_is_a_column_of_another_name() {
    for hostile in corpus() {
        let Some(text) = hostile.text() else { continue };
        let mut columns = CONTRACT;
        columns[0].0 = &text;
        let Ok(table) = Table::parse(&file(&columns, 1, "1"), Encoding::Utf8) else {
            continue;
        };
        assert!(
            matches!(table.contract_entries(), Err(FileError::MissingColumns(_))),
            "{}",
            hostile.name
        );
    }
}

#[test]
fn of_all_hostile_addresses_only_https_ones_with_a_host_may_be_opened() {
    let mut opened = Vec::new();
    for hostile in corpus().into_iter().chain(combined(2_000)) {
        let Some(text) = hostile.text() else { continue };
        let Some(page) = crate::plans::page(&text) else {
            continue;
        };
        let shown = warranty_model::interface::shown_host(&page);
        assert!(page.as_str().starts_with("https://"), "{}", hostile.name);
        // The displayed address is the one that is requested, in ASCII, so that no letter imitates
        // another.
        assert!(shown.is_ascii() && !shown.is_empty(), "{}", hostile.name);
        assert!(page.as_str().is_ascii(), "{}", hostile.name);
        if hostile.kind != "made" {
            opened.push(hostile.name);
        }
    }
    assert_eq!(
        opened,
        [
            "url-backslashes",
            "url-punycode",
            "url-idn-look-alike",
            "url-full-width-dot",
            "url-port",
            "url-no-host",
            "url-ip-as-number",
            "url-bidi",
            "url-shell",
            "url-plain",
        ]
    );
}
