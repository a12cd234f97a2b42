//! `wdesk contracts enter`: checks a whole file of sales, enters it once, sends it, and waits until the
//! service confirms it.

use std::path::Path;
use std::time::Duration;

use tokio::sync::Notify;
use uuid::Uuid;
use warranty_core::bulk::from_file::FileToStage;
use warranty_core::bulk::{RejectedCells, RowList, RunKind, RunOutcome, RunRow, RunState, RunView};
use warranty_core::contracts::EnterMode;
use warranty_core::files::private_file::{self, Existing};
use warranty_core::outbox::RunUntil;
use warranty_core::profile::TokenState;
use warranty_core::{Desk, Error};

use crate::args::EnterArgs;
use crate::enter_report::EnterReport;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::file_args::HiddenRows;
use crate::messages::{self, text};
use crate::outbox;
use crate::output::say;
use crate::progress::Progress;
use crate::session::{Context, Session};
use crate::signals::StopSignal;
use crate::state_counts::StateCounts;

/// Rows of a run read at once.
const ROWS_AT_ONCE: u32 = 1_000;

/// Carries out `contracts enter`.
///
/// # Errors
/// Errors of the file and of the core; [`Failure::WhileSending`] once sales were stored.
pub async fn run(context: &Context, args: EnterArgs) -> Result<Exit, Failure> {
    if let Some(path) = &args.rejected {
        private_file::try_place(path).map_err(|source| Failure::Write {
            path: path.clone(),
            source,
        })?;
    }
    context
        .changing(async |session| {
            session
                .with_service(async |_| enter(context, session, &args).await)
                .await
        })
        .await
}

async fn enter(context: &Context, session: &Session, args: &EnterArgs) -> Result<Exit, Failure> {
    let file = args
        .reading
        .file(session, &args.file, RunKind::Contracts)
        .await?;
    // A dry run stores nothing, except where rows are written to a file or answered by line.
    let hidden = args.reading.left_out(&file);
    if args.dry_run && args.rejected.is_none() && args.repeated_lines.is_empty() {
        let entered = dry_run(session, args, file).await?.without(hidden);
        let mut stop = StopSignal::new().map_err(Failure::Runtime)?;
        return finish(context, session, args, entered, None, &mut stop).await;
    }
    let desk = &session.desk;
    let id = Uuid::new_v4().to_string();
    let mut stop = StopSignal::new().map_err(Failure::Runtime)?;
    let run = start(desk, args, &id, file, &mut stop).await?;
    if run.state == RunState::Staged {
        let ended = report(context, session, args, &run, hidden, &mut stop).await;
        // The run was not started, so it is removed.
        desk.bulk.forget(&id).await?;
        return ended;
    }
    let entered = stop
        .run_until_stopped(desk, Box::pin(enter_and_send(desk, &id, args)))
        .await?;
    let run = entered.map_err(Failure::Started)?;
    if run.state == RunState::Running {
        return Err(Failure::Halfway {
            entered: run.entered,
            rows: run.rows,
        });
    }
    report(context, session, args, &run, hidden, &mut stop).await
}

/// Enters the rows of a run, and sends entries at the same time unless `--no-wait` is set.
async fn enter_and_send(desk: &Desk, id: &str, args: &EnterArgs) -> Result<RunView, Error> {
    let entering = Progress::new("entering");
    let first = Notify::new();
    let shown = |done, total| {
        entering.at(done, total, "");
        first.notify_one();
    };
    let sending = async {
        first.notified().await;
        if !args.no_wait {
            let until = RunUntil {
                confirmed: false,
                at_most: Duration::from_secs(args.wait),
            };
            // The error is reported when the outbox is run for the whole file.
            let _ = Box::pin(desk.outbox.run(until, &|_| {})).await;
        }
        std::future::pending().await
    };
    tokio::select! {
        biased;
        entered = desk.bulk.enter(id, &shown) => entered,
        never = sending => never,
    }
}

/// Stores the rows, checks them and starts the run. A failed or stopped start removes the run.
async fn start(
    desk: &Desk,
    args: &EnterArgs,
    id: &str,
    file: FileToStage,
    stop: &mut StopSignal,
) -> Result<RunView, Failure> {
    let begun = tokio::select! {
        begun = stage_and_check(desk, args, id, file) => begun,
        () = stop.received() => Err(Failure::Stopped),
    };
    if begun.is_err() {
        match desk.bulk.forget(id).await {
            Ok(()) | Err(Error::NotKnown(_)) => {}
            // It had started before the signal came.
            Err(Error::NotLawful) => return desk.bulk.run(id).await.map_err(Failure::Started),
            Err(error) => return Err(error.into()),
        }
    }
    begun
}

