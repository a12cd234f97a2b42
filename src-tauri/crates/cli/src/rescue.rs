//! `wdesk rescue`: the report of a replaced database file, and its acknowledgement.

use serde::Serialize;
use warranty_core::Desk;
use warranty_core::recovery::{RescueCause, RescueReport};

use crate::args::RescueCommand;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::messages;
use crate::output::say;
use crate::session::Context;
use crate::table::{KeyValues, Table, when};

/// The JSON document of every `rescue` command.
#[derive(Serialize)]
struct Document {
    rescue: Option<RescueReport>,
}

/// Carries out a `rescue` command.
///
/// # Errors
/// Errors of the core.
pub async fn run(context: &Context, command: RescueCommand) -> Result<Exit, Failure> {
    match command {
        RescueCommand::Show => {
            context
                .reading(async |session| answer(context, session.desk.recovery.unseen().await?))
                .await
        }
        RescueCommand::Done => {
            context
                .changing(async |session| {
                    // Acknowledge one report at a time: the next one was not shown yet.
                    if let Some(report) = session.desk.recovery.unseen_summary().await? {
                        session.desk.recovery.mark_seen(report.number).await?;
                    }
                    answer(context, session.desk.recovery.unseen().await?)
                })
                .await
        }
    }
}

/// Reports on stderr a replaced database file that nobody has acknowledged.
///
/// # Errors
/// Errors of the core.
pub async fn say_if_any(desk: &Desk) -> Result<(), Failure> {
    if let Some(report) = desk.recovery.unseen_summary().await? {
        let what = messages::named("wdesk.rescue", &report.cause);
        let (at, count) = (when(report.at), report.pending.to_string());
        let values = [("what", &*what), ("at", &*at), ("count", &*count)];
        say(messages::text("wdesk.rescue.found", &values));
    }
    Ok(())
}

fn answer(context: &Context, rescue: Option<RescueReport>) -> Result<Exit, Failure> {
    let exit = if rescue.is_some() {
        Exit::Person
    } else {
        Exit::Done
    };
    let document = Document { rescue };
    context
        .output
        .result(&document, || match &document.rescue {
            Some(report) => text(report),
            None => messages::text("wdesk.rescue.none", &[]) + "\n",
        })?;
    Ok(exit)
}

fn text(report: &RescueReport) -> String {
    let mut fields = KeyValues::default();
    fields
        .line(
            "what happened",
            match report.cause {
                RescueCause::Damaged => "the desk's file was damaged or gone",
                RescueCause::PutBack => "an older copy of the desk's file was put in its place",
            },
        )
        .line("found", when(report.at))
        .optional("damaged file", report.set_aside.as_deref())
        .line(
            "in its place",
            match (report.cause, report.backup_taken_at) {
                (RescueCause::Damaged, Some(at)) => format!("the copy of {}", when(at)),
                (RescueCause::PutBack, Some(at)) => format!("a file last used {}", when(at)),
                (_, None) => "an empty file: there was no copy".to_owned(),
            },
        )
        .line("entries restored", report.restored_rows.to_string());
    let mut text = fields.text();
    if !report.complete {
        text.push_str(&messages::text("wdesk.rescue.incomplete", &[]));
        text.push('\n');
    }
    let mut table = Table::new(&[
        "TRANSACTION",
        "PRODUCT",
        "PLAN",
        "LAST KNOWN",
        "CONTRACT",
        "ENTERED",
        "WHERE",
    ]);
    for row in &report.pending {
        table.row([
            row.transaction_id.clone(),
            row.product_reference_id.clone(),
            row.plan_id.clone(),
            messages::named("wdesk.state", &row.state),
            row.contract_id.clone().unwrap_or_else(|| "-".to_owned()),
            row.entered_at.map_or_else(|| "-".to_owned(), when),
            if row.in_backup {
                "at this desk again".to_owned()
            } else {
                "only in this report".to_owned()
            },
        ]);
    }
    text.push_str(&table.text());
    text.push_str(&messages::text("wdesk.rescue.ask", &[]));
    text.push('\n');
    text
}
