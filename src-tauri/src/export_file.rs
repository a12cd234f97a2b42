//! Exports a list to a file: file name, format and path.

use std::path::PathBuf;

use chrono::Local;
use tauri::AppHandle;
use warranty_core::export::List;
use warranty_core::files::Format;
use warranty_core::files::private_file::Existing;
use warranty_core::{Desk, Error};

use crate::error::UiError;
use crate::picked_file::{SavedRows, pick_to_save};

/// Exports all rows of a list to a file that a person chooses; `None` when they cancel.
pub async fn save(
    app: &AppHandle,
    desk: &Desk,
    list: &List,
    format: Format,
    title: &str,
) -> Result<Option<SavedRows>, UiError> {
    desk.exports.allowed()?;
    let shown = profile_id(desk).await?;
    let Some(path) = pick_to_save(app, title, &default_name(list, format)).await else {
        return Ok(None);
    };
    let (path, format, existing) = target(path, format);
    // The list on screen belongs to the profile that was selected when the dialog opened.
    if profile_id(desk).await? != shown {
        return Err(Error::ProfileMoved.into());
    }
    let saved = desk.exports.list(list, &path, format, existing).await?;
    Ok(Some(SavedRows::new(
        &path,
        saved.rows,
        saved.unread_customers,
    )))
}

async fn profile_id(desk: &Desk) -> Result<Option<String>, Error> {
    Ok(desk.profiles.current().await?.map(|profile| profile.id))
}

/// The file name that the dialog suggests: the list and today's date.
fn default_name(list: &List, format: Format) -> String {
    let today = Local::now().format("%Y-%m-%d");
    format!("{}-{today}.{}", list.name(), format.ending())
}

/// The path, the format, and whether an existing file may be replaced. The extension that the
/// person typed decides the format, because spreadsheet programs use it. Without one, the extension
/// of the pressed button is added, and an existing file is not replaced, because the dialog asked
/// about another name.
fn target(chosen: PathBuf, pressed: Format) -> (PathBuf, Format, Existing) {
    if let Some(written) = Format::named(&chosen) {
        return (chosen, written, Existing::Replace);
    }
    let mut named = chosen.into_os_string();
    named.push(".");
    named.push(pressed.ending());
    (named.into(), pressed, Existing::Refuse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_what_its_name_says_and_replaces_only_what_a_person_was_asked_about() {
        for (chosen, pressed, path, format, existing) in [
            (
                "/a/list.csv",
                Format::Csv,
                "/a/list.csv",
                Format::Csv,
                Existing::Replace,
            ),
            (
                "/a/list.XLSX",
                Format::Csv,
                "/a/list.XLSX",
                Format::Xlsx,
                Existing::Replace,
            ),
            (
                "/a/list",
                Format::Csv,
                "/a/list.csv",
                Format::Csv,
                Existing::Refuse,
            ),
            (
                "/a/11.20",
                Format::Xlsx,
                "/a/11.20.xlsx",
                Format::Xlsx,
                Existing::Refuse,
            ),
        ] {
            let found = target(PathBuf::from(chosen), pressed);
            assert_eq!(found, (PathBuf::from(path), format, existing), "{chosen}");
        }
    }

    #[test]
    fn the_name_offered_says_what_is_in_the_file() {
        let offered = default_name(&List::Leads { shown: None }, Format::Xlsx);
        assert!(
            offered.starts_with("leads-20") && offered.ends_with(".xlsx"),
            "{offered}"
        );
    }
}
