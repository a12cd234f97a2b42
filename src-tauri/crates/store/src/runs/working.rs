//! A run being worked through: what is next, and each chunk's result in one transaction with it.

use rusqlite::{Connection, params};

use super::super::batches;
use super::super::journal::Line;
use super::super::submissions::{self, NewSubmissions, Unsold};
use super::super::{Result, Store, sql_types};
use super::chunks::{self, Chunk};
use super::{Tally, count, turn_in, unsent};
use crate::query::{Query as _, Read};
use warranty_model::bulk::{RowKept, RunKind, RunState};
use warranty_model::encrypted::Encrypted;
use warranty_model::outbox::state::Instant;

/// Most running runs looked at.
const MOST_RUNNING: u32 = 64;
/// Most batches counted as waiting: no more rows are entered long before.
const MOST_COUNTED: u32 = 100;

/// What of a profile's runs is to be worked on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Next {
    /// Runs that are running, by number, and what their rows are; the oldest first.
    pub runs: Vec<(i64, RunKind)>,
    /// Batches of runs that were frozen and wait to be sent; those of halted runs wait for a person.
    pub ahead: u32,
}

pub(crate) fn next(connection: &Connection, profile_id: &str) -> Read<Next> {
    let runs: Vec<(i64, RunKind)> = connection.list(
        "SELECT number, kind FROM run WHERE profile_id = ?1 AND state = 'running'
         ORDER BY number LIMIT ?2",
        params![profile_id, MOST_RUNNING],
        |row| Ok((row.get(0)?, sql_types::word(row, 1)?)),
    )?;
    if runs.is_empty() {
        return Ok(Next::default());
    }
    let ahead = connection.value(
        "SELECT COUNT(*) FROM (SELECT 1 FROM batch
             WHERE profile_id = ?1 AND state = 'queued' AND run > 0
               AND run NOT IN (SELECT number FROM run
                   WHERE profile_id = ?1 AND state = 'paused') LIMIT ?2)",
        params![profile_id, MOST_COUNTED],
    )?;
    Ok(Next { runs, ahead })
}

