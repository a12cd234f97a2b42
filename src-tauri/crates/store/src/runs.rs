//! Runs at rest: the run itself, how far it has come, and what it counts.

use rusqlite::{Connection, Row, params};

use super::journal::{self, Line};
use super::submissions::count_states;
use super::{Result, Store, encryption_keys, sql_types};
use crate::query::{Query as _, Read};
use warranty_model::bulk::{LeftOut, RunKind, RunSent, RunSource, RunState, RunView, Runs, Tally};
use warranty_model::encrypted::{Encrypted, StoreBinding};

pub mod chunks;
pub mod working;

#[derive(Debug, Clone)]
pub struct KeptRun {
    pub number: i64,
    pub profile_id: String,
    pub base_url: String,
    pub store_id: String,
    pub layout: Encrypted,
    pub chunks: u32,
    pub next_chunk: u32,
    /// As it is shown, without what [`RunCounts`] has and what holds it up.
    pub view: RunView,
}

impl KeptRun {
    /// What its columns and rows are bound to.
    pub fn place(&self) -> StoreBinding<'_> {
        StoreBinding {
            id: &self.view.id,
            profile_id: &self.profile_id,
            base_url: &self.base_url,
            store_id: &self.store_id,
        }
    }
}

#[derive(Debug, Clone)]
pub struct RunCounts {
    /// The states of its entries, with those that others made of its rows before.
    pub sent: RunSent,
    /// Entries that a halt keeps back and an end calls off: nothing was done with their batches at
    /// the service.
    pub unsent: u32,
    /// Rows that are odd but legal.
    pub warned: u32,
}

/// A run to keep, with its time in milliseconds since 1970 UTC.
#[derive(Debug, Clone)]
pub struct StagedRun {
    pub id: String,
    pub profile_id: String,
    pub kind: RunKind,
    pub source: RunSource,
    pub name: String,
    pub layout: Encrypted,
    pub at: i64,
    pub user: String,
}

/// Most runs listed at once, but for open files.
const MOST_RUNS: u32 = 1_000;

const COLUMNS: &str = "number, id, profile_id, kind, source, name, state, created_at, created_by, \
    layout_key, layout, rows, chunks, checked, next_chunk, entered, already_entered, differing, \
    rejected, unchecked, batches, whole, \
    IFNULL((SELECT base_url FROM profile WHERE profile.id = run.profile_id), ''), \
    IFNULL((SELECT store_id FROM profile WHERE profile.id = run.profile_id), '')";

/// Of a profile, the files that are not finished or have rejected rows that no person has.
pub(super) const OPEN_FILES: &str = "FROM run WHERE profile_id = ?1 AND source = 'file'
    AND (state IN ('running', 'paused')
        OR hidden = 0 AND (state = 'staged' AND whole = 1 OR rejected > 0 AND rejected_taken = 0))";

impl Store {
    /// A run by its id, unless a person has hidden it.
    pub async fn run(&self, id: &str) -> Result<Option<KeptRun>> {
        let sql = format!("SELECT {COLUMNS} FROM run WHERE id = ?1 AND hidden = 0");
        self.find(sql, [id.to_owned()], kept).await
    }

    pub async fn run_numbered(&self, number: i64) -> Result<Option<KeptRun>> {
        self.call(move |connection| by_number(connection, number))
            .await
    }

    /// A profile's runs, but for those whose rows are still being kept.
    pub async fn runs(&self, profile_id: &str, which: Runs) -> Result<Vec<KeptRun>> {
        let found = match which {
            Runs::Latest(limit) => format!(
                "FROM run WHERE profile_id = ?1 AND hidden = 0
                   AND (whole = 1 OR state <> 'staged')
                 ORDER BY number IN (SELECT number {OPEN_FILES}) DESC, number DESC
                 LIMIT MAX({}, (SELECT COUNT(*) {OPEN_FILES}))",
                limit.min(MOST_RUNS)
            ),
            Runs::Unfinished => "FROM run
                 WHERE profile_id = ?1 AND state IN ('running', 'paused') ORDER BY number"
                .to_owned(),
            Runs::OpenFiles => format!("{OPEN_FILES} ORDER BY number"),
        };
        let sql = format!("SELECT {COLUMNS} {found}");
        self.list(sql, [profile_id.to_owned()], kept).await
    }

    pub async fn run_counts(&self, number: i64) -> Result<RunCounts> {
        self.call(move |connection| {
            Ok(RunCounts {
                sent: sent(connection, number)?,
                unsent: unsent(connection, number)?,
                warned: chunks::warned(connection, number)?,
            })
        })
        .await
    }

