//! What the outbox has to do, read for the worker: what is due, and when something is next.

use rusqlite::{Connection, params};
use warranty_model::interface::Timestamp;
use warranty_model::profile::Profile;

use super::batches::{self, Batch};
use super::runs::working;
use super::sql_types::moment;
use crate::query::{Query as _, Read};
use crate::{Store, StoreError, leads, profiles};

/// A time further ahead than this comes from a clock that was wrong; such work is due now.
const ABSURDLY_FAR: i64 = 2 * 60 * 60 * 1000;

/// The same of a lookup that a clock that was ahead dated; the desk itself waits less for one.
const FAR_FOR_A_LOOKUP: i64 = 6 * 60 * 1000;

/// Whether the time of a batch `b` has come: `?2` is now, `?3` is [`ABSURDLY_FAR`].
const DUE: &str = "(b.next_at IS NULL OR b.next_at <= ?2 OR b.next_at > ?2 + ?3)";

/// A batch whose time has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    pub batch_id: String,
    /// Whether it was tried before: then it takes from the budget of repeats.
    pub again: bool,
    /// Whether nothing of it ever reached the service.
    pub fresh: bool,
    /// Whether it belongs to the backlog: its sale was entered, or its run submitted, before
    /// [`Turn::entered_since`].
    pub backlog: bool,
    /// Whether it is of a run and was never sent.
    pub of_run: bool,
}

impl Due {
    /// One that a person sends now: it waits for no other and is no repeat.
    pub fn chosen(batch_id: String) -> Self {
        Self {
            batch_id,
            again: false,
            fresh: true,
            backlog: false,
            of_run: false,
        }
    }
}

/// What of that which was never sent is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// Sales entered at the counter and runs submitted since then, in milliseconds since 1970 UTC, go
    /// ahead of the rest, the backlog; `None` while there is no difference.
    pub entered_since: Option<i64>,
    /// Whether the backlog is due too.
    pub backlog: bool,
}

/// What a silent service can be asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Askable {
    /// The product of a confirmed entry; of the next one to be sent, or of another, if there is none.
    pub product: Option<String>,
    /// The id of a contract that was sold.
    pub contract: Option<String>,
}

/// What is to be done for a profile, and when something is next. Times are in milliseconds since
/// 1970 UTC.
#[derive(Debug, Clone)]
pub struct ProfileWork {
    pub profile: Profile,
    /// Ids of held batches whose wait is over, whatever the token.
    pub waited: Vec<String>,
    /// When the last of the batches that wait for another token was sent.
    pub token_refused_at: Option<i64>,
    /// Batches whose time has come.
    pub due: Vec<Due>,
    /// Whether there is a backlog, due or not.
    pub backlog: bool,
    /// Ids of accepted entries whose lookup is due.
    pub lookups: Vec<String>,
    /// Ids of leads that wait to be sent.
    pub leads_queued: Vec<String>,
    /// Ids of leads that are in flight, or were left there.
    pub leads_in_flight: Vec<String>,
    pub next_batch: Option<i64>,
    pub next_lookup: Option<i64>,
    pub runs: working::Next,
}

impl Store {
    pub async fn profiles_with_work(&self) -> Result<Vec<String>, StoreError> {
        self.list(
            "SELECT p.id FROM profile p
             WHERE p.removed_at IS NULL AND (
                EXISTS (SELECT 1 FROM batch WHERE profile_id = p.id
                     AND state IN ('queued', 'inFlight', 'held', 'unknown'))
                OR EXISTS (SELECT 1 FROM submission WHERE profile_id = p.id
                     AND state = 'accepted')
                OR EXISTS (SELECT 1 FROM run WHERE profile_id = p.id AND state = 'running')
                OR EXISTS (SELECT 1 FROM lead WHERE profile_id = p.id
                     AND state IN ('queued', 'inFlight')))
             ORDER BY p.id",
            [],
            |row| row.get(0),
        )
        .await
    }

    /// What is to be done for a profile, at most so many batches and so many lookups; `None` when the
    /// profile is removed.
    pub async fn work_of(
        &self,
        profile_id: &str,
        now: i64,
        turn: Turn,
        (batches, looked_up): (usize, usize),
    ) -> Result<Option<ProfileWork>, StoreError> {
        let id = profile_id.to_owned();
        self.call(move |connection| {
            // One look at the file for all of it.
            let connection = &*connection.unchecked_transaction()?;
            let Some(profile) = profiles::by_id_or_name(connection, &id)? else {
                return Ok(None);
            };
            let (next_batch, next_lookup) = next(connection, &id, now)?;
            Ok(Some(ProfileWork {
                profile,
                waited: waited(connection, &id, now)?,
                token_refused_at: token_refused_at(connection, &id)?,
                due: due(connection, &id, now, turn, batches)?,
                backlog: backlog(connection, &id, turn)?,
                lookups: lookups(connection, &id, now, looked_up)?,
                leads_queued: leads::queued(connection, &id)?,
                leads_in_flight: leads::in_flight(connection, &id)?,
                next_batch,
                next_lookup,
                runs: working::next(connection, &id)?,
            }))
        })
        .await
    }

