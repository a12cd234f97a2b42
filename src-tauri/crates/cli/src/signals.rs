//! Termination signals: Ctrl-C everywhere, SIGTERM and SIGHUP on Unix.

#[cfg(unix)]
use tokio::signal::unix;
use warranty_core::Desk;

use crate::{Failure, say, text};

/// Receives signals from its creation on, so that none is missed.
#[derive(Debug)]
pub struct StopSignal {
    #[cfg(unix)]
    signals: [unix::Signal; 3],
}

impl StopSignal {
    /// Starts to receive signals; they no longer end the process directly.
    pub fn new() -> Result<Self, Failure> {
        #[cfg(unix)]
        let received = |kind| unix::signal(kind).map_err(Failure::because("runtime"));
        Ok(Self {
            #[cfg(unix)]
            signals: [
                received(unix::SignalKind::interrupt())?,
                received(unix::SignalKind::hangup())?,
                received(unix::SignalKind::terminate())?,
            ],
        })
    }

    pub async fn received(&mut self) {
        #[cfg(unix)]
        {
            let [interrupt, hangup, terminate] = &mut self.signals;
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = hangup.recv() => {}
                _ = terminate.recv() => {}
            }
        }
        #[cfg(not(unix))]
        let _ = tokio::signal::ctrl_c().await;
    }

    /// Runs work of the desk. After a signal it waits for requests in flight and starts nothing
    /// more; a second signal ends it with [`Failure::Interrupted`].
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
