//! Progress on stderr: a bar on a terminal, otherwise a line every few seconds.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

use crate::say;

const LINE_EVERY: Duration = Duration::from_secs(5);

/// The progress of one task. Dropping it clears the bar.
#[derive(Debug)]
pub struct Progress {
    what: &'static str,
    bar: ProgressBar,
    shown: Mutex<Instant>,
}

impl Progress {
    pub fn new(what: &'static str) -> Self {
        let bar = ProgressBar::new(0)
            .with_prefix(what)
            .with_finish(ProgressFinish::AndClear);
        if let Ok(style) = ProgressStyle::with_template("{prefix} {bar:30} {pos}/{len} {msg}") {
            bar.set_style(style);
        }
        let shown = Mutex::new(Instant::now());
        Self { what, bar, shown }
    }

    pub fn at(&self, done: u32, total: u32, more: &str) {
        // It is hidden without a terminal.
        if !self.bar.is_hidden() {
            self.bar.set_length(u64::from(total));
            self.bar.set_position(u64::from(done));
            self.bar.set_message(more.to_owned());
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
