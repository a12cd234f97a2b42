//! Deletes customers and request bodies after their retention time, which counts from when their
//! entries were finished.

use rusqlite::Connection;

use super::journal::{self, Line};
use super::{Result, Store, settings};
use crate::query::{Query as _, Read};

/// A day in milliseconds.
pub const DAY: i64 = 24 * 60 * 60 * 1000;
/// A rejected entry keeps its customer until a person has decided about it, but not longer than
/// this.
const UNDECIDED: i64 = 365 * DAY;

/// The finished states: no further step follows without a person.
const FINISHED: &str = "('confirmed', 'rejected', 'cancelled')";
/// Of finished entries, those whose customer may go: finished up to `?1`, or up to `?2` when they
/// are rejected, or may exist more than once. These still wait for a person, who needs the customer
/// to enter the entry again or to ask the provider; one that was corrected or abandoned is cancelled.
const OVER: &str = "CASE state WHEN 'confirmed' THEN finished_at <= IIF(
                                   duplicate_possible = 1 AND duplicate_reference IS NULL,
                                   MIN(?1, ?2), ?1)
                               WHEN 'cancelled' THEN finished_at <= ?1
                               WHEN 'rejected' THEN finished_at <= MIN(?1, ?2)
                               ELSE FALSE END";

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Forgotten {
    pub customers: usize,
    pub bodies: usize,
    pub drafts: usize,
    /// Leads whose token and note are deleted.
    pub leads: usize,
    /// Runs whose layout, and with it their rows, is deleted.
    pub runs: usize,
}

impl std::fmt::Display for Forgotten {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} customers, {} bodies", self.customers, self.bodies)?;
        for (count, of) in [
            (self.drafts, "drafts"),
            (self.leads, "leads"),
            (self.runs, "runs"),
        ] {
            if count > 0 {
                write!(f, ", {count} {of}")?;
            }
        }
        Ok(())
    }
}

impl Store {
    /// Records a check, and deletes what had expired at the previous one, if there is one; times are in
    /// milliseconds since 1970 UTC. When there is any, the line is written with how much as its detail.
    pub async fn forget_expired(
        &self,
        previous: Option<i64>,
        now: i64,
        days: i64,
        since_start: Option<String>,
        line: Line,
    ) -> Result<Forgotten> {
        self.write(move |transaction| {
            for (name, at) in [
                (settings::RETENTION_CHECKED, Some(now.to_string())),
                (
                    settings::RETENTION_PREVIOUS,
                    previous.map(|at| at.to_string()),
                ),
                (settings::RETENTION_SINCE_START, since_start),
            ] {
                settings::set(transaction, name, at.as_deref())?;
            }
            let Some(previous) = previous else {
                return Ok(Forgotten::default());
            };
            note_finished(transaction, previous, now)?;
            let [before, undecided_before] =
                [days * DAY, UNDECIDED].map(|kept_for| previous.saturating_sub(kept_for));
            let forgotten = forget(transaction, before, undecided_before)?;
            if forgotten != Forgotten::default() {
                let detail = Some(forgotten.to_string());
                journal::append(transaction, &Line { detail, ..line })?;
            }
            Ok(forgotten)
        })
        .await
    }
}

/// Notes of entries that are finished since when they are: since they were confirmed, when that was
/// after the previous check, and since now otherwise; also of those noted by a clock that was ahead, or
/// before they were entered, by one that was behind. What a clock that was ahead recorded as accepted or
/// frozen counts as of now. Times are in milliseconds since 1970 UTC.
fn note_finished(connection: &Connection, previous: i64, now: i64) -> Read<()> {
    connection.change(
        &format!(
            "UPDATE submission SET finished_at =
                 CASE WHEN confirmed_at BETWEEN ?1 AND ?2 THEN confirmed_at ELSE ?2 END
             WHERE (finished_at IS NULL OR finished_at > ?2
                     OR finished_at < entered_at AND entered_at <= ?2)
                 AND state IN {FINISHED}"
        ),
        [previous, now],
    )?;
    for ahead in [
        "UPDATE submission SET accepted_at = ?1 WHERE accepted_at > ?1 AND state = 'accepted'",
        "UPDATE batch SET frozen_at = ?1 WHERE frozen_at > ?1 AND length(body) > 0",
    ] {
        connection.change(ahead, [now])?;
    }
    Ok(())
}

