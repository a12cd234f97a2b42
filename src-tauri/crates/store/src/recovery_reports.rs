//! Stores the reports of rescues, and stops everything that a restored file must not do without a
//! person.

use std::collections::BTreeMap;

use rusqlite::{Connection, Row, params};
use warranty_model::interface::{ContractId, Timestamp};

use super::journal::{self, Line};
use crate::query::{Query as _, Read};
use crate::{Result, Store, sql_types};
use warranty_model::contracts::sale::{Earlier, Sale, as_typed, is_alike, search_form};
use warranty_model::outbox::CaseReason;
use warranty_model::recovery::{RescueCause, RescueReport, RescueSummary};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Kept {
    /// The newest copy there was then, by its number; 0 when there was none.
    pub newest_copy: u32,
    pub report: RescueReport,
    /// When a person had seen it, in milliseconds since 1970 UTC.
    pub seen_at: Option<i64>,
}

impl Store {
    /// The oldest report that no person has seen.
    pub async fn unseen_report(&self) -> Result<Option<RescueReport>> {
        self.find(
            "SELECT number, report FROM rescue WHERE seen_at IS NULL
             ORDER BY number LIMIT 1",
            [],
            report,
        )
        .await
    }

    /// The same in short, without reading what it lists.
    pub async fn unseen_report_summary(&self) -> Result<Option<RescueSummary>> {
        self.find(
            "SELECT number, at, set_aside, backup_taken_at, pending, cause FROM rescue
             WHERE seen_at IS NULL ORDER BY number LIMIT 1",
            [],
            |row| {
                Ok(RescueSummary {
                    number: row.get(0)?,
                    at: sql_types::instant(row, 1)?,
                    set_aside: row.get(2)?,
                    backup_taken_at: sql_types::instant_or_none(row, 3)?,
                    pending: row.get(4)?,
                    cause: sql_types::word(row, 5)?,
                })
            },
        )
        .await
    }

    /// The files set aside, by name, each with when a person had seen its report, in milliseconds since
    /// 1970 UTC; `None` before that.
    pub async fn set_aside_files(&self) -> Result<BTreeMap<String, Option<i64>>> {
        let sql = "SELECT set_aside, seen_at FROM rescue
             WHERE set_aside IS NOT NULL ORDER BY number";
        let found = self.list(sql, [], |row| Ok((row.get(0)?, row.get(1)?)));
        Ok(found.await?.into_iter().collect())
    }

    /// No file is entered until then, and entries count as possibly missing up to then: the clock of the start
    /// that found the older file may have been wrong.
    pub async fn mark_report_seen(&self, number: u32, line: Line) -> Result<()> {
        self.write(move |transaction| {
            let changed = transaction.execute(
                "UPDATE rescue SET seen_at = ?1, gap_until = MAX(gap_until, ?1)
                 WHERE number = ?2 AND seen_at IS NULL",
                params![line.at, number],
            )?;
            if changed > 0 {
                journal::append(transaction, &line)?;
            }
            Ok(())
        })
        .await
    }

    /// Notes that entries up to a time may be missing in this file, without a report to be seen.
    pub async fn note_gap(&self, until: Timestamp) -> Result<()> {
        let gap = Kept {
            newest_copy: 0,
            seen_at: Some(until.get().timestamp_millis()),
            report: RescueReport {
                number: 0,
                cause: RescueCause::PutBack,
                at: until,
                set_aside: None,
                backup_taken_at: None,
                restored_rows: 0,
                complete: false,
                pending: Vec::new(),
            },
        };
        self.write(move |transaction| keep(transaction, &gap)).await
    }

    /// Up to when entries may be missing in this file that no report lists, seen or not, in
    /// milliseconds since 1970 UTC; `None` when there is no such time.
    pub async fn recovery_gap(&self) -> Result<Option<i64>> {
        self.value("SELECT MAX(gap_until) FROM rescue", []).await
    }
}

/// Stops automatic sending after a restore, because anything may have been sent since the copy was
/// taken. Open contracts become cases, open leads become unknown, running imports are paused.
/// Permissions to resend and the time of the first send are cleared, so nothing is repeated.
/// Accepted contracts are still looked up.
pub(super) fn stop_all(connection: &Connection, cause: RescueCause) -> Read<()> {
    let reason = sql_types::text_of(&match cause {
        RescueCause::Damaged => CaseReason::RestoredFromBackup,
        RescueCause::PutBack => CaseReason::OlderFilePutBack,
    })?;
    for stop in [
        "UPDATE batch SET hold = NULL, reached = 1, unknown_before = 1, replay_granted = 0,
             next_at = NULL, first_sent_at = NULL, first_sent_mono = NULL, process_id = NULL,
             revision = revision + 1,",
        "UPDATE submission SET",
    ] {
        let sql = format!(
            "{stop} state = 'needsPerson', case_reason = ?1
             WHERE state IN ('draft', 'queued', 'inFlight', 'held', 'unknown')
                 OR (state = 'needsPerson'
                     AND case_reason IN ('unknownTooLong', 'rejectedAfterUnknown'))"
        );
        connection.execute(&sql, [&reason])?;
    }
    connection.execute_batch(
        "UPDATE lead SET state = 'unknown' WHERE state IN ('queued', 'inFlight');
         UPDATE run SET state = 'paused' WHERE state = 'running';",
    )
}

