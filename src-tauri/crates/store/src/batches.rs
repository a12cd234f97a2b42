//! Batches at rest: every step of one is a compare-and-swap on its state and revision, in one
//! transaction with its entries, its attempt and its lines of the journal.

mod take;

use std::time::Duration;

use rusqlite::{Connection, Row};
use uuid::Uuid;

use super::journal::Line;
use crate::query::{Query as _, Read};
use crate::{Store, StoreError, encryption_keys, sql_types};
use warranty_model::encrypted::{BatchBinding, Encrypted};
use warranty_model::outbox::classify::{Created, Evidence};
use warranty_model::outbox::matching::Named;
use warranty_model::outbox::state::{Event, Hold, Instant, Record, State, Step, step};
use warranty_model::outbox::{AnswerClass, CaseReason, SubmissionState};
use warranty_model::profile::ProviderFacts;

pub(crate) use take::take;

#[derive(Debug, Clone)]
pub struct Batch {
    pub id: String,
    pub profile_id: String,
    pub state: State,
    /// Counts its steps.
    pub revision: i64,
    /// Frozen to the byte, and encrypted.
    pub body: Option<Encrypted>,
    /// Frozen with it.
    pub key: Uuid,
    /// The address it was frozen for. It is sent nowhere else.
    pub base_url: String,
    /// As whom it was sent last.
    pub token_fingerprint: Option<String>,
    /// What the table of states remembers of it.
    pub record: Record,
    /// Waits in a row without an answer.
    pub failures: u32,
}

/// One step of a batch, to be taken whole or not at all.
#[derive(Debug, Clone)]
pub struct Move {
    pub batch_id: String,
    pub revision: i64,
    pub from: State,
    pub step: Step,
    /// Waits in a row without an answer.
    pub failures: u32,
    /// When the program acts next without a person, in milliseconds since 1970 UTC.
    pub next_at: Option<i64>,
    /// Now, in milliseconds since 1970 UTC.
    pub at: i64,
    /// What happens to the evidence.
    pub attempt: AttemptChange,
    /// Contracts made, in the order of the items; empty unless accepted.
    pub created: Vec<Created>,
    /// The contracts that an answer in part names.
    pub named: Vec<Named>,
    pub lines: Vec<Line>,
}

impl Batch {
    pub fn body_place(&self) -> BatchBinding<'_> {
        BatchBinding {
            id: &self.id,
            profile_id: &self.profile_id,
            base_url: &self.base_url,
            key: self.key,
        }
    }

    /// A step without evidence or contracts, and without a next time.
    pub fn step(&self, step: Step, at: i64) -> Move {
        Move {
            batch_id: self.id.clone(),
            revision: self.revision,
            from: self.state,
            step,
            failures: self.failures,
            next_at: None,
            at,
            attempt: AttemptChange::None,
            created: Vec::new(),
            named: Vec::new(),
            lines: Vec::new(),
        }
    }
}

/// What a step does to the evidence.
#[derive(Debug, Clone)]
pub enum AttemptChange {
    None,
    /// A row before the first byte leaves.
    Begin {
        base_url: String,
        token_fingerprint: Option<String>,
    },
    /// The row of the attempt started last is completed.
    Finish {
        class: AnswerClass,
        evidence: Evidence,
    },
}

/// The statement that reads the batches `b` of which this holds.
pub(super) fn select(condition: &str) -> String {
    format!(
        "SELECT b.id, b.profile_id, b.state, b.hold, b.case_reason, b.revision,
             b.idempotency_key, b.base_url, b.token_fingerprint, b.size, b.reached,
             b.unknown_before, b.replay_granted, b.sends, b.first_sent_at, b.first_sent_mono,
             b.process_id, b.failures, NOT EXISTS (SELECT 1 FROM submission s
                 WHERE s.batch_id = b.id AND (s.state <> b.state OR s.contract_id IS NOT NULL)),
             b.body_key, b.body
         FROM batch b WHERE {condition}"
    )
}

impl Store {
    /// Every batch that was in flight when a process ended.
    pub async fn batches_in_flight(&self) -> Result<Vec<Batch>, StoreError> {
        let sql = select("b.state = 'inFlight' ORDER BY b.rowid");
        self.list(sql, [], batch).await
    }

    /// A profile's batches in a state.
    pub async fn batches_of(
        &self,
        profile_id: &str,
        state: SubmissionState,
    ) -> Result<Vec<Batch>, StoreError> {
        let sql = select("b.profile_id = ?1 AND b.state = ?2 ORDER BY b.rowid");
        let values = [profile_id.to_owned(), sql_types::text_of(&state)?];
        self.list(sql, values, batch).await
    }

