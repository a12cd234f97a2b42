//! How an answer leaves: bytes put on the connection past the HTTP server, and what comes last. Knows nothing
//! of why.

use std::time::Duration;

use axum::{body::Body, response::Response};

use crate::{connection::ConnectionHandle, reply::Reply};

/// Between two pieces of what has no end, so that the machine is left for others.
const REPEAT_PAUSE: Duration = Duration::from_millis(2);

/// Everything that leaves for one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResponseStream {
    /// Written to the connection as it stands, in order.
    pub(crate) steps: Vec<Step>,
    /// What the HTTP server does afterwards.
    pub(crate) end: End,
}

/// A step past the HTTP server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Bytes(Vec<u8>),
    Pause(Duration),
    /// Again and again, until the other side takes no more.
    Forever(Vec<u8>),
}

/// What comes last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// An answer of the HTTP server; the connection stays.
    Reply(Reply),
    /// The connection is closed.
    Cut,
    /// The connection is reset.
    Reset,
}

impl ResponseStream {
    pub(crate) fn reply(reply: Reply) -> Self {
        Self {
            steps: Vec::new(),
            end: End::Reply(reply),
        }
    }

    pub(crate) fn cut() -> Self {
        Self {
            steps: Vec::new(),
            end: End::Cut,
        }
    }

    pub(crate) fn reset() -> Self {
        Self {
            steps: Vec::new(),
            end: End::Reset,
        }
    }

    /// The reply that HTTP sees, if there is one.
    pub(crate) fn as_reply(&self) -> Option<&Reply> {
        match &self.end {
            End::Reply(reply) => Some(reply),
            End::Cut | End::Reset => None,
        }
    }

    /// Carries it out. What is returned after a cut or a reset never arrives.
    pub(crate) async fn send(self, connection: Option<&ConnectionHandle>) -> Response {
        if let Some(connection) = connection {
            for piece in &self.steps {
                if piece.send(connection).await.is_err() {
                    connection.cut();
                    break;
                }
            }
            match &self.end {
                End::Reply(_) => {}
                End::Cut => connection.cut(),
                End::Reset => connection.reset(),
            }
        }
        match self.end {
            End::Reply(reply) => reply.into_response(),
            End::Cut | End::Reset => Response::new(Body::empty()),
        }
    }
}

impl Step {
    async fn send(&self, connection: &ConnectionHandle) -> std::io::Result<()> {
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
