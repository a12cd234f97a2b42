//! The keys of a policy and the form of their values.

use serde::{Deserialize, Serialize};

use crate::profile::{Display, ProviderFacts};

/// A profile that every computer has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ManagedProfile {
    /// Names it for ever: its id is derived from it.
    pub key: String,
    pub name: String,
    pub base_url: String,
    /// Where the id of the store is found, in this order: `machine-env:NAME`,
    /// `hostname:JP-{store:4}-*`, `table:FILE.csv` with the columns host and store.
    pub store_id: Vec<String>,
    /// Offset of the store's clock, for instance `+09:00`.
    pub utc_offset: String,
    /// IANA name of its time zone.
    pub time_zone: Option<String>,
    /// Labels of amounts and terms.
    pub display: Option<Display>,
    pub facts: Option<ProviderFacts>,
    /// A program that prints the token of the logged-in user.
    pub token_helper: Option<String>,
}

/// How long customers are stored, in days.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Retention {
    pub value: Option<u32>,
    /// At most so long, if a person chooses.
    pub max: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Proxy {
    pub mode: ProxyMode,
    /// Address of a fixed one, without user and password.
    pub url: Option<String>,
    /// Hosts, domains and networks reached without it, separated by commas.
    pub bypass: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ProxyMode {
    /// What the system says.
    System,
    Fixed,
    Direct,
}

/// Certificate authorities.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Tls {
    /// Absolute paths of PEM files with more authorities.
    pub extra_roots: Vec<String>,
    /// Whether these alone are trusted.
    pub only: bool,
}

/// How fast a fleet comes back after an outage.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Pace {
    /// Over this time waiting sales are spread, in minutes.
    pub spread_minutes: Option<u32>,
    /// The longest wait between tries with nobody at the window, in seconds.
    pub unattended_cap_seconds: Option<u32>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Log {
    /// How much is written: `error`, `warn` or `info`.
    pub level: Option<String>,
    pub keep_days: Option<u32>,
    /// Most MiB of all days together.
    #[serde(rename = "maxMiB")]
    pub max_mib: Option<u32>,
}

/// Whom staff ask for help.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase", default)]
pub struct Support {
    pub text: Option<String>,
    /// A web page.
    pub url: Option<String>,
}
