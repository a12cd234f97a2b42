//! The lists and figures that staff have before them all day, on a desk with two months of contracts.
//!
//! Owns what is asked and how it is timed; [`crate::two_months`] makes the desk's file.

use std::time::{Duration, Instant};

use chrono::NaiveDate;
use warranty_core::Desk;
use warranty_core::contracts::{EntryFilter, EntryPage, EntrySort};

use crate::Outcome;
use crate::figures::{Times, median, time};
use crate::places::{Service, folder};
use crate::report::Row;
use crate::two_months::{CHOSEN, TYPED, TwoMonths};

/// Rows of a page, as the window asks for them.
const PAGE: u32 = 100;
/// Most time for a key in the search box.
const KEY: Duration = Duration::from_millis(50);
/// Most time for another order, other days or another page.
const TURN: Duration = Duration::from_millis(30);
/// Most time for a page that is opened.
const OPENED: Duration = Duration::from_millis(100);

const COLUMNS: [EntrySort; 7] = [
    EntrySort::EnteredAt,
    EntrySort::TransactionDate,
    EntrySort::TransactionId,
    EntrySort::Customer,
    EntrySort::Product,
    EntrySort::PlanPurchasePrice,
    EntrySort::State,
];

impl Times {
    /// A row whose target is on its slowest hundredth.
    fn row(&self, what: String, target: Duration) -> Row {
        let (longest, question) = &self.slowest;
        let ours = format!(
            "{}; slowest {} for {question} ({} calls)",
            self.told(),
            time(*longest),
            self.taken.len()
        );
        Row::of(what, ours).against(format!("p99 ≤ {}", time(target)), self.p99() <= target)
    }
}

/// What is timed, in the order of the table.
#[derive(Default)]
struct Timed {
    today: Times,
    first_page: Times,
    whole: Vec<Duration>,
    japanese: Times,
    latin: Times,
    sorted_first: Times,
    sorted_again: Times,
    days: Times,
    far: Times,
}

/// Measures them on a desk with this many contracts.
pub async fn measure(contracts: u32, rounds: usize) -> Outcome<Vec<Row>> {
    let service = Service::start(Duration::ZERO)?;
    let folder = folder()?;
    let made = TwoMonths::make(folder.path(), &service, contracts).await?;
    let mut timed = Timed::default();
    for _ in 0..rounds {
        // Each round begins as a morning does: nothing of the file is in this process's memory.
        let desk = made.open().await?;
        let asked = ask(&desk, made.last_day, contracts, &mut timed).await;
        desk.close().await;
        asked?;
    }
    Ok(rows(contracts, &timed))
}

async fn ask(desk: &Desk, last_day: NaiveDate, contracts: u32, timed: &mut Timed) -> Outcome<()> {
    let begun = Instant::now();
    let day = desk.days.day(None).await?;
    timed.today.add(begun.elapsed(), || "the first".to_owned());
    if day.figures.counts.contracts == 0 {
        return Err("nothing was sold on the last day".into());
    }
    for _ in 0..10 {
        let begun = Instant::now();
        desk.days.day(None).await?;
        timed
            .today
            .add(begun.elapsed(), || "a later one".to_owned());
    }

    let begun = Instant::now();
    desk.contracts.list_so_far(&search("")).await?;
    timed
        .first_page
        .add(begun.elapsed(), || "the first".to_owned());
    let all = desk.contracts.list(&search("")).await?;
    timed.whole.push(begun.elapsed());
    if all.count != contracts {
        return Err(format!("{} of {contracts} contracts are listed", all.count).into());
    }

    for again in [false, true] {
        for sort in COLUMNS {
            for ascending in [true, false] {
                let filter = EntryFilter {
                    sort,
                    ascending,
                    ..search("")
                };
                let (took, _) = listed(desk, &filter).await?;
                let times = if again {
                    &mut timed.sorted_again
                } else {
                    &mut timed.sorted_first
                };
                times.add(took, || format!("{sort:?}"));
            }
        }
    }
    for typed in TYPED {
        for (end, last) in typed.char_indices() {
            let typed = &typed[..end + last.len_utf8()];
            let (took, page) = listed(desk, &search(typed)).await?;
            let times = if typed.is_ascii() {
                &mut timed.latin
            } else {
                &mut timed.japanese
            };
            times.add(took, || format!("“{typed}” ({} found)", page.count));
        }
    }
    if listed(desk, &search(CHOSEN)).await?.1.count == 0 {
        return Err(format!("{CHOSEN} is not found").into());
    }
    for back in [0, 1, 6, 13, 29, 59] {
        for text in ["", "さくら"] {
            let filter = EntryFilter {
                from: last_day.checked_sub_days(chrono::Days::new(back)),
                to: Some(last_day),
                ..search(text)
            };
            let (took, page) = listed(desk, &filter).await?;
            timed.days.add(took, || {
                format!("{} days “{text}” ({} found)", back + 1, page.count)
            });
        }
    }
    for sort in [EntrySort::EnteredAt, EntrySort::Customer] {
        listed(desk, &EntryFilter { sort, ..search("") }).await?;
        for tenth in 1..10 {
            let filter = EntryFilter {
                sort,
                offset: contracts / 10 * tenth,
                ..search("")
            };
            let (took, _) = listed(desk, &filter).await?;
            timed.far.add(took, || format!("row {}", filter.offset));
        }
    }
    Ok(())
}

async fn listed(desk: &Desk, filter: &EntryFilter) -> Outcome<(Duration, EntryPage)> {
    let begun = Instant::now();
    let page = desk.contracts.list_so_far(filter).await?;
    Ok((begun.elapsed(), page))
}

fn search(text: &str) -> EntryFilter {
    EntryFilter {
        text: text.to_owned(),
        limit: PAGE,
        ..EntryFilter::default()
    }
}

fn rows(contracts: u32, timed: &Timed) -> Vec<Row> {
    let typed = |script: &str, times: &Times| {
        times.row(
            format!("contracts searched as you type, {script}, in core, for each key"),
            KEY,
        )
    };
    let index = Row::of(
        "the same: all customers read and decrypted, once after the start, while the newest are listed",
        time(median(&timed.whole)),
    );
    vec![
        timed.today.row(
            format!("Today, at {contracts} contracts of two months, in core"),
            OPENED,
        ),
        timed.first_page.row(
            "the first page of contracts after the start".to_owned(),
            OPENED,
        ),
        index,
        typed("Japanese", &timed.japanese),
        typed("Latin", &timed.latin),
        timed.sorted_first.row(
            "contracts sorted by each column, for the first time".to_owned(),
            TURN,
        ),
        timed.sorted_again.row("the same, again".to_owned(), TURN),
        timed.days.row(
            "contracts of some days, from one to all, with and without a name".to_owned(),
            TURN,
        ),
        timed
            .far
            .row("a page of contracts far down".to_owned(), TURN),
    ]
}
