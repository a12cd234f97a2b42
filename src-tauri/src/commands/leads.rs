//! Leads: customers who declined and may register later.

use warranty_core::api::Personal;
use warranty_core::day::Date;
use warranty_core::leads::{LeadDraft, LeadView};

use super::{Handle, Reply};

/// Creates a lead; a call with the same id creates no second one. `beside` names an earlier lead
/// for the same transaction and product, when a person wants another one.
#[tauri::command]
#[specta::specta]
pub async fn lead_create(
    shared: Handle<'_>,
    id: String,
    draft: LeadDraft,
    beside: Option<String>,
) -> Reply<LeadView> {
    let desk = shared.desk().await?;
    Ok(desk.leads.create(&id, &draft, beside.as_deref()).await?)
}

/// Reveals the token of an answer about another transaction or product, on a person's decision.
#[tauri::command]
#[specta::specta]
pub async fn lead_token(shared: Handle<'_>, id: String) -> Reply<LeadView> {
    Ok(shared.desk().await?.leads.token(&id).await?)
}

/// All leads, newest first.
#[tauri::command]
#[specta::specta]
pub async fn leads(shared: Handle<'_>, limit: u32) -> Reply<Vec<LeadView>> {
    Ok(shared.desk().await?.leads.recent(limit).await?)
}

/// Sends a lead once more, on a person's decision.
#[tauri::command]
#[specta::specta]
pub async fn lead_send_again(shared: Handle<'_>, id: String) -> Reply<LeadView> {
    Ok(shared.desk().await?.leads.send_again(&id).await?)
}

/// Keeps on which day to contact the customer of a lead, and a note; without a note the kept one stays.
#[tauri::command]
#[specta::specta]
pub async fn lead_follow_up(
    shared: Handle<'_>,
    id: String,
    due: Option<Date>,
    note: Option<Personal>,
) -> Reply<LeadView> {
    let desk = shared.desk().await?;
    Ok(desk.leads.follow_up(&id, due, note.as_ref()).await?)
}

/// Cancels a lead.
#[tauri::command]
#[specta::specta]
pub async fn lead_cancel(shared: Handle<'_>, id: String) -> Reply<LeadView> {
    Ok(shared.desk().await?.leads.cancel(&id).await?)
}
