//! Deletes customers and request bodies after their retention time, which counts from when their
//! entries were finished.

use rusqlite::{Connection, params};
use warranty_model::retention::ClockCheck;

use super::journal::{self, Line};
use super::{Result, Store, settings};
use crate::query::{Query as _, Read};

/// The finished states: no further step follows without a person.
const FINISHED: &str = "('confirmed', 'rejected', 'cancelled')";
/// Of finished entries, those whose customer may go: finished up to `?1`, or up to `?2` when they
/// are rejected. A rejected entry still waits for a person, who needs its customer to enter it
/// again; one that was corrected or abandoned is cancelled.
const OVER: &str = "CASE state WHEN 'confirmed' THEN finished_at <= ?1
                               WHEN 'cancelled' THEN finished_at <= ?1
                               WHEN 'rejected' THEN finished_at <= MIN(?1, ?2)
                               ELSE FALSE END";

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Forgotten {
    pub customers: usize,
    pub bodies: usize,
    pub drafts: usize,
    pub notes: usize,
}

impl std::fmt::Display for Forgotten {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} customers, {} bodies", self.customers, self.bodies)?;
        for (count, of) in [(self.drafts, "drafts"), (self.notes, "notes")] {
            if count > 0 {
                write!(f, ", {count} {of}")?;
            }
        }
        Ok(())
    }
}

/// What of finished entries is over. Times are in milliseconds since 1970 UTC.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Confirmation times before this are not trusted.
    pub believed_from: i64,
    /// What was finished up to then goes.
    pub before: i64,
    /// What was rejected up to then goes, though it waits for a person.
    pub undecided_before: i64,
}

impl Store {
    /// What the clock said when it was last looked at; `None` before that.
    pub async fn last_clock_check(&self) -> Result<Option<ClockCheck>> {
        self.call(last_clock_check).await
    }

    /// Keeps what the clock said now, and forgets nothing. Nothing at all when `last` is no longer
    /// the last look.
    pub async fn keep_clock_check(
        &self,
        last: Option<ClockCheck>,
        look: ClockCheck,
        line: Option<Line>,
    ) -> Result<()> {
        self.write(move |transaction| {
            if last_clock_check(transaction)? != last {
                return Ok(());
            }
            keep_clock_check(transaction, look)?;
            if let Some(line) = &line {
                journal::append(transaction, line)?;
            }
            Ok(())
        })
        .await
    }

    /// Keeps what the clock said now, and deletes what is over by then. When there is any, the line
    /// is written with how much as its detail. Nothing at all when `last` is no longer the last look.
    pub async fn forget_expired(
        &self,
        last: Option<ClockCheck>,
        look: ClockCheck,
        limits: Limits,
        line: Line,
    ) -> Result<Forgotten> {
        self.write(move |transaction| {
            if last_clock_check(transaction)? != last {
                return Ok(Forgotten::default());
            }
            keep_clock_check(transaction, look)?;
            note_finished(transaction, limits.believed_from, look.at)?;
            let forgotten = forget(transaction, limits.before, limits.undecided_before)?;
            if forgotten != Forgotten::default() {
                let detail = Some(forgotten.to_string());
                journal::append(transaction, &Line { detail, ..line })?;
            }
            Ok(forgotten)
        })
        .await
    }
}

fn last_clock_check(connection: &Connection) -> Read<Option<ClockCheck>> {
    let number = |name| -> Read<Option<i64>> {
        Ok(settings::get(connection, name)?.and_then(|text| text.parse().ok()))
    };
    let at = number(settings::RETENTION_CHECKED)?;
    let not_before = number(settings::RETENTION_NOT_BEFORE)?;
    Ok(at
        .zip(not_before)
        .map(|(at, not_before)| ClockCheck { at, not_before }))
}

fn keep_clock_check(connection: &Connection, look: ClockCheck) -> Read<()> {
    let (at, not_before) = (look.at.to_string(), look.not_before.to_string());
    settings::set(connection, settings::RETENTION_CHECKED, Some(&at))?;
    settings::set(
        connection,
        settings::RETENTION_NOT_BEFORE,
        Some(&not_before),
    )
}