/// Deletes customers of entries that were finished up to `before`, and bodies whose entries were all
/// finished by then; the body of an accepted batch, which is sent no more, with the first of its
/// customers. A body that was built again for other entries is deleted by its own date. Rejected
/// entries that still wait for a person are deleted when they were rejected up to `undecided_before`.
/// Token and note of a lead are deleted when they were not changed since; those with a day on which to
/// contact the customer still wait for a person. A draft is deleted when it was not changed since, or up to
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
    let runs = forget_rows(connection, before, undecided_before)?;
    let leads = connection.execute(
        "UPDATE lead SET token = NULL, token_key = NULL, note = NULL, note_key = NULL, kept_at = NULL
         WHERE kept_at <= IIF(due IS NULL, ?1, MIN(?1, ?2))",
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
        leads,
        runs,
    })
}

/// Deletes the submitted rows of runs: of runs that were over up to a time, and up to `undecided_before`
/// of those that wait for a person: paused, never started, or with rejected rows that were not saved. A
/// paused one stays paused while entries of it wait: time alone never sends them. Returns the number
/// of runs that had a layout left.
fn forget_rows(connection: &Connection, before: i64, undecided_before: i64) -> Read<usize> {
    const OVER: &str = "COALESCE(finished_at, created_at) <= IIF(state IN ('running', 'paused')
            OR hidden = 0 AND (state = 'staged' OR rejected > 0 AND rejected_taken = 0),
        MIN(?1, ?2), ?1)";
    let times = [before, undecided_before];
    connection.execute(
        &format!("DELETE FROM run_chunk WHERE run IN (SELECT number FROM run WHERE {OVER})"),
        times,
    )?;
    let runs = connection.execute(
        &format!("UPDATE run SET layout = x'' WHERE layout <> x'' AND {OVER}"),
        times,
    )?;
    connection.execute(
        &format!(
            "UPDATE run SET rejected_taken = 1, finished_at = COALESCE(finished_at, ?1),
                 state = CASE WHEN state = 'done' THEN 'done'
                     WHEN state = 'paused' AND EXISTS (SELECT 1 FROM batch b
                         WHERE b.profile_id = run.profile_id AND b.state IN ('queued', 'held')
                           AND b.run = run.number) THEN 'paused'
                     ELSE 'cancelled' END
             WHERE {OVER}"
        ),
        times,
    )?;
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::types::FromSql;

    use crate::test_fixtures::insert;

    fn file() -> Connection {
        let mut connection = Connection::open_in_memory().unwrap();
        crate::prepare(&mut connection, false, crate::DESK).unwrap();
        let off = connection.pragma_update(None, "foreign_keys", false);
        off.unwrap();
        connection
    }

    fn one<T: FromSql>(connection: &Connection, query: &str) -> T {
        connection.query_row(query, [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn an_entry_that_waits_for_a_person_keeps_its_customer_for_a_year() {
        let connection = file();
        for (id, state) in [
            ("rejected", "rejected"),
            ("cancelled", "cancelled"),
            ("confirmed", "confirmed"),
            ("twice", "confirmed"),
        ] {
            let batch = format!("id = '{id}', state = 'accepted'");
            insert(&connection, "batch", &batch).unwrap();
            let entry = format!(
                "id = '{id}', state = '{state}', batch_id = '{id}', position = 0, finished_at = 0,
                 duplicate_possible = {}",
                u8::from(id == "twice")
            );
            insert(&connection, "submission", &entry).unwrap();
            let customer = "INSERT INTO submission_customer VALUES (?1, 'key', x'01')";
            connection.execute(customer, [id]).unwrap();
        }
        let forgotten = [89, 90, 364, 365].map(|day| {
            let gone = forget(&connection, (day - 90) * DAY, (day - 365) * DAY).unwrap();
            (gone.customers, gone.bodies)
        });
        assert_eq!(forgotten, [(0, 0), (2, 2), (0, 0), (2, 2)]);
    }

    #[test]
    fn a_run_left_halted_for_a_year_stays_halted_while_a_sale_of_it_waits() {
        let connection = file();
        for _ in 0..2 {
            insert(&connection, "run", "state = 'paused', layout = x'01'").unwrap();
        }
        insert(&connection, "batch", "run = 1").unwrap();
        forget(&connection, 700 * DAY, 400 * DAY).unwrap();
        let states = "SELECT group_concat(state ORDER BY number) FROM run WHERE layout = x''";
        assert_eq!(one::<String>(&connection, states), "paused,cancelled");
    }

    #[test]
    fn rejected_rows_that_nobody_has_are_kept_as_long_as_a_refused_contract() {
        let connection = file();
        for run in [
            "state = 'done', layout = x'01', rejected = 1, finished_at = 0",
            "state = 'done', layout = x'01', rejected = 1, rejected_taken = 1, finished_at = 0",
            "state = 'staged', layout = x'01'",
        ] {
            insert(&connection, "run", run).unwrap();
        }
        let kept = |day: i64| -> Option<String> {
            forget(&connection, (day - 7) * DAY, (day - 365) * DAY).unwrap();
            let kept = "SELECT group_concat(number ORDER BY number) FROM run WHERE layout <> x''";
            one(&connection, kept)
        };
        assert_eq!(kept(6).as_deref(), Some("1,2,3"));
        assert_eq!(kept(364).as_deref(), Some("1,3"));
        assert_eq!(kept(365), None);
    }

    #[test]
    fn of_an_accepted_batch_no_customer_stays_in_its_body_once_one_of_its_contracts_is_over() {
        let connection = file();
        for batch in ["accepted", "needsPerson"] {
            let own = format!("id = '{batch}', state = '{batch}', size = 2");
            insert(&connection, "batch", &own).unwrap();
            for own in [
                "position = 0, state = 'confirmed', finished_at = 0",
                "position = 1, state = 'needsPerson', case_reason = 'unknownTooLong'",
            ] {
                let own = format!("batch_id = '{batch}', {own}");
                insert(&connection, "submission", &own).unwrap();
            }
        }
        forget(&connection, 0, -DAY).unwrap();
        let kept: String = one(&connection, "SELECT id FROM batch WHERE body <> x''");
        assert_eq!(kept, "needsPerson");
    }

    #[test]
    fn what_a_clock_that_was_ahead_recorded_counts_from_when_the_clock_was_right_again() {
        let connection = file();
        for (id, at) in [("ahead", 400 * DAY), ("before", DAY)] {
            let batch = format!("id = '{id}', state = 'accepted', frozen_at = {at}");
            insert(&connection, "batch", &batch).unwrap();
            let entry = format!("batch_id = '{id}', state = 'accepted', accepted_at = {at}");
            insert(&connection, "submission", &entry).unwrap();
        }
        note_finished(&connection, 0, 7 * DAY).unwrap();
        for times in [
            "SELECT group_concat(accepted_at ORDER BY number) FROM submission",
            "SELECT group_concat(frozen_at ORDER BY rowid) FROM batch",
        ] {
            let expected = format!("{},{DAY}", 7 * DAY);
            assert_eq!(one::<String>(&connection, times), expected, "{times}");
        }
    }

    #[test]
    fn what_is_deleted_alone_is_named_and_only_once() {
        for (table, own, named) in [
            (
                "lead",
                "state = 'created', token_key = 'key', token = x'01', kept_at = 0",
                ", 1 leads",
            ),
            (
                "run",
                "state = 'done', layout = x'01', finished_at = 0",
                ", 1 runs",
            ),
        ] {
            let connection = file();
            insert(&connection, table, own).unwrap();
            let deleted = [(); 2].map(|()| forget(&connection, 400 * DAY, 400 * DAY).unwrap());
            let expected = format!("0 customers, 0 bodies{named}");
            assert_eq!(deleted[0].to_string(), expected);
            assert_eq!(deleted[1], Forgotten::default(), "{table}");
        }
    }

    #[test]
    fn a_note_goes_when_it_was_not_changed_since_and_nobody_is_to_be_contacted() {
        let connection = file();
        for due in ["'2026-11-28'", "NULL"] {
            let own = format!(
                "state = 'created', due = {due}, note_key = 'key', note = x'01', kept_at = 0"
            );
            insert(&connection, "lead", &own).unwrap();
        }
        let gone = |day: i64| forget(&connection, (day - 90) * DAY, (day - 365) * DAY).unwrap();
        let notes = [89, 90, 364, 365].map(|day| gone(day).leads);
        assert_eq!(notes, [0, 1, 0, 1]);
        let kept = "SELECT COUNT(*) FROM lead WHERE note IS NOT NULL OR note_key IS NOT NULL";
        assert_eq!(one::<u32>(&connection, kept), 0);
    }
}
