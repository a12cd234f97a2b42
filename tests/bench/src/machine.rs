//! What it was measured on, in a sentence, with what one durable write costs there.

use std::io::Write;
use std::time::{Duration, Instant};

use chrono::Utc;

use crate::Outcome;
use crate::figures::{median, time};
use crate::places::folder;

const WRITES: usize = 200;

/// The day, the machine, and its disk.
pub fn described() -> Outcome<String> {
    let cores = std::thread::available_parallelism()?;
    let model = of_file("/proc/cpuinfo", "model name");
    let memory = of_file("/proc/meminfo", "MemTotal");
    let gib = memory
        .split_whitespace()
        .next()
        .and_then(|kib| kib.parse::<u64>().ok())
        .unwrap_or_default()
        .div_ceil(1024 * 1024);
    Ok(format!(
        "Measured on {}: {cores} cores ({model}), {gib} GiB, {} {}; 4 KiB appended and made durable: \
         {}.",
        Utc::now().format("%Y-%m-%d"),
        std::env::consts::OS,
        std::env::consts::ARCH,
        time(durable_write()?)
    ))
}

fn of_file(path: &str, name: &str) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines()
        .find_map(|line| line.strip_prefix(name)?.split_once(':'))
        .map_or_else(
            || "unknown".to_owned(),
            |(_, value)| value.trim().to_owned(),
        )
}

fn durable_write() -> Outcome<Duration> {
    let folder = folder()?;
    let mut file = std::fs::File::create(folder.path().join("written"))?;
    let mut taken = Vec::new();
    for _ in 0..WRITES {
        let begun = Instant::now();
        file.write_all(&[7; 4096])?;
        file.sync_data()?;
        taken.push(begun.elapsed());
    }
    Ok(median(&taken))
}
