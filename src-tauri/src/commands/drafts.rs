//! What was typed and not sent yet.

use warranty_core::api::Personal;
use warranty_core::drafts::{Draft, DraftName, DraftPlace};

use super::{Handle, Reply};

/// Keeps what was typed under a name; so many entries of it are not submitted.
#[tauri::command]
#[specta::specta]
pub async fn draft_keep(
    shared: Handle<'_>,
    profile_id: String,
    name: DraftName,
    text: Personal,
    entries: u32,
) -> Reply<DraftPlace> {
    Ok(shared
        .desk()
        .await?
        .draft_keep(&profile_id, &name, text, entries)
        .await?)
}

/// What is kept under all names that begin so.
#[tauri::command]
#[specta::specta]
pub async fn drafts(
    shared: Handle<'_>,
    profile_id: String,
    prefix: DraftName,
) -> Reply<Vec<Draft>> {
    Ok(shared.desk().await?.drafts(&profile_id, &prefix).await?)
}

/// Drops what is kept under a name.
#[tauri::command]
#[specta::specta]
pub async fn draft_drop(shared: Handle<'_>, profile_id: String, name: DraftName) -> Reply<()> {
    Ok(shared.desk().await?.draft_drop(&profile_id, &name).await?)
}
