//! The result of `contracts enter`, as JSON and as text.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Serialize;
use warranty_core::api::Timestamp;
use warranty_core::bulk::{RunKind, RunOutcome, RunRow};
use warranty_core::contracts::{Question, QuestionKind, SubmissionView, Warning};
use warranty_core::outbox::SubmissionState;
use warranty_core::{Field, FieldProblem};
use warranty_messages::Values;

use crate::file_args::LeftOut;
use crate::outbox_text::why;
use crate::table::visible;
use crate::{Exit, KeyValues, grouped, messages, named, say, text};

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnterReport {
    pub file: String,
    /// Whether this was a dry run: nothing was stored or sent.
    pub dry_run: bool,
    pub rows: u32,
    /// Rows that can be used and were not entered before.
    pub usable: u32,
    pub entered: u32,
    /// Rows entered before; they are not sold again.
    pub already_entered: u32,
    /// Of these, the rows with data that differ from the earlier entry.
    pub differing: Vec<DifferingRow>,
    /// Rows with nothing wrong that could not be checked at the service; of those entered, if any were.
    pub unchecked: u32,
    pub rejected: Vec<RejectedRow>,
    pub warnings: Vec<WarnedRow>,
    #[serde(flatten)]
    pub left_out: LeftOut,
    /// Lines given as one more contract although their row was entered before and has no equal row.
    pub not_repeated: Vec<u32>,
    pub rejected_file: Option<String>,
    /// The states of the usable rows, including those entered before.
    #[serde(flatten)]
    pub counts: StateCounts,
    /// Ids of the entries made now, in row order; in JSON only.
    pub submission_ids: Vec<String>,
    /// What sends the rows that wait.
    #[serde(skip)]
    pub what_sends: Vec<String>,
}

/// A row of a sale that was entered before with other data. Lines count from 1.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DifferingRow {
    pub line: u32,
    pub submission_id: String,
    pub state: SubmissionState,
    pub fields: Vec<Field>,
}

#[derive(Debug, Serialize)]
pub struct RejectedRow {
    pub line: u32,
    pub problems: Vec<FieldProblem>,
    pub questions: Vec<Question>,
}

impl RejectedRow {
    pub fn report(&self, kind: RunKind) {
        let why = messages::row_of(kind, &self.problems, &self.questions);
        say(on_line(self.line, &why));
    }

    /// Whether its only problem is an equal earlier row.
    fn only_repeats(&self) -> bool {
        let repeats = |question: &Question| question.kind() == QuestionKind::RepeatedRow;
        self.problems.is_empty() && self.questions.iter().all(repeats)
    }
}

/// A row with something unusual but valid.
#[derive(Debug, Serialize)]
pub struct WarnedRow {
    pub line: u32,
    pub warnings: Vec<Warning>,
}

impl WarnedRow {
    pub fn report(&self) {
        let unusual: Vec<String> = self.warnings.iter().map(messages::warning).collect();
        let what = text("wdesk.enter.odd", &[("what", &unusual.join(" "))]);
        say(on_line(self.line, &what));
    }
}

impl EnterReport {
    pub fn new(file: &Path, dry_run: bool, left_out: LeftOut) -> Self {
        Self {
            file: file.display().to_string(),
            dry_run,
            left_out,
            ..Self::default()
        }
    }

    pub fn take(&mut self, row: RunRow) {
        let line = row.line;
        if !row.warnings.is_empty() {
            self.warnings.push(WarnedRow {
                line,
                warnings: row.warnings,
            });
        }
        match (row.outcome, row.submission) {
            (Some(RunOutcome::Differing), Some(before)) => self.differing.push(DifferingRow {
                line,
                submission_id: before.id,
                state: before.state,
                fields: row.differs,
            }),
            (Some(RunOutcome::Rejected), _) => self.rejected.push(RejectedRow {
                line,
                problems: row.problems,
                questions: row.questions,
            }),
            _ => {}
        }
    }

    /// The number of usable rows, entered or not.
    pub fn good_rows(&self) -> u32 {
        self.rows.saturating_sub(length(&self.rejected))
    }

