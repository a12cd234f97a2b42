//! Outbox cases that need a person, and whether one is there.

use warranty_core::outbox::{CaseView, Resolution};

use super::{Handle, Reply};

/// A case with its evidence and its possible resolutions.
#[tauri::command]
#[specta::specta]
pub async fn outbox_case(shared: Handle<'_>, id: String) -> Reply<CaseView> {
    Ok(shared.desk().await?.outbox.case(&id).await?)
}

/// Carries out the resolution that a person chose.
#[tauri::command]
#[specta::specta]
pub async fn outbox_resolve(
    shared: Handle<'_>,
    id: String,
    resolution: Resolution,
) -> Reply<CaseView> {
    Ok(shared.desk().await?.outbox.resolve(&id, resolution).await?)
}

/// Somebody presses keys in the window.
#[tauri::command]
#[specta::specta]
pub async fn attended(shared: Handle<'_>) -> Reply<()> {
    shared.desk().await?.outbox.attended();
    Ok(())
}
