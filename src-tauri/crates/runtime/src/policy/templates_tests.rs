//! The templates for IT name exactly the keys that a policy has, with their fields and bounds.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{KEYS, read};

const SCHEMA: &str = include_str!("../../../../packaging/policies/policy.schema.json");
const ADMX: &str = include_str!("../../../../packaging/policies/WarrantyDesk.admx");
const ADML: [&str; 2] = [
    include_str!("../../../../packaging/policies/en-US/WarrantyDesk.adml"),
    include_str!("../../../../packaging/policies/ja-JP/WarrantyDesk.adml"),
];

fn properties() -> Map<String, Value> {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    schema["properties"].as_object().unwrap().clone()
}

/// Whether a value of a key is used, and nothing of it ignored.
fn is_good(key: &str, value: &Value) -> bool {
    let (_, findings) = read("schema", &json!({ key: value }).to_string());
    findings.is_empty()
}

/// A value with all fields of a schema.
fn whole(name: &str, schema: &Value) -> Value {
    if let Some(choices) = schema["enum"].as_array() {
        return choices[0].clone();
    }
    match (schema["type"].as_str().unwrap(), name) {
        ("object", _) => {
            let fields = schema["properties"].as_object().unwrap().iter();
            let fields = fields.map(|(name, of)| (name.clone(), whole(name, of)));
            Value::Object(fields.collect())
        }
        ("array", "storeId") => json!(["machine-env:STORE"]),
        ("array", "extraRoots") => json!(["/sample.pem"]),
        ("array", _) => json!([whole("", &schema["items"])]),
        ("boolean", _) => json!(true),
        ("integer", _) => schema.get("minimum").cloned().unwrap_or(json!(60)),
        (_, "baseUrl" | "url") => json!("https://warranty.example"),
        (_, "utcOffset") => json!("+09:00"),
        (_, "timeZone") => json!("Asia/Tokyo"),
        (_, "tokenHelper") => json!("/sample"),
        _ => json!("sample"),
    }
}

/// Each place in a value of a schema: its path, and what the schema says of it.
fn places(path: &str, schema: &Value, found: &mut Vec<(String, Value)>) {
    found.push((path.to_owned(), schema.clone()));
    for (name, of) in schema["properties"].as_object().into_iter().flatten() {
        places(&format!("{path}/{name}"), of, found);
    }
    if schema["items"]["properties"].is_object() {
        places(&format!("{path}/0"), &schema["items"], found);
    }
}

#[test]
fn the_schema_has_each_key_with_all_of_its_fields_and_no_other() {
    let properties = properties();
    let keys: BTreeSet<&str> = properties.keys().map(String::as_str).collect();
    assert_eq!(keys, BTreeSet::from(KEYS));
    for (key, of) in &properties {
        // No field of the schema is unknown to the program.
        let value = whole(key, of);
        let (used, findings) = read("schema", &json!({ key: value }).to_string());
        assert_eq!(findings, [], "{key}: {value}");
        // No field of the program is missing in the schema.
        assert_eq!(used[key], value, "{key}");
    }
}

#[test]
fn the_schema_has_the_bounds_and_the_needed_fields_of_the_program() {
    for (key, schema) in &properties() {
        let mut all = Vec::new();
        places("", schema, &mut all);
        for (path, of) in all {
            let with = |changed: Value| {
                let mut value = whole(key, schema);
                *value.pointer_mut(&path).unwrap() = changed;
                is_good(key, &value)
            };
            for choice in of["enum"].as_array().into_iter().flatten() {
                assert!(with(choice.clone()), "{key}{path} {choice}");
            }
            for (bound, beyond) in [("minimum", -1), ("maximum", 1)] {
                if let Some(bound) = of[bound].as_i64() {
                    assert!(with(json!(bound)), "{key}{path} {bound}");
                    assert!(!with(json!(bound + beyond)), "{key}{path} beyond {bound}");
                }
            }
            if let Some(longest) = of["maxLength"].as_u64() {
                let text = |length: u64| json!("x".repeat(usize::try_from(length).unwrap()));
                let bounded = with(text(longest)) && !with(text(longest + 1));
                assert!(bounded, "{key}{path}");
            }
            for field in of["properties"].as_object().into_iter().flat_map(Map::keys) {
                let mut value = whole(key, schema);
                let place = value.pointer_mut(&path).unwrap();
                place.as_object_mut().unwrap().remove(field);
                let needed = of["required"].as_array();
                let needed = needed.is_some_and(|all| all.contains(&json!(field)));
                // Roots alone need roots.
                let only = key == "tls" && field == "extraRoots";
                let good = is_good(key, &value);
                assert_eq!(good, !needed && !only, "{key}{path}/{field}");
            }
        }
    }
}

/// What stands between two marks, each time.
fn between<'a>(text: &'a str, before: &str, after: char) -> Vec<&'a str> {
    let rests = text.split(before).skip(1);
    rests.filter_map(|rest| rest.split(after).next()).collect()
}

#[test]
fn each_key_is_in_the_template_for_windows_at_both_levels_and_in_both_languages() {
    for (level, path) in [("mandatory", ""), ("recommended", r"\Recommended")] {
        let at = format!(r#" key="SOFTWARE\Policies\WarrantyDesk{path}""#);
        let policies = ADMX.split("<policy ").skip(1);
        let mut keys = Vec::new();
        for policy in policies.filter(|policy| policy.contains(&at)) {
            let parent = format!(r#"<parentCategory ref="{level}" />"#);
            for part in [parent.as_str(), r#"class="Machine""#] {
                assert!(policy.contains(part), "{policy}");
            }
            keys.extend(between(policy, "valueName=\"", '"'));
        }
        assert_eq!(keys, KEYS);
    }
    let set = |names: Vec<&'static str>| names.into_iter().collect::<BTreeSet<_>>();
    for language in ADML {
        let texts = between(language, "<string id=\"", '"');
        let used = set(between(ADMX, "$(string.", ')'));
        assert_eq!(texts.len(), used.len(), "a text twice");
        assert_eq!(set(texts), used);
        let shown = set(between(language, "<presentation id=\"", '"'));
        assert_eq!(shown, set(between(ADMX, "$(presentation.", ')')));
        assert!(!language.contains("></string>"), "an empty text");
    }
}