    /// Reports on stderr the rows that cannot be used, differ or are unusual.
    pub fn report_rows(&self) {
        for row in &self.rejected {
            row.report(RunKind::Contracts);
        }
        for row in &self.differing {
            let values: &Values<'_> = &[
                ("state", &named("state", &row.state)),
                ("fields", &messages::names(&row.fields)),
                ("id", &row.submission_id),
            ];
            say(on_line(row.line, &text("wdesk.enter.differs", values)));
        }
        for row in &self.warnings {
            row.report();
        }
        for line in &self.not_repeated {
            say(on_line(*line, &text("wdesk.enter.notRepeated", &[])));
        }
        self.left_out.report();
    }

    /// Reports on stderr what to do with the file of rejected rows.
    pub fn report_rejected_file(&self) {
        let rows = self.rejected.len();
        let rejected = self.rejected.iter();
        let equal = rejected.filter(|row| row.only_repeats()).count();
        if equal < rows {
            say(text("wdesk.enter.correct", &[]));
        }
        if equal > 0 {
            say(text(
                "wdesk.enter.equal",
                &[("count", &equal), ("path", &self.file)],
            ));
        }
    }

    pub fn text(&self) -> String {
        let counts = &self.counts;
        let now = if self.dry_run {
            ("usable", self.usable, true)
        } else {
            ("entered", self.entered, true)
        };
        // A name, its number, and whether it is shown even when it is zero.
        let mut lines = vec![
            ("rows", self.rows, true),
            ("unchecked", self.unchecked, false),
            now,
            ("before", self.already_entered, true),
            ("differing", length(&self.differing), false),
            ("rejected", length(&self.rejected), false),
            ("warnings", length(&self.warnings), false),
            ("hidden", self.left_out.rows, false),
        ];
        if !self.dry_run {
            lines.extend([
                ("accepted", counts.accepted + counts.confirmed, true),
                ("confirmed", counts.confirmed, true),
                ("notVisible", counts.accepted, false),
                ("waiting", counts.waiting, false),
                ("held", counts.held, false),
                ("unknown", counts.unknown, false),
                ("refused", counts.refused, false),
                ("needsPerson", counts.needs_person, false),
                ("possibleDuplicates", counts.possible_duplicates, false),
            ]);
        }
        lines.retain(|(_, number, always)| *number > 0 || *always);
        let mut fields = KeyValues::default();
        for (name, number, _) in lines {
            let label = text(&format!("wdesk.enter.count.{name}"), &[]);
            fields.line(label, grouped(number));
        }
        let mut shown = format!("{}\n{}", visible(&self.file), fields.text());
        for case in &counts.cases {
            let state = named("state", &case.state);
            let (transaction, reason) = (visible(&case.transaction_id), visible(&case.reason));
            let id = &case.submission_id;
            shown += &format!("{state}  {transaction}  {id}  {reason}\n");
        }
        for sentence in self.sentences() {
            shown += &(sentence + "\n");
        }
        shown
    }

    fn sentences(&self) -> Vec<String> {
        let counts = &self.counts;
        let all_before = self.rows > 0 && self.already_entered == self.rows;
        let sentences = [
            (self.dry_run, "wdesk.enter.dryRun"),
            (!self.differing.is_empty(), "wdesk.enter.differing"),
            (all_before, "wdesk.enter.allBefore"),
            (
                self.already_entered > 0 && !all_before,
                "wdesk.enter.someBefore",
            ),
            (counts.paused, "wdesk.enter.paused"),
            (counts.held_for_person > 0, "wdesk.enter.tokenDeclined"),
            (
                counts.held > 0 && counts.held_for_person == 0,
                "wdesk.enter.held",
            ),
            (counts.possible_duplicates > 0, "wdesk.duplicate.some"),
            (
                counts.unknown + counts.needs_person > 0,
                "wdesk.enter.cases",
            ),
        ];
        let shown = sentences.into_iter().filter(|(so, _)| *so);
        let shown = shown.map(|(_, key)| text(key, &[]));
        let sends = self.what_sends.iter().filter(|_| !counts.paused);
        shown.chain(sends.cloned()).collect()
    }
}

pub fn on_line(line: u32, what: &str) -> String {
    text("wdesk.enter.line", &[("line", &line), ("what", &what)])
}

fn length<T>(rows: &[T]) -> u32 {
    u32::try_from(rows.len()).unwrap_or(u32::MAX)
}

/// The number of rows in each state, and the rows that need a person.
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
    /// Sent, with an unknown outcome.
    pub unknown: u32,
    /// Refused; nothing was sold.
    pub refused: u32,
    pub needs_person: u32,
    /// Rows in any of these states that may exist more than once at the provider.
    pub possible_duplicates: u32,
    /// Those held, unknown, refused, in need of a person, or possibly duplicated.
    pub cases: Vec<Case>,
    /// Held rows that wait for a person.
    #[serde(skip)]
    pub held_for_person: u32,
    /// Ids of the profiles under which rows wait.
    #[serde(skip)]
    pub waits_under: BTreeSet<String>,
    /// Whether a run that a person paused keeps rows waiting.
    #[serde(skip)]
    pub paused: bool,
}

/// A row that needs a person.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Case {
    /// Id for `outbox show` and `outbox resolve`.
    pub submission_id: String,
    pub state: SubmissionState,
    pub transaction_id: String,
    pub reason: String,
    /// `requestId` of the last refusal.
    pub request_id: Option<String>,
    /// When the desk acts next on its own.
    pub next_at: Option<Timestamp>,
}

impl StateCounts {
    /// Whether a row in this state needs a person.
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

    pub fn count(&mut self, state: SubmissionState) {
        let counter = match state {
            SubmissionState::Confirmed => &mut self.confirmed,
            SubmissionState::Accepted => &mut self.accepted,
            SubmissionState::Draft | SubmissionState::Queued => &mut self.waiting,
            SubmissionState::Held => &mut self.held,
            // The answer to a request in flight is lost when the process ends.
            SubmissionState::InFlight | SubmissionState::Unknown => &mut self.unknown,
            SubmissionState::Rejected => &mut self.refused,
            SubmissionState::NeedsPerson => &mut self.needs_person,
            // There is no more work for a cancelled row.
            SubmissionState::Cancelled => return,
        };
        *counter += 1;
    }

    pub fn count_case(&mut self, entry: SubmissionView) {
        self.count(entry.state);
        self.possible_duplicates += u32::from(entry.duplicate_possible);
        if !Self::is_case(entry.state) && !entry.duplicate_possible {
            return;
        }
        // An entry held until a time continues automatically; any other waits for a token.
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

    /// The exit code: first for rows that need a person, then for refused rows, then for rows that
    /// wait.
    pub fn exit(&self) -> Exit {
        let for_person =
            self.needs_person + self.unknown + self.held_for_person + self.possible_duplicates;
        Exit::first(&[
            (self.paused || for_person > 0, Exit::Person),
            (self.refused > 0, Exit::Refused),
            (self.waiting + self.held > 0, Exit::Queued),
        ])
    }
}
