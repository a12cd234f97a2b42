//! The listener, and connections that the service can close at any moment, even while a request on them is
//! being answered. Knows nothing of HTTP.

use std::{
    io,
    net::SocketAddr,
    pin::Pin,
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{
    extract::connect_info::Connected,
    serve::{IncomingStream, Listener},
};
use futures::task::AtomicWaker;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
};

use crate::lock::lock;

/// How long the listener waits after a failed accept, which usually means too many open files.
const ACCEPT_RETRY: Duration = Duration::from_millis(50);

/// Accepts TCP connections that can be closed from elsewhere.
#[derive(Debug)]
pub(crate) struct ConnectionListener {
    pub(crate) listener: TcpListener,
    pub(crate) open: OpenConnections,
}

/// Every open connection, so that a stopping service can close those that do not end by themselves.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenConnections(Arc<Mutex<Vec<Weak<CloseSignal>>>>);

impl OpenConnections {
    pub(crate) fn close_all(&self) {
        let open = lock(&self.0);
        for signal in open.iter().filter_map(Weak::upgrade) {
            signal.close();
        }
    }

    fn add(&self, signal: &Arc<CloseSignal>) {
        let mut open = lock(&self.0);
        open.retain(|signal| signal.strong_count() > 0);
        open.push(Arc::downgrade(signal));
    }
}

/// Handle on one connection, available to every request that arrives over it.
#[derive(Clone, Debug)]
pub(crate) struct ConnectionHandle {
    signal: Arc<CloseSignal>,
    stream: Arc<TcpStream>,
}

#[cfg(feature = "faults")]
impl ConnectionHandle {
    /// Closes the connection: nothing more is read from it or written to it.
    pub(crate) fn close(&self) {
        self.signal.close();
    }

    /// Closes the connection with a TCP reset.
    pub(crate) fn reset(&self) {
        if let Err(error) = self.stream.set_zero_linger() {
            tracing::warn!(%error, "a connection could not be made to reset");
        }
        self.close();
    }

    /// Writes raw bytes past the HTTP server, which must be waiting for the handler meanwhile.
    pub(crate) async fn write(&self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            self.signal.check()?;
            self.stream.writable().await?;
            match self.stream.try_write(bytes) {
                Ok(written) => bytes = &bytes[written..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Whether a connection has been closed on purpose, and the reader to wake when it is.
#[derive(Debug, Default)]
struct CloseSignal {
    closed: AtomicBool,
    reader: AtomicWaker,
}

impl CloseSignal {
    fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
        self.reader.wake();
    }

    fn check(&self) -> io::Result<()> {
        if self.closed.load(Ordering::SeqCst) {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        Ok(())
    }
}

impl Listener for ConnectionListener {
    type Io = ClosableStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            match self.listener.accept().await {
                Ok((stream, addr)) => {
                    // Answers are small; without this each may wait for the peer's delayed ACK.
                    if let Err(error) = stream.set_nodelay(true) {
                        tracing::debug!(%error, "TCP_NODELAY could not be set");
                    }
                    let signal = Arc::new(CloseSignal::default());
                    self.open.add(&signal);
                    let stream = Arc::new(stream);
                    return (ClosableStream(ConnectionHandle { signal, stream }), addr);
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(ACCEPT_RETRY).await;
                }
            }
        }
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.listener.local_addr()
    }
}

impl Connected<IncomingStream<'_, ConnectionListener>> for ConnectionHandle {
    fn connect_info(stream: IncomingStream<'_, ConnectionListener>) -> Self {
        stream.io().0.clone()
    }
}

/// A TCP stream whose reads and writes fail once it has been closed.
#[derive(Debug)]
pub(crate) struct ClosableStream(ConnectionHandle);

impl AsyncRead for ClosableStream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let ConnectionHandle { signal, stream } = &self.0;
        signal.reader.register(context.waker());
        loop {
            signal.check()?;
            ready!(stream.poll_read_ready(context))?;
            match stream.try_read(buffer.initialize_unfilled()) {
                Ok(read) => {
                    buffer.advance(read);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

impl AsyncWrite for ClosableStream {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let ConnectionHandle { signal, stream } = &self.0;
        loop {
            signal.check()?;
            ready!(stream.poll_write_ready(context))?;
            match stream.try_write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written @ (Ok(_) | Err(_)) => return Poll::Ready(written),
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.0.signal.check())
    }

    /// The server drops the stream right afterwards, and that closes it.
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