/// Notes of entries that are finished since when they are: since they were confirmed, when that was
/// seen after `believed_from`, and since now otherwise; also of those noted by a clock that was ahead,
/// or before they were entered, by one that was behind. Times are in milliseconds since 1970 UTC.
fn note_finished(connection: &Connection, believed_from: i64, now: i64) -> Read<()> {
    connection.change(
        &format!(
            "UPDATE submission SET finished_at =
                 CASE WHEN confirmed_at BETWEEN ?1 AND ?2 THEN confirmed_at ELSE ?2 END
             WHERE (finished_at IS NULL OR finished_at > ?2
                     OR finished_at < entered_at AND entered_at <= ?2)
                 AND state IN {FINISHED}"
        ),
        params![believed_from, now],
    )?;
    Ok(())
}

/// Deletes customers of entries that were finished up to `before`, and bodies whose entries were all
/// finished by then; the body of an accepted batch, which is sent no more, with the first of its
/// customers. A body that was built again for other entries is deleted by its own date. Rejected
/// entries that still wait for a person are deleted when they were rejected up to `undecided_before`.
/// Notes of leads are deleted when they were not changed since; a note with a day on which to contact
/// the customer still waits for a person. A draft is deleted when it was not changed since, or up to
/// `undecided_before` when it holds what was not submitted; the blocks of a sheet go together.
fn forget(connection: &Connection, before: i64, undecided_before: i64) -> Read<Forgotten> {
    let customers = connection.execute(
        &format!(
            "DELETE FROM submission_customer WHERE submission_id IN (
                 SELECT id FROM submission WHERE {OVER})"
        ),
        [before, undecided_before],
    )?;
    let bodies = connection.execute(
        &format!(
            "UPDATE batch SET body = x''
             WHERE length(body) > 0 AND frozen_at <= ?1
               AND state NOT IN ('queued', 'inFlight', 'held', 'unknown')
               AND IIF(state = 'accepted',
                   EXISTS (SELECT 1 FROM submission WHERE batch_id = batch.id AND {OVER}),
                   NOT EXISTS (
                       SELECT 1 FROM submission s WHERE s.batch_id = batch.id
                         AND s.id NOT IN (SELECT id FROM submission WHERE {OVER})))"
        ),
        [before, undecided_before],
    )?;
    forget_rows(connection, before, undecided_before)?;
    connection.execute(
        "UPDATE lead SET token = NULL, token_key = NULL
         WHERE token IS NOT NULL AND entered_at <= MIN(?1, ?2)",
        [before, undecided_before],
    )?;
    let notes = connection.execute(
        "UPDATE lead SET note = NULL, note_key = NULL, note_at = NULL
         WHERE note_at <= CASE WHEN due IS NULL THEN ?1 ELSE MIN(?1, ?2) END",
        [before, undecided_before],
    )?;
    let drafts = connection.execute(
        "DELETE FROM draft WHERE (profile_id, IIF(name GLOB 'sheet/*', '', name)) IN (
             SELECT profile_id, IIF(name GLOB 'sheet/*', '', name) AS part
             FROM draft GROUP BY profile_id, part
             HAVING MAX(kept_at) <= IIF(part = '' AND SUM(entries) = 0, ?1, MIN(?1, ?2)))",
        [before, undecided_before],
    )?;
    Ok(Forgotten {
        customers,
        bodies,
        drafts,
        notes,
    })
}

