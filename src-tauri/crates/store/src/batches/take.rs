//! One step of a batch, written with its entries, its attempt and its lines of the journal.

use rusqlite::{Connection, params};

use super::{AttemptChange, Move, beside};
use crate::journal::{self, Line, PROGRAM};
use crate::query::{Query as _, Read};
use crate::sql_types;
use warranty_model::outbox::CaseReason;
use warranty_model::outbox::classify::Created;
use warranty_model::outbox::state::State;

/// Takes a step. `false`: the batch is no longer where it was read, and nothing has changed.
pub(crate) fn take(transaction: &Connection, step: &Move) -> Read<bool> {
    let (hold, reason) = beside(step.step.to)?;
    let record = &step.step.record;
    let first = record.first_sent;
    let sent_as = match &step.attempt {
        AttemptChange::Begin {
            token_fingerprint, ..
        } => token_fingerprint.as_deref(),
        AttemptChange::None | AttemptChange::Finish { .. } => None,
    };
    let from = sql_types::text_of(&step.from.word())?;
    let to = sql_types::text_of(&step.step.to.word())?;
    // What was never sent does not set out once its run is halted, however late that was.
    let begins = step.from == State::Queued && step.step.to == State::InFlight;
    let changed = transaction.change(
        "UPDATE batch SET state = ?1, hold = ?2, case_reason = ?3, revision = revision + 1,
             reached = ?4, unknown_before = ?5, replay_granted = ?6, sends = ?7,
             first_sent_at = ?8, first_sent_mono = ?9, process_id = ?10, failures = ?11,
             next_at = ?12, token_fingerprint = COALESCE(?17, token_fingerprint)
         WHERE id = ?13 AND revision = ?14 AND state = ?15
           AND NOT (?16 AND EXISTS (SELECT 1 FROM run r
               WHERE r.number = batch.run AND r.state = 'paused'))",
        params![
            to,
            hold,
            reason,
            record.reached,
            record.unknown_before,
            record.replay_granted,
            record.sends,
            first.map(|first| first.wall),
            first.map(|first| i64::try_from(first.mono.as_millis()).unwrap_or(i64::MAX)),
            first.map(|first| first.counted_from.to_string()),
            step.failures,
            step.next_at,
            step.batch_id,
            step.revision,
            from,
            begins,
            sent_as,
        ],
    )?;
    if changed != 1 {
        return Ok(false);
    }
    if record.duplicate_possible && step.step.to == State::Accepted {
        let sql = "UPDATE submission SET duplicate_possible = 1 WHERE batch_id = ?1 AND state = ?2";
        transaction.change(sql, params![step.batch_id, from])?;
    }
    let mut twice = Vec::new();
    for (position, created) in (0_i64..).zip(&step.created) {
        // A row that is accepted is written once: with its state and its contract.
        let accepted = accept(transaction, step, &from, position, created)?;
        if !accepted {
            twice.push(created.contract_id.as_str());
        }
        let (state, reason, action) = match created.case {
            _ if !accepted => (&from, CaseReason::Contradiction, "outbox.contractTwice"),
            Some(CaseReason::OtherStore) => (&to, CaseReason::OtherStore, "outbox.otherStore"),
            Some(reason) => (&to, reason, "outbox.amountsDiffer"),
            None => continue,
        };
        let case = State::NeedsPerson(reason);
        leave_to_person(transaction, step, (state, case), position, created, action)?;
    }
    // Nothing is left of a batch whose items were all answered for.
    if step.created.len() < usize::try_from(record.size).unwrap_or(usize::MAX) {
        transaction.change(
            "UPDATE submission SET state = ?1, case_reason = ?2
             WHERE batch_id = ?3 AND state = ?4",
            params![to, reason, step.batch_id, from],
        )?;
    }
    for named in &step.named {
        transaction.change(
            NAME,
            params![
                named.contract_id.as_str(),
                step.batch_id,
                i64::try_from(named.place).unwrap_or(i64::MAX),
                named.twice,
            ],
        )?;
    }
    write_attempt(transaction, step, &twice.join(", "))?;
    for line in &step.lines {
        journal::append(transaction, line)?;
    }
    Ok(true)
}

