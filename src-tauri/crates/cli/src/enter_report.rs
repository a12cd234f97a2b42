//! What `contracts enter` tells at its end, to people and to programs.

use std::path::Path;

use serde::Serialize;
use warranty_core::api::Timestamp;
use warranty_core::contracts::{Question, QuestionKind, SubmissionView, Warning};
use warranty_core::outbox::SubmissionState;
use warranty_core::runs::{DryRun, RunOutcome, RunRow, RunView};
use warranty_core::{Field, FieldProblem};

use crate::exit::Exit;
use crate::file_args::HiddenRows;
use crate::messages;
use crate::outbox::why;
use crate::output::say;
use crate::table::{KeyValues, grouped, visible};

/// The whole result.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnterReport {
    /// The file as it was named.
    pub file: String,
    /// Whether nothing was kept or sent on purpose.
    pub dry_run: bool,
    /// Rows read.
    pub rows: u32,
    /// Rows entered now.
    pub entered: u32,
    /// Rows entered before: nothing is sold again for them.
    pub already_entered: u32,
    /// Those of them that say something else than the earlier entry.
    pub differing: Vec<Differing>,
    /// Rows that can be entered, or were, and the service could not be asked about.
    pub unchecked: u32,
    /// Rows that cannot be used.
    pub rejected: Vec<BadRow>,
    /// Rows of which something is odd but legal.
    pub warnings: Vec<OddRow>,
    /// Rows that the workbook hides, where these were left out.
    pub hidden_rows: u32,
    /// Lines named as one more contract whose row was entered before and has no equal row.
    pub not_repeated: Vec<u32>,
    /// Where they were written.
    pub rejected_file: Option<String>,
    /// Where the usable rows stand now, those entered before included.
    #[serde(flatten)]
    pub standing: StateCounts,
    /// Ids of the entries made now, in row order; for programs alone.
    pub submission_ids: Vec<String>,
    #[serde(skip)]
    pub hidden: HiddenRows,
}

/// A row of a sale that was entered before with other data.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Differing {
    /// Line of the file, from 1.
    pub line: u32,
    /// The earlier entry.
    pub submission_id: String,
    /// Where it stands.
    pub state: SubmissionState,
    /// What differs.
    pub fields: Vec<Field>,
}

impl Differing {
    fn sentence(&self) -> String {
        let fields: Vec<String> = self.fields.iter().map(messages::name).collect();
        format!(
            "line {}: entered before ({}) with another {}: that entry, {}, stays as it is",
            self.line,
            messages::state(self.state),
            fields.join(", "),
            self.submission_id
        )
    }
}

/// A row that cannot be used.
#[derive(Debug, Serialize)]
pub struct BadRow {
    /// Line of the file, from 1.
    pub line: u32,
    /// What is wrong.
    pub problems: Vec<FieldProblem>,
    /// What a person would have to answer.
    pub questions: Vec<Question>,
}

impl BadRow {
    /// Whether nothing keeps it out but that it has an equal row.
    #[must_use]
    pub fn only_repeats(&self) -> bool {
        let repeats = |question: &Question| question.kind() == QuestionKind::RepeatedRow;
        self.problems.is_empty() && self.questions.iter().all(repeats)
    }
}

/// A row of which something is odd but legal.
#[derive(Debug, Serialize)]
pub struct OddRow {
    /// Line of the file, from 1.
    pub line: u32,
    /// What is odd.
    pub warnings: Vec<Warning>,
}

/// Why a row cannot be used, in words.
#[must_use]
pub fn reason(problems: &[FieldProblem], questions: &[Question]) -> String {
    let problems = (!problems.is_empty()).then(|| messages::problems(problems));
    let questions = questions.iter().map(messages::question);
    let reasons: Vec<String> = problems.into_iter().chain(questions).collect();
    reasons.join("; ")
}

