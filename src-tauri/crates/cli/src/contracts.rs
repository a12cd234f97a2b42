//! `wdesk contracts`: looks a contract up and lists the local entries. [`crate::enter`] enters files.

use warranty_core::api::ContractId;
use warranty_core::contracts::{EntryFilter, SubmissionView};
use warranty_core::export::List;
use warranty_core::outbox::SubmissionState;
use warranty_core::{CallFailure, Desk, Error};
use warranty_messages::Values;

use crate::args::{ContractsCommand, ShowArgs};
use crate::outbox_text::product;
use crate::{
    Context, Exit, Failure, KeyValues, Table, enter, export, grouped, messages, named, say, text,
    when,
};

pub async fn run(context: &Context, command: ContractsCommand) -> Result<Exit, Failure> {
    match command {
        ContractsCommand::Enter(args) => enter::run(context, args).await,
        ContractsCommand::Show(args) => show(context, args).await,
        ContractsCommand::List(args) => {
            let filter = args.filter();
            if let Some(file) = &args.export {
                return export::list(context, &List::Entries { filter }, file).await;
            }
            let list = async |desk: &Desk| {
                let page = desk.contracts.list(&filter).await?;
                let fees = page.fees.map_or_else(|| "-".to_owned(), grouped);
                let (shown, count) = (page.entries.len(), page.count);
                let values: &Values<'_> = &[("shown", &shown), ("count", &count), ("fees", &fees)];
                say(text("wdesk.listed", values));
                context.result(&page.entries, || list_text(&page.entries))?;
                let not_searched = !export::all_searched(desk, &filter).await?;
                Ok(Exit::first(&[(not_searched, Exit::Person)]))
            };
            context.reading(list).await
        }
    }
}

async fn show(context: &Context, args: ShowArgs) -> Result<Exit, Failure> {
    let id = ContractId::new(&args.id).map_err(Failure::id("ID"))?;
    let look = async |desk: &Desk| {
        let error = match desk.contracts.look_up(&id).await {
            Ok(contract) => {
                return context.done(&contract, |contract| {
                    KeyValues::default().all("", contract).text()
                });
            }
            Err(error) => error,
        };
        let is_refused = matches!(&error, Error::Service { source, .. }
            if CallFailure::of(false, source) == CallFailure::Refused);
        if is_refused && is_accepted_here(desk, &id).await? {
            say(text("wdesk.acceptedHere", &[]));
        }
        Err(error.into())
    };
    // For writing, since a refused token is renewed afterwards.
    context.remembering(look).await
}

/// Whether this contract is of a sale entered here that the service accepted.
async fn is_accepted_here(desk: &Desk, contract: &ContractId) -> Result<bool, Error> {
    let filter = EntryFilter {
        states: vec![SubmissionState::Accepted],
        text: contract.to_string(),
        limit: 100,
        ..EntryFilter::default()
    };
    let entries = desk.contracts.list(&filter).await?.entries;
    Ok(entries
        .iter()
        .any(|entry| entry.contract_id.as_ref() == Some(contract)))
}

fn list_text(entries: &[SubmissionView]) -> String {
    Table::of(entries)
        .column("entered", |entry| when(entry.entered_at))
        .column("state", |entry| {
            let twice = if entry.duplicate_possible {
                ", may exist twice"
            } else {
                ""
            };
            named("state", &entry.state) + twice
        })
        .column("transaction", |entry| &entry.transaction_id)
        .column("customer", messages::customer_name)
        .column("product", product)
        .column("fee", |entry| grouped(entry.plan_purchase_price))
        .optional("contract", |entry| entry.contract_id.as_ref())
        .optional("inquiry code", |entry| entry.inquiry_code.as_ref())
        .text()
}
