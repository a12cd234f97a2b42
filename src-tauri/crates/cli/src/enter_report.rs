//! The result of `contracts enter`, as JSON and as text.

use std::collections::BTreeSet;

use serde::Serialize;
use warranty_core::api::Timestamp;
use warranty_core::bulk::RunRow;
use warranty_core::contracts::{Question, QuestionKind, SubmissionView};
use warranty_core::outbox::SubmissionState;

use crate::file_report::{Count, FileReport, is_rejected, on_line};
use crate::outbox_text::why;
use crate::table::visible;
use crate::{Exit, named, say, text};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnterReport {
    #[serde(flatten)]
    pub file: FileReport,
    /// Rows that can be used and were not entered before.
    pub usable: u32,
    /// Lines given as one more contract although their row was entered before and has no equal row.
    pub not_repeated: Vec<u32>,
    /// The states of the usable rows, including those entered before.
    #[serde(flatten)]
    pub counts: StateCounts,
    /// Ids of the entries made now, in row order; in JSON only.
    pub submission_ids: Vec<String>,
    /// What sends the rows that wait.
    #[serde(skip)]
    pub what_sends: Vec<String>,
}

impl EnterReport {
    pub fn new(file: FileReport) -> Self {
        Self {
            file,
            usable: 0,
            not_repeated: Vec::new(),
            counts: StateCounts::default(),
            submission_ids: Vec::new(),
            what_sends: Vec::new(),
        }
    }

    /// Reports on stderr the rows that cannot be used, differ or are unusual.
    pub fn report_rows(&self) {
        for line in &self.not_repeated {
            say(on_line(*line, &text("wdesk.enter.notRepeated", &[])));
        }
        self.file.report_rows();
    }

    /// Reports on stderr what to do with the file of rejected rows.
    pub fn report_rejected_file(&self) {
        let equal = self.file.count(only_repeats);
        if equal < self.file.unusable() {
            say(text("wdesk.enter.correct", &[]));
        }
        if equal > 0 {
            say(text(
                "wdesk.enter.equal",
                &[("count", &equal), ("path", &self.file.name)],
            ));
        }
    }

    pub fn text(&self) -> String {
        let counts = &self.counts;
        let states: &[Count] = &[
            ("pending", self.file.pending, false),
            ("accepted", counts.accepted + counts.confirmed, true),
            ("confirmed", counts.confirmed, true),
            ("notVisible", counts.accepted, false),
            ("waiting", counts.waiting, false),
            ("held", counts.held, false),
            ("unknown", counts.unknown, false),
            ("refused", counts.refused, false),
            ("needsPerson", counts.needs_person, false),
            ("possibleDuplicates", counts.possible_duplicates, false),
        ];
        let mut shown = self.file.text(if self.file.dry_run { &[] } else { states });
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
        let (file, counts) = (&self.file, &self.counts);
        let all_before = file.rows > 0 && file.already_entered == file.rows;
        let sentences = [
            (file.differing() > 0, "wdesk.enter.differing"),
            (all_before, "wdesk.enter.allBefore"),
            (
                file.already_entered > 0 && !all_before,
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
        let mut shown: Vec<String> = shown.map(|(_, key)| text(key, &[])).collect();
        for sends in self.what_sends.iter().filter(|_| !counts.paused) {
            if !shown.contains(sends) {
                shown.push(sends.clone());
            }
        }
        shown
    }
}

/// Whether its only problem is an equal earlier row.
fn only_repeats(row: &RunRow) -> bool {
    let repeats = |question: &Question| question.kind() == QuestionKind::RepeatedRow;
    is_rejected(row) && row.problems.is_empty() && row.questions.iter().all(repeats)
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
    /// Whether rows wait in a run that is paused.
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
