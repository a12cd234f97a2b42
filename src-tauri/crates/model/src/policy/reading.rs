//! Reads a source of a policy: key by key, so that each mistake is named at its place.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::keys::{Log, ManagedProfile, Pace, Proxy, ProxyMode, Retention, Support, Tls};
use super::store_id::is_source;
use super::{PolicyFinding, PolicyProblem, Values};
use crate::profile::{ProfileDraft, validation};
use crate::search_text::fold;
use crate::settings::{LONGEST_RETENTION_DAYS, Language};
use crate::{FieldProblem, Problem};

/// Words in the names of fields that hold secrets.
const SECRETS: [&str; 5] = ["token", "password", "passwd", "secret", "apikey"];
/// The one field with such a word that holds none.
const NO_SECRET: &str = "tokenHelper";
/// Minutes over which a backlog may be spread.
const SPREAD: RangeInclusive<u32> = 1..=120;
/// Seconds of the longest wait between tries with nobody at the window.
const CAP: RangeInclusive<u32> = 60..=3_600;
/// Longest time that a log is kept, in days.
pub const LOG_DAYS: u32 = 365;
/// Largest log, in MiB.
pub const LOG_MIB: u32 = 1_024;
/// Longest text for staff, in characters.
const LONGEST_TEXT: usize = 500;

/// Reads a source. The values are those that can be used; the findings name the others.
pub fn read(source: &str, text: &str) -> (Values, Vec<PolicyFinding>) {
    let mut findings = Vec::new();
    let mut values = Values::new();
    let mut found = |path: &str, problem, detail: String| {
        findings.push(PolicyFinding {
            source: source.to_owned(),
            path: path.to_owned(),
            problem,
            detail,
        });
    };
    // Some editors put a byte order mark in front.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let keys = match serde_json::from_str(text) {
        Ok(Value::Object(keys)) => keys,
        other => {
            let detail = other.map_or_else(|error| error.to_string(), |_| "no object".to_owned());
            found("", PolicyProblem::NotJson, detail);
            return (values, findings);
        }
    };
    if let Err(error) = serde_json::from_str::<WithoutRepeats>(text)
        && error.to_string().starts_with("duplicate field")
    {
        found("", PolicyProblem::WrongValue, error.to_string());
    }
    for (key, value) in keys {
        let mut is_secret = false;
        named_like_secrets(&key, &value, &key, &mut |path| {
            is_secret = true;
            found(path, PolicyProblem::Secret, String::new());
        });
        match typed(&key, &value) {
            None if !is_secret => found(&key, PolicyProblem::UnknownKey, String::new()),
            None => {}
            Some(Err(detail)) => found(&key, PolicyProblem::WrongValue, detail),
            Some(Ok(usable)) => {
                not_in(&value, &usable, &key, &mut |path| {
                    found(path, PolicyProblem::UnknownKey, String::new());
                });
                values.insert(key, usable);
            }
        }
    }
    (values, findings)
}

/// The keys, read for one thing that a [`Value`] does not tell: whether one of them, or a field, is there
/// twice, and all but the last are ignored.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code, reason = "nothing but the error is used")]
struct WithoutRepeats {
    profiles: Option<Vec<ManagedProfile>>,
    profiles_locked: Option<bool>,
    practice_allowed: Option<bool>,
    export_allowed: Option<bool>,
    language: Option<Language>,
    retention_days: Option<Retention>,
    proxy: Option<Proxy>,
    tls: Option<Tls>,
    pace: Option<Pace>,
    log: Option<Log>,
    support: Option<Support>,
}

