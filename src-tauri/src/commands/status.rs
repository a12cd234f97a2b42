//! The first look, and what a person chose for the program.

use warranty_core::DeskStatus;
use warranty_core::settings::Settings;

use super::{Handle, Reply};
use crate::window;

/// Everything the first screen needs.
#[tauri::command]
#[specta::specta]
pub async fn status(app: tauri::AppHandle, shared: Handle<'_>) -> Reply<DeskStatus> {
    let status = shared.desk().await?.status().await?;
    window::name_after(&app, status.profile.as_ref());
    Ok(status)
}

/// Keeps language and theme.
#[tauri::command]
#[specta::specta]
pub async fn settings_change(shared: Handle<'_>, settings: Settings) -> Reply<()> {
    Ok(shared.desk().await?.settings_change(settings).await?)
}
