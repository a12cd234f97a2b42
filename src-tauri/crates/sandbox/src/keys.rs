//! Idempotency keys: which answers are stored and when a stored one is returned again. Knows nothing of the
//! operations.

use chrono::{DateTime, Utc};
use rusqlite::{OptionalExtension, Transaction, params};

use crate::behaviour::KeyPolicy;
use crate::{Answer, ErrorKind, ErrorResponse, Failure};

/// Runs `work` unless `policy` has a stored answer for this key and body. Uses the work's own transaction, so
/// that an answer is stored exactly when its effect is.
pub(crate) fn answer_once(
    transaction: &Transaction<'_>,
    policy: KeyPolicy,
    now: DateTime<Utc>,
    key: &str,
    body: &[u8],
    work: impl FnOnce() -> Result<Answer, Failure>,
) -> Result<Answer, Failure> {
    if policy == KeyPolicy::RefuseChangedBody && used_with_another_body(transaction, key, body)? {
        return Err(ErrorResponse::new(
            ErrorKind::CONFLICT,
            "the idempotency key was used with another body",
        )
        .into());
    }
    if let Some(stored) = stored_answer(transaction, policy, now, key, body)? {
        return Ok(stored);
    }
    let answer = match work() {
        Ok(answer) => answer,
        Err(Failure::Refused(error)) => Answer::error(&error),
        Err(failure) => return Err(failure),
    };
    if stores(policy, &answer) {
        store(transaction, now, key, body, &answer)?;
    }
    Ok(answer)
}

fn stores(policy: KeyPolicy, answer: &Answer) -> bool {
    match policy {
        KeyPolicy::Ignore => false,
        KeyPolicy::SuccessesOnly => !answer.is_error,
        KeyPolicy::ReplayAll
        | KeyPolicy::ForgetAfter(_)
        | KeyPolicy::BodyBlind
        | KeyPolicy::RefuseChangedBody
        | KeyPolicy::ConflictWhileInProgress => true,
    }
}

fn stored_answer(
    transaction: &Transaction<'_>,
    policy: KeyPolicy,
    now: DateTime<Utc>,
    key: &str,
    body: &[u8],
) -> Result<Option<Answer>, Failure> {
    if policy == KeyPolicy::Ignore {
        return Ok(None);
    }
    let any_body = policy == KeyPolicy::BodyBlind;
    let stored = transaction
        .query_row(
            "SELECT status, refused, decrypted(answer), kept_at_ms FROM kept_answer
             WHERE key = ?1 AND (?2 OR decrypted(body) = ?3) ORDER BY kept_at_ms LIMIT 1",
            params![key, any_body, body],
            |row| {
                let answer = Answer {
                    status: row.get(0)?,
                    is_error: row.get(1)?,
                    body: row.get(2)?,
                };
                Ok((answer, row.get::<_, i64>(3)?))
            },
        )
        .optional()?;
    let fresh = |kept_at_ms: i64| {
        let KeyPolicy::ForgetAfter(ms) = policy else {
            return true;
        };
        let age = now.timestamp_millis().saturating_sub(kept_at_ms);
        u64::try_from(age).is_ok_and(|age| age < ms)
    };
    Ok(stored
        .filter(|(_, kept_at_ms)| fresh(*kept_at_ms))
        .map(|(answer, _)| answer))
}

fn used_with_another_body(
    transaction: &Transaction<'_>,
    key: &str,
    body: &[u8],
) -> rusqlite::Result<bool> {
    transaction.query_row(
        "SELECT EXISTS (SELECT 1 FROM kept_answer WHERE key = ?1 AND decrypted(body) IS NOT ?2)",
        params![key, body],
        |row| row.get(0),
    )
}

fn store(
    transaction: &Transaction<'_>,
    now: DateTime<Utc>,
    key: &str,
    body: &[u8],
    answer: &Answer,
) -> rusqlite::Result<usize> {
    transaction.execute(
        "DELETE FROM kept_answer WHERE key = ?1 AND decrypted(body) = ?2",
        params![key, body],
    )?;
    transaction.execute(
        "INSERT INTO kept_answer (key, body, status, refused, answer, kept_at_ms)
         VALUES (?1, encrypted(?2), ?3, ?4, encrypted(?5), ?6)",
        params![
            key,
            body,
            answer.status,
            answer.is_error,
            answer.body,
            now.timestamp_millis()
        ],
    )
}