    /// A batch whose time has come; `None` also when there is none of that id.
    pub async fn due_batch(&self, id: &str, now: i64) -> Result<Option<Batch>, StoreError> {
        let sql = batches::select(&format!("b.id = ?1 AND {DUE}"));
        let values = (id.to_owned(), now, ABSURDLY_FAR);
        self.find(sql, values, batches::batch).await
    }

    /// Whether a batch that was never sent is due, and its run is not paused.
    pub async fn may_set_out(&self, id: &str, now: i64) -> Result<bool, StoreError> {
        let sql = format!(
            "SELECT EXISTS (SELECT 1 FROM batch b WHERE b.id = ?1 AND b.state = 'queued' AND {DUE}
                 AND NOT EXISTS (SELECT 1 FROM run r
                     WHERE r.number = b.run AND r.state = 'paused'))"
        );
        self.value(sql, (id.to_owned(), now, ABSURDLY_FAR)).await
    }

    /// How many batches and leads of a profile were never sent. Counted are batches entered at the
    /// counter, or of a run submitted, before this time, in milliseconds since 1970 UTC.
    pub async fn count_backlog(&self, profile_id: &str, before: i64) -> Result<u32, StoreError> {
        let profile_id = profile_id.to_owned();
        self.call(move |connection| {
            let sql = format!(
                "SELECT (SELECT COUNT(*) FROM batch WHERE {BEHIND})
                     + (SELECT COUNT(*) FROM lead WHERE profile_id = ?1 AND state = 'queued')"
            );
            let last_run = last_run_before(connection, Some(before))?;
            connection.value(&sql, params![profile_id, before, last_run])
        })
        .await
    }

    /// When a batch of a profile is tried next by itself, after `now`.
    pub async fn next_try(
        &self,
        profile_id: &str,
        now: i64,
    ) -> Result<Option<Timestamp>, StoreError> {
        let profile_id = profile_id.to_owned();
        self.call(move |connection| Ok(next(connection, &profile_id, now)?.0.and_then(moment)))
            .await
    }

    /// When the last recorded attempt of a profile that left began, in milliseconds since 1970 UTC, if
    /// that was after `since`, by `now`, and its outcome is unknown.
    pub async fn last_attempt_failed(
        &self,
        profile_id: &str,
        since: i64,
        now: i64,
    ) -> Result<Option<i64>, StoreError> {
        let last = self.find(
            // All attempts are looked through only when there is a recent one of that kind.
            "SELECT a.started_at, a.class = 'unknown' FROM attempt a
                 JOIN batch b ON b.id = a.batch_id
             WHERE b.profile_id = ?1 AND a.started_at BETWEEN ?2 AND ?3
               AND a.class <> 'notSent'
               AND EXISTS (SELECT 1 FROM batch f JOIN attempt g ON g.batch_id = f.id
                   WHERE f.profile_id = ?1 AND f.state IN ('unknown', 'needsPerson')
                     AND g.started_at BETWEEN ?2 AND ?3 AND g.class = 'unknown')
             ORDER BY a.started_at DESC LIMIT 1",
            (profile_id.to_owned(), since, now),
            |row| Ok(row.get::<_, bool>(1)?.then_some(row.get(0)?)),
        );
        Ok(last.await?.flatten())
    }

    /// What a profile's service can be asked for without changing anything: first what it has returned
    /// before, which a service that works has.
    pub async fn askable(&self, profile_id: &str) -> Result<Askable, StoreError> {
        let id = profile_id.to_owned();
        self.call(move |connection| {
            let product = "SELECT coalesce(
                     (SELECT product_reference_id FROM submission
                      WHERE profile_id = ?1 AND state = 'confirmed'
                      ORDER BY number DESC LIMIT 1),
                     (SELECT product_reference_id FROM submission
                      WHERE profile_id = ?1 AND state = 'queued' ORDER BY number LIMIT 1),
                     (SELECT product_reference_id FROM submission
                      WHERE profile_id = ?1 ORDER BY entered_at DESC LIMIT 1))";
            let contract = "SELECT coalesce(
                     (SELECT contract_id FROM submission
                      WHERE profile_id = ?1 AND state = 'confirmed'
                        AND contract_id IS NOT NULL ORDER BY number DESC LIMIT 1),
                     (SELECT contract_id FROM submission
                      WHERE profile_id = ?1 AND state = 'accepted'
                        AND contract_id IS NOT NULL LIMIT 1))";
            Ok(Askable {
                product: connection.value(product, [&id])?,
                contract: connection.value(contract, [&id])?,
            })
        })
        .await
    }

    /// Lets a profile's batches that wait for the service to be reachable try now.
    pub async fn retry_queued_now(&self, profile_id: &str) -> Result<(), StoreError> {
        let sql = "UPDATE batch SET next_at = NULL
             WHERE profile_id = ?1 AND state = 'queued' AND next_at IS NOT NULL";
        self.change(sql, [profile_id.to_owned()]).await.map(drop)
    }

    /// Lets a profile's batches under a key wait until a time, in milliseconds since 1970 UTC.
    pub async fn wait_for_key(
        &self,
        profile_id: &str,
        key_id: &str,
        until: i64,
    ) -> Result<(), StoreError> {
        let sql = "UPDATE batch SET next_at = ?3 WHERE profile_id = ?1 AND body_key = ?2
             AND state IN ('queued', 'unknown')";
        let values = (profile_id.to_owned(), key_id.to_owned(), until);
        self.change(sql, values).await.map(drop)
    }

    /// Lets batches under other keys than this one be decided about now.
    pub async fn decide_other_keys_now(&self, key_id: &str) -> Result<(), StoreError> {
        let sql = "UPDATE batch SET next_at = NULL WHERE body_key <> ?1
             AND state IN ('queued', 'unknown')";
        self.change(sql, [key_id.to_owned()]).await.map(drop)
    }

    /// Lets batches of unknown outcome be decided about now.
    pub async fn decide_unknown_now(&self, ids: Vec<String>) -> Result<(), StoreError> {
        self.write(move |transaction| {
            let sql = "UPDATE batch SET next_at = NULL WHERE id = ?1 AND state = 'unknown'";
            for id in ids {
                transaction.change(sql, [id])?;
            }
            Ok(())
        })
        .await
    }
}

