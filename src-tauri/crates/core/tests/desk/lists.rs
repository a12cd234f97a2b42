//! Lists into files: all that a filter finds, read back as it was.

use std::path::{Path, PathBuf};

use warranty_core::Error;
use warranty_core::api::{Amount, Personal, PlanFilter, PlanId};
use warranty_core::contracts::{EntryDraft, EntryFilter};
use warranty_core::export::{Exported, List};
use warranty_core::files::private_file::Existing;
use warranty_core::files::{FileRow, Format, ReadOptions, RunKind, guess};
use warranty_core::products::{KnownFrom, ProductFilter, ProductHint};
use warranty_core::vault::VaultError;
use warranty_sandbox::sample;

use crate::harness::{Stage, hint, product};
use crate::leads;
use crate::sales::{sale, sales};
use crate::steps::{Steps, refused, with};
use crate::whole_file::Table;

/// More than are read at once.
const MANY: usize = 2_010;

fn entries(filter: EntryFilter) -> List {
    List::Entries { filter }
}

fn all() -> List {
    // What a screen shows; a file holds all.
    entries(EntryFilter {
        limit: 300,
        ..EntryFilter::default()
    })
}

/// Writes a list in place of the last one.
pub async fn written(stage: &Stage, list: &List, name: &str) -> (PathBuf, Exported) {
    let path = stage.file(name);
    let format = Format::named(&path).unwrap();
    let export = stage
        .exports
        .list(list, &path, format, Existing::Replace)
        .await;
    (path, export.unwrap())
}

fn read(path: &Path) -> Table {
    Table::read(path, &ReadOptions::default()).unwrap()
}

fn in_order(mut rows: Vec<EntryDraft>) -> Vec<EntryDraft> {
    rows.sort_by(|a, b| a.transaction_id.cmp(&b.transaction_id));
    rows
}

/// Sales that spreadsheets, separators and quotes could make something else of.
fn odd_sales() -> Vec<EntryDraft> {
    let names = [
        "=HYPERLINK(\"http://sample.invalid\")",
        "'=1+1",
        "見本,\"花子\"; 次郎",
        "ﾐﾎﾝ　ﾀﾛｳ",
        "０１２",
        "1.23E+11",
    ];
    let codes = [
        "0000123", "-1", "=1+1", "+5", "@a", "1e5", "a,b", "a\"b", "a'b",
    ];
    let named = names
        .iter()
        .enumerate()
        .map(|(number, name)| with(sale(number), |it| it.customer_name = (*name).to_owned()));
    let coded = codes.iter().enumerate().map(|(number, code)| {
        with(sale(number + 100), |it| {
            it.transaction_id = (*code).to_owned()
        })
    });
    let mut rows: Vec<EntryDraft> = named.chain(coded).collect();
    let dates = [
        "2026-11-20T10:15:00.000+09:00",
        "2026-11-20T10:15:00.123-03:30",
        "2026-11-20T00:00:00.000+00:00",
    ];
    for (row, date) in rows.iter_mut().zip(dates.iter().cycle()) {
        row.transaction_date = (*date).to_owned();
    }
    rows
}

#[tokio::test]
async fn odd_texts_come_back_as_they_were_and_none_of_them_calculates() {
    let stage = Stage::practising().await;
    let rows = odd_sales();
    assert_eq!(stage.enter(&rows).await.rejected, 0);
    for name in ["list.csv", "list.xlsx"] {
        let (path, export) = written(&stage, &all(), name).await;
        assert_eq!(export.rows, rows.len() as u64);
        let back = read(&path).contract_entries().unwrap();
        assert_eq!(in_order(back.clone()), in_order(rows.clone()), "{name}");
        let again = stage.enter(&back).await;
        assert_eq!(again.already_entered, again.rows, "{name}");
        assert_eq!(again.differing, 0, "{name}");
    }
    let text = std::fs::read_to_string(stage.file("list.csv")).unwrap();
    let acts = |cell: &str| {
        cell.trim_start_matches('"')
            .starts_with(['=', '+', '-', '@', '＝'])
    };
    assert!(!text.split([',', '\n']).any(acts), "{text}");
}

