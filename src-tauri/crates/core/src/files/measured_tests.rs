//! How long a large file takes, against the csv crate that only reads it. Run by hand, in a profile that
//! optimises: `cargo test --profile prove -p warranty-core --lib files::measured -- --ignored --nocapture`.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::time::{Duration, Instant};

use chrono::DateTime;

use super::*;
use crate::contracts::validation;

fn sales(rows: usize) -> Vec<u8> {
    let mut text = String::from(
        "transactionId,transactionTotal,transactionDate,customerName,customerEmail,\
         productReferenceId,productPurchasePrice,planId,planPurchasePrice\r\n",
    );
    for row in 0..rows {
        text.push_str(&format!(
            "{row:012},\"200,000\",2026/11/20 18:05,見本　太郎,taro{row}@example.jp,2000000000015,189800,\
             plan-2000000000015-standard-36,6640\r\n"
        ));
    }
    text.into_bytes()
}

/// The best of five: what the machine can do when nothing else runs.
fn best(mut work: impl FnMut() -> usize, rows: usize) -> Duration {
    let mut best = Duration::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        assert_eq!(work(), rows);
        best = best.min(start.elapsed());
    }
    best
}

#[test]
#[ignore = "a measurement, not a judgement"]
fn a_large_file_against_the_csv_crate_alone() {
    let folder = tempfile::tempdir().unwrap();
    let now = DateTime::from_timestamp(1_795_000_000, 0).unwrap();
    for rows in [1_000, 10_000, 100_000] {
        let path = folder.path().join("sales.csv");
        std::fs::write(&path, sales(rows)).unwrap();
        let floor = best(
            || {
                let mut reader = csv::Reader::from_path(&path).unwrap();
                let mut record = csv::StringRecord::new();
                let mut count = 0;
                while reader.read_record(&mut record).unwrap() {
                    count += 1;
                }
                count
            },
            rows,
        );
        let ours = best(
            || {
                let mut source = open(&path, &ReadOptions::default()).unwrap();
                let columns = Columns::guessed(RowKind::Contracts, source.detected()).unwrap();
                let rows = source.rows().unwrap();
                rows.filter(|row| {
                    let entry = columns.entry(row.as_ref().unwrap()).unwrap();
                    validation::entry(&entry, now, 540).is_ok()
                })
                .count()
            },
            rows,
        );
        let ratio = ours.as_secs_f64() / floor.as_secs_f64();
        println!("{rows} rows: ours {ours:.1?}, csv crate {floor:.1?}, ratio {ratio:.2}");
    }
}
