//! `wdesk contracts`: looks a contract up and lists the local entries. [`crate::enter`] enters files.

use std::io;
use std::path::Path;

use warranty_core::Desk;
use warranty_core::api::{Contract, ContractId};
use warranty_core::contracts::{EntryPage, SubmissionView};
use warranty_core::export::List;
use warranty_core::files::private_file::{self, Existing};
use warranty_core::print::{PaperOf, PaperTarget, html};

use crate::args::{ContractsCommand, ShowArgs};
use crate::contract_text;
use crate::enter;
use crate::exit::Exit;
use crate::export;
use crate::failure::Failure;
use crate::messages;
use crate::output::say;
use crate::session::{Context, Session};
use crate::table::{Table, grouped, when};

/// Carries out a `contracts` command.
///
/// # Errors
/// [`Failure::Id`] for an invalid id; errors of the core.
pub async fn run(context: &Context, command: ContractsCommand) -> Result<Exit, Failure> {
    match command {
        ContractsCommand::Enter(args) => enter::run(context, args).await,
        ContractsCommand::Show(args) => show(context, args).await,
        ContractsCommand::List(args) => {
            let filter = args.filter();
            if let Some(file) = &args.export {
                return export::list(context, &List::Entries { filter }, file).await;
            }
            let page = async |desk: &Desk| {
                let page = desk.contracts.list(&filter).await?;
                say(summary(&page));
                Ok(page.entries)
            };
            context.show(page, |entries| list_text(entries)).await
        }
    }
}

/// The number of entries in the whole list, and the sum of their fees.
fn summary(page: &EntryPage) -> String {
    let fees = page
        .fees
        .map_or_else(|| "-".to_owned(), |fees| grouped(fees.get()));
    messages::text(
        "wdesk.listed",
        &[
            ("shown", &page.entries.len().to_string()),
            ("count", &page.count.to_string()),
            ("fees", &fees),
        ],
    )
}

async fn show(context: &Context, args: ShowArgs) -> Result<Exit, Failure> {
    let id = ContractId::new(&args.id).map_err(Failure::id("ID"))?;
    if let Some(file) = &args.paper {
        private_file::try_place(file).map_err(|source| not_written(file, source))?;
    }
    let look = async |session: &Session| {
        let contract = session
            .with_service(async |desk| Ok(desk.contracts.look_up(&id).await?))
            .await?;
        if let Some(file) = &args.paper {
            write_copy(session, &args, file, &contract).await?;
        }
        context.output.done(&contract, contract_text::text)
    };
    // A customer's copy is recorded in the journal, so the desk is opened for writing.
    if args.paper.is_some() {
        context.remembering(look).await
    } else {
        context.asking(look).await
    }
}

/// Writes the customer's copy.
async fn write_copy(
    session: &Session,
    args: &ShowArgs,
    file: &Path,
    contract: &Contract,
) -> Result<(), Failure> {
    let of = PaperOf::Contract {
        contract: Box::new(contract.clone()),
    };
    let paper = session
        .desk
        .printing
        .paper(&of, args.language.into())
        .await?;
    let page = html::document(&paper, args.size.into());
    private_file::write(file, page.as_bytes(), Existing::Refuse)
        .map_err(|source| not_written(file, source))?;
    session
        .desk
        .printing
        .record_output(&of, PaperTarget::Saved)
        .await?;
    say(messages::text(
        "wdesk.copySaved",
        &[("path", &file.to_string_lossy())],
    ));
    Ok(())
}

fn not_written(file: &Path, source: io::Error) -> Failure {
    Failure::Write {
        path: file.to_owned(),
        source,
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
            match entry.duplicate_possible {
                true => format!(
                    "{}, may exist twice",
                    messages::named("wdesk.state", &entry.state)
                ),
                false => messages::named("wdesk.state", &entry.state),
            },
            entry.transaction_id.clone(),
            messages::customer_name(entry),
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
