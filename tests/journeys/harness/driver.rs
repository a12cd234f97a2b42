//! The system's own web driver, started for one window.

use std::fs::File;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::json;

use super::desk::Setup;
use super::page::{PATIENCE, until_some};

const DRIVER: &str = "/usr/bin/WebKitWebDriver";

/// The window's program: as this test run built it, unless another build of it is to be driven.
pub fn window() -> PathBuf {
    std::env::var_os("WARRANTY_DESK_WINDOW")
        .unwrap_or_else(|| env!("CARGO_BIN_EXE_warranty-desk").into())
        .into()
}

/// A running web driver; it ends with this value.
pub struct Driver {
    process: Child,
    port: u16,
    log: PathBuf,
}

impl Driver {
    /// Starts it with the environment the window shall have. Its words and the window's go to `log`.
    /// `place` is the home; a policy may lie beside it.
    pub async fn start(setup: &Setup, log: PathBuf, place: &Path) -> Self {
        let port = free_port();
        let words = File::options()
            .create(true)
            .append(true)
            .open(&log)
            .expect("the log can be written");
        let mut command = Command::new(DRIVER);
        command
            .arg(format!("--port={port}"))
            .current_dir(place)
            .env("HOME", place)
            .env("WARRANTY_DESK_POLICIES", place.with_file_name("policies"))
            .stdin(Stdio::null())
            .stdout(words.try_clone().expect("the log can be shared"))
            .stderr(words);
        setup.dress(&mut command);
        let process = command
            .spawn()
            .unwrap_or_else(|error| panic!("{DRIVER} could not be started: {error}"));
        until_some("the web driver listens", async || {
            tokio::net::TcpStream::connect(("127.0.0.1", port))
                .await
                .ok()
        })
        .await;
        Self { process, port, log }
    }

    /// What it and the window have said.
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    pub async fn open(&self, data_dir: &Path) -> Client {
        let capabilities = json!({
            "webkitgtk:browserOptions": {
                "binary": window(),
                "args": ["--data-dir", data_dir],
            }
        });
        let serde_json::Value::Object(capabilities) = capabilities else {
            unreachable!("it is an object")
        };
        let address = format!("http://127.0.0.1:{}", self.port);
        let mut builder = ClientBuilder::new(HttpConnector::new());
        let opening = builder.capabilities(capabilities).connect(&address);
        // The driver waits for ever for a window that ended before it was ready.
        match tokio::time::timeout(PATIENCE, opening).await {
            Ok(Ok(client)) => client,
            Ok(Err(error)) => panic!("the window did not open: {error}\n{}", self.log()),
            Err(_) => panic!("the window did not open in {PATIENCE:?}\n{}", self.log()),
        }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to end.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0))
        .and_then(|listener| listener.local_addr())
        .expect("there is a free port")
        .port()
}