/// What the rows of a chunk came to, to be kept whole or not at all.
#[derive(Debug, Clone)]
pub struct FinishedChunk {
    pub run: i64,
    pub chunk: Chunk,
    pub rows: Vec<RowKept>,
    /// What is counted in place of what was.
    pub tally: Tally,
    /// The cells of the rows a person has to correct; `None` when there are none.
    pub rest: Option<Encrypted>,
    /// What the journal says once the run is done.
    pub done: Line,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChunkKept {
    /// It is, and more chunks follow.
    More,
    /// It is, and was the last.
    Last,
    /// A sale of it was entered elsewhere meanwhile: nothing was kept.
    SoldMeanwhile,
    /// The run is no longer running, or no longer at this chunk: nothing was kept.
    Moved,
    /// The profile was removed or its address moved meanwhile: nothing was kept.
    ProfileMoved,
}

impl Store {
    /// Keeps a chunk with the entries made of it, unless one of the sales was entered meanwhile.
    pub async fn complete_chunk(
        &self,
        fed: FinishedChunk,
        entries: Option<(NewSubmissions, Vec<Unsold>)>,
    ) -> Result<ChunkKept> {
        self.write(move |transaction| {
            let at: Option<(u32, u32)> = transaction.find(
                "SELECT next_chunk, chunks FROM run WHERE number = ?1 AND state = 'running'",
                [fed.run],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?;
            let Some((next, chunks)) = at.filter(|(next, _)| *next == fed.chunk.number) else {
                return Ok(ChunkKept::Moved);
            };
            let mut batches = 0;
            if let Some((freeze, unsold)) = entries {
                if !submissions::sold_meanwhile(transaction, &unsold)?.is_empty() {
                    return Ok(ChunkKept::SoldMeanwhile);
                }
                if !submissions::freeze_in(transaction, &freeze)? {
                    return Ok(ChunkKept::ProfileMoved);
                }
                batches = i64::try_from(freeze.batches.len()).unwrap_or(i64::MAX);
            }
            chunks::replace_rows(transaction, fed.run, &fed.chunk, &fed.rows)?;
            count(transaction, fed.run, fed.tally, batches)?;
            keep_rest(transaction, &fed)?;
            let sql = "UPDATE run SET next_chunk = next_chunk + 1 WHERE number = ?1";
            transaction.change(sql, [fed.run])?;
            if next + 1 < chunks {
                return Ok(ChunkKept::More);
            }
            end(transaction, fed.run, &fed.done)?;
            Ok(ChunkKept::Last)
        })
        .await
    }

    pub async fn end_empty_run(&self, run: i64, line: Line) -> Result<()> {
        self.write(move |transaction| {
            let sql = "SELECT next_chunk < chunks FROM run WHERE number = ?1";
            let open: bool = transaction.value(sql, [run])?;
            if !open {
                end(transaction, run, &line)?;
            }
            Ok(())
        })
        .await
    }

    /// Pauses a run: its rows and its unsent batches. `false`: its state does not allow it.
    pub async fn pause_run(&self, run: i64, line: Line) -> Result<bool> {
        self.write(move |transaction| {
            let from = with_done(transaction, run, &[RunState::Running])?;
            turn_in(transaction, run, &from, RunState::Paused, &line)
        })
        .await
    }

    /// The same for every run of contracts of a profile, with this line for each; returns the ids of those
    /// that it paused.
    pub async fn pause_runs_of(&self, profile_id: &str, line: Line) -> Result<Vec<String>> {
        let profile_id = profile_id.to_owned();
        self.write(move |transaction| {
            // Those whose rows are all entered have unsent batches or nothing to pause. One that has begun may
            // not be requested yet.
            let sql = "SELECT number, id FROM run
                 WHERE profile_id = ?1 AND kind = 'contracts' AND hidden = 0
                   AND (state = 'running' OR state = 'done' AND number IN (
                       SELECT run FROM batch WHERE profile_id = ?1
                         AND state IN ('queued', 'held', 'inFlight') AND unknown_before = 0))
                 ORDER BY number";
            let runs: Vec<(i64, String)> =
                transaction.list(sql, [profile_id], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let from = [RunState::Running, RunState::Done];
            for (number, id) in &runs {
                let subject = id.clone();
                let line = Line {
                    subject,
                    ..line.clone()
                };
                turn_in(transaction, *number, &from, RunState::Paused, &line)?;
            }
            Ok(runs.into_iter().map(|(_, id)| id).collect())
        })
        .await
    }

    /// Resumes a paused run. If all its rows were entered, it becomes `Done` again, without a second
    /// journal line of how many. `false`: it is not paused.
    pub async fn resume_run(&self, run: i64, line: Line) -> Result<bool> {
        self.write(move |transaction| {
            let sql = "SELECT chunks > 0 AND next_chunk >= chunks FROM run WHERE number = ?1";
            let entered: bool = transaction.value(sql, [run])?;
            use RunState::{Done, Paused, Running};
            let to = if entered { Done } else { Running };
            turn_in(transaction, run, &[Paused], to, &line)
        })
        .await
    }

    /// Cancels a run: deletes unprocessed chunks without a rejected row, and cancels batches that were
    /// never sent. The next chunk of a run that is not of contracts stays: a row of it may be on its
    /// way and be rejected later. `false`: it had ended, or everything was sent.
    pub async fn cancel_run(&self, run: i64, line: Line, now: Instant) -> Result<bool> {
        self.write(move |transaction| {
            let open = [RunState::Staged, RunState::Running, RunState::Paused];
            let open = with_done(transaction, run, &open)?;
            let ended = turn_in(transaction, run, &open, RunState::Cancelled, &line)?;
            if ended {
                for sql in [
                    // The sheet has more rows back than before.
                    "UPDATE run SET rejected_taken = 0 WHERE number = ?1 AND source = 'sheet'",
                    "DELETE FROM run_chunk WHERE run = ?1
                         AND chunk >= (SELECT next_chunk + (kind <> 'contracts') FROM run
                             WHERE number = ?1)
                         AND NOT EXISTS (SELECT 1 FROM run_row r WHERE r.run = ?1
                             AND r.number BETWEEN first_row AND first_row + run_chunk.rows - 1
                             AND r.outcome = 'rejected')",
                ] {
                    transaction.execute(sql, [run])?;
                }
                for batch in batches::of_run(transaction, run)? {
                    batches::cancel(transaction, &batch, now)?;
                }
            }
            Ok(ended)
        })
        .await
    }

    /// Keeps what one row of a chunk came to while the others are still worked on. `false`: the run
    /// is no longer running.
    pub async fn keep_run_row(&self, run: i64, row: RowKept, tally: Tally) -> Result<bool> {
        self.write(move |transaction| {
            let sql = "SELECT EXISTS (SELECT 1 FROM run WHERE number = ?1 AND state = 'running')";
            let running: bool = transaction.value(sql, [run])?;
            // What was done at the service is done, whatever a person wants of the rest.
            chunks::keep_row(transaction, run, &row)?;
            count(transaction, run, tally, 0)?;
            Ok(running)
        })
        .await
    }
}

fn end(connection: &Connection, run: i64, line: &Line) -> Read<()> {
    let entered: i64 = connection.value("SELECT entered FROM run WHERE number = ?1", [run])?;
    let line = Line {
        detail: line.detail.as_ref().map(|what| format!("{entered} {what}")),
        ..line.clone()
    };
    turn_in(connection, run, &[RunState::Running], RunState::Done, &line).map(drop)
}

fn keep_rest(connection: &Connection, fed: &FinishedChunk) -> Read<()> {
    let (run, chunk) = (fed.run, fed.chunk.number);
    let kept = if let Some(Encrypted { key_id, bytes }) = &fed.rest {
        let sql = "UPDATE run_chunk SET key_id = ?3, encrypted = ?4 WHERE run = ?1 AND chunk = ?2";
        connection.change(sql, params![run, chunk, key_id, bytes])
    } else {
        let sql = "DELETE FROM run_chunk WHERE run = ?1 AND chunk = ?2";
        connection.change(sql, params![run, chunk])
    };
    kept.map(drop)
}

/// These states, and `Done` while batches of the run are unsent.
fn with_done(connection: &Connection, run: i64, states: &[RunState]) -> Read<Vec<RunState>> {
    let mut from = states.to_vec();
    if unsent(connection, run)? > 0 {
        from.push(RunState::Done);
    }
    Ok(from)
}
