//! A fuzzer small enough to run in every test run: it takes seeds, cuts, repeats and mixes them, and gives each
//! result to a function that must not panic and must not take long.
//!
//! Every execution has a number, and the number alone decides its input: `WARRANTY_FUZZ_ONLY=<number>` runs one
//! of them again. `WARRANTY_FUZZ_EXECUTIONS=<count>` asks for so many; `WARRANTY_PROVE=long` for ten million.

#![allow(dead_code)]

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng, rngs::StdRng};

/// Longest input made. Longer ones have tests of their own; here many count more.
const MOST_BYTES: usize = 1024;

/// One execution may never take so long, on however slow a machine.
const TOO_LONG: Duration = Duration::from_secs(5);

/// Pieces that mean something to readers of JSON, CSV, numbers, dates and addresses.
const WORDS: &[&[u8]] = &[
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b",",
    b";",
    b"\t",
    b"\r\n",
    b"\n",
    b"\r",
    b"\0",
    b"null",
    b"true",
    b"0",
    b"-1",
    b"1e999",
    b"9007199254740993",
    b"9223372036854775808",
    b"0.1",
    b"\\ud800",
    b"\\u0000",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xff",
    b"\x82\xa0",
    b"\x83\x5c",
    b"\x80",
    b"\xe2\x80\xae",
    b"=",
    b"1.23E+11",
    b"2026-02-30",
    b"24:00",
    b"+09:00",
    b"Z",
    b"https://",
    b"javascript:",
    b"@",
    b"..",
    b"/",
    b"%2e",
    b"\"id\":",
    b"\"code\":",
];

/// Runs a target on inputs made of the seeds.
///
/// # Panics
/// As the target does, having named the execution.
#[allow(clippy::print_stdout)]
pub fn run(name: &str, short: u64, seeds: &[Vec<u8>], target: impl Fn(&[u8])) {
    let (first, count) = range(short);
    let start = Instant::now();
    for number in first..first + count {
        let input = input(number, seeds);
        let began = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| target(&input)));
        let took = began.elapsed();
        if let Err(panic) = outcome {
            println!(
                "{name}: WARRANTY_FUZZ_ONLY={number}, {:?}",
                input.escape_ascii().to_string()
            );
            resume_unwind(panic);
        }
        assert!(
            took < TOO_LONG,
            "{name}: WARRANTY_FUZZ_ONLY={number} took {took:?}"
        );
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "PROOF fuzz {name}: {count} executions, {:.0} a second, 0 panics, {seconds:.1} s",
        count as f64 / seconds
    );
}

fn range(short: u64) -> (u64, u64) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    if let Some(only) = number("WARRANTY_FUZZ_ONLY") {
        return (only, 1);
    }
    let long = std::env::var("WARRANTY_PROVE").is_ok_and(|form| form == "long");
    let count = number("WARRANTY_FUZZ_EXECUTIONS");
    (0, count.unwrap_or(if long { 10_000_000 } else { short }))
}

/// The input of an execution.
fn input(number: u64, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut dice = StdRng::seed_from_u64(number);
    let mut bytes = seeds.choose(&mut dice).cloned().unwrap_or_default();
    // Every few inputs are a seed with one change, which reaches deepest.
    let changes = [1, 1, 2, 3, 8].choose(&mut dice).copied().unwrap_or(1);
    for _ in 0..changes {
        change(&mut bytes, seeds, &mut dice);
    }
    bytes.truncate(MOST_BYTES);
    bytes
}

fn change(bytes: &mut Vec<u8>, seeds: &[Vec<u8>], dice: &mut StdRng) {
    let at = dice.random_range(0..=bytes.len());
    let to = dice.random_range(at..=bytes.len().min(at + 64));
    match dice.random_range(0..7) {
        0 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << dice.random_range(0..8);
            }
        }
        1 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = dice.random();
            }
        }
        2 => {
            bytes.drain(at..to);
        }
        3 => {
            let piece = bytes[at..to].repeat(dice.random_range(1..8));
            bytes.splice(at..at, piece);
        }
        4 => {
            let other = seeds.choose(dice).map(Vec::as_slice).unwrap_or_default();
            let from = dice.random_range(0..=other.len());
            let upto = dice.random_range(from..=other.len());
            bytes.splice(at..to, other[from..upto].to_vec());
        }
        5 => bytes.truncate(at),
        _ => {
            let word = WORDS.choose(dice).copied().unwrap_or_default();
            bytes.splice(at..at, word.repeat(dice.random_range(1..4)));
        }
    }
}
