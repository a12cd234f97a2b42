//! Made-up sales: as a file that a back office hands in, and as the requests that come of it.

use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use warranty_core::files::Format;
use warranty_core::files::export::{Cell, Writer};
use warranty_core::files::private_file::Existing;

use crate::Outcome;

/// Contracts of one request, the interface's limit.
pub const PER_REQUEST: u32 = 10;
/// Products that the sales are of, in turn; each has one plan.
pub const PRODUCTS: u32 = 20;
/// What each of them costs.
pub const PRICE: u32 = 189_800;
/// What the plan of each costs.
pub const FEE: u32 = 6_640;

const HEADERS: &str = "transactionId,transactionTotal,transactionDate,customerName,customerEmail,\
                       productReferenceId,productPurchasePrice,planId,planPurchasePrice\r\n";

/// The plan of a product.
pub fn plan_of(product: &str) -> String {
    format!("plan-{product}-36")
}

fn product(row: u32) -> String {
    format!("20000000{:05}", row % PRODUCTS)
}

/// Writes a file of sales as spreadsheets save it: grouped amounts, slashes in dates, no offset.
pub fn write_file(path: &Path, rows: u32) -> io::Result<()> {
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    file.write_all(HEADERS.as_bytes())?;
    for row in 0..rows {
        let product = product(row);
        let plan = plan_of(&product);
        write!(
            file,
            "{row:012},\"200,000\",2026/11/20 18:05,見本　太郎,taro{row}@example.jp,{product},{PRICE},\
             {plan},{FEE}\r\n"
        )?;
    }
    file.flush()
}

/// Writes the rows of such a file as a workbook, its amounts as numbers.
pub fn write_workbook(csv: &Path, path: &Path) -> Outcome<()> {
    let mut rows = csv::Reader::from_path(csv)?;
    let headers: Vec<String> = rows.headers()?.iter().map(str::to_owned).collect();
    let amounts: Vec<bool> = headers
        .iter()
        .map(|header| header.ends_with("Total") || header.ends_with("Price"))
        .collect();
    let mut book = Writer::create(path, Format::Xlsx, Existing::Refuse, &headers)?;
    for row in rows.records() {
        let row = row?;
        let cells = row.iter().zip(&amounts).map(|(cell, amount)| {
            let number = cell.replace(',', "").parse::<i64>();
            number
                .ok()
                .filter(|_| *amount)
                .map_or_else(|| cell.into(), Cell::Number)
        });
        book.row(&cells.collect::<Vec<_>>())?;
    }
    book.finish()?;
    Ok(())
}

/// The bodies of the requests that enter so many of the same sales, ten in each.
pub fn bodies(rows: u32) -> Vec<String> {
    let starts = (0..rows).step_by(PER_REQUEST as usize);
    starts
        .map(|start| body(start, rows.min(start + PER_REQUEST)))
        .collect()
}

fn body(start: u32, end: u32) -> String {
    let mut body = String::from("{\"contracts\":[");
    for row in start..end {
        let product = product(row);
        let plan = plan_of(&product);
        let gap = if row == start { "" } else { "," };
        // Writing into a text cannot fail.
        let _ = write!(
            body,
            "{gap}{{\"transactionId\":\"{row:012}\",\"transactionTotal\":200000,\
             \"transactionDate\":\"2026-11-20T18:05:00.000+09:00\",\
             \"customer\":{{\"name\":\"見本　太郎\",\"email\":\"taro{row}@example.jp\"}},\
             \"product\":{{\"referenceId\":\"{product}\",\"purchasePrice\":{PRICE}}},\
             \"plan\":{{\"purchasePrice\":{FEE},\"planId\":\"{plan}\"}}}}"
        );
    }
    body.push_str("]}");
    body
}
