//! `wdesk outbox`: sends and confirms entered contracts, and resolves cases.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde::Serialize;
use warranty_core::bulk::{RunSource, RunState, RunView, Runs};
use warranty_core::contracts::{Confirmed, EntryFilter};
use warranty_core::export::List;
use warranty_core::outbox::{
    CaseView, OutboxSummary, Resolution, ResolutionKind, RunUntil, SubmissionState,
};
use warranty_core::overview::{Connection, OpenWork};
use warranty_core::{Desk, Error};
use warranty_messages::ErrorCode;

use crate::args::{OutboxCommand, ResolveArgs};
use crate::blockers::say_unread_report;
use crate::enter_report::StateCounts;
use crate::failure::while_sending;
use crate::outbox_report::OutboxReport;
use crate::outbox_text::{case_text, open_text};
use crate::values::STATES;
use crate::{
    Context, Exit, Failure, KeyValues, Progress, StopSignal, export, grouped, imports, messages,
    outbox_hints as hints, say, text,
};

/// The finished and the unfinished work of the profile.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    #[serde(flatten)]
    report: OutboxReport,
    sheet_rows: u32,
    runs: u32,
    leads_waiting: u32,
    leads_unanswered: u32,
    leads_rejected: u32,
    /// Sales and leads of all live profiles.
    unsent: u32,
    /// Names of other live profiles with unfinished work.
    other_profiles: Vec<String>,
    nothing_waits: bool,
}

/// How long `--send-now` waits for an answer and for its confirmation, in seconds.
const SEND_NOW_SECONDS: u64 = 60;

pub async fn run(context: &Context, command: OutboxCommand) -> Result<Exit, Failure> {
    match command {
        OutboxCommand::Status => {
            context
                .reading(async |desk| status(context, desk).await)
                .await
        }
        OutboxCommand::Run { wait } => {
            context
                .changing(async |desk| run_outbox(context, desk, wait).await)
                .await
        }
        OutboxCommand::List { export: file } => {
            let states = STATES.iter().map(|(_, state, _)| *state);
            let finished = [SubmissionState::Confirmed, SubmissionState::Cancelled];
            let filter = EntryFilter {
                possible_duplicates: true,
                states: states.filter(|state| !finished.contains(state)).collect(),
                limit: u32::MAX,
                ..EntryFilter::default()
            };
            if let Some(file) = file {
                return export::list(context, &List::Entries { filter }, &file).await;
            }
            let open = async |desk: &Desk| Ok(desk.contracts.list(&filter).await?.entries);
            context.show(open, |open| open_text(open)).await
        }
        OutboxCommand::Show { case } => {
            let shown = async |desk: &Desk| Ok(desk.outbox.case(&case).await?);
            context.show(shown, case_text).await
        }
        OutboxCommand::Resolve(args) => {
            let resolve = async |desk: &Desk| {
                let resends = args.kind.provider_has_none.is_some();
                let sends_now = args.kind.send_now;
                let mut case = resolve(desk, args).await?;
                if sends_now {
                    // What lets this one go ahead of the others ends with this process.
                    send(desk, SEND_NOW_SECONDS, &mut StopSignal::new()?).await?;
                    case = desk.outbox.case(&case.submission.id).await?;
                }
                let state = case.submission.state;
                // What has no known outcome may be sold; only what a person lets go waits for a repeat.
                let waits = matches!(state, SubmissionState::Queued | SubmissionState::Held)
                    || state == SubmissionState::Unknown && !sends_now;
                if waits {
                    say(text("wdesk.outbox.notSent", &[]));
                    hints::say_what_sends(desk, case.profile_id.clone()).await?;
                }
                context.result(&case, || case_text(&case))?;
                let unreadable = resends && state == SubmissionState::Cancelled;
                if unreadable {
                    say(text("wdesk.outbox.notResent", &[]));
                }
                if sends_now {
                    let mut counts = StateCounts::default();
                    counts.count_case(case.submission);
                    return Ok(counts.exit());
                }
                Ok(Exit::first(&[
                    (
                        unreadable || state == SubmissionState::NeedsPerson,
                        Exit::Person,
                    ),
                    (waits, Exit::Queued),
                ]))
            };
            context.changing(resolve).await
        }
    }
}

