//! The practice service in a process of its own, and the ledger it is judged by.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::harness::{TOKEN, program, until};

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
    /// A service that shows a contract soon after it was made.
    pub fn start() -> Self {
        let service = Self::start_with(&[]);
        service.behave(&serde_json::json!({"visibility": {"afterMs": 200}}));
        service
    }

    /// A service as a person starts it.
    pub fn start_with(arguments: &[&str]) -> Self {
        Self::serve(TOKEN, arguments)
    }

    /// A service that wants another token.
    pub fn start_with_token(token: &str) -> Self {
        Self::serve(token, &[])
    }

    fn serve(token: &str, arguments: &[&str]) -> Self {
        let mut child = program()
            .args(["sandbox", "serve", "--token", token])
            .args(arguments)
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

    /// A name, or settings as JSON.
    pub fn behave(&self, personality: &Value) {
        self.control("PUT", "/_sandbox/personality", &personality.to_string());
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Ends it as a loss of power would.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub fn wait(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
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

fn value_of(line: &str, label: &str) -> String {
    line.strip_prefix(label)
        .unwrap_or_else(|| panic!("{line:?} does not begin with {label:?}"))
        .to_owned()
}
