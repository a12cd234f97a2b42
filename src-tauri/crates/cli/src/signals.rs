//! The system's wish that this process ends: Ctrl-C, and where there are such signals, termination and
//! the end of the terminal.

use warranty_core::Desk;

use crate::failure::Failure;
use crate::output::say;

/// Listens from its making on, so that no wish is missed.
#[derive(Debug)]
pub struct StopSignal {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    hangup: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
}

impl StopSignal {
    /// Listens from now on; the process no longer ends by itself.
    ///
    /// # Errors
    /// When the system does not let it listen.
    pub fn new() -> std::io::Result<Self> {
        #[cfg(unix)]
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            #[cfg(unix)]
            terminate: signal(SignalKind::terminate())?,
            #[cfg(unix)]
            hangup: signal(SignalKind::hangup())?,
            #[cfg(unix)]
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// Returns when the wish has come, or when it can no longer come.
    pub async fn received(&mut self) {
        #[cfg(unix)]
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.hangup.recv() => {}
            _ = self.terminate.recv() => {}
        }
        #[cfg(not(unix))]
        let _ = tokio::signal::ctrl_c().await;
    }

    /// Does a piece of a desk's work, and leaves it where it can be left once the wish has come; a
    /// second wish is not waited for.
    ///
    /// # Errors
    /// [`Failure::Interrupted`] at the second wish.
    pub async fn run_until_stopped<T>(
        &mut self,
        desk: &Desk,
        work: impl Future<Output = T>,
    ) -> Result<T, Failure> {
        tokio::pin!(work);
        tokio::select! {
            biased;
            () = self.received() => {}
            done = &mut work => return Ok(done),
        }
        desk.outbox_wind_down();
        say("Stopping: nothing more is begun, what is on its way is awaited.");
        tokio::select! {
            biased;
            done = &mut work => Ok(done),
            () = self.received() => Err(Failure::Interrupted),
        }
    }
}
