//! Leads: a customer who may join later.

use warranty_core::leads::{LeadDraft, LeadView};

use super::{Handle, Reply};

/// Creates a lead; the same id twice is one lead. `beside` names an earlier one for the same
/// transaction and product beside which a person wants another.
#[tauri::command]
#[specta::specta]
pub async fn lead_create(
    shared: Handle<'_>,
    id: String,
    draft: LeadDraft,
    beside: Option<String>,
) -> Reply<LeadView> {
    let desk = shared.desk().await?;
    Ok(desk.lead_create(&id, &draft, beside.as_deref()).await?)
}

/// Shows the token of an answer that named something else, because a person says so.
#[tauri::command]
#[specta::specta]
pub async fn lead_token(shared: Handle<'_>, id: String) -> Reply<LeadView> {
    Ok(shared.desk().await?.lead_token(&id).await?)
}

/// The history, newest first.
#[tauri::command]
#[specta::specta]
pub async fn leads(shared: Handle<'_>, limit: u32) -> Reply<Vec<LeadView>> {
    Ok(shared.desk().await?.leads(limit).await?)
}

/// Sends a lead once more, because a person says so.
#[tauri::command]
#[specta::specta]
pub async fn lead_send_again(shared: Handle<'_>, id: String) -> Reply<LeadView> {
    Ok(shared.desk().await?.lead_send_again(&id).await?)
}

/// Gives a lead up.
#[tauri::command]
#[specta::specta]
pub async fn lead_cancel(shared: Handle<'_>, id: String) -> Reply<LeadView> {
    Ok(shared.desk().await?.lead_cancel(&id).await?)
}
