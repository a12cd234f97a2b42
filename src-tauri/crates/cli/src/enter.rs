//! `wdesk contracts enter`: a file of sales, checked whole, entered once, sent, and watched until
//! the service shows it.

use std::path::Path;

use uuid::Uuid;
use warranty_core::contracts::EnterMode;
use warranty_core::files::private_file::{self, Existing};
use warranty_core::imports::FileToStage;
use warranty_core::profile::TokenState;
use warranty_core::runs::{RejectedCells, RowList, RunKind, RunOutcome, RunRow, RunState, RunView};
use warranty_core::{Desk, Error};

use crate::args::EnterArgs;
use crate::enter_report::{EnterReport, StateCounts, reason};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::file_args::HiddenRows;
use crate::outbox;
use crate::output::say;
use crate::progress::Progress;
use crate::session::{Context, Session};
use crate::signals::StopSignal;

/// Rows of a run read at once.
const ROWS_AT_ONCE: u32 = 1_000;

/// Carries out `contracts enter`.
///
/// # Errors
/// The file's and the desk's own; [`Failure::WhileSending`] once sales were kept.
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
    // Rows to be written to a file or answered by line are kept until they are; a look alone keeps
    // nothing.
    let hidden = args.reading.left_out(&file);
    if args.dry_run && args.rejected.is_none() && args.repeated_lines.is_empty() {
        let entered = look(session, args, file).await?.without(hidden);
        let mut stop = StopSignal::new().map_err(Failure::Runtime)?;
        return end(context, session, args, entered, None, &mut stop).await;
    }
    let desk = &session.desk;
    let id = Uuid::new_v4().to_string();
    let mut stop = StopSignal::new().map_err(Failure::Runtime)?;
    let run = begin(desk, args, &id, file, &mut stop).await?;
    if run.state == RunState::Staged {
        let ended = report(context, session, args, &run, hidden, &mut stop).await;
        // Nothing of it was begun: nothing of it stays.
        desk.run_forget(&id).await?;
        return ended;
    }
    let entering = Progress::new("entering");
    let shown = |done, total| entering.at(done, total, "");
    let entered = stop
        .run_until_stopped(desk, desk.run_enter(&id, &shown))
        .await?;
    let run = entered.map_err(Failure::Begun)?;
    drop(entering);
    if run.state == RunState::Running {
        return Err(Failure::Halfway {
            entered: run.entered,
            rows: run.rows,
        });
    }
    report(context, session, args, &run, hidden, &mut stop).await
}

/// Keeps the rows, checks them, and begins to enter them as far as they may be. What is given up on
/// the way is put away again.
async fn begin(
    desk: &Desk,
    args: &EnterArgs,
    id: &str,
    file: FileToStage,
    stop: &mut StopSignal,
) -> Result<RunView, Failure> {
    let begun = tokio::select! {
        begun = keep_and_check(desk, args, id, file) => begun,
        () = stop.received() => Err(Failure::Stopped),
    };
    if begun.is_err() {
        match desk.run_forget(id).await {
            Ok(()) | Err(Error::NotKnown(_)) => {}
            // It had begun when the wish came.
            Err(Error::NotLawful) => return desk.run(id).await.map_err(Failure::Begun),
            Err(error) => return Err(error.into()),
        }
    }
    begun
}

async fn keep_and_check(
    desk: &Desk,
    args: &EnterArgs,
    id: &str,
    file: FileToStage,
) -> Result<RunView, Failure> {
    let reading = Progress::new("reading");
    desk.file_stage(id, file, &|rows| reading.at(rows, rows, ""))
        .await?;
    drop(reading);
    let missing = desk.run_lines_missing(id, &args.repeated_lines).await?;
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
    args.reading
        .answer(desk, id, &args.repeated_lines, &checked)
        .await?;
    Ok(desk.run_start(id, mode, &checked).await?)
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
        .run_lines_alone(&run.id, &args.repeated_lines)
        .await
        .map_err(outbox::while_sending)?;
    end(context, session, args, entered, Some(run), stop).await
}

/// What the rows would come to; nothing is kept.
async fn look(
    session: &Session,
    args: &EnterArgs,
    file: FileToStage,
) -> Result<EnterReport, Failure> {
    let checking = Progress::new("checking");
    let mut found = Vec::new();
    let run = session
        .desk
        .file_dry_run(
            file,
            &|question| args.reading.confirms(question),
            &|rows| checking.at(rows, rows, ""),
            &mut |row| found.push(row),
        )
        .await?;
    Ok(EnterReport::of_dry_run(&args.file, run, found))
}

/// Rows of a run of this list.
async fn rows(desk: &Desk, id: &str, list: RowList) -> Result<Vec<RunRow>, Failure> {
    let mut rows: Vec<RunRow> = Vec::new();
    loop {
        let after = rows.last().map_or(0, |row| row.number);
        let more = desk
            .run_rows(id, Some(list), after, ROWS_AT_ONCE)
            .await
            .map_err(outbox::while_sending)?;
        if more.is_empty() {
            return Ok(rows);
        }
        rows.extend(more);
    }
}

