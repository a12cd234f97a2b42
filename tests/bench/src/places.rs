//! What the bench works with: its folder, the service beside it, and desks as `wdesk` sets them up.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::Method;
use tempfile::TempDir;
use warranty_core::profile::{Display, ProfileDraft, ProviderFacts};
use warranty_core::vault::MemoryVault;
use warranty_core::{Desk, DeskOptions};

use crate::caller::Caller;
use crate::service::Received;
use crate::watching::{Ended, LOOK, Running};
use crate::{Outcome, TOKEN};

/// The clock of the store, ahead of UTC.
pub const OFFSET_MINUTES: i32 = 9 * 60;

/// The repository this was built from.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder on the disk that the programs are on: one in memory would make every commit free.
pub fn folder() -> Outcome<TempDir> {
    let beside = std::env::current_exe()?;
    let beside = beside.parent().ok_or("the program lies nowhere")?;
    Ok(TempDir::with_prefix_in("bench-", beside)?)
}

/// A desk in a folder, with a keychain of its own.
pub fn options(folder: &Path) -> DeskOptions {
    DeskOptions::new(folder.to_owned(), Arc::new(MemoryVault::default()))
}

pub fn profile(service: &Service) -> ProfileDraft {
    ProfileDraft {
        name: "bench".to_owned(),
        base_url: service.address.clone(),
        store_id: "store-1".to_owned(),
        utc_offset_minutes: OFFSET_MINUTES,
        time_zone: None,
        display: Display::default(),
        facts: ProviderFacts::default(),
    }
}

/// The service as a process of its own.
pub struct Service {
    process: Child,
    pub address: String,
    pub caller: Caller,
}

impl Service {
    /// Starts one that answers after so long.
    pub fn start(delay: Duration) -> Outcome<Self> {
        let mut process = Command::new(std::env::current_exe()?)
            .args(["serve", "--delay-ms", &delay.as_millis().to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let words = process.stdout.take().ok_or("the service says nothing")?;
        let mut address = String::new();
        BufReader::new(words).read_line(&mut address)?;
        let address = address.trim().to_owned();
        Ok(Self {
            caller: Caller::new(&address),
            process,
            address,
        })
    }

    /// What arrived since it was told to begin anew.
    pub async fn received(&self) -> Outcome<Received> {
        let answer = self
            .caller
            .call(Method::GET, "/received", Bytes::new())
            .await?;
        Ok(serde_json::from_slice(&answer)?)
    }

    pub async fn begin_anew(&self) -> Outcome<()> {
        self.caller
            .call(Method::DELETE, "/received", Bytes::new())
            .await?;
        Ok(())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A data folder with a live profile and its token, and the release build of `wdesk` on it.
pub struct Counter {
    folder: TempDir,
}

/// How far `wdesk contracts enter` was followed.
#[derive(Debug, Clone, Copy)]
pub struct Entered {
    /// From its start until every contract stood as accepted in the desk's file.
    pub accepted: Duration,
    /// Until its end, when it was waited for.
    pub ended: Option<Duration>,
    /// Most memory it was seen to hold, in KiB.
    pub peak_kib: u64,
}

impl Counter {
    /// Sets one up for a service.
    pub fn connected_to(service: &Service) -> Outcome<Self> {
        let counter = Self { folder: folder()? };
        let address = &service.address;
        let to = format!("--base-url {address} --store-id store-1 --utc-offset +09:00");
        let add = ["profile", "add", "bench"].into_iter();
        counter.does(&add.chain(to.split(' ')).collect::<Vec<_>>(), "")?;
        counter.does(&["token", "set"], TOKEN)?;
        Ok(counter)
    }

    fn wdesk(&self) -> Outcome<Command> {
        let program = std::env::current_exe()?.with_file_name("wdesk");
        let mut command = Command::new(program);
        command.arg("--data-dir").arg(self.folder.path());
        Ok(command)
    }

    fn does(&self, arguments: &[&str], input: &str) -> Outcome<()> {
        let mut child = self
            .wdesk()?
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(input.as_bytes())?;
        }
        let output = child.wait_with_output()?;
        if output.status.success() {
            Ok(())
        } else {
            let words = String::from_utf8_lossy(&output.stderr);
            Err(format!("wdesk {arguments:?}: {words}").into())
        }
    }

    pub fn database(&self) -> PathBuf {
        self.folder.path().join("desk.db")
    }

    fn words(&self) -> PathBuf {
        self.folder.path().join("said.txt")
    }

    /// Looks at every row of a file, and enters none.
    pub async fn looks_at(&self, file: &Path) -> Outcome<Ended> {
        let mut command = self.wdesk()?;
        command.args(["contracts", "enter", "--dry-run"]).arg(file);
        let ended = Running::start(&mut command, &self.words())?.ended().await;
        ended.map_err(|error| self.with_words(&error.to_string()).into())
    }

    /// Enters a file of so many rows at a service that has begun anew, and sees that each arrived
    /// once. Follows the program to its end, or only until all are accepted.
    pub async fn enters(
        &self,
        service: &Service,
        file: &Path,
        rows: u32,
        to_its_end: bool,
    ) -> Outcome<Entered> {
        service.begin_anew().await?;
        let beside = Desk::open_to_read(options(self.folder.path())).await?;
        let mut command = self.wdesk()?;
        command
            .args(["contracts", "enter", "--wait", "600"])
            .arg(file);
        let mut running = Running::start(&mut command, &self.words())?;
        let mut over = None;
        while over.is_none() && service.received().await?.contracts < rows {
            tokio::time::sleep(LOOK).await;
            over = running.look()?;
        }
        loop {
            let summary = beside.outbox.summary().await?;
            if summary.accepted + summary.confirmed == rows {
                break;
            }
            if let Some(status) = over {
                let what = format!("wdesk ended with {status} before all were accepted");
                return Err(self.with_words(&what).into());
            }
            tokio::time::sleep(LOOK).await;
            over = running.look()?;
        }
        let accepted = running.age();
        running.look()?;
        beside.close().await;
        let received = service.received().await?;
        if received.contracts != rows || received.transactions != rows {
            return Err(format!("{rows} rows came to {received:?} at the service").into());
        }
        let peak_kib = running.peak_kib();
        if !to_its_end {
            return Ok(Entered {
                accepted,
                ended: None,
                peak_kib,
            });
        }
        let ended = running.ended().await;
        let ended = ended.map_err(|error| self.with_words(&error.to_string()))?;
        Ok(Entered {
            accepted,
            ended: Some(ended.took),
            peak_kib: ended.peak_kib.max(peak_kib),
        })
    }

    fn with_words(&self, what: &str) -> String {
        let words = std::fs::read_to_string(self.words()).unwrap_or_default();
        let last: Vec<&str> = words.lines().rev().take(3).collect();
        format!("{what}: {}", last.join("; "))
    }
}
