//! Text output: tables, labelled lines, times and amounts.
//!
//! Escapes control characters in texts from the service or a file, so that they cannot control the
//! terminal.

use std::fmt::{Display, Write as _};
use std::iter::once;
use std::sync::OnceLock;

use chrono::{Local, Utc};
use serde::Serialize;
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;
use warranty_core::api::{Stated, Timestamp};
pub use warranty_core::display::visible;
use warranty_core::profile::Zone;

/// A table with a row for each of some things.
#[derive(Debug)]
pub struct Table<'a, T> {
    things: &'a [T],
    /// The headers, and the cells of each thing.
    rows: Vec<Vec<String>>,
}

impl<'a, T> Table<'a, T> {
    pub fn of(things: &'a [T]) -> Self {
        let rows = vec![Vec::new(); things.len() + 1];
        Self { things, rows }
    }

    /// Adds a column: its header, and what it shows of each thing.
    pub fn column<D: Display>(self, header: &str, cell: impl Fn(&'a T) -> D) -> Self {
        self.optional(header, |thing| Some(cell(thing)))
    }

    pub fn optional<D: Display>(mut self, header: &str, cell: impl Fn(&'a T) -> Option<D>) -> Self {
        self.rows[0].push(header.to_owned());
        for (row, thing) in self.rows[1..].iter_mut().zip(self.things) {
            let shown = cell(thing).map(|shown| shown.to_string());
            row.push(shown.unwrap_or_default());
        }
        self
    }

    pub fn text(self) -> String {
        aligned(self.rows)
    }
}

pub fn grid(headers: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let headers = headers.iter().map(|header| (*header).to_owned()).collect();
    aligned(once(headers).chain(rows).collect())
}

/// Rows as lines; each column is as wide as its widest cell.
fn aligned(mut rows: Vec<Vec<String>>) -> String {
    let mut widths = vec![0; rows[0].len()];
    for row in &mut rows {
        for (cell, width) in row.iter_mut().zip(&mut widths) {
            *cell = visible(cell);
            *width = cell.width().max(*width);
        }
    }
    let mut text = String::new();
    for row in &rows {
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

/// Labelled lines, for one thing with many fields.
#[derive(Debug, Default)]
pub struct KeyValues {
    lines: Vec<(String, String)>,
}

impl KeyValues {
    pub fn line(&mut self, label: impl Into<String>, value: impl Display) -> &mut Self {
        self.lines.push((label.into(), visible(&value.to_string())));
        self
    }

    /// Adds a line for a field that may be absent.
    pub fn optional(&mut self, label: impl Into<String>, value: Option<impl Display>) -> &mut Self {
        match value {
            Some(value) => self.line(label, value),
            None => self.line(label, "-"),
        }
    }

    /// Adds a line for each field of a type of the interface, by its name below this path.
    pub fn all(&mut self, path: &str, value: &impl Serialize) -> &mut Self {
        self.fields(path, &json!(value))
    }

    fn fields(&mut self, path: &str, value: &Value) -> &mut Self {
        let below = |name: &dyn Display| match path {
            "" => name.to_string(),
            _ => format!("{path}.{name}"),
        };
        match value {
            Value::Object(fields) if let Some(Value::String(odd)) = fields.get("notUnderstood") => {
                return self.optional(path, Stated::<String>::NotUnderstood(odd.clone()).shown());
            }
            Value::Object(fields) => {
                // What has fields of its own comes last.
                let (nested, plain): (Vec<_>, Vec<_>) = fields
                    .iter()
                    .partition(|(_, field)| field.is_object() || field.is_array());
                for (name, field) in plain.into_iter().chain(nested) {
                    self.fields(&below(name), field);
                }
            }
            Value::Array(items) => {
                for (number, item) in (1..).zip(items) {
                    self.fields(&below(&number), item);
                }
            }
            Value::Null => return self.line(path, "-"),
            Value::String(text) => return self.line(path, text),
            Value::Number(number) => match number.as_i64() {
                Some(whole) => return self.line(path, grouped(whole)),
                None => return self.line(path, number),
            },
            Value::Bool(yes) => return self.line(path, yes),
        }
        self
    }

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

/// A whole number with its digits in groups of three.
pub fn grouped(number: impl Into<i64>) -> String {
    warranty_core::display::grouped(number.into())
}

/// The time zone of the store of this command's profile.
static STORE_ZONE: OnceLock<Zone> = OnceLock::new();

/// From here on times are shown as they are at the store.
pub fn show_times_of(zone: Zone) {
    STORE_ZONE.get_or_init(|| zone);
}

/// A time at the store; without a profile, on this computer.
pub fn when(moment: Timestamp) -> String {
    let utc = moment.get().with_timezone(&Utc);
    let local = match STORE_ZONE.get() {
        Some(zone) => zone.at(utc),
        None => utc.with_timezone(&Local).fixed_offset(),
    };
    local.format("%Y-%m-%d %H:%M:%S").to_string()
}

pub fn age(seconds: u32) -> String {
    match seconds {
        0..60 => format!("{seconds} s ago"),
        60..3_600 => format!("{} min ago", seconds / 60),
        3_600..172_800 => format!("{} h ago", seconds / 3_600),
        _ => format!("{} days ago", seconds / 86_400),
    }
}

/// An amount in an answer; `None` if it is absent.
pub fn amount(value: &Stated) -> Option<String> {
    match value {
        Stated::Known(amount) => Some(grouped(*amount)),
        Stated::Absent | Stated::NotUnderstood(_) => value.shown(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_beside_wide_characters() {
        let rows = [("冷蔵庫", 1), ("abcdef", 2)];
        let text = Table::of(&rows)
            .column("a", |row| row.0)
            .column("b", |row| row.1)
            .text();
        assert_eq!(text, "a       b\n冷蔵庫  1\nabcdef  2\n");
    }

    #[test]
    fn every_field_of_an_answer_is_shown_with_its_name() {
        let answer = json!({
            "customer": {"name": "見本 太郎", "address": {"city": "港区"}},
            "fraud": false, "id": "c-1", "plans": [{"price": 5000}, {"price": null}], "store": null,
        });
        let expected = "\
            fraud                  false\n\
            id                     c-1\n\
            store                  -\n\
            customer.name          見本 太郎\n\
            customer.address.city  港区\n\
            plans.1.price          5,000\n\
            plans.2.price          -\n";
        assert_eq!(KeyValues::default().all("", &answer).text(), expected);
    }
}
