//! Columns by name: which cell of a row is which field.

use super::{FileError, Table};
use crate::contracts::EntryDraft;
use crate::products::ProductDraft;
use crate::text::fold;

/// Where the column of this name stands; the first of several. Case, width and surrounding white
/// space do not matter.
pub(super) fn position(headers: &[String], name: &str) -> Option<usize> {
    let name = fold(name);
    headers
        .iter()
        .position(|header| fold(header).trim() == name)
}

/// The positions of columns that must be there, in the order asked for.
fn required<const N: usize>(
    headers: &[String],
    names: [&'static str; N],
) -> Result<[usize; N], FileError> {
    let found = names.map(|name| position(headers, name));
    let missing: Vec<String> = names
        .iter()
        .zip(&found)
        .filter(|(_, position)| position.is_none())
        .map(|(name, _)| (*name).to_owned())
        .collect();
    if missing.is_empty() {
        Ok(found.map(Option::unwrap_or_default))
    } else {
        Err(FileError::MissingColumns(missing))
    }
}

fn cell(row: &[String], position: usize) -> String {
    row.get(position).cloned().unwrap_or_default()
}

pub(super) fn contract_entries(table: &Table) -> Result<Vec<EntryDraft>, FileError> {
    let [id, total, name, email, product, price, plan, fee] = required(
        &table.headers,
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
    let date = position(&table.headers, "transactionDate");
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
        &table.headers,
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
