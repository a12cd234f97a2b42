//! The books: what the service has sold, held against what the desk shows.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use rusqlite::{Connection, OpenFlags};
use serde_json::Value;

use super::text;

/// Everything known so far.
#[derive(Debug, Default)]
pub struct Books {
    /// Contract id by transaction.
    sold: HashMap<String, String>,
    /// Every entry that was ever shown.
    shown: BTreeSet<String>,
}

/// What a process was doing when it was killed, by what it left behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Nothing of the file is kept.
    BeforeKeeping,
    /// All of it is kept and nothing was sent.
    Kept,
    /// Something was on its way.
    Sending,
    /// Something was sent before, and the rest waits.
    BetweenSends,
    /// The service has all of it, and not all of it was seen there.
    Confirming,
    /// All of it is confirmed.
    Done,
}

impl Phase {
    const ALL: [Self; 6] = [
        Self::BeforeKeeping,
        Self::Kept,
        Self::Sending,
        Self::BetweenSends,
        Self::Confirming,
        Self::Done,
    ];

    /// By the entries of the file.
    pub fn of(entries: &[&Value]) -> Self {
        let all = |states: &[&str]| {
            entries
                .iter()
                .all(|entry| states.contains(&entry["state"].as_str().unwrap()))
        };
        let any = |state: &str| entries.iter().any(|entry| entry["state"] == state);
        if entries.is_empty() {
            Self::BeforeKeeping
        } else if any("unknown") {
            Self::Sending
        } else if all(&["queued"]) && entries.iter().all(|entry| entry["attempts"] == 0) {
            Self::Kept
        } else if all(&["confirmed", "cancelled"]) {
            Self::Done
        } else if all(&["accepted", "confirmed", "cancelled"]) {
            Self::Confirming
        } else {
            Self::BetweenSends
        }
    }
}

impl Books {
    /// The contract of a transaction, if it was sold.
    pub fn contract_of(&self, transaction: &str) -> Option<String> {
        self.sold.get(transaction).cloned()
    }

    /// Fails the test unless all is right.
    pub fn judge(&mut self, ledger: &[Value], entries: &[Value]) {
        let mut sold = HashMap::new();
        for sale in ledger {
            let (transaction, contract) = (text(sale, "transactionId"), text(sale, "contractId"));
            let before = sold.insert(transaction.clone(), contract);
            assert!(before.is_none(), "sold twice: {transaction}");
        }
        let mut known = BTreeSet::new();
        let mut ids = BTreeSet::new();
        for entry in entries {
            let transaction = text(entry, "transactionId");
            let contract = sold.get(&transaction).map(String::as_str);
            match entry["state"].as_str().unwrap() {
                "accepted" | "confirmed" => {
                    assert!(contract.is_some(), "shown as sold and is not: {entry}");
                    assert_eq!(entry["contractId"].as_str(), contract, "{entry}");
                    known.insert(transaction);
                }
                "unknown" | "needsPerson" => {
                    known.insert(transaction);
                }
                "draft" | "queued" | "held" | "rejected" | "inFlight" => {
                    assert!(contract.is_none(), "sold, and would be sold again: {entry}");
                }
                "cancelled" => {}
                other => panic!("no such state: {other}"),
            }
            ids.insert(text(entry, "id"));
        }
        for transaction in sold.keys() {
            assert!(
                known.contains(transaction),
                "sold, not known: {transaction}"
            );
        }
        let lost: Vec<&String> = self.shown.difference(&ids).collect();
        assert!(lost.is_empty(), "shown before and lost: {lost:?}");
        self.shown.extend(ids);
        self.sold = sold;
    }
}

/// Where kills fell.
#[derive(Debug, Default)]
pub struct Met(BTreeMap<Phase, usize>);

impl Met {
    /// Counts a kill.
    pub fn count(&mut self, phase: Phase) {
        *self.0.entry(phase).or_default() += 1;
    }

    /// Adds those of another campaign.
    pub fn add(&mut self, other: &Self) {
        for (phase, count) in &other.0 {
            *self.0.entry(*phase).or_default() += count;
        }
    }

    /// How many kills fell where. Those that a moment aims at must have been met; a few kills may
    /// miss the short ones. Between sends nothing is on its way, which hardly lasts: all batches of a
    /// file leave together, and the rest waits only after a failure.
    pub fn text(&self, many: bool) -> String {
        let counts = Phase::ALL.map(|phase| {
            let count = self.0.get(&phase).copied().unwrap_or_default();
            let aimed_at = match phase {
                Phase::BeforeKeeping | Phase::Sending => true,
                Phase::Kept | Phase::Confirming | Phase::Done => many,
                Phase::BetweenSends => false,
            };
            assert!(
                count > 0 || !aimed_at,
                "never killed in {phase:?}: {self:?}"
            );
            format!("{phase:?} {count}")
        });
        counts.join(", ")
    }
}

fn database(folder: &Path, name: &str) -> Connection {
    Connection::open_with_flags(folder.join(name), OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap()
}

/// How many entries the desk has kept.
pub fn entries(folder: &Path) -> i64 {
    let count = "SELECT count(*) FROM submission";
    let connection = database(folder, "desk.db");
    connection.query_row(count, [], |row| row.get(0)).unwrap()
}

/// Fails the test unless both files are sound to the last page.
pub fn integrity(folder: &Path) {
    for name in ["desk.db", "cache.db"] {
        let found: String = database(folder, name)
            .query_row("PRAGMA integrity_check", [], |row| row.get(0))
            .unwrap();
        assert_eq!(found, "ok", "{name}");
    }
}
