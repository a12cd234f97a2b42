//! Name and format of an exported list.

use std::path::PathBuf;

use chrono::Local;
use warranty_core::files::Format;
use warranty_core::files::private_file::Existing;
use warranty_core::lists::List;

/// The file name that the dialog suggests: the list and today's date.
pub fn default_name(list: &List, format: Format) -> String {
    let today = Local::now().format("%Y-%m-%d");
    format!("{}-{today}.{}", list.name(), format.ending())
}

/// The path, the format, and whether an existing file may be replaced. The extension that the person
/// typed decides the format, because spreadsheet programs go by it. Without one the extension of the
/// pressed button is added, and an existing file is not replaced: the dialog asked about another name.
pub fn target(chosen: PathBuf, pressed: Format) -> (PathBuf, Format, Existing) {
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
        let offered = default_name(&List::Leads, Format::Xlsx);
        assert!(
            offered.starts_with("leads-20") && offered.ends_with(".xlsx"),
            "{offered}"
        );
    }
}
