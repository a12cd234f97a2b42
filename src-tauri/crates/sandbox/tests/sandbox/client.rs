//! A minimal HTTP client that returns the exact bytes of the response, and helpers that start a sandbox for it.

use std::net::SocketAddr;

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use warranty_sandbox::{Action, Operation, Options, Personality, Sandbox, ScriptedFault, sample};

pub async fn sandbox(personality: Personality) -> Sandbox {
    Sandbox::start(Options {
        personality,
        ..Options::default()
    })
    .await
    .unwrap()
}

/// One that behaves as the default does.
pub async fn plain() -> Sandbox {
    sandbox(Personality::default()).await
}

/// One that behaves as the default does, but for this.
pub async fn behaving(change: impl FnOnce(&mut Personality)) -> Sandbox {
    let mut personality = Personality::default();
    change(&mut personality);
    sandbox(personality).await
}

pub async fn named(name: &str) -> Sandbox {
    sandbox(Personality::named(name).unwrap()).await
}

pub fn fault(operation: Operation, action: Action) -> Vec<ScriptedFault> {
    vec![ScriptedFault {
        operations: vec![operation],
        action,
        times: 1,
    }]
}

/// A request with every required header.
pub fn request(sandbox: &Sandbox, method: &str, path: &str) -> Call {
    Call {
        addr: sandbox.addr(),
        host: sandbox.addr().to_string(),
        method: method.to_owned(),
        path: path.to_owned(),
        headers: Vec::new(),
        body: Vec::new(),
    }
    .header("Content-Type", "application/json")
    .header("Accept", "application/json")
    .header("X-Service-Auth-Token", sandbox.token())
}

pub fn get(sandbox: &Sandbox, path: &str) -> Call {
    request(sandbox, "GET", path)
}

pub fn bulk(sandbox: &Sandbox, items: &[Value]) -> Call {
    request(sandbox, "POST", "/v1/contracts/bulk").json(&json!({ "contracts": items }))
}

pub fn list(sandbox: &Sandbox, product: &str, status: &str) -> Call {
    let store = sandbox.store_id();
    let path = format!("/v1/plans?productId={product}&storeId={store}&status={status}");
    get(sandbox, &path)
}

/// A sale of the sample refrigerator with its plan of three years.
pub fn sale(transaction_id: &str) -> Value {
    json!({
        "transactionId": transaction_id,
        "transactionTotal": 196_440,
        "transactionDate": "2025-06-01T13:45:10.250+09:00",
        "customer": { "name": "佐藤 花子", "email": "hanako.sato@sample.example" },
        "product": { "referenceId": sample::PRODUCT_REFRIGERATOR, "purchasePrice": 189_800 },
        "plan": { "purchasePrice": 6_640, "planId": sample::REFRIGERATOR_PLAN_3_YEARS },
    })
}

pub async fn sold(sandbox: &Sandbox) -> Vec<String> {
    let ledger = sandbox.ledger().await.unwrap();
    ledger.into_iter().map(|sale| sale.transaction_id).collect()
}

#[derive(Clone)]
pub struct Call {
    addr: SocketAddr,
    host: String,
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Call {
    pub fn json(self, body: &Value) -> Self {
        self.raw(body.to_string().into_bytes())
    }

    pub fn raw(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self = self.without(name);
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn without(mut self, name: &str) -> Self {
        self.headers
            .retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self
    }

    /// Sends another `Host` than the address of the service.
    pub fn for_host(mut self, host: &str) -> Self {
        host.clone_into(&mut self.host);
        self
    }

    pub fn key(self, key: &str) -> Self {
        self.header("X-Idempotency-Key", key)
    }

    /// The bytes received until the connection ended.
    pub async fn wire(&self) -> Vec<u8> {
        let mut stream = TcpStream::connect(self.addr).await.unwrap();
        let mut head = format!(
            "{} {} HTTP/1.1\r\nHost: {}\r\n",
            self.method, self.path, self.host
        );
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!(
            "Content-Length: {}\r\nConnection: close\r\n\r\n",
            self.body.len()
        ));
        stream.write_all(head.as_bytes()).await.unwrap();
        // Fails when the service closes the connection early; what it has answered still counts.
        let _ = stream.write_all(&self.body).await;
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes).await;
        bytes
    }

    pub async fn send(&self) -> Reply {
        let bytes = self.wire().await;
        Reply::parse(&bytes).unwrap_or_else(|| panic!("no whole HTTP head: {bytes:?}"))
    }

    /// Sends it, and gives the body of a success.
    pub async fn success(&self) -> Value {
        self.send().await.success()
    }

    /// Sends it, and gives code and message of a refusal with this status.
    pub async fn refused(&self, status: u16) -> (String, String) {
        self.send().await.refused(status)
    }

    /// Sends it, and gives the message of the only refusal whose code the specification names.
    pub async fn bad_request(&self) -> String {
        let (code, message) = self.refused(400).await;
        assert_eq!(code, "BadRequestException");
        message
    }
}

#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = std::str::from_utf8(&bytes[..end]).ok()?;
        let mut lines = head.split("\r\n");
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let headers = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
            .collect();
        Some(Self {
            status,
            headers,
            body: bytes[end + 4..].to_vec(),
        })
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    pub fn promised_length(&self) -> usize {
        let length = self.header("content-length");
        length.map_or(0, |length| length.parse().unwrap())
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {:?}", String::from_utf8_lossy(&self.body)))
    }

    /// The body, after checking that the response is a success.
    pub fn success(&self) -> Value {
        assert_eq!(self.status, 200, "{}", String::from_utf8_lossy(&self.body));
        assert_eq!(self.header("content-type"), Some("application/json"));
        self.json()
    }

    /// Checks status and error object, and returns its code and message.
    pub fn refused(&self, status: u16) -> (String, String) {
        let body = self.json();
        assert_eq!(self.status, status, "{body}");
        assert_eq!(self.header("content-type"), Some("application/json"));
        let fields = body.as_object().unwrap();
        assert_eq!(fields.len(), 3, "{body}");
        let text = |name: &str| fields[name].as_str().unwrap().to_owned();
        assert!(!text("requestId").is_empty());
        (text("code"), text("error"))
    }
}
