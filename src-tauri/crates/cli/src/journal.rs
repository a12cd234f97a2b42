//! `wdesk journal`: who did what and when.

use warranty_core::Desk;
use warranty_core::export::List;

use crate::args::JournalArgs;
use crate::exit::Exit;
use crate::export;
use crate::failure::Failure;
use crate::session::Context;
use crate::table::{Table, when};

/// Carries out `journal`.
///
/// # Errors
/// As [`export::list`]; errors of the core.
pub async fn run(context: &Context, arguments: JournalArgs) -> Result<Exit, Failure> {
    if let Some(file) = arguments.export {
        return export::list(context, &List::Journal, &file).await;
    }
    let lines = async |desk: &Desk| Ok(desk.journal(arguments.limit).await?);
    context
        .show(lines, |lines| {
            let mut table = Table::new(&["at", "user", "action", "subject", "detail"]);
            for line in lines {
                table.row([
                    when(line.at),
                    line.user.clone(),
                    line.action.clone(),
                    line.subject.clone(),
                    line.detail.clone().unwrap_or_default(),
                ]);
            }
            table.text()
        })
        .await
}
