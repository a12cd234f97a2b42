//! The options for reading a file, which override what is detected, and the answers to its questions.
//!
//! Shared by every command that takes a file.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use warranty_core::bulk::from_file::FileToStage;
use warranty_core::bulk::{AnsweredRows, RunKind};
use warranty_core::contracts::{EnterMode, QuestionKind};
use warranty_core::files::{Detected, Encoding, Mapping, ReadOptions, Separator, column_aliases};
use warranty_core::{Desk, Error, Field};

use crate::messages::{self, list};
use crate::session::profile;
use crate::table::visible;
use crate::values::{ENCODINGS, HIDDEN_ROWS, QUESTIONS, SEPARATORS, one_of, whole};
use crate::{Exit, Failure, say, text};

#[derive(Debug, Clone, Args)]
pub struct FileArgs {
    /// Encoding of a text file
    #[arg(long, value_parser = one_of(ENCODINGS), default_value = "detect")]
    encoding: Encoding,
    /// Separator of the cells of a text file [default: the most frequent in its first lines]
    #[arg(long, value_parser = one_of(SEPARATORS))]
    separator: Option<Separator>,
    /// The sheet of a workbook [default: the first that has these columns; when others have rows
    /// too, the exit code is 4]
    #[arg(long, value_name = "NAME")]
    sheet: Option<String>,
    /// The line with the headers; 0 when there are none [default: the line that names most columns; none
    /// when the first row has an amount, a date or an e-mail address]
    #[arg(long, value_name = "LINE", value_parser = whole::<u32>)]
    header_line: Option<u32>,
    /// Read a field from this column, by its header or its number from 1, which needs --header-line when
    /// no header is known; may be repeated
    #[arg(long, value_name = "FIELD=COLUMN", value_parser = mapped)]
    map: Vec<(String, String)>,
    /// What to do with rows that a workbook hides, by a filter or by hand [default: they are left out,
    /// and the exit code is 4]
    #[arg(long, value_parser = one_of(HIDDEN_ROWS))]
    hidden_rows: Option<bool>,
}

/// What becomes of rows that ask something, or cannot be used.
#[derive(Debug, Clone, Args)]
pub struct AnswerArgs {
    /// Answer yes to this question for every row that asks it; may be repeated
    #[arg(long, value_parser = one_of(QUESTIONS), value_name = "QUESTION")]
    pub confirm: Vec<QuestionKind>,
    /// Take the good rows and write the others, with the reason, to this file, which must not exist yet
    ///
    /// Without it one bad row keeps the whole file from being begun (exit code 2). With it the exit
    /// code is that of the good rows; when all of them are done, or on a dry run, it is 4 for the
    /// rejected rows, and 2 when there is no good row.
    #[arg(long, value_name = "FILE")]
    pub rejected: Option<PathBuf>,
}

/// Rows of a workbook that were left out: hidden ones, and those of other sheets.
#[derive(Debug, Clone, Default, Serialize)]
pub struct LeftOut {
    #[serde(rename = "hiddenRows")]
    pub rows: u32,
    #[serde(skip)]
    lines: Vec<u32>,
    /// Whether the command line asked for this.
    #[serde(skip)]
    on_purpose: bool,
    /// Other sheets that have rows.
    #[serde(rename = "otherSheets")]
    sheets: Vec<String>,
}

/// Most columns named that are not used.
const MOST_COLUMNS: usize = 20;

impl LeftOut {
    pub fn report(&self) {
        if self.rows > 0 {
            let more = self.lines.len() < self.rows as usize;
            let lines = list(&self.lines) + if more { ", …" } else { "" };
            say(text(
                "wdesk.hiddenRows",
                &[("count", &self.rows), ("lines", &lines)],
            ));
        }
        if !self.sheets.is_empty() {
            let names = list(self.sheets.iter().map(|name| visible(name)));
            say(text("wdesk.otherSheets", &[("names", &names)]));
        }
    }

    /// The exit code once all other rows are done.
    pub fn exit(&self) -> Exit {
        let hides = self.rows > 0 && !self.on_purpose;
        Exit::first(&[(hides || !self.sheets.is_empty(), Exit::Person)])
    }
}

/// Says which of these fields no column is known for, with what follows from that by `key`, and which columns
/// of the file are not used: a quantity, for one, makes no second contract.
pub fn say_unknown_columns(staged: &FileToStage, key: &str, fields: &[Field]) {
    let mapping = &staged.mapping;
    let unknown = fields
        .iter()
        .filter(|field| mapping.column(**field).is_none());
    let unknown: Vec<Field> = unknown.copied().collect();
    if !unknown.is_empty() {
        say(text(key, &[("fields", &messages::names(&unknown))]));
    }
    let is_used = |at: u32| mapping.columns.iter().any(|mapped| mapped.column == at);
    let headers = (0..).zip(&staged.file.detected().headers);
    let unused = headers.filter(|(at, header)| !is_used(*at) && !header.trim().is_empty());
    let mut unused: Vec<String> = unused.map(|(_, header)| visible(header)).collect();
    if unused.len() > MOST_COLUMNS {
        unused.truncate(MOST_COLUMNS);
        unused.push("…".to_owned());
    }
    if !unused.is_empty() {
        say(text("wdesk.columns.unused", &[("names", &list(unused))]));
    }
}

