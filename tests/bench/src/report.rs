//! The table at the end, and its place in the README beside the sources.

use std::io::{self, Write};
use std::path::Path;

use crate::Outcome;

/// Between these the README holds what was measured last.
const BEGIN: &str = "<!-- measured -->";
const END: &str = "<!-- /measured -->";

/// Whether a target is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Reached,
    Missed,
    /// For scale.
    NoTarget,
    /// Something stood in the way.
    NotMeasured,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Self::Reached => "reached",
            Self::Missed => "**missed**",
            Self::NoTarget => "–",
            Self::NotMeasured => "**not measured**",
        }
    }
}

#[derive(Debug, Clone)]
pub struct Row {
    pub what: String,
    pub ours: String,
    pub floor: String,
    pub peers: String,
    pub ratio: String,
    pub target: String,
    pub verdict: Verdict,
}

impl Row {
    /// A row of which only the name and the own figure are known so far.
    pub fn of(what: impl Into<String>, ours: impl Into<String>) -> Self {
        let nothing = || "–".to_owned();
        Self {
            what: what.into(),
            ours: ours.into(),
            floor: nothing(),
            peers: nothing(),
            ratio: nothing(),
            target: nothing(),
            verdict: Verdict::NoTarget,
        }
    }

    /// With a target, and whether it is reached.
    pub fn against(self, target: impl Into<String>, reached: bool) -> Self {
        let verdict = if reached {
            Verdict::Reached
        } else {
            Verdict::Missed
        };
        Self {
            target: target.into(),
            verdict,
            ..self
        }
    }

    /// A part that could not be measured, and why.
    pub fn failed(what: &str, why: &str) -> Self {
        let why = why.lines().next().unwrap_or_default();
        Self {
            verdict: Verdict::NotMeasured,
            ..Self::of(what, why)
        }
    }

    fn cells(&self) -> [&str; 7] {
        [
            &self.what,
            &self.ours,
            &self.floor,
            &self.peers,
            &self.ratio,
            &self.target,
            self.verdict.word(),
        ]
    }
}

/// The rows as a table that reads well in a terminal and in a README.
pub fn table(rows: &[Row]) -> String {
    let mut table = String::from(
        "| what | ours | floor | peers | ratio | target | |\n|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let cells = row.cells().map(|cell| cell.replace('|', "\\|"));
        table.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    table
}

/// Puts the table and where it was measured into the README.
pub fn write(readme: &Path, measured_on: &str, table: &str) -> Outcome<()> {
    let text = std::fs::read_to_string(readme)?;
    let parts = text
        .split_once(BEGIN)
        .and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let Some((before, after)) = parts else {
        return Err(format!("{} has no place for the table", readme.display()).into());
    };
    let text = format!("{before}{BEGIN}\n{measured_on}\n\n{table}{END}{after}");
    Ok(std::fs::write(readme, text)?)
}

pub fn say(line: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{line}")?;
    stdout.flush()
}
