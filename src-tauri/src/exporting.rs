//! What a list's file is called, and in which form it is written.

use std::path::PathBuf;

use chrono::Local;
use warranty_core::files::Format;
use warranty_core::files::private_file::Existing;
use warranty_core::lists::List;

/// The name the dialog offers for a list: what it is of, and today's date.
pub fn name(list: &List, format: Format) -> String {
    let today = Local::now().format("%Y-%m-%d");
    format!("{}-{today}.{}", list.name(), format.ending())
}

/// Where a list goes once a person chose, in which form, and whether what stands there may go. The
/// ending they wrote counts more than the button they pressed: a spreadsheet goes by it. Where they
/// wrote none it is added, and then the dialog has asked about another name.
pub fn place(chosen: PathBuf, pressed: Format) -> (PathBuf, Format, Existing) {
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
            let found = place(PathBuf::from(chosen), pressed);
            assert_eq!(found, (PathBuf::from(path), format, existing), "{chosen}");
        }
    }

    #[test]
    fn the_name_offered_says_what_is_in_the_file() {
        let offered = name(&List::Leads, Format::Xlsx);
        assert!(
            offered.starts_with("leads-20") && offered.ends_with(".xlsx"),
            "{offered}"
        );
    }
}
