//! The options for reading a file, which override what is detected.
//!
//! Shared by every command that takes a file.

use std::path::Path;

use clap::{Args, ValueEnum};
use warranty_core::bulk::from_file::FileToStage;
use warranty_core::bulk::{AnsweredRows, RunKind};
use warranty_core::contracts::QuestionKind;
use warranty_core::files::{Detected, Mapping, ReadOptions, Separator, column_aliases};
use warranty_core::{Desk, Error};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::messages::text;
use crate::output::say;
use crate::session::Session;
use crate::values::EncodingArg;

/// Options for reading a file.
#[derive(Debug, Clone, Args)]
pub struct FileArgs {
    /// Encoding of a text file
    #[arg(long, value_enum, default_value = "detect")]
    pub encoding: EncodingArg,
    /// Separator of the cells of a text file [default: the most frequent in its first lines]
    #[arg(long, value_enum)]
    pub separator: Option<SeparatorArg>,
    /// The sheet of a workbook [default: the first that has these columns]
    #[arg(long, value_name = "NAME")]
    pub sheet: Option<String>,
    /// The line with the headers; 0 when there are none [default: the line that names most columns]
    #[arg(long, value_name = "LINE")]
    pub header_line: Option<u32>,
    /// Read a field from this column, by its header or its number from 1; may be repeated
    #[arg(long, value_name = "FIELD=COLUMN", value_parser = mapped)]
    pub map: Vec<(String, String)>,
    /// What to do with rows that a workbook hides, by a filter or by hand [default: they are left out,
    /// and the exit code is 4]
    #[arg(long, value_enum)]
    pub hidden_rows: Option<HiddenArg>,
}

/// Answers to the questions that rows of a file ask.
#[derive(Debug, Clone, Args)]
pub struct AnswerArgs {
    /// Answer yes to this question for every row that asks it; may be repeated
    #[arg(long, value_enum, value_name = "QUESTION")]
    pub confirm: Vec<QuestionArg>,
}

/// What to do with rows that a workbook hides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HiddenArg {
    /// Read them like the others
    Include,
    /// Leave them out
    LeaveOut,
}

/// Questions that may be answered for all rows of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum QuestionArg {
    /// A code is a number in the workbook, and its format does not show what a person sees: use the
    /// number with all of its digits
    CellText,
    /// The service has another price for the plan now: sell at the fee in the file
    ChangedPrice,
    /// The service has a price that is no whole number: sell at the fee in the file
    PriceNotUnderstood,
    /// The sale may already have a contract: sell it, perhaps a second time. Ask the provider first
    SecondContract,
}

/// Hidden rows of a workbook that were skipped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HiddenRows {
    /// How many.
    pub rows: u32,
    /// The lines of the first hidden rows.
    pub lines: Vec<u32>,
    /// Whether the command line asked for this.
    pub on_purpose: bool,
}

impl HiddenRows {
    /// Reports them on stderr.
    pub fn report(&self) {
        if self.rows == 0 {
            return;
        }
        let lines: Vec<String> = self.lines.iter().map(u32::to_string).collect();
        let more = usize::try_from(self.rows).is_ok_and(|rows| rows > lines.len());
        let lines = lines.join(", ") + if more { ", …" } else { "" };
        say(text(
            "wdesk.hiddenRows",
            &[("count", &self.rows.to_string()), ("lines", &lines)],
        ));
    }

    /// The exit code once all other rows are done.
    pub fn exit(&self) -> Exit {
        if self.rows > 0 && !self.on_purpose {
            Exit::Person
        } else {
            Exit::Done
        }
    }
}

/// Separator of the cells.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum SeparatorArg {
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// Tabulator
    Tab,
}

