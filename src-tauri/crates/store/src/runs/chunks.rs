//! Rows of runs at rest: encrypted chunks of cells, and what each row came to.

use std::collections::HashSet;

use rusqlite::{Connection, Row, params};

use super::super::journal::{self, Line};
use super::super::{Result, Store, encryption_keys, sql_types};
use super::{Tally, count};
use crate::query::{Query as _, Read};
use warranty_model::bulk::{AnsweredRows, Finding, RowKept, RowList, RowSubmission, RunOutcome};
use warranty_model::contracts::{Question, QuestionKind};
use warranty_model::encrypted::Encrypted;

#[derive(Debug, Clone)]
pub struct Chunk {
    /// From 0.
    pub number: u32,
    /// Number of its first row, from 1.
    pub first_row: u32,
    /// How many rows it was submitted with.
    pub rows: u32,
    pub cells: Encrypted,
}

impl Chunk {
    fn last_row(&self) -> u32 {
        self.first_row + self.rows - 1
    }
}

impl Store {
    /// A chunk of a run, and what is stored about its rows beside their cells.
    pub async fn chunk(&self, run: i64, number: u32) -> Result<Option<(Chunk, Vec<RowKept>)>> {
        self.call(move |connection| {
            let chunk = connection.find(
                "SELECT chunk, first_row, rows, key_id, encrypted FROM run_chunk
                 WHERE run = ?1 AND chunk = ?2",
                params![run, number],
                |row| {
                    Ok(Chunk {
                        number: row.get(0)?,
                        first_row: row.get(1)?,
                        rows: row.get(2)?,
                        cells: encryption_keys::kept_at(row, 3)?,
                    })
                },
            )?;
            let Some(chunk) = chunk else {
                return Ok(None);
            };
            let rows = connection.list(
                &format!(
                    "SELECT {ROW} FROM run_row r WHERE r.run = ?1 AND r.number BETWEEN ?2 AND ?3
                     ORDER BY r.number"
                ),
                params![run, chunk.first_row, chunk.last_row()],
                row_kept,
            )?;
            Ok(Some((chunk, rows)))
        })
        .await
    }

