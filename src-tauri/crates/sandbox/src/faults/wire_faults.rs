//! Faults below the semantics of HTTP, as a broken server, proxy or network causes them: their names, and the
//! bytes that each one sends. Which fault applies to which request is decided in `script`.

use std::{io::Write, time::Duration};

use flate2::{Compression, write::GzEncoder};
use serde::{Deserialize, Serialize};

use super::response_stream::{End, ResponseStream, Step};
use crate::{error_response::ErrorResponse, reply::Reply};

/// Longer than any client waits for an answer.
const BEYOND_TIMEOUTS: Duration = Duration::from_secs(600);

/// A JSON string of 8 MiB of white space, compressed to 8 KiB.
const DECOMPRESSION_BOMB: &[u8] = include_bytes!("decompression_bomb.json.gz");

/// What happens to the answer of an operation that has run. The connection is closed afterwards unless a variant
/// says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub enum WireFault {
    /// Nothing is sent, and the connection stays open.
    Silence,
    /// The head, then nothing more on an open connection.
    SilenceAfterHead,
    /// The head and half of the body, then nothing more on an open connection.
    SilenceInBody,
    /// The head one byte at a time, then the body.
    HeadDrip {
        pause_ms: u64,
    },
    /// The first half of the head.
    HeadCut,
    /// Header lines without an end.
    HeadWithoutEnd,
    /// This many additional header lines, then the body.
    HeaderFlood {
        count: u32,
    },
    /// Interim responses (103) before the answer.
    InterimFlood {
        /// How many; `None`: endless.
        count: Option<u32>,
    },
    /// A status line with this number, valid or not.
    Status {
        status: u16,
    },
    /// The greeting of a mail server instead of HTTP.
    NotHttp,
    /// Half of the body, then the connection is reset.
    BodyReset,
    /// An endless body, as fast as the client reads it.
    BodyWithoutEnd,
    /// `Content-Length` names half of what is sent.
    LengthTooShort,
    /// `Content-Length` is no number.
    LengthNotANumber,
    /// Two different `Content-Length` headers.
    TwoLengths,
    /// `Content-Length` together with a chunked body.
    LengthAndChunks,
    /// Chunks whose sizes are no numbers.
    InvalidChunks,
    /// A chunked body without the last chunk.
    ChunksWithoutEnd,
    /// The body compressed with gzip, which HTTP allows although the client did not ask for it.
    Gzip,
    /// The same without its last bytes, with a matching `Content-Length`.
    GzipCut,
    /// A decompression bomb: a gzip body that grows a thousandfold.
    GzipBomb,
    /// A byte in the body that is not valid UTF-8.
    InvalidUtf8,
    Utf16,
    ByteOrderMark,
    /// A body of this many open brackets.
    DeepNesting {
        levels: u32,
    },
    /// Duplicate keys in the first object of the body; the wrong values come first.
    DuplicateKeys,
    /// The body under another `Content-Type`; the connection stays open.
    ContentType {
        value: String,
    },
    /// An empty body with the status of the answer.
    NoBody,
    /// A second, unsolicited response after the answer; the connection stays open.
    SecondAnswer,
    /// The complete answer without `Connection: close`, then the connection is closed.
    CloseAfter,
    /// The complete answer without `Connection: close`, then the connection is reset.
    ResetAfter,
}

