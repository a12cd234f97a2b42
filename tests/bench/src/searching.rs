//! Plans searched as they are typed, among a hundred thousand that are remembered.

use std::sync::Arc;
use std::time::{Duration, Instant};

use warranty_core::vault::MemoryVault;
use warranty_core::{Desk, DeskOptions};

use crate::figures::{median, part, time};
use crate::places::{Service, folder};
use crate::report::Row;
use crate::{Outcome, catalogue};

/// Plans that a search returns, as the window asks.
const LIMIT: u32 = 200;
/// How long the open page is looked at before the first key.
const LOOKED: Duration = Duration::from_millis(500);
const TARGET: Duration = Duration::from_millis(5);

/// Measures it.
pub async fn measure(rounds: usize) -> Outcome<Row> {
    let service = Service::start(Duration::ZERO)?;
    let folder = folder()?;
    let options = DeskOptions::new(folder.path().to_owned(), Arc::new(MemoryVault::default()));
    let desk = Desk::open(options).await?;
    let measured = on(&desk, &service, rounds).await;
    desk.close().await;
    measured
}

async fn on(desk: &Desk, service: &Service, rounds: usize) -> Outcome<Row> {
    catalogue::remember(desk, service).await?;
    let (mut japanese, mut latin) = (Vec::new(), Vec::new());
    let mut slowest = (Duration::ZERO, "");
    // The page lists all plans when it is opened; the first key comes when a person has seen it.
    desk.plans.search("", LIMIT).await?;
    tokio::time::sleep(LOOKED).await;
    for _ in 0..rounds {
        for typed in catalogue::TYPED {
            let ends = typed.char_indices().map(|(at, one)| at + one.len_utf8());
            for end in ends {
                let begun = Instant::now();
                desk.plans.search(&typed[..end], LIMIT).await?;
                let took = begun.elapsed();
                slowest = if took > slowest.0 {
                    (took, &typed[..end])
                } else {
                    slowest
                };
                if typed.is_ascii() {
                    &mut latin
                } else {
                    &mut japanese
                }
                .push(took);
            }
        }
    }
    let (of_japanese, of_latin) = (part(&japanese, 0.99), part(&latin, 0.99));
    let row = Row::of(
        "search as you type over 100,000 remembered plans, in core, for each key",
        format!(
            "Japanese median {}, p99 {}; Latin median {}, p99 {}; slowest {} for “{}” ({} keys)",
            time(median(&japanese)),
            time(of_japanese),
            time(median(&latin)),
            time(of_latin),
            time(slowest.0),
            slowest.1,
            japanese.len() + latin.len()
        ),
    );
    let reached = of_japanese.max(of_latin) <= TARGET;
    Ok(row.against(format!("p99 ≤ {}", time(TARGET)), reached))
}
