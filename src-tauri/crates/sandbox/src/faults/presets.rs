//! The named faults and the named personalities, read from `faults.json` and `personalities.json`. Each fault is also
//! a personality of the same name, which applies it to every request.

use std::sync::LazyLock;

use serde::de::DeserializeOwned;

use super::{
    action::{Action, Rule, When},
    personality::Personality,
};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no personality {name:?}; there are: {}", Personality::names().join(", "))]
pub struct UnknownPersonality {
    pub name: String,
}

static FAULTS: LazyLock<Vec<(String, Action)>> =
    LazyLock::new(|| entries(include_str!("faults.json")));

static PERSONALITIES: LazyLock<Vec<(String, Personality)>> = LazyLock::new(|| {
    let mut all: Vec<(String, Personality)> = entries(include_str!("personalities.json"));
    all.extend(FAULTS.iter().map(|(name, action)| {
        let faults = vec![Rule {
            operations: Vec::new(),
            when: When::Always,
            action: action.clone(),
        }];
        let personality = Personality {
            faults,
            ..Personality::default()
        };
        (name.clone(), personality)
    }));
    all
});

/// The entries of a file that is part of this program; a test reads both files.
fn entries<T: DeserializeOwned>(json: &str) -> Vec<(String, T)> {
    serde_json::from_str(json).unwrap_or_default()
}

pub fn named_faults() -> Vec<(&'static str, Action)> {
    let faults = FAULTS.iter();
    faults
        .map(|(name, action)| (name.as_str(), action.clone()))
        .collect()
}

impl Personality {
    pub fn named(name: &str) -> Result<Personality, UnknownPersonality> {
        let found = PERSONALITIES.iter().find(|(known, _)| known == name);
        found
            .map(|(_, personality)| personality.clone())
            .ok_or_else(|| UnknownPersonality {
                name: name.to_owned(),
            })
    }

    /// Every name [`Personality::named`] knows.
    pub fn names() -> Vec<&'static str> {
        PERSONALITIES.iter().map(|(name, _)| &**name).collect()
    }
}
