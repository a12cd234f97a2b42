//! Leads: a customer who may join later.

use warranty_core::leads::{LeadDraft, LeadView};

use super::{Handle, Reply};

/// Creates a lead; the same id twice is one lead.
#[tauri::command]
#[specta::specta]
pub async fn lead_create(shared: Handle<'_>, id: String, draft: LeadDraft) -> Reply<LeadView> {
    Ok(shared.desk().await?.lead_create(&id, &draft).await?)
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
