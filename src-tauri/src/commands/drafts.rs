//! Drafts: input that is not registered yet.

use warranty_core::api::Personal;
use warranty_core::drafts::{Draft, DraftName, DraftPlace};

use super::{Handle, Reply};

/// Stores a draft under a name. `entries` counts the entries in it that are not registered.
#[tauri::command]
#[specta::specta]
pub async fn draft_keep(
    shared: Handle<'_>,
    profile_id: String,
    name: DraftName,
    text: Personal,
    entries: u32,
) -> Reply<DraftPlace> {
    let drafts = &shared.desk().await?.drafts;
    Ok(drafts.keep(&profile_id, &name, text, entries).await?)
}

/// The drafts whose names have this prefix.
#[tauri::command]
#[specta::specta]
pub async fn drafts(
    shared: Handle<'_>,
    profile_id: String,
    prefix: DraftName,
) -> Reply<Vec<Draft>> {
    let drafts = &shared.desk().await?.drafts;
    Ok(drafts.all(&profile_id, &prefix).await?)
}

/// Deletes a draft.
#[tauri::command]
#[specta::specta]
pub async fn draft_drop(shared: Handle<'_>, profile_id: String, name: DraftName) -> Reply<()> {
    let drafts = &shared.desk().await?.drafts;
    Ok(drafts.remove(&profile_id, &name).await?)
}
