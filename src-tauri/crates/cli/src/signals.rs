//! Termination signals: Ctrl-C everywhere, SIGTERM and SIGHUP on Unix.

use warranty_core::Desk;

use crate::failure::Failure;
use crate::messages::text;
use crate::output::say;

/// Receives signals from its creation on, so that none is missed.
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
    /// Starts to receive signals; they no longer end the process directly.
    ///
    /// # Errors
    /// When the handlers cannot be installed.
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

    /// Returns when a signal was received.
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

    /// Runs work of the desk. After a signal it waits for requests in flight and starts nothing
    /// more.
    ///
    /// # Errors
    /// [`Failure::Interrupted`] at a second signal.
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
        desk.outbox.wind_down();
        say(text("wdesk.stopping", &[]));
        tokio::select! {
            biased;
            done = &mut work => Ok(done),
            () = self.received() => Err(Failure::Interrupted),
        }
    }
}
