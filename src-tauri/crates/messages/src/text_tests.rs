//! The texts that the window and wdesk name are there, and those of wdesk are used.

use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde_json::Value;
use warranty_core::bulk::LinkFault;
use warranty_core::contracts::{CustomerState, Warning};
use warranty_core::day::CloseItem;
use warranty_core::leads::LeadState;
use warranty_core::outbox::{AnswerClass, CaseReason, ResolutionKind, SubmissionState};
use warranty_core::profile::{Finding, TokenState};
use warranty_core::recovery::RescueCause;
use warranty_core::settings::Language;
use warranty_core::texts::{find, texts};
use warranty_core::{Field, Problem};

use crate::ErrorCode;

/// The wire names of all variants of an enum; serde lists them when it meets an unknown one.
fn variants<T: DeserializeOwned>() -> Vec<String> {
    let error = serde_json::from_str::<T>("\"?\"")
        .err()
        .unwrap()
        .to_string();
    let names = error.split('`').skip(3).step_by(2);
    names.map(str::to_owned).collect()
}

/// All files below a folder, as one text.
fn source(folder: &Path) -> String {
    let entries = fs::read_dir(folder).unwrap();
    let text = |path: PathBuf| {
        if path.is_dir() {
            source(&path)
        } else {
            fs::read_to_string(path).unwrap()
        }
    };
    entries.map(|entry| text(entry.unwrap().path())).collect()
}

/// Whether it has the form of a key: names of letters, joined by dots.
fn is_key(literal: &str) -> bool {
    let name = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphabetic());
    literal.contains('.') && literal.split('.').all(name)
}

/// All sources of the window and wdesk, as one text.
fn all_sources() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    ["src", "crates/cli/src", "crates/messages/src"]
        .map(|folder| source(&root.join(folder)))
        .concat()
}

fn keys_below(path: &str, value: &Value) -> Vec<String> {
    match value.as_object() {
        Some(group) => group
            .iter()
            .flat_map(|(name, value)| keys_below(&format!("{path}.{name}"), value))
            .collect(),
        None => vec![path.to_owned()],
    }
}

#[test]
fn every_enum_value_has_a_text_in_each_language_of_its_group() {
    use Language::{En, Ja};
    let (both, english) = ([En, Ja].as_slice(), [En].as_slice());
    for (group, names, languages) in [
        ("failure", variants::<ErrorCode>(), both),
        ("failure", variants::<LinkFault>(), both),
        ("field", variants::<Field>(), both),
        ("problem", variants::<Problem>(), both),
        ("warning", variants::<Warning>(), both),
        ("state", variants::<SubmissionState>(), both),
        ("today.item", variants::<CloseItem>(), both),
        ("case.reason", variants::<CaseReason>(), both),
        ("customer", variants::<CustomerState>(), both),
        ("wdesk.leadState", variants::<LeadState>(), english),
        ("wdesk.answer", variants::<AnswerClass>(), english),
        ("wdesk.resolution", variants::<ResolutionKind>(), english),
        ("wdesk.token", variants::<TokenState>(), english),
        ("wdesk.rescue", variants::<RescueCause>(), english),
        ("wdesk.test.address", variants::<Finding>(), english),
        ("wdesk.test.store", variants::<Finding>(), english),
        ("wdesk.test.token", variants::<Finding>(), english),
    ] {
        assert!(names.len() > 1, "{group}");
        // A customer that is known is shown by name.
        for name in names.iter().filter(|name| *name != "known") {
            for language in languages {
                let key = format!("{group}.{name}");
                assert!(find(*language, &key).is_some(), "{key}");
            }
        }
    }
}

#[test]
fn an_advice_of_wdesk_belongs_to_an_error_code() {
    let codes = variants::<ErrorCode>();
    let advice = texts(Language::En)["wdesk"]["advice"].as_object().unwrap();
    for name in advice.keys() {
        assert!(codes.contains(name), "{name}");
    }
}

#[test]
fn every_key_in_the_sources_has_a_text() {
    let source = all_sources();
    let mut keys = 0;
    for call in ["text(", "named(", "say("] {
        for (at, _) in source.match_indices(call) {
            let mut arguments = source[at + call.len()..].split('"');
            let (before, key) = (arguments.next().unwrap(), arguments.next().unwrap_or(""));
            if !before.contains([')', ';']) && is_key(key) {
                assert!(find_any(key), "{key}");
                keys += 1;
            }
        }
    }
    assert!(keys > 50, "only {keys} keys were found");
}

#[test]
fn every_text_of_a_sheet_is_used() {
    let print = Path::new(env!("CARGO_MANIFEST_DIR")).join("../model/src/print");
    let source = source(&print);
    for key in keys_below("printed", &texts(Language::En)["printed"]) {
        let key = key.trim_start_matches("printed.");
        let group = key.split_once('.').map_or("", |(group, _)| group);
        let used = source.contains(&format!("\"{key}\""))
            || source.contains(&format!("\"printed.{key}\""))
            || source.contains(&format!("\"{group}.{{"));
        assert!(used, "{key} is not used");
    }
}

#[test]
fn every_text_of_wdesk_is_used() {
    let source = all_sources();
    for key in keys_below("wdesk", &texts(Language::En)["wdesk"]) {
        let key = key.trim_end_matches("_one").trim_end_matches("_other");
        let (group, _) = key.rsplit_once('.').unwrap();
        let used = [key, group]
            .iter()
            .any(|one| source.contains(&format!("\"{one}\"")))
            || source.contains(&format!("\"{group}.{{"));
        assert!(used, "{key} is not used");
    }
}

/// Whether there is a text or a group of this key.
fn find_any(key: &str) -> bool {
    let at = |key: &str| {
        key.split('.')
            .try_fold(texts(Language::En), |part, name| part.get(name))
            .is_some()
    };
    at(key) || at(&format!("{key}_other"))
}
