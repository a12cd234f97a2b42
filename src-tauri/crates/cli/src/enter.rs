//! `wdesk contracts enter`: checks a whole file of sales, enters it once, sends it, and waits until the
//! service confirms it.

use std::time::Duration;

use tokio::sync::Notify;
use warranty_core::bulk::{RunKind, RunOutcome, RunRow, RunState, RunView};
use warranty_core::outbox::{RunUntil, SubmissionState};
use warranty_core::profile::{Finding, ProfileDraft, ProfileKind, TokenState};
use warranty_core::{Desk, Error, Field};
use warranty_messages::Values;

use crate::args::EnterArgs;
use crate::enter_report::{EnterReport, StateCounts};
use crate::export::try_place;
use crate::failure::while_sending;
use crate::file_args::say_unknown_columns;
use crate::file_report::FileReport;
use crate::file_run::{self, each_row};
use crate::session::{is_token_refused, profile};
use crate::{
    Context, Exit, Failure, Progress, StopSignal, messages, outbox, outbox_hints, say, text, when,
};

/// Carries out `contracts enter`. A failure as of [`while_sending`] once sales were stored.
pub async fn run(context: &Context, args: EnterArgs) -> Result<Exit, Failure> {
    if let Some(path) = &args.answers.rejected {
        try_place(path)?;
    }
    let args = &args;
    context
        .changing(async |desk| {
            let enter = Enter {
                context,
                desk,
                args,
            };
            let exit = enter.run().await?;
            if args.dry_run {
                return file_run::tried(desk, exit).await;
            }
            Ok(exit)
        })
        .await
}

struct Enter<'a> {
    context: &'a Context,
    desk: &'a Desk,
    args: &'a EnterArgs,
}

