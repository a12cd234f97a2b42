//! `wdesk outbox`: sends and confirms entered contracts, and resolves cases.

use std::time::{Duration, Instant};

use serde::Serialize;
use warranty_core::contracts::{Confirmed, EntryFilter};
use warranty_core::export::List;
use warranty_core::outbox::{CaseView, OutboxSummary, Resolution, RunUntil, SubmissionState};
use warranty_core::overview::Overview;
use warranty_core::profile::ProfileKind;
use warranty_core::{Desk, Error};

use crate::args::{OutboxCommand, ResolveArgs};
use crate::backlog;
use crate::exit::Exit;
use crate::export;
use crate::failure::Failure;
use crate::messages;
use crate::outbox_text::{case_text, open_text};
use crate::output::say;
use crate::progress::Progress;
use crate::rescue;
use crate::session::Context;
use crate::signals::StopSignal;
use crate::table::{KeyValues, grouped};

/// The finished and the unfinished work of the profile.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    #[serde(flatten)]
    contracts: OutboxSummary,
    sheet_rows: u32,
    runs: u32,
    leads_waiting: u32,
    leads_unanswered: u32,
    leads_rejected: u32,
    /// Sales and leads of all live profiles.
    unsent: u32,
    nothing_waits: bool,
}

impl Status {
    fn new(Overview { open, all_done, .. }: Overview, unsent: u32) -> Self {
        Self {
            contracts: open.outbox,
            sheet_rows: open.sheet_rows,
            runs: open.runs,
            leads_waiting: open.leads_waiting,
            leads_unanswered: open.leads_unanswered,
            leads_rejected: open.leads_rejected,
            unsent,
            nothing_waits: all_done,
        }
    }
}

/// The states of unfinished entries.
const OPEN: [SubmissionState; 8] = [
    SubmissionState::Draft,
    SubmissionState::Queued,
    SubmissionState::InFlight,
    SubmissionState::Held,
    SubmissionState::Unknown,
    SubmissionState::Accepted,
    SubmissionState::Rejected,
    SubmissionState::NeedsPerson,
];

/// How long a request in flight is awaited at the end of a run.
const IN_FLIGHT_TIMEOUT: Duration = Duration::from_secs(20);
/// How often its state is polled.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Carries out an `outbox` command.
///
/// # Errors
/// Errors of the core.
pub async fn run(context: &Context, command: OutboxCommand) -> Result<Exit, Failure> {
    match command {
        OutboxCommand::Status => {
            context
                .reading(async |session| {
                    let overview = session.desk.overviews.current().await?;
                    let status = Status::new(overview, session.desk.unsent().await?);
                    let summary = &status.contracts;
                    context.output.result(&status, || status_text(&status))?;
                    rescue::say_if_any(&session.desk).await?;
                    // A status request does not start the practice service.
                    if session.profile().await?.kind == ProfileKind::Live {
                        say_blocker(&session.desk, summary).await?;
                    }
                    // No request was sent, so it is unknown whether the service is reachable.
                    if status.nothing_waits {
                        say(messages::text("wdesk.outbox.nothingWaits", &[]));
                    }
                    Ok(Exit::Done)
                })
                .await
        }
        OutboxCommand::Run { wait } => {
            context
                .changing(async |session| {
                    let summary = session
                        .with_service(async |desk| {
                            let mut stop = StopSignal::new().map_err(Failure::Runtime)?;
                            send(desk, wait, &mut stop).await
                        })
                        .await?;
                    context.output.result(&summary, || summary_text(&summary))?;
                    if summary.possible_duplicates > 0 {
                        say(messages::text("wdesk.duplicate.some", &[]));
                    }
                    let for_person = backlog::held_for_person(&session.desk).await?;
                    let rows = backlog::rows(&session.desk).await?;
                    let leads = backlog::leads(&session.desk).await?;
                    let for_person = for_person || [rows, leads].contains(&Some(Exit::Person));
                    let exit = exit_of(&summary, for_person);
                    let waits = rows.or(leads).filter(|_| exit == Exit::Done);
                    Ok(waits.unwrap_or(exit))
                })
                .await
        }
        OutboxCommand::List { export: file } => {
            let filter = EntryFilter {
                possible_duplicates: true,
                states: OPEN.to_vec(),
                limit: u32::MAX,
                ..EntryFilter::default()
            };
            if let Some(file) = file {
                return export::list(context, &List::Entries { filter }, &file).await;
            }
            let open = async |desk: &Desk| Ok(desk.contracts.submissions(&filter).await?);
            context.show(open, |open| open_text(open)).await
        }
        OutboxCommand::Show { case } => {
            let shown = async |desk: &Desk| Ok(desk.outbox.case(&case).await?);
            context.show(shown, case_text).await
        }
        OutboxCommand::Resolve(args) => {
            context
                .changing(async |session| {
                    let case = session
                        .with_service(async |desk| resolve(desk, args).await)
                        .await?;
                    context.output.done(&case, case_text)
                })
                .await
        }
    }
}

