//! `wdesk leads`: customers who declined and may register later.

use warranty_core::Desk;
use warranty_core::clock::{Ids, SystemIds};
use warranty_core::export::List;
use warranty_core::leads::{LeadDraft, LeadState, LeadView};

use crate::args::LeadsCommand;
use crate::exit::Exit;
use crate::export;
use crate::failure::Failure;
use crate::messages;
use crate::output::say;
use crate::session::Context;
use crate::table::{KeyValues, Table, grouped, when};

/// Carries out a `leads` command.
///
/// # Errors
/// Errors of the core.
pub async fn run(context: &Context, command: LeadsCommand) -> Result<Exit, Failure> {
    match command {
        LeadsCommand::Create {
            transaction_id,
            product,
            purchase_price,
            quantity,
            date,
            beside,
        } => {
            let draft = LeadDraft {
                transaction_id,
                product_reference_id: product,
                product_purchase_price: purchase_price,
                quantity,
                transaction_date: date,
            };
            // Each run of the command creates a new entry, like each opening of the form.
            let id = SystemIds.uuid().to_string();
            context
                .changing(async |session| {
                    let lead = session
                        .with_service(async |desk| {
                            Ok(desk.leads.create(&id, &draft, beside.as_deref()).await?)
                        })
                        .await?;
                    answer(context, &lead)
                })
                .await
        }
        LeadsCommand::List {
            limit,
            export: file,
        } => {
            if let Some(file) = file {
                return export::list(context, &List::Leads { shown: None }, &file).await;
            }
            let leads = async |desk: &Desk| Ok(desk.leads.recent(limit).await?);
            context.show(leads, |leads| list_text(leads)).await
        }
        LeadsCommand::Again { id } => {
            context
                .changing(async |session| {
                    let lead = session
                        .with_service(async |desk| Ok(desk.leads.send_again(&id).await?))
                        .await?;
                    answer(context, &lead)
                })
                .await
        }
        LeadsCommand::Token { id } => {
            context
                .changing(async |session| {
                    let lead = session.desk.leads.token(&id).await?;
                    answer(context, &lead)
                })
                .await
        }
        LeadsCommand::Cancel { id } => {
            context
                .changing(async |session| {
                    let lead = session.desk.leads.cancel(&id).await?;
                    context.output.done(&lead, details)
                })
                .await
        }
    }
}

fn answer(context: &Context, lead: &LeadView) -> Result<Exit, Failure> {
    context.output.result(lead, || details(lead))?;
    let (exit, key) = match lead.state {
        LeadState::Created => (Exit::Done, "created"),
        LeadState::Rejected => (Exit::Refused, "rejected"),
        LeadState::Queued => (Exit::Queued, "queued"),
        LeadState::Unknown if lead.mismatch.is_some() => (Exit::Person, "mismatch"),
        LeadState::InFlight | LeadState::Unknown => (Exit::Person, "unknown"),
        LeadState::Cancelled => (Exit::Done, "cancelled"),
    };
    say(messages::text(&format!("wdesk.lead.{key}"), &[]));
    Ok(exit)
}

fn details(lead: &LeadView) -> String {
    let mut fields = KeyValues::default();
    fields
        .line("lead", &lead.id)
        .line("state", messages::named("wdesk.leadState", &lead.state))
        .optional("token", lead.token.as_ref().map(|token| token.expose()))
        .line("transactionId", &lead.transaction_id)
        .line("product", lead.product_reference_id.as_str())
        .optional("title", lead.product_title.as_deref())
        .line("purchasePrice", grouped(lead.product_purchase_price.get()))
        .line("quantity", lead.quantity.to_string())
        .line("transactionDate", lead.transaction_date.to_string())
        .optional("status", lead.status.as_deref())
        .optional("due", lead.due.map(|due| due.to_string()))
        .optional("note", note(lead));
    if let Some(mismatch) = &lead.mismatch {
        fields
            .optional("answered transaction", mismatch.transaction_id.as_deref())
            .optional("answered product", mismatch.product_reference_id.as_deref())
            .line(
                "its token",
                if lead.token_kept {
                    "kept encrypted"
                } else {
                    "not kept"
                },
            );
    }
    if lead.refusal.is_some() || lead.request_id.is_some() {
        fields
            .optional("refusal", lead.refusal.as_deref())
            .optional("request", lead.request_id.as_deref());
    }
    fields.text()
}

/// The note of staff; what it says when it cannot be read.
fn note(lead: &LeadView) -> Option<&str> {
    let unreadable = lead.note_unreadable.then_some("(cannot be read)");
    lead.note.as_ref().map(|note| note.expose()).or(unreadable)
}

fn list_text(leads: &[LeadView]) -> String {
    let mut table = Table::new(&[
        "entered",
        "state",
        "transaction",
        "product",
        "price",
        "quantity",
        "due",
        "lead",
        "note",
    ]);
    for lead in leads {
        table.row([
            when(lead.entered_at),
            messages::named("wdesk.leadState", &lead.state),
            lead.transaction_id.clone(),
            lead.product_title
                .clone()
                .unwrap_or_else(|| lead.product_reference_id.to_string()),
            grouped(lead.product_purchase_price.get()),
            lead.quantity.to_string(),
            lead.due.map(|due| due.to_string()).unwrap_or_default(),
            lead.id.clone(),
            note(lead).unwrap_or_default().to_owned(),
        ]);
    }
    table.text()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn the_list_shows_when_to_contact_a_customer_and_the_note() {
        let kept = |due: Option<&str>, note: Option<&str>, unreadable: bool| {
            let lead = serde_json::json!({
                "id": "lead-1", "state": "created", "transactionId": "T-1",
                "productReferenceId": "SKU-1", "productPurchasePrice": 98000, "quantity": 1,
                "transactionDate": "2026-11-21T10:00:00.000+09:00",
                "enteredAt": "2026-11-21T10:00:00.000+09:00", "enteredBy": "clerk",
                "tokenKept": false, "due": due, "note": note, "noteUnreadable": unreadable,
                "noteLost": false,
            });
            serde_json::from_value::<LeadView>(lead).unwrap()
        };
        let text = list_text(&[
            kept(Some("2026-11-28"), Some("Call after five"), false),
            kept(None, None, true),
        ]);
        let lines: Vec<_> = text.lines().collect();
        assert!(lines[1].contains("2026-11-28") && lines[1].ends_with("Call after five"));
        assert!(lines[2].ends_with("(cannot be read)"));
    }
}
