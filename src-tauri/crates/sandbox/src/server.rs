//! Starts and stops the service: the listener, the database and the routes together.

use std::{
    io,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use socket2::SockRef;
use tokio::{
    net::TcpListener,
    sync::oneshot,
    task::{JoinHandle, spawn_blocking},
};

use crate::clock::Clock;
#[cfg(feature = "faults")]
use crate::faults::{ConnectionHandle, Faults};
use crate::options::{Options, StartError};
use crate::router::router;
use crate::situation::Situation;
use crate::store::Store;
use crate::{App, catalogue, lock};

/// How long stopping waits for answers in progress; a connection may outlive it.
const GRACE: Duration = Duration::from_secs(2);

/// A running service. Dropping it stops it as well, without waiting.
#[derive(Debug)]
pub struct Sandbox {
    pub(crate) app: Arc<App>,
    // Dropping the sender is the signal to stop, so that a dropped sandbox stops as well.
    stop: oneshot::Sender<()>,
    serving: JoinHandle<io::Result<()>>,
}

impl Sandbox {
    /// Opens the database, seeds it if it is new, and serves from the moment this returns.
    ///
    /// # Errors
    /// [`StartError`]: an address that is not loopback or is taken, a database that does not open.
    pub async fn start(options: Options) -> Result<Sandbox, StartError> {
        if !options.addr.ip().is_loopback() {
            return Err(StartError::NotLoopback(options.addr));
        }
        let database = options.database;
        let (store, own_token) = spawn_blocking(move || Store::open(&database))
            .await
            .map_err(|_| StartError::Interrupted)??;
        let listen = |source| StartError::Listen {
            addr: options.addr,
            source,
        };
        let listener = TcpListener::bind(options.addr).await.map_err(listen)?;
        let addr = listener.local_addr().map_err(listen)?;
        let app = Arc::new(App {
            store,
            token: options.token.unwrap_or(own_token),
            clock: Clock::start(),
            addr,
            situation: Mutex::default(),
            #[cfg(feature = "faults")]
            faults: Faults::new(options.personality),
        });
        // Inherited by each connection. Answers are small; without this each may wait for the peer's delayed ACK.
        SockRef::from(&listener)
            .set_tcp_nodelay(true)
            .map_err(listen)?;
        let service = router(Arc::clone(&app));
        #[cfg(feature = "faults")]
        let service = service.into_make_service_with_connect_info::<ConnectionHandle>();
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(async move {
            axum::serve(listener, service)
                .with_graceful_shutdown(async {
                    // The error says that the sender was dropped, which is the signal.
                    let _ = stopped.await;
                })
                .await
        });
        Ok(Sandbox { app, stop, serving })
    }

    pub fn addr(&self) -> SocketAddr {
        self.app.addr
    }

    /// The base address for a client, without a slash at the end.
    pub fn base_url(&self) -> String {
        self.app.base_url()
    }

    pub fn token(&self) -> &str {
        &self.app.token
    }

    /// Id of its only store.
    pub fn store_id(&self) -> &str {
        catalogue::STORE_ID
    }

    /// Answers requests in another way from the next one on.
    pub fn set_situation(&self, situation: Situation) {
        *lock(&self.app.situation) = situation;
    }

    /// Takes no new connections, waits up to two seconds for answers in progress, and ends.
    pub async fn stop(self) {
        drop(self.stop);
        let mut serving = self.serving;
        if tokio::time::timeout(GRACE, &mut serving).await.is_err() {
            #[cfg(feature = "faults")]
            self.app.faults.stopped.notify_waiters();
            serving.abort();
        }
    }
}
