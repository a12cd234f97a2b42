//! What schedules came to and what they met, counted.

use std::collections::BTreeMap;

/// Counts of one or of many schedules.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    /// What was met, by kind and name.
    met: BTreeMap<(&'static str, String), u64>,
    /// Entries that ended, by state.
    pub ended: BTreeMap<String, u64>,
    /// Sales made twice by a repeat within its window, at a provider that does not keep keys.
    pub exposed_by_repeat: u64,
    /// Sales made twice by a repeat that a person allowed, at such a provider.
    pub exposed_by_person: u64,
    /// Sales made twice because a person's word that there is none was overtaken.
    pub exposed_by_word: u64,
}

impl Tally {
    /// Notes one more of a kind.
    pub(super) fn met(&mut self, kind: &'static str, name: &str) {
        *self.met.entry((kind, name.to_owned())).or_default() += 1;
    }

    /// Adds another one's counts.
    pub(super) fn add(&mut self, other: &Self) {
        for (key, count) in &other.met {
            *self.met.entry(key.clone()).or_default() += count;
        }
        for (state, count) in &other.ended {
            *self.ended.entry(state.clone()).or_default() += count;
        }
        self.exposed_by_repeat += other.exposed_by_repeat;
        self.exposed_by_person += other.exposed_by_person;
        self.exposed_by_word += other.exposed_by_word;
    }

    /// How often one of a kind was met.
    pub(super) fn count(&self, kind: &'static str, name: &str) -> u64 {
        self.met
            .get(&(kind, name.to_owned()))
            .copied()
            .unwrap_or_default()
    }

    /// All of a kind on one line.
    pub(super) fn line(&self, kind: &'static str) -> String {
        self.met
            .iter()
            .filter(|((found, _), _)| *found == kind)
            .map(|((_, name), count)| format!("{name} {count}"))
            .collect::<Vec<_>>()
            .join(", ")
    }
}