/// A profile's batches that are due. First those of unknown outcome and those marked as being sent; only
/// the dispatcher knows which of the latter a task is really sending. While a batch waits as long as the
/// service asked, those never sent wait too. Single entries come before those of a run; those of a paused
/// run are left out. Of a run that was ended, only what the service may have is left: the rest was
/// cancelled. Of a backlog only the next batch is read, if it is due: one from the counter comes before
/// the runs submitted since, one of an older run comes last.
fn due(
    connection: &Connection,
    profile_id: &str,
    now: i64,
    turn: Turn,
    limit: usize,
) -> Read<Vec<Due>> {
    connection.list(
        // Each part ends where the index does: a long queue is not looked through for its front.
        "SELECT id, again, fresh, behind, part > 2 FROM (
             SELECT * FROM (SELECT id, failures > 0 OR state = 'unknown' AS again, 0 AS fresh,
                     IFNULL(run <= ?7, frozen_at < ?5) AS behind, 0 AS part, 0 AS of_run,
                     rowid AS place FROM batch
                 WHERE profile_id = ?1 AND state IN ('inFlight', 'unknown')
                   AND (next_at IS NULL OR next_at <= ?2 OR next_at > ?2 + ?3)
                 ORDER BY rowid LIMIT ?4)
             UNION ALL SELECT * FROM (SELECT id, failures > 0, 1, 0, 1, 0, rowid FROM batch
                 WHERE profile_id = ?1 AND state = 'queued' AND run IS NULL AND frozen_at >= ?5
                   AND (next_at IS NULL OR next_at <= ?2 OR next_at > ?2 + ?3)
                 ORDER BY rowid LIMIT ?4)
             UNION ALL SELECT * FROM (SELECT id, failures > 0, 1, 1, 2, 0, rowid FROM batch
                 WHERE ?6 AND profile_id = ?1 AND state = 'queued' AND run IS NULL
                   AND frozen_at < ?5
                   AND (next_at IS NULL OR next_at <= ?2 OR next_at > ?2 + ?3)
                 ORDER BY rowid LIMIT 1)
             UNION ALL SELECT * FROM (SELECT id, failures > 0, 1, 0, 3, run, rowid FROM batch
                 WHERE profile_id = ?1 AND state = 'queued' AND run > ?7
                   AND run NOT IN (SELECT number FROM run
                       WHERE profile_id = ?1 AND state = 'paused')
                   AND (next_at IS NULL OR next_at <= ?2 OR next_at > ?2 + ?3)
                 ORDER BY run, rowid LIMIT ?4)
             UNION ALL SELECT * FROM (SELECT id, failures > 0, 1, 1, 4, run, rowid FROM batch
                 WHERE ?6 AND profile_id = ?1 AND state = 'queued' AND run <= ?7
                   AND run NOT IN (SELECT number FROM run
                       WHERE profile_id = ?1 AND state = 'paused')
                   AND (next_at IS NULL OR next_at <= ?2 OR next_at > ?2 + ?3)
                 ORDER BY run, rowid LIMIT 1))
         WHERE fresh = 0 OR NOT EXISTS (
             SELECT 1 FROM batch h
             WHERE h.profile_id = ?1 AND h.state = 'held' AND h.hold = 'rate')
         ORDER BY part, of_run, place LIMIT ?4",
        params![
            profile_id,
            now,
            ABSURDLY_FAR,
            i64::try_from(limit).unwrap_or(i64::MAX),
            turn.entered_since.unwrap_or(i64::MIN),
            turn.backlog && turn.entered_since.is_some(),
            last_run_before(connection, turn.entered_since)?,
        ],
        |row| {
            Ok(Due {
                batch_id: row.get(0)?,
                again: row.get(1)?,
                fresh: row.get(2)?,
                backlog: row.get(3)?,
                of_run: row.get(4)?,
            })
        },
    )
}

