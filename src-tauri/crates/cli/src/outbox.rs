//! `wdesk outbox`: what becomes of entered contracts, and the cases only a person can close.

use std::time::{Duration, Instant};

use serde::Serialize;
use warranty_core::contracts::{Confirmed, EntryFilter, SubmissionView};
use warranty_core::lists::List;
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
use crate::output::say;
use crate::progress::Progress;
use crate::rescue;
use crate::session::Context;
use crate::signals::StopSignal;
use crate::table::{KeyValues, Table, grouped, when};

/// What of the profile is finished and what is not, wherever it is.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    #[serde(flatten)]
    contracts: OutboxSummary,
    sheet_rows: u32,
    runs: u32,
    leads_waiting: u32,
    leads_unanswered: u32,
    nothing_waits: bool,
}

impl From<Overview> for Status {
    fn from(Overview { open, all_done, .. }: Overview) -> Self {
        Self {
            contracts: open.outbox,
            sheet_rows: open.sheet_rows,
            runs: open.runs,
            leads_waiting: open.leads_waiting,
            leads_unanswered: open.leads_unanswered,
            nothing_waits: all_done,
        }
    }
}

/// The states of what is not finished.
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

/// How long a request on its way is waited for at the end of a run.
const LANDING: Duration = Duration::from_secs(20);
/// How often it is looked for.
const LANDING_LOOK: Duration = Duration::from_millis(100);

/// Carries out an `outbox` command.
///
/// # Errors
/// The desk's own.
pub async fn run(context: &Context, command: OutboxCommand) -> Result<Exit, Failure> {
    match command {
        OutboxCommand::Status => {
            context
                .reading(async |session| {
                    let status = Status::from(session.desk.overview().await?);
                    let summary = &status.contracts;
                    context.output.result(&status, || status_text(&status))?;
                    rescue::say_if_any(&session.desk).await?;
                    // The practice service runs when something is to be sent, not for a look.
                    if session.profile().await?.kind == ProfileKind::Live {
                        say_obstacle(&session.desk, summary).await?;
                    }
                    // No service was asked: whether it can be reached is not known.
                    if status.nothing_waits {
                        say("Nothing waits here.");
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
                        say(messages::POSSIBLE_DUPLICATES);
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
                text: String::new(),
                limit: u32::MAX,
            };
            if let Some(file) = file {
                return export::list(context, &List::Entries { filter }, &file).await;
            }
            context
                .reading(async |session| {
                    let open = session.desk.submissions(&filter).await?;
                    context.output.result(&open, || open_text(&open))?;
                    Ok(Exit::Done)
                })
                .await
        }
        OutboxCommand::Show { case } => {
            context
                .reading(async |session| {
                    let case = session.desk.outbox_case(&case).await?;
                    context.output.result(&case, || case_text(&case))?;
                    Ok(Exit::Done)
                })
                .await
        }
        OutboxCommand::Resolve(args) => {
            context
                .changing(async |session| {
                    let case = session
                        .with_service(async |desk| resolve(desk, args).await)
                        .await?;
                    context.output.result(&case, || case_text(&case))?;
                    Ok(Exit::Done)
                })
                .await
        }
    }
}

/// Carries the outbox out for at most `wait` seconds, showing progress, and leaves nothing on its
/// way when it ends, be it by Ctrl-C: a request without an ear would leave a sale in doubt.
///
/// # Errors
/// The desk's own.
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
        // A wish that came before is heard before anything is sent.
        biased;
        () = stop.received() => say("Stopping: nothing more is sent, answers on their way are awaited."),
        ran = desk.outbox_run(until, &show) => { ran.map_err(while_sending)?; }
    }
    tokio::select! {
        landed = all_landed(desk) => landed?,
        () = stop.received() => return Err(Failure::Interrupted),
    }
    let summary = desk.outbox_summary().await.map_err(while_sending)?;
    say_obstacle(desk, &summary).await?;
    rescue::say_if_any(desk).await?;
    Ok(summary)
}

/// Says on standard error why nothing can be sent, while something is to be.
async fn say_obstacle(desk: &Desk, summary: &OutboxSummary) -> Result<(), Failure> {
    if summary.waiting + summary.held + summary.unknown + summary.accepted > 0
        && let Some(obstacle) = desk.outbox_obstacle().await.map_err(while_sending)?
    {
        say(messages::obstacle(obstacle));
    }
    Ok(())
}

/// Remaining until nothing is in flight, within the time a request may take.
async fn all_landed(desk: &Desk) -> Result<(), Failure> {
    let in_flight = EntryFilter {
        possible_duplicates: false,
        states: vec![SubmissionState::InFlight],
        text: String::new(),
        limit: 1,
    };
    let deadline = Instant::now() + LANDING;
    while Instant::now() < deadline {
        let flying = desk.submissions(&in_flight).await.map_err(while_sending)?;
        if flying.is_empty() {
            break;
        }
        tokio::time::sleep(LANDING_LOOK).await;
    }
    Ok(())
}

/// A failure of the desk's own files during sending leaves open what was sold.
pub fn while_sending(error: Error) -> Failure {
    if let Error::Store(error) = error {
        Failure::WhileSending(error)
    } else {
        Failure::Desk(error)
    }
}

