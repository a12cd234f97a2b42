//! The result of `contracts enter`, as JSON and as text.

use std::path::Path;

use serde::Serialize;
use warranty_core::bulk::{DryRun, RunOutcome, RunRow, RunView};
use warranty_core::contracts::{Question, QuestionKind, Warning};
use warranty_core::outbox::SubmissionState;
use warranty_core::{Field, FieldProblem};

use crate::file_args::HiddenRows;
use crate::messages::{self, named, text};
use crate::output::say;
use crate::state_counts::StateCounts;
use crate::table::{KeyValues, grouped, visible};

/// The result.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnterReport {
    /// The file name as given on the command line.
    pub file: String,
    /// Whether this was a dry run: nothing was stored or sent.
    pub dry_run: bool,
    /// Rows read.
    pub rows: u32,
    /// Rows entered now.
    pub entered: u32,
    /// Rows entered before; they are not sold again.
    pub already_entered: u32,
    /// Of these, the rows with data that differ from the earlier entry.
    pub differing: Vec<DifferingRow>,
    /// Usable rows that could not be checked at the service.
    pub unchecked: u32,
    /// Rows that cannot be used.
    pub rejected: Vec<RejectedRow>,
    /// Rows with something unusual but valid.
    pub warnings: Vec<WarnedRow>,
    /// Rows that the workbook hides and that were left out.
    pub hidden_rows: u32,
    /// Lines given as one more contract although their row was entered before and has no equal row.
    pub not_repeated: Vec<u32>,
    /// The file of rejected rows.
    pub rejected_file: Option<String>,
    /// The states of the usable rows, including those entered before.
    #[serde(flatten)]
    pub counts: StateCounts,
    /// Ids of the entries made now, in row order; in JSON only.
    pub submission_ids: Vec<String>,
    #[serde(skip)]
    pub hidden: HiddenRows,
}

/// A row of a sale that was entered before with other data.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DifferingRow {
    /// Line of the file, from 1.
    pub line: u32,
    /// The earlier entry.
    pub submission_id: String,
    /// Its state.
    pub state: SubmissionState,
    /// The fields that differ.
    pub fields: Vec<Field>,
}

impl DifferingRow {
    fn sentence(&self) -> String {
        let values = [
            ("state", &*named("wdesk.state", &self.state)),
            ("fields", &*messages::names(&self.fields)),
            ("id", &*self.submission_id),
        ];
        on_line(self.line, &text("wdesk.enter.differs", &values))
    }
}

/// A row that cannot be used.
#[derive(Debug, Serialize)]
pub struct RejectedRow {
    /// Line of the file, from 1.
    pub line: u32,
    /// The problems of the row.
    pub problems: Vec<FieldProblem>,
    /// The questions that a person would have to answer.
    pub questions: Vec<Question>,
}

impl RejectedRow {
    /// Whether its only problem is an equal earlier row.
    #[must_use]
    pub fn only_repeats(&self) -> bool {
        let repeats = |question: &Question| question.kind() == QuestionKind::RepeatedRow;
        self.problems.is_empty() && self.questions.iter().all(repeats)
    }
}

/// A row with something unusual but valid.
#[derive(Debug, Serialize)]
pub struct WarnedRow {
    /// Line of the file, from 1.
    pub line: u32,
    /// The warnings of the row.
    pub warnings: Vec<Warning>,
}

impl EnterReport {
    /// The result of a dry run; `found` has the rows with problems or warnings.
    #[must_use]
    pub fn of_dry_run(file: &Path, run: DryRun, found: Vec<RunRow>) -> Self {
        let entered = Self {
            dry_run: true,
            rows: run.rows,
            already_entered: run.already_entered,
            unchecked: run.unchecked,
            ..Self::default()
        };
        entered.with(file, found)
    }

    /// The result of a run before anything was sent.
    #[must_use]
    pub fn of_run(file: &Path, dry_run: bool, run: &RunView, found: Vec<RunRow>) -> Self {
        let entered = Self {
            dry_run,
            rows: run.rows,
            entered: run.entered,
            already_entered: run.already_entered,
            unchecked: run.unchecked,
            ..Self::default()
        };
        entered.with(file, found)
    }

    fn with(mut self, file: &Path, found: Vec<RunRow>) -> Self {
        self.file = file.display().to_string();
        for row in found {
            if !row.warnings.is_empty() {
                self.warnings.push(WarnedRow {
                    line: row.line,
                    warnings: row.warnings,
                });
            }
            match (row.outcome, row.submission) {
                (Some(RunOutcome::Differing), Some(before)) => self.differing.push(DifferingRow {
                    line: row.line,
                    submission_id: before.id,
                    state: before.state,
                    fields: row.differs,
                }),
                (Some(RunOutcome::Rejected), _) => self.rejected.push(RejectedRow {
                    line: row.line,
                    problems: row.problems,
                    questions: row.questions,
                }),
                _ => {}
            }
        }
        self.warnings.sort_by_key(|row| row.line);
        self
    }