async fn stage_and_check(
    desk: &Desk,
    args: &EnterArgs,
    id: &str,
    file: FileToStage,
) -> Result<RunView, Failure> {
    let reading = Progress::new("reading");
    desk.bulk
        .stage_file(id, file, &|rows| reading.at(rows, rows, ""))
        .await?;
    drop(reading);
    let missing = desk.bulk.missing_lines(id, &args.repeated_lines).await?;
    if !missing.is_empty() {
        return Err(Failure::NoSuchLines(missing));
    }
    let checking = Progress::new("checking");
    let mode = match (args.dry_run, &args.rejected) {
        (true, _) => EnterMode::DryRun,
        (false, Some(_)) => EnterMode::GoodRows,
        (false, None) => EnterMode::AllOrNothing,
    };
    let checked = |done, total| checking.at(done, total, "");
    args.answers
        .answer(desk, id, &args.repeated_lines, &checked)
        .await?;
    Ok(desk.bulk.start(id, mode, &checked).await?)
}

async fn report(
    context: &Context,
    session: &Session,
    args: &EnterArgs,
    run: &RunView,
    hidden: HiddenRows,
    stop: &mut StopSignal,
) -> Result<Exit, Failure> {
    let mut found = rows(&session.desk, &run.id, RowList::Rejected).await?;
    found.extend(rows(&session.desk, &run.id, RowList::Differing).await?);
    let warned = rows(&session.desk, &run.id, RowList::Warned).await?;
    let listed = |row: &RunRow| row.outcome == Some(RunOutcome::Rejected);
    found.extend(warned.into_iter().filter(|row| !listed(row)));
    let mut entered = EnterReport::of_run(&args.file, args.dry_run, run, found).without(hidden);
    entered.not_repeated = session
        .desk
        .bulk
        .unpaired_lines(&run.id, &args.repeated_lines)
        .await
        .map_err(Failure::while_sending)?;
    finish(context, session, args, entered, Some(run), stop).await
}

/// Checks the rows; stores nothing.
async fn dry_run(
    session: &Session,
    args: &EnterArgs,
    file: FileToStage,
) -> Result<EnterReport, Failure> {
    let checking = Progress::new("checking");
    let mut found = Vec::new();
    let run = session
        .desk
        .bulk
        .dry_run(
            file,
            &|question| args.answers.confirms(question),
            &|rows| checking.at(rows, rows, ""),
            &mut |row| found.push(row),
        )
        .await?;
    Ok(EnterReport::of_dry_run(&args.file, run, found))
}

/// All rows of a run in a list.
async fn rows(desk: &Desk, id: &str, list: RowList) -> Result<Vec<RunRow>, Failure> {
    let mut rows: Vec<RunRow> = Vec::new();
    loop {
        let after = rows.last().map_or(0, |row| row.number);
        let more = desk
            .bulk
            .rows(id, Some(list), after, ROWS_AT_ONCE)
            .await
            .map_err(Failure::while_sending)?;
        if more.is_empty() {
            return Ok(rows);
        }
        rows.extend(more);
    }
}

/// Reports the rows, sends what was entered, and writes the result. `run` is `None` for a dry run that
/// stores nothing.
async fn finish(
    context: &Context,
    session: &Session,
    args: &EnterArgs,
    mut entered: EnterReport,
    run: Option<&RunView>,
    stop: &mut StopSignal,
) -> Result<Exit, Failure> {
    entered.report_rows();
    if args.dry_run && entered.unchecked > 0 {
        say(not_asked(session).await?);
    }
    let begun = run.filter(|run| run.state != RunState::Staged);
    let rejected = report_rejected(session, args, &mut entered, run).await;
    if let Some(run) = begun {
        if !entered.rejected.is_empty() {
            session.desk.bulk.rejected_taken(&run.id).await?;
        }
        let entered_nothing = run.entered == 0 && run.already_entered == 0;
        if !(entered_nothing || rejected == Exit::Unusable) {
            if !args.no_wait {
                outbox::send(&session.desk, args.wait, stop).await?;
            }
            let (counts, ids) = counts(&session.desk, &run.id, context.output.json).await?;
            entered.counts = counts;
            entered.counts.paused = entered.counts.waiting > 0 && paused(&session.desk).await?;
            entered.submission_ids = ids;
        }
    }
    context.output.result(&entered, || entered.text())?;
    // The state of the entered sales decides first; rejected rows are in their file.
    Ok(match entered.counts.exit() {
        Exit::Done if rejected != Exit::Done => rejected,
        Exit::Done if !entered.differing.is_empty() => Exit::Person,
        Exit::Done if !entered.not_repeated.is_empty() => Exit::Person,
        Exit::Done if entered.hidden.exit() != Exit::Done => entered.hidden.exit(),
        // Without an answer of the service a dry run has not shown that the rows are valid.
        Exit::Done if args.dry_run && entered.unchecked > 0 => Exit::Queued,
        exit @ Exit::Done => exit,
        exit @ (Exit::Unusable | Exit::Refused | Exit::Person | Exit::Queued) => exit,
    })
}

