//! A listener that does what a script says, connection by connection, and remembers every byte.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

#[derive(Debug, Clone)]
pub enum Step {
    /// Read a request, answer, keep the connection.
    Answer(Vec<u8>),
    /// Read a request, write this much, close.
    Cut(Vec<u8>),
    /// Read a request, reset the connection.
    Reset,
    /// Close without reading anything.
    HangUp,
    /// Read a request, write this much, then nothing until the client gives up.
    Stall(Vec<u8>),
    /// Read a request, write this much, then as fast as it is taken without end.
    Flood(Vec<u8>),
    /// Write this before anything is read, as a port that speaks no HTTP does, then close.
    Speak(Vec<u8>),
}

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Which connection it came on, counted from 0.
    pub connection: usize,
    /// `GET /path?query HTTP/1.1`.
    pub line: String,
    /// Names in small letters, in the order they came.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Seen {
    pub fn all(&self, name: &str) -> Vec<&str> {
        let matching = self.headers.iter().filter(|(other, _)| other == name);
        matching.map(|(_, value)| value.as_str()).collect()
    }
}

/// Listens on loopback until dropped.
pub struct Listener {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
    opened: watch::Receiver<usize>,
    closed: watch::Receiver<usize>,
    task: JoinHandle<()>,
}

impl Listener {
    /// Connection n follows script n. What no script foresees is read, remembered and closed.
    pub async fn start(scripts: Vec<Vec<Step>>) -> Self {
        let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = socket.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (open, opened) = watch::channel(0);
        let (close, closed) = watch::channel(0);
        let record = Arc::clone(&seen);
        let task = tokio::spawn(async move {
            for connection in 0.. {
                let (stream, _) = socket.accept().await.unwrap();
                open.send_modify(|count| *count += 1);
                let script = scripts.get(connection).cloned().unwrap_or_default();
                let (record, close) = (Arc::clone(&record), close.clone());
                tokio::spawn(async move {
                    follow(script, stream, connection, &record).await;
                    close.send_modify(|count| *count += 1);
                });
            }
        });
        Self {
            address,
            seen,
            opened,
            closed,
            task,
        }
    }

    pub async fn once(step: Step) -> Self {
        Self::start(vec![vec![step]]).await
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The same port as if it spoke TLS.
    pub fn https_url(&self) -> String {
        format!("https://{}", self.address)
    }

    pub fn requests(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// How many connections were accepted so far.
    pub fn connections(&self) -> usize {
        *self.opened.borrow()
    }

    /// Waits until so many connections are over.
    pub async fn closed(&self, count: usize) {
        let mut closed = self.closed.clone();
        let over = closed.wait_for(|over| *over >= count);
        let waited = tokio::time::timeout(Duration::from_secs(60), over).await;
        waited.expect("the connection stays open").unwrap();
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn follow(
    script: Vec<Step>,
    mut stream: TcpStream,
    connection: usize,
    record: &Mutex<Vec<Seen>>,
) {
    for step in script {
        let reads = !matches!(step, Step::HangUp | Step::Speak(_));
        if reads && !read_request(&mut stream, connection, record).await {
            return;
        }
        if let Step::Answer(bytes)
        | Step::Cut(bytes)
        | Step::Stall(bytes)
        | Step::Flood(bytes)
        | Step::Speak(bytes) = &step
            && stream.write_all(bytes).await.is_err()
        {
            return;
        }
        match step {
            Step::Answer(_) => continue,
            Step::HangUp | Step::Cut(_) => {}
            Step::Reset => stream.set_zero_linger().unwrap(),
            // Taking what was sent avoids a reset that would overtake the words.
            Step::Speak(_) => drop(stream.read(&mut [0; 4096]).await),
            Step::Stall(_) => drop(stream.read(&mut [0]).await),
            Step::Flood(_) => while stream.write_all(&[b' '; 65536]).await.is_ok() {},
        }
        return;
    }
    // Nothing more is foreseen, but a request too many must be counted.
    read_request(&mut stream, connection, record).await;
}

/// Reads one request to its end; false when the client closed before.
async fn read_request(
    stream: &mut TcpStream,
    connection: usize,
    record: &Mutex<Vec<Seen>>,
) -> bool {
    let mut bytes = Vec::new();
    loop {
        if let Some(seen) = parse(&bytes, connection) {
            record.lock().unwrap().push(seen);
            return true;
        }
        match stream.read_buf(&mut bytes).await {
            Ok(0) | Err(_) => return false,
            Ok(_) => {}
        }
    }
}

fn parse(bytes: &[u8], connection: usize) -> Option<Seen> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let mut lines = head.split("\r\n").map(str::to_owned);
    let line = lines.next().unwrap();
    let headers: Vec<(String, String)> = lines
        .map(|line| {
            let (name, value) = line.split_once(':').unwrap();
            (name.to_ascii_lowercase(), value.trim().to_owned())
        })
        .collect();
    let length = headers
        .iter()
        .find(|(name, _)| name == "content-length")
        .map_or(0, |(_, value)| value.parse().unwrap());
    let body = bytes.get(end + 4..end + 4 + length)?.to_vec();
    Some(Seen {
        connection,
        line,
        headers,
        body,
    })
}

/// A whole reply with a JSON body.
pub fn reply(status: u16, body: &str) -> Vec<u8> {
    reply_with(status, "", body)
}

/// A whole reply with further header lines, each ending in CRLF.
pub fn reply_with(status: u16, headers: &str, body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 {status} Sample\r\nContent-Type: application/json\r\nContent-Length: {}\r\n{headers}\r\n{body}",
        body.len()
    )
    .into_bytes()
}