impl FileArgs {
    /// Opens the file. Columns come from `--map`, else from the choice made in the window for the same
    /// headers, else from the headers.
    ///
    /// # Errors
    /// [`Failure::UnknownField`], [`Failure::UnknownColumn`]; errors of the core for unreadable files.
    pub async fn file(
        &self,
        session: &Session,
        path: &Path,
        kind: RunKind,
    ) -> Result<FileToStage, Failure> {
        let profile_id = session.profile().await?.id;
        let file = session
            .desk
            .bulk
            .open_file(path, kind, self.options())
            .await?;
        let chosen = self.chosen(kind, file.detected())?;
        let mapping = file.mapping_with(&chosen).map_err(Error::File)?;
        Ok(FileToStage {
            profile_id,
            file,
            mapping,
            // A choice made for one run of a script is not remembered for the window.
            remember: false,
        })
    }

    /// The hidden rows of a file that are skipped.
    pub fn left_out(&self, file: &FileToStage) -> HiddenRows {
        let detected = file.file.detected();
        if self.hidden_rows == Some(HiddenArg::Include) {
            return HiddenRows::default();
        }
        HiddenRows {
            rows: detected.hidden_rows,
            lines: detected.hidden_lines.clone(),
            on_purpose: self.hidden_rows.is_some(),
        }
    }

    fn options(&self) -> ReadOptions {
        ReadOptions {
            encoding: self.encoding.into(),
            separator: self.separator.map(|separator| match separator {
                SeparatorArg::Comma => Separator::Comma,
                SeparatorArg::Semicolon => Separator::Semicolon,
                SeparatorArg::Tab => Separator::Tab,
            }),
            sheet: self.sheet.clone(),
            header_line: self.header_line,
            kind: None,
            include_hidden: self.hidden_rows == Some(HiddenArg::Include),
        }
    }

    fn chosen(&self, kind: RunKind, file: &Detected) -> Result<Mapping, Failure> {
        let mut chosen = Mapping::default();
        for (name, column) in &self.map {
            let field = column_aliases::fields(kind).find(|(_, known, _)| known == name);
            let Some((field, ..)) = field else {
                return Err(Failure::UnknownField(name.clone()));
            };
            let Some(column) = index(file, column) else {
                return Err(Failure::UnknownColumn(column.clone()));
            };
            chosen.set(field, Some(column));
        }
        Ok(chosen)
    }
}

impl AnswerArgs {
    /// The kinds of questions that the options answer with yes.
    fn confirmed(&self) -> Vec<QuestionKind> {
        let kind = |question: &QuestionArg| match question {
            QuestionArg::CellText => QuestionKind::CellText,
            QuestionArg::ChangedPrice => QuestionKind::ChangedPrice,
            QuestionArg::PriceNotUnderstood => QuestionKind::PriceNotUnderstood,
            QuestionArg::SecondContract => QuestionKind::SecondContract,
        };
        self.confirm.iter().map(kind).collect()
    }

    /// Whether the options answer all questions of this kind with yes.
    pub fn confirms(&self, question: QuestionKind) -> bool {
        self.confirmed().contains(&question)
    }

    /// Checks the rows of a staged run and answers their questions as the options say. Each line in
    /// `repeated` repeats an earlier row and is wanted as one more contract. Does nothing without
    /// answers.
    ///
    /// # Errors
    /// Errors of the core.
    pub async fn answer(
        &self,
        desk: &Desk,
        id: &str,
        repeated: &[u32],
        progress: &(dyn Fn(u32, u32) + Sync),
    ) -> Result<(), Error> {
        let confirmed = self.confirmed();
        if confirmed.is_empty() && repeated.is_empty() {
            return Ok(());
        }
        desk.bulk.check(id, progress).await?;
        for question in confirmed {
            desk.bulk.answer(id, AnsweredRows::All, question).await?;
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

/// A column by its header, else by its number from 1.
fn index(file: &Detected, column: &str) -> Option<u32> {
    let headers = file.headers.iter();
    let named = headers
        .map(|header| header.trim())
        .position(|header| header == column.trim());
    let at = match named {
        Some(at) => at,
        None => column.parse::<usize>().ok()?.checked_sub(1)?,
    };
    (at < file.headers.len())
        .then(|| u32::try_from(at).ok())
        .flatten()
}

fn mapped(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((field, column)) if !field.is_empty() && !column.is_empty() => {
            Ok((field.trim().to_owned(), column.to_owned()))
        }
        Some(_) | None => Err("write it like planId=プラン".to_owned()),
    }
}