/// Keeps with the cases the ids of contracts that were made since the copy was taken.
pub(super) fn keep_contracts(connection: &Connection, sold_since: &[(String, String)]) -> Read<()> {
    let keep = "UPDATE OR IGNORE submission SET contract_id = ?2
         WHERE id = ?1 AND state = 'needsPerson' AND contract_id IS NULL";
    for (id, contract_id) in sold_since {
        // What became unreadable is no contract's id.
        if ContractId::new(contract_id.as_str()).is_ok() {
            connection.change(keep, [id, contract_id])?;
        }
    }
    Ok(())
}

/// Keeps a report and the sales that are in it alone.
pub(super) fn keep(connection: &Connection, kept: &Kept) -> Read<()> {
    let report = &kept.report;
    let millis = |at: &Timestamp| at.get().timestamp_millis();
    // The clock may have fallen back with the loss of power that damaged the file.
    let copy_taken_at = report.backup_taken_at.as_ref().map(millis);
    let gap_until = copy_taken_at.max(Some(millis(&report.at)));
    connection.execute(
        "INSERT INTO rescue (at, set_aside, backup_taken_at, pending, newest_copy, report, seen_at,
             cause, gap_until)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        params![
            millis(&report.at),
            report.set_aside,
            copy_taken_at,
            u32::try_from(report.pending.len()).unwrap_or(u32::MAX),
            kept.newest_copy,
            sql_types::json_of(report)?,
            kept.seen_at,
            sql_types::text_of(&report.cause)?,
            gap_until.filter(|_| !report.complete),
        ],
    )?;
    let number = connection.last_insert_rowid();
    let sale = "INSERT INTO rescued_sale
             (rescue, transaction_id, product_reference_id, plan_id, state, contract_id)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    for row in report.pending.iter().filter(|row| !row.in_backup) {
        let (transaction, product) = (&row.transaction_id, &row.product_reference_id);
        let state = sql_types::text_of(&row.state)?;
        // What became unreadable is no contract's id.
        let contract = row.contract_id.as_ref();
        let contract = contract.filter(|id| ContractId::new(id.as_str()).is_ok());
        let values = params![number, transaction, product, row.plan_id, state, contract];
        connection.change(sale, values)?;
    }
    Ok(())
}

/// Every report of a file, oldest first. What cannot be read is passed over.
pub(super) fn all(connection: &Connection) -> Vec<Kept> {
    let all = "SELECT number, report, newest_copy, seen_at FROM rescue ORDER BY number";
    let mut kept = Vec::new();
    connection.each(all, [], |row| {
        if let (Ok(report), Ok(newest_copy)) = (report(row), row.get(2)) {
            kept.push(Kept {
                newest_copy,
                report,
                seen_at: row.get(3).ok().flatten(),
            });
        }
    });
    kept
}

/// The newest copy that must stay while a person has not seen what it was needed for, by its
/// number; 0 when there is none.
pub(super) fn protected(connection: &Connection) -> Read<u32> {
    let sql = "SELECT COALESCE(MAX(newest_copy), 0) FROM rescue WHERE seen_at IS NULL";
    connection.value(sql, [])
}

/// What a damaged file alone knew of a sale, seen or not: it may have been sold. A part that could
/// not be read may be any.
pub(super) fn of_sale(connection: &Connection, sale: &Sale) -> Read<Option<Earlier>> {
    let (product, plan) = as_typed(sale);
    let mut statement = connection.prepare_cached(
        "SELECT transaction_id, product_reference_id, plan_id, state, contract_id
         FROM rescued_sale WHERE lower(ltrim(transaction_id, '0')) = ?1
         ORDER BY rescue DESC",
    )?;
    let mut found = statement.query([search_form(&sale.0)])?;
    while let Some(row) = found.next()? {
        let lost: Sale = (row.get(0)?, row.get(1)?, row.get(2)?);
        let typed = as_typed(&lost);
        if is_alike(&lost.0, &sale.0)
            && (typed.0.is_empty() || typed.0 == product)
            && (typed.1.is_empty() || typed.1 == plan)
        {
            return Ok(Some(Earlier {
                id: None,
                state: sql_types::word(row, 3)?,
                contract_id: sql_types::word_or_none(row, 4)?,
                profile: None,
                alike: false,
                other_store: false,
                corrected: false,
            }));
        }
    }
    Ok(None)
}

fn report(row: &Row<'_>) -> Read<RescueReport> {
    Ok(RescueReport {
        number: row.get(0)?,
        ..sql_types::json(row, 1)?
    })
}
