//! Exports a list to a file: file name, format and path.

use std::path::PathBuf;

use chrono::{Local, Utc};
use tauri::AppHandle;
use warranty_core::day::Date;
use warranty_core::export::{DayList, List};
use warranty_core::files::Format;
use warranty_core::files::private_file::Existing;
use warranty_core::profile::{Profile, Zone};
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
    let shown = desk.profiles.current().await?;
    let name = default_name(list, format, shown.as_ref().map(Profile::zone));
    let Some(path) = pick_to_save(app, title, &name).await else {
        return Ok(None);
    };
    let (path, format, existing) = target(path, format);
    // The list on screen belongs to the profile that was selected when the dialog opened.
    let id = |profile: Option<Profile>| profile.map(|profile| profile.id);
    if id(desk.profiles.current().await?) != id(shown) {
        return Err(Error::ProfileMoved.into());
    }
    let saved = desk.exports.list(list, &path, format, existing).await?;
    Ok(Some(SavedRows::new(
        &path,
        saved.rows,
        saved.unread_customers,
    )))
}

/// The file name that the dialog suggests: the list and its day, which is today on the clock of the
/// store unless the list is of one day; what is left to do before closing is so now.
fn default_name(list: &List, format: Format, zone: Option<Zone>) -> String {
    let day = if let List::Day { date, list } = list
        && *list != DayList::Closing
    {
        date.get()
    } else if let Some(zone) = zone {
        Date::of(Utc::now(), zone).get()
    } else {
        Local::now().date_naive()
    };
    format!("{}-{day}.{}", list.name(), format.ending())
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
        let offered = default_name(&List::Leads { shown: None }, Format::Xlsx, None);
        assert!(
            offered.starts_with("leads-20") && offered.ends_with(".xlsx"),
            "{offered}"
        );
        let day = List::Day {
            date: "2025-03-31".parse().unwrap(),
            list: DayList::Sales,
        };
        let offered = default_name(&day, Format::Csv, None);
        assert_eq!(offered, "day-sales-2025-03-31.csv");
        // What is left to do before closing is so now, whichever day is shown.
        let closing = List::Day {
            date: "2025-03-31".parse().unwrap(),
            list: DayList::Closing,
        };
        let offered = default_name(&closing, Format::Csv, None);
        assert!(!offered.contains("2025"), "{offered}");
    }
}