/// The value in the form of its key; `None` for an unknown key.
fn typed(key: &str, value: &Value) -> Option<Result<Value, String>> {
    Some(match key {
        "profiles" => usable::<Vec<ManagedProfile>>(value, |profiles| of_profiles(profiles)),
        "profilesLocked" | "practiceAllowed" | "exportAllowed" => usable::<bool>(value, |_| Ok(())),
        "language" => usable::<Language>(value, |_| Ok(())),
        "retentionDays" => usable::<Retention>(value, |retention| {
            let is_sound = |days| within(days, 1..=LONGEST_RETENTION_DAYS);
            let sound = is_sound(retention.value) && is_sound(retention.max);
            require(sound, format!("from 1 to {LONGEST_RETENTION_DAYS} days"))
        }),
        "proxy" => usable::<Proxy>(value, of_proxy),
        "tls" => usable::<Tls>(value, |tls| {
            let sound = !tls.only || !tls.extra_roots.is_empty();
            require(sound, "`only` without `extraRoots` would trust nobody")?;
            let absolute = tls.extra_roots.iter().all(|file| is_absolute(file));
            require(absolute, "a path in `extraRoots` is not absolute")
        }),
        "pace" => usable::<Pace>(value, |pace| {
            let cap = within(pace.unattended_cap_seconds, CAP);
            let wanted = "spreadMinutes from 1 to 120, unattendedCapSeconds from 60 to 3600";
            require(within(pace.spread_minutes, SPREAD) && cap, wanted)
        }),
        "log" => usable::<Log>(value, |log| {
            let level = matches!(log.level.as_deref(), None | Some("error" | "warn" | "info"));
            require(level, "level is error, warn or info")?;
            let sound = within(log.keep_days, 1..=LOG_DAYS) && within(log.max_mib, 1..=LOG_MIB);
            let wanted = format!("keepDays from 1 to {LOG_DAYS}, maxMiB from 1 to {LOG_MIB}");
            require(sound, wanted)
        }),
        "support" => usable::<Support>(value, |support| {
            let mut texts = [&support.text, &support.url].into_iter().flatten();
            let sound = texts.all(|text| text.chars().count() <= LONGEST_TEXT);
            require(sound, format!("at most {LONGEST_TEXT} characters"))
        }),
        _ => return None,
    })
}

fn usable<T: DeserializeOwned + Serialize>(
    value: &Value,
    check: impl Fn(&T) -> Result<(), String>,
) -> Result<Value, String> {
    let typed: T = serde_json::from_value(value.clone()).map_err(|error| wanted(&error))?;
    check(&typed)?;
    serde_json::to_value(&typed).map_err(|error| wanted(&error))
}

/// What was wanted, without the value that was found: it may hold a password, and findings are in the
/// support bundle.
fn wanted(error: &serde_json::Error) -> String {
    let said = error.to_string();
    match said.rsplit_once("expected ") {
        Some((_, "u32")) => "expected a whole number".to_owned(),
        Some((_, wanted)) => format!("expected {wanted}"),
        None if said.starts_with("missing field") => said,
        None => "of another form".to_owned(),
    }
}

/// Refuses a value that is not sound, in words that say what would be.
fn require(sound: bool, wanted: impl Into<String>) -> Result<(), String> {
    sound.then_some(()).ok_or_else(|| wanted.into())
}

fn within(set: Option<u32>, range: RangeInclusive<u32>) -> bool {
    set.is_none_or(|set| range.contains(&set))
}

