//! Ten thousand contracts entered: the desk, the floors and the peers side by side, in turns.

use std::path::Path;
use std::time::Duration;

use crate::figures::{median, median_of, ratio, time, times};
use crate::peers::{Bodies, Sender};
use crate::places::{Counter, Entered, Service, folder};
use crate::report::Row;
use crate::sqlite::{self, Alone};
use crate::watching::Running;
use crate::{Outcome, sales};

const ROWS: u32 = 10_000;
/// A slow sender makes so many times fewer requests.
const FEWER: u32 = 10;
/// The time in which 10,000 contracts are to be entered where the service answers at once.
const TARGET: Duration = Duration::from_millis(900);
/// And the part of the time of hurl, which keeps nothing.
const TARGET_OF_HURL: f64 = 0.6;
/// The wait before the last contract is looked up.
const LOOKUP_WAIT: Duration = Duration::from_secs(2);
/// And how many times the floor where it does not.
const TARGET_LATE: f64 = 1.05;

/// What one sender came to.
struct Seen {
    sender: Sender,
    times: Vec<Duration>,
    /// Its requests were fewer, and its times are scaled.
    scaled: bool,
    /// Why there is no figure.
    missing: Option<String>,
}

impl Seen {
    fn median(&self) -> Option<Duration> {
        (self.missing.is_none() && !self.times.is_empty()).then(|| median(&self.times))
    }

    fn text(&self) -> String {
        let name = self.sender.name();
        match (&self.missing, self.median()) {
            (Some(why), _) => format!("{name}: {why}"),
            (None, Some(took)) if self.scaled => {
                format!("{name} {} (scaled from a tenth)", time(took))
            }
            (None, Some(took)) => format!("{name} {}", time(took)),
            (None, None) => format!("{name}: not run"),
        }
    }
}

/// Measures at a service that answers after so long.
pub async fn measure(delay: Duration, rounds: usize) -> Outcome<Vec<Row>> {
    let late = !delay.is_zero();
    let service = Service::start(delay)?;
    let folder = folder()?;
    let file = folder.path().join("sales.csv");
    sales::write_file(&file, ROWS)?;
    let all = Bodies::write(folder.path().join("all"), &sales::bodies(ROWS))?;
    let few = Bodies::write(folder.path().join("few"), &sales::bodies(ROWS / FEWER))?;
    let mut seen: Vec<Seen> = Sender::ALL
        .into_iter()
        .map(|sender| Seen {
            sender,
            times: Vec::new(),
            scaled: sender.is_slow(late),
            missing: None,
        })
        .collect();
    let mut entered: Vec<Entered> = Vec::new();
    let mut alone: Vec<Alone> = Vec::new();
    for _ in 0..rounds {
        for one in &mut seen {
            let (bodies, scale) = if one.scaled { (&few, FEWER) } else { (&all, 1) };
            if one.missing.is_none() {
                match send(one.sender, &service, bodies, folder.path()).await {
                    Ok(Some(took)) => one.times.push(took * scale),
                    Ok(None) => one.missing = Some("not installed".to_owned()),
                    Err(error) => one.missing = Some(format!("failed: {error}")),
                }
            }
        }
        let counter = Counter::connected_to(&service)?;
        entered.push(counter.enters(&service, &file, ROWS, !late).await?);
        if !late {
            alone.push(sqlite::write_again(&counter.database(), folder.path())?);
        }
    }
    Ok(rows(delay, &seen, &entered, &alone))
}

/// One run of a sender, which must get every body through; `None` when it is not installed.
async fn send(
    sender: Sender,
    service: &Service,
    bodies: &Bodies,
    folder: &Path,
) -> Outcome<Option<Duration>> {
    let Some(mut command) = sender.command(&service.address, bodies) else {
        return Ok(None);
    };
    service.begin_anew().await?;
    let ended = Running::start(&mut command, &folder.join("said.txt"))?
        .ended()
        .await?;
    let received = service.received().await?;
    let wanted = u32::try_from(bodies.count)? * sales::PER_REQUEST;
    let once = received.transactions == wanted || !sender.sends_each_once();
    if received.contracts == wanted && once {
        Ok(Some(ended.took))
    } else {
        Err(format!("{wanted} contracts came to {received:?}").into())
    }
}

fn rows(delay: Duration, seen: &[Seen], entered: &[Entered], alone: &[Alone]) -> Vec<Row> {
    let late = !delay.is_zero();
    let ours = median_of(entered, |one| one.accepted);
    let of = |sender| {
        seen.iter()
            .find(|one| one.sender == sender)
            .and_then(Seen::median)
    };
    // The load generator is the floor; without it the own client, which does no more.
    let floor = of(Sender::Oha).or(of(Sender::Bare));
    let texts = |floors: bool| {
        let of_kind = seen.iter().filter(|one| one.sender.is_floor() == floors);
        of_kind.map(Seen::text).collect::<Vec<_>>().join("; ")
    };
    let against = |name: &str, other: Option<Duration>| {
        other.map(|other| format!("{} {name}", times(ratio(ours, other))))
    };
    let ratios: Vec<String> = [
        against("floor", floor),
        against("hurl", of(Sender::Hurl)),
        against("httpx", of(Sender::Httpx)),
    ]
    .into_iter()
    .flatten()
    .collect();
    let service = if late {
        format!("a service that takes {} ms an answer", delay.as_millis())
    } else {
        "a service that answers at once".to_owned()
    };
    let of_sqlite = |time_of: fn(&Alone) -> Duration| {
        format!("SQLite alone {}", time(median_of(alone, time_of)))
    };
    let mut floors = texts(true);
    if !late {
        floors = format!("{floors}; {}", of_sqlite(|one| one.accepted));
    }
    let row = Row {
        floor: floors,
        peers: texts(false),
        ratio: ratios.join(", "),
        ..Row::of(
            format!(
                "enter 10,000 contracts at {service}: from the start of `wdesk` until the last is \
                 accepted and kept"
            ),
            format!("{} (median of {})", time(ours), entered.len()),
        )
    };
    let row = if late {
        let reached = floor.is_some_and(|floor| ratio(ours, floor) <= TARGET_LATE);
        row.against(format!("≤ {TARGET_LATE} × floor"), reached)
    } else {
        let hurl = of(Sender::Hurl).is_some_and(|hurl| ratio(ours, hurl) <= TARGET_OF_HURL);
        let target = format!("≤ {} and ≤ {TARGET_OF_HURL} × hurl", time(TARGET));
        row.against(target, hurl && ours <= TARGET)
    };
    let ended: Vec<Duration> = entered.iter().filter_map(|one| one.ended).collect();
    let to_the_end = (!ended.is_empty()).then(|| {
        let ended = median(&ended);
        Row {
            floor: of_sqlite(|one| one.confirmed),
            ..Row::of(
                "the same until `wdesk` ends: each contract looked up at the service and confirmed",
                time(ended),
            )
        }
        .against(
            format!("≤ {} after the last is accepted", time(LOOKUP_WAIT)),
            ended <= ours + LOOKUP_WAIT,
        )
    });
    std::iter::once(row).chain(to_the_end).collect()
}
