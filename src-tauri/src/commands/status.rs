//! The first look, and what a person chose for the program.

use warranty_core::DeskStatus;
use warranty_core::encryption::Customers;
use warranty_core::rescue::RescueReport;
use warranty_core::settings::Settings;

use super::{Handle, Reply};

/// Everything the first screen needs.
#[tauri::command]
#[specta::specta]
pub async fn status(shared: Handle<'_>) -> Reply<DeskStatus> {
    Ok(shared.desk().await?.status().await?)
}

/// Keeps what a person chose for the program.
#[tauri::command]
#[specta::specta]
pub async fn settings_change(shared: Handle<'_>, settings: Settings) -> Reply<()> {
    Ok(shared.desk().await?.settings_change(settings).await?)
}

/// Takes a new key for customers entered from now on, where theirs is gone.
#[tauri::command]
#[specta::specta]
pub async fn seal_key_renew(shared: Handle<'_>) -> Reply<Customers> {
    Ok(shared.desk().await?.seal_key_renew().await?)
}

/// What happened when the desk's file had to be replaced, until a person has seen it.
#[tauri::command]
#[specta::specta]
pub async fn rescue(shared: Handle<'_>) -> Reply<Option<RescueReport>> {
    Ok(shared.desk().await?.rescue().await?)
}

/// A person has seen the report of this number.
#[tauri::command]
#[specta::specta]
pub async fn rescue_seen(shared: Handle<'_>, number: u32) -> Reply<()> {
    Ok(shared.desk().await?.rescue_seen(number).await?)
}
