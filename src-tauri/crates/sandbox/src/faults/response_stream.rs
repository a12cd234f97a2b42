//! How a response leaves: raw bytes written past the HTTP server, and what the server does afterwards. Knows
//! nothing of why.

use std::{io, sync::Arc, time::Duration};

use axum::{
    body::{Body, Bytes},
    extract::connect_info::Connected,
    response::Response,
    serve::IncomingStream,
};
use futures::stream;
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};

use crate::Reply;

/// Pause between repeats of [`Step::Forever`], so that endless responses do not take the whole processor.
const REPEAT_PAUSE: Duration = Duration::from_millis(2);

/// Everything that is sent for one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResponseStream {
    /// Carried out on the connection, in order.
    pub(crate) steps: Vec<Step>,
    pub(crate) end: End,
}

/// One step past the HTTP server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Bytes(Vec<u8>),
    Pause(Duration),
    /// Writes these bytes again and again, until the peer closes the connection. A client gives up after some
    /// 400 KB of a head or 2 MiB of a body: that takes it a few dozen repeats, on a busy machine as well.
    Forever(Vec<u8>),
}

/// What comes after the steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The HTTP server sends a reply; the connection stays open.
    Reply(Reply),
    Close,
    Reset,
}

impl ResponseStream {
    pub(crate) fn reply(reply: Reply) -> Self {
        Self {
            steps: Vec::new(),
            end: End::Reply(reply),
        }
    }

    /// The connection is closed after these steps.
    pub(crate) fn closed(steps: Vec<Step>) -> Self {
        Self {
            steps,
            end: End::Close,
        }
    }

    pub(crate) fn reset() -> Self {
        Self {
            steps: Vec::new(),
            end: End::Reset,
        }
    }

    /// The reply that the HTTP server sends, if there is one.
    pub(crate) fn as_reply(&self) -> Option<&Reply> {
        match &self.end {
            End::Reply(reply) => Some(reply),
            End::Close | End::Reset => None,
        }
    }

    /// Carries out the steps, and returns what the HTTP server sends then.
    pub(crate) async fn send(self, connection: &ConnectionHandle) -> Response {
        match self.sent(connection).await {
            Ok(reply) => reply.into_response(),
            // At a body that fails the server closes the connection, before it has sent anything of the response.
            Err(error) => Response::new(Body::from_stream(stream::iter([Err::<Bytes, _>(error)]))),
        }
    }

    async fn sent(self, connection: &ConnectionHandle) -> io::Result<Reply> {
        for step in &self.steps {
            step.send(connection).await?;
        }
        match self.end {
            End::Reply(reply) => return Ok(reply),
            End::Close => {}
            End::Reset => connection.reset_at_end()?,
        }
        Err(io::ErrorKind::ConnectionAborted.into())
    }
}

impl Step {
    async fn send(&self, connection: &ConnectionHandle) -> io::Result<()> {
        match self {
            Step::Bytes(bytes) => connection.write(bytes).await,
            Step::Pause(pause) => {
                tokio::time::sleep(*pause).await;
                Ok(())
            }
            Step::Forever(bytes) => loop {
                connection.write(bytes).await?;
                tokio::time::sleep(REPEAT_PAUSE).await;
            },
        }
    }
}

/// A second hold on a TCP connection, with which a fault writes past the HTTP server; available to every request that
/// arrives over the connection.
#[derive(Clone, Debug)]
pub(crate) struct ConnectionHandle(Arc<io::Result<TcpStream>>);

impl Connected<IncomingStream<'_, TcpListener>> for ConnectionHandle {
    fn connect_info(stream: IncomingStream<'_, TcpListener>) -> Self {
        let socket = SockRef::from(stream.io()).try_clone();
        Self(Arc::new(
            socket.and_then(|socket| TcpStream::from_std(socket.into())),
        ))
    }
}

impl ConnectionHandle {
    fn stream(&self) -> io::Result<&TcpStream> {
        let stream = self.0.as_ref().as_ref();
        stream.map_err(|error| error.kind().into())
    }

    /// Makes the end of the connection a TCP reset.
    pub(crate) fn reset_at_end(&self) -> io::Result<()> {
        self.stream()?.set_zero_linger()
    }

    /// Writes raw bytes past the HTTP server, which must be waiting for the handler meanwhile.
    pub(crate) async fn write(&self, mut bytes: &[u8]) -> io::Result<()> {
        let stream = self.stream()?;
        while !bytes.is_empty() {
            stream.writable().await?;
            match stream.try_write(bytes) {
                Ok(written) => bytes = &bytes[written..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
