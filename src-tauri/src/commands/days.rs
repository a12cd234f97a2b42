//! The day of the store.

use warranty_core::day::{Date, Day};

use super::{Handle, Reply};

/// A day's figures and the work that is unfinished now; today's without a date.
#[tauri::command]
#[specta::specta]
pub async fn day(shared: Handle<'_>, date: Option<Date>) -> Reply<Day> {
    Ok(shared.desk().await?.days.day(date).await?)
}
