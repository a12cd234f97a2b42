//! Files whose rows are sent to the service one by one: products, plan links and product references.

use serde::Serialize;
use warranty_core::bulk::from_file::FileToStage;
use warranty_core::bulk::{RunKind, RunRow, RunState, RunView};
use warranty_core::settings::Language;
use warranty_core::{Desk, Error};
use warranty_messages::{ErrorCode, sentence};

use crate::args::RowsArgs;
use crate::export::try_place;
use crate::file_report::FileReport;
use crate::file_run;
use crate::{Context, Exit, Failure, Progress, StopSignal, failure, say, text};

pub async fn run(context: &Context, kind: RunKind, args: RowsArgs) -> Result<Exit, Failure> {
    let rejected = args.answers.rejected.as_deref();
    rejected.map_or(Ok(()), try_place)?;
    let work = async |desk: &Desk| {
        let (file, left_out) = args.reading.open(desk, &args.file, kind).await?;
        let mut report = Report {
            file: FileReport::new(kind, &args.file, args.dry_run, left_out),
            begun: false,
            remaining: None,
        };
        // A dry run stores nothing, except where rows are written to a file.
        if args.dry_run && rejected.is_none() {
            report.file.dry_run(desk, file, &args.answers).await?;
        } else {
            report.carry_out(desk, &args, file).await?;
        }
        report.report_rows();
        context.result(&report, || report.text())?;
        if args.dry_run {
            return file_run::tried(desk, report.exit()).await;
        }
        Ok(report.exit())
    };
    context.changing(work).await
}

/// The exit code when the rest of a file waits because of this error: queued if it continues
/// automatically, else a person is needed.
fn exit_of(error: &Error) -> Exit {
    let waits_for_token = matches!(
        ErrorCode::of(error),
        ErrorCode::NoToken | ErrorCode::TokenRefused
    );
    let continues = matches!(error, Error::Service { .. } | Error::PracticeNotRunning);
    if continues && !waits_for_token {
        Exit::Queued
    } else {
        Exit::Person
    }
}

#[derive(Debug, Serialize)]
struct Report {
    #[serde(flatten)]
    file: FileReport,
    /// Whether the rows were begun: some may be sent.
    #[serde(skip)]
    begun: bool,
    #[serde(rename = "waits")]
    remaining: Option<Remaining>,
}

#[derive(Debug, Serialize)]
struct Remaining {
    code: String,
    message: String,
    #[serde(skip)]
    exit: Exit,
}

impl Report {
    /// Sends the rows, after all of them were found usable.
    async fn carry_out(
        &mut self,
        desk: &Desk,
        args: &RowsArgs,
        file: FileToStage,
    ) -> Result<(), Failure> {
        let mut stop = StopSignal::new()?;
        let mode = args.answers.mode(args.dry_run);
        let run = file_run::start(desk, file, &args.answers, &[], mode, &mut stop).await?;
        if run.state == RunState::Staged {
            let taken = self.take_run(desk, args, &run).await;
            // The run was not started, so it is removed.
            desk.bulk.forget(&run.id).await?;
            return Ok(taken?);
        }
        self.begun = true;
        let rows = Progress::new("rows");
        let shown = |done, total| rows.at(done, total, "");
        let done = stop
            .run_until_stopped(desk, desk.bulk.enter(&run.id, &shown))
            .await?;
        drop(rows);
        self.remaining = match done {
            Ok(run) if run.state == RunState::Running => Some(Remaining {
                code: "stopped".to_owned(),
                message: text("wdesk.rows.stopped", &[]),
                exit: Exit::Queued,
            }),
            Ok(_) => None,
            Err(error) => Some(Remaining {
                code: failure::code(&error),
                message: text(
                    "wdesk.rows.waits",
                    &[("reason", &sentence(Language::En, &error))],
                ),
                exit: exit_of(&error),
            }),
        };
        let run = desk.bulk.run(&run.id).await.map_err(Failure::started)?;
        if args.answers.rejected.is_none() {
            let taken = desk.bulk.rejected_taken(&run.id, run.rejected).await;
            taken.map_err(Failure::started)?;
        }
        let taken = self.take_run(desk, args, &run).await;
        taken.map_err(Failure::started)
    }

    /// Takes what came of the rows, and writes the rejected ones to the requested file.
    async fn take_run(&mut self, desk: &Desk, args: &RowsArgs, run: &RunView) -> Result<(), Error> {
        self.file.take_run(desk, run).await?;
        let path = args.answers.rejected.as_ref();
        if let Some(path) = path.filter(|_| run.rejected > 0) {
            self.file.write_rejected(desk, run, path).await;
        }
        Ok(())
    }

    /// The exit code: first for rows that need a person, also to go on, then for refused rows, then for
    /// rows that wait.
    fn exit(&self) -> Exit {
        let file = &self.file;
        let (unusable, has_file) = (file.unusable(), file.rejected_file.is_some());
        let may_be_done =
            |row: &RunRow| (row.failure.as_ref()).is_some_and(|failure| failure.may_be_done);
        let rest = self.remaining.as_ref().map_or(Exit::Done, |rest| rest.exit);
        let nothing = if has_file {
            unusable == file.rows
        } else {
            !self.begun
        };
        Exit::first(&[
            (unusable > 0 && nothing, Exit::Unusable),
            (file.count(may_be_done) > 0, Exit::Person),
            (file.differing() > 0, Exit::Person),
            (unusable > 0 && !has_file, Exit::Person),
            (rest == Exit::Person, Exit::Person),
            (file.left_out.exit() == Exit::Person, Exit::Person),
            (file.failed() > 0, Exit::Refused),
            (rest != Exit::Done, rest),
            // Rows that are in their file come last.
            (unusable > 0, Exit::Person),
        ])
    }

    /// Reports on stderr what went wrong, row by row, and what becomes of the rest.
    fn report_rows(&self) {
        self.file.report_rows();
        if let Some(remaining) = &self.remaining {
            say(&remaining.message);
            say(text("wdesk.rows.kept", &[]));
        } else if !(self.file.unusable() == 0 || self.file.dry_run || self.begun) {
            say(text("wdesk.rows.nothing", &[]));
        }
    }

    fn text(&self) -> String {
        self.file.text(&[("pending", self.file.pending, false)])
    }
}