/// How many rows stand where, and those that someone must look at.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StateCounts {
    /// A lookup returned them.
    pub confirmed: u32,
    /// The service returned them; a lookup does not show them yet.
    pub accepted: u32,
    /// Not sent yet.
    pub waiting: u32,
    /// Declined for now.
    pub held: u32,
    /// Sent; what happened is not known.
    pub unknown: u32,
    /// Refused; nothing was sold.
    pub refused: u32,
    /// Only a person can go on.
    pub needs_person: u32,
    /// Of these, in whatever state: they may exist more than once at the provider.
    pub possible_duplicates: u32,
    /// Those held, unknown, refused, in need of a person, or perhaps there more than once.
    pub cases: Vec<Case>,
    #[serde(skip)]
    held_for_person: u32,
    /// A run that a person halted holds what waits.
    #[serde(skip)]
    pub halted: bool,
}

/// A row that someone must look at.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Case {
    /// Id for `outbox show` and `outbox resolve`.
    pub submission_id: String,
    /// Where it stands.
    pub state: SubmissionState,
    /// Its transaction.
    pub transaction_id: String,
    /// Why.
    pub reason: String,
    /// `requestId` of the last refusal.
    pub request_id: Option<String>,
    /// When the desk acts next by itself.
    pub next_at: Option<Timestamp>,
}

impl StateCounts {
    /// Whether someone must look at a row that stands there.
    #[must_use]
    pub fn is_case(state: SubmissionState) -> bool {
        match state {
            SubmissionState::Held
            | SubmissionState::InFlight
            | SubmissionState::Unknown
            | SubmissionState::Rejected
            | SubmissionState::NeedsPerson => true,
            SubmissionState::Draft
            | SubmissionState::Queued
            | SubmissionState::Accepted
            | SubmissionState::Confirmed
            | SubmissionState::Cancelled => false,
        }
    }

    /// Counts one row.
    pub fn count(&mut self, state: SubmissionState) {
        let counter = match state {
            SubmissionState::Confirmed => &mut self.confirmed,
            SubmissionState::Accepted => &mut self.accepted,
            SubmissionState::Draft | SubmissionState::Queued => &mut self.waiting,
            SubmissionState::Held => &mut self.held,
            // What is in flight when the process ends has no ear left.
            SubmissionState::InFlight | SubmissionState::Unknown => &mut self.unknown,
            SubmissionState::Rejected => &mut self.refused,
            SubmissionState::NeedsPerson => &mut self.needs_person,
            // Given up: it is nobody's case any more.
            SubmissionState::Cancelled => return,
        };
        *counter += 1;
    }

    /// Counts a row that someone must look at.
    pub fn count_case(&mut self, entry: SubmissionView) {
        self.count(entry.state);
        self.possible_duplicates += u32::from(entry.duplicate_possible);
        if !Self::is_case(entry.state) && !entry.duplicate_possible {
            return;
        }
        // Held with a time goes on by itself; without one it waits for a token.
        let waits = entry.state == SubmissionState::Held && entry.next_at.is_none();
        self.held_for_person += u32::from(waits);
        self.cases.push(Case {
            reason: why(&entry),
            submission_id: entry.id,
            state: entry.state,
            transaction_id: entry.transaction_id,
            request_id: entry.request_id,
            next_at: entry.next_at,
        });
    }

    /// How the run ends: what needs a person first, then what was refused, then what still waits.
    #[must_use]
    pub fn exit(&self) -> Exit {
        let for_person =
            self.needs_person + self.unknown + self.held_for_person + self.possible_duplicates;
        if self.halted || for_person > 0 {
            Exit::Person
        } else if self.refused > 0 {
            Exit::Refused
        } else if self.waiting + self.held > 0 {
            Exit::Queued
        } else {
            Exit::Done
        }
    }
}

impl EnterReport {
    /// What a look at a file came to; `found` has the rows of which there is something to say.
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

