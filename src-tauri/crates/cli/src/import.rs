//! Files whose rows are sent to the service one by one: products, plan links and product references.
//!
//! The whole file is checked first, then stored as a run, which continues later if this process ends.

use std::path::Path;

use serde::Serialize;
use uuid::Uuid;
use warranty_core::api::{self, NotSent};
use warranty_core::bulk::from_file::FileToStage;
use warranty_core::bulk::{RunKind, RunOutcome, RunRow, RunState, RunView};
use warranty_core::contracts::EnterMode;
use warranty_core::{Desk, Error, Field};

use crate::args::RowsArgs;
use crate::enter_report::{RejectedRow, on_line};
use crate::exit::Exit;
use crate::failure::{self, Failure};
use crate::file_args::HiddenRows;
use crate::messages::{self, text};
use crate::output::say;
use crate::progress::Progress;
use crate::session::{Context, Session};
use crate::signals::StopSignal;
use crate::table::KeyValues;

/// Rows of a run read at once.
const ROWS_AT_ONCE: u32 = 1_000;

/// Carries out a command over a file of rows of this kind.
///
/// # Errors
/// Errors of the file and of the core.
pub async fn run(context: &Context, kind: RunKind, args: RowsArgs) -> Result<Exit, Failure> {
    context
        .changing(async |session| {
            session
                .with_service(async |_| {
                    let file = args.reading.file(session, &args.file, kind).await?;
                    let hidden = args.reading.left_out(&file);
                    let mut report = if args.dry_run {
                        dry_run(session, &args, file).await?
                    } else {
                        work(session, &args, file).await?
                    };
                    report.hidden_rows = hidden.rows;
                    report.hidden = hidden;
                    report.report_rows();
                    context.output.result(&report, || report.text(&args.file))?;
                    Ok(report.exit())
                })
                .await
        })
        .await
}

/// Checks the rows; stores and sends nothing.
async fn dry_run(session: &Session, args: &RowsArgs, file: FileToStage) -> Result<Report, Failure> {
    let checking = Progress::new("checking");
    let mut report = Report {
        dry_run: true,
        ..Report::default()
    };
    let run = session
        .desk
        .bulk
        .dry_run(
            file,
            &|question| args.answers.confirms(question),
            &|rows| checking.at(rows, rows, ""),
            &mut |row| report.take(row),
        )
        .await?;
    report.rows = run.rows;
    Ok(report)
}

async fn work(session: &Session, args: &RowsArgs, file: FileToStage) -> Result<Report, Failure> {
    let desk = &session.desk;
    let id = Uuid::new_v4().to_string();
    let mut stop = StopSignal::new().map_err(Failure::Runtime)?;
    let begun = tokio::select! {
        begun = stage_and_check(desk, args, &id, file) => begun,
        () = stop.received() => Err(Failure::Stopped),
    };
    let staged = match &begun {
        Ok(run) => run.state == RunState::Staged,
        Err(_) => true,
    };
    if staged {
        let report = match begun {
            Ok(run) => Report::of(desk, &run, None).await,
            Err(failure) => Err(failure),
        };
        return match desk.bulk.forget(&id).await {
            Ok(()) | Err(Error::NotKnown(_)) => report,
            // It had started before the signal came.
            Err(error @ Error::NotLawful) => Err(Failure::Started(error)),
            Err(error) => Err(error.into()),
        };
    }
    let doing = Progress::new("rows");
    let shown = |done, total| doing.at(done, total, "");
    let done = stop
        .run_until_stopped(desk, desk.bulk.enter(&id, &shown))
        .await?;
    let remaining = match done {
        Ok(run) if run.state == RunState::Running => Some(Remaining::stopped()),
        Ok(_) => None,
        Err(error) => Some(Remaining::of(&error)),
    };
    drop(doing);
    let run = desk.bulk.run(&id).await.map_err(Failure::Started)?;
    desk.bulk.rejected_taken(&id).await?;
    Report::of(desk, &run, remaining).await
}

async fn stage_and_check(
    desk: &Desk,
    args: &RowsArgs,
    id: &str,
    file: FileToStage,
) -> Result<RunView, Failure> {
    let reading = Progress::new("reading");
    desk.bulk
        .stage_file(id, file, &|rows| reading.at(rows, rows, ""))
        .await?;
    args.answers.answer(desk, id, &[], &|_, _| {}).await?;
    let all = EnterMode::AllOrNothing;
    Ok(desk.bulk.start(id, all, &|_, _| {}).await?)
}

/// The exit code when the rest of a file waits because of this error: queued if it continues
/// automatically, else a person is needed.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "a person decides about all others"
)]
fn exit_of(error: &Error) -> Exit {
    match error {
        Error::Service { source, .. } => match source {
            api::Error::Refused {
                status: 401 | 403, ..
            }
            | api::Error::NotSent(NotSent::NoToken) => Exit::Person,
            api::Error::Refused { .. }
            | api::Error::NotSent(_)
            | api::Error::NoAnswer(_)
            | api::Error::Unreadable { .. } => Exit::Queued,
        },
        Error::PracticeNotRunning => Exit::Queued,
        _ => Exit::Person,
    }
}

