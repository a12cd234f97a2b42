//! Finds the line of a file that names its columns.
//!
//! Handles titles above the headers, and headers of two lines that merged cells produce: a group
//! name above several column names, and a name that spans both lines and is stored in the upper
//! one.

use super::column_aliases::{self, excludes_tax, key};
use super::{Cells, FileRow, RunKind, guess};
use warranty_model::Field;
use warranty_model::contracts::validation;
use warranty_model::search_text::fold;

/// Number of rows examined from the top.
pub(super) const LOOKED_AT: usize = 20;

/// The position and the texts of the headers.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    /// Line from 1; `None` when the file has no headers.
    pub line: Option<u64>,
    pub headers: Vec<String>,
}

/// The headers among the first rows of a file, for rows of this kind or of any.
pub(super) fn found(rows: &[FileRow], kind: Option<RunKind>) -> Head {
    match (best(rows, kind), rows.first()) {
        (Some(head), _) => head,
        // A file of product references needs no header. In another one, a first row with a value
        // of a sale is a sale: taken for headers, it would be lost without a word.
        (None, Some(first))
            if kind == Some(RunKind::ProductReferences)
                || first.cells.iter().any(validation::is_value) =>
        {
            without(first)
        }
        (None, Some(first)) => Head {
            line: Some(first.line),
            headers: first.cells.to_vec(),
        },
        (None, None) => Head::default(),
    }
}

/// The line of the first rows that names columns, if one does.
pub(super) fn named_at(rows: &[FileRow], kind: Option<RunKind>) -> Option<u64> {
    best(rows, kind)?.line
}

/// The row that names the most fields; the first one if several do.
fn best(rows: &[FileRow], kind: Option<RunKind>) -> Option<Head> {
    let mut best: Option<(usize, Head)> = None;
    for (at, row) in rows.iter().enumerate().take(LOOKED_AT) {
        let above = at.checked_sub(1).and_then(|above| rows.get(above));
        let (count, headers) = read(above, row, kind);
        if count >= enough(kind) && best.as_ref().is_none_or(|(most, _)| count > *most) {
            let line = Some(row.line);
            best = Some((count, Head { line, headers }));
        }
    }
    best.map(|(_, head)| head)
}

/// The headers on a line that the user chose.
pub(super) fn at(row: &FileRow, above: Option<&FileRow>, kind: Option<RunKind>) -> Head {
    Head {
        line: Some(row.line),
        headers: read(above, row, kind).1,
    }
}

/// The first row above the headers that looks like one of those below: more than half of the known
/// columns that hold codes or values have a cell that fits them. A title, a day or a name of a store
/// may stand above the headers.
pub(super) fn row_above(rows: &[FileRow], head: &Head, kind: RunKind) -> Option<u64> {
    let known = guess(&head.headers, kind).mapping.columns;
    let mut above = rows.iter().take_while(|row| Some(row.line) < head.line);
    let found = above.find(|row| {
        let fits = known
            .iter()
            .filter_map(|mapped| fits(mapped.field, mapped.cell(&row.cells)));
        let (fitting, others): (Vec<bool>, Vec<bool>) = fits.partition(|fits| *fits);
        fitting.len() > others.len()
    });
    found.map(|row| row.line)
}

/// Whether a cell may be one of a field; `None` for a field in which any text may be.
fn fits(field: Field, cell: &str) -> Option<bool> {
    if matches!(field, Field::Title | Field::Category | Field::CustomerName) {
        return None;
    }
    if !field.is_code() {
        return Some(validation::is_value(cell) || cell.contains("://"));
    }
    // A word of a title has no digit, or characters that codes do not have.
    let code = fold(cell.trim());
    let visible = code.bytes().all(|byte| byte.is_ascii_graphic());
    Some(visible && code.bytes().any(|byte| byte.is_ascii_digit()))
}

pub(super) fn without(first: &FileRow) -> Head {
    Head {
        line: None,
        headers: vec![String::new(); first.cells.len()],
    }
}

/// How many fields a line must name to be taken for the headers.
fn enough(kind: Option<RunKind>) -> usize {
    match kind {
        Some(RunKind::ProductReferences) => 1,
        Some(RunKind::Contracts | RunKind::Products | RunKind::PlanLinks) | None => 2,
    }
}

