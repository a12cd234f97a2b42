//! Files whose rows are sent to the service one by one: products, plan links and product references.

use std::path::Path;

use serde::Serialize;
use warranty_core::bulk::from_file::FileToStage;
use warranty_core::bulk::{RowFailure, RunKind, RunOutcome, RunRow, RunState, RunView};
use warranty_core::settings::Language;
use warranty_core::{Desk, Error, Field};
use warranty_messages::{ErrorCode, sentence};

use crate::args::RowsArgs;
use crate::enter_report::{RejectedRow, WarnedRow, on_line};
use crate::export::try_place;
use crate::file_args::LeftOut;
use crate::file_run::{self, each_row};
use crate::{
    Context, Exit, Failure, KeyValues, Progress, StopSignal, failure, messages, say, text,
};

pub async fn run(context: &Context, kind: RunKind, args: RowsArgs) -> Result<Exit, Failure> {
    let rejected = args.answers.rejected.as_deref();
    rejected.map_or(Ok(()), try_place)?;
    let work = async |desk: &Desk| {
        let (file, left_out) = args.reading.open(desk, &args.file, kind).await?;
        let mut report = Report {
            dry_run: args.dry_run,
            left_out,
            ..Report::default()
        };
        // A dry run stores nothing, except where rows are written to a file.
        if args.dry_run && rejected.is_none() {
            let take = &mut |row| report.take(row);
            let found = file_run::dry_run(desk, file, &args.answers, take).await?;
            report.rows = found.rows;
        } else {
            report.carry_out(desk, &args, file).await?;
        }
        report.report_rows(kind);
        context.result(&report, || report.text(&args.file))?;
        Ok(report.exit())
    };
    context.sending(work).await
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

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    dry_run: bool,
    rows: u32,
    /// Rows that the service accepted.
    done: u32,
    /// Rows that cannot be used; if there are any before it begins, nothing is sent.
    rejected: Vec<RejectedRow>,
    failed: Vec<FailedRow>,
    /// The file with the rows that cannot be used or were refused.
    rejected_file: Option<String>,
    /// Rows for which the service returned other data than was sent.
    answered_otherwise: Vec<OtherRow>,
    warnings: Vec<WarnedRow>,
    not_done: u32,
    /// Whether the rows were begun: some may be sent.
    #[serde(skip)]
    begun: bool,
    #[serde(flatten)]
    left_out: LeftOut,
    #[serde(rename = "waits")]
    remaining: Option<Remaining>,
}

#[derive(Debug, Serialize)]
struct FailedRow {
    line: u32,
    #[serde(flatten)]
    failure: RowFailure,
}

#[derive(Debug, Serialize)]
struct OtherRow {
    line: u32,
    fields: Vec<Field>,
}

#[derive(Debug, Serialize)]
struct Remaining {
    code: String,
    message: String,
    #[serde(skip)]
    exit: Exit,
}

/// Names the rows of a finished file that were left out, refused or answered otherwise, and returns the
/// exit code for them.
pub async fn report_finished(desk: &Desk, run: &RunView) -> Result<Exit, Failure> {
    let mut report = Report {
        begun: true,
        ..Report::default()
    };
    report.take_run(desk, run).await?;
    let exit = report.exit();
    if exit != Exit::Done {
        say(text("wdesk.rows.continued", &[("name", &run.name)]));
        report.report_rows(run.kind);
    }
    Ok(exit)
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
            let taken = self.take_run(desk, &run).await;
            self.write_rejected(desk, args, &run).await;
            // The run was not started, so it is removed.
            desk.bulk.forget(&run.id).await?;
            return taken;
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
        self.take_run(desk, &run).await?;
        self.write_rejected(desk, args, &run).await;
        Ok(())
    }

    /// Writes the rejected rows to the requested file; where that fails, they are listed all the same.
    async fn write_rejected(&mut self, desk: &Desk, args: &RowsArgs, run: &RunView) {
        let rows = self.rejected.len() + self.failed.len();
        let Some(path) = args.answers.rejected.as_ref().filter(|_| rows > 0) else {
            return;
        };
        match file_run::write_rejected(desk, run, path, rows).await {
            Ok(()) => self.rejected_file = Some(path.display().to_string()),
            Err(failure) => say(failure.message()),
        }
    }

    async fn take_run(&mut self, desk: &Desk, run: &RunView) -> Result<(), Failure> {
        self.rows = run.rows;
        self.done = run.entered;
        self.not_done = run.pending;
        let take = async |row| {
            self.take(row);
            Ok(())
        };
        each_row(desk, &run.id, None, take)
            .await
            .map_err(Failure::started)
    }

    fn take(&mut self, row: RunRow) {
        let line = row.line;
        if !row.warnings.is_empty() {
            let warnings = row.warnings;
            self.warnings.push(WarnedRow { line, warnings });
        }
        if let Some(failure) = row.failure {
            self.failed.push(FailedRow { line, failure });
        } else if row.outcome == Some(RunOutcome::Rejected) {
            let (problems, questions) = (row.problems, row.questions);
            self.rejected.push(RejectedRow {
                line,
                problems,
                questions,
            });
        } else if !row.differs.is_empty() {
            self.answered_otherwise.push(OtherRow {
                line,
                fields: row.differs,
            });
        }
    }

    /// The exit code: first for rows that need a person, also to go on, then for refused rows, then for
    /// rows that wait.
    fn exit(&self) -> Exit {
        let outcome_unknown = self.failed.iter().any(|row| row.failure.may_be_done);
        let rest = self.remaining.as_ref().map_or(Exit::Done, |rest| rest.exit);
        let stays = rest == Exit::Person || self.left_out.exit() == Exit::Person;
        let nothing = match &self.rejected_file {
            Some(_) => self.rejected.len() == self.rows as usize,
            None => !self.begun,
        };
        Exit::first(&[
            (!self.rejected.is_empty() && nothing, Exit::Unusable),
            (outcome_unknown, Exit::Person),
            (!self.answered_otherwise.is_empty(), Exit::Person),
            (
                !self.rejected.is_empty() && self.rejected_file.is_none(),
                Exit::Person,
            ),
            (stays, Exit::Person),
            (!self.failed.is_empty(), Exit::Refused),
            (rest != Exit::Done, rest),
            // Rows that are in their file come last.
            (!self.rejected.is_empty(), Exit::Person),
        ])
    }

    /// Reports on stderr what went wrong, row by row.
    fn report_rows(&self, kind: RunKind) {
        for row in &self.rejected {
            row.report(kind);
        }
        for row in &self.warnings {
            row.report();
        }
        for FailedRow { line, failure } in &self.failed {
            say(on_line(*line, &file_run::refusal(failure)));
        }
        for OtherRow { line, fields } in &self.answered_otherwise {
            let fields = messages::names(fields);
            say(on_line(
                *line,
                &text("wdesk.rows.differs", &[("fields", &fields)]),
            ));
        }
        self.left_out.report();
        if let Some(remaining) = &self.remaining {
            say(&remaining.message);
            say(text("wdesk.rows.kept", &[]));
        } else if !(self.rejected.is_empty() || self.dry_run || self.begun) {
            say(text("wdesk.rows.nothing", &[]));
        }
    }

    fn text(&self, file: &Path) -> String {
        let mut fields = KeyValues::default();
        fields
            .line("file", file.display())
            .line("rows", self.rows)
            .line("cannot be used", self.rejected.len())
            .line("done", self.done)
            .line("failed", self.failed.len())
            .line("not done yet", self.not_done);
        if self.dry_run {
            fields.line("dry run", "nothing was sent");
        }
        fields.text()
    }
}
