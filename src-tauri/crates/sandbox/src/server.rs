//! Starting and stopping: ties the listener, the database and the routes together.

use std::{io, net::SocketAddr, path::Path, sync::Arc, time::Duration};

use tokio::{
    net::TcpListener,
    sync::oneshot,
    task::{JoinHandle, spawn_blocking},
};

use crate::{
    app::App,
    catalogue,
    clock::Clock,
    connection::{ConnectionHandle, ConnectionListener, OpenConnections},
    faults::{FaultScript, ScriptedFault},
    keys::KeysInProgress,
    ledger::{self, LedgerError, Sale},
    options::{Options, StartError},
    outcome::Failure,
    personality::Personality,
    request_log::{RecordedRequest, RequestLog},
    router::router,
    store::Store,
};

/// How long stopping waits for answers under way before it cuts their connections.
const GRACE: Duration = Duration::from_secs(2);

/// A running service. Dropping it stops it as well, without waiting.
#[derive(Debug)]
pub struct Sandbox {
    addr: SocketAddr,
    app: Arc<App>,
    open: OpenConnections,
    // Dropping the sender is the signal, so that a dropped sandbox ends too.
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
            fault_script: FaultScript::new(options.personality),
            request_log: RequestLog::default(),
            keys: KeysInProgress::default(),
            base_url: format!("http://{addr}"),
            addr,
        });
        let open = OpenConnections::default();
        let lines = ConnectionListener {
            listener,
            open: open.clone(),
        };
        let service =
            router(Arc::clone(&app)).into_make_service_with_connect_info::<ConnectionHandle>();
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(async move {
            axum::serve(lines, service)
                .with_graceful_shutdown(async {
                    // An error means the sender was dropped: the same signal.
                    let _ = stopped.await;
                })
                .await
        });
        Ok(Sandbox {
            addr,
            app,
            open,
            stop,
            serving,
        })
    }

    /// The address it listens on.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// The base address for a client, without a slash at the end.
    pub fn base_url(&self) -> String {
        self.app.base_url.clone()
    }

    /// The access token it demands.
    pub fn token(&self) -> &str {
        &self.app.token
    }

    /// Id of the one store it knows.
    pub fn store_id(&self) -> &str {
        catalogue::STORE_ID
    }

    /// What was really sold, oldest first.
    ///
    /// # Errors
    /// [`LedgerError`] when the database cannot be read.
    pub async fn ledger(&self) -> Result<Vec<Sale>, LedgerError> {
        match self.app.store.transact(ledger::sales).await {
            Ok(sales) => Ok(sales),
            Err(Failure::Database(error)) => Err(LedgerError::Database(error)),
            Err(Failure::Interrupted | Failure::Refused(_) | Failure::Encoding(_)) => {
                Err(LedgerError::Interrupted)
            }
        }
    }

    /// The requests that arrived, oldest first; control endpoints are not among them. Beyond 20,000 the oldest
    /// are let go.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.app.request_log.requests()
    }

    /// Changes how the service behaves from the next request on.
    pub fn set_personality(&self, personality: Personality) {
        self.app.fault_script.set_personality(personality);
    }

    /// Faults for the next matching requests, after those still waiting and ahead of the personality's rules.
    pub fn script(&self, faults: Vec<ScriptedFault>) {
        self.app.fault_script.extend_script(faults);
    }

    /// From now on appends every exchange to this file, one JSON object a line: `method`, `url`, `headers`,
    /// `body`, `response` (`status`, `headers`, `body`; null when the connection was cut) and `faulty`. The
    /// token's value is masked. Blocks while the file is opened.
    ///
    /// # Errors
    /// When the file cannot be opened for appending.
    pub fn record_exchanges_to(&self, path: impl AsRef<Path>) -> io::Result<()> {
        self.app.request_log.write_exchanges_to(path.as_ref())
    }

    /// Takes no new connections, lets answers under way leave for up to two seconds, and ends.
    pub async fn stop(self) {
        drop(self.stop);
        let mut serving = self.serving;
        if tokio::time::timeout(GRACE, &mut serving).await.is_err() {
            self.open.cut_all();
            if tokio::time::timeout(GRACE, &mut serving).await.is_err() {
                serving.abort();
            }
        }
    }
}
