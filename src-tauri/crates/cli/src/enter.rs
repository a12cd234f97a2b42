//! `wdesk contracts enter`: a file of sales, checked whole, entered once, sent, and watched until
//! the service shows it.

use std::path::Path;

use warranty_core::Error;
use warranty_core::contracts::{EnterMode, EnterReport, EntryDraft};
use warranty_core::files::export::{Returned, Writer};
use warranty_core::files::private_file::{self, Existing};
use warranty_core::files::{RowKind, Table, WriteError};
use warranty_core::profile::TokenState;

use crate::args::EnterArgs;
use crate::desk::{Context, Session};
use crate::enter_report::{BadRow, Differing, Entered, Standing};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::outbox;
use crate::output::say;
use crate::progress::Progress;

/// Carries out `contracts enter`.
///
/// # Errors
/// The file's and the desk's own; [`Failure::WhileSending`] once sales were kept.
pub async fn run(context: &Context, args: EnterArgs) -> Result<Exit, Failure> {
    let kind = RowKind::Contracts;
    let table = Table::read(&args.file, &args.reading.options(kind)).map_err(Error::File)?;
    let columns = args.reading.columns(kind, &table.detected)?;
    let rows = table.rows.iter().map(|row| columns.entry(row));
    let rows: Vec<_> = rows.collect::<Result<_, _>>().map_err(Error::File)?;
    if let Some(path) = &args.rejected {
        private_file::try_place(path).map_err(|source| Failure::Write {
            path: path.clone(),
            source,
        })?;
    }
    context
        .changing(async |session| {
            session
                .with_service(async |_| enter(context, session, &args, &table, &rows).await)
                .await
        })
        .await
}

async fn enter(
    context: &Context,
    session: &Session,
    args: &EnterArgs,
    table: &Table,
    rows: &[EntryDraft],
) -> Result<Exit, Failure> {
    let report = check_and_keep(session, args, rows).await?;
    let bad = bad_rows(table, &report);
    tell_bad_rows(&bad);
    let differing = differing_rows(table, &report);
    for row in &differing {
        say(row.sentence());
    }
    let kept_nothing = report.entered == 0 && report.already_entered == 0;
    let mut entered = Entered::new(&args.file, args.dry_run, &report, bad, differing);
    if args.dry_run && report.unchecked > 0 {
        say(not_asked(session).await?);
    }

    let left_out = match (&args.rejected, entered.rejected.is_empty()) {
        (_, true) => Exit::Done,
        (Some(path), false) => {
            match write_rejected(path, table, &report, &entered.rejected) {
                Ok(()) => {
                    entered.rejected_file = Some(path.display().to_string());
                    say(format!(
                        "{} rows that cannot be used are in {}, with the reason: correct and \
                         enter that file.",
                        entered.rejected.len(),
                        path.display()
                    ));
                }
                // The good rows are kept by now: they go on, and the bad ones stand above.
                Err(failure) => say(failure.message()),
            }
            if usable(&report) == 0 {
                say("No row can be used: nothing was entered and nothing was sent.");
                Exit::Unusable
            } else {
                Exit::Person
            }
        }
        (None, false) => {
            say("Nothing was entered and nothing was sent. Correct these rows, or use --rejected.");
            Exit::Unusable
        }
    };
    if !(args.dry_run || kept_nothing || left_out == Exit::Unusable) {
        if !args.no_wait {
            outbox::send(&session.desk, args.wait).await?;
        }
        entered.standing = standing(session, &report).await?;
    }
    context.output.result(&entered, || entered.text())?;
    // What became of the sales that were entered is told first; rows left out are in their file.
    Ok(match entered.standing.exit() {
        Exit::Done if left_out != Exit::Done => left_out,
        Exit::Done if !entered.differing.is_empty() => Exit::Person,
        // A dry run that could not ask has not shown that the rows are good.
        Exit::Done if args.dry_run && entered.unchecked > 0 => Exit::Queued,
        exit @ Exit::Done => exit,
        exit @ (Exit::Unusable | Exit::Refused | Exit::Person | Exit::Queued) => exit,
    })
}

