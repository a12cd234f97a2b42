//! The rules every request, every state shown and every end is held to.
//!
//! Owns the verdict. It reads the desk's file past the desk, and believes the provider's books alone.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::TimeDelta;
use uuid::Uuid;

use super::faults::{Fault, Reaches};
use super::kept::{self, Row, entries_of, intent, roots, rows};
use super::wire::Line;
use super::world::{State, TRIAL_AFTER, World};

/// How long a repeat is safe where the provider has not said.
const WINDOW: Duration = Duration::from_secs(600);
/// As long as a request may last.
const LASTS: Duration = Duration::from_secs(60);

/// The desk's file keeps times in whole milliseconds of two clocks.
const ROUNDED: Duration = Duration::from_millis(2);

/// What is known of one key.
#[derive(Debug, Default)]
pub(super) struct Requests {
    /// The entries its body carries, in order.
    entries: Vec<String>,
    body: Vec<u8>,
    /// Requests since it was last known to be nowhere that may have been heard.
    doubts: Vec<Sent>,
    /// How often it was repeated because a person said so.
    granted: u32,
    /// The process that read its answer.
    answered_in: Option<u32>,
}

#[derive(Debug, Clone)]
struct Sent {
    at: Duration,
    boot: Uuid,
    wall_offset: TimeDelta,
    scope: String,
}

/// Holds a request to the rules at the moment it leaves.
pub(super) fn request(line: &Line, body: &[u8], key: &str) {
    let medium = line.world.medium();
    let (intent, entries, rows) = medium.look(|connection| {
        (
            intent(connection, key),
            entries_of(connection, key),
            rows(connection),
        )
    });
    let mut state = line.world.state();
    let now = state.elapsed();
    // A process that died between intent and wire leaves a doubt: its repeat waits for nobody.
    let doubted = intent.as_ref().is_some_and(|intent| intent.doubted);
    match intent {
        Some(found) if found.state == "inFlight" && found.open => {
            if found.base_url != line.base_url || found.token.as_deref() != Some(&line.token) {
                state.broken(format!("{key} goes another way than its intent says"));
            }
        }
        Some(found) => state.broken(format!(
            "{key} was sent without a durable intent: the file says {}",
            found.state
        )),
        None => state.broken(format!("{key} was sent and is not in the file")),
    }
    let early = state.asked.get(key).is_some_and(|asked| {
        now + ROUNDED < asked.until && asked.wall_offset == state.began_offset
    });
    if !doubted && early {
        state.broken(format!(
            "{key} was sent again before the wait that its answer asked for was over"
        ));
    }
    let Some(known) = state.requests.get(key) else {
        let quiet = state.quiet_until.get(&line.profile);
        if !doubted && quiet.is_some_and(|until| now < *until) {
            state.broken(format!(
                "{key} was begun while the service asked to be left alone"
            ));
        }
        if !doubted {
            let next = now + TRIAL_AFTER;
            let trial = state.trials.insert(line.profile.clone(), next);
            if state.silent.contains(&line.profile) {
                if trial.is_none_or(|trial| now + ROUNDED < trial) {
                    state.broken(format!("{key} was begun while the service was silent"));
                }
                state.tally.met("probe", "never answered");
            }
        }
        again_under_another_key(&mut state, key, &entries, &rows);
        let requests = Requests {
            entries,
            body: body.to_vec(),
            ..Requests::default()
        };
        state.requests.insert(key.to_owned(), requests);
        return;
    };
    let changed = known.body != body;
    let granted = state.grants.get(key).is_some_and(|left| *left > 0);
    let answered = known.answered_in == Some(state.life) && !granted;
    let doubts = known.doubts.clone();
    if changed {
        state.broken(format!("{key} was sent with other bytes than before"));
    }
    if answered {
        state.broken(format!("{key} was sent again although its answer was read"));
    }
    again_under_another_key(&mut state, key, &entries, &rows);
    repeated(&mut state, line, key, &doubts, now);
}

