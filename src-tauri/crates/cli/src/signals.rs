//! Termination signals: Ctrl-C everywhere, SIGTERM and SIGHUP on Unix; on Windows Ctrl-Break, the closing of the
//! console window, and logging off and shutting down as far as the system tells a console program. It ends the
//! program at most five seconds after the last three.

#[cfg(unix)]
use tokio::signal::unix;
#[cfg(windows)]
use tokio::signal::windows;
use warranty_core::Desk;

use crate::{Failure, say, text};

/// Receives signals from its creation on, so that none is missed.
#[derive(Debug)]
pub struct StopSignal {
    #[cfg(unix)]
    signals: [unix::Signal; 3],
    #[cfg(windows)]
    signals: (
        windows::CtrlC,
        windows::CtrlBreak,
        windows::CtrlClose,
        windows::CtrlLogoff,
        windows::CtrlShutdown,
    ),
}

impl StopSignal {
    /// Starts to receive signals; they no longer end the process directly.
    pub fn new() -> Result<Self, Failure> {
        #[cfg(unix)]
        let received = |kind| unix::signal(kind).map_err(Failure::because("runtime"));
        #[cfg(windows)]
        let failed = || Failure::because("runtime");
        Ok(Self {
            #[cfg(unix)]
            signals: [
                received(unix::SignalKind::interrupt())?,
                received(unix::SignalKind::hangup())?,
                received(unix::SignalKind::terminate())?,
            ],
            #[cfg(windows)]
            signals: (
                windows::ctrl_c().map_err(failed())?,
                windows::ctrl_break().map_err(failed())?,
                windows::ctrl_close().map_err(failed())?,
                windows::ctrl_logoff().map_err(failed())?,
                windows::ctrl_shutdown().map_err(failed())?,
            ),
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
        #[cfg(windows)]
        {
            let (ctrl_c, ctrl_break, closing, logging_off, shutting_down) = &mut self.signals;
            // In a box: the futures of the commands hold this one twice.
            Box::pin(async {
                tokio::select! {
                    _ = ctrl_c.recv() => {}
                    _ = ctrl_break.recv() => {}
                    _ = closing.recv() => {}
                    _ = logging_off.recv() => {}
                    _ = shutting_down.recv() => {}
                }
            })
            .await;
        }
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
