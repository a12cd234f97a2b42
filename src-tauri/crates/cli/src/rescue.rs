//! `wdesk rescue`: the report of a replaced database file, and its acknowledgement.

use std::collections::BTreeMap;

use warranty_core::Desk;
use warranty_core::recovery::{RescueCause, RescueReport};

use crate::args::RescueCommand;
use crate::{Context, Exit, Failure, KeyValues, Table, named, say, text, when};

pub async fn run(context: &Context, command: RescueCommand) -> Result<Exit, Failure> {
    let show = async |desk: &Desk| {
        compare(desk).await?;
        answer(context, desk.recovery.unseen().await?)
    };
    let done = async |desk: &Desk| {
        // Acknowledge one report at a time: the next one was not shown yet.
        let shown = desk.recovery.unseen_summary().await?;
        compare(desk).await?;
        if let Some(report) = &shown {
            desk.recovery.mark_seen(report.number).await?;
            say(text("wdesk.rescue.confirmed", &[]));
        }
        let unseen = desk.recovery.unseen().await?;
        if shown.is_none() && unseen.is_none() {
            say(text("wdesk.rescue.nothingToConfirm", &[]));
        }
        answer(context, unseen)
    };
    match command {
        RescueCommand::Show => context.remembering(show).await,
        RescueCommand::Done => context.changing(done).await,
    }
}

/// Looks for an older folder that was put back: nothing may have been entered or sent since.
async fn compare(desk: &Desk) -> Result<(), Failure> {
    if desk.profiles.current().await?.is_some() {
        desk.outbox.compare_with_keychain().await?;
    }
    Ok(())
}

fn answer(context: &Context, rescue: Option<RescueReport>) -> Result<Exit, Failure> {
    let document = BTreeMap::from([("rescue", &rescue)]);
    context.result(&document, || match &rescue {
        Some(report) => report_text(report),
        None => text("wdesk.rescue.none", &[]) + "\n",
    })?;
    Ok(Exit::first(&[(rescue.is_some(), Exit::Person)]))
}

fn report_text(report: &RescueReport) -> String {
    let (what, replacement) = match report.cause {
        RescueCause::Damaged => ("the data file was damaged or gone", "the copy of"),
        RescueCause::PutBack => (
            "the data file was replaced by an older copy",
            "a file last used",
        ),
    };
    let replacement = match report.backup_taken_at {
        Some(at) => format!("{replacement} {}", when(at)),
        None => "an empty file: there was no copy".to_owned(),
    };
    let mut fields = KeyValues::default();
    fields
        .line("what happened", what)
        .line("found", when(report.at))
        .optional("damaged file", report.set_aside.as_ref())
        .line("in its place", replacement)
        .line("entries restored", report.restored_rows);
    let mut shown = fields.text();
    if !report.complete {
        shown += &(text("wdesk.rescue.incomplete", &[]) + "\n");
    }
    shown += &Table::of(&report.pending)
        .column("TRANSACTION", |row| &row.transaction_id)
        .column("PRODUCT", |row| &row.product_reference_id)
        .column("PLAN", |row| &row.plan_id)
        .column("LAST KNOWN", |row| named("state", &row.state))
        .column("CONTRACT", |row| {
            row.contract_id.clone().unwrap_or_else(|| "-".to_owned())
        })
        .column("ENTERED", |row| {
            row.entered_at.map_or_else(|| "-".to_owned(), when)
        })
        .column("WHERE", |row| {
            let place = if row.in_backup {
                "on this computer"
            } else {
                "only in this report"
            };
            place.to_owned()
        })
        .text();
    shown + &text("wdesk.rescue.ask", &[]) + "\n"
}
