//! A file of rows as a run: checked as a whole, stored, started, and continued later if this process ends.
//!
//! Shared by `contracts enter` and by the files of products, plan links and product references.

use std::path::Path;

use uuid::Uuid;
use warranty_core::bulk::from_file::FileToStage;
use warranty_core::bulk::{Finding, RowFailure, RowList, RunRow, RunView};
use warranty_core::contracts::EnterMode;
use warranty_core::files::private_file::Existing;
use warranty_core::settings::Language;
use warranty_core::{Desk, Error};
use warranty_messages::{Values, rejection, row_failure};

use crate::file_args::AnswerArgs;
use crate::session::profile;
use crate::{Exit, Failure, Progress, StopSignal, exit, messages, say, text};

const ROWS_AT_ONCE: u32 = 1_000;

/// The exit code of a dry run whose rows give this one. Says why the whole file would be refused, if it would.
pub async fn tried(desk: &Desk, of_rows: Exit) -> Result<Exit, Failure> {
    let id = profile(desk).await?.id;
    let Err(error) = desk.bulk.expect_startable(&id).await else {
        return Ok(of_rows);
    };
    say(messages::error(&error));
    Ok(exit::of(&error))
}

/// Stores the rows, checks them and starts the run. A failed or stopped start removes the run. The lines in
/// `repeated` repeat an earlier row and are wanted as one more contract; `mode` says which rows are entered
/// when some are rejected.
pub async fn start(
    desk: &Desk,
    file: FileToStage,
    answers: &AnswerArgs,
    repeated: &[u32],
    mode: EnterMode,
    stop: &mut StopSignal,
) -> Result<RunView, Failure> {
    let id = Uuid::new_v4().to_string();
    let failure = tokio::select! {
        begun = stage_and_start(desk, &id, file, answers, repeated, mode) => match begun {
            Ok(run) => return Ok(run),
            Err(failure) => failure,
        },
        () = stop.received() => Failure::stopped(),
    };
    match desk.bulk.forget(&id).await {
        Ok(()) | Err(Error::NotKnown(_)) => Err(failure),
        // It had started before the signal came.
        Err(Error::NotAllowed) => {
            let run = desk.bulk.run(&id).await.map_err(Failure::started)?;
            Err(Failure::halfway(&run))
        }
        Err(error) => {
            let reason = messages::error(&error);
            say(text("wdesk.imports.copyKept", &[("reason", &reason)]));
            Err(failure)
        }
    }
}

async fn stage_and_start(
    desk: &Desk,
    id: &str,
    file: FileToStage,
    answers: &AnswerArgs,
    repeated: &[u32],
    mode: EnterMode,
) -> Result<RunView, Failure> {
    let reading = Progress::new("reading");
    let progress = |rows| reading.at(rows, rows, "");
    desk.bulk.stage_file(id, file, &progress).await?;
    drop(reading);
    let checking = Progress::new("checking");
    let progress = |done, total| checking.at(done, total, "");
    answers.answer(desk, id, repeated, &progress).await?;
    Ok(desk.bulk.start(id, mode, &progress).await?)
}

/// Writes the rejected rows of a run to a new file, with the reasons in the language of the window, and says so.
pub async fn write_rejected(desk: &Desk, run: &RunView, path: &Path) -> Result<(), Failure> {
    let language = desk.settings().await?.language.unwrap_or(Language::En);
    let why = |found: &Finding| rejection(language, found);
    let (bulk, existing) = (&desk.bulk, Existing::Refuse);
    let written = bulk
        .write_rejected_rows(&run.id, path, existing, &why)
        .await;
    written.map_err(Failure::of_file(path))?;
    let values: &Values<'_> = &[("count", &run.rejected), ("path", &path.display())];
    say(text("wdesk.enter.rejectedFile", values));
    Ok(())
}

/// Why the service did not take a row, and whether it may have been done all the same.
pub fn refusal(failure: &RowFailure) -> String {
    let why = row_failure(Language::En, failure);
    if failure.may_be_done {
        format!("{why} {}", text("wdesk.rows.maybeDone", &[]))
    } else {
        why
    }
}

/// Calls `each` with the rows of a run that have an outcome, or with those of a list.
pub async fn each_row(
    desk: &Desk,
    run: &str,
    list: Option<RowList>,
    mut each: impl AsyncFnMut(RunRow) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut after = 0;
    loop {
        let rows = desk.bulk.rows(run, list, after, ROWS_AT_ONCE).await?;
        let Some(last) = rows.last() else {
            return Ok(());
        };
        after = last.number;
        for row in rows {
            each(row).await?;
        }
    }
}