    /// Adds the hidden rows that were skipped.
    #[must_use]
    pub fn without(self, hidden: HiddenRows) -> Self {
        Self {
            hidden_rows: hidden.rows,
            hidden,
            ..self
        }
    }

    /// The number of usable rows, entered or not.
    #[must_use]
    pub fn usable(&self) -> u32 {
        self.rows.saturating_sub(length(&self.rejected))
    }

    /// Reports on stderr the rows that cannot be used or differ, and the unusual rows of a dry run.
    pub fn report_rows(&self) {
        for row in &self.rejected {
            let why = messages::row(&row.problems, &row.questions);
            say(on_line(row.line, &why));
        }
        for row in &self.differing {
            say(row.sentence());
        }
        for row in self.warnings.iter().filter(|_| self.dry_run) {
            let unusual = row.warnings.iter().map(|one| messages::warning(*one));
            let unusual = unusual.collect::<Vec<_>>().join(" ");
            let what = text("wdesk.enter.odd", &[("what", &unusual)]);
            say(on_line(row.line, &what));
        }
        for line in &self.not_repeated {
            say(on_line(*line, &text("wdesk.enter.notRepeated", &[])));
        }
        self.hidden.report();
    }

    /// The result as text.
    #[must_use]
    pub fn text(&self) -> String {
        let counts = &self.counts;
        let mut fields = KeyValues::default();
        let mut count = |label: &str, number: u32, always: bool| {
            if always || number > 0 {
                fields.line(label, grouped(i64::from(number)));
            }
        };
        let rejected = length(&self.rejected);
        let usable = self.usable().saturating_sub(self.already_entered);
        count("rows", self.rows, true);
        if self.dry_run {
            count("can be entered", usable, true);
        } else {
            count("entered now", self.entered, true);
        }
        count(
            "  of these not checked by the service",
            self.unchecked,
            false,
        );
        count("entered before, not sold again", self.already_entered, true);
        count("  of these with other data", length(&self.differing), false);
        count("cannot be used", rejected, false);
        count(
            "odd but lawful: to be looked at",
            length(&self.warnings),
            false,
        );
        count("hidden in the workbook, left out", self.hidden_rows, false);
        if !self.dry_run {
            count(
                "accepted by the service",
                counts.accepted + counts.confirmed,
                true,
            );
            count("  of these confirmed by lookup", counts.confirmed, true);
            count(
                "  of these not visible yet, which is normal",
                counts.accepted,
                false,
            );
            count("waiting to be sent", counts.waiting, false);
            count("held", counts.held, false);
            count("unknown: sent, result not known yet", counts.unknown, false);
            count("refused: nothing was sold", counts.refused, false);
            count("needs attention", counts.needs_person, false);
            count(
                "may exist more than once at the provider",
                counts.possible_duplicates,
                false,
            );
        }
        let mut shown = format!("{}\n{}", visible(&self.file), fields.text());
        for case in &counts.cases {
            shown.push_str(&format!(
                "{}  {}  {}  {}\n",
                named("wdesk.state", &case.state),
                visible(&case.transaction_id),
                case.submission_id,
                visible(&case.reason)
            ));
        }
        for sentence in self.sentences() {
            shown.push_str(&sentence);
            shown.push('\n');
        }
        shown
    }

    fn sentences(&self) -> Vec<String> {
        let counts = &self.counts;
        let all_before = self.rows > 0 && self.already_entered == self.rows;
        [
            self.dry_run.then(|| text("wdesk.enter.dryRun", &[])),
            (!self.differing.is_empty()).then(|| text("wdesk.enter.differing", &[])),
            match self.already_entered {
                _ if all_before => Some(text("wdesk.enter.allBefore", &[])),
                0 => None,
                _ => Some(text("wdesk.enter.someBefore", &[])),
            },
            match counts.waiting {
                _ if counts.paused => Some(text("wdesk.enter.paused", &[])),
                0 => None,
                _ => Some(text("wdesk.enter.waiting", &[])),
            },
            match counts.held {
                _ if counts.held_for_person > 0 => Some(text("wdesk.enter.tokenDeclined", &[])),
                0 => None,
                _ => Some(text("wdesk.enter.held", &[])),
            },
            (counts.possible_duplicates > 0).then(|| text("wdesk.duplicate.some", &[])),
            (counts.unknown + counts.needs_person > 0).then(|| text("wdesk.enter.cases", &[])),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// A sentence about a line of the file.
#[must_use]
pub fn on_line(line: u32, what: &str) -> String {
    let line = line.to_string();
    text("wdesk.enter.line", &[("line", &line), ("what", what)])
}

fn length<T>(rows: &[T]) -> u32 {
    u32::try_from(rows.len()).unwrap_or(u32::MAX)
}
