//! Progress on stderr: a bar on a terminal, otherwise a line every few seconds.

use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::output::say;

/// The interval of lines without a terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// The progress of one task. Dropping it clears the bar.
#[derive(Debug)]
pub struct Progress {
    what: &'static str,
    bar: Option<ProgressBar>,
    shown: Mutex<Instant>,
}

impl Progress {
    /// Starts showing progress of `what`.
    #[must_use]
    pub fn new(what: &'static str) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(0);
            if let Ok(style) = ProgressStyle::with_template("{prefix} {bar:30} {pos}/{len} {msg}") {
                bar.set_style(style);
            }
            bar.set_prefix(what);
            bar
        });
        Self {
            what,
            bar,
            shown: Mutex::new(Instant::now()),
        }
    }

    /// Shows the current position.
    pub fn at(&self, done: u32, total: u32, more: &str) {
        if let Some(bar) = &self.bar {
            bar.set_length(u64::from(total));
            bar.set_position(u64::from(done));
            bar.set_message(more.to_owned());
            return;
        }
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if shown.elapsed() >= LINE_EVERY {
            *shown = Instant::now();
            let gap = if more.is_empty() { "" } else { "; " };
            say(format!("{}: {done} of {total}{gap}{more}", self.what));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