    /// The ids of the entries of some batches, those of each in the order of its body.
    pub async fn entries_of_batches(
        &self,
        batches: impl IntoIterator<Item = String>,
    ) -> Result<Vec<String>, StoreError> {
        let batches: Vec<String> = batches.into_iter().collect();
        self.call(move |connection| {
            let sql = "SELECT id FROM submission WHERE batch_id = ?1 ORDER BY position";
            let mut ids = Vec::new();
            for batch in batches {
                ids.extend(connection.list(sql, [batch], |row| row.get::<_, String>(0))?);
            }
            Ok(ids)
        })
        .await
    }

    /// Takes a step. `false`: the batch is no longer where it was read, and nothing has changed. What
    /// comes back from a request without being sent is cancelled if its run was, meanwhile.
    pub async fn take_step(&self, step: Move, now: Instant) -> Result<bool, StoreError> {
        self.write(move |transaction| {
            let taken = take(transaction, &step)?;
            if taken
                && let State::Queued | State::Held(_) = step.step.to
                && let Some(batch) = of_cancelled_run(transaction, &step.batch_id)?
            {
                cancel(transaction, &batch, now)?;
                // The sheet has more rows back than before.
                transaction.change(
                    "UPDATE run SET rejected_taken = 0 WHERE source = 'sheet'
                         AND number = (SELECT run FROM batch WHERE id = ?1)",
                    [&batch.id],
                )?;
            }
            Ok(taken)
        })
        .await
    }
}

pub(super) fn load(connection: &Connection, id: &str) -> Read<Option<Batch>> {
    connection.find(&select("b.id = ?1"), [id], batch)
}

/// The batches of a run of which nothing was done at the service.
pub(super) fn of_run(connection: &Connection, run: i64) -> Read<Vec<Batch>> {
    let sql = select(
        "b.profile_id = (SELECT profile_id FROM run WHERE number = ?1)
             AND b.state IN ('queued', 'held') AND b.run = ?1 ORDER BY b.rowid",
    );
    connection.list(&sql, [run], batch)
}

fn of_cancelled_run(connection: &Connection, id: &str) -> Read<Option<Batch>> {
    let sql = select(
        "b.id = ?1 AND EXISTS (SELECT 1 FROM run WHERE number = b.run AND state = 'cancelled')",
    );
    connection.find(&sql, [id], batch)
}

/// Cancels a batch whose run is cancelled, unless the service may have anything of it.
pub(super) fn cancel(transaction: &Connection, batch: &Batch, now: Instant) -> Read<()> {
    let facts = ProviderFacts::default();
    if let Ok(next) = step(batch.state, &batch.record, Event::RunCancelled, &facts, now) {
        let step = Move {
            failures: 0,
            ..batch.step(next, now.wall)
        };
        take(transaction, &step)?;
    }
    Ok(())
}

/// The columns beside the word of a state: its hold and its reason.
pub(super) fn beside(state: State) -> Read<(Option<String>, Option<String>)> {
    Ok(match state {
        State::Held(hold) => (Some(sql_types::text_of(&hold)?), None),
        State::NeedsPerson(reason) => (None, Some(sql_types::text_of(&reason)?)),
        State::Draft
        | State::Queued
        | State::InFlight
        | State::Unknown
        | State::Accepted
        | State::Confirmed
        | State::Rejected
        | State::Cancelled => (None, None),
    })
}

/// A state from its word, its hold and its reason, in three columns that follow each other.
pub(super) fn state(row: &Row<'_>, column: usize) -> Read<State> {
    let word: SubmissionState = sql_types::word(row, column)?;
    let hold: Option<Hold> = sql_types::word_or_none(row, column + 1)?;
    let reason: Option<CaseReason> = sql_types::word_or_none(row, column + 2)?;
    State::of(word, hold, reason).ok_or_else(|| {
        rusqlite::Error::InvalidColumnType(column, "state".into(), rusqlite::types::Type::Text)
    })
}

pub(super) fn batch(row: &Row<'_>) -> Read<Batch> {
    let wall: Option<i64> = row.get(14)?;
    let mono: Option<i64> = row.get(15)?;
    let counted_from: Option<Uuid> = sql_types::word_or_none(row, 16)?;
    let first_sent = wall.zip(mono).zip(counted_from);
    let first_sent = first_sent.map(|((wall, mono), counted_from)| Instant {
        wall,
        mono: Duration::from_millis(u64::try_from(mono).unwrap_or(0)),
        counted_from,
    });
    Ok(Batch {
        id: row.get(0)?,
        profile_id: row.get(1)?,
        state: state(row, 2)?,
        revision: row.get(5)?,
        body: encryption_keys::at(row, 19)?,
        key: sql_types::word(row, 6)?,
        base_url: row.get(7)?,
        token_fingerprint: row.get(8)?,
        record: Record {
            size: row.get(9)?,
            reached: row.get(10)?,
            unknown_before: row.get(11)?,
            replay_granted: row.get(12)?,
            sends: row.get(13)?,
            first_sent,
            whole: row.get(18)?,
            accepted_at: None,
            lookups: 0,
            duplicate_possible: false,
        },
        failures: row.get(17)?,
    })
}

#[cfg(test)]
#[path = "batches_tests.rs"]
mod tests;
