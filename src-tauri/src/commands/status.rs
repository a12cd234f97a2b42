//! The status for the first screen, settings, the encryption key and the recovery report.

use warranty_core::DeskStatus;
use warranty_core::encryption::Customers;
use warranty_core::recovery::RescueReport;
use warranty_core::settings::Settings;
use warranty_core::staff::StaffPolicy;

use super::{Handle, Reply};

/// Everything the first screen needs.
#[tauri::command]
#[specta::specta]
pub async fn status(shared: Handle<'_>) -> Reply<DeskStatus> {
    Ok(shared.desk().await?.status().await?)
}

/// Stores the settings.
#[tauri::command]
#[specta::specta]
pub async fn settings_change(shared: Handle<'_>, settings: Settings) -> Reply<()> {
    Ok(shared.desk().await?.settings_change(settings).await?)
}

/// Sets when a staff code is required under the selected profile.
#[tauri::command]
#[specta::specta]
pub async fn staff_policy_change(shared: Handle<'_>, policy: StaffPolicy) -> Reply<()> {
    Ok(shared.desk().await?.staff.change_policy(policy).await?)
}

/// Sets the staff code for all following entries; with `None` the user of the operating system is
/// recorded.
#[tauri::command]
#[specta::specta]
pub async fn staff_enter(shared: Handle<'_>, code: Option<String>) -> Reply<()> {
    Ok(shared.desk().await?.staff.enter(code.as_deref())?)
}

/// Creates a new encryption key for customers' data when the old one is lost.
#[tauri::command]
#[specta::specta]
pub async fn seal_key_renew(shared: Handle<'_>) -> Reply<Customers> {
    Ok(shared.desk().await?.encryption.renew_key().await?)
}

/// The report of a replaced database file, until a person has seen it.
#[tauri::command]
#[specta::specta]
pub async fn rescue(shared: Handle<'_>) -> Reply<Option<RescueReport>> {
    Ok(shared.desk().await?.recovery.unseen().await?)
}

/// Records that a person has seen this report.
#[tauri::command]
#[specta::specta]
pub async fn rescue_seen(shared: Handle<'_>, number: u32) -> Reply<()> {
    Ok(shared.desk().await?.recovery.mark_seen(number).await?)
}
