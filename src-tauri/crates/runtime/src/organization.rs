//! What the policy of this computer leaves to the people in front of it.

use std::collections::BTreeSet;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use warranty_model::outbox::recovery::Pace;
use warranty_model::profile::Profile;
use warranty_model::settings::Language;

use crate::Result;
use crate::context::Context;
use crate::log;
use crate::policy::{
    ClosedProfile, Effective, Level, PolicyFinding, PolicyProblem, ProxyMode, Retention, Support,
    Tls,
};
use crate::settings::USUAL_RETENTION_DAYS;
use crate::work::lock;

/// What an organization set for all of its computers, as far as it concerns what people can do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Organization {
    /// What nobody here can change or do.
    pub locked: Locked,
    pub profiles: Vec<String>,
    /// Other live profiles that may be used while profiles are locked, to finish what was entered under them.
    pub unfinished: Vec<String>,
    /// Whom staff ask for help.
    pub support: Support,
    /// Whether nothing is sold live: the policy, or the store of the selected profile or of each one that may
    /// be selected, is not certain.
    pub closed: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Locked {
    /// Adding, changing and using other live profiles than those of the organization.
    pub profiles: bool,
    pub practice: bool,
    pub exports: bool,
    pub language: bool,
    /// For how long customers are stored.
    pub retention: bool,
}

/// What the organization set for this computer, and what counts of it.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PolicyReport {
    /// Each key with the value that counts.
    pub keys: Vec<Effective>,
    pub findings: Vec<PolicyFinding>,
    /// Whether the last good policy counts, because the present one cannot be relied on.
    pub is_last_good: bool,
    /// Whether nothing is sold live, because there never was a good policy.
    pub is_closed: bool,
    /// Managed profiles that nothing is sold under.
    pub closed_profiles: Vec<ClosedProfile>,
    /// Names of managed profiles that still sell for another address or store than they are set to.
    pub moved_profiles: Vec<String>,
}

impl Context {
    /// What the organization set, for work under this profile.
    pub fn organization(&self, profile: Option<&Profile>) -> Organization {
        let managed = self.managed_profiles();
        let ids: Vec<String> = managed.iter().map(|profile| profile.id()).collect();
        let none_is_set_up = profile.is_none() && !ids.is_empty();
        let profiles_locked = self.policy.value("profilesLocked") == Some(true);
        let closed_profiles = lock(&self.closed_profiles);
        let is_closed = |id| closed_profiles.contains_key(id);
        let closed_here = profile.is_some_and(|here| {
            // None is left to be chosen.
            let none_left = profiles_locked && ids.iter().all(is_closed);
            is_closed(&here.id) || none_left && self.refuse_profile(here).is_err()
        });
        let retention: Option<Retention> = self.policy.mandatory("retentionDays");
        Organization {
            locked: Locked {
                profiles: profiles_locked,
                practice: self.policy.value("practiceAllowed") == Some(false),
                exports: self.policy.value("exportAllowed") == Some(false),
                language: self.policy.mandatory::<Language>("language").is_some(),
                retention: retention.is_some_and(|set| set.value.is_some()),
            },
            profiles: ids,
            unfinished: Vec::new(),
            support: self.policy.value("support").unwrap_or_default(),
            closed: self.policy.is_closed || none_is_set_up || closed_here,
        }
    }

    pub fn closed_profiles(&self) -> Vec<ClosedProfile> {
        lock(&self.closed_profiles).values().cloned().collect()
    }

    /// The token helpers that are not run.
    pub fn unused_helpers(&self) -> impl Iterator<Item = PolicyFinding> {
        let managed = self.managed_profiles().into_iter();
        let helpers = managed.filter_map(|profile| profile.token_helper);
        // Profiles may share one.
        let helpers: BTreeSet<String> = helpers.collect();
        let unused = helpers
            .into_iter()
            .filter(|helper| !self.policies.trusts(helper.as_ref()));
        unused.map(|source| PolicyFinding {
            problem: if Path::new(&source).exists() {
                PolicyProblem::NotTrusted
            } else {
                PolicyProblem::Unreadable
            },
            source,
            path: "tokenHelper".to_owned(),
            detail: String::new(),
        })
    }

    /// The policy, with what a person set here.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub async fn policy_report(&self, moved_profiles: Vec<String>) -> Result<PolicyReport> {
        let Self { policy, store, .. } = self;
        let kept = store.settings().await?;
        let days = kept.retention_days.map(|days| json!({ "value": days }));
        let person = [
            ("language".to_owned(), json!(kept.language)),
            ("retentionDays".to_owned(), json!(days)),
        ];
        let mut keys = policy.effective(&person.into_iter().collect());
        for key in keys.iter_mut().filter(|key| key.level == Level::BuiltIn) {
            key.value = built_in(key.key);
        }
        let counts = self.settings().await?.retention_days;
        if let Some(shown) = keys.iter_mut().find(|key| key.key == "retentionDays") {
            show_retention(shown, counts.unwrap_or(USUAL_RETENTION_DAYS));
        }
        let closed_profiles = self.closed_profiles();
        let mut findings = policy.findings.clone();
        findings.extend(closed_profiles.iter().flat_map(|one| one.finding.clone()));
        findings.extend(self.unused_helpers());
        Ok(PolicyReport {
            keys,
            findings,
            is_last_good: policy.is_last_good,
            is_closed: policy.is_closed,
            closed_profiles,
            moved_profiles,
        })
    }
}

/// Shows the retention that counts. A policy that sets only the longest one leaves it to a person.
fn show_retention(shown: &mut Effective, days: u32) {
    let person = shown
        .overruled
        .iter()
        .position(|other| other.level == Level::Person && other.value["value"] == json!(days));
    if shown.value["value"].is_null()
        && let Some(person) = person
    {
        let person = shown.overruled.remove(person);
        (shown.level, shown.source) = (person.level, Some(person.source));
    }
    if let Some(value) = shown.value.as_object_mut() {
        value.insert("value".to_owned(), json!(days));
    }
}

/// What the program does by itself where nothing is set; `null` where that is nothing.
fn built_in(key: &str) -> Value {
    match key {
        "profiles" => json!([]),
        "profilesLocked" => json!(false),
        "practiceAllowed" | "exportAllowed" => json!(true),
        "retentionDays" => json!({ "value": USUAL_RETENTION_DAYS }),
        "proxy" => json!({ "mode": ProxyMode::System }),
        "tls" => json!(Tls::default()),
        "pace" => {
            let pace = Pace::default();
            json!({
                "spreadMinutes": pace.spread.as_secs() / 60,
                "unattendedCapSeconds": pace.unattended_cap.as_secs(),
            })
        }
        "log" => json!({ "level": "info", "keepDays": log::USUAL_DAYS, "maxMiB": log::USUAL_MIB }),
        _ => Value::Null,
    }
}
