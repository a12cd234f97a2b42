//! `wdesk imports`: files that are not finished, or have rejected rows that were not fetched.

use std::slice;

use warranty_core::Desk;
use warranty_core::Error;
use warranty_core::bulk::{RunRow, RunSource, RunState, RunView, Runs};
use warranty_messages::Values;

use crate::args::ImportsCommand;
use crate::export::try_place;
use crate::failure::code;
use crate::file_report::say_row;
use crate::file_run::each_row;
use crate::messages::name;
use crate::session::profile;
use crate::{Context, Exit, Failure, Table, file_run, grouped, outbox_hints, say, text, when};

pub async fn run(context: &Context, command: ImportsCommand) -> Result<Exit, Failure> {
    let done = |run: RunView| context.done(&run, |run| list_text(slice::from_ref(run)));
    match command {
        ImportsCommand::List => {
            let open = async |desk: &Desk| Ok(desk.bulk.runs(Runs::OpenFiles).await?);
            context.show(open, |open| list_text(open)).await
        }
        ImportsCommand::Rejected { import, out } => {
            try_place(&out)?;
            let write = async |desk: &Desk| {
                let run = desk.bulk.run(&import).await.map_err(of_another)?;
                file_run::write_rejected(desk, &run, &out).await?;
                done(run)
            };
            context.changing(write).await
        }
        ImportsCommand::Resume { import } => {
            let resume = async |desk: &Desk| {
                let run = desk.bulk.resume(&import).await.map_err(of_another)?;
                if waiting(&run) > 0 {
                    outbox_hints::say_what_sends(desk, profile(desk).await?.id).await?;
                }
                Ok(run)
            };
            done(context.changing(resume).await?)
        }
        ImportsCommand::Cancel { import } => {
            let cancel = async |desk: &Desk| desk.bulk.cancel(&import).await.map_err(of_another);
            done(context.changing(cancel).await?)
        }
        ImportsCommand::Remove { import } => {
            let remove = async |desk: &Desk| {
                let run = desk.bulk.run(&import).await.map_err(of_another)?;
                let removed = desk.bulk.forget(&import).await;
                removed.map_err(Failure::unless_possible("importState"))?;
                done(run)
            };
            context.changing(remove).await
        }
    }
}

/// An import of another profile than the one of this command.
fn of_another(error: Error) -> Failure {
    if matches!(error, Error::ProfileMoved) {
        return Failure::own(Exit::Unusable, code(&error), "importOfAnother", &[]);
    }
    error.into()
}

/// Says what a person has to do with files that do not go on by themselves, and which rows differ of those
/// that had begun earlier and are finished now. Returns the exit code for them.
pub async fn report_open(desk: &Desk, begun: &[RunView]) -> Result<Exit, Error> {
    let mut exit = Exit::Done;
    // The rows of a sheet go back to the window.
    for run in begun.iter().filter(|run| run.source == RunSource::File) {
        let run = desk.bulk.run(&run.id).await?;
        if run.state == RunState::Done && report_differing(desk, &run).await? {
            exit = Exit::Person;
        }
    }
    for run in desk.bulk.runs(Runs::OpenFiles).await? {
        let (id, name) = (&run.id, &run.name);
        match run.state {
            // The rows that wait are named elsewhere.
            RunState::Running => continue,
            RunState::Paused => say_paused(&run),
            RunState::Staged => say(text(
                "wdesk.imports.notStarted",
                &[("id", id), ("name", name)],
            )),
            RunState::Cancelled | RunState::Done => {
                let values: &Values<'_> = &[("count", &run.rejected), ("id", id), ("name", name)];
                say(text("wdesk.imports.rejected", values));
            }
        }
        exit = Exit::Person;
    }
    Ok(exit)
}

/// The paused runs that keep the day open: a sheet does only while entries or rows wait in it.
pub async fn halted(desk: &Desk) -> Result<Vec<RunView>, Error> {
    let mut runs = desk.bulk.runs(Runs::Unfinished).await?;
    runs.retain(|run| {
        let keeps = run.source == RunSource::File || waiting(run) > 0;
        run.state == RunState::Paused && keeps
    });
    Ok(runs)
}

/// Names the commands that let a paused run go on, and that stop it.
pub fn say_paused(run: &RunView) {
    let sheet = text("nav.sheet", &[]);
    let name = match run.source {
        RunSource::File => &run.name,
        RunSource::Sheet => &sheet,
    };
    let values: &Values<'_> = &[("id", &run.id), ("name", name)];
    say(text("wdesk.imports.paused", values));
}

/// Names the rows of a finished file that differ from an entry, or from the answer of the service, and says
/// whether there are any.
async fn report_differing(desk: &Desk, run: &RunView) -> Result<bool, Error> {
    let mut any = false;
    let name = async |row: RunRow| {
        if !row.differs.is_empty() {
            if !any {
                say(text("wdesk.rows.continued", &[("name", &run.name)]));
            }
            any = true;
            say_row(run.kind, &row);
        }
        Ok(())
    };
    each_row(desk, &run.id, None, name).await?;
    Ok(any)
}

/// The rows that are not entered yet, and the entries that are not sent yet.
fn waiting(run: &RunView) -> u32 {
    let waits = run.state != RunState::Cancelled;
    if waits { run.pending + run.unsent } else { 0 }
}

fn list_text(runs: &[RunView]) -> String {
    Table::of(runs)
        .column("read", |run| when(run.created_at))
        .column("rows of", |run| name(&run.kind))
        .column("state", |run| name(&run.state))
        .column("rows", |run| grouped(run.rows))
        .column("waiting", |run| grouped(waiting(run)))
        .column("rejected", |run| grouped(run.rejected))
        .column("file", |run| &run.name)
        .column("import", |run| &run.id)
        .text()
}
