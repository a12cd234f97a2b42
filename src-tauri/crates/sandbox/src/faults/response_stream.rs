//! How a response leaves: raw bytes written past the HTTP server, and what the server does afterwards. Knows
//! nothing of why.

use std::{io, time::Duration};

use axum::{
    body::{Body, Bytes},
    response::Response,
};
use futures::stream;

use crate::{connection::ConnectionHandle, reply::Reply};

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
