//! `wdesk leads`: customers who declined and may register later.

use warranty_core::api::Personal;
use warranty_core::clock::{Ids, SystemIds};
use warranty_core::export::List;
use warranty_core::leads::{LeadDraft, LeadState, LeadView};
use warranty_core::profile::ProfileKind;
use warranty_core::{Desk, Error};

use crate::args::{LeadId, LeadsCommand};
use crate::session::{is_token_refused, profile};
use crate::{
    Context, Exit, Failure, KeyValues, StopSignal, Table, grouped, messages, named, say, text, when,
};

pub async fn run(context: &Context, command: LeadsCommand) -> Result<Exit, Failure> {
    match command {
        LeadsCommand::Create(args) => {
            let beside = args.beside.as_deref();
            let draft = LeadDraft {
                transaction_id: args.transaction_id,
                product_reference_id: args.product,
                product_purchase_price: args.purchase_price,
                quantity: args.quantity,
                transaction_date: args.date,
            };
            // Each run of the command creates a new entry, like each opening of the form.
            let id = SystemIds.uuid().to_string();
            let create = async |desk: &Desk| {
                let profile = profile(desk).await?;
                // No banner tells of an older data file that was put back: the lead may be in a newer one.
                desk.bulk.expect_startable(&profile.id).await?;
                let sent = desk.leads.create(&profile.id, &id, &draft, beside);
                answer(context, desk, sent).await
            };
            context.changing(create).await
        }
        LeadsCommand::List(options) => {
            let leads = async |desk: &Desk, limit| {
                let found = desk.leads.recent(limit).await?;
                let without_token = |lead| LeadView {
                    token: None,
                    ..lead
                };
                Ok(found.into_iter().map(without_token).collect())
            };
            let all = List::Leads { shown: None };
            context.list(options, &all, leads, list_text).await
        }
        LeadsCommand::Again { lead, beside } => {
            let beside = beside.as_deref();
            let send = async |desk: &Desk| {
                desk.bulk.expect_startable(&profile(desk).await?.id).await?;
                let sent = async {
                    match desk.leads.send_again(&lead.id, beside).await {
                        Err(error @ Error::Service { .. }) => {
                            // Nothing was done now; an earlier attempt may have created it.
                            let kept = desk.leads.lead(&lead.id).await?;
                            if kept.state != LeadState::Unknown {
                                return Err(error);
                            }
                            say(messages::error(&error));
                            Ok(kept)
                        }
                        sent => sent,
                    }
                };
                answer(context, desk, sent).await
            };
            context.changing(send).await
        }
        LeadsCommand::Show(LeadId { id }) => {
            let lead = async |desk: &Desk| Ok(desk.leads.lead(&id).await?);
            context.show(lead, details).await
        }
        LeadsCommand::Cancel(LeadId { id }) => {
            let cancel = async |desk: &Desk| {
                let lead = desk.leads.cancel(&id).await;
                let lead = lead.map_err(Failure::unless_possible("leadState"))?;
                context.done(&lead, details)
            };
            context.changing(cancel).await
        }
    }
}

/// Waits for the lead, also after Ctrl-C: the token of a lost answer is lost. Then shows it.
async fn answer(
    context: &Context,
    desk: &Desk,
    lead: impl Future<Output = Result<LeadView, Error>>,
) -> Result<Exit, Failure> {
    let lead = StopSignal::new()?.run_until_stopped(desk, lead).await?;
    let lead = lead.map_err(Failure::unless_possible("leadState"))?;
    context.result(&lead, || details(&lead))?;
    let (exit, key) = match lead.state {
        LeadState::Created if desk.leads.any_in_flight().await? => (Exit::Person, "notWritten"),
        LeadState::Created => (Exit::Done, "created"),
        LeadState::Rejected => (Exit::Refused, "rejected"),
        LeadState::Queued if is_token_refused(desk).await => (Exit::Person, "queuedForToken"),
        LeadState::Queued if profile(desk).await?.kind == ProfileKind::Practice => {
            say(text("wdesk.blocker.practiceNotRunning", &[]));
            return Ok(Exit::Queued);
        }
        LeadState::Queued => (Exit::Queued, "queued"),
        LeadState::Unknown if lead.mismatch.is_some() => (Exit::Person, "mismatch"),
        LeadState::InFlight | LeadState::Unknown => (Exit::Person, "unknown"),
        LeadState::Cancelled => (Exit::Done, "cancelled"),
    };
    say(text(&format!("wdesk.lead.{key}"), &[]));
    Ok(exit)
}

fn details(lead: &LeadView) -> String {
    let mut fields = KeyValues::default();
    fields
        .line("lead", &lead.id)
        .line("state", named("wdesk.leadState", &lead.state))
        .optional(
            "token",
            readable(lead.token.as_ref(), lead.token_unreadable),
        )
        .line("transactionId", &lead.transaction_id)
        .line("product", &lead.product_reference_id)
        .optional("title", lead.product_title.as_ref())
        .line("purchasePrice", grouped(lead.product_purchase_price))
        .line("quantity", lead.quantity)
        .line("transactionDate", lead.transaction_date)
        .optional("status", lead.status.as_ref())
        .optional("due", lead.due)
        .optional("note", readable(lead.note.as_ref(), lead.note_unreadable));
    if let Some(mismatch) = &lead.mismatch {
        fields
            .optional("responded transaction", mismatch.transaction_id.as_ref())
            .optional("responded product", mismatch.product_reference_id.as_ref());
    }
    if lead.refusal.is_some() || lead.request_id.is_some() {
        fields
            .optional("refusal", lead.refusal.as_ref())
            .optional("request", lead.request_id.as_ref());
    }
    fields.text()
}

/// A token or a note; what it says when it cannot be read.
fn readable(text: Option<&Personal>, is_unreadable: bool) -> Option<&str> {
    let unreadable = is_unreadable.then_some("(cannot be read)");
    text.map(Personal::expose).or(unreadable)
}

fn list_text(leads: &[LeadView]) -> String {
    Table::of(leads)
        .column("entered", |lead| when(lead.entered_at))
        .column("state", |lead| named("wdesk.leadState", &lead.state))
        .column("transaction", |lead| &lead.transaction_id)
        .column("product", |lead| {
            let reference = || lead.product_reference_id.to_string();
            lead.product_title.clone().unwrap_or_else(reference)
        })
        .column("price", |lead| grouped(lead.product_purchase_price))
        .column("quantity", |lead| lead.quantity)
        .optional("due", |lead| lead.due)
        .column("lead", |lead| &lead.id)
        .optional("note", |lead| {
            readable(lead.note.as_ref(), lead.note_unreadable)
        })
        .text()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_shows_when_to_contact_a_customer_and_the_note() {
        let kept = |due: Option<&str>, note: Option<&str>, unreadable: bool| {
            let lead = serde_json::json!({
                "id": "lead-1", "state": "created", "transactionId": "T-1",
                "productReferenceId": "SKU-1", "productPurchasePrice": 98000, "quantity": 1,
                "transactionDate": "2026-11-21T10:00:00.000+09:00",
                "enteredAt": "2026-11-21T10:00:00.000+09:00", "enteredBy": "clerk",
                "tokenUnreadable": false, "due": due, "note": note, "noteUnreadable": unreadable,
                "noteLost": false, "keyLost": false,
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
