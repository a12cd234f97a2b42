//! What a support bundle reads: counts, times and codes. No column with an entry's content.

use serde_json::{Value, json};

use super::{Result, Store, check, sql_types, version};

impl Store {
    /// How many entries of each profile are in each state, and when the oldest and the newest of them
    /// were entered.
    pub async fn state_counts(&self) -> Result<Vec<Value>> {
        self.list(
            "SELECT profile_id, state, COUNT(*), MIN(entered_at), MAX(entered_at)
             FROM submission GROUP BY profile_id, state ORDER BY profile_id, state",
            [],
            |row| {
                Ok(json!({
                    "profileId": row.get::<_, String>(0)?,
                    "state": row.get::<_, String>(1)?,
                    "count": row.get::<_, u32>(2)?,
                    "oldest": sql_types::instant(row, 3)?,
                    "newest": sql_types::instant(row, 4)?,
                }))
            },
        )
        .await
    }

    /// The newest attempts, newest first: what each answer meant, and the service's name for the
    /// request. One that is in flight, or whose process died, has no end. The reason, of one without an
    /// answer, is the program's own.
    pub async fn newest_attempts(&self, limit: u32) -> Result<Vec<Value>> {
        self.list(
            // What is left of a batch has its attempts once more.
            "SELECT DISTINCT started_at, finished_at, class, status, request_id,
                 CASE WHEN status IS NULL THEN detail END FROM attempt
             ORDER BY started_at DESC LIMIT ?1",
            [limit],
            |row| {
                Ok(json!({
                    "startedAt": sql_types::instant(row, 0)?,
                    "finishedAt": sql_types::instant_or_none(row, 1)?,
                    "class": row.get::<_, Option<String>>(2)?,
                    "status": row.get::<_, Option<u16>>(3)?,
                    "requestId": row.get::<_, Option<String>>(4)?,
                    "reason": row.get::<_, Option<String>>(5)?,
                }))
            },
        )
        .await
    }

    /// The newest runs, newest first, without the names of their files.
    pub async fn newest_runs(&self, limit: u32) -> Result<Vec<Value>> {
        self.list(
            "SELECT profile_id, kind, state, created_at, rows, entered, already_entered, rejected
             FROM run ORDER BY number DESC LIMIT ?1",
            [limit],
            |row| {
                Ok(json!({
                    "profileId": row.get::<_, String>(0)?,
                    "kind": row.get::<_, String>(1)?,
                    "state": row.get::<_, String>(2)?,
                    "createdAt": sql_types::instant(row, 3)?,
                    "rows": row.get::<_, u32>(4)?,
                    "entered": row.get::<_, u32>(5)?,
                    "alreadyEntered": row.get::<_, u32>(6)?,
                    "rejected": row.get::<_, u32>(7)?,
                }))
            },
        )
        .await
    }

    /// The reports about replaced files, without the sales they list.
    pub async fn rescue_counts(&self) -> Result<Vec<Value>> {
        self.list(
            "SELECT at, cause, report ->> 'complete', report ->> 'restoredRows', pending, seen_at
             FROM rescue ORDER BY number",
            [],
            |row| {
                Ok(json!({
                    "at": sql_types::instant(row, 0)?,
                    "cause": row.get::<_, String>(1)?,
                    "complete": row.get::<_, Option<bool>>(2)?,
                    "restoredRows": row.get::<_, Option<u32>>(3)?,
                    "pending": row.get::<_, u32>(4)?,
                    "seenAt": sql_types::instant_or_none(row, 5)?,
                }))
            },
        )
        .await
    }

    /// The steps of the schema that `desk.db` has taken, and whether SQLite's own check of it passes.
    pub async fn check_file(&self) -> Result<Value> {
        self.call(|connection| {
            Ok(json!({
                "schema": version(connection)?,
                "sqlite": rusqlite::version(),
                "sound": check::whole(connection).is_ok(),
            }))
        })
        .await
    }
}