/// Whether a path is absolute on any system: a policy for tills with Windows may be checked on Linux.
fn is_absolute(path: &str) -> bool {
    let after_drive = path.get(1..3);
    path.starts_with('/') || path.starts_with(r"\\") || matches!(after_drive, Some(r":\" | ":/"))
}

fn of_profiles(profiles: &[ManagedProfile]) -> Result<(), String> {
    let (mut keys, mut names) = (HashSet::new(), HashSet::new());
    for profile in profiles {
        let named = |what: &str| Err(format!("{}: {what}", profile.key));
        if profile.key.trim().is_empty() || !keys.insert(profile.key.as_str()) {
            return named("each profile has a key of its own");
        }
        if !names.insert(fold(profile.name.trim())) {
            return named("two profiles have one name");
        }
        let key = fold(profile.key.trim());
        let is_named_so = |other: &ManagedProfile| fold(other.name.trim()) == key;
        if profiles
            .iter()
            .any(|other| other.key != profile.key && is_named_so(other))
        {
            return named("the key is the name of another profile");
        }
        if profile.store_id.is_empty() {
            return named("no source of the store id");
        }
        if let Some(source) = profile.store_id.iter().find(|source| !is_source(source)) {
            return named(&format!("{source} is no source of the store id"));
        }
        let Some(mut draft) = profile.draft() else {
            return named("utcOffset is not of the form +09:00");
        };
        // Found later, on each computer.
        draft.store_id = "store".to_owned();
        if let Err(problems) = validation::check(&draft) {
            let not_secure = |one: &&FieldProblem| one.problem == Problem::NotSecure;
            return named(match problems.iter().find(not_secure) {
                Some(_) => "baseUrl does not start with https",
                None => "name, baseUrl, utcOffset or timeZone cannot be used",
            });
        }
        if let Some(helper) = &profile.token_helper
            && !is_absolute(helper)
        {
            return named("tokenHelper is not an absolute path");
        }
    }
    Ok(())
}

impl ManagedProfile {
    /// The id of the profile, derived from its key: the same on every computer, so that its token
    /// can be stored before the profile is.
    pub fn id(&self) -> String {
        let digest = Sha256::new()
            .chain_update("warranty-desk managed profile ")
            .chain_update(&self.key)
            .finalize();
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&digest[..16]);
        uuid::Builder::from_custom_bytes(bytes)
            .into_uuid()
            .to_string()
    }

    /// The profile without its store; `None` when the offset is not of the form `+09:00`.
    pub fn draft(&self) -> Option<ProfileDraft> {
        let offset: chrono::FixedOffset = self.utc_offset.parse().ok()?;
        Some(ProfileDraft {
            name: self.name.clone(),
            base_url: self.base_url.clone(),
            store_id: String::new(),
            utc_offset_minutes: offset.local_minus_utc() / 60,
            time_zone: self.time_zone.clone(),
            display: self.display.clone().unwrap_or_default(),
            facts: self.facts.clone().unwrap_or_default(),
        })
    }
}

fn of_proxy(proxy: &Proxy) -> Result<(), String> {
    // A wildcard or another separator, as Windows has them, or a port: such an entry would match no host.
    let foreign = |entry: &str| {
        let has_port = entry.matches(':').count() == 1;
        entry != "*" && (entry.contains(['*', ';', ' ', '<']) || entry.contains("://") || has_port)
    };
    let bypass = proxy.bypass.as_deref().unwrap_or_default();
    let sound = !bypass.split(',').map(str::trim).any(foreign);
    let wanted = "`bypass` has hosts, domains and networks without ports, separated by commas";
    require(sound, wanted)?;
    let url = proxy.url.as_deref().map(url::Url::parse);
    match (proxy.mode, url) {
        (_, Some(Ok(url))) if url.password().is_some() || !url.username().is_empty() => {
            Err("an address with a user or a password".to_owned())
        }
        (ProxyMode::Fixed, Some(Ok(url))) if matches!(url.scheme(), "http" | "https") => Ok(()),
        (ProxyMode::Fixed, _) => Err("a fixed proxy needs an http address as `url`".to_owned()),
        (ProxyMode::System | ProxyMode::Direct, _) => Ok(()),
    }
}

/// The paths of fields that are named like a secret.
fn named_like_secrets(name: &str, value: &Value, path: &str, found: &mut dyn FnMut(&str)) {
    let lower = name.to_lowercase();
    if name != NO_SECRET && SECRETS.iter().any(|secret| lower.contains(secret)) {
        found(path);
    }
    each(value, path, |name, value, path| {
        named_like_secrets(name, value, path, found);
    });
}

/// The paths of what is in one value and not in another.
fn not_in(value: &Value, other: &Value, path: &str, found: &mut dyn FnMut(&str)) {
    each(value, path, |name, inner, path| {
        let there = match other {
            Value::Object(fields) => fields.get(name),
            Value::Array(items) => name.parse().ok().and_then(|at: usize| items.get(at)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        };
        match there {
            None => found(path),
            Some(there) => not_in(inner, there, path, found),
        }
    });
}

/// Goes through the fields of an object or the items of a list, with name or place, and path.
fn each(value: &Value, path: &str, mut visit: impl FnMut(&str, &Value, &str)) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                visit(name, value, &format!("{path}.{name}"));
            }
        }
        Value::Array(items) => {
            for (at, value) in items.iter().enumerate() {
                visit(&at.to_string(), value, &format!("{path}[{at}]"));
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