/// The result.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    dry_run: bool,
    rows: u32,
    /// Rows that the service accepted.
    done: u32,
    /// Rows that cannot be used; if there are any, nothing was sent.
    rejected: Vec<RejectedRow>,
    /// Rows that failed at the service.
    failed: Vec<FailedRow>,
    /// Rows for which the service returned other data than was sent.
    answered_otherwise: Vec<OtherRow>,
    /// Rows that were not sent yet.
    not_done: u32,
    /// Rows that the workbook hides and that were skipped.
    hidden_rows: u32,
    /// Why the remaining rows wait.
    #[serde(rename = "waits")]
    remaining: Option<Remaining>,
    #[serde(skip)]
    hidden: HiddenRows,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FailedRow {
    /// Line of the file, from 1.
    line: u32,
    /// Whether the service may have carried it out.
    may_be_done: bool,
    /// The service's code, when it gave one.
    code: Option<String>,
    message: String,
    request_id: Option<String>,
}

#[derive(Debug, Serialize)]
struct OtherRow {
    /// Line of the file, from 1.
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

impl Remaining {
    fn of(error: &Error) -> Self {
        Self {
            code: failure::code(error),
            message: text("wdesk.rows.waits", &[("reason", &error.to_string())]),
            exit: exit_of(error),
        }
    }

    /// A signal stopped it.
    fn stopped() -> Self {
        Self {
            code: Failure::Stopped.code(),
            message: text("wdesk.rows.stopped", &[]),
            exit: Exit::Queued,
        }
    }
}

impl Report {
    async fn of(desk: &Desk, run: &RunView, remaining: Option<Remaining>) -> Result<Self, Failure> {
        let mut report = Self {
            rows: run.rows,
            done: run.entered,
            not_done: run.pending,
            remaining,
            ..Self::default()
        };
        let mut after = 0;
        loop {
            let rows = desk
                .bulk
                .rows(&run.id, None, after, ROWS_AT_ONCE)
                .await
                .map_err(Failure::Started)?;
            let Some(last) = rows.last() else {
                return Ok(report);
            };
            after = last.number;
            for row in rows {
                report.take(row);
            }
        }
    }

    fn take(&mut self, row: RunRow) {
        if let Some(failure) = row.failure {
            self.failed.push(FailedRow {
                line: row.line,
                may_be_done: failure.may_be_done,
                code: failure.code,
                message: failure.message,
                request_id: failure.request_id,
            });
        } else if row.outcome == Some(RunOutcome::Rejected) {
            self.rejected.push(RejectedRow {
                line: row.line,
                problems: row.problems,
                questions: row.questions,
            });
        } else if !row.differs.is_empty() {
            self.answered_otherwise.push(OtherRow {
                line: row.line,
                fields: row.differs,
            });
        }
    }

    /// The exit code: first for rows that need a person, then for refused rows, then for rows that
    /// wait.
    fn exit(&self) -> Exit {
        let outcome_unknown = self.failed.iter().any(|row| row.may_be_done);
        if !self.rejected.is_empty() {
            Exit::Unusable
        } else if outcome_unknown || !self.answered_otherwise.is_empty() {
            Exit::Person
        } else if !self.failed.is_empty() {
            Exit::Refused
        } else {
            let remaining = self.remaining.as_ref().map(|rest| rest.exit);
            remaining.unwrap_or(self.hidden.exit())
        }
    }

    /// Reports on stderr what went wrong, row by row.
    fn report_rows(&self) {
        for row in &self.rejected {
            let why = messages::row(&row.problems, &row.questions);
            say(on_line(row.line, &why));
        }
        for row in &self.failed {
            let mut what = row.message.clone();
            if row.may_be_done {
                what.push(' ');
                what.push_str(&text("wdesk.rows.maybeDone", &[]));
            }
            say(on_line(row.line, &what));
        }
        for row in &self.answered_otherwise {
            let fields = messages::names(&row.fields);
            let what = text("wdesk.rows.differs", &[("fields", &fields)]);
            say(on_line(row.line, &what));
        }
        self.hidden.report();
        if let Some(remaining) = &self.remaining {
            say(&remaining.message);
            say(text("wdesk.rows.kept", &[]));
        } else if !self.rejected.is_empty() && !self.dry_run {
            say(text("wdesk.rows.nothing", &[]));
        }
    }

    fn text(&self, file: &Path) -> String {
        let mut fields = KeyValues::default();
        fields
            .line("file", file.display().to_string())
            .line("rows", self.rows.to_string())
            .line("cannot be used", self.rejected.len().to_string())
            .line("done", self.done.to_string())
            .line("failed", self.failed.len().to_string())
            .line("not done yet", self.not_done.to_string());
        if self.dry_run {
            fields.line("dry run", "nothing was sent");
        }
        fields.text()
    }
}