impl WireFault {
    /// What is sent in place of the reply.
    pub(crate) fn apply(&self, reply: Reply) -> ResponseStream {
        let body = reply.body.as_bytes();
        let head = |extra: &str| head(&reply, extra).into_bytes();
        let whole = || [head(&length(body)), body.to_vec()].concat();
        let half = body.len() / 2;
        let closed = ResponseStream::closed;
        let once = |bytes: Vec<u8>| closed(vec![Step::Bytes(bytes)]);
        let answer = |lines: &str| once([head(lines), body.to_vec()].concat());
        let with_body = |bytes: Vec<u8>| once([head(&length(&bytes)), bytes].concat());
        match self {
            Self::Silence => closed(vec![Step::Pause(BEYOND_TIMEOUTS)]),
            Self::SilenceAfterHead => closed(vec![
                Step::Bytes(head(&length(body))),
                Step::Pause(BEYOND_TIMEOUTS),
            ]),
            Self::SilenceInBody => {
                let kept = [head(&length(body)), body[..half].to_vec()].concat();
                closed(vec![Step::Bytes(kept), Step::Pause(BEYOND_TIMEOUTS)])
            }
            Self::HeadDrip { pause_ms } => {
                let pause = Duration::from_millis(*pause_ms);
                let mut steps: Vec<Step> = head(&length(body))
                    .into_iter()
                    .flat_map(|byte| [Step::Pause(pause), Step::Bytes(vec![byte])])
                    .collect();
                steps.push(Step::Bytes(body.to_vec()));
                closed(steps)
            }
            Self::HeadCut => {
                let mut bytes = head(&length(body));
                bytes.truncate(bytes.len() / 2);
                once(bytes)
            }
            Self::HeadWithoutEnd => closed(vec![
                Step::Bytes(b"HTTP/1.1 200 OK\r\n".to_vec()),
                Step::Forever(b"x-more: and more\r\n".repeat(1024)),
            ]),
            Self::HeaderFlood { count } => {
                let lines: String = (0..*count).map(|n| format!("x-{n}: x\r\n")).collect();
                answer(&(lines + &length(body)))
            }
            Self::InterimFlood { count } => {
                let interim = b"HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n";
                match count {
                    Some(count) => ResponseStream {
                        steps: vec![Step::Bytes(interim.repeat(*count as usize))],
                        end: End::Reply(reply),
                    },
                    None => closed(vec![Step::Forever(interim.repeat(64))]),
                }
            }
            Self::Status { status } => {
                let text = format!("HTTP/1.1 {status} Sample\r\n{}\r\n", length(body));
                once([text.into_bytes(), body.to_vec()].concat())
            }
            Self::NotHttp => once(b"220 mail.sample.invalid ESMTP ready\r\n".to_vec()),
            Self::BodyReset => ResponseStream {
                steps: vec![
                    Step::Bytes([head(&length(body)), body[..half].to_vec()].concat()),
                    // A reset discards what the client has not read yet.
                    Step::Pause(Duration::from_millis(50)),
                ],
                end: End::Reset,
            },
            Self::BodyWithoutEnd => closed(vec![
                Step::Bytes(head("transfer-encoding: chunked\r\n")),
                Step::Forever([b"10000\r\n", &[b' '; 0x10000][..], b"\r\n"].concat()),
            ]),
            Self::LengthTooShort => answer(&length(&body[..half])),
            Self::LengthNotANumber => answer("content-length: plenty\r\n"),
            Self::TwoLengths => answer(&(length(body) + &length(&body[..half]))),
            Self::LengthAndChunks => {
                let lines = length(&body[..half]) + "transfer-encoding: chunked\r\n";
                once([head(&lines), chunk(body), b"0\r\n\r\n".to_vec()].concat())
            }
            Self::InvalidChunks => {
                let lines = "transfer-encoding: chunked\r\n";
                once([head(lines), b"many\r\n".to_vec(), body.to_vec()].concat())
            }
            Self::ChunksWithoutEnd => {
                once([head("transfer-encoding: chunked\r\n"), chunk(body)].concat())
            }
            Self::Gzip => once(gzip_reply(&reply, &gzip(body))),
            Self::GzipCut => {
                let whole = gzip(body);
                once(gzip_reply(&reply, &whole[..whole.len().saturating_sub(12)]))
            }
            Self::GzipBomb => once(gzip_reply(&reply, DECOMPRESSION_BOMB)),
            Self::InvalidUtf8 => {
                let mut bytes = body.to_vec();
                let quote = bytes.iter().position(|byte| *byte == b'"');
                bytes.insert(quote.map_or(0, |at| at + 1), 0xff);
                with_body(bytes)
            }
            Self::Utf16 => with_body(
                reply
                    .body
                    .encode_utf16()
                    .flat_map(u16::to_be_bytes)
                    .collect(),
            ),
            Self::ByteOrderMark => with_body([b"\xef\xbb\xbf", body].concat()),
            Self::DeepNesting { levels } => with_body(vec![b'['; *levels as usize]),
            Self::DuplicateKeys => {
                let other = r#"{"id":"duplicate","token":"duplicate","referenceId":"duplicate","#;
                with_body(reply.body.replacen('{', other, 1).into_bytes())
            }
            Self::ContentType { value } => {
                let mut other = reply.clone();
                other.headers = vec![("content-type".to_owned(), value.clone())];
                ResponseStream::reply(other)
            }
            Self::NoBody => with_body(Vec::new()),
            Self::SecondAnswer => {
                let error = ErrorResponse::bad_request("an answer that nobody asked for");
                let second = Reply::with_type("application/json", 400, error.body());
                ResponseStream {
                    steps: vec![Step::Bytes(whole())],
                    end: End::Reply(second),
                }
            }
            Self::CloseAfter => once(whole()),
            Self::ResetAfter => ResponseStream {
                steps: vec![Step::Bytes(whole()), Step::Pause(Duration::from_millis(50))],
                end: End::Reset,
            },
        }
    }
}

/// Status line and headers of the reply, with further header lines, each ending in CRLF.
pub(super) fn head(reply: &Reply, extra: &str) -> String {
    let headers: String = reply
        .headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    format!("HTTP/1.1 {} Sample\r\n{headers}{extra}\r\n", reply.status)
}

/// The reply with a gzip body in place of its own.
fn gzip_reply(reply: &Reply, body: &[u8]) -> Vec<u8> {
    let lines = "content-encoding: gzip\r\n".to_owned() + &length(body);
    [head(reply, &lines).as_bytes(), body].concat()
}

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    // Writing into memory does not fail.
    let written = encoder.write_all(body);
    written.and_then(|()| encoder.finish()).unwrap_or_default()
}

pub(super) fn length(body: &[u8]) -> String {
    format!("content-length: {}\r\n", body.len())
}

fn chunk(body: &[u8]) -> Vec<u8> {
    [format!("{:x}\r\n", body.len()).as_bytes(), body, b"\r\n"].concat()
}
