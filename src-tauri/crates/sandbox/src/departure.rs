//! How an answer leaves: bytes put on the connection past the HTTP server, and what comes last. Knows nothing
//! of why.

use std::time::Duration;

use axum::{body::Body, response::Response};

use crate::{connection::Line, reply::Reply};

/// Between two pieces of what has no end, so that the machine is left for others.
const BREATH: Duration = Duration::from_millis(2);

/// Everything that leaves for one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Departure {
    /// Written to the connection as it stands, in order.
    pub(crate) first: Vec<Piece>,
    /// What the HTTP server does afterwards.
    pub(crate) last: Last,
}

/// A step past the HTTP server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Bytes(Vec<u8>),
    Pause(Duration),
    /// Again and again, until the other side takes no more.
    Forever(Vec<u8>),
}

/// What comes last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Last {
    /// An answer of the HTTP server; the connection stays.
    Reply(Reply),
    /// The connection is closed.
    Cut,
    /// The connection is reset.
    Reset,
}

impl Departure {
    pub(crate) fn reply(reply: Reply) -> Self {
        Self {
            first: Vec::new(),
            last: Last::Reply(reply),
        }
    }

    pub(crate) fn cut() -> Self {
        Self {
            first: Vec::new(),
            last: Last::Cut,
        }
    }

    pub(crate) fn reset() -> Self {
        Self {
            first: Vec::new(),
            last: Last::Reset,
        }
    }

    /// The reply that HTTP sees, if there is one.
    pub(crate) fn as_reply(&self) -> Option<&Reply> {
        match &self.last {
            Last::Reply(reply) => Some(reply),
            Last::Cut | Last::Reset => None,
        }
    }

    /// Carries it out. What is returned after a cut or a reset never arrives.
    pub(crate) async fn leave(self, line: Option<&Line>) -> Response {
        if let Some(line) = line {
            for piece in &self.first {
                if piece.leave(line).await.is_err() {
                    line.cut();
                    break;
                }
            }
            match &self.last {
                Last::Reply(_) => {}
                Last::Cut => line.cut(),
                Last::Reset => line.reset(),
            }
        }
        match self.last {
            Last::Reply(reply) => reply.into_response(),
            Last::Cut | Last::Reset => Response::new(Body::empty()),
        }
    }
}

impl Piece {
    async fn leave(&self, line: &Line) -> std::io::Result<()> {
        match self {
            Piece::Bytes(bytes) => line.write(bytes).await,
            Piece::Pause(pause) => {
                tokio::time::sleep(*pause).await;
                Ok(())
            }
            Piece::Forever(bytes) => loop {
                line.write(bytes).await?;
                tokio::time::sleep(BREATH).await;
            },
        }
    }
}