/// Nothing that was sold under one key goes out under another one, unless a person gave their word.
fn again_under_another_key(state: &mut State, key: &str, entries: &[String], rows: &[Row]) {
    let roots = roots(rows);
    let mut broken = Vec::new();
    for entry in entries {
        let root = roots.get(entry.as_str()).copied().unwrap_or(entry);
        if state.words.contains(root) {
            continue;
        }
        let sold = state.provider.books.iter().any(|sold| {
            sold.key != key
                && state.requests.get(&sold.key).is_some_and(|other| {
                    other.entries.iter().any(|other| {
                        roots.get(other.as_str()).copied() == Some(root)
                            && rows
                                .iter()
                                .any(|row| row.id == *other && row.transaction == sold.transaction)
                    })
                })
        });
        if sold {
            broken.push(format!(
                "{entry} was sold under another key than {key} already"
            ));
        }
    }
    for rule in broken {
        state.broken(rule);
    }
}

/// Holds a repeat to all conditions of a repeat.
fn repeated(state: &mut State, line: &Line, key: &str, doubts: &[Sent], now: Duration) {
    let Some(first) = doubts.first() else { return };
    if doubts.iter().any(|sent| sent.scope != scope(line)) {
        state.broken(format!(
            "{key} was repeated with another token or at another address"
        ));
    }
    if state.grants.get(key).copied().unwrap_or(0) > 0 {
        *state.grants.get_mut(key).unwrap() -= 1;
        state.requests.get_mut(key).unwrap().granted += 1;
        return;
    }
    let window = state
        .provider
        .temper
        .facts
        .key_replay_seconds
        .map_or(WINDOW, |seconds| {
            Duration::from_secs(seconds.into()).saturating_sub(LASTS)
        });
    let steady = (state.wall_offset - first.wall_offset).abs() <= TimeDelta::seconds(2);
    if first.boot != state.boot {
        state.broken(format!("{key} was repeated after a restart of the machine"));
    }
    if now > first.at + window + Duration::from_millis(1) {
        state.broken(format!("{key} was repeated after its window"));
    }
    if !steady {
        state.broken(format!("{key} was repeated although the clock was set"));
    }
    if doubts.len() >= 6 {
        state.broken(format!("{key} was sent {} times", doubts.len() + 1));
    }
}

fn scope(line: &Line) -> String {
    format!("{} {}", line.base_url, line.token)
}

/// Holds a lookup to the wait the service asked for.
pub(super) fn lookup(state: &mut State, line: &Line) {
    let now = state.elapsed();
    let quiet = state.quiet_until.get(&line.profile).copied();
    if quiet.is_some_and(|until| now < until) && !state.looking {
        state.broken("a lookup was made while the service asked to be left alone".to_owned());
    }
}

impl State {
    /// Whether a key's requests carried this entry.
    pub(super) fn sold_for(&self, key: &str, entry: &str) -> bool {
        self.requests
            .get(key)
            .is_some_and(|requests| requests.entries.iter().any(|id| id == entry))
    }

    /// Notes that this process read that all of a request was done.
    pub(super) fn note_answer(&mut self, key: &str) {
        let life = self.life;
        if let Some(requests) = self.requests.get_mut(key) {
            requests.answered_in = Some(life);
        }
    }

    /// Notes what a request that leaves now meets.
    pub(super) fn note_request(&mut self, line: &Line, key: &str, fault: Fault, now: Duration) {
        let sent = Sent {
            at: now,
            boot: self.boot,
            wall_offset: self.wall_offset,
            scope: scope(line),
        };
        let Some(requests) = self.requests.get_mut(key) else {
            return;
        };
        if fault.reaches() != Reaches::Nowhere && !fault.declines() {
            requests.doubts.push(sent);
        }
    }
}