async fn resolve(desk: &Desk, args: ResolveArgs) -> Result<CaseView, Failure> {
    let ResolveArgs {
        case,
        way,
        yes_second_contract,
    } = args;
    let confirmed = yes_second_contract
        .into_iter()
        .map(|id| Confirmed::SecondContract {
            submission_id: (id != messages::LOST).then_some(id),
        })
        .collect();
    let resolution = if let Some(contract_id) = way.give_contract_id {
        Resolution::GiveContractId { contract_id }
    } else if let Some(reference) = way.provider_has_none {
        Resolution::ProviderHasNone {
            reference,
            confirmed,
        }
    } else if way.replay_once {
        Resolution::ReplayOnce { confirmed }
    } else if way.send_now {
        Resolution::SendNow { confirmed }
    } else if let Some(reference) = way.duplicate_checked {
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
    let resolved = match desk.outbox_resolve(&case, resolution).await {
        Err(error @ Error::Questions(_)) => {
            say(
                "To have both contracts, say yes with --yes-second-contract and the case named below.",
            );
            return Err(error.into());
        }
        resolved => resolved?,
    };
    if sends {
        say("`wdesk outbox run`, or the window, sends it.");
    }
    Ok(resolved)
}

/// How a run over the whole outbox ends: what needs a person first, then what was refused, then
/// what still waits.
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
        ("needs a person", summary.needs_person),
        ("may exist more than once", summary.possible_duplicates),
    ] {
        fields.line(label, grouped(i64::from(count)));
    }
    fields
}

fn open_text(open: &[SubmissionView]) -> String {
    let mut table = Table::new(&[
        "state",
        "transaction",
        "product",
        "fee",
        "sent",
        "why",
        "case",
    ]);
    for entry in open {
        table.row([
            messages::state(entry.state).to_owned(),
            entry.transaction_id.clone(),
            entry
                .product_title
                .clone()
                .unwrap_or_else(|| entry.product_reference_id.to_string()),
            grouped(entry.plan_purchase_price.get()),
            entry.attempts.to_string(),
            why(entry),
            entry.id.clone(),
        ]);
    }
    table.text()
}

/// Why an entry is where it is, as far as there is something to say.
pub fn why(entry: &SubmissionView) -> String {
    let case = entry.case.map(|reason| messages::case(reason).to_owned());
    let why = case.or_else(|| entry.refusal.clone());
    let duplicate = || {
        entry
            .duplicate_possible
            .then(|| messages::POSSIBLE_DUPLICATE.to_owned())
    };
    why.or_else(duplicate).unwrap_or_default()
}

fn case_text(case: &CaseView) -> String {
    let entry = &case.submission;
    let mut fields = KeyValues::default();
    fields
        .line("case", &entry.id)
        .line("state", messages::state(entry.state))
        .optional("why", entry.case.map(messages::case))
        .optional(
            "duplicates",
            entry
                .duplicate_possible
                .then_some(messages::POSSIBLE_DUPLICATE),
        )
        .optional("duplicates checked", entry.duplicate_checked.as_deref())
        .line("transactionId", &entry.transaction_id)
        .line("transactionTotal", grouped(entry.transaction_total.get()))
        .line("transactionDate", entry.transaction_date.to_string())
        .line("customer", messages::customer_name(entry))
        .line("email", messages::customer_email(entry))
        .line("product", entry.product_reference_id.as_str())
        .line(
            "productPurchasePrice",
            grouped(entry.product_purchase_price.get()),
        )
        .line("plan", entry.plan_id.as_str())
        .line(
            "planPurchasePrice",
            grouped(entry.plan_purchase_price.get()),
        )
        .optional("contract", entry.contract_id.as_ref().map(|id| id.as_str()))
        .optional("inquiryCode", entry.inquiry_code.as_deref())
        .optional("status", entry.status.as_deref())
        .optional("refusal", entry.refusal.as_deref())
        .optional("batch", case.batch_id.as_deref())
        .line("contracts in it", case.batch_size.to_string());
    if case.replaces.is_some() || case.replaced_by.is_some() {
        fields
            .optional("in place of", case.replaces.as_deref())
            .optional("replaced by", case.replaced_by.as_deref());
    }
    let mut text = fields.text();
    if !case.attempts.is_empty() {
        let mut table = Table::new(&["#", "started", "answer", "HTTP", "request", "words"]);
        for attempt in &case.attempts {
            table.row([
                attempt.number.to_string(),
                when(attempt.started_at),
                messages::class(attempt.class).to_owned(),
                attempt
                    .status
                    .map(|status| status.to_string())
                    .unwrap_or_default(),
                attempt.request_id.clone().unwrap_or_default(),
                attempt.detail.clone().unwrap_or_default(),
            ]);
        }
        text.push('\n');
        text.push_str(&table.text());
    }
    if !case.ways.is_empty() {
        text.push_str("\nwdesk outbox resolve CASE with one of:\n");
        for way in &case.ways {
            text.push_str("  ");
            text.push_str(messages::way(*way));
            text.push('\n');
        }
    }
    text
}
