//! The practice service in a process of its own, and the ledger it is judged by.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{TOKEN, Words, program, signal, until};

/// A `wdesk sandbox serve` process.
pub struct Service {
    child: Child,
    pub base_url: String,
    pub store: String,
    token: String,
    // Kept open so that the process never writes into a closed pipe.
    _stdout: BufReader<ChildStdout>,
}

impl Service {
    /// A service that shows a contract as soon as it was made.
    pub fn start() -> Self {
        let service = Self::start_with("");
        service.is_well();
        service
    }

    /// A service as a person starts it.
    pub fn start_with(options: impl Words) -> Self {
        Self::serve(TOKEN, options)
    }

    /// A service that behaves as one of the personalities by name.
    pub fn start_as(personality: &str) -> Self {
        Self::start_with(format!("--personality {personality}"))
    }

    /// A service that wants another token.
    pub fn start_with_token(token: &str) -> Self {
        Self::serve(token, "")
    }

    fn serve(token: &str, options: impl Words) -> Self {
        let mut child = program()
            .args(["sandbox", "serve", "--token", token])
            .args(options.words())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = || {
            let mut line = String::new();
            stdout.read_line(&mut line).unwrap();
            line.trim_end().to_owned()
        };
        let base_url = value_of(&line(), "listening on ");
        assert_eq!(value_of(&line(), "token "), token);
        let store = value_of(&line(), "store ");
        Self {
            child,
            base_url,
            store,
            token: token.to_owned(),
            _stdout: stdout,
        }
    }

    /// Every contract that exists at the service: transaction, product, plan.
    pub fn sold(&self) -> Vec<(String, String, String)> {
        let text = |sale: &Value, field: &str| sale[field].as_str().unwrap().to_owned();
        self.ledger()
            .iter()
            .map(|sale| {
                (
                    text(sale, "transactionId"),
                    text(sale, "productReferenceId"),
                    text(sale, "planId"),
                )
            })
            .collect()
    }

    /// The transaction of every sale, in the order of their names.
    pub fn transactions(&self) -> Vec<String> {
        let mut sold: Vec<String> = self.sold().into_iter().map(|sale| sale.0).collect();
        sold.sort();
        sold
    }

    /// The contract of the first sale.
    pub fn contract(&self) -> String {
        self.ledger()[0]["contractId"].as_str().unwrap().to_owned()
    }

    /// Fails unless so many contracts exist at the service.
    #[track_caller]
    pub fn has_sold(&self, times: usize) {
        let ledger = self.ledger();
        assert_eq!(ledger.len(), times, "{ledger:?}");
    }

    pub fn ledger(&self) -> Vec<Value> {
        let ledger = self.control("GET", "/_sandbox/ledger", "");
        ledger.as_array().unwrap().clone()
    }

    /// Waits until a contract can be looked up.
    pub fn shows(&self, contract: &str) {
        let path = format!("/v1/contracts/{contract}");
        until("the contract can be looked up", || {
            self.ask("GET", &path, "").0.starts_with("HTTP/1.1 200")
        });
    }

    /// How many requests for bulk creation have arrived.
    pub fn bulk_requests(&self) -> usize {
        self.requests("POST", "/v1/contracts/bulk")
    }

    /// How many requests with this method, or any, and such a path have arrived.
    pub fn requests(&self, method: &str, path: &str) -> usize {
        let requests = self.control("GET", "/_sandbox/requests", "");
        let all = requests["requests"].as_array().unwrap();
        let matches = |request: &&Value| {
            (method.is_empty() || request["method"] == method)
                && request["path"].as_str().unwrap().starts_with(path)
        };
        all.iter().filter(matches).count()
    }

    /// From now on every request is answered well, and a contract is shown as soon as it was made.
    pub fn is_well(&self) {
        self.faults(&json!([]));
    }

    /// From now on every request of an operation is answered like this.
    pub fn answers(&self, operation: &str, action: &Value) {
        self.faults(&json!([{"operations": [operation], "action": action}]));
    }

    /// From now on every sale is answered like this.
    pub fn answers_sales(&self, action: &Value) {
        self.answers("bulkCreateContracts", action);
    }

    /// From now on the first sale that comes is answered like this.
    pub fn answers_next_sale(&self, action: &Value) {
        let next = json!({"nth": 1});
        self.faults(
            &json!([{"operations": ["bulkCreateContracts"], "when": next, "action": action}]),
        );
    }

    pub fn faults(&self, faults: &Value) {
        self.behave(&json!({"visibility": {"afterMs": 0}, "faults": faults}));
    }

    /// A name, or settings as JSON.
    pub fn behave(&self, personality: &Value) {
        self.control("PUT", "/_sandbox/personality", &personality.to_string());
    }

    /// The exit code with which it ends when it gets this signal.
    pub fn ends_on(mut self, name: &str) -> Option<i32> {
        signal(&self.child, name);
        self.child.wait().unwrap().code()
    }

    /// Ends it as a loss of power would.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub fn address(&self) -> &str {
        self.base_url.strip_prefix("http://").unwrap()
    }

    fn control(&self, method: &str, path: &str, body: &str) -> Value {
        let (head, body) = self.ask(method, path, body);
        assert!(head.starts_with("HTTP/1.1 200"), "{head}: {body}");
        serde_json::from_str(&body).unwrap()
    }

    /// Head and body of an answer.
    fn ask(&self, method: &str, path: &str, body: &str) -> (String, String) {
        let mut stream = TcpStream::connect(self.address()).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nX-Service-Auth-Token: {}\r\n\
             Content-Type: application/json\r\nAccept: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.address(),
            self.token,
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn status(status: u16) -> Value {
    json!({"status": {"status": status}})
}

/// The work is done at once, and its answer takes so long.
pub fn slow(milliseconds: u64) -> Value {
    json!({"slowDrip": {"chunkBytes": 1_000_000, "pauseMs": milliseconds}})
}

/// An answer with something in place of what it says.
pub fn replace(from: &str, to: &str) -> Value {
    json!({"replace": {"from": from, "to": to}})
}

/// This JSON in place of what is asked for.
pub fn verbatim(status: u16, body: &Value) -> Value {
    let body = body.to_string();
    json!({"verbatim": {"status": status, "contentType": "application/json", "body": body}})
}

/// An error object with such a code in place of what is asked for.
pub fn refusal(status: u16, code: &str) -> Value {
    let body = json!({"requestId": "odd-1", "code": code, "error": "sample words"});
    verbatim(status, &body)
}

/// The page of a proxy that asks to wait for so many seconds.
pub fn busy(status: u16, retry_after: &str) -> Value {
    json!({"verbatim": {
        "status": status, "contentType": "text/html", "body": "<h1>Sample page of a proxy</h1>",
        "headers": [["retry-after", retry_after]],
    }})
}

fn value_of(line: &str, label: &str) -> String {
    line.strip_prefix(label)
        .unwrap_or_else(|| panic!("{line:?} does not begin with {label:?}"))
        .to_owned()
}