/// A line's headers and how many fields they name. A blank header is taken from the line directly
/// above if more fields are named that way.
fn read(above: Option<&FileRow>, row: &FileRow, kind: Option<RunKind>) -> (usize, Vec<String>) {
    let alone = named(row.cells.iter(), kind);
    let Some(above) = above.filter(|above| above.line + 1 == row.line) else {
        return (alone, row.cells.to_vec());
    };
    let width = row.cells.len().max(above.cells.len());
    let at = |cells: &Cells, index: usize| cells.get(index).unwrap_or_default().to_owned();
    let both: Vec<String> = (0..width)
        .map(|index| match at(&row.cells, index) {
            own if own.trim().is_empty() => at(&above.cells, index),
            own => own,
        })
        .collect();
    let count = named(both.iter().map(String::as_str), kind);
    // A row of data below the headers names no field itself, so it must not take theirs.
    if alone > 0 && count > alone {
        (count, both)
    } else {
        (alone, row.cells.to_vec())
    }
}

fn named<'a>(headers: impl Iterator<Item = &'a str>, kind: Option<RunKind>) -> usize {
    let keys: Vec<String> = headers.map(key).collect();
    let kinds = RunKind::ALL.into_iter();
    let kinds = kinds.filter(|one| kind.is_none_or(|kind| kind == *one));
    let counts = kinds.map(|kind| column_aliases::named(kind, &keys));
    match counts.max() {
        None | Some(0) => 0,
        // Such a name is a header too, but a person must say what it names.
        Some(count) => count + keys.iter().filter(|key| excludes_tax(key)).count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(lines: &[&str]) -> Vec<FileRow> {
        let row = |(index, line): (usize, &&str)| FileRow {
            line: index as u64 + 1,
            cells: line.split(',').collect(),
            numbers: Vec::new(),
        };
        lines.iter().enumerate().map(row).collect()
    }

    #[test]
    fn a_row_of_data_never_becomes_headers_by_those_above_it() {
        let rows = rows(&["transactionId,planId,date", "T-1,,", "T-2,p,"]);
        assert_eq!(found(&rows, None).line, Some(1));
    }

    #[test]
    fn names_nobody_knows_are_headers_when_they_stand_first() {
        let rows = rows(&["foo,bar", "1,2"]);
        let head = found(&rows, Some(RunKind::Contracts));
        assert_eq!((head.line, head.headers.len()), (Some(1), 2));
    }

    #[test]
    fn an_amount_without_tax_beside_a_known_name_makes_headers() {
        let sales = rows(&["11月の売上", "レシート番号,合計（税抜）", "R-1,500"]);
        for kind in [None, Some(RunKind::Contracts)] {
            assert_eq!(found(&sales, kind).line, Some(2));
        }
        let codes = rows(&["価格表（税抜）", "商品コード", "490"]);
        let kind = Some(RunKind::ProductReferences);
        assert_eq!(found(&codes, kind).line, Some(2));
    }

    #[test]
    fn a_first_row_with_an_amount_a_date_or_an_address_is_a_row_and_no_headers() {
        for first in [
            "T-1,5000円",
            "T-1,2026/11/21",
            "T-1,a@example.jp",
            "T-1,５０００",
        ] {
            let rows = rows(&[first, "T-2,"]);
            let head = found(&rows, Some(RunKind::Contracts));
            let width = rows[0].cells.len();
            assert_eq!(head.line, None);
            assert_eq!(head.headers, vec![String::new(); width]);
        }
        let named = rows(&["transactionId,planId,2026", "T-1,p,1"]);
        assert_eq!(found(&named, Some(RunKind::Contracts)).line, Some(1));
    }

    #[test]
    fn a_column_of_references_is_read_with_and_without_its_name() {
        let named = rows(&["商品コード", "490"]);
        let kind = Some(RunKind::ProductReferences);
        assert_eq!(found(&named, kind).line, Some(1));
        let bare = rows(&["490", "491"]);
        let head = found(&bare, kind);
        assert_eq!((head.line, head.headers), (None, vec![String::new()]));
    }
}
