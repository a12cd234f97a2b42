//! How a response leaves: raw bytes written past the HTTP server, and what the server does afterwards. Knows
//! nothing of why.

use std::{convert::Infallible, io, mem, time::Duration};

use axum::{
    body::{Body, Bytes},
    response::Response,
};
use futures::{StreamExt, stream};

use crate::{connection::ConnectionHandle, reply::Reply};

/// Pause between repeats of [`Step::Forever`], so that endless responses do not take the whole processor.
const REPEAT_PAUSE: Duration = Duration::from_millis(2);

/// Pause before the connection is closed in the middle of a body, so that the bytes before it are sent.
const CLOSE_PAUSE: Duration = Duration::from_millis(20);

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
    /// Writes these bytes again and again, until the peer closes the connection.
    Forever(Vec<u8>),
}

/// What comes after the steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The HTTP server sends a reply; the connection stays open.
    Reply(Reply, Delivery),
    Close,
    Reset,
}

/// How the body of a reply is delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivery {
    Whole,
    /// This many bytes, then the connection is closed although Content-Length promised all of them.
    CloseAfter(usize),
    /// In pieces, with a pause before each.
    Drip {
        chunk_bytes: usize,
        pause: Duration,
    },
}

impl ResponseStream {
    pub(crate) fn reply(reply: Reply) -> Self {
        Self::delivered(reply, Delivery::Whole)
    }

    pub(crate) fn delivered(reply: Reply, delivery: Delivery) -> Self {
        Self {
            steps: Vec::new(),
            end: End::Reply(reply, delivery),
        }
    }

    pub(crate) fn close() -> Self {
        Self {
            steps: Vec::new(),
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
            End::Reply(reply, _) => Some(reply),
            End::Close | End::Reset => None,
        }
    }

    /// Carries out the steps. The response that is returned after a close or a reset is never sent.
    pub(crate) async fn send(self, connection: Option<&ConnectionHandle>) -> Response {
        if let Some(connection) = connection {
            for step in &self.steps {
                if step.send(connection).await.is_err() {
                    connection.close();
                    break;
                }
            }
            match &self.end {
                End::Reply(..) => {}
                End::Close => connection.close(),
                End::Reset => connection.reset(),
            }
        }
        match self.end {
            End::Reply(reply, delivery) => delivery.response(reply),
            End::Close | End::Reset => Response::new(Body::empty()),
        }
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

impl Delivery {
    fn response(self, mut reply: Reply) -> Response {
        let length = reply.body.len();
        let body = match self {
            Delivery::Whole => return reply.into_response(),
            Delivery::CloseAfter(kept) => {
                let body = Bytes::from(mem::take(&mut reply.body));
                let start = Ok(body.slice(..kept.min(length)));
                let end = stream::once(async {
                    tokio::time::sleep(CLOSE_PAUSE).await;
                    Err(io::Error::from(io::ErrorKind::ConnectionAborted))
                });
                Body::from_stream(stream::iter([start]).chain(end))
            }
            Delivery::Drip { chunk_bytes, pause } => {
                let chunks: Vec<Bytes> = reply
                    .body
                    .as_bytes()
                    .chunks(chunk_bytes.max(1))
                    .map(Bytes::copy_from_slice)
                    .collect();
                Body::from_stream(stream::iter(chunks).then(move |chunk| async move {
                    tokio::time::sleep(pause).await;
                    Ok::<_, Infallible>(chunk)
                }))
            }
        };
        reply.into_response_with(body, length)
    }
}
