//! What the registry of Windows holds, in the form of a policy's JSON.

use serde_json::{Map, Value, json};

use super::KEYS;

/// Keys that are 0 or 1 in the registry.
const SWITCHES: [&str; 3] = ["profilesLocked", "practiceAllowed", "exportAllowed"];

#[derive(Debug)]
pub(super) enum RegistryValue {
    /// `REG_DWORD` or `REG_QWORD`.
    Number(u64),
    /// `REG_SZ`, or the lines of `REG_MULTI_SZ`.
    Text(String),
    /// Another type.
    Other,
}

/// The JSON of a policy: a switch is a number, a language its name, everything else a text of JSON.
pub(super) fn document(values: impl Iterator<Item = (String, RegistryValue)>) -> String {
    let values = values.map(|(name, value)| {
        // The registry keeps the capitals that a name was first written with, and asks for none.
        let key = KEYS.iter().find(|key| key.eq_ignore_ascii_case(&name));
        let name = key.map_or(name, |&key| key.to_owned());
        let value = match value {
            RegistryValue::Number(on @ 0..=1) if SWITCHES.contains(&&*name) => json!(on == 1),
            RegistryValue::Number(number) => json!(number),
            RegistryValue::Text(text) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
            RegistryValue::Other => Value::Null,
        };
        (name, value)
    });
    Value::Object(values.collect::<Map<_, _>>()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{PolicyProblem, read};

    fn text(value: &str) -> RegistryValue {
        RegistryValue::Text(value.to_owned())
    }

    fn found(name: &str, value: RegistryValue) -> (Value, Vec<(String, PolicyProblem)>) {
        let document = document([(name.to_owned(), value)].into_iter());
        let (values, findings) = read("registry", &document);
        let findings = findings.into_iter();
        let findings = findings.map(|found| (found.path, found.problem)).collect();
        (Value::Object(values), findings)
    }

    #[test]
    fn each_type_of_the_registry_becomes_what_its_key_asks_for() {
        for (name, value, wanted) in [
            ("exportAllowed", RegistryValue::Number(0), json!(false)),
            ("profilesLocked", RegistryValue::Number(1), json!(true)),
            ("practiceAllowed", text("false"), json!(false)),
            ("language", text("ja"), json!("ja")),
            (
                "retentionDays",
                text(r#"{ "value": 30 }"#),
                json!({ "value": 30, "max": null }),
            ),
            // Lines of REG_MULTI_SZ are one text.
            (
                "tls",
                text("{ \"extraRoots\":\n[\"C:\\\\ca.pem\"] }"),
                json!({ "extraRoots": ["C:\\ca.pem"], "only": false }),
            ),
        ] {
            assert_eq!(found(name, value), (json!({ name: wanted }), Vec::new()));
        }
    }

    #[test]
    fn a_name_counts_with_any_capitals() {
        for name in ["ProfilesLocked", "PROFILESLOCKED"] {
            let wanted = json!({ "profilesLocked": true });
            assert_eq!(found(name, RegistryValue::Number(1)), (wanted, Vec::new()));
        }
    }

    #[test]
    fn each_key_names_a_value_of_the_registry_that_is_wrong() {
        for key in KEYS {
            for wrong in [RegistryValue::Number(7), RegistryValue::Other, text("{ 7")] {
                let told = format!("{key}: {wrong:?}");
                let problem = (key.to_owned(), PolicyProblem::WrongValue);
                assert_eq!(found(key, wrong), (json!({}), vec![problem]), "{told}");
            }
        }
        let problem = |name: &str| found(name, text("x")).1[0].1;
        assert_eq!(problem("exportsAllowed"), PolicyProblem::UnknownKey);
        assert_eq!(problem("apiToken"), PolicyProblem::Secret);
    }
}
