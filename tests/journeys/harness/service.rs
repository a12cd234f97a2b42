//! A service to connect to, which is not the practice service of the window: its ledger is the judge.

use std::net::SocketAddr;

use tempfile::TempDir;
use warranty_sandbox::{
    Database, Operation, Options, Personality, RecordedRequest, Sale, Sandbox, Visibility,
};

use super::page::until;

/// A running service of its own, over a file, so that it can stop and come back.
pub struct Service {
    folder: TempDir,
    addr: SocketAddr,
    token: &'static str,
    running: Option<Sandbox>,
}

impl Service {
    /// The token this service demands.
    pub const TOKEN: &str = "journey-token-0123456789";

    /// Starts one that shows contracts soon after they were made.
    pub async fn start() -> Self {
        Self::start_with_token(Self::TOKEN).await
    }

    /// The same, demanding another token.
    pub async fn start_with_token(token: &'static str) -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        let sandbox = run(any, &folder, token).await;
        Self {
            folder,
            addr: sandbox.addr(),
            token,
            running: Some(sandbox),
        }
    }

    /// Address staff type in.
    pub fn address(&self) -> String {
        format!("http://{}", self.addr)
    }

    pub async fn go_down(&mut self) {
        if let Some(sandbox) = self.running.take() {
            sandbox.stop().await;
        }
    }

    pub fn is_down(&self) -> bool {
        self.running.is_none()
    }

    /// Brings it back at the same address with the same data.
    pub async fn come_back(&mut self) {
        self.running = Some(run(self.addr, &self.folder, self.token).await);
    }

    pub fn behave(&self, personality: Personality) {
        self.sandbox().set_personality(personality);
    }

    /// Lets it behave as it did when it started.
    pub fn behave_well(&self) {
        self.behave(good());
    }

    /// What was really sold.
    pub async fn sold(&self) -> Vec<Sale> {
        self.sandbox()
            .ledger()
            .await
            .expect("the ledger can be read")
    }

    pub async fn comes_to_have_sold(&self, count: usize) {
        until(
            &format!("{count} contracts are in the ledger"),
            async || self.sold().await.len() == count,
        )
        .await;
    }

    /// Every request that arrived since it started or came back.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.sandbox().requests()
    }

    pub fn count(&self, operation: Operation) -> usize {
        self.requests()
            .iter()
            .filter(|request| request.operation == Some(operation))
            .count()
    }

    fn sandbox(&self) -> &Sandbox {
        self.running.as_ref().expect("the service is up")
    }
}

async fn run(addr: SocketAddr, folder: &TempDir, token: &str) -> Sandbox {
    Sandbox::start(Options {
        addr,
        database: Database::File(folder.path().join("service.db")),
        token: Some(token.to_owned()),
        personality: good(),
    })
    .await
    .expect("the service starts")
}

fn good() -> Personality {
    Personality {
        visibility: Visibility::AfterMs(300),
        ..Personality::default()
    }
}