    /// Adds a chunk after the others of a run whose rows are still being added. `false`: they no longer
    /// are, or another chunk was added meanwhile.
    pub async fn add_chunk(&self, run: i64, chunk: Chunk) -> Result<bool> {
        self.write(move |transaction| {
            let changed = transaction.change(
                "UPDATE run SET rows = rows + ?2, chunks = chunks + 1
                 WHERE number = ?1 AND state = 'staged' AND whole = 0 AND chunks = ?3
                   AND rows + 1 = ?4",
                params![run, chunk.rows, chunk.number, chunk.first_row],
            )?;
            if changed == 1 {
                transaction.change(
                    "INSERT INTO run_chunk (run, chunk, first_row, rows, key_id, encrypted)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                    params![
                        run,
                        chunk.number,
                        chunk.first_row,
                        chunk.rows,
                        chunk.cells.key_id,
                        chunk.cells.bytes
                    ],
                )?;
            }
            Ok(changed == 1)
        })
        .await
    }

    /// The first chunk from a number on; those that hold nothing any more are not there.
    pub async fn next_chunk(&self, run: i64, number: u32) -> Result<Option<u32>> {
        let sql = "SELECT MIN(chunk) FROM run_chunk WHERE run = ?1 AND chunk >= ?2";
        self.value(sql, (run, number)).await
    }

    /// The entries that rows of other chunks represent, where the run has another row of their sale.
    pub async fn equal_rows_elsewhere(
        &self,
        run: i64,
        chunk: &Chunk,
    ) -> Result<Vec<(String, RunOutcome)>> {
        let (first, last) = (chunk.first_row, chunk.last_row());
        self.list(
            "SELECT submission_id, outcome FROM run_row
             WHERE run = ?1 AND number NOT BETWEEN ?2 AND ?3
               AND submission_id IS NOT NULL AND outcome IS NOT NULL
               AND json_extract(finding, '$.equal')",
            (run, first, last),
            |row| Ok((row.get(0)?, sql_types::word(row, 1)?)),
        )
        .await
    }

    /// The lines of rows that were entered before and have no equal row in their run.
    pub async fn lines_without_equal(&self, run: i64) -> Result<Vec<u32>> {
        self.list(
            "SELECT line FROM run_row
             WHERE run = ?1 AND outcome IN ('alreadyEntered', 'differing')
               AND json_extract(finding, '$.equal') IS NULL
             ORDER BY number",
            [run],
            |row| row.get(0),
        )
        .await
    }

    /// Resets the expected outcomes of a staged run before a check.
    pub async fn begin_run_check(&self, run: i64) -> Result<()> {
        self.write(move |transaction| {
            for sql in [
                "UPDATE run SET checked = 0, entered = 0, already_entered = 0, differing = 0,
                     rejected = 0, unchecked = 0
                 WHERE number = ?1 AND state = 'staged'",
                "UPDATE run_row SET outcome = NULL, submission_id = NULL, finding = NULL
                 WHERE run = ?1
                     AND EXISTS (SELECT 1 FROM run WHERE number = ?1 AND state = 'staged')",
            ] {
                transaction.execute(sql, [run])?;
            }
            Ok(())
        })
        .await
    }

    /// Stores the expected outcomes of a chunk. `false`: the run is no longer staged, or the chunk
    /// before it was not checked.
    pub async fn keep_checked_chunk(
        &self,
        run: i64,
        chunk: Chunk,
        found: Vec<RowKept>,
        tally: Tally,
    ) -> Result<bool> {
        self.write(move |transaction| {
            let changed = transaction.change(
                "UPDATE run SET checked = checked + ?2
                 WHERE number = ?1 AND state = 'staged' AND checked + 1 = ?3",
                params![run, chunk.rows, chunk.first_row],
            )?;
            if changed == 1 {
                replace_rows(transaction, run, &chunk, &found)?;
                count(transaction, run, tally, 0)?;
            }
            Ok(changed == 1)
        })
        .await
    }

    /// Keeps a person's yes to what each row asks of this kind, for rows of a staged run; rows of
    /// which nothing else is open are good from here on. `false`: the run is not staged.
    pub async fn answer_rows(
        &self,
        run: i64,
        which: AnsweredRows,
        kind: QuestionKind,
        line: Line,
    ) -> Result<bool> {
        self.write(move |transaction| {
            let sql = "SELECT EXISTS (SELECT 1 FROM run WHERE number = ?1 AND state = 'staged')";
            let staged: bool = transaction.value(sql, [run])?;
            if !staged {
                return Ok(false);
            }
            let asking: Vec<RowKept> = transaction.list(
                &format!("SELECT {ROW} FROM run_row r WHERE r.run = ?1 AND r.outcome = 'rejected'"),
                [run],
                row_kept,
            )?;
            let chosen: HashSet<u32> = match &which {
                AnsweredRows::All | AnsweredRows::One { .. } => HashSet::new(),
                AnsweredRows::Lines(chosen) => chosen.iter().copied().collect(),
            };
            let is_chosen = |row: &RowKept, asked: &Question| match &which {
                AnsweredRows::All => true,
                AnsweredRows::One { number, yes } => row.number == *number && asked.yes() == *yes,
                AnsweredRows::Lines(_) => match asked {
                    // "One more contract" about a later line is an answer about both lines.
                    Question::RepeatedRow { line, .. } if *line > row.line => {
                        chosen.contains(&row.line) || chosen.contains(line)
                    }
                    Question::RepeatedRow { .. }
                    | Question::ChangedPrice { .. }
                    | Question::PriceNotUnderstood { .. }
                    | Question::SecondContract { .. }
                    | Question::CellText { .. } => chosen.contains(&row.line),
                },
            };
            let mut good = 0;
            for mut row in asking {
                let asked = std::mem::take(&mut row.finding.questions);
                let (answered, open): (Vec<_>, Vec<_>) = asked
                    .into_iter()
                    .partition(|asked| asked.kind() == kind && is_chosen(&row, asked));
                row.finding.questions = open;
                if answered.is_empty() {
                    continue;
                }
                row.confirmed.extend(answered.iter().map(Question::yes));
                if row.finding.is_clear() {
                    row.outcome = None;
                    good += 1;
                }
                keep_row(transaction, run, &row)?;
            }
            let tally = Tally {
                rejected: -good,
                ..Tally::default()
            };
            count(transaction, run, tally, 0)?;
            journal::append(transaction, &line)?;
            Ok(true)
        })
        .await
    }

    /// Rows of a run that have an outcome, or rows of a list, by number, with the entries that
    /// represent them.
    pub async fn run_rows(
        &self,
        run: i64,
        only: Option<RowList>,
        after: u32,
        limit: u32,
    ) -> Result<Vec<(RowKept, Option<RowSubmission>)>> {
        self.call(move |connection| {
            let listed = match only {
                None => "r.outcome IS NOT NULL".to_owned(),
                Some(RowList::Found) => format!("(r.outcome IS NOT NULL OR {WARNED})"),
                Some(RowList::Warned) => WARNED.to_owned(),
                Some(RowList::Entered) => "r.outcome = 'entered'".to_owned(),
                Some(RowList::AlreadyEntered) => "r.outcome = 'alreadyEntered'".to_owned(),
                Some(RowList::Differing) => "r.outcome = 'differing'".to_owned(),
                Some(RowList::Rejected) => "r.outcome = 'rejected'".to_owned(),
            };
            connection.list(
                &format!(
                    "SELECT {ROW}, s.id, s.state, s.contract_id, s.resolved_with IS NOT NULL,
                         s.duplicate_possible = 1 AND s.duplicate_reference IS NULL, s.profile_id,
                         EXISTS (SELECT 1 FROM batch b JOIN run p ON p.number = b.run
                             WHERE b.id = s.batch_id AND p.state = 'paused'),
                         s.transaction_id, s.product_reference_id, s.plan_id
                     FROM run_row r LEFT JOIN submission s ON s.id = r.submission_id
                     WHERE r.run = ?1 AND r.number > ?2 AND {listed}
                     ORDER BY r.number LIMIT ?3"
                ),
                params![run, after, limit],
                |row| {
                    let submission = match row.get(6)? {
                        Some(id) => Some(RowSubmission {
                            id,
                            state: sql_types::word(row, 7)?,
                            contract_id: sql_types::word_or_none(row, 8)?,
                            settled: row.get(9)?,
                            duplicate_possible: row.get(10)?,
                            profile_id: row.get(11)?,
                            paused: row.get(12)?,
                            codes: vec![row.get(13)?, row.get(14)?, row.get(15)?],
                        }),
                        None => None,
                    };
                    Ok((row_kept(row)?, submission))
                },
            )
        })
        .await
    }
}

