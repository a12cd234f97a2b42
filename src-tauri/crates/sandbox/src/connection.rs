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
    task::{Context, Poll, Waker},
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
pub(crate) struct Line(Arc<Cut>);

impl Line {
    /// Cuts the connection: nothing more is read from it or written to it.
    pub(crate) fn cut(&self) {
        self.0.cut();
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

    fn is_done(&self) -> bool {
        self.done.load(Ordering::SeqCst)
    }
}

/// Every open connection, so that stopping can end those that will not end by themselves.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenLines(Arc<Mutex<Vec<Weak<Cut>>>>);

impl OpenLines {
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
pub(crate) struct Lines {
    pub(crate) listener: TcpListener,
    pub(crate) open: OpenLines,
}

impl Listener for Lines {
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
                    return (CuttableStream { stream, cut }, addr);
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

impl Connected<IncomingStream<'_, Lines>> for Line {
    fn connect_info(stream: IncomingStream<'_, Lines>) -> Self {
        Line(Arc::clone(&stream.io().cut))
    }
}

/// A TCP stream that fails every read and write once it has been cut.
#[derive(Debug)]
pub(crate) struct CuttableStream {
    stream: TcpStream,
    cut: Arc<Cut>,
}

impl CuttableStream {
    fn check(&self) -> io::Result<()> {
        if self.cut.is_done() {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        Ok(())
    }
}

impl AsyncRead for CuttableStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        *self
            .cut
            .reader
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(context.waker().clone());
        self.check()?;
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for CuttableStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