#[tokio::test]
async fn a_list_is_whole_however_long_and_noted_without_saying_what_was_sought() {
    let stage = Stage::practising().await;
    let rows = sales(MANY);
    stage.enter(&rows).await;
    let wanted = entries(EntryFilter {
        text: "見本".into(),
        limit: 1,
        ..EntryFilter::default()
    });
    for list in [all(), wanted] {
        let (path, export) = written(&stage, &list, "list.csv").await;
        assert_eq!(export.rows, MANY as u64);
        let back = in_order(read(&path).contract_entries().unwrap());
        let ids = |rows: &[EntryDraft]| -> Vec<String> {
            rows.iter().map(|row| row.transaction_id.clone()).collect()
        };
        assert_eq!(ids(&back), ids(&rows));
    }
    let journal = stage.journal(2).await.unwrap();
    for line in journal {
        assert_eq!(line.action, "list.exported");
        assert_eq!(line.subject, "contracts");
        assert_eq!(line.detail, Some(format!("{MANY} rows")));
        assert!(!line.user.is_empty());
    }
}

#[tokio::test]
async fn products_come_back_as_products_page_after_page() {
    let stage = Stage::practising().await;
    let numbered = |number: usize| ProductHint {
        title: Some(format!("=見本の品 {number}")),
        price: Some(Amount::new(1_980).unwrap()),
        image_url: Some("https://sample.invalid/1.png".to_owned()),
        category: Some("家電".to_owned()),
        ..hint(&format!("{number:013}"))
    };
    let hints = (0..MANY).map(numbered).collect();
    stage.remember(hints, KnownFrom::Reference).await;
    let known = stage.find_products("見本の品", 10_000).await;
    let text = "見本の品".to_owned();
    for name in ["products.csv", "products.xlsx"] {
        let list = List::Products {
            filter: ProductFilter {
                text: text.clone(),
                ascending: true,
                ..ProductFilter::default()
            },
        };
        let (path, export) = written(&stage, &list, name).await;
        assert_eq!(export.rows, MANY as u64);
        let back = read(&path).product_drafts().unwrap();
        assert_eq!(back.len(), known.len());
        for (back, known) in back.iter().zip(&known) {
            assert_eq!(back.reference_id, known.product.reference_id.as_str());
            assert_eq!(Some(&back.title), known.product.title.as_ref());
            assert_eq!(back.price, "1980");
            assert_eq!(Some(&back.category), known.product.category.as_ref());
        }
    }
}

#[tokio::test]
async fn plans_and_leads_have_the_interfaces_columns() {
    let stage = Stage::practising().await;
    let product = product(sample::PRODUCT_REFRIGERATOR);
    let filter = PlanFilter::Any;
    let plan_list = stage.refresh(&product, filter).await;
    let offered = plan_list.plans.len() as u64;
    assert!(offered > 1);
    let ten_years = sample::REFRIGERATOR_PLAN_10_YEARS;
    let shown = Vec::new();
    let of_product = List::PlansOf {
        product,
        filter,
        shown: shown.clone(),
    };
    let found = |text: &str| List::Plans {
        text: text.to_owned(),
        shown: shown.clone(),
    };
    let plan_columns = "\"planId\",\"storeReferenceId\",\"title\",";
    let lead_columns = "\"transactionId\",\"productReferenceId\",";
    let lookup_columns = "\"contractId\",\"transactionId\",";
    for (list, first, rows) in [
        (of_product, plan_columns, offered),
        (found(""), plan_columns, offered),
        (found(ten_years), plan_columns, 1),
        (List::Leads { shown: None }, lead_columns, 0),
        (List::Lookups, lookup_columns, 0),
    ] {
        let (path, export) = written(&stage, &list, "list.csv").await;
        assert_eq!(export.rows, rows);
        let text = std::fs::read_to_string(&path).unwrap();
        let text = text.strip_prefix('\u{feff}').unwrap();
        assert!(text.starts_with(first), "{text}");
        assert_eq!(text.lines().count() as u64, rows + 1, "{text}");
        if first == plan_columns {
            let headers = read(&path).detected.headers;
            let guess = guess(&headers, RunKind::PlanLinks);
            assert_eq!((guess.missing, guess.repeated), (vec![], vec![]));
        }
    }
    let path = stage.file("plans.csv");
    let of_plan_list = stage
        .exports
        .plan_list(&plan_list, &path, Format::Csv, Existing::Refuse)
        .await;
    assert_eq!(of_plan_list.unwrap().rows, offered);
}

/// One column of a written list, from the first row to the last.
async fn column_of(stage: &Stage, list: List, name: &str) -> Vec<String> {
    let (path, export) = written(stage, &list, "list.csv").await;
    let table = read(&path);
    let headers = &table.detected.headers;
    let column = headers.iter().position(|header| header == name).unwrap();
    assert_eq!(table.rows.len() as u64, export.rows);
    let cell = |row: &FileRow| row.cells.get(column).unwrap().to_owned();
    table.rows.iter().map(cell).collect()
}

