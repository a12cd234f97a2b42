//! Managed policy: what an organization sets for all of its computers.
//!
//! Owns the keys, how a file of them is read, and which source of a key counts. Never holds a secret.
//! Where files lie and what a key does is decided elsewhere.

mod keys;
mod reading;
pub mod store_id;

pub use keys::{Log, ManagedProfile, Pace, Proxy, ProxyMode, Retention, Support, Tls};
pub use reading::{LOG_DAYS, LOG_MIB, read};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Values by key, each of the form that its key asks for.
pub type Values = Map<String, Value>;

/// The keys, in the order that they are shown in.
pub const KEYS: [&str; 11] = [
    "profiles",
    "profilesLocked",
    "practiceAllowed",
    "exportAllowed",
    "language",
    "retentionDays",
    "proxy",
    "tls",
    "pace",
    "log",
    "support",
];

/// How much a source of values counts; the first counts most.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type,
)]
#[serde(rename_all = "camelCase")]
pub enum Level {
    /// Set by the organization; nobody here can change it.
    Mandatory,
    /// Set by a person at this computer.
    Person,
    /// Set by the organization for as long as no person chooses.
    Recommended,
    /// What the program does by itself.
    BuiltIn,
}

/// The values of one source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layer {
    /// How much they count.
    pub level: Level,
    /// Where they come from, for instance the path of a file.
    pub source: String,
    pub values: Values,
}

/// What is wrong in a source of a policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PolicyFinding {
    pub source: String,
    /// Which value, for instance `profiles[0].name`; empty for the whole source.
    pub path: String,
    pub problem: PolicyProblem,
    /// More of it, in technical words.
    pub detail: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum PolicyProblem {
    /// The file cannot be read.
    Unreadable,
    /// It is not where only the administrator can change it, so it does not count.
    NotTrusted,
    NotJson,
    /// The value has another form than its key asks for.
    WrongValue,
    /// There is no such key; it is ignored.
    UnknownKey,
    /// A field is named like a secret; a policy is no place for one.
    Secret,
}

impl PolicyProblem {
    /// Whether the policy as a whole cannot be relied on.
    pub fn is_fatal(self) -> bool {
        match self {
            Self::Unreadable | Self::NotTrusted | Self::NotJson | Self::WrongValue => true,
            Self::UnknownKey | Self::Secret => false,
        }
    }
}

/// A key with the value that counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Effective {
    pub key: &'static str,
    /// Its value; `null` where none is set and the program has no default.
    #[specta(type = specta_typescript::Unknown)]
    pub value: Value,
    /// How much its source counts.
    pub level: Level,
    /// Its source; `None` for what the program does by itself.
    pub source: Option<String>,
    /// What does not count beside it.
    pub overruled: Vec<Overruled>,
}

/// A value that does not count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Overruled {
    /// How much its source counts.
    pub level: Level,
    pub source: String,
    #[specta(type = specta_typescript::Unknown)]
    pub value: Value,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct PolicyState {
    /// Its sources; of one level, a later one counts more.
    pub layers: Vec<Layer>,
    pub findings: Vec<PolicyFinding>,
    /// Whether the sources could not be relied on, and the last good ones count instead.
    pub is_last_good: bool,
    /// Whether they could not be relied on and there never was a good policy: nothing is sold live.
    pub is_closed: bool,
}

impl PolicyState {
    /// Each key with the value that counts. `person` is what a person set here.
    pub fn effective(&self, person: &Values) -> Vec<Effective> {
        let person = Layer {
            level: Level::Person,
            source: "settings".to_owned(),
            values: person.clone(),
        };
        KEYS.map(|key| self.effective_of(key, &person)).into()
    }

    /// The value that counts where no person can set one.
    pub fn value<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let found = self
            .of(Level::Mandatory, key)
            .or_else(|| self.of(Level::Recommended, key))?;
        serde_json::from_value(found.clone()).ok()
    }

    /// The value that nobody here can change.
    pub fn mandatory<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        serde_json::from_value(self.of(Level::Mandatory, key)?.clone()).ok()
    }

    fn of(&self, level: Level, key: &str) -> Option<&Value> {
        self.layers(level).find_map(|layer| layer.values.get(key))
    }

    /// The sources of a level, the one that counts most first.
    fn layers(&self, level: Level) -> impl Iterator<Item = &Layer> {
        let layers = self.layers.iter().rev();
        layers.filter(move |layer| layer.level == level)
    }

    fn effective_of(&self, key: &'static str, person: &Layer) -> Effective {
        let layers = self.layers(Level::Mandatory).chain([person]);
        let layers = layers.chain(self.layers(Level::Recommended));
        let mut found = layers.filter_map(|layer| {
            let value = layer.values.get(key).filter(|value| !value.is_null())?;
            Some(Overruled {
                level: layer.level,
                source: layer.source.clone(),
                value: value.clone(),
            })
        });
        let first = found.next();
        Effective {
            key,
            level: first.as_ref().map_or(Level::BuiltIn, |first| first.level),
            source: first.as_ref().map(|first| first.source.clone()),
            value: first.map_or(Value::Null, |first| first.value),
            overruled: found.collect(),
        }
    }
}

#[cfg(test)]
#[path = "policy_tests.rs"]
mod tests;