/// How many rows can be used, entered or not.
fn usable(report: &EnterReport) -> usize {
    usize::try_from(report.rows)
        .unwrap_or(usize::MAX)
        .saturating_sub(report.rejected.len())
}

async fn check_and_keep(
    session: &Session,
    args: &EnterArgs,
    rows: &[EntryDraft],
) -> Result<EnterReport, Failure> {
    let mode = match (args.dry_run, &args.rejected) {
        (true, _) => EnterMode::DryRun,
        (false, Some(_)) => EnterMode::GoodRows,
        (false, None) => EnterMode::AllOrNothing,
    };
    let progress = Progress::new("checking");
    Ok(session
        .desk
        .contracts_enter(rows, mode, &|done, total| progress.at(done, total, ""))
        .await?)
}

/// Where the rows of this file stand now: those entered now and those entered before.
async fn standing(session: &Session, report: &EnterReport) -> Result<Standing, Failure> {
    let mut standing = Standing::default();
    let ids = report
        .submission_ids
        .iter()
        .chain(&report.already_submission_ids);
    for id in ids {
        standing.count(
            session
                .desk
                .submission(id)
                .await
                .map_err(outbox::while_sending)?,
        );
    }
    Ok(standing)
}

/// Why a dry run could not ask the service, and what is left open by it.
async fn not_asked(session: &Session) -> Result<String, Failure> {
    let profile = session.profile().await?;
    let why = match session.desk.token_state(&profile.id).await? {
        TokenState::Present => "the service could not be reached, or gave no usable answer",
        TokenState::Absent => "no token is kept for this profile; `wdesk token set` takes it",
        TokenState::Unavailable => "the keychain, which has the token, could not be asked",
    };
    Ok(format!(
        "Product, plan and price of some rows are not checked: {why}. The rest of each row is."
    ))
}

fn differing_rows(table: &Table, report: &EnterReport) -> Vec<Differing> {
    report
        .differing
        .iter()
        .map(|row| Differing {
            line: line_of(table, row.index),
            submission_id: row.submission_id.clone(),
            state: row.state,
            fields: row.fields.clone(),
        })
        .collect()
}

fn bad_rows(table: &Table, report: &EnterReport) -> Vec<BadRow> {
    report
        .rejected
        .iter()
        .map(|row| BadRow {
            line: line_of(table, row.index),
            problems: row.problems.clone(),
            questions: row.questions.clone(),
        })
        .collect()
}

/// The line a row begins on; the file's reader gives one for every row.
fn line_of(table: &Table, index: u32) -> u64 {
    usize::try_from(index)
        .ok()
        .and_then(|index| table.rows.get(index))
        .map(|row| row.line)
        .unwrap_or_default()
}

fn tell_bad_rows(bad: &[BadRow]) {
    for row in bad {
        say(format!("line {}: {}", row.line, row.reason()));
    }
}

fn write_rejected(
    path: &Path,
    table: &Table,
    report: &EnterReport,
    bad: &[BadRow],
) -> Result<(), Failure> {
    let written = || -> Result<(), WriteError> {
        let returned = Returned::of(&table.detected.headers);
        let format = table.detected.kind;
        let mut writer = Writer::create(path, format, Existing::Refuse, returned.headers())?;
        for (row, bad) in report.rejected.iter().zip(bad) {
            let index = usize::try_from(row.index).ok();
            if let Some(row) = index.and_then(|index| table.rows.get(index)) {
                writer.row(&returned.row(&row.cells, &bad.reason()))?;
            }
        }
        writer.finish().map(drop)
    };
    written().map_err(|source| Failure::Export {
        path: path.to_owned(),
        source,
    })
}