async fn status(context: &Context, desk: &Desk) -> Result<Exit, Failure> {
    let others = other_profiles(desk).await?;
    let current = desk.profiles.current().await?;
    let (open, all_done) = match current {
        Some(profile) => {
            let overview = desk.overviews.of(&profile.id).await?;
            (overview.open, overview.all_done)
        }
        None => {
            let report = desk.recovery.unseen_summary().await?;
            (OpenWork::default(), others.is_empty() && report.is_none())
        }
    };
    let status = Status {
        report: OutboxReport::of(desk, open.outbox).await?,
        sheet_rows: open.sheet_rows,
        runs: open.runs,
        leads_waiting: open.leads_waiting,
        leads_unanswered: open.leads_unanswered,
        leads_rejected: open.leads_rejected,
        unsent: desk.unsent().await?,
        other_profiles: others,
        nothing_waits: all_done,
    };
    context.result(&status, || status_text(&status))?;
    say_unread_report(desk).await?;
    let report = &status.report;
    hints::say_blocker(report.blocker);
    hints::say_left(&report.contracts);
    report.paused_runs.iter().for_each(imports::say_paused);
    // No request was sent, so it is unknown whether the service is reachable.
    if status.nothing_waits {
        say(text("wdesk.outbox.nothingWaits", &[]));
    }
    say_other_profiles(&status.other_profiles);
    Ok(Exit::Done)
}

/// The names of other live profiles than the selected one with unfinished work.
async fn other_profiles(desk: &Desk) -> Result<Vec<String>, Error> {
    let selected = desk.profiles.current().await?;
    let selected = selected.map(|profile| profile.id).unwrap_or_default();
    let unfinished = desk
        .overviews
        .other_profiles(&selected, |open| !open.is_finished());
    let unfinished = unfinished.await?.into_iter();
    Ok(unfinished.map(|profile| profile.name).collect())
}

fn say_other_profiles(names: &[String]) {
    if !names.is_empty() {
        let names = names.join(", ");
        say(text("wdesk.outbox.otherProfiles", &[("names", &names)]));
    }
}

/// Runs the outbox and reports what it could not send. The exit code: first for what needs a person,
/// then for what was refused, then for what waits.
async fn run_outbox(context: &Context, desk: &Desk, wait: u64) -> Result<Exit, Failure> {
    if desk.overviews.current().await?.open.outbox.waiting == 0 {
        desk.outbox.compare_with_keychain().await?;
    }
    let Sent {
        summary,
        token_refused,
        files,
    } = send(desk, wait, &mut StopSignal::new()?).await?;
    let report = while_sending(OutboxReport::of(desk, summary)).await?;
    let summary = &report.contracts;
    context.result(&report, || summary_fields(summary).text())?;
    hints::say_left(summary);
    let rows = while_sending(waiting_rows(desk, summary, &report.paused_runs)).await?;
    let leads = while_sending(waiting_leads(desk)).await?;
    let cases = summary.needs_person + summary.unknown + summary.possible_duplicates;
    let rest = |exit| rows == exit || leads == exit;
    say_other_profiles(&while_sending(other_profiles(desk)).await?);
    Ok(Exit::first(&[
        (
            token_refused || summary.held_for_token + cases > 0 || report.unseen_report,
            Exit::Person,
        ),
        (rest(Exit::Person), Exit::Person),
        (summary.rejected > 0, Exit::Refused),
        (files != Exit::Done, files),
        (summary.waiting + summary.held > 0, Exit::Queued),
        (rest(Exit::Queued), Exit::Queued),
    ]))
}