/// The number of the last run that was submitted before a time; 0 if there is none.
fn last_run_before(connection: &Connection, since: Option<i64>) -> Read<i64> {
    let Some(since) = since else { return Ok(0) };
    let sql = "SELECT number FROM run WHERE created_at < ?1 ORDER BY number DESC LIMIT 1";
    let last = connection.find(sql, [since], |row| row.get(0))?;
    Ok(last.unwrap_or(0))
}

/// A batch of a profile that was never sent and was entered before a time, or is of a run up to a number.
const BEHIND: &str = "profile_id = ?1 AND state = 'queued' AND IFNULL(run <= ?3, frozen_at < ?2)";

/// Whether a batch that was never sent belongs to the backlog.
fn backlog(connection: &Connection, profile_id: &str, turn: Turn) -> Read<bool> {
    let Some(since) = turn.entered_since else {
        return Ok(false);
    };
    connection.value(
        &format!("SELECT EXISTS (SELECT 1 FROM batch WHERE {BEHIND})"),
        params![profile_id, since, last_run_before(connection, Some(since))?],
    )
}

/// A profile's held batches whose wait is over, whatever the token.
fn waited(connection: &Connection, profile_id: &str, now: i64) -> Read<Vec<String>> {
    connection.list(
        "SELECT id FROM batch
         WHERE profile_id = ?1 AND state = 'held' AND hold = 'rate'
           AND (next_at IS NULL OR next_at <= ?2 OR next_at > ?2 + ?3)",
        params![profile_id, now, ABSURDLY_FAR],
        |row| row.get(0),
    )
}

/// When the last of a profile's batches that wait for a new token was sent, in milliseconds since 1970 UTC; `None`
/// if there is none.
fn token_refused_at(connection: &Connection, profile_id: &str) -> Read<Option<i64>> {
    connection.value(
        "SELECT MAX(a.started_at) FROM batch b JOIN attempt a ON a.batch_id = b.id
         WHERE b.profile_id = ?1 AND b.state = 'held' AND b.hold = 'token'",
        [profile_id],
    )
}

/// A profile's accepted entries whose lookup is due, by id.
fn lookups(connection: &Connection, profile_id: &str, now: i64, limit: usize) -> Read<Vec<String>> {
    // Each part ends where the index does: those that are not due yet are not looked through.
    let too_far = "> ?2 + ?5 AND (accepted_at > ?2 OR next_lookup_at > ?2 + ?3)";
    let parts = ["IS NULL", "<= ?2", too_far].map(|is_due| {
        format!(
            "SELECT * FROM (SELECT id, next_lookup_at, number FROM submission
                 WHERE profile_id = ?1 AND state = 'accepted' AND next_lookup_at {is_due}
                 ORDER BY next_lookup_at, number LIMIT ?4)"
        )
    });
    let parts = parts.join(" UNION ALL ");
    connection.list(
        &format!("SELECT id FROM ({parts}) ORDER BY next_lookup_at, number LIMIT ?4"),
        params![
            profile_id,
            now,
            ABSURDLY_FAR,
            i64::try_from(limit).unwrap_or(i64::MAX),
            FAR_FOR_A_LOOKUP,
        ],
        |row| row.get(0),
    )
}

/// When a profile's next step by itself is due, in milliseconds since 1970 UTC: of a batch, and
/// of a lookup.
fn next(connection: &Connection, profile_id: &str, now: i64) -> Read<(Option<i64>, Option<i64>)> {
    let batch = connection.value(
        "SELECT MIN(next_at) FROM batch
         WHERE profile_id = ?1 AND state IN ('queued', 'held', 'unknown') AND next_at > ?2",
        params![profile_id, now],
    )?;
    let lookup = connection.value(
        "SELECT MIN(next_lookup_at) FROM submission
         WHERE profile_id = ?1 AND state = 'accepted' AND next_lookup_at > ?2",
        params![profile_id, now],
    )?;
    Ok((batch, lookup))
}
