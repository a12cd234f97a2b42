use serde_json::json;

use super::*;

fn findings(value: &Value) -> Vec<(String, PolicyProblem)> {
    let (_, found) = read("test", &value.to_string());
    found
        .into_iter()
        .map(|finding| (finding.path, finding.problem))
        .collect()
}

fn profile() -> Value {
    json!({
        "key": "shops", "name": "Sample shops", "baseUrl": "https://warranty.sample.invalid",
        "storeId": ["machine-env:STORE"], "utcOffset": "+09:00",
        "tokenHelper": "/opt/sample/token",
    })
}

fn good() -> Vec<(&'static str, Value)> {
    vec![
        ("profiles", json!([profile()])),
        ("profilesLocked", json!(true)),
        ("practiceAllowed", json!(false)),
        ("exportAllowed", json!(false)),
        ("language", json!("ja")),
        ("retentionDays", json!({ "value": 30, "max": 90 })),
        (
            "proxy",
            json!({ "mode": "fixed", "url": "http://proxy.sample.invalid:3128" }),
        ),
        (
            "tls",
            json!({ "extraRoots": ["/etc/sample.pem"], "only": true }),
        ),
        ("pace", json!({ "spreadMinutes": 20 })),
        (
            "log",
            json!({ "level": "warn", "keepDays": 7, "maxMiB": 10 }),
        ),
        ("support", json!({ "text": "Sample desk" })),
    ]
}

#[test]
fn a_good_value_of_each_key_is_read_without_a_finding() {
    assert_eq!(good().len(), KEYS.len());
    for (key, value) in good() {
        assert!(KEYS.contains(&key));
        let policy = json!({ key: value });
        assert_eq!(findings(&policy), [], "{key}");
        assert!(read("test", &policy.to_string()).0.contains_key(key));
    }
}

#[test]
fn a_wrong_value_of_each_key_is_named_at_it_and_not_used() {
    let with = |field: &str, value: Value| {
        let mut profile = profile();
        profile[field] = value;
        json!([profile])
    };
    let mut wrong = vec![
        ("profiles", with("key", json!(" "))),
        (
            "profiles",
            with("baseUrl", json!("http://warranty.sample.invalid")),
        ),
        ("profiles", with("storeId", json!([]))),
        ("profiles", with("storeId", json!(["host:JP-{store:4}"]))),
        ("profiles", with("utcOffset", json!("nine"))),
        ("profiles", with("tokenHelper", json!("token.sh"))),
        ("profiles", json!([profile(), profile()])),
        ("profiles", {
            let mut other = profile();
            (other["key"], other["name"]) = (json!("other"), json!("shops"));
            json!([profile(), other])
        }),
        ("language", json!("xx")),
        ("proxy", json!({ "mode": "fixed" })),
        (
            "proxy",
            json!({ "mode": "fixed", "url": "http://person:word@proxy.sample.invalid" }),
        ),
        ("profiles", with("tokenHelper", json!("C:token.exe"))),
        (
            "profiles",
            with("storeId", json!(["table:/etc/stores.csv"])),
        ),
        ("profiles", with("storeId", json!(["hostname:*-{store:4}"]))),
        ("tls", json!({ "only": true })),
        ("tls", json!({ "extraRoots": ["corp.pem"] })),
        ("log", json!({ "level": "all" })),
    ];
    // A number is no value of any key.
    wrong.extend(KEYS.iter().map(|key| (*key, json!(7))));
    for (key, value) in wrong {
        let policy = json!({ key: value });
        let found = findings(&policy);
        assert_eq!(
            found,
            [(key.to_owned(), PolicyProblem::WrongValue)],
            "{value}"
        );
        assert!(read("test", &policy.to_string()).0.is_empty());
    }
    for text in ["", "[]", "{", "7"] {
        assert_eq!(read("test", text).1[0].problem, PolicyProblem::NotJson);
    }
}

