//! `wdesk journal`: who did what and when.

use warranty_core::Desk;
use warranty_core::export::List;

use crate::export::ListOptions;
use crate::{Context, Exit, Failure, Table, when};

pub async fn run(context: &Context, options: ListOptions) -> Result<Exit, Failure> {
    let lines = async |desk: &Desk, limit| desk.journal(limit).await;
    context
        .list(options, &List::Journal, lines, |lines| {
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
