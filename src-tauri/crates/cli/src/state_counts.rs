//! Counts the rows of an entered file by state, and collects those that need a person.

use serde::Serialize;
use warranty_core::api::Timestamp;
use warranty_core::contracts::SubmissionView;
use warranty_core::outbox::SubmissionState;

use crate::exit::Exit;
use crate::outbox_text::why;

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
    /// Only a person can decide.
    pub needs_person: u32,
    /// Rows in any of these states that may exist more than once at the provider.
    pub possible_duplicates: u32,
    /// Those held, unknown, refused, in need of a person, or possibly duplicated.
    pub cases: Vec<Case>,
    /// Held rows that wait for a person.
    #[serde(skip)]
    pub held_for_person: u32,
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
    /// Its state.
    pub state: SubmissionState,
    /// Its transaction.
    pub transaction_id: String,
    /// Why the row needs a person.
    pub reason: String,
    /// `requestId` of the last refusal.
    pub request_id: Option<String>,
    /// When the desk acts next on its own.
    pub next_at: Option<Timestamp>,
}

impl StateCounts {
    /// Whether a row in this state needs a person.
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
            // The answer to a request in flight is lost when the process ends.
            SubmissionState::InFlight | SubmissionState::Unknown => &mut self.unknown,
            SubmissionState::Rejected => &mut self.refused,
            SubmissionState::NeedsPerson => &mut self.needs_person,
            // There is no more work for a cancelled row.
            SubmissionState::Cancelled => return,
        };
        *counter += 1;
    }

    /// Counts a row that needs a person.
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
    #[must_use]
    pub fn exit(&self) -> Exit {
        let for_person =
            self.needs_person + self.unknown + self.held_for_person + self.possible_duplicates;
        if self.paused || for_person > 0 {
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
