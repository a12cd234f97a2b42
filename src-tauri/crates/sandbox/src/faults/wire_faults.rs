//! Faults below the semantics of HTTP, as a broken server, proxy or network causes them: what is sent in place of an
//! answer, and how it is carried out. Which fault applies to which request is decided in `script`.

use std::{io::Write, time::Duration};

use flate2::{Compression, write::GzEncoder};
use serde::{Deserialize, Serialize};

use super::response_stream::{End, ResponseStream, Step};
use crate::{ErrorResponse, Reply};

/// Longer than any client waits for an answer.
const BEYOND_TIMEOUTS: Duration = Duration::from_secs(600);

/// What is sent without end goes in pieces of this many bytes, so that a client is not slow to have its fill.
const LARGE: usize = 0x10000;

/// A reset discards what the client has not read yet.
const BEFORE_RESET: Duration = Duration::from_millis(50);

/// A JSON string of 8 MiB of white space, compressed to 8 KiB.
const DECOMPRESSION_BOMB: &[u8] = include_bytes!("decompression_bomb.json.gz");

/// What happens to the answer of an operation that has run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WireFault {
    #[serde(default)]
    body: WireBody,
    /// Carried out in order; by default the head and the body.
    #[serde(default = "whole")]
    send: Vec<Piece>,
    #[serde(default)]
    then: Then,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum WireBody {
    #[default]
    Unchanged,
    Gzip,
    /// The same without its last bytes.
    GzipCut,
    /// A gzip body that grows a thousandfold.
    GzipBomb,
    /// A byte in it is not valid UTF-8.
    InvalidUtf8,
    Utf16,
    /// Duplicate keys in its first object; the wrong values come first.
    DuplicateKeys,
}

/// A part of what is sent. In its text `{status}` stands for the status of the answer, `{head}` for its status line
/// and headers without a length, `{length}` for the bytes of the body, `{size}` for the same as the size of a chunk,
/// `{body}` for the body, `{half}` for its first half, `{halfLength}` for the bytes of that, and `{spaces}` for 64 KiB
/// of white space.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Piece {
    /// Nothing, on an open connection.
    Silence,
    /// A text one byte at a time, each after a pause in milliseconds.
    Drip(String, u64),
    /// A text this many times.
    Repeat(String, usize),
    /// A text as often as the client reads it.
    Forever(String),
    #[serde(untagged)]
    Text(String),
}

/// What comes after the pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Then {
    #[default]
    Close,
    Reset,
    /// The answer; the connection stays open.
    Answer,
    /// A refusal of nothing; the connection stays open.
    Refusal,
}

fn whole() -> Vec<Piece> {
    vec![Piece::Text(
        "{head}content-length: {length}\r\n\r\n{body}".to_owned(),
    )]
}

impl WireFault {
    /// What is sent in place of the reply.
    pub(crate) fn apply(&self, reply: Reply) -> ResponseStream {
        let body = self.body.of(&reply.body);
        let filled = |text: &str| filled(text, &reply, &body);
        let mut steps = Vec::new();
        for piece in &self.send {
            match piece {
                Piece::Silence => steps.push(Step::Pause(BEYOND_TIMEOUTS)),
                Piece::Drip(text, pause_ms) => {
                    let pause = Step::Pause(Duration::from_millis(*pause_ms));
                    let bytes = filled(text).into_iter();
                    steps.extend(bytes.flat_map(|byte| [pause.clone(), Step::Bytes(vec![byte])]));
                }
                Piece::Repeat(text, times) => steps.push(Step::Bytes(filled(text).repeat(*times))),
                Piece::Forever(text) => {
                    let bytes = filled(text);
                    let times = 1 + LARGE / bytes.len().max(1);
                    steps.push(Step::Forever(bytes.repeat(times)));
                }
                Piece::Text(text) => steps.push(Step::Bytes(filled(text))),
            }
        }
        let end = match self.then {
            Then::Close => End::Close,
            Then::Reset => {
                steps.push(Step::Pause(BEFORE_RESET));
                End::Reset
            }
            Then::Answer => End::Reply(reply),
            Then::Refusal => {
                let error = ErrorResponse::bad_request("an answer that was not asked for");
                End::Reply(Reply::with_type("application/json", 400, error.body()))
            }
        };
        ResponseStream { steps, end }
    }
}

impl WireBody {
    fn of(self, body: &str) -> Vec<u8> {
        match self {
            Self::Unchanged => body.into(),
            Self::Gzip => gzip(body.as_bytes()),
            Self::GzipCut => {
                let mut bytes = gzip(body.as_bytes());
                bytes.truncate(bytes.len().saturating_sub(12));
                bytes
            }
            Self::GzipBomb => DECOMPRESSION_BOMB.to_vec(),
            Self::InvalidUtf8 => {
                let mut bytes = body.as_bytes().to_vec();
                let quote = bytes.iter().position(|byte| *byte == b'"');
                bytes.insert(quote.map_or(0, |at| at + 1), 0xff);
                bytes
            }
            Self::Utf16 => body.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            Self::DuplicateKeys => {
                let other = r#"{"id":"duplicate","token":"duplicate","referenceId":"duplicate","#;
                body.replacen('{', other, 1).into_bytes()
            }
        }
    }
}

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    // Writing into memory does not fail.
    let written = encoder.write_all(body);
    written.and_then(|()| encoder.finish()).unwrap_or_default()
}

/// A text with what the names of [`Piece`] in it stand for. Other text in braces is sent as it is.
pub(super) fn filled(text: &str, reply: &Reply, body: &[u8]) -> Vec<u8> {
    let half = &body[..body.len() / 2];
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((before, (name, after))) = rest
        .split_once('{')
        .and_then(|(before, named)| Some((before, named.split_once('}')?)))
    {
        bytes.extend_from_slice(before.as_bytes());
        match name {
            "status" => bytes.extend(reply.status.to_string().bytes()),
            "head" => bytes.extend(head(reply).bytes()),
            "length" => bytes.extend(body.len().to_string().bytes()),
            "halfLength" => bytes.extend(half.len().to_string().bytes()),
            "size" => bytes.extend(format!("{:x}", body.len()).bytes()),
            "body" => bytes.extend_from_slice(body),
            "half" => bytes.extend_from_slice(half),
            "spaces" => bytes.extend_from_slice(&[b' '; LARGE]),
            other => bytes.extend(format!("{{{other}}}").bytes()),
        }
        rest = after;
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

fn head(reply: &Reply) -> String {
    let headers = reply.headers.iter();
    let headers: String = headers
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    format!("HTTP/1.1 {} Sample\r\n{headers}", reply.status)
}