    /// Keeps a run without rows. `false`: there is one of that id, which stays as it is.
    pub async fn stage_run(&self, run: StagedRun) -> Result<bool> {
        self.write(move |transaction| {
            let kept = transaction.execute(
                "INSERT INTO run (id, profile_id, kind, source, name, state, created_at, created_by,
                     layout_key, layout)
                 VALUES (?1, ?2, ?3, ?4, ?5, 'staged', ?6, ?7, ?8, ?9) ON CONFLICT (id) DO NOTHING",
                params![
                    run.id,
                    run.profile_id,
                    sql_types::text_of(&run.kind)?,
                    sql_types::text_of(&run.source)?,
                    run.name,
                    run.at,
                    run.user,
                    run.layout.key_id,
                    run.layout.bytes,
                ],
            )?;
            Ok(kept == 1)
        })
        .await
    }

    /// Notes that all rows of a staged run are there. `false`: it is no longer staged.
    pub async fn mark_run_whole(&self, number: i64) -> Result<bool> {
        let sql = "UPDATE run SET whole = 1 WHERE number = ?1 AND state = 'staged'";
        Ok(self.change(sql, [number]).await? == 1)
    }

    /// Begins a run that is staged, if it still is as it was looked at: every row, and with `whole`
    /// none of them left out. What could not be asked about is counted again.
    pub async fn start_run(&self, number: i64, whole: bool, line: Line) -> Result<bool> {
        self.write(move |transaction| {
            let looked_at: bool = transaction.value(
                "SELECT whole AND checked = rows AND (rejected = 0 OR NOT ?2) FROM run
                 WHERE number = ?1",
                params![number, whole],
            )?;
            let (from, to) = (&[RunState::Staged], RunState::Running);
            let started = looked_at && turn_in(transaction, number, from, to, &line)?;
            if started {
                transaction.execute("UPDATE run SET unchecked = 0 WHERE number = ?1", [number])?;
            }
            Ok(started)
        })
        .await
    }

    /// Hides a run, and deletes all that is kept of its rows. `false`: it is not finished.
    pub async fn forget_run(&self, number: i64) -> Result<bool> {
        self.write(move |transaction| forget_in(transaction, number))
            .await
    }

    /// Notes that a person has the rejected rows of a run, unless there are more than these by now.
    pub async fn mark_rejected_taken(&self, number: i64, rejected: u32) -> Result<()> {
        self.write(move |transaction| take_rejected(transaction, number, rejected))
            .await
    }

    /// Notes of which runs a profile's sheet has rows, by their ids, and how many rejected ones of each it
    /// has back; `None` leaves a run as it is. Of all others it has what it ever will, and what was never
    /// begun is forgotten.
    pub async fn note_sheet_runs(
        &self,
        profile_id: &str,
        followed: Vec<(String, Option<u32>)>,
    ) -> Result<()> {
        let profile_id = profile_id.to_owned();
        self.write(move |transaction| {
            let sql = "SELECT number, id, state = 'staged' FROM run WHERE profile_id = ?1
                 AND source = 'sheet' AND hidden = 0 AND (rejected_taken = 0 OR state = 'staged')";
            let open: Vec<(i64, String, bool)> = transaction.list(sql, [profile_id], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })?;
            for (number, id, staged) in open {
                match followed.iter().find(|(run, _)| *run == id) {
                    None if staged => {
                        forget_in(transaction, number)?;
                    }
                    None => take_rejected(transaction, number, u32::MAX)?,
                    Some((_, Some(back))) if !staged => take_rejected(transaction, number, *back)?,
                    Some(_) => {}
                }
            }
            Ok(())
        })
        .await
    }

    /// Hides runs whose rows were still being kept when their process ended.
    pub async fn forget_broken_off_runs(&self) -> Result<()> {
        self.write(|transaction| {
            let sql = "SELECT number FROM run WHERE state = 'staged' AND whole = 0";
            let numbers: Vec<i64> = transaction.list(sql, [], |row| row.get(0))?;
            for number in numbers {
                forget_in(transaction, number)?;
            }
            Ok(())
        })
        .await
    }
}

pub(super) fn by_number(connection: &Connection, number: i64) -> Read<Option<KeptRun>> {
    let sql = format!("SELECT {COLUMNS} FROM run WHERE number = ?1");
    connection.find(&sql, [number], kept)
}

/// Takes a run from one of some states to another. `false`: it was in none of them, and nothing has
/// changed.
fn turn_in(
    connection: &Connection,
    number: i64,
    from: &[RunState],
    to: RunState,
    line: &Line,
) -> Read<bool> {
    let ends = matches!(to, RunState::Cancelled | RunState::Done);
    for state in from {
        let changed = connection.change(
            "UPDATE run SET state = ?1, finished_at = ?2
             WHERE number = ?3 AND state = ?4 AND hidden = 0",
            params![
                sql_types::text_of(&to)?,
                ends.then_some(line.at),
                number,
                sql_types::text_of(state)?
            ],
        )?;
        if changed == 1 {
            journal::append(connection, line)?;
            return Ok(true);
        }
    }
    Ok(false)
}

