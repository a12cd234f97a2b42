//! A file read, mapped and validated, against the crates that only go through it.

use std::path::Path;
use std::time::{Duration, Instant};

use calamine::{DataRef, Reader as _, Xlsx};
use chrono::Utc;
use warranty_core::files::layout::Layout;
use warranty_core::files::{self, Mapping, ReadOptions, RunKind};
use warranty_model::contracts::validation::{KnownCodes, ValidEntry};
use warranty_model::profile::Zone;

use crate::figures::{median, ratio, time, times};
use crate::places::{OFFSET_MINUTES, folder};
use crate::report::Row;
use crate::{Outcome, sales};

const ROWS: u32 = 100_000;
/// How many times the floor it may take.
const TARGET: f64 = 3.0;

/// How much is done with each row.
#[derive(Debug, Clone, Copy)]
enum Depth {
    Rows,
    Mapped,
    Validated,
}

impl Depth {
    const ALL: [Self; 3] = [Self::Rows, Self::Mapped, Self::Validated];
}

pub fn measure(rounds: usize) -> Outcome<Vec<Row>> {
    let folder = folder()?;
    let (csv, xlsx) = (
        folder.path().join("sales.csv"),
        folder.path().join("sales.xlsx"),
    );
    sales::write_file(&csv, ROWS)?;
    sales::write_workbook(&csv, &xlsx)?;
    Ok(vec![
        row(rounds, "a CSV file", &csv, "csv crate", only_read)?,
        row(rounds, "an xlsx file", &xlsx, "calamine", only_unpacked)?,
    ])
}

fn row(
    rounds: usize,
    what: &str,
    file: &Path,
    floor_of: &str,
    only_read: fn(&Path) -> Outcome<u32>,
) -> Outcome<Row> {
    let mut taken = [const { Vec::new() }; 4];
    for _ in 0..rounds {
        taken[0].push(timed(|| only_read(file))?);
        for (depth, of_depth) in Depth::ALL.into_iter().zip(&mut taken[1..]) {
            of_depth.push(timed(|| through(file, depth))?);
        }
    }
    let [floor, rows, mapped, ours] = taken.each_ref().map(|taken| median(taken.as_slice()));
    let ratio = ratio(ours, floor);
    let row = Row {
        floor: format!("{floor_of} {}", time(floor)),
        ratio: format!("{} floor", times(ratio)),
        ..Row::of(
            format!("read, map and validate {what} of 100,000 rows"),
            format!(
                "{} (median of {rounds}); its rows alone {}, mapped as well {}",
                time(ours),
                time(rows),
                time(mapped)
            ),
        )
    };
    Ok(row.against(format!("≤ {TARGET} × floor"), ratio <= TARGET))
}

fn timed(work: impl FnOnce() -> Outcome<u32>) -> Outcome<Duration> {
    let begun = Instant::now();
    let rows = work()?;
    let took = begun.elapsed();
    if rows == ROWS {
        Ok(took)
    } else {
        Err(format!("{rows} of {ROWS} rows").into())
    }
}

fn only_read(file: &Path) -> Outcome<u32> {
    let mut reader = csv::Reader::from_path(file)?;
    let mut record = csv::StringRecord::new();
    let mut rows = 0;
    while reader.read_record(&mut record)? {
        rows += 1;
    }
    Ok(rows)
}

fn only_unpacked(file: &Path) -> Outcome<u32> {
    let mut book: Xlsx<_> = calamine::open_workbook(file)?;
    let sheet = book.sheet_names().first().cloned().unwrap_or_default();
    let mut cells = book.worksheet_cells_reader(&sheet)?;
    let mut last = 0;
    while let Some(cell) = cells.next_cell()? {
        if !matches!(cell.get_value(), DataRef::Empty) {
            last = cell.get_position().0;
        }
    }
    Ok(last)
}

fn through(file: &Path, depth: Depth) -> Outcome<u32> {
    let options = ReadOptions {
        kind: Some(RunKind::Contracts),
        ..ReadOptions::default()
    };
    let kind = RunKind::Contracts;
    let mut source = files::open(file, &options)?;
    let mapping = source
        .detected()
        .guess(kind)
        .with(kind, &Mapping::default())?;
    let layout = Layout::of_file(kind, None, source.detected(), &mapping)?;
    let format = source.detected().kind;
    let (now, zone, known) = (
        Utc::now(),
        Zone::fixed(OFFSET_MINUTES),
        KnownCodes::default(),
    );
    let mut good = 0;
    for (number, row) in (1..).zip(source.rows()?) {
        let row = row?;
        if matches!(depth, Depth::Rows) {
            good += u32::from(!row.cells.is_empty());
            continue;
        }
        let row = layout.taken(format, row).numbered(number);
        let row = layout.judged(&row, Vec::new());
        let fits = match depth {
            Depth::Rows | Depth::Mapped => !row.texts.plan_id.is_empty(),
            Depth::Validated => ValidEntry::of(row.texts, now, zone, &known).is_ok(),
        };
        good += u32::from(fits);
    }
    Ok(good)
}