#[test]
fn a_key_or_a_field_that_is_there_twice_is_named() {
    let policies = good().into_iter().map(|(key, value)| {
        let one = format!("\"{key}\": {value}");
        format!("{{ {one}, {one} }}")
    });
    let stores = r#"{ "key": "shops", "storeId": ["machine-env:A"], "storeId": ["machine-env:B"],"#;
    let twice = profile().to_string().replacen('{', stores, 1);
    for text in policies.chain([format!(r#"{{ "profiles": [{twice}] }}"#)]) {
        let found = read("test", &text).1;
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(found[0].problem, PolicyProblem::WrongValue, "{text}");
        assert!(found[0].detail.starts_with("duplicate field"), "{text}");
    }
}

#[test]
fn a_path_that_is_absolute_on_any_system_is_read_without_a_finding() {
    for path in ["/sample", r"C:\sample", "c:/sample", r"\\server\sample"] {
        let mut profile = profile();
        profile["tokenHelper"] = json!(path);
        let policy = json!({ "profiles": [profile], "tls": { "extraRoots": [path] } });
        assert_eq!(findings(&policy), [], "{path}");
    }
}

#[test]
fn a_wrong_value_is_not_repeated_in_what_is_said_of_it() {
    let password = json!("http://person:sample-word@proxy.sample.invalid");
    let mut wrong: Vec<Value> = KEYS.map(|key| json!({ key: password })).into();
    wrong.push(json!({ "proxy": { "mode": password } }));
    wrong.push(json!({ "proxy": { "mode": "fixed", "url": password } }));
    for policy in wrong {
        for finding in read("test", &policy.to_string()).1 {
            assert!(!finding.detail.is_empty(), "{finding:?}");
            assert!(!finding.detail.contains("sample-word"), "{finding:?}");
        }
    }
}

#[test]
fn an_unknown_key_is_ignored_and_named_at_any_depth() {
    let mut profile = profile();
    profile["colour"] = json!("red");
    let policy = json!({ "newer": 1, "profiles": [profile], "profilesLocked": true });
    let mut found = findings(&policy);
    found.sort_by(|one, other| one.0.cmp(&other.0));
    let unknown = |path: &str| (path.to_owned(), PolicyProblem::UnknownKey);
    assert_eq!(found, [unknown("newer"), unknown("profiles[0].colour")]);
    assert_eq!(read("test", &policy.to_string()).0.len(), 2);
}

#[test]
fn a_field_named_like_a_secret_is_named_at_any_depth() {
    let mut profile = profile();
    profile["accessToken"] = json!("sample");
    let policy = json!({ "profiles": [profile], "Password": "sample", "support": { "apiKey": 1 } });
    let secrets: Vec<String> = findings(&policy)
        .into_iter()
        .filter(|(_, problem)| *problem == PolicyProblem::Secret)
        .map(|(path, _)| path)
        .collect();
    for path in ["Password", "profiles[0].accessToken", "support.apiKey"] {
        assert!(secrets.contains(&path.to_owned()), "{path}");
    }
    assert_eq!(secrets.len(), 3);
}

/// Each key with a value from each set of sources: the one that counts and how many do not.
#[test]
fn mandatory_comes_before_the_person_and_the_person_before_what_is_recommended() {
    // From the one that counts least to the one that counts most.
    let sources = [
        (Level::Recommended, "recommended"),
        (Level::Person, "settings"),
        (Level::Mandatory, "10"),
        (Level::Mandatory, "20"),
    ];
    for key in KEYS {
        for present in 0..16_u32 {
            let has = |at: &usize| present & (1 << at) != 0;
            let values = |at| has(&at).then(|| (key.to_owned(), json!(at)));
            let values = |at| Values::from_iter(values(at));
            let layer = |at: usize| Layer {
                level: sources[at].0,
                source: sources[at].1.to_owned(),
                values: values(at),
            };
            let state = PolicyState {
                layers: vec![layer(0), layer(2), layer(3)],
                ..PolicyState::default()
            };
            let shown = state.effective(&values(1));
            let shown = shown.iter().find(|shown| shown.key == key).unwrap();
            let first = (0..4).rev().find(has);
            let (level, source) = first.map_or((Level::BuiltIn, ""), |at| sources[at]);
            let found = (shown.level, shown.source.as_deref().unwrap_or_default());
            assert_eq!(found, (level, source), "{key} {present}");
            assert_eq!(shown.value, json!(first));
            let others = present.count_ones().saturating_sub(1);
            assert_eq!(shown.overruled.len(), others as usize);
        }
    }
}

#[test]
fn the_page_for_it_names_each_key() {
    let page = include_str!("../../../../../docs/deployment.md");
    for key in KEYS {
        assert!(page.contains(&format!("`{key}`")), "{key}");
    }
}
