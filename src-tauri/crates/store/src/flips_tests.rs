//! Damage at random places of both files, as a disk does it: what is opened afterwards is right, or
//! says that it is not. `WARRANTY_PROVE=long` for the long form, `WARRANTY_SEED` for one alone.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::time::{Instant, SystemTime};

use chrono::{DateTime, Utc};
use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use rusqlite::types::ValueRef::Text;
use warranty_model::interface::{PlanId, PlanWithProduct};

use super::Store;
use super::backup::Backups;
use super::opening::{closed, open};
use super::plans::PlanCache;
use super::submissions::Frozen;
use super::test_fixtures::{freeze, frozen, keep, profile, seeds, sent};
use crate::StoreError;
use warranty_model::outbox::state::Event;
use warranty_model::recovery::RescueReport;

const SHORT: u64 = 60;
const LONG: u64 = 1_000;

/// Everything about sales that a row says, by the entry's id.
type Rows = BTreeMap<String, Vec<String>>;

fn at() -> DateTime<Utc> {
    "2026-11-21T10:00:00Z".parse().unwrap()
}

/// How the desk ended before the damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    /// It was closed.
    Closed,
    /// It was killed: much is in the log only.
    Killed,
}

/// A data folder as it lies on the disk, by paths inside it, with what was in it.
struct Left {
    end: End,
    files: Vec<(String, Vec<u8>, SystemTime)>,
    rows: Rows,
}

async fn rows(store: &Store) -> Result<Rows, StoreError> {
    store
        .call(|connection| {
            let sql =
                "SELECT s.id, s.state, s.case_reason, s.transaction_id, s.product_reference_id,
                    s.plan_id, s.plan_purchase_price, s.contract_id, s.entered_at, b.id, b.state,
                    b.idempotency_key, b.base_url, hex(b.body), hex(c.encrypted),
                    (SELECT group_concat(number || class) FROM attempt a WHERE a.batch_id = b.id)
                FROM submission s JOIN batch b ON b.id = s.batch_id
                LEFT JOIN submission_customer c ON c.submission_id = s.id ORDER BY s.number";
            connection
                .prepare(sql)?
                .query_map([], |row| {
                    let text = |column| row.get_ref(column).map(|value| format!("{value:?}"));
                    let id: String = row.get(0)?;
                    Ok((id, (1..16).map(text).collect::<Result<_, _>>()?))
                })?
                .collect()
        })
        .await
}

/// Leaves pending, unknown, accepted and confirmed entries behind, a copy of some of them, and a
/// few newer ones.
async fn left(end: End) -> Left {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path(), at()).await.unwrap();
    keep(&store, profile("profile", "practice")).await;
    sent(&store, 1, &["a", "b", "c"], Event::Unclear, &[]).await;
    sent(&store, 2, &["d", "e"], Event::Accepted, &["c-d", "c-e"]).await;
    assert_eq!(frozen(&store, freeze(3, &["f", "g"])).await, Frozen::Done);
    confirm(&store, "d").await;
    Backups::of(folder.path()).take(at()).unwrap();
    // From here on the log begins again: what is above is in the file, what is below in the log.
    store
        .call(|connection| connection.execute_batch("PRAGMA wal_checkpoint(RESTART)"))
        .await
        .unwrap();
    sent(&store, 4, &["h", "i"], Event::Accepted, &["c-h", "c-i"]).await;
    sent(&store, 5, &["j"], Event::Unclear, &[]).await;
    assert_eq!(frozen(&store, freeze(6, &["k"])).await, Frozen::Done);
    confirm(&store, "h").await;
    let rows = rows(&store).await.unwrap();
    let cache = PlanCache::open(&folder.path().join("cache.db"), false).await;
    drop(cache);
    if end == End::Closed {
        store.close().await;
        closed(folder.path()).await;
    }
    let mut files = Vec::new();
    for part in ["", "backup"] {
        for file in fs::read_dir(folder.path().join(part)).unwrap() {
            let path = file.unwrap().path();
            if path.is_file() {
                let written = fs::metadata(&path).unwrap().modified().unwrap();
                let name = path.strip_prefix(folder.path()).unwrap();
                let name = name.to_str().unwrap().to_owned();
                files.push((name, fs::read(&path).unwrap(), written));
            }
        }
    }
    store.close().await;
    Left { end, files, rows }
}

async fn confirm(store: &Store, id: &'static str) {
    let sql = "UPDATE submission SET state = 'confirmed' WHERE id = ?1";
    store.change(sql, [id]).await.unwrap();
}

/// One thing that a disk may do to a file.
fn damage(bytes: &mut Vec<u8>, dice: &mut StdRng) {
    let place = dice.random_range(0..bytes.len());
    let end = (place + dice.random_range(1..6000)).min(bytes.len());
    match dice.random_range(0..6) {
        0 | 1 => bytes[place] ^= 1 << dice.random_range(0..8),
        2 => bytes[place] = bytes[place].wrapping_add(dice.random_range(1..=255)),
        3 => bytes[place..end].fill(0),
        4 => bytes[place..end]
            .iter_mut()
            .for_each(|byte| *byte = dice.random()),
        _ => bytes.truncate(place),
    }
}

/// What one schedule came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Came {
    /// Everything is as it was.
    Right,
    /// Set aside, with a report.
    Rescued,
    /// A value is another one, where a killed process left no digest; no sale was invented.
    Altered,
    /// Not opened, and nothing touched.
    Refused,
}

