//! Plans searched as they are typed, among a hundred thousand that are remembered.

use std::time::{Duration, Instant};

use warranty_core::Desk;

use crate::figures::{Times, time};
use crate::places::{Service, folder, options};
use crate::report::Row;
use crate::{Outcome, catalogue};

/// Plans that a search returns, as the window asks.
const LIMIT: u32 = 200;
/// How long the open page is looked at before the first key.
const LOOKED: Duration = Duration::from_millis(500);
const TARGET: Duration = Duration::from_millis(5);

pub async fn measure(rounds: usize) -> Outcome<Row> {
    let service = Service::start(Duration::ZERO)?;
    let folder = folder()?;
    let desk = Desk::open(options(folder.path())).await?;
    let measured = on(&desk, &service, rounds).await;
    desk.close().await;
    measured
}

async fn on(desk: &Desk, service: &Service, rounds: usize) -> Outcome<Row> {
    catalogue::remember(desk, service).await?;
    let (mut japanese, mut latin) = (Times::default(), Times::default());
    // The page lists all plans when it is opened; the first key comes when a person has seen it.
    desk.plans.search("", LIMIT).await?;
    tokio::time::sleep(LOOKED).await;
    for _ in 0..rounds {
        for typed in catalogue::TYPED {
            let ends = typed.char_indices().map(|(at, one)| at + one.len_utf8());
            for end in ends {
                let begun = Instant::now();
                desk.plans.search(&typed[..end], LIMIT).await?;
                let times = if typed.is_ascii() {
                    &mut latin
                } else {
                    &mut japanese
                };
                times.add(begun.elapsed(), || typed[..end].to_owned());
            }
        }
    }
    let (slowest, question) = (&japanese.slowest).max(&latin.slowest);
    let row = Row::of(
        "search as you type over 100,000 remembered plans, in core, for each key",
        format!(
            "Japanese {}; Latin {}; slowest {} for “{question}” ({} keys)",
            japanese.told(),
            latin.told(),
            time(*slowest),
            japanese.taken.len() + latin.taken.len()
        ),
    );
    let reached = japanese.p99().max(latin.p99()) <= TARGET;
    Ok(row.against(format!("p99 ≤ {}", time(TARGET)), reached))
}