/// Replaces what is stored about a chunk's rows.
pub(super) fn replace_rows(
    connection: &Connection,
    run: i64,
    chunk: &Chunk,
    kept: &[RowKept],
) -> Read<()> {
    let sql = "DELETE FROM run_row WHERE run = ?1 AND number BETWEEN ?2 AND ?3";
    connection.change(sql, params![run, chunk.first_row, chunk.last_row()])?;
    for row in kept {
        keep_row(connection, run, row)?;
    }
    Ok(())
}

pub(super) fn keep_row(connection: &Connection, run: i64, row: &RowKept) -> Read<()> {
    let finding = (row.finding != Finding::default())
        .then(|| sql_types::json_of(&row.finding))
        .transpose()?;
    let confirmed = (!row.confirmed.is_empty())
        .then(|| sql_types::json_of(&row.confirmed))
        .transpose()?;
    connection.change(
        "INSERT INTO run_row
             (run, number, line, outcome, submission_id, finding, confirmed)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT (run, number) DO UPDATE SET line = excluded.line,
             outcome = excluded.outcome, submission_id = excluded.submission_id,
             finding = excluded.finding, confirmed = excluded.confirmed",
        params![
            run,
            row.number,
            row.line,
            row.outcome.as_ref().map(sql_types::text_of).transpose()?,
            row.submission_id,
            finding,
            confirmed,
        ],
    )?;
    Ok(())
}

const WARNED: &str = "json_extract(r.finding, '$.warnings') IS NOT NULL";

/// How many rows of a run are odd.
pub(super) fn warned(connection: &Connection, run: i64) -> Read<u32> {
    let sql = format!("SELECT COUNT(*) FROM run_row r WHERE r.run = ?1 AND {WARNED}");
    connection.value(&sql, [run])
}

const ROW: &str = "r.number, r.line, r.outcome, r.submission_id, r.finding, r.confirmed";

fn row_kept(row: &Row<'_>) -> Read<RowKept> {
    Ok(RowKept {
        number: row.get(0)?,
        line: row.get(1)?,
        outcome: sql_types::word_or_none(row, 2)?,
        submission_id: row.get(3)?,
        finding: sql_types::or_none(row, 4, sql_types::json)?.unwrap_or_default(),
        confirmed: sql_types::or_none(row, 5, sql_types::json)?.unwrap_or_default(),
    })
}
