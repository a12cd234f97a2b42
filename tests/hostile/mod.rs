//! The texts of `tests/fixtures/hostile.json`, and any number of others made of them.

#![allow(dead_code)]

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde::Deserialize;

/// A text that could be used against the program.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hostile {
    pub name: String,
    pub kind: String,
    text: Option<String>,
    #[serde(default = "once")]
    times: usize,
    json: Option<String>,
    /// What is read where `json` is no whole text.
    read: Option<String>,
}

fn once() -> usize {
    1
}

impl Hostile {
    /// The text; `None` for what is no text at all.
    pub fn text(&self) -> Option<String> {
        self.text.as_ref().map(|text| text.repeat(self.times))
    }

    /// The text as it is read from its JSON.
    pub fn read(&self) -> String {
        self.read.clone().or(self.text()).unwrap()
    }

    /// As a JSON string, legal or not.
    pub fn json(&self) -> String {
        match &self.json {
            Some(inside) => format!("\"{inside}\""),
            None => serde_json::to_string(&self.text()).unwrap(),
        }
    }

    /// Whether it is of a length that cannot be tried everywhere.
    pub fn is_long(&self) -> bool {
        self.times > 1
    }

    /// A text of one's own making.
    pub fn made(name: String, text: String) -> Self {
        Self {
            name,
            kind: "made".to_owned(),
            text: Some(text),
            times: 1,
            json: None,
            read: None,
        }
    }
}

/// The whole collection.
pub fn corpus() -> Vec<Hostile> {
    serde_json::from_str(include_str!("../fixtures/hostile.json")).unwrap()
}

/// Whether the long form of the proofs is asked for.
pub fn long() -> bool {
    std::env::var("WARRANTY_PROVE").is_ok_and(|form| form == "long")
}

/// Texts of two to four pieces of the collection, whole or cut; the same number gives the same text.
pub fn combined(count: usize) -> Vec<Hostile> {
    let pieces: Vec<String> = corpus()
        .iter()
        .filter(|piece| !piece.is_long())
        .filter_map(Hostile::text)
        .collect();
    (0..count)
        .map(|number| {
            let mut dice = StdRng::seed_from_u64(number as u64);
            let text = (0..dice.random_range(2..=4))
                .map(|_| {
                    let piece: Vec<char> = pieces.choose(&mut dice).unwrap().chars().collect();
                    let end = dice.random_range(0..=piece.len());
                    let whole = dice.random_bool(0.7);
                    piece[..if whole { piece.len() } else { end }]
                        .iter()
                        .collect::<String>()
                })
                .collect();
            Hostile::made(format!("combined-{number}"), text)
        })
        .collect()
}