impl Enter<'_> {
    async fn run(&self) -> Result<Exit, Failure> {
        let Self { desk, args, .. } = self;
        let kind = RunKind::Contracts;
        let (file, left_out) = args.reading.open(desk, &args.file, kind).await?;
        say_unknown_columns(&file, "wdesk.columns.undated", &[Field::TransactionDate]);
        let file_report = FileReport::new(kind, &args.file, args.dry_run, left_out);
        let mut report = EnterReport::new(file_report);
        // A dry run stores nothing, except where rows are written to a file or answered by line.
        if args.dry_run && args.answers.rejected.is_none() && args.repeated_lines.is_empty() {
            report.file.dry_run(desk, file, &args.answers).await?;
            return self.finish(report, None).await;
        }
        let mut stop = StopSignal::new()?;
        let mode = args.answers.mode(args.dry_run);
        let (answers, repeated) = (&args.answers, &args.repeated_lines);
        let run = file_run::start(desk, file, answers, repeated, mode, &mut stop).await?;
        if run.state == RunState::Staged {
            let ended = self.report(report, &run, &mut stop).await;
            // The run was not started, so it is removed.
            desk.bulk.forget(&run.id).await?;
            return ended;
        }
        let entering = Box::pin(self.enter_and_send(&run.id));
        let entered = stop.run_until_stopped(desk, entering).await?;
        let run = entered.map_err(Failure::started)?;
        if run.state == RunState::Running {
            return Err(Failure::halfway(&run));
        }
        self.report(report, &run, &mut stop).await
    }

    /// Enters the rows of a run, and sends entries at the same time unless `--no-wait` is set.
    async fn enter_and_send(&self, id: &str) -> Result<RunView, Error> {
        let entering = Progress::new("entering");
        let first = Notify::new();
        let shown = |done, total| {
            entering.at(done, total, "");
            first.notify_one();
        };
        let sending = async {
            first.notified().await;
            if !self.args.no_wait {
                let until = RunUntil {
                    confirmed: false,
                    at_most: Duration::from_secs(self.args.wait),
                };
                // The error is reported when the outbox is run for the whole file.
                let _ = Box::pin(self.desk.outbox.run(until, &|_| {})).await;
            }
            std::future::pending().await
        };
        tokio::select! {
            biased;
            entered = self.desk.bulk.enter(id, &shown) => entered,
            never = sending => never,
        }
    }

    async fn report(
        &self,
        mut report: EnterReport,
        run: &RunView,
        stop: &mut StopSignal,
    ) -> Result<Exit, Failure> {
        while_sending(report.file.take_run(self.desk, run)).await?;
        let (id, lines) = (&run.id, &self.args.repeated_lines);
        report.not_repeated = while_sending(self.desk.bulk.unpaired_lines(id, lines)).await?;
        self.finish(report, Some((run, stop))).await
    }

    /// Reports the rows, sends what was entered, and writes the result. There is no run for a dry run
    /// that stores nothing.
    async fn finish(
        &self,
        mut report: EnterReport,
        run: Option<(&RunView, &mut StopSignal)>,
    ) -> Result<Exit, Failure> {
        let Self {
            context,
            desk,
            args,
        } = self;
        report.report_rows();
        let is_unchecked = report.file.unchecked > 0;
        let is_refused = is_unchecked && is_token_refused(desk).await;
        if is_unchecked {
            say(self.why_unchecked(&report, is_refused).await?);
        }
        let (mut token_refused, mut files) = (false, Exit::Done);
        let view = run.as_ref().map(|(run, _)| *run);
        let rejected = self.report_rejected(&mut report, view).await;
        let started = view.is_some_and(|run| run.state != RunState::Staged);
        if !started && let Some(run) = view {
            self.count_states(&mut report, &run.id).await?;
        }
        if let Some((run, stop)) = run.filter(|_| started) {
            // Rows that go to a file are taken once it is written.
            if args.answers.rejected.is_none() && report.file.unusable() > 0 {
                while_sending(desk.bulk.rejected_taken(&run.id, run.rejected)).await?;
            }
            let entered_nothing = run.entered == 0 && run.already_entered == 0;
            if !(entered_nothing || rejected == Exit::Unusable) {
                if !args.no_wait {
                    let sent = outbox::send(desk, args.wait, stop).await?;
                    (token_refused, files) = (sent.token_refused, sent.files);
                }
                self.count_states(&mut report, &run.id).await?;
                report.counts.paused |= run.state == RunState::Paused && report.file.pending > 0;
                let sends = outbox_hints::what_sends(desk, &report.counts.waits_under);
                let (what_sends, needs_token) = while_sending(sends).await?;
                // The text of the report says it, its JSON does not.
                if context.json && needs_token && !report.counts.paused {
                    what_sends.iter().for_each(say);
                }
                report.what_sends = what_sends;
                token_refused |= needs_token;
            }
        }
        report.usable = report.file.usable();
        context.result(&report, || report.text())?;
        let is_unknown_store = args.dry_run && !is_unchecked && self.store_is_unknown().await?;
        let differs = report.file.differing() > 0 || !report.not_repeated.is_empty();
        let left_out = report.file.left_out.exit();
        // The state of the entered sales decides first; rejected rows are in their file.
        let entered = report.counts.exit();
        Ok(Exit::first(&[
            (token_refused, Exit::Person),
            (started && entered != Exit::Done, entered),
            (rejected != Exit::Done, rejected),
            (differs, Exit::Person),
            (left_out != Exit::Done, left_out),
            (files != Exit::Done, files),
            (is_unknown_store, Exit::Person),
            // Without an answer of the service a dry run has not shown that the rows are valid.
            (args.dry_run && is_refused, Exit::Refused),
            (args.dry_run && is_unchecked, Exit::Queued),
        ]))
    }

    /// Reports rejected rows, writes them to the requested file, and returns the exit code for them.
    async fn report_rejected(&self, report: &mut EnterReport, run: Option<&RunView>) -> Exit {
        if report.file.unusable() == 0 {
            return Exit::Done;
        }
        match (&self.args.answers.rejected, run) {
            (Some(path), Some(run)) => {
                // Where it fails, the good rows are stored already and continue.
                report.file.write_rejected(self.desk, run, path).await;
                if report.file.rejected_file.is_some() {
                    report.report_rejected_file();
                }
                if report.file.good() == 0 {
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

    /// Counts the states of the rows of this file, entered now or before, and collects the ids of those
    /// entered now. The ids are collected on request only, since a long file has many.
    async fn count_states(&self, report: &mut EnterReport, id: &str) -> Result<(), Failure> {
        let count = async |row: RunRow| {
            let Some(submission) = row.submission else {
                return Ok(());
            };
            if StateCounts::is_case(submission.state) || submission.duplicate_possible {
                let entry = self.desk.contracts.submission(&submission.id).await?;
                report.counts.count_case(entry);
            } else {
                report.counts.count(submission.state);
            }
            if matches!(
                submission.state,
                SubmissionState::Draft | SubmissionState::Queued
            ) {
                report.counts.paused |= submission.paused;
                report.counts.waits_under.insert(submission.profile_id);
            }
            if self.context.json && row.outcome == Some(RunOutcome::Entered) {
                report.submission_ids.push(submission.id);
            }
            Ok(())
        };
        while_sending(each_row(self.desk, id, None, count)).await
    }

    /// Whether the service refuses to list the plans of a product, which it named itself, for the store of a
    /// profile that has sold nothing yet: then the store may be wrong, and all would be sold under another one.
    async fn store_is_unknown(&self) -> Result<bool, Failure> {
        let (desk, profile) = (self.desk, profile(self.desk).await?);
        let sold = desk.overviews.current().await?.open.outbox;
        if profile.kind == ProfileKind::Practice || sold.accepted + sold.confirmed > 0 {
            return Ok(false);
        }
        let draft = ProfileDraft::from(&profile);
        let tested = desk.profiles.test_connection(&draft, None, None).await?;
        let is_unknown = tested.store == Finding::Bad;
        if is_unknown {
            let store = &profile.store_id;
            say(text("wdesk.enter.unknownStore", &[("store", store)]));
        }
        Ok(is_unknown)
    }

    /// Why the service could not be asked, and which checks are missing.
    async fn why_unchecked(
        &self,
        report: &EnterReport,
        is_refused: bool,
    ) -> Result<String, Failure> {
        let profile = profile(self.desk).await?;
        let why = match self.desk.profiles.token_state(&profile.id).await? {
            _ if profile.kind == ProfileKind::Practice => text("wdesk.enter.practice", &[]),
            TokenState::Present if is_refused => text("wdesk.enter.tokenRefused", &[]),
            TokenState::Present => match self.desk.overviews.asks_to_wait_until(&profile.id) {
                Some(at) => text("wdesk.enter.asksToWait", &[("at", &when(at))]),
                None => text("wdesk.enter.notReached", &[]),
            },
            state @ (TokenState::Absent | TokenState::OtherServer | TokenState::Unavailable) => {
                messages::named("wdesk.token", &state)
            }
        };
        let values: &Values<'_> = &[
            ("count", &report.file.unchecked),
            ("rows", &report.file.rows),
            ("why", &why),
        ];
        Ok(text("wdesk.enter.notChecked", values))
    }
}