/// That no other entry of the profile or the store has this contract of its service. It is looked for by its
/// id: by its store, every sale would be read.
macro_rules! unclaimed {
    () => {
        "NOT EXISTS (
       SELECT 1 FROM submission other
       WHERE other.origin = submission.origin
         AND (other.profile_id = submission.profile_id
              OR other.store_id = submission.store_id)
         AND other.contract_id = ?1 AND other.state <> 'cancelled')"
    };
}

/// The entry is named by its row: by batch and position alone, SQLite would list the rows to change in a
/// table of its own each time.
pub(super) const ACCEPT: &str = concat!(
    "UPDATE submission SET state = 'accepted', case_reason = NULL,
     contract_id = ?1, inquiry_code = ?2,
     product_title = COALESCE(?3, product_title),
     plan_title = COALESCE(?4, plan_title),
     accepted_at = ?5, lookups = 0, next_lookup_at = ?6
 WHERE number = (SELECT number FROM submission WHERE batch_id = ?7 AND position = ?8)
   AND state = ?9 AND ",
    unclaimed!()
);

/// Keeps the contract that an answer in part named for an entry, and whether it named another one too.
const NAME: &str = concat!(
    "UPDATE submission SET contract_id = ?1, duplicate_possible = duplicate_possible OR ?4
 WHERE batch_id = ?2 AND position = ?3 AND state = 'needsPerson' AND ",
    unclaimed!()
);

/// Takes a contract in for one entry. `false`: another entry has it already.
fn accept(
    transaction: &Connection,
    step: &Move,
    from: &str,
    position: i64,
    created: &Created,
) -> Read<bool> {
    let taken = transaction.change(
        ACCEPT,
        params![
            created.contract_id.as_str(),
            created.inquiry_code,
            created.product_title,
            created.plan_title,
            step.at,
            step.next_at,
            step.batch_id,
            position,
            from,
        ],
    )?;
    Ok(taken == 1)
}

/// Leaves an entry to a person that was answered for with the contract of another one, with other
/// amounts, or under another store. Which contract it was is in the journal.
fn leave_to_person(
    transaction: &Connection,
    step: &Move,
    (from, case): (&str, State),
    position: i64,
    created: &Created,
    action: &'static str,
) -> Read<()> {
    let (_, reason) = beside(case)?;
    let id: Option<String> = transaction.find(
        "UPDATE submission SET state = ?1, case_reason = ?2
         WHERE batch_id = ?3 AND position = ?4 AND state = ?5 RETURNING id",
        params![
            sql_types::text_of(&case.word())?,
            reason,
            step.batch_id,
            position,
            from,
        ],
        |row| row.get(0),
    )?;
    let Some(id) = id else { return Ok(()) };
    let line = Line {
        at: step.at,
        user: PROGRAM.to_owned(),
        action,
        subject: id,
        detail: Some(created.contract_id.as_str().to_owned()),
    };
    journal::append(transaction, &line)
}

/// Writes what became of an attempt: in its detail, which contracts of other entries the answer named.
fn write_attempt(transaction: &Connection, step: &Move, twice: &str) -> Read<()> {
    match &step.attempt {
        AttemptChange::None => {}
        AttemptChange::Begin {
            base_url,
            token_fingerprint,
        } => {
            transaction.change(
                "INSERT INTO attempt (batch_id, number, started_at, base_url, token_fingerprint)
                 SELECT ?1, COALESCE(MAX(number), 0) + 1, ?2, ?3, ?4
                 FROM attempt WHERE batch_id = ?1",
                params![step.batch_id, step.at, base_url, token_fingerprint],
            )?;
        }
        AttemptChange::Finish { class, evidence } => {
            transaction.change(
                "UPDATE attempt SET finished_at = ?2, class = ?3, status = ?4,
                     request_id = ?5, code = ?6, detail = COALESCE(?7, NULLIF(?8, ''))
                 WHERE batch_id = ?1
                   AND number = (SELECT MAX(number) FROM attempt WHERE batch_id = ?1)",
                params![
                    step.batch_id,
                    step.at,
                    sql_types::text_of(class)?,
                    evidence.status,
                    evidence.request_id,
                    evidence.code,
                    evidence.detail,
                    twice,
                ],
            )?;
        }
    }
    Ok(())
}