/// Tells what was found, sends what was entered, and says what became of it. `run` is there unless
/// the file was only looked at.
async fn end(
    context: &Context,
    session: &Session,
    args: &EnterArgs,
    mut entered: EnterReport,
    run: Option<&RunView>,
    stop: &mut StopSignal,
) -> Result<Exit, Failure> {
    entered.tell();
    if args.dry_run && entered.unchecked > 0 {
        say(not_asked(session).await?);
    }
    let begun = run.filter(|run| run.state != RunState::Staged);
    let left_out = left_out(session, args, &mut entered, run).await;
    if let Some(run) = begun {
        let kept_nothing = run.entered == 0 && run.already_entered == 0;
        if !(kept_nothing || left_out == Exit::Unusable) {
            if !args.no_wait {
                outbox::send(&session.desk, args.wait, stop).await?;
            }
            let (standing, ids) = standing(&session.desk, &run.id, context.output.json).await?;
            entered.standing = standing;
            entered.standing.halted = entered.standing.waiting > 0 && halted(&session.desk).await?;
            entered.submission_ids = ids;
        }
    }
    context.output.result(&entered, || entered.text())?;
    // What became of the sales that were entered is told first; rows left out are in their file.
    Ok(match entered.standing.exit() {
        Exit::Done if left_out != Exit::Done => left_out,
        Exit::Done if !entered.differing.is_empty() => Exit::Person,
        Exit::Done if !entered.not_repeated.is_empty() => Exit::Person,
        Exit::Done if entered.hidden.exit() != Exit::Done => entered.hidden.exit(),
        // A dry run that could not ask has not shown that the rows are good.
        Exit::Done if args.dry_run && entered.unchecked > 0 => Exit::Queued,
        exit @ Exit::Done => exit,
        exit @ (Exit::Unusable | Exit::Refused | Exit::Person | Exit::Queued) => exit,
    })
}

/// What rows that cannot be used mean, written to a file where that was asked for.
async fn left_out(
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
                    say(format!(
                        "{} rows that cannot be used are in {}, with the reason.",
                        entered.rejected.len(),
                        path.display()
                    ));
                    let equal = entered.rejected.iter().filter(|row| row.only_repeats());
                    let equal = equal.count();
                    if equal < entered.rejected.len() {
                        say("Correct them and enter that file.");
                    }
                    if equal > 0 {
                        say(format!(
                            "{equal} of them only wait to be named with --repeated-lines, which counts with \
                             the whole file alone: enter {} again with it.",
                            entered.file
                        ));
                    }
                }
                // The good rows are kept by now: they go on, and the bad ones stand above.
                Err(failure) => say(failure.message()),
            }
            if entered.usable() == 0 {
                say("No row can be used: nothing was entered and nothing was sent.");
                Exit::Unusable
            } else {
                Exit::Person
            }
        }
        (None, Some(run)) if run.state != RunState::Staged => {
            say(
                "These rows were found to be bad only while the others were entered: they are left out.",
            );
            Exit::Person
        }
        (None | Some(_), _) => {
            say("Nothing was entered and nothing was sent. Correct these rows, or use --rejected.");
            Exit::Unusable
        }
    }
}

async fn write_rejected(desk: &Desk, id: &str, path: &Path) -> Result<(), Failure> {
    let why = |row: &RejectedCells| reason(&row.problems, &row.questions);
    match desk
        .run_rejected_write(id, path, Existing::Refuse, &why)
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

/// Where the rows of this file stand now: those entered now and those entered before. The ids of
/// those entered now only where they are wanted: of a long file they are many.
async fn standing(desk: &Desk, id: &str, ids: bool) -> Result<(StateCounts, Vec<String>), Failure> {
    let mut standing = StateCounts::default();
    let (mut entered, mut after) = (Vec::new(), 0);
    loop {
        let rows = desk
            .run_rows(id, None, after, ROWS_AT_ONCE)
            .await
            .map_err(outbox::while_sending)?;
        let Some(last) = rows.last() else {
            return Ok((standing, entered));
        };
        after = last.number;
        for row in rows {
            let Some(submission) = row.submission else {
                continue;
            };
            if StateCounts::is_case(submission.state) || submission.duplicate_possible {
                let case = desk.submission(&submission.id).await;
                standing.count_case(case.map_err(outbox::while_sending)?);
            } else {
                standing.count(submission.state);
            }
            if ids && row.outcome == Some(RunOutcome::Entered) {
                entered.push(submission.id);
            }
        }
    }
}

/// Whether a run that a person halted holds entries back.
async fn halted(desk: &Desk) -> Result<bool, Failure> {
    let runs = desk
        .runs_unfinished()
        .await
        .map_err(outbox::while_sending)?;
    let mut runs = runs.iter();
    Ok(runs.any(|run| run.state == RunState::Paused && run.sent.waiting > 0))
}

/// Why a dry run could not ask the service, and what is left open by it.
async fn not_asked(session: &Session) -> Result<String, Failure> {
    let profile = session.profile().await?;
    let why = match session.desk.token_state(&profile.id).await? {
        TokenState::Present => "the service could not be reached, or gave no usable answer",
        TokenState::Absent => "no token is kept for this profile; `wdesk token set` takes it",
        TokenState::OtherServer => {
            "the token that is kept was given for another server; `wdesk token set` takes it again"
        }
        TokenState::Unavailable => "the keychain, which has the token, could not be asked",
    };
    Ok(format!(
        "Product, plan and price of some rows are not checked: {why}. The rest of each row is."
    ))
}