#[tokio::test]
async fn plans_are_written_as_they_are_shown_and_those_beyond_the_screen_behind_them() {
    let stage = Stage::practising().await;
    let product = product(sample::PRODUCT_REFRIGERATOR);
    let filter = PlanFilter::Any;
    let offered = stage.refresh(&product, filter).await;
    let mut ids: Vec<PlanId> = offered.plans.into_iter().map(|plan| plan.id).collect();
    ids.reverse();
    let expected: Vec<String> = ids.iter().map(ToString::to_string).collect();
    // On screen are all but two, the last first.
    let (shown, beyond) = ids.split_at(ids.len() - 2);
    for list in [
        List::PlansOf {
            product,
            filter,
            shown: shown.to_vec(),
        },
        List::Plans {
            text: String::new(),
            shown: shown.to_vec(),
        },
    ] {
        let written = column_of(&stage, list, "planId").await;
        let (first, rest) = written.split_at(shown.len());
        assert_eq!(first, &expected[..shown.len()]);
        assert_eq!(rest.len(), beyond.len());
        assert!(rest.iter().all(|id| expected[shown.len()..].contains(id)));
    }
}

#[tokio::test]
async fn only_the_leads_shown_are_written_and_in_their_order() {
    let stage = Stage::practising().await;
    let mut made = Vec::new();
    for _ in 0..4 {
        made.push(stage.lead(&leads::draft()).await);
    }
    let written = async |chosen: Option<&[usize]>| {
        let ids = |places: &[usize]| places.iter().map(|at| made[*at].id.clone()).collect();
        let shown = chosen.map(ids);
        column_of(&stage, List::Leads { shown }, "transactionId").await
    };
    let transactions = |places: &[usize]| -> Vec<String> {
        let transaction = |at: &usize| made[*at].transaction_id.clone();
        places.iter().map(transaction).collect()
    };
    let shown = [2, 0, 3];
    assert_eq!(written(Some(&shown)).await, transactions(&shown));
    assert_eq!(written(None).await, transactions(&[3, 2, 1, 0]));
}

#[tokio::test]
async fn a_customer_that_cannot_be_read_is_left_out_and_the_row_says_why() {
    let stage = Stage::practising().await;
    stage.enter(&sales(1)).await;
    let stage = stage.restarted().await;
    stage.vault.fail_with(Some(VaultError::Locked));
    for (column, cell) in [
        ("customer", "locked"),
        ("customerName", ""),
        ("transactionId", "T-00000"),
    ] {
        assert_eq!(column_of(&stage, all(), column).await, [cell]);
    }
}

#[tokio::test]
async fn what_cannot_be_written_leaves_nothing_behind_and_is_not_noted() {
    let stage = Stage::practising().await;
    stage.enter(&sales(3)).await;
    let folder = stage.file("place");
    std::fs::create_dir(&folder).unwrap();
    let taken = folder.join("taken.csv");
    std::fs::write(&taken, "before").unwrap();
    let (format, existing) = (Format::Csv, Existing::Refuse);
    let nowhere = folder.join("nowhere/list.csv");
    for path in [&taken, &nowhere, &folder] {
        let written = stage.exports.list(&all(), path, format, existing).await;
        refused!(written, Error::Write(_));
    }
    assert_eq!(std::fs::read_to_string(&taken).unwrap(), "before");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    let journal = stage.journal(50).await.unwrap();
    assert!(journal.iter().all(|line| line.action != "list.exported"));
}

#[tokio::test]
async fn a_desk_without_a_profile_writes_no_empty_file() {
    let stage = Stage::empty().await;
    let path = stage.file("list.xlsx");
    let leads = List::Leads { shown: None };
    let (format, existing) = (Format::Xlsx, Existing::Refuse);
    let written = stage.exports.list(&leads, &path, format, existing).await;
    refused!(written, Error::NoProfile);
    assert!(!path.exists());
}

#[tokio::test]
async fn notes_that_cannot_be_read_are_said_to_be_missing_from_an_export() {
    let stage = Stage::practising().await;
    let lead = stage.lead(&leads::draft()).await.id;
    stage
        .follow_up(&lead, None, Some(&Personal::new("call after six")))
        .await;
    stage.lead(&leads::draft()).await;
    let unread = async |stage: &Stage, shown| {
        let (_, export) = written(stage, &List::Leads { shown }, "leads.csv").await;
        export.unread_customers
    };
    assert_eq!(unread(&stage, None).await, 0);
    let stage = stage.restarted().await;
    stage.vault.fail_with(Some(VaultError::Locked));
    for shown in [None, Some(vec![lead])] {
        assert_eq!(unread(&stage, shown).await, 1);
    }
}
