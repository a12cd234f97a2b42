//! The journal: who did what and when. Append-only; it holds no secret and no customer's name.

pub use warranty_model::journal::JournalEntry;

use crate::Error;
use crate::context::Context;
use crate::files::writer::Outgoing;
use warranty_store::Store;
use warranty_store::journal::Line;

/// Most lines read at once.
const MOST_LINES: u32 = 10_000;

impl Context {
    /// The newest lines, newest first; at most 10,000.
    pub(crate) async fn journal(&self, limit: u32) -> Result<Vec<JournalEntry>, Error> {
        Ok(self.store.journal(limit.min(MOST_LINES)).await?)
    }

    /// A line with this user and this moment, to be appended inside a transaction.
    pub(crate) fn journal_line(
        &self,
        action: &'static str,
        subject: impl Into<String>,
        detail: Option<&str>,
    ) -> Line {
        Line {
            at: self.clock.now().timestamp_millis(),
            user: self.user.clone(),
            action,
            subject: subject.into(),
            detail: detail.map(str::to_owned),
        }
    }

    /// Notes that rows leave the desk, then puts their file at its place: what cannot be noted does
    /// not leave. Gives how many rows the file has.
    ///
    /// # Errors
    /// [`Error::Write`]; [`Error::Store`] when it cannot be noted. Then nothing new stands there.
    pub(crate) async fn hand_out(
        &self,
        action: &'static str,
        subject: &str,
        file: Outgoing,
    ) -> Result<u64, Error> {
        if !file.has_failed() {
            let detail = format!("{} rows", file.taken());
            let noted = self.journal_write(action, subject, Some(&detail)).await;
            if let Err(error) = noted {
                file.give_up().await;
                return Err(error);
            }
        }
        Ok(file.finish().await?)
    }

    /// Appends a line of its own. A desk that was opened to read does so too, in a connection of its
    /// own and without the lock of the folder: the line changes nothing that anybody works with.
    pub(crate) async fn journal_write(
        &self,
        action: &'static str,
        subject: &str,
        detail: Option<&str>,
    ) -> Result<(), Error> {
        let line = self.journal_line(action, subject, detail);
        match &self.beside {
            None => self.store.append_to_journal(line).await?,
            Some(path) => {
                let store = Store::open(path, false).await?;
                let written = store.append_to_journal(line).await;
                store.close().await;
                written?;
            }
        }
        Ok(())
    }
}

/// The account this process runs under, as the system says and not as the environment does, which
/// anyone can set; for the journal.
pub(crate) fn os_user() -> String {
    match whoami::username() {
        Ok(user) if !user.is_empty() => user.chars().take(128).collect(),
        Ok(_) | Err(_) => nameless_user(),
    }
}

/// An account that the system has no name for.
fn nameless_user() -> String {
    #[cfg(target_os = "linux")]
    return format!("uid {}", rustix::process::geteuid().as_raw());
    #[cfg(not(target_os = "linux"))]
    return "unknown".to_owned();
}
