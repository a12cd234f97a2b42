//! Text output: tables, labelled lines, times and amounts.
//!
//! Escapes control characters in texts from the service or a file, so that they cannot control the
//! terminal.

use std::fmt::Write as _;

use chrono::Local;
use unicode_width::UnicodeWidthStr;
use warranty_core::api::{Stated, Timestamp};
pub use warranty_core::display::{grouped, visible};

/// A table; each column is as wide as its widest cell.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with headers.
    #[must_use]
    pub fn new(headers: &[&str]) -> Self {
        Self {
            rows: vec![headers.iter().map(|header| (*header).to_owned()).collect()],
        }
    }

    /// Adds a row.
    pub fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows
            .push(cells.iter().map(|cell| visible(cell)).collect());
    }

    /// The table as text, one line a row.
    #[must_use]
    pub fn text(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or_default();
        let width = |column: usize| {
            self.rows
                .iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.width())
                .max()
                .unwrap_or_default()
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(&widths) {
                line.push_str(cell);
                line.push_str(&" ".repeat(width - cell.width() + 2));
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// Labelled lines, for one thing with many fields.
#[derive(Debug, Default)]
pub struct KeyValues {
    lines: Vec<(String, String)>,
}

impl KeyValues {
    /// Adds a line.
    pub fn line(&mut self, label: &str, value: impl AsRef<str>) -> &mut Self {
        self.lines.push((label.to_owned(), visible(value.as_ref())));
        self
    }

    /// Adds a line for a field that may be absent.
    pub fn optional(&mut self, label: &str, value: Option<impl AsRef<str>>) -> &mut Self {
        match value {
            Some(value) => self.line(label, value),
            None => self.line(label, "-"),
        }
    }

    /// The lines as text.
    #[must_use]
    pub fn text(&self) -> String {
        let widest = self.lines.iter().map(|(label, _)| label.width()).max();
        let mut text = String::new();
        for (label, value) in &self.lines {
            let gap = " ".repeat(widest.unwrap_or_default() - label.width());
            let _ = writeln!(text, "{}", format!("{label}{gap}  {value}").trim_end());
        }
        text
    }
}

/// A local time, in this computer's time zone.
#[must_use]
pub fn when(moment: Timestamp) -> String {
    let local = moment.get().with_timezone(&Local);
    local.format("%Y-%m-%d %H:%M:%S").to_string()
}

/// An age in a readable unit.
#[must_use]
pub fn age(seconds: u32) -> String {
    match seconds {
        0..60 => format!("{seconds} s ago"),
        60..3_600 => format!("{} min ago", seconds / 60),
        3_600..172_800 => format!("{} h ago", seconds / 3_600),
        _ => format!("{} days ago", seconds / 86_400),
    }
}

/// An amount in an answer; `None` if it is absent.
#[must_use]
pub fn amount(value: &Stated) -> Option<String> {
    match value {
        Stated::Known(amount) => Some(grouped(amount.get())),
        Stated::Absent | Stated::NotUnderstood(_) => value.shown(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_text_cannot_act_on_the_terminal() {
        let mut table = Table::new(&["name"]);
        table.row(["\u{1b}]0;owned\u{7}\r\n\u{202e}x".to_owned()]);
        let text = table.text();
        assert_eq!(text.lines().count(), 2);
        assert!(!text.contains(['\u{1b}', '\u{7}', '\r', '\u{202e}']));
        assert!(text.contains("owned"));
    }

    #[test]
    fn columns_line_up_beside_wide_characters() {
        let mut table = Table::new(&["a", "b"]);
        table.row(["冷蔵庫".to_owned(), "1".to_owned()]);
        table.row(["abcdef".to_owned(), "2".to_owned()]);
        assert_eq!(table.text(), "a       b\n冷蔵庫  1\nabcdef  2\n");
    }
}
