//! `make bench`: what the desk costs, against what the work costs at least and against what others
//! take for it, measured side by side in one run.
//!
//! Owns the figures and how honestly they are told: a target missed is a row of the table and never
//! a failure. Ends with 1 only when something could not be measured at all.

mod caller;
mod catalogue;
mod entering;
mod figures;
mod growing;
mod machine;
mod managing;
mod peers;
mod places;
mod reading;
mod report;
mod sales;
mod searching;
mod service;
mod sheet;
mod sqlite;
mod starting;
mod two_months;
mod watching;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand, ValueEnum};

use crate::report::{Row, Verdict};

/// What a part of the bench gives, or why it could not: words for whoever runs it.
pub type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// The token of the bench's service, which takes any.
pub const TOKEN: &str = "bench-token-0123456789";

/// How late the slow service answers.
const LATE: Duration = Duration::from_millis(50);

#[derive(Debug, Parser)]
#[command(about = "How fast the desk is, against floors and peers")]
struct Arguments {
    #[command(subcommand)]
    command: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Measure and print the table; everything without names
    Run {
        /// Only these parts
        #[arg(value_enum)]
        parts: Vec<Part>,
        /// At most so many runs for each figure
        #[arg(long, value_name = "N", default_value_t = 5)]
        rounds: usize,
        /// Contracts of the part managing
        #[arg(long, value_name = "N", default_value_t = 100_000)]
        contracts: u32,
        /// Put the table into the README beside the sources
        #[arg(long)]
        write: bool,
    },
    /// The service that is measured against, until standard input ends
    Serve {
        /// How long it takes for an answer, in milliseconds
        #[arg(long, default_value_t = 0)]
        delay_ms: u64,
    },
    /// The bare client: every line of a file as a bulk request, four at a time
    Floor {
        /// Address of the service
        address: String,
        /// One body a line
        bodies: PathBuf,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// 10,000 contracts at a service that answers at once
    Entering,
    /// The same at 50 ms an answer
    Waiting,
    /// A file against the csv crate, and against calamine
    Reading,
    /// Plans as they are typed
    Searching,
    /// Today and the list of contracts, after two months of sales
    Managing,
    /// The real window until its first page stands, and what it holds then
    Starting,
    /// The sheet in the real window
    Sheet,
    /// Time and memory over growing files
    Growing,
}

impl Part {
    async fn measure(self, rounds: usize, contracts: u32) -> Outcome<Vec<Row>> {
        match self {
            Self::Entering => entering::measure(Duration::ZERO, rounds).await,
            Self::Waiting => entering::measure(LATE, rounds.min(3)).await,
            Self::Reading => reading::measure(rounds),
            Self::Searching => Ok(vec![searching::measure(rounds).await?]),
            Self::Managing => managing::measure(contracts, rounds).await,
            Self::Starting => starting::measure(rounds).await,
            Self::Sheet => sheet::measure(rounds.min(3)).await,
            Self::Growing => growing::measure(rounds.min(3)).await,
        }
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Verb::Run {
            parts,
            rounds,
            contracts,
            write,
        } => run(&parts, rounds.max(1), contracts, write).await,
        Verb::Serve { delay_ms } => service::serve(Duration::from_millis(delay_ms))
            .await
            .map(|()| ExitCode::SUCCESS),
        Verb::Floor { address, bodies } => caller::send_all(&address, &bodies)
            .await
            .map(|()| ExitCode::SUCCESS),
    };
    done.unwrap_or_else(|error| {
        // Nobody is left to be told when standard output is gone.
        let _ = report::say(&format!("warranty-bench: {error}"));
        ExitCode::FAILURE
    })
}

async fn run(parts: &[Part], rounds: usize, contracts: u32, write: bool) -> Outcome<ExitCode> {
    let all = Part::value_variants();
    let parts = if parts.is_empty() { all } else { parts };
    let mut rows = Vec::new();
    for part in parts {
        let name = format!("{part:?}").to_lowercase();
        report::say(&format!("measuring: {name}"))?;
        let measured = part.measure(rounds, contracts).await;
        rows.extend(measured.unwrap_or_else(|error| vec![Row::failed(&name, &error.to_string())]));
    }
    let (machine, table) = (machine::described()?, report::table(&rows));
    report::say(&format!("\n{machine}\n\n{table}"))?;
    if write {
        let readme = places::root().join("tests/bench/README.md");
        report::write(&readme, &machine, &table)?;
    }
    let whole = rows.iter().all(|row| row.verdict != Verdict::NotMeasured);
    Ok(if whole {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
