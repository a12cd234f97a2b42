//! A program as a process: how long it takes, and how much memory it has held at most.

use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::Outcome;

/// How often a running program is looked at.
pub const LOOK: Duration = Duration::from_millis(3);
/// No program of the bench may take longer.
const LONGEST: Duration = Duration::from_secs(600);

/// A running program; it is killed when this value goes.
pub struct Running {
    child: Child,
    begun: Instant,
    peak_kib: u64,
    name: String,
}

/// A program that has ended well.
#[derive(Debug, Clone, Copy)]
pub struct Ended {
    /// From before it was started until it was seen to be over.
    pub took: Duration,
    /// Most memory it was seen to hold, in KiB.
    pub peak_kib: u64,
}

impl Running {
    /// Starts it without input; what it says goes into a file.
    pub fn start(command: &mut Command, words: &Path) -> Outcome<Self> {
        let words = std::fs::File::create(words)?;
        let name = format!("{:?}", command.get_program());
        command
            .stdin(Stdio::null())
            .stdout(words.try_clone()?)
            .stderr(words);
        let begun = Instant::now();
        let child = command
            .spawn()
            .map_err(|error| format!("{name} cannot be started: {error}"))?;
        Ok(Self {
            child,
            begun,
            peak_kib: 0,
            name,
        })
    }

    /// Time since it was started.
    pub fn age(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Most memory it was seen to hold so far, in KiB.
    pub fn peak_kib(&self) -> u64 {
        self.peak_kib
    }

    /// Looks at it once; `Some` when it is over.
    pub fn look(&mut self) -> Outcome<Option<ExitStatus>> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let peak = status.ok().and_then(|status| {
            let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
            line.split_whitespace().nth(1)?.parse().ok()
        });
        self.peak_kib = self.peak_kib.max(peak.unwrap_or_default());
        if self.age() > LONGEST {
            return Err(format!("{} took too long", self.name).into());
        }
        Ok(self.child.try_wait()?)
    }

    /// Waits for its end, which must be a good one.
    pub async fn ended(mut self) -> Outcome<Ended> {
        loop {
            if let Some(status) = self.look()? {
                let took = self.age();
                if !status.success() {
                    return Err(format!("{} ended with {status}", self.name).into());
                }
                return Ok(Ended {
                    took,
                    peak_kib: self.peak_kib,
                });
            }
            tokio::time::sleep(LOOK).await;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may be over already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