/// Reports rows of started files that still wait, and returns the exit code for them.
async fn waiting_rows(
    desk: &Desk,
    entries: &OutboxSummary,
    paused: &[RunView],
) -> Result<Exit, Error> {
    // A paused file is named with the other open files.
    let sheets = paused.iter().filter(|run| run.source == RunSource::Sheet);
    sheets.for_each(imports::say_paused);
    let mut runs = desk.bulk.runs(Runs::Unfinished).await?;
    runs.retain(|run| run.state == RunState::Running);
    let waiting: u32 = runs.iter().map(|run| run.pending).sum();
    let mut blocked = false;
    if waiting > 0 {
        say(text("wdesk.backlog.rows", &[("count", &waiting)]));
        blocked = hints::say_rows_blocked(desk, &runs, entries).await?;
    }
    runs.retain(|run| run.unreadable && run.pending > 0);
    if runs.is_empty() {
        return Ok(Exit::first(&[
            (!paused.is_empty() || blocked, Exit::Person),
            (waiting > 0, Exit::Queued),
        ]));
    }
    let unreadable: u32 = runs.iter().map(|run| run.pending).sum();
    let why = text("failure.notOpened", &[]);
    say(text(
        "wdesk.backlog.unreadable",
        &[("count", &unreadable), ("why", &why)],
    ));
    Ok(Exit::Person)
}

/// Reports leads that still wait, and returns the exit code for them.
async fn waiting_leads(desk: &Desk) -> Result<Exit, Error> {
    let leads = desk.leads.open_leads().await?;
    for (key, count) in [
        ("wdesk.backlog.leadsToSend", leads.sendable),
        ("wdesk.backlog.leadsUnreadable", leads.stuck),
        ("wdesk.backlog.leadsUnanswered", leads.unanswered),
    ] {
        if count > 0 {
            say(text(key, &[("count", &count)]));
        }
    }
    Ok(Exit::first(&[
        (leads.stuck + leads.unanswered > 0, Exit::Person),
        (leads.sendable > 0, Exit::Queued),
    ]))
}

pub struct Sent {
    summary: OutboxSummary,
    /// What was accepted cannot be confirmed: the service refuses the token.
    pub token_refused: bool,
    /// The exit code for files that do not go on by themselves, or that an earlier process began.
    pub files: Exit,
}

/// Runs the outbox for at most `wait` seconds and shows progress. Waits for requests in flight at the
/// end, also after Ctrl-C: a lost answer would leave the outcome of a sale unknown.
pub async fn send(desk: &Desk, wait: u64, stop: &mut StopSignal) -> Result<Sent, Failure> {
    let begun = while_sending(desk.bulk.runs(Runs::Unfinished)).await?;
    let progress = Progress::new("contracts");
    let before = OnceLock::new();
    let began = Instant::now();
    let until = RunUntil {
        confirmed: true,
        at_most: Duration::from_secs(wait),
    };
    let show = |summary: &OutboxSummary| {
        let OutboxSummary {
            waiting,
            accepted,
            unknown,
            confirmed,
            ..
        } = summary;
        let more = format!("{waiting} waiting, {accepted} accepted, {unknown} unknown");
        // What was confirmed earlier is no part of this run.
        let now = confirmed.saturating_sub(*before.get_or_init(|| *confirmed));
        progress.at(now, now + hints::open(summary), &more);
    };
    tokio::select! {
        // An earlier signal stops it before anything is sent.
        biased;
        () = stop.received() => say(text("wdesk.outbox.stopping", &[])),
        ran = while_sending(desk.outbox.run(until, &show)) => { ran?; }
    }
    let is_over = began.elapsed().as_secs() >= wait;
    // What has not left stays here.
    tokio::select! {
        () = desk.outbox.stop() => {}
        () = stop.received() => return Err(Failure::Interrupted),
    }
    let summary = while_sending(desk.outbox.summary()).await?;
    hints::say_blocker(while_sending(hints::blocker(desk, &summary)).await?);
    let overview = while_sending(desk.overviews.current()).await?;
    while_sending(hints::say_silence(desk, &summary, &overview, is_over)).await?;
    let token_refused = summary.accepted > 0 && overview.connection == Connection::TokenRefused;
    if token_refused {
        say(text("wdesk.outbox.tokenRefused", &[]));
    }
    let files = while_sending(imports::report_open(desk, &begun)).await?;
    say_unread_report(desk).await?;
    Ok(Sent {
        summary,
        token_refused,
        files,
    })
}

