//! `wdesk contracts`: look one up, list what was entered here. Entering a file is [`crate::enter`]'s.

use warranty_core::api::ContractId;
use warranty_core::contracts::{EntryFilter, SubmissionView};

use crate::args::ContractsCommand;
use crate::contract_sheet;
use crate::desk::Context;
use crate::enter;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::table::{Table, grouped, when};
use crate::words;

/// Carries out a `contracts` command.
///
/// # Errors
/// [`Failure::Id`] for what cannot be an id; the desk's own.
pub async fn run(context: &Context, command: ContractsCommand) -> Result<Exit, Failure> {
    match command {
        ContractsCommand::Enter(args) => enter::run(context, args).await,
        ContractsCommand::Show { id } => {
            let id = ContractId::new(id).map_err(|source| Failure::Id { what: "ID", source })?;
            context
                .asking(async |session| {
                    let contract = session
                        .with_service(async |desk| Ok(desk.contract_lookup(&id).await?))
                        .await?;
                    context
                        .output
                        .result(&contract, || contract_sheet::text(&contract))?;
                    Ok(Exit::Done)
                })
                .await
        }
        ContractsCommand::List { state, text, limit } => {
            let filter = EntryFilter {
                states: state.into_iter().map(Into::into).collect(),
                text,
                limit,
            };
            context
                .reading(async |session| {
                    let entries = session.desk.submissions(&filter).await?;
                    context.output.result(&entries, || list_text(&entries))?;
                    Ok(Exit::Done)
                })
                .await
        }
    }
}

fn list_text(entries: &[SubmissionView]) -> String {
    let mut table = Table::new(&[
        "entered",
        "state",
        "transaction",
        "customer",
        "product",
        "fee",
        "contract",
        "inquiry code",
    ]);
    for entry in entries {
        table.row([
            when(entry.entered_at),
            words::state(entry.state).to_owned(),
            entry.transaction_id.clone(),
            words::customer_name(entry).to_owned(),
            entry
                .product_title
                .clone()
                .unwrap_or_else(|| entry.product_reference_id.to_string()),
            grouped(entry.plan_purchase_price.get()),
            entry
                .contract_id
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default(),
            entry.inquiry_code.clone().unwrap_or_default(),
        ]);
    }
    table.text()
}