    /// What a run came to before anything was sent.
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
                self.warnings.push(OddRow {
                    line: row.line,
                    warnings: row.warnings,
                });
            }
            match (row.outcome, row.submission) {
                (Some(RunOutcome::Differing), Some(before)) => self.differing.push(Differing {
                    line: row.line,
                    submission_id: before.id,
                    state: before.state,
                    fields: row.differs,
                }),
                (Some(RunOutcome::Rejected), _) => self.rejected.push(BadRow {
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

    /// The same beside hidden rows that were left out.
    #[must_use]
    pub fn without(self, hidden: HiddenRows) -> Self {
        Self {
            hidden_rows: hidden.rows,
            hidden,
            ..self
        }
    }

    /// How many rows can be used, entered or not.
    #[must_use]
    pub fn usable(&self) -> u32 {
        self.rows.saturating_sub(length(&self.rejected))
    }

    /// Says on stderr which rows cannot be used or differ, row by row; of a dry run, which are odd.
    pub fn tell(&self) {
        for row in &self.rejected {
            let why = reason(&row.problems, &row.questions);
            say(format!("line {}: {why}", row.line));
        }
        for row in &self.differing {
            say(row.sentence());
        }
        for row in self.warnings.iter().filter(|_| self.dry_run) {
            let odd: Vec<String> = row
                .warnings
                .iter()
                .map(|one| messages::warning(*one))
                .collect();
            say(format!("line {}: look at it: {}", row.line, odd.join("; ")));
        }
        for line in &self.not_repeated {
            say(format!(
                "line {line}: entered before, and named with --repeated-lines although no other row of this \
                 file has its transaction, product and plan: nothing was sold for it. If it is one more \
                 contract, enter the whole file, with all equal rows, and name it there."
            ));
        }
        self.hidden.tell();
    }

    /// The result for people.
    #[must_use]
    pub fn text(&self) -> String {
        let standing = &self.standing;
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
                standing.accepted + standing.confirmed,
                true,
            );
            count("  of these confirmed by lookup", standing.confirmed, true);
            count(
                "  of these not visible yet, which is normal",
                standing.accepted,
                false,
            );
            count("waiting to be sent", standing.waiting, false);
            count("held", standing.held, false);
            count(
                "unknown: sent, result not known yet",
                standing.unknown,
                false,
            );
            count("refused: nothing was sold", standing.refused, false);
            count("needs a person", standing.needs_person, false);
            count(
                "may exist more than once at the provider",
                standing.possible_duplicates,
                false,
            );
        }
        let mut text = format!("{}\n{}", visible(&self.file), fields.text());
        for case in &standing.cases {
            text.push_str(&format!(
                "{}  {}  {}  {}\n",
                messages::state(case.state),
                visible(&case.transaction_id),
                case.submission_id,
                visible(&case.reason)
            ));
        }
        for sentence in self.sentences() {
            text.push_str(sentence);
            text.push('\n');
        }
        text
    }

    fn sentences(&self) -> Vec<&'static str> {
        let mut said = Vec::new();
        if self.dry_run {
            said.push("Dry run: nothing was entered and nothing was sent.");
        }
        if !self.differing.is_empty() {
            said.push("Rows entered before with other data changed nothing: see the lines above.");
        }
        if self.rows > 0 && self.already_entered == self.rows {
            said.push("Every row was entered before: nothing was sold again.");
        } else if self.already_entered > 0 {
            said.push("Nothing was sold again for the rows entered before.");
        }
        if self.standing.halted {
            said.push("A run that was halted in the window holds what waits: it goes on there.");
        } else if self.standing.waiting > 0 {
            said.push("What waits is kept; the window or `wdesk outbox run` sends it.");
        }
        if self.standing.held_for_person > 0 {
            said.push("The service declines the token: give the right one with `wdesk token set`.");
        } else if self.standing.held > 0 {
            said.push("What is held was declined for now and is kept; it goes on later by itself.");
        }
        if self.standing.possible_duplicates > 0 {
            said.push(messages::POSSIBLE_DUPLICATES);
        }
        if self.standing.unknown + self.standing.needs_person > 0 {
            said.push("`wdesk outbox show CASE` has the evidence and the ways out.");
        }
        said
    }
}

fn length<T>(rows: &[T]) -> u32 {
    u32::try_from(rows.len()).unwrap_or(u32::MAX)
}
