//! Figures from several runs, and how they are written. Pure, but for the clock of [`repeated`].

use std::time::{Duration, Instant};

use crate::Outcome;

/// Does something several times: at most so often, and not again once this much time is over.
pub async fn repeated<T>(
    most: usize,
    budget: Duration,
    mut work: impl AsyncFnMut() -> Outcome<T>,
) -> Outcome<Vec<T>> {
    let begun = Instant::now();
    let mut done = Vec::new();
    while done.len() < most && (done.is_empty() || begun.elapsed() < budget) {
        done.push(work().await?);
    }
    Ok(done)
}

/// The one in the middle; the default of none.
pub fn median<T: Copy + PartialOrd + Default>(figures: &[T]) -> T {
    part(figures, 0.5)
}

/// The one in the middle of a figure of each.
pub fn median_of<A, T: Copy + PartialOrd + Default>(all: &[A], figure: impl Fn(&A) -> T) -> T {
    median(&all.iter().map(figure).collect::<Vec<_>>())
}

/// The figure that this part of all lies at or below; the default of none.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a place among a few thousand figures"
)]
pub fn part<T: Copy + PartialOrd + Default>(figures: &[T], part: f64) -> T {
    let mut sorted = figures.to_vec();
    sorted.sort_by(|one, other| one.partial_cmp(other).unwrap_or(std::cmp::Ordering::Equal));
    let place = (sorted.len() as f64 * part).ceil() as usize;
    sorted
        .get(place.saturating_sub(1))
        .copied()
        .unwrap_or_default()
}

/// Times of one kind, and which question took longest.
#[derive(Default)]
pub struct Times {
    pub taken: Vec<Duration>,
    pub slowest: (Duration, String),
}

impl Times {
    pub fn add(&mut self, took: Duration, what: impl FnOnce() -> String) {
        self.taken.push(took);
        if took >= self.slowest.0 {
            self.slowest = (took, what());
        }
    }

    pub fn p99(&self) -> Duration {
        part(&self.taken, 0.99)
    }

    pub fn told(&self) -> String {
        format!(
            "median {}, p99 {}",
            time(median(&self.taken)),
            time(self.p99())
        )
    }
}

/// How many times the second the first is.
pub fn ratio(one: Duration, other: Duration) -> f64 {
    one.as_secs_f64() / other.as_secs_f64().max(f64::EPSILON)
}

/// A time with as many digits as mean something.
pub fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        10.0.. => format!("{seconds:.1} s"),
        1.0.. => format!("{seconds:.2} s"),
        0.1.. => format!("{:.0} ms", seconds * 1e3),
        0.001.. => format!("{:.1} ms", seconds * 1e3),
        _ => format!("{:.1} µs", seconds * 1e6),
    }
}

pub fn times(ratio: f64) -> String {
    if ratio < 10.0 {
        format!("{ratio:.2} ×")
    } else {
        format!("{ratio:.0} ×")
    }
}

/// Memory given in KiB.
pub fn memory(kib: u64) -> String {
    format!("{} MB", kib.div_ceil(1024))
}
