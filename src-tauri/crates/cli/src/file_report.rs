//! What came of the rows of a file: those that were rejected, failed, differ or are unusual, and how many there are.
//!
//! The same for every kind of file; `contracts enter` adds what became of the sales.

use std::path::Path;

use serde::Serialize;
use warranty_core::bulk::from_file::FileToStage;
use warranty_core::bulk::{RowList, RunKind, RunOutcome, RunRow, RunView};
use warranty_core::{Desk, Error};
use warranty_messages::Values;

use crate::file_args::{AnswerArgs, LeftOut};
use crate::file_run::{self, each_row, refusal};
use crate::table::visible;
use crate::{KeyValues, Progress, grouped, messages, named, say, text};

/// The name of a count, the count, and whether it is shown even when it is zero.
pub type Count = (&'static str, u32, bool);

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FileReport {
    #[serde(rename = "file")]
    pub name: String,
    #[serde(skip)]
    kind: RunKind,
    /// Whether this was a dry run: nothing was sent.
    pub dry_run: bool,
    pub rows: u32,
    /// Rows that became entries, or that the service carried out.
    pub entered: u32,
    /// Rows of sales that were entered before; they are not sold again.
    pub already_entered: u32,
    /// Rows with nothing wrong that are not entered yet.
    pub pending: u32,
    /// Rows with nothing wrong that could not be checked at the service; of those entered, if any were.
    pub unchecked: u32,
    /// Rows that were rejected, failed, differ or are unusual.
    pub found: Vec<RunRow>,
    /// The file with the rows that cannot be used or were refused.
    pub rejected_file: Option<String>,
    #[serde(flatten)]
    pub left_out: LeftOut,
}

impl FileReport {
    pub fn new(kind: RunKind, file: &Path, dry_run: bool, left_out: LeftOut) -> Self {
        Self {
            name: file.display().to_string(),
            kind,
            dry_run,
            rows: 0,
            entered: 0,
            already_entered: 0,
            pending: 0,
            unchecked: 0,
            found: Vec::new(),
            rejected_file: None,
            left_out,
        }
    }

    /// Checks the rows of a file and stores nothing.
    pub async fn dry_run(
        &mut self,
        desk: &Desk,
        file: FileToStage,
        answers: &AnswerArgs,
    ) -> Result<(), Error> {
        let checking = Progress::new("checking");
        let confirms = |question| answers.confirm.contains(&question);
        let progress = |rows| checking.at(rows, rows, "");
        let take = &mut |row| self.take(row);
        let found = desk.bulk.dry_run(file, &confirms, &progress, take).await?;
        self.rows = found.rows;
        self.already_entered = found.already_entered;
        self.unchecked = found.unchecked;
        Ok(())
    }

    /// Takes the counts and the rows of a run.
    pub async fn take_run(&mut self, desk: &Desk, run: &RunView) -> Result<(), Error> {
        self.rows = run.rows;
        self.entered = run.entered;
        self.already_entered = run.already_entered;
        self.pending = run.pending;
        self.unchecked = run.unchecked;
        let take = async |row| {
            self.take(row);
            Ok(())
        };
        each_row(desk, &run.id, Some(RowList::Found), take).await
    }

    fn take(&mut self, row: RunRow) {
        if is_rejected(&row) || !row.differs.is_empty() || !row.warnings.is_empty() {
            self.found.push(row);
        }
    }

    /// Rows that cannot be used.
    pub fn unusable(&self) -> u32 {
        self.count(|row| is_rejected(row) && row.failure.is_none())
    }

    /// Rows that the service did not take.
    pub fn failed(&self) -> u32 {
        self.count(|row| row.failure.is_some())
    }

    /// Rows that differ from an earlier entry, or from the answer of the service.
    pub fn differing(&self) -> u32 {
        self.count(|row| !row.differs.is_empty())
    }

    pub fn count(&self, is_so: impl Fn(&RunRow) -> bool) -> u32 {
        let rows = self.found.iter().filter(|row| is_so(row));
        u32::try_from(rows.count()).unwrap_or(u32::MAX)
    }

    /// Rows that can be used, entered or not.
    pub fn good(&self) -> u32 {
        self.rows.saturating_sub(self.unusable())
    }

    /// Rows that can be used and were not entered before.
    pub fn usable(&self) -> u32 {
        self.good().saturating_sub(self.already_entered)
    }

    /// Writes the rejected rows of a run to this file; where that fails, they are listed all the same.
    pub async fn write_rejected(&mut self, desk: &Desk, run: &RunView, path: &Path) {
        match file_run::write_rejected(desk, run, path).await {
            Ok(()) => self.rejected_file = Some(path.display().to_string()),
            Err(failure) => say(failure.message()),
        }
    }

    /// Says on stderr what was found, row by row, and what was left out.
    pub fn report_rows(&self) {
        for row in &self.found {
            say_row(self.kind, row);
        }
        self.left_out.report();
    }

    /// The counts, with `more` of them.
    pub fn text(&self, more: &[Count]) -> String {
        let sales = self.kind == RunKind::Contracts;
        let now = match (self.dry_run, sales) {
            (true, _) => ("usable", self.usable(), true),
            (false, true) => ("entered", self.entered, true),
            (false, false) => ("done", self.entered, true),
        };
        let warned = self.count(|row| !row.warnings.is_empty());
        let counts: &[Count] = &[
            ("rows", self.rows, true),
            ("unchecked", self.unchecked, false),
            now,
            ("before", self.already_entered, sales),
            ("differing", self.differing(), false),
            ("rejected", self.unusable(), false),
            ("failed", self.failed(), false),
            ("warnings", warned, false),
            ("hidden", self.left_out.rows, false),
        ];
        let mut fields = KeyValues::default();
        for (name, number, always) in counts.iter().chain(more) {
            if *number > 0 || *always {
                let label = text(&format!("wdesk.enter.count.{name}"), &[]);
                fields.line(label, grouped(*number));
            }
        }
        let mut shown = format!("{}\n{}", visible(&self.name), fields.text());
        if self.dry_run {
            shown += &(text("wdesk.enter.dryRun", &[]) + "\n");
        }
        shown
    }
}

/// Says on stderr what was found of a row.
pub fn say_row(kind: RunKind, row: &RunRow) {
    let say = |what: &str| say(on_line(row.line, what));
    if let Some(failure) = &row.failure {
        say(&refusal(failure));
    } else if is_rejected(row) {
        say(&messages::row_of(kind, &row.problems, &row.questions));
    } else if !row.differs.is_empty() {
        let fields = messages::names(&row.differs);
        say(&match &row.submission {
            Some(before) => {
                let values: &Values<'_> = &[
                    ("state", &named("state", &before.state)),
                    ("fields", &fields),
                    ("id", &before.id),
                ];
                text("wdesk.enter.differs", values)
            }
            None => text("wdesk.rows.differs", &[("fields", &fields)]),
        });
    }
    if !row.warnings.is_empty() {
        let unusual: Vec<String> = row.warnings.iter().map(messages::warning).collect();
        say(&text("wdesk.enter.odd", &[("what", &unusual.join(" "))]));
    }
}

pub fn is_rejected(row: &RunRow) -> bool {
    row.outcome == Some(RunOutcome::Rejected)
}

pub fn on_line(line: u32, what: &str) -> String {
    text("wdesk.enter.line", &[("line", &line), ("what", &what)])
}
