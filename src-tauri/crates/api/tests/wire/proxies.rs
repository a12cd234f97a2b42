//! The machine's proxy. Its settings are read from the environment of the process, so each test
//! runs its call in a child process of its own.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use warranty_api::{NetworkSettings, Timeouts};

use crate::listener::{Listener, Step, reply};
use crate::operations::{Calls as _, Operation, TOKEN, client_over, hasty, patient};

const ADDRESS: &str = "WIRE_CHILD_ADDRESS";
const REPORT: &str = "WIRE_CHILD_REPORT";

/// This process, when it is the child of a test.
pub struct Child {
    address: String,
    report: PathBuf,
}

impl Child {
    /// `None` in the process that runs the tests.
    pub fn here() -> Option<Self> {
        let address = std::env::var(ADDRESS).ok()?;
        let report = std::env::var_os(REPORT)?.into();
        Some(Self { address, report })
    }

    /// Calls an operation and reports how it went.
    pub async fn call(self, operation: Operation, timeouts: Timeouts) {
        self.call_over(operation, timeouts, &NetworkSettings::default())
            .await;
    }

    /// As [`Child::call`], with another way to the service.
    pub async fn call_over(
        self,
        operation: Operation,
        timeouts: Timeouts,
        network: &NetworkSettings,
    ) {
        let client = client_over(&self.address, timeouts, network);
        let result = operation.call(&client).await;
        std::fs::write(self.report, format!("{result:?}")).unwrap();
    }
}

/// Runs a test of this binary again as a child with other surroundings; returns its report.
pub async fn in_child(test: &str, address: &str, surroundings: &[(&str, &str)]) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([test, "--exact"]);
    for name in ["http_proxy", "https_proxy", "all_proxy", "no_proxy"] {
        command.env_remove(name);
        command.env_remove(name.to_uppercase());
    }
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report");
    command.env(ADDRESS, address).env(REPORT, &report);
    command.envs(surroundings.iter().copied());
    command.stdin(Stdio::null());
    let output = tokio::task::spawn_blocking(move || command.output().unwrap())
        .await
        .unwrap();
    std::fs::read_to_string(report).unwrap_or_else(|_| panic!("{output:?}"))
}

async fn asked_through(name: &str, proxy: &str) -> String {
    in_child(
        "proxies::what_a_proxy_does_not_let_through_is_not_sent_and_its_refusal_is_named",
        "https://warranty.invalid",
        &[(name, proxy)],
    )
    .await
}

#[tokio::test]
async fn what_a_proxy_does_not_let_through_is_not_sent_and_its_refusal_is_named() {
    if let Some(child) = Child::here() {
        return child.call(Operation::BulkCreateContracts, hasty()).await;
    }
    for status in [302, 403, 502] {
        let refuses = Listener::once(Step::Cut(reply(status, "<p>Sign in</p>"))).await;
        let said = asked_through("https_proxy", &refuses.url()).await;
        assert_eq!(said, "Err(NotSent(ProxyRefused))", "{status}");
        let requests = refuses.requests();
        assert_eq!(requests.len(), 1);
        assert_eq!(requests[0].line, "CONNECT warranty.invalid:443 HTTP/1.1");
        assert!(!format!("{requests:?}").contains(TOKEN));
    }
    let stalls = Listener::once(Step::Stall(Vec::new())).await;
    for (name, proxy) in [
        ("https_proxy", &*stalls.url()),
        ("all_proxy", "http://127.0.0.1:1"),
    ] {
        let said = asked_through(name, proxy).await;
        assert_eq!(said, "Err(NotSent(Connect))", "{proxy}");
    }
    assert_eq!(stalls.connections(), 1);
}

#[tokio::test]
async fn a_service_on_this_machine_is_never_asked_for_through_a_proxy() {
    if let Some(child) = Child::here() {
        return child.call(Operation::BulkCreateContracts, patient()).await;
    }
    let operation = Operation::BulkCreateContracts;
    let service = Listener::once(Step::Answer(reply(200, operation.success()))).await;
    let proxy = Listener::start(vec![]).await;
    let said = in_child(
        "proxies::a_service_on_this_machine_is_never_asked_for_through_a_proxy",
        &service.url(),
        &[("http_proxy", &proxy.url()), ("all_proxy", &proxy.url())],
    )
    .await;
    assert_eq!(said, "Ok(200)");
    assert_eq!(service.requests().len(), 1);
    assert_eq!(proxy.connections(), 0);
}