/// Runs the outbox for at most `wait` seconds and shows progress. Waits for requests in flight at the
/// end, also after Ctrl-C: a lost answer would leave the outcome of a sale unknown.
///
/// # Errors
/// Errors of the core.
pub async fn send(desk: &Desk, wait: u64, stop: &mut StopSignal) -> Result<OutboxSummary, Failure> {
    let progress = Progress::new("contracts");
    let until = RunUntil {
        confirmed: true,
        at_most: Duration::from_secs(wait),
    };
    let show = |summary: &OutboxSummary| {
        let open = summary.waiting + summary.held + summary.unknown + summary.accepted;
        let more = format!(
            "{} waiting, {} accepted, {} unknown",
            summary.waiting, summary.accepted, summary.unknown
        );
        progress.at(summary.confirmed, summary.confirmed + open, &more);
    };
    tokio::select! {
        // An earlier signal stops it before anything is sent.
        biased;
        () = stop.received() => say(messages::text("wdesk.outbox.stopping", &[])),
        ran = desk.outbox.run(until, &show) => { ran.map_err(Failure::while_sending)?; }
    }
    tokio::select! {
        done = none_in_flight(desk) => done?,
        () = stop.received() => return Err(Failure::Interrupted),
    }
    let summary = desk
        .outbox
        .summary()
        .await
        .map_err(Failure::while_sending)?;
    say_blocker(desk, &summary).await?;
    let overview = desk.overviews.current().await;
    let overview = overview.map_err(Failure::while_sending)?;
    if summary.waiting > 0 && overview.asked_again_at.is_some() {
        say(messages::text("wdesk.outbox.silent", &[]));
    }
    rescue::say_if_any(desk).await?;
    Ok(summary)
}

/// Reports on stderr why nothing can be sent, if something waits.
async fn say_blocker(desk: &Desk, summary: &OutboxSummary) -> Result<(), Failure> {
    if summary.waiting + summary.held + summary.unknown + summary.accepted > 0
        && let Some(blocker) = desk
            .outbox
            .blocker()
            .await
            .map_err(Failure::while_sending)?
    {
        say(messages::blocker(blocker));
    }
    Ok(())
}

/// Waits until nothing is in flight, within the time a request may take.
async fn none_in_flight(desk: &Desk) -> Result<(), Failure> {
    let in_flight = EntryFilter {
        states: vec![SubmissionState::InFlight],
        limit: 1,
        ..EntryFilter::default()
    };
    let deadline = Instant::now() + IN_FLIGHT_TIMEOUT;
    while Instant::now() < deadline {
        let pending = desk
            .contracts
            .submissions(&in_flight)
            .await
            .map_err(Failure::while_sending)?;
        if pending.is_empty() {
            break;
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    Ok(())
}

async fn resolve(desk: &Desk, args: ResolveArgs) -> Result<CaseView, Failure> {
    let ResolveArgs {
        case,
        kind,
        yes_second_contract,
    } = args;
    let confirmed = yes_second_contract
        .into_iter()
        .map(|id| Confirmed::SecondContract {
            submission_id: (id != messages::LOST).then_some(id),
        })
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
    let sends = matches!(
        resolution,
        Resolution::ProviderHasNone { .. }
            | Resolution::ReplayOnce { .. }
            | Resolution::SendNow { .. }
    );
    let resolved = match desk.outbox.resolve(&case, resolution).await {
        Err(error @ Error::Questions(_)) => {
            say(messages::text("wdesk.outbox.secondContract", &[]));
            return Err(error.into());
        }
        resolved => resolved?,
    };
    if sends {
        say(messages::text("wdesk.outbox.sends", &[]));
    }
    Ok(resolved)
}

/// The exit code of a run over the whole outbox: first for what needs a person, then for what was
/// refused, then for what waits.
fn exit_of(summary: &OutboxSummary, held_for_person: bool) -> Exit {
    if held_for_person || summary.needs_person + summary.unknown + summary.possible_duplicates > 0 {
        Exit::Person
    } else if summary.rejected > 0 {
        Exit::Refused
    } else if summary.waiting + summary.held > 0 {
        Exit::Queued
    } else {
        Exit::Done
    }
}

fn status_text(status: &Status) -> String {
    let mut fields = summary_fields(&status.contracts);
    for (label, count) in [
        ("sheet rows not submitted", status.sheet_rows),
        ("imports not finished", status.runs),
        ("leads waiting", status.leads_waiting),
        ("leads without an answer", status.leads_unanswered),
        ("leads refused", status.leads_rejected),
        ("not sent, live profiles", status.unsent),
    ] {
        fields.line(label, grouped(i64::from(count)));
    }
    fields.text()
}

fn summary_text(summary: &OutboxSummary) -> String {
    summary_fields(summary).text()
}

fn summary_fields(summary: &OutboxSummary) -> KeyValues {
    let mut fields = KeyValues::default();
    for (label, count) in [
        ("waiting", summary.waiting),
        ("held", summary.held),
        ("unknown", summary.unknown),
        ("accepted, not yet confirmed", summary.accepted),
        ("confirmed", summary.confirmed),
        ("refused", summary.rejected),
        ("needs attention", summary.needs_person),
        ("may exist more than once", summary.possible_duplicates),
    ] {
        fields.line(label, grouped(i64::from(count)));
    }
    fields
}
