//! Looks texts up by key and fills in their values.

use std::fmt::Display;
use std::sync::LazyLock;

use serde::Serialize;
use serde_json::{Map, Value};
use warranty_core::display::visible;
use warranty_core::settings::Language;

static ENGLISH: LazyLock<Value> = LazyLock::new(|| {
    let mut all = parsed(include_str!("../../../../ui/src/i18n/en.json"));
    all.extend(parsed(include_str!(
        "../../../../ui/src/i18n/wdesk.en.json"
    )));
    Value::Object(all)
});
static JAPANESE: LazyLock<Value> =
    LazyLock::new(|| Value::Object(parsed(include_str!("../../../../ui/src/i18n/ja.json"))));

/// The values of the placeholders of a text, by name.
pub type Values<'a> = [(&'a str, &'a dyn Display)];

/// The text of a key such as `problem.missing`. `{{name}}` is replaced by the value of that name, with
/// control characters escaped. A value `count` selects the plural form.
///
/// An unknown key panics in debug builds; a release shows the key itself.
pub fn text(language: Language, key: &str, values: &Values<'_>) -> String {
    let found = optional_text(language, key, values);
    debug_assert!(found.is_some(), "there is no text {key}");
    found.unwrap_or_else(|| key.to_owned())
}

/// Like [`text`]; `None` for an unknown key.
pub fn optional_text(language: Language, key: &str, values: &Values<'_>) -> Option<String> {
    let plural = || {
        let (_, count) = values.iter().find(|(name, _)| *name == "count")?;
        let one = language == Language::En && count.to_string() == "1";
        let form = if one { "one" } else { "other" };
        find(language, &format!("{key}_{form}"))
    };
    let template = find(language, key).or_else(plural)?;
    Some(filled(template, values))
}

/// The text of an enum value in a group of texts, by its wire name.
pub fn named(language: Language, group: &str, value: &impl Serialize) -> String {
    text(language, &format!("{group}.{}", wire_name(value)), &[])
}

/// The name of an enum value in JSON.
pub fn wire_name(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(name)) => name,
        Ok(other) => other.to_string(),
        Err(_) => String::new(),
    }
}

fn find(language: Language, key: &str) -> Option<&'static str> {
    let texts: &Value = match language {
        Language::En => &ENGLISH,
        Language::Ja => &JAPANESE,
    };
    key.split('.')
        .try_fold(texts, |part, name| part.get(name))?
        .as_str()
}

fn filled(template: &str, values: &Values<'_>) -> String {
    let mut parts = template.split("{{");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("}}").unwrap_or((part, ""));
        let value = values.iter().find(|(known, _)| *known == name);
        debug_assert!(value.is_some(), "no value for {name} in {template:?}");
        text.extend(value.map(|(_, value)| visible(&value.to_string())));
        text.push_str(rest);
    }
    text
}

fn parsed(json: &str) -> Map<String, Value> {
    serde_json::from_str(json).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use serde::de::DeserializeOwned;
    use warranty_core::contracts::{CustomerState, Warning};
    use warranty_core::leads::LeadState;
    use warranty_core::outbox::{AnswerClass, CaseReason, ResolutionKind, SubmissionState};
    use warranty_core::profile::{Finding, TokenState};
    use warranty_core::recovery::RescueCause;
    use warranty_core::{Field, Problem};

    use super::*;
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

    fn sources(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        paths
            .flat_map(|path| {
                if path.is_dir() {
                    sources(&path)
                } else {
                    vec![path]
                }
            })
            .collect()
    }

    /// Whether it has the form of a key: names of letters, joined by dots.
    fn is_key(literal: &str) -> bool {
        let name = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphabetic());
        literal.contains('.') && literal.split('.').all(name)
    }

    /// All sources of the window and wdesk, as one text.
    fn all_sources() -> String {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let folders = ["src", "crates/cli/src", "crates/messages/src"];
        let files = folders
            .iter()
            .flat_map(|folder| sources(&root.join(folder)));
        files
            .map(|file| fs::read_to_string(file).unwrap())
            .collect()
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
            ("field", variants::<Field>(), both),
            ("problem", variants::<Problem>(), both),
            ("warning", variants::<Warning>(), both),
            ("state", variants::<SubmissionState>(), both),
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
    fn a_sentence_or_an_advice_of_wdesk_belongs_to_an_error_code() {
        let codes = variants::<ErrorCode>();
        for group in ["failure", "advice"] {
            for name in ENGLISH["wdesk"][group].as_object().unwrap().keys() {
                assert!(codes.contains(name) || name == "notReadAgain", "{name}");
            }
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
    fn every_text_of_wdesk_is_used() {
        let source = all_sources();
        for key in keys_below("wdesk", &ENGLISH["wdesk"]) {
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
                .try_fold(&*ENGLISH, |part, name| part.get(name))
                .is_some()
        };
        at(key) || at(&format!("{key}_other"))
    }

    #[test]
    fn values_are_filled_in_once_and_shown_as_text() {
        assert_eq!(
            filled("a {{x}} b {{y}}", &[("x", &"{{y}}"), ("y", &'\u{1b}')]),
            "a {{y}} b \\u{1b}"
        );
    }
}
