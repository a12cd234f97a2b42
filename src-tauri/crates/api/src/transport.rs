//! Sends one request once and reads its reply within limits.
//!
//! Owns connections, timeouts and the maximum size of a body. Sends a request at most once: follows
//! no redirect and never retries. Knows nothing of the interface's resources.

use std::error::Error as StdError;
use std::io::{self, Read};
use std::pin::pin;
use std::time::{Duration, SystemTime};

use flate2::read::MultiGzDecoder;
use reqwest::header::CONTENT_ENCODING;
use reqwest::redirect::Policy;
use reqwest::{ClientBuilder, Method, Request, Response, StatusCode};
use tokio::time::{Instant, error::Elapsed, timeout, timeout_at};
use tower::util::MapFutureLayer;

use crate::failure;
use crate::names::Names;
use crate::network::NetworkSettings;
use crate::retry_after;
use crate::tls_seen::TlsRecord;
use crate::{BaseUrl, ClientError, Error, NoAnswer, Timeouts};

/// Maximum size of a body, compressed or not. The interface names no limit; this one is ours.
const MAX_BODY_BYTES: usize = 2 * 1024 * 1024;

/// How long a connection for reads is kept for the next call. Short, because if the server closes
/// the connection just when it is used again, the call gets no answer.
const IDLE: Duration = Duration::from_secs(15);

/// How long after the time of a call an answer that has arrived meanwhile may take to be read. Its time also
/// runs while the program is held up, as on a computer that freezes.
const READ_LATE: Duration = Duration::from_secs(1);

type BoxError = Box<dyn StdError + Send + Sync>;

/// Two connection pools for one service.
///
/// A call that changes something always gets a new connection: if the server closed a kept one
/// during the request, a sale that was never processed would get an unknown outcome.
#[derive(Debug)]
pub(crate) struct Transport {
    reads: reqwest::Client,
    writes: reqwest::Client,
    timeouts: Timeouts,
}

/// A reply with a complete head.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    /// `Retry-After` as a wait from now.
    pub(crate) retry_after: Option<Duration>,
    /// `Date`: the time on the service's clock.
    pub(crate) date: Option<SystemTime>,
    /// The body, as far as it was read.
    pub(crate) body: Body,
}

#[derive(Debug)]
pub(crate) enum Body {
    Whole(Vec<u8>),
    /// More than 2 MiB; the rest was not read.
    Oversized,
    /// The connection failed before the end of the body.
    Lost(NoAnswer),
}

impl Transport {
    /// Creates both connection pools; sends nothing.
    pub(crate) fn new(
        base_url: &BaseUrl,
        timeouts: Timeouts,
        network: &NetworkSettings,
        record: Option<&TlsRecord>,
    ) -> Result<Self, ClientError> {
        let builder = |call| {
            let builder = builder(timeouts.connect, call, SystemTime::now);
            network.apply(builder, base_url, record)
        };
        let (reads, writes) = (builder(timeouts.read)?, builder(timeouts.write)?);
        Ok(Self {
            reads: reads.pool_idle_timeout(IDLE).build()?,
            writes: writes.pool_max_idle_per_host(0).build()?,
            timeouts,
        })
    }

    /// Sends a request once.
    pub(crate) async fn send(&self, request: Request) -> Result<Reply, Error> {
        let (client, call) = if request.method() == Method::GET {
            (&self.reads, self.timeouts.read)
        } else {
            (&self.writes, self.timeouts.write)
        };
        let end = Instant::now() + call;
        let response = arrived(client.execute(request), end)
            .await
            .map_err(|_| Error::NoAnswer(NoAnswer::Timeout))?
            .map_err(|error| failure::classify(&error))?;
        Ok(Reply {
            status: response.status(),
            retry_after: retry_after::read(response.headers()),
            date: retry_after::date(response.headers()),
            body: arrived(read_body(response), end)
                .await
                .unwrap_or(Body::Lost(NoAnswer::Timeout)),
        })
    }
}

/// What arrives until the end of a call's time, also if it is read only afterwards.
async fn arrived<T>(reading: impl Future<Output = T>, end: Instant) -> Result<T, Elapsed> {
    let mut reading = pin!(reading);
    match timeout_at(end, &mut reading).await {
        Ok(read) => Ok(read),
        Err(_) => timeout(READ_LATE, reading).await,
    }
}

fn builder(connect: Duration, call: Duration, clock: fn() -> SystemTime) -> ClientBuilder {
    // The time of a call also runs while the connection is made, and a call that it ends counts as possibly
    // processed. At most half of it makes sure that a failed connection is recognised as such.
    let bound = connect.min(call / 2);
    let names = Names::default();
    reqwest::Client::builder()
        // HTTP/1 sends one request at a time on a connection, so an error of the connection is an
        // error of this request.
        .http1_only()
        .redirect(Policy::none())
        .retry(reqwest::retry::never())
        .dns_resolver(names.clone())
        .connect_timeout(bound)
        .connector_layer(MapFutureLayer::new(move |opening| {
            opened_in_time(opening, bound, clock, names.clone())
        }))
}

