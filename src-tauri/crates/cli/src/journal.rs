//! `wdesk journal`: who did what and when.

use warranty_core::Desk;
use warranty_core::export::List;

use crate::args::JournalArgs;
use crate::exit::Exit;
use crate::export;
use crate::failure::Failure;
use crate::output::first;
use crate::session::Context;
use crate::table::{Table, when};

pub async fn run(context: &Context, args: JournalArgs) -> Result<Exit, Failure> {
    if let Some(file) = args.export {
        return export::list(context, &List::Journal, &file).await;
    }
    let lines = async |desk: &Desk| {
        let lines = desk.journal(args.limit.saturating_add(1)).await?;
        Ok(first(lines, args.limit))
    };
    context
        .show(lines, |lines| {
            Table::of(lines)
                .column("at", |line| when(line.at))
                .column("user", |line| &line.user)
                .column("action", |line| &line.action)
                .column("subject", |line| &line.subject)
                .optional("detail", |line| line.detail.as_ref())
                .text()
        })
        .await
}
