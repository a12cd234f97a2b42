//! The listener, and connections that can be cut from inside a request: the only way to lose an answer
//! without a single byte of it leaving. Knows nothing of HTTP.

use std::{
    io,
    net::SocketAddr,
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Waker, ready},
    time::Duration,
};

use axum::{
    extract::connect_info::Connected,
    serve::{IncomingStream, Listener},
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
};

/// Handle on one connection, given to every request that arrives over it.
#[derive(Clone, Debug)]
pub(crate) struct ConnectionHandle {
    cut: Arc<Cut>,
    stream: Arc<TcpStream>,
}

impl ConnectionHandle {
    /// Cuts the connection: nothing more is read from it or written to it.
    pub(crate) fn cut(&self) {
        self.cut.cut();
    }

    /// Cuts the connection so that the peer sees a reset instead of an end.
    pub(crate) fn reset(&self) {
        if let Err(error) = self.stream.set_zero_linger() {
            tracing::warn!(%error, "a connection could not be made to reset");
        }
        self.cut();
    }

    /// Writes past the HTTP server, which must be waiting for an answer meanwhile.
    pub(crate) async fn write(&self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            self.cut.check()?;
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

#[derive(Debug, Default)]
struct Cut {
    done: AtomicBool,
    reader: Mutex<Option<Waker>>,
}

impl Cut {
    fn cut(&self) {
        self.done.store(true, Ordering::SeqCst);
        let waker = self
            .reader
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    fn check(&self) -> io::Result<()> {
        if self.done.load(Ordering::SeqCst) {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        Ok(())
    }
}

/// Every open connection, so that stopping can end those that will not end by themselves.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenConnections(Arc<Mutex<Vec<Weak<Cut>>>>);

impl OpenConnections {
    fn add(&self, cut: &Arc<Cut>) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.retain(|line| line.strong_count() > 0);
        lines.push(Arc::downgrade(cut));
    }

    pub(crate) fn cut_all(&self) {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for cut in lines.iter().filter_map(Weak::upgrade) {
            cut.cut();
        }
    }
}

/// Accepts TCP connections and makes each one cuttable.
#[derive(Debug)]
pub(crate) struct ConnectionListener {
    pub(crate) listener: TcpListener,
    pub(crate) open: OpenConnections,
}

impl Listener for ConnectionListener {
    type Io = CuttableStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            match self.listener.accept().await {
                Ok((stream, addr)) => {
                    // Answers are small; without this each may wait for the peer's delayed ACK.
                    if let Err(error) = stream.set_nodelay(true) {
                        tracing::debug!(%error, "TCP_NODELAY was refused");
                    }
                    let cut = Arc::new(Cut::default());
                    self.open.add(&cut);
                    let stream = Arc::new(stream);
                    return (CuttableStream(ConnectionHandle { cut, stream }), addr);
                }
                Err(error) => {
                    // Out of file handles and the like: the next connection may succeed.
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(Duration::from_millis(50)).await;
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

/// A TCP stream that fails every read and write once it has been cut.
#[derive(Debug)]
pub(crate) struct CuttableStream(ConnectionHandle);

impl AsyncRead for CuttableStream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let ConnectionHandle { cut, stream } = &self.0;
        *cut.reader.lock().unwrap_or_else(PoisonError::into_inner) = Some(context.waker().clone());
        loop {
            cut.check()?;
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

impl AsyncWrite for CuttableStream {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let ConnectionHandle { cut, stream } = &self.0;
        loop {
            cut.check()?;
            ready!(stream.poll_write_ready(context))?;
            match stream.try_write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written @ (Ok(_) | Err(_)) => return Poll::Ready(written),
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.0.cut.check())
    }

    /// The server drops the stream right afterwards, and that closes it.
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