async fn play(seed: u64, left: &Left) -> (&'static str, Came) {
    let mut dice = StdRng::seed_from_u64(seed);
    let targets: &[&str] = match left.end {
        End::Closed => &["desk.db", "desk.db", "cache.db"],
        End::Killed => &["desk.db", "desk.db-wal"],
    };
    let target = targets[dice.random_range(0..targets.len())];
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("backup")).unwrap();
    let mut spoilt = Vec::new();
    for (name, bytes, written) in &left.files {
        let mut bytes = bytes.clone();
        if name == target {
            let whole = bytes.clone();
            while bytes == whole {
                damage(&mut bytes, &mut dice);
            }
            spoilt = bytes.clone();
        }
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let file = File::options().write(true).open(path).unwrap();
        file.set_modified(*written).unwrap();
    }
    let came = match target {
        "cache.db" => cache(seed, folder.path()).await,
        _ => desk(seed, left, folder.path(), target, &spoilt).await,
    };
    (target, came)
}

async fn cache(seed: u64, folder: &Path) -> Came {
    let id = PlanId::new("a").unwrap();
    let plan = serde_json::json!({
        "plan": {
            "id": "a", "storeReferenceId": null, "title": "t", "price": 1, "termLength": 1,
            "serviceType": "s", "protectionType": "p", "url": null,
        },
        "product": { "referenceId": "p" },
    });
    let plan: PlanWithProduct = serde_json::from_value(plan).unwrap();
    // One that is found damaged knows nothing until it is opened again.
    for _ in 0..2 {
        let cache = PlanCache::open(&folder.join("cache.db"), false).await;
        cache.plan("profile", &id).await;
        cache.keep_plan("profile", plan.clone(), 1).await;
        if cache.plan("profile", &id).await.is_some() {
            return Came::Right;
        }
    }
    panic!("seed {seed}: the cache stopped working");
}

async fn desk(seed: u64, left: &Left, folder: &Path, target: &str, spoilt: &[u8]) -> Came {
    let store = match open(folder, at()).await {
        Ok(store) => store,
        Err(error) => {
            assert_eq!(left.end, End::Killed, "seed {seed}: {error}");
            assert!(
                fs::read(folder.join(target)).unwrap() == spoilt,
                "seed {seed}"
            );
            return Came::Refused;
        }
    };
    let report = store.unseen_report().await.unwrap();
    let found = rows(&store).await;
    store.close().await;
    if let Some(report) = report {
        set_aside_is_told(seed, folder, (target, spoilt), &report);
        nothing_invented(seed, left, &found.unwrap());
        return Came::Rescued;
    }
    let Ok(found) = found else {
        assert_eq!(left.end, End::Killed, "seed {seed}: unreadable");
        return Came::Refused;
    };
    if found == left.rows {
        return Came::Right;
    }
    assert_eq!(left.end, End::Killed, "seed {seed}: rows are not right");
    nothing_invented(seed, left, &found);
    assert_eq!(target, "desk.db", "seed {seed}: commits are gone");
    assert_eq!(found.len(), left.rows.len(), "seed {seed}: rows are gone");
    Came::Altered
}

fn set_aside_is_told(
    seed: u64,
    folder: &Path,
    (target, spoilt): (&str, &[u8]),
    report: &RescueReport,
) {
    let aside = report.set_aside.as_ref().unwrap();
    let kept = target.replace("desk.db", aside);
    let kept = fs::read(folder.join(kept)).unwrap_or_default();
    assert!(kept == spoilt, "seed {seed}: the damaged file was changed");
    assert!(report.backup_taken_at.is_some(), "seed {seed}: no copy");
    let is_listed = |id: &str, is_case: bool| {
        let mut rows = report.pending.iter();
        rows.any(|row| row.transaction_id == id && (row.in_backup || !is_case))
    };
    // What was pending when the copy was taken is a case, whatever could be read.
    for id in ["a", "b", "c", "f", "g"] {
        assert!(is_listed(id, true), "seed {seed}: {id} is not listed");
    }
    for id in ["h", "i", "j", "k"] {
        let listed = !report.complete || is_listed(id, false);
        assert!(listed, "seed {seed}: {id} is not listed");
    }
}

/// No entry is shown as sold that was not, and none would travel again by itself that was not
/// waiting.
fn nothing_invented(seed: u64, left: &Left, found: &Rows) {
    // As the rows have it: the debug form of a text of SQLite.
    let sold = ["accepted", "confirmed"].map(|word| format!("{:?}", Text(word.as_bytes())));
    for (id, _) in found.iter().filter(|(_, row)| sold.contains(&row[0])) {
        let really = left.rows.get(id).is_some_and(|row| sold.contains(&row[0]));
        assert!(really, "seed {seed}: {id} is shown as sold");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_damage_to_a_file_loses_or_invents_a_sale_in_silence() {
    let began = Instant::now();
    let seeds = seeds(SHORT, LONG);
    let lefts = [left(End::Closed).await, left(End::Killed).await];
    let mut came: BTreeMap<(End, &str, Came), u32> = BTreeMap::new();
    for seed in seeds.clone() {
        let left = &lefts[usize::from(seed % 2 == 1)];
        let (target, what) = play(seed, left).await;
        *came.entry((left.end, target, what)).or_default() += 1;
    }
    if seeds.end - seeds.start > 1 {
        let rescued = came.keys().filter(|(.., what)| *what == Came::Rescued);
        assert!(rescued.count() > 1, "the damage was never found");
    }
    println!(
        "PROOF byte flips: {} in both databases, 0 deleted, 0 invented, {came:?}, {} s",
        seeds.end - seeds.start,
        began.elapsed().as_secs()
    );
}