fn count(connection: &Connection, number: i64, tally: Tally, batches: i64) -> Read<()> {
    connection.change(
        "UPDATE run SET entered = entered + ?2, already_entered = already_entered + ?3,
             differing = differing + ?4, rejected = rejected + ?5,
             rejected_taken = CASE WHEN ?5 > 0 THEN 0 ELSE rejected_taken END,
             unchecked = unchecked + ?6, batches = batches + ?7
         WHERE number = ?1",
        params![
            number,
            tally.entered,
            tally.already_entered,
            tally.differing,
            tally.rejected,
            tally.unchecked,
            batches,
        ],
    )?;
    Ok(())
}

fn take_rejected(connection: &Connection, number: i64, rejected: u32) -> Read<()> {
    let sql = "UPDATE run SET rejected_taken = 1 WHERE number = ?1 AND rejected <= ?2";
    connection.change(sql, (number, rejected)).map(drop)
}

fn forget_in(connection: &Connection, number: i64) -> Read<bool> {
    let changed = connection.execute(
        "UPDATE run SET hidden = 1, layout = x'',
             state = CASE state WHEN 'staged' THEN 'cancelled' ELSE state END
         WHERE number = ?1 AND state IN ('staged', 'cancelled', 'done')",
        [number],
    )?;
    if changed == 1 {
        connection.execute("DELETE FROM run_chunk WHERE run = ?1", [number])?;
        connection.execute("DELETE FROM run_row WHERE run = ?1", [number])?;
    }
    Ok(changed == 1)
}

fn sent(connection: &Connection, number: i64) -> Read<RunSent> {
    let mut sent = RunSent::default();
    let own = "SELECT state, COUNT(*) FROM submission WHERE run = ?1 GROUP BY state";
    let before =
        "SELECT s.state, COUNT(*) FROM run_row r JOIN submission s ON s.id = r.submission_id
         WHERE r.run = ?1 AND r.outcome IN ('alreadyEntered', 'differing') GROUP BY s.state";
    for sql in [own, before] {
        count_states(connection, sql, [number], &mut sent)?;
    }
    // What a person cancelled or corrected says how.
    let stopped = "SELECT COUNT(*) FROM submission
         WHERE run = ?1 AND state = 'cancelled' AND resolved_with IS NULL";
    sent.stopped = connection.value(stopped, [number])?;
    let twice = "SELECT COUNT(*) FROM submission INDEXED BY submission_duplicate
         WHERE duplicate_possible = 1 AND duplicate_reference IS NULL AND state <> 'needsPerson'
           AND (run = ?1 OR id IN (SELECT submission_id FROM run_row
               WHERE run = ?1 AND outcome IN ('alreadyEntered', 'differing')))";
    sent.possible_duplicates = connection.value(twice, [number])?;
    Ok(sent)
}

fn unsent(connection: &Connection, number: i64) -> Read<u32> {
    connection.value(
        "SELECT COALESCE(SUM(size), 0) FROM batch
         WHERE profile_id = (SELECT profile_id FROM run WHERE number = ?1)
           AND state IN ('queued', 'held') AND run = ?1 AND unknown_before = 0",
        [number],
    )
}

fn kept(row: &Row<'_>) -> Read<KeptRun> {
    let count = |column: usize| -> Read<u32> {
        Ok(u32::try_from(row.get::<_, i64>(column)?).unwrap_or_default())
    };
    let rows: u32 = row.get(11)?;
    let (entered, already_entered, rejected) = (count(15)?, count(16)?, count(18)?);
    Ok(KeptRun {
        number: row.get(0)?,
        profile_id: row.get(2)?,
        base_url: row.get(22)?,
        store_id: row.get(23)?,
        layout: encryption_keys::kept_at(row, 9)?,
        chunks: row.get(12)?,
        next_chunk: row.get(14)?,
        view: RunView {
            id: row.get(1)?,
            kind: sql_types::word(row, 3)?,
            source: sql_types::word(row, 4)?,
            name: row.get(5)?,
            state: sql_types::word(row, 6)?,
            whole: row.get(21)?,
            rows,
            checked: row.get(13)?,
            pending: rows.saturating_sub(entered + already_entered + rejected),
            entered,
            already_entered,
            differing: count(17)?,
            rejected,
            unchecked: count(19)?,
            warned: 0,
            batches: row.get(20)?,
            sent: RunSent::default(),
            unsent: 0,
            created_at: sql_types::instant(row, 7)?,
            created_by: row.get(8)?,
            left_out: LeftOut::default(),
            waiting_for: None,
            unreadable: false,
        },
    })
}