impl FileArgs {
    /// Opens the file, and says which of its rows are left out. Columns come from `--map`, else from the
    /// choice made in the window for the same headers, else from the headers.
    pub async fn open(
        &self,
        desk: &Desk,
        path: &Path,
        kind: RunKind,
    ) -> Result<(FileToStage, LeftOut), Failure> {
        let profile_id = profile(desk).await?.id;
        let include_hidden = self.hidden_rows == Some(true);
        let options = ReadOptions {
            encoding: self.encoding,
            separator: self.separator,
            sheet: self.sheet.clone(),
            found_sheet: None,
            header_line: self.header_line,
            kind: None,
            include_hidden,
            headers: None,
        };
        let opened = desk.bulk.open_file(path, kind, options).await;
        let file = opened.map_err(Failure::opening(path))?;
        let detected = file.detected();
        let left_out = LeftOut {
            rows: if include_hidden {
                0
            } else {
                detected.hidden_rows
            },
            lines: detected.hidden_lines.clone(),
            on_purpose: self.hidden_rows.is_some(),
            sheets: detected.other_sheets.clone(),
        };
        if self.encoding == Encoding::Detect && detected.encoding == Some(Encoding::Cp932) {
            say(text("wdesk.readAsCp932", &[]));
        }
        let chosen = self.chosen(kind, detected)?;
        let mapping = file.mapping_with(&chosen).map_err(Error::File)?;
        // A choice made for one run of a script is not remembered for the window.
        let remember = false;
        Ok((
            FileToStage {
                profile_id,
                file,
                mapping,
                remember,
            },
            left_out,
        ))
    }

    fn chosen(&self, kind: RunKind, file: &Detected) -> Result<Mapping, Failure> {
        let mut chosen = Mapping::default();
        let mut is_named = false;
        for (name, column) in &self.map {
            let field = column_aliases::fields(kind).find(|(_, known, _)| known == name);
            let Some((field, ..)) = field else {
                return Err(Failure::column("unknownField", &[("name", name)]));
            };
            let by_name = by_header(file, column)?;
            let Some(column) = by_name.or_else(|| by_number(file, column)) else {
                return Err(Failure::column("unknownColumn", &[("name", column)]));
            };
            is_named |= by_name.is_some();
            chosen.set(field, Some(column));
        }
        // The first line of a file whose headers name nothing may be a row: as headers it would be lost
        // without a word.
        let guess = file.guess(kind);
        is_named |= !(guess.mapping.columns.is_empty() && guess.repeated.is_empty());
        match file.header_line {
            Some(line) if !self.map.is_empty() && self.header_line.is_none() && !is_named => {
                Err(Failure::column("maybeHeaders", &[("line", &line)]))
            }
            Some(_) | None => Ok(chosen),
        }
    }
}

impl AnswerArgs {
    /// Which rows are taken when some are rejected.
    pub fn mode(&self, dry_run: bool) -> EnterMode {
        match (dry_run, &self.rejected) {
            (true, _) => EnterMode::DryRun,
            (false, Some(_)) => EnterMode::GoodRows,
            (false, None) => EnterMode::AllOrNothing,
        }
    }

    /// Checks the rows of a staged run and answers their questions as the options say. Each line in
    /// `repeated` repeats an earlier row and is wanted as one more contract. Does nothing without
    /// answers.
    pub async fn answer(
        &self,
        desk: &Desk,
        id: &str,
        repeated: &[u32],
        progress: &(dyn Fn(u32, u32) + Sync),
    ) -> Result<(), Error> {
        if self.confirm.is_empty() && repeated.is_empty() {
            return Ok(());
        }
        desk.bulk.check(id, progress).await?;
        for question in &self.confirm {
            desk.bulk.answer(id, AnsweredRows::All, *question).await?;
        }
        if !repeated.is_empty() {
            let lines = AnsweredRows::Lines(repeated.to_vec());
            desk.bulk
                .answer(id, lines, QuestionKind::RepeatedRow)
                .await?;
        }
        Ok(())
    }
}

fn by_header(file: &Detected, column: &str) -> Result<Option<u32>, Failure> {
    let headers = (0..).zip(&file.headers);
    let mut found = headers.filter(|(_, header)| header.trim() == column.trim());
    let first = found.next().map(|(at, _)| at);
    match found.next() {
        Some(_) => Err(Failure::column("repeatedColumn", &[("name", &column)])),
        None => Ok(first),
    }
}

/// A column by its number from 1.
fn by_number(file: &Detected, column: &str) -> Option<u32> {
    let at = column.parse::<usize>().ok()?.checked_sub(1)?;
    u32::try_from(at).ok().filter(|_| at < file.headers.len())
}

fn mapped(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((field, column)) if !field.is_empty() && !column.is_empty() => {
            Ok((field.trim().to_owned(), column.to_owned()))
        }
        Some(_) | None => Err("write it like planId=プラン".to_owned()),
    }
}