/// Reports rejected rows, writes them to the requested file, and returns the exit code for them.
async fn report_rejected(
    session: &Session,
    args: &EnterArgs,
    entered: &mut EnterReport,
    run: Option<&RunView>,
) -> Exit {
    if entered.rejected.is_empty() {
        return Exit::Done;
    }
    match (&args.rejected, run) {
        (Some(path), Some(run)) => {
            match write_rejected(&session.desk, &run.id, path).await {
                Ok(()) => {
                    entered.rejected_file = Some(path.display().to_string());
                    let rows = entered.rejected.len().to_string();
                    let values = [("rows", &*rows), ("path", &*path.to_string_lossy())];
                    say(text("wdesk.enter.rejectedFile", &values));
                    let equal = entered.rejected.iter().filter(|row| row.only_repeats());
                    let equal = equal.count();
                    if equal < entered.rejected.len() {
                        say(text("wdesk.enter.correct", &[]));
                    }
                    if equal > 0 {
                        let rows = equal.to_string();
                        let values = [("rows", &*rows), ("path", &*entered.file)];
                        say(text("wdesk.enter.equal", &values));
                    }
                }
                // The good rows are stored already and continue; the rejected ones are listed above.
                Err(failure) => say(failure.message()),
            }
            if entered.usable() == 0 {
                say(text("wdesk.enter.noneUsable", &[]));
                Exit::Unusable
            } else {
                Exit::Person
            }
        }
        (None, Some(run)) if run.state != RunState::Staged => {
            say(text("wdesk.enter.foundLate", &[]));
            Exit::Person
        }
        (None | Some(_), _) => {
            say(text("wdesk.enter.nothing", &[]));
            Exit::Unusable
        }
    }
}

async fn write_rejected(desk: &Desk, id: &str, path: &Path) -> Result<(), Failure> {
    let why = |row: &RejectedCells| messages::row(&row.problems, &row.questions);
    match desk
        .bulk
        .write_rejected_rows(id, path, Existing::Refuse, &why)
        .await
    {
        Ok(_) => Ok(()),
        Err(Error::Write(source)) => Err(Failure::Export {
            path: path.to_owned(),
            source,
        }),
        Err(error) => Err(error.into()),
    }
}

/// The states of the rows of this file, entered now or before, and the ids of those entered now. The
/// ids are collected on request only, since a long file has many.
async fn counts(desk: &Desk, id: &str, ids: bool) -> Result<(StateCounts, Vec<String>), Failure> {
    let mut counts = StateCounts::default();
    let (mut entered, mut after) = (Vec::new(), 0);
    loop {
        let rows = desk
            .bulk
            .rows(id, None, after, ROWS_AT_ONCE)
            .await
            .map_err(Failure::while_sending)?;
        let Some(last) = rows.last() else {
            return Ok((counts, entered));
        };
        after = last.number;
        for row in rows {
            let Some(submission) = row.submission else {
                continue;
            };
            if StateCounts::is_case(submission.state) || submission.duplicate_possible {
                let case = desk.contracts.submission(&submission.id).await;
                counts.count_case(case.map_err(Failure::while_sending)?);
            } else {
                counts.count(submission.state);
            }
            if ids && row.outcome == Some(RunOutcome::Entered) {
                entered.push(submission.id);
            }
        }
    }
}

/// Whether entries wait in a run that a person paused.
async fn paused(desk: &Desk) -> Result<bool, Failure> {
    let runs = desk
        .bulk
        .unfinished()
        .await
        .map_err(Failure::while_sending)?;
    let mut runs = runs.iter();
    Ok(runs.any(|run| run.state == RunState::Paused && run.sent.waiting > 0))
}

/// Why a dry run could not ask the service, and which checks are missing.
async fn not_asked(session: &Session) -> Result<String, Failure> {
    let profile = session.profile().await?;
    let why = match session.desk.profiles.token_state(&profile.id).await? {
        TokenState::Present => text("wdesk.enter.notReached", &[]),
        state @ (TokenState::Absent | TokenState::OtherServer | TokenState::Unavailable) => {
            messages::named("wdesk.token", &state)
        }
    };
    Ok(text("wdesk.enter.notChecked", &[("why", &why)]))
}
