//! `wdesk contracts`: looks a contract up and lists the local entries. [`crate::enter`] enters files.

use std::path::Path;

use warranty_core::api::ContractId;
use warranty_core::contracts::{EntryFilter, SubmissionView};
use warranty_core::export::List;
use warranty_core::files::private_file::Existing;
use warranty_core::outbox::SubmissionState;
use warranty_core::print::{PaperOf, html};
use warranty_core::{CallFailure, Desk, Error};
use warranty_messages::Values;

use crate::args::{ContractsCommand, ShowArgs};
use crate::outbox_text::product;
use crate::session::Session;
use crate::{
    Context, Exit, Failure, Table, contract_text, enter, export, grouped, messages, named, say,
    text, when,
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
    if let Some(file) = &args.paper {
        export::try_place(file)?;
    }
    let look = async |session: &Session| {
        let look_up = async |desk: &Desk| Ok(desk.contracts.look_up(&id).await);
        let desk = &session.desk;
        match (session.with_service(look_up).await?, &args.paper) {
            (Ok(contract), paper) => {
                if let Some(file) = paper {
                    let contract = Box::new(contract.clone());
                    write_copy(desk, &args, file, &PaperOf::Contract { contract }).await?;
                }
                context.done(&contract, contract_text::text)
            }
            (Err(error), paper) => {
                let Some(why) = not_returned(&error) else {
                    return Err(error.into());
                };
                let entry = entry_of(desk, &id).await?;
                let is_accepted = |entry: &SubmissionView| entry.state == SubmissionState::Accepted;
                if why == CallFailure::Refused && entry.as_ref().is_some_and(is_accepted) {
                    say(text("wdesk.acceptedHere", &[]));
                }
                if let (Some(entry), Some(file)) = (entry, paper) {
                    if entry.state == SubmissionState::Cancelled {
                        say(text("wdesk.cancelledHere", &[]));
                    } else {
                        let of = PaperOf::Entry { id: entry.id };
                        write_copy(desk, &args, file, &of).await?;
                        say(text("wdesk.copyOfEntry", &[]));
                    }
                }
                Err(error.into())
            }
        }
    };
    // A customer's copy is recorded in the journal, so the desk is opened for writing.
    if args.paper.is_some() {
        context.remembering(look).await
    } else {
        context.asking(look).await
    }
}

/// Why the service does not return the contract yet, or cannot be asked now.
fn not_returned(error: &Error) -> Option<CallFailure> {
    let Error::Service { source, .. } = error else {
        return None;
    };
    let of_the_desk = [
        CallFailure::TokenRefused,
        CallFailure::NoToken,
        CallFailure::Unsendable,
    ];
    Some(CallFailure::of(false, source)).filter(|why| !of_the_desk.contains(why))
}

/// The entry made here that has become this contract.
async fn entry_of(desk: &Desk, contract: &ContractId) -> Result<Option<SubmissionView>, Error> {
    let filter = EntryFilter {
        text: contract.to_string(),
        limit: 100,
        ..EntryFilter::default()
    };
    let mut entries = desk.contracts.list(&filter).await?.entries.into_iter();
    Ok(entries.find(|entry| entry.contract_id.as_ref() == Some(contract)))
}

async fn write_copy(
    desk: &Desk,
    args: &ShowArgs,
    file: &Path,
    of: &PaperOf,
) -> Result<(), Failure> {
    let paper = desk.printing.paper(of, args.language).await?;
    let page = html::document(&paper, args.size);
    let saved = desk
        .printing
        .save(of, page.as_bytes(), file, Existing::Refuse);
    saved.await.map_err(Failure::of_file(file))?;
    say(text("wdesk.copySaved", &[("path", &file.display())]));
    Ok(())
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
