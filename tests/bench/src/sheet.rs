//! The sheet in the real window: the measuring journey is played, and says its figures in a file.

use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::Outcome;
use crate::figures::{median, median_of, repeated};
use crate::places::{folder, root};
use crate::report::Row;

const JOURNEY: &str = "measured::the_sheet_at_ten_thousand_rows";
/// Where the journey writes to.
const FIGURES: &str = "WARRANTY_BENCH_FIGURES";
/// Which build of the window the journey opens.
const WINDOW: &str = "WARRANTY_DESK_WINDOW";
/// Milliseconds from a paste until all is looked at and shown.
const PASTE_TARGET: f64 = 300.0;
/// Milliseconds from a key until it is painted: one frame.
const KEY_TARGET: f64 = 16.0;

/// Times in milliseconds.
#[derive(Debug, Clone, Deserialize)]
struct Figures {
    painted: f64,
    validated: f64,
    keys: Vec<Key>,
}

#[derive(Debug, Clone, Deserialize)]
struct Key {
    key: String,
    /// From a frame that begins with the key to the end of that frame.
    in_frame: Spread,
    /// From the key at any moment to the end of the frame that shows it.
    at_any_moment: Spread,
}

#[derive(Debug, Clone, Copy, Deserialize)]
struct Spread {
    median: f64,
    p95: f64,
}

/// Measures it in the release build of the window.
pub async fn measure(rounds: usize) -> Outcome<Vec<Row>> {
    let budget = std::time::Duration::from_secs(120);
    let played = repeated(rounds, budget, async || play()).await?;
    let validated = median_of(&played, |figures| figures.validated);
    let pasted = Row::of(
        "sheet: 10,000 rows pasted in the real window, until all are validated and painted",
        format!(
            "{validated:.0} ms, the first painted after {:.0} ms (median of {})",
            median_of(&played, |figures| figures.painted),
            played.len()
        ),
    );
    let pasted = pasted.against(format!("≤ {PASTE_TARGET:.0} ms"), validated <= PASTE_TARGET);
    let keys = played.first().map_or(&[][..], |first| &first.keys);
    let keys = keys.iter().enumerate().map(|(at, key)| {
        let of = |figure: fn(&Key) -> f64| {
            let keys = played.iter().filter_map(|one| one.keys.get(at));
            median(&keys.map(figure).collect::<Vec<_>>())
        };
        let (middle, p95) = (of(|key| key.in_frame.median), of(|key| key.in_frame.p95));
        let row = Row::of(
            format!("sheet: key {} to paint at 10,000 rows", key.key),
            format!(
                "median {middle:.1} ms, p95 {p95:.1} ms; with the wait for the frame to begin {:.1} \
                 and {:.1} ms",
                of(|key| key.at_any_moment.median),
                of(|key| key.at_any_moment.p95),
            ),
        );
        row.against(format!("p95 ≤ {KEY_TARGET:.0} ms"), p95 <= KEY_TARGET)
    });
    Ok(std::iter::once(pasted).chain(keys).collect())
}

fn play() -> Outcome<Figures> {
    let folder = folder()?;
    let file = folder.path().join("figures.json");
    let played = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(root())
        .args(["test", "--locked", "--workspace"])
        .args(["--test", "journeys", "--", "--ignored", "--exact", JOURNEY])
        .env(FIGURES, &file)
        .env(
            WINDOW,
            std::env::current_exe()?.with_file_name("warranty-desk"),
        )
        .stdin(Stdio::null())
        .stdout(std::io::stderr())
        .status()?;
    if !played.success() {
        return Err(format!("{JOURNEY} ended with {played}").into());
    }
    Ok(serde_json::from_slice(&std::fs::read(&file)?)?)
}
