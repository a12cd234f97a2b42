//! Time and memory of `wdesk contracts enter` over files that grow tenfold.

use std::path::Path;
use std::time::Duration;

use crate::figures::{median, median_of, memory, ratio, repeated, time, times};
use crate::places::{Counter, Service, folder};
use crate::report::Row;
use crate::{Outcome, sales};

const SIZES: [u32; 3] = [1_000, 10_000, 100_000];
/// No size is repeated once it took this long in all.
const BUDGET: Duration = Duration::from_secs(40);
/// Memory is flat, and time linear, when they grow by no more than this.
const FLAT: f64 = 1.25;

/// The time to the end may grow so many times while the rows grow tenfold.
const TO_THE_END: f64 = 12.0;

/// What one run took.
#[derive(Debug, Clone, Copy)]
struct Cost {
    took: Duration,
    /// To its end, every contract confirmed, and the bytes of `desk.db` then.
    ended: Option<(Duration, u64)>,
    peak_kib: u64,
}

/// Measures both, looking at every row and entering them.
pub async fn measure(rounds: usize) -> Outcome<Vec<Row>> {
    let service = Service::start(Duration::ZERO)?;
    let folder = folder()?;
    let (mut looking, mut entering) = (Vec::new(), Vec::new());
    for rows in SIZES {
        let file = folder.path().join(format!("sales-{rows}.csv"));
        sales::write_file(&file, rows)?;
        let looked = repeated(rounds, BUDGET, async || look(&service, &file).await);
        looking.push(looked.await?);
        let entered = repeated(rounds, BUDGET, async || enter(&service, &file, rows).await);
        entering.push(entered.await?);
    }
    let rows = [("enter --dry-run", &looking), ("enter", &entering)];
    let rows = rows.into_iter().flat_map(|(what, costs)| of(what, costs));
    Ok(rows.chain(to_the_end(&entering)).collect())
}

async fn look(service: &Service, file: &Path) -> Outcome<Cost> {
    let ended = Counter::connected_to(service)?.looks_at(file).await?;
    Ok(Cost {
        took: ended.took,
        ended: None,
        peak_kib: ended.peak_kib,
    })
}

async fn enter(service: &Service, file: &Path, rows: u32) -> Outcome<Cost> {
    let counter = Counter::connected_to(service)?;
    let entered = counter.enters(service, file, rows, true).await?;
    Ok(Cost {
        took: entered.accepted,
        ended: entered
            .ended
            .zip(Some(std::fs::metadata(counter.database())?.len())),
        peak_kib: entered.peak_kib,
    })
}

/// The rows of the table for costs by size.
#[allow(clippy::cast_precision_loss, reason = "sizes of processes")]
fn of(what: &str, costs: &[Vec<Cost>]) -> [Row; 2] {
    let each = costs.iter();
    let peaks = each.clone().map(|runs| median_of(runs, |run| run.peak_kib));
    let peaks: Vec<u64> = peaks.collect();
    let taken = each.map(|runs| median_of(runs, |run| run.took));
    let taken: Vec<Duration> = taken.collect();
    let runs: Vec<String> = costs.iter().map(|runs| runs.len().to_string()).collect();
    let [first, .., last] = peaks[..] else {
        return [Row::failed(what, "no sizes"), Row::failed(what, "no sizes")];
    };
    let growth = last as f64 / first.max(1) as f64;
    let sizes = "1,000 → 10,000 → 100,000 rows";
    let held = Row {
        ratio: format!("{} from the first to the last", times(growth)),
        ..Row::of(
            format!("memory (VmHWM) of `wdesk contracts {what}` over {sizes}"),
            texts(peaks.iter().map(|peak| memory(*peak))),
        )
    };
    let per_row = taken.iter().zip(SIZES).map(|(took, rows)| *took / rows);
    let per_row: Vec<Duration> = per_row.collect();
    let both = taken.iter().zip(&per_row);
    let costs = both.map(|(took, per_row)| format!("{} ({} a row)", time(*took), time(*per_row)));
    let slowdown = ratio(per_row[2], per_row[1]);
    let cost = Row {
        ratio: format!("{} a row from 10,000 to 100,000", times(slowdown)),
        ..Row::of(
            format!("time of the same, runs: {}", runs.join(", ")),
            texts(costs),
        )
    };
    [
        held.against(format!("flat: ≤ {FLAT} ×"), growth <= FLAT),
        cost.against(format!("linear: ≤ {FLAT} ×"), slowdown <= FLAT),
    ]
}

/// The rows of runs to the end.
#[allow(clippy::cast_precision_loss, reason = "sizes of files")]
fn to_the_end(costs: &[Vec<Cost>]) -> Vec<Row> {
    let ended = costs
        .iter()
        .map(|runs| runs.iter().filter_map(|run| run.ended));
    let (took, bytes): (Vec<Duration>, Vec<f64>) = ended
        .zip(SIZES)
        .map(|(runs, rows)| {
            let (took, bytes): (Vec<Duration>, Vec<u64>) = runs.unzip();
            (median(&took), median(&bytes) as f64 / f64::from(rows))
        })
        .unzip();
    let growth = ratio(took[2], took[1]);
    let end = Row {
        ratio: format!("{} from 10,000 to 100,000", times(growth)),
        ..Row::of(
            "the same until `wdesk` ends, each contract confirmed",
            texts(took.into_iter().map(time)),
        )
    };
    let size = Row::of(
        "bytes of `desk.db` a sale, once all are confirmed",
        texts(bytes.into_iter().map(|bytes| format!("{bytes:.0}"))),
    );
    vec![
        end.against(format!("≤ {TO_THE_END} ×"), growth <= TO_THE_END),
        size,
    ]
}

fn texts(all: impl Iterator<Item = String>) -> String {
    all.collect::<Vec<_>>().join(" → ")
}