/// Deletes the submitted rows of runs: of runs that were over up to a time, and up to `undecided_before`
/// of those that wait for a person: paused, never started, or with rejected rows that were not saved. A
/// paused one stays paused while entries of it wait: time alone never sends them.
fn forget_rows(connection: &Connection, before: i64, undecided_before: i64) -> Read<()> {
    const OVER: &str = "COALESCE(finished_at, created_at) <= IIF(state IN ('running', 'paused')
            OR hidden = 0 AND (state = 'staged' OR rejected > 0 AND rejected_taken = 0),
        MIN(?1, ?2), ?1)";
    let times = [before, undecided_before];
    connection.execute(
        &format!("DELETE FROM run_chunk WHERE run IN (SELECT number FROM run WHERE {OVER})"),
        times,
    )?;
    connection.execute(
        &format!(
            "UPDATE run SET layout = x'', rejected_taken = 1, finished_at = COALESCE(finished_at, ?1),
                 state = CASE WHEN state = 'done' THEN 'done'
                     WHEN state = 'paused' AND EXISTS (SELECT 1 FROM batch b
                         WHERE b.profile_id = run.profile_id AND b.state IN ('queued', 'held')
                           AND b.run = run.number) THEN 'paused'
                     ELSE 'cancelled' END
             WHERE {OVER}"
        ),
        times,
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 24 * 60 * 60 * 1000;

    fn file() -> Connection {
        let mut connection = Connection::open_in_memory().unwrap();
        crate::prepare(&mut connection, false).unwrap();
        connection
    }

    #[test]
    fn a_rejected_entry_that_waits_for_a_person_keeps_its_customer_for_a_year() {
        let connection = file();
        connection
            .execute_batch("PRAGMA foreign_keys = OFF;")
            .unwrap();
        for (number, state) in [(1, "rejected"), (2, "cancelled"), (3, "confirmed")] {
            connection
                .execute(
                    "INSERT INTO submission (id, profile_id, origin, store_id, state, batch_id,
                         position, transaction_id, transaction_total, transaction_date,
                         product_reference_id, product_purchase_price, plan_id,
                         plan_purchase_price, entered_at, entered_by, finished_at)
                     VALUES (?1, 'p', '', '', ?2, ?1, 0, ?1, 1, '', 'r', 1, 'a', 1, 1, 'clerk', 0)",
                    params![number.to_string(), state],
                )
                .unwrap();
            connection
                .execute(
                    "INSERT INTO batch (id, profile_id, state, body, body_key, idempotency_key,
                         size, base_url, frozen_at)
                     VALUES (?1, 'p', 'accepted', x'01', 'key', ?1, 1, 'https://sample.invalid',
                         0)",
                    [number.to_string()],
                )
                .unwrap();
            connection
                .execute(
                    "INSERT INTO submission_customer VALUES (?1, 'key', x'01')",
                    [number.to_string()],
                )
                .unwrap();
        }
        let forget = |day: i64| {
            let before = (day - 90) * DAY;
            let Forgotten {
                customers, bodies, ..
            } = super::forget(&connection, before, (day - 365) * DAY).unwrap();
            (customers, bodies)
        };
        assert_eq!(forget(89), (0, 0));
        assert_eq!(forget(90), (2, 2));
        assert_eq!(forget(364), (0, 0));
        assert_eq!(forget(365), (1, 1));
    }

    #[test]
    fn a_run_left_halted_for_a_year_stays_halted_while_a_sale_of_it_waits() {
        let connection = file();
        for number in [1, 2] {
            connection
                .execute(
                    "INSERT INTO run (number, id, profile_id, kind, source, name, state, created_at,
                         created_by, layout_key, layout)
                     VALUES (?1, ?1, 'p', 'contracts', 'file', '', 'paused', 0, '', '', x'01')",
                    [number],
                )
                .unwrap();
        }
        connection
            .execute_batch(
                "INSERT INTO batch (id, profile_id, state, body, body_key, idempotency_key, size,
                     base_url, frozen_at, run)
                 VALUES ('b', 'p', 'queued', x'01', 'key', 'k', 1, 'https://sample.invalid', 0, 1);",
            )
            .unwrap();
        super::forget(&connection, 700 * DAY, 400 * DAY).unwrap();
        let states: Vec<String> = connection
            .prepare("SELECT state FROM run WHERE layout = x'' ORDER BY number")
            .unwrap()
            .query_map([], |row| row.get(0))
            .unwrap()
            .collect::<Read<_>>()
            .unwrap();
        assert_eq!(states, ["paused", "cancelled"]);
    }

    #[test]
    fn rejected_rows_that_nobody_has_are_kept_as_long_as_a_refused_contract() {
        let connection = file();
        connection
            .execute_batch(
                "INSERT INTO run (number, id, profile_id, kind, source, name, state, created_at,
                     created_by, layout_key, layout, rejected, rejected_taken, finished_at)
                 VALUES (1, 1, 'p', 'contracts', 'file', '', 'done', 0, '', '', x'01', 1, 0, 0),
                     (2, 2, 'p', 'contracts', 'file', '', 'done', 0, '', '', x'01', 1, 1, 0),
                     (3, 3, 'p', 'contracts', 'file', '', 'staged', 0, '', '', x'01', 0, 0, NULL);",
            )
            .unwrap();
        let kept = |day: i64| -> Vec<u32> {
            super::forget(&connection, (day - 7) * DAY, (day - 365) * DAY).unwrap();
            connection
                .prepare("SELECT number FROM run WHERE layout <> x'' ORDER BY number")
                .unwrap()
                .query_map([], |row| row.get(0))
                .unwrap()
                .collect::<Read<_>>()
                .unwrap()
        };
        assert_eq!(kept(6), [1, 2, 3]);
        assert_eq!(kept(364), [1, 3]);
        assert!(kept(365).is_empty());
    }

    #[test]
    fn of_an_accepted_batch_no_customer_stays_in_its_body_once_one_of_its_contracts_is_over() {
        let connection = file();
        connection
            .execute_batch(
                "PRAGMA foreign_keys = OFF;
                 INSERT INTO batch (id, profile_id, state, body, body_key, idempotency_key, size,
                     base_url, frozen_at)
                 SELECT value, 'p', value, x'01', 'key', value, 2, 'https://sample.invalid', 0
                 FROM (SELECT 'accepted' AS value UNION SELECT 'needsPerson');
                 INSERT INTO submission (id, profile_id, origin, store_id, state, batch_id, position,
                     transaction_id, transaction_total, transaction_date, product_reference_id,
                     product_purchase_price, plan_id, plan_purchase_price, entered_at, entered_by,
                     finished_at, case_reason)
                 SELECT batch.id || state.value, 'p', '', '', state.value, batch.id,
                     state.value = 'needsPerson', batch.id, 1, '', 'r', 1, 'a', 1, 1, 'clerk',
                     IIF(state.value = 'confirmed', 0, NULL),
                     IIF(state.value = 'confirmed', NULL, 'unknownTooLong')
                 FROM batch, (SELECT 'confirmed' AS value UNION SELECT 'needsPerson') state;",
            )
            .unwrap();
        super::forget(&connection, 0, -DAY).unwrap();
        let kept: String = connection
            .query_row("SELECT id FROM batch WHERE body <> x''", [], |row| {
                row.get(0)
            })
            .unwrap();
        assert_eq!(kept, "needsPerson");
    }

    #[test]
    fn a_note_goes_when_it_was_not_changed_since_and_nobody_is_to_be_contacted() {
        let connection = file();
        connection
            .execute_batch(
                "PRAGMA foreign_keys = OFF;
                 INSERT INTO lead (id, profile_id, state, transaction_id, product_reference_id,
                     product_purchase_price, quantity, transaction_date, entered_at, entered_by,
                     due, note_key, note, note_at)
                 SELECT value, 'p', 'created', value, 'r', 0, 1, '', 0, 'clerk',
                     CASE value WHEN 'dated' THEN '2026-11-28' END, 'key', x'01', 0
                 FROM (SELECT 'dated' AS value UNION SELECT 'plain');",
            )
            .unwrap();
        let forget = |day: i64| {
            super::forget(&connection, (day - 90) * DAY, (day - 365) * DAY)
                .unwrap()
                .notes
        };
        assert_eq!([89, 90, 364, 365].map(forget), [0, 1, 0, 1]);
        let kept = "SELECT COUNT(*) FROM lead WHERE note IS NOT NULL OR note_key IS NOT NULL";
        let kept: u32 = connection.query_row(kept, [], |row| row.get(0)).unwrap();
        assert_eq!(kept, 0);
    }
}