async fn resolve(desk: &Desk, args: ResolveArgs) -> Result<CaseView, Failure> {
    let ResolveArgs {
        case,
        kind,
        yes_second_contract,
    } = args;
    let second_contract = |id| Confirmed::SecondContract {
        submission_id: (id != messages::LOST).then_some(id),
    };
    let confirmed = yes_second_contract
        .into_iter()
        .map(second_contract)
        .collect();
    let resolution = if let Some(contract_id) = kind.give_contract_id {
        Resolution::GiveContractId { contract_id }
    } else if let Some(reference) = kind.provider_has_none {
        Resolution::ProviderHasNone {
            reference,
            confirmed,
        }
    } else if kind.replay_once {
        Resolution::ReplayOnce { confirmed }
    } else if kind.send_now {
        Resolution::SendNow { confirmed }
    } else if let Some(reference) = kind.duplicate_checked {
        Resolution::DuplicateChecked { reference }
    } else {
        Resolution::Cancel
    };
    let replays = matches!(resolution, Resolution::ReplayOnce { .. });
    let gives_id = matches!(resolution, Resolution::GiveContractId { .. });
    let cancels = matches!(resolution, Resolution::Cancel);
    // The provider is asked about whatever may have reached it.
    let reached = cancels
        && (desk.outbox.case(&case).await?.resolutions).contains(&ResolutionKind::GiveContractId);
    let resolved = desk.outbox.resolve(&case, resolution).await;
    if let Err(Error::Questions(asked)) = &resolved {
        let named = Confirmed::SecondContract {
            submission_id: Some(case.clone()),
        };
        let named = asked.iter().any(|question| question.yes() == named);
        say(text(
            if named {
                "wdesk.outbox.namedContract"
            } else {
                "wdesk.outbox.secondContract"
            },
            &[],
        ));
    }
    if gives_id
        && let Err(error) = &resolved
        && ErrorCode::of(error) == ErrorCode::Refused
    {
        say(text("resolution.giveContractId.notFound", &[]));
    }
    let resolved = resolved.map_err(Failure::unless_possible("caseState"))?;
    if replays {
        say(text("resolution.replayOnce.what", &[]));
    }
    match &resolved.submission.contract_id {
        Some(id) if cancels => say(text("wdesk.outbox.stillExists", &[("id", id)])),
        None if reached => say(text("wdesk.outbox.mayExist", &[])),
        _ => {}
    }
    Ok(resolved)
}

fn status_text(status: &Status) -> String {
    let mut fields = summary_fields(&status.report.contracts);
    for (label, count) in [
        ("sheet rows not registered", status.sheet_rows),
        ("imports not finished", status.runs),
        ("leads waiting", status.leads_waiting),
        ("leads without a response", status.leads_unanswered),
        ("leads refused", status.leads_rejected),
        ("not sent or unknown, live profiles", status.unsent),
    ] {
        fields.line(label, grouped(count));
    }
    fields.text()
}

fn summary_fields(summary: &OutboxSummary) -> KeyValues {
    let mut fields = KeyValues::default();
    for (label, count) in [
        ("waiting", summary.waiting),
        ("on hold", summary.held),
        ("  of these for another token", summary.held_for_token),
        ("outcome unknown", summary.unknown),
        ("accepted, not yet confirmed", summary.accepted),
        ("confirmed", summary.confirmed),
        ("refused", summary.rejected),
        ("outcome to check", summary.needs_person),
        ("may exist more than once", summary.possible_duplicates),
    ] {
        fields.line(label, grouped(count));
    }
    fields
}