/// A connection, unless the computer slept while it was opened. Timers do not run then, so a request could
/// leave long after the time in which it was safe. The wall clock counts sleep on every system.
async fn opened_in_time<T>(
    opening: impl Future<Output = Result<T, BoxError>>,
    bound: Duration,
    clock: fn() -> SystemTime,
    names: Names,
) -> Result<T, BoxError> {
    let begun = clock();
    let mut connecting = names.connecting();
    let connection = opening.await?;
    let took = clock().duration_since(begun).unwrap_or_default();
    // After half of the time the connector goes on to the second of two addresses.
    connecting.quick = took < bound / 2;
    if took > bound {
        return Err(io::Error::from(io::ErrorKind::TimedOut).into());
    }
    Ok(connection)
}

async fn read_body(mut response: Response) -> Body {
    let encoding = response.headers().get(CONTENT_ENCODING);
    let packed = encoding.is_some_and(|value| {
        let name = value.as_bytes();
        name.eq_ignore_ascii_case(b"gzip") || name.eq_ignore_ascii_case(b"x-gzip")
    });
    let announced = response.content_length().unwrap_or(0);
    if usize::try_from(announced).map_or(true, |length| length > MAX_BODY_BYTES) {
        return Body::Oversized;
    }
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) if body.len() + chunk.len() > MAX_BODY_BYTES => {
                return Body::Oversized;
            }
            Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            Ok(None) if packed => return unpacked(body),
            Ok(None) => return Body::Whole(body),
            Err(error) => return Body::Lost(failure::silence(&error)),
        }
    }
}

/// Decompresses a gzip body that was not asked for, within the same limit. A body that cannot be
/// decompressed is returned unchanged: it is not JSON.
fn unpacked(body: Vec<u8>) -> Body {
    let bound = u64::try_from(MAX_BODY_BYTES).unwrap_or(u64::MAX);
    let mut whole = Vec::new();
    let mut reader = MultiGzDecoder::new(body.as_slice()).take(bound.saturating_add(1));
    match reader.read_to_end(&mut whole) {
        Ok(length) if length > MAX_BODY_BYTES => Body::Oversized,
        Ok(_) => Body::Whole(whole),
        Err(_) => Body::Whole(body),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::mpsc;

    use tokio::io::AsyncReadExt as _;
    use tokio::net::TcpListener;
    use tokio::sync::oneshot;

    use super::*;
    use crate::NotSent;

    fn an_hour_later_each_time() -> SystemTime {
        static ASKED: AtomicU32 = AtomicU32::new(0);
        let hours = ASKED.fetch_add(1, Ordering::Relaxed);
        SystemTime::UNIX_EPOCH + Duration::from_secs(3_600) * hours
    }

    #[tokio::test]
    async fn nothing_is_sent_on_a_connection_during_whose_opening_the_computer_slept() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let minute = Duration::from_secs(60);
        let builder = builder(minute / 6, minute, an_hour_later_each_time);
        let base_url = BaseUrl::parse(&address).unwrap();
        let builder = NetworkSettings::default().apply(builder, &base_url, None);
        let client = builder.unwrap().build().unwrap();
        let request = client.post(address).body("a sale");
        let received = async {
            let mut received = Vec::new();
            let (mut connection, _) = listener.accept().await.unwrap();
            connection.read_to_end(&mut received).await.unwrap();
            received
        };
        let (sent, received) = tokio::join!(request.send(), received);
        let error = failure::classify(&sent.unwrap_err());
        assert!(
            matches!(error, Error::NotSent(NotSent::Connect)),
            "{error:?}"
        );
        assert_eq!(received, b"");
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_arrived_while_the_program_was_held_up_counts() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let (asked, sent) = oneshot::channel();
        let (answered, held_up) = mpsc::channel();
        let (over, end) = mpsc::channel::<()>();
        // Time does not pass by itself while this runs.
        tokio::task::spawn_blocking(move || {
            let (mut connection, _) = listener.accept().unwrap();
            let lines = BufReader::new(&connection).lines();
            let head = lines
                .map_while(Result::ok)
                .take_while(|line| !line.is_empty());
            assert!(head.count() > 0);
            asked.send(()).unwrap();
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nsold";
            connection.write_all(answer.as_bytes()).unwrap();
            answered.send(()).unwrap();
            let _ = end.recv();
        });
        let base_url = BaseUrl::parse(&address).unwrap();
        let (timeouts, network) = (Timeouts::default(), NetworkSettings::default());
        let transport = Transport::new(&base_url, timeouts, &network, None).unwrap();
        let request = Request::new(Method::POST, address.parse().unwrap());
        let held_up = async {
            sent.await.unwrap();
            // Nothing else runs here until the answer has arrived.
            held_up.recv().unwrap();
            tokio::time::advance(2 * timeouts.write).await;
        };
        let (reply, ()) = tokio::join!(transport.send(request), held_up);
        drop(over);
        let body = reply.unwrap().body;
        assert!(matches!(body, Body::Whole(body) if body == b"sold"));
    }
}
