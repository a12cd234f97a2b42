//! Columns by name: which cell of a row is which field.

use super::{FileError, Table};
use crate::contracts::EntryDraft;
use crate::products::ProductDraft;
use crate::text::fold;

/// The one column of an entry that may be absent.
const DATE: &str = "transactionDate";

/// Where the column of this name stands; the first of several. Case, width and surrounding white
/// space do not matter.
pub(super) fn position(headers: &[String], name: &str) -> Option<usize> {
    let name = fold(name);
    headers
        .iter()
        .position(|header| fold(header).trim() == name)
}

/// Refuses a table of which one would have to guess which cell is which field: a column of `names`
/// twice, or cells beyond the headers.
fn unambiguous(table: &Table, names: &[&str]) -> Result<(), FileError> {
    let repeated: Vec<String> = names
        .iter()
        .filter(|name| {
            let name = fold(name);
            let same = |header: &&String| fold(header).trim() == name;
            table.headers.iter().filter(same).count() > 1
        })
        .map(|name| (*name).to_owned())
        .collect();
    if !repeated.is_empty() {
        return Err(FileError::RepeatedColumns(repeated));
    }
    let extra = |row: &&Vec<String>| {
        let beyond = row.iter().skip(table.headers.len());
        beyond.into_iter().any(|cell| !cell.trim().is_empty())
    };
    match table
        .rows
        .iter()
        .zip(&table.lines)
        .find(|(row, _)| extra(row))
    {
        Some((_, line)) => Err(FileError::ExtraCells { line: *line }),
        None => Ok(()),
    }
}

/// The positions of columns that must be there, in the order asked for.
fn required<const N: usize>(
    table: &Table,
    names: [&'static str; N],
) -> Result<[usize; N], FileError> {
    let found = names.map(|name| position(&table.headers, name));
    let missing: Vec<String> = names
        .iter()
        .zip(&found)
        .filter(|(_, position)| position.is_none())
        .map(|(name, _)| (*name).to_owned())
        .collect();
    if !missing.is_empty() {
        return Err(FileError::MissingColumns(missing));
    }
    unambiguous(table, &names)?;
    Ok(found.map(Option::unwrap_or_default))
}

fn cell(row: &[String], position: usize) -> String {
    row.get(position).cloned().unwrap_or_default()
}

pub(super) fn contract_entries(table: &Table) -> Result<Vec<EntryDraft>, FileError> {
    let [id, total, name, email, product, price, plan, fee] = required(
        table,
        [
            "transactionId",
            "transactionTotal",
            "customerName",
            "customerEmail",
            "productReferenceId",
            "productPurchasePrice",
            "planId",
            "planPurchasePrice",
        ],
    )?;
    unambiguous(table, &[DATE])?;
    let date = position(&table.headers, DATE);
    Ok(table
        .rows
        .iter()
        .map(|row| EntryDraft {
            transaction_id: cell(row, id),
            transaction_total: cell(row, total),
            transaction_date: date.map(|date| cell(row, date)).unwrap_or_default(),
            customer_name: cell(row, name),
            customer_email: cell(row, email),
            product_reference_id: cell(row, product),
            product_purchase_price: cell(row, price),
            plan_id: cell(row, plan),
            plan_purchase_price: cell(row, fee),
        })
        .collect())
}

pub(super) fn product_drafts(table: &Table) -> Result<Vec<ProductDraft>, FileError> {
    let [reference, title, price, image, category] = required(
        table,
        ["referenceId", "title", "price", "imageUrl", "category"],
    )?;
    Ok(table
        .rows
        .iter()
        .map(|row| ProductDraft {
            reference_id: cell(row, reference),
            title: cell(row, title),
            price: cell(row, price),
            image_url: cell(row, image),
            category: cell(row, category),
        })
        .collect())
}