/// Holds everything that is shown to the books.
pub(super) fn look_around(world: &World) {
    let rows = world.medium().look(rows);
    let left = world.medium().look(kept::left_of_cancelled);
    let mut state = world.state();
    let now = state.elapsed();
    state.provider.work_until(now);
    let late = |batch| format!("{batch} waits although its run was cancelled");
    let mut broken: Vec<String> = left.into_iter().map(late).collect();
    let roots = roots(&rows);
    for id in state.acknowledged.keys() {
        if !roots.contains_key(id.as_str()) {
            broken.push(format!("{id} was acknowledged and is not there"));
        }
    }
    let mut given: BTreeMap<&str, &str> = BTreeMap::new();
    for row in &rows {
        let sold_under_its_key =
            state.provider.books.iter().any(|sold| {
                Some(&sold.key) == row.key.as_ref() && sold.transaction == row.transaction
            });
        match row.state.as_str() {
            "accepted" | "confirmed" => {
                let Some(contract) = row.contract_id.as_deref() else {
                    broken.push(format!("{} is {} without a contract", row.id, row.state));
                    continue;
                };
                let sold = state
                    .provider
                    .books
                    .iter()
                    .find(|sold| sold.contract.id.as_str() == contract);
                if sold.is_none_or(|sold| sold.transaction != row.transaction) {
                    broken.push(format!(
                        "{} is shown as sold and is not: {contract}",
                        row.id
                    ));
                }
                if let Some(other) = given.insert(contract, &row.id) {
                    broken.push(format!("{contract} is shown for {other} and {}", row.id));
                }
            }
            "draft" | "queued" | "held" | "rejected" if sold_under_its_key => {
                broken.push(format!("{} is shown as {} and was sold", row.id, row.state));
            }
            "cancelled" if sold_under_its_key && !row.doubted && row.contract_id.is_none() => {
                broken.push(format!("{} was given up as unsold and was sold", row.id));
            }
            _ => {}
        }
    }
    for rule in broken {
        state.broken(rule);
    }
}

/// The last judgement: nothing lost, nothing sold twice but by exposure, everything at an end.
pub(super) fn end(world: &World) {
    look_around(world);
    let rows = world.medium().look(rows);
    let taken_back = world.medium().look(kept::taken_back);
    let mut state = world.state();
    for _ in 0..taken_back {
        state.tally.met("file", "taken back");
    }
    let roots = roots(&rows);
    let mut sales: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut broken = Vec::new();
    for sold in &state.provider.books {
        let root = state.requests.get(&sold.key).and_then(|requests| {
            requests.entries.iter().find_map(|entry| {
                let row = rows.iter().find(|row| row.id == *entry)?;
                (row.transaction == sold.transaction)
                    .then(|| roots.get(entry.as_str()).copied())
                    .flatten()
            })
        });
        match root {
            Some(root) => sales.entry(root).or_default().push(sold.key.clone()),
            None => broken.push(format!("{} was sold for nobody", sold.contract.id)),
        }
    }
    let (mut repeats, mut grants, mut words) = (0, 0, 0);
    for (root, keys) in &sales {
        for (index, key) in keys.iter().enumerate().skip(1) {
            let same = keys[..index].contains(key);
            let granted = state.requests[key].granted > 0;
            let told = state.provider.temper.facts.key_replay_seconds.is_some();
            if !same && state.words.contains(*root) {
                words += 1;
            } else if same && state.provider.temper.may_double() && granted {
                grants += 1;
            } else if same && state.provider.temper.may_double() && !told {
                repeats += 1;
            } else {
                broken.push(format!("{root} was sold twice, under {keys:?}"));
            }
        }
    }
    state.tally.exposed_by_repeat += repeats;
    state.tally.exposed_by_person += grants;
    state.tally.exposed_by_word += words;
    for row in &rows {
        *state.tally.ended.entry(row.state.clone()).or_default() += 1;
        if !matches!(
            row.state.as_str(),
            "confirmed" | "cancelled" | "needsPerson" | "rejected"
        ) {
            broken.push(format!("{} never got further than {}", row.id, row.state));
        }
    }
    for rule in broken {
        state.broken(rule);
    }
}
