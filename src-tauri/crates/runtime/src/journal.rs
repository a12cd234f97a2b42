//! The journal: who did what and when. Append-only; it holds no secret and no customer's name.

pub use warranty_model::journal::JournalEntry;

use crate::Result;
use crate::context::Context;
use tokio::task::spawn_blocking;
use warranty_files::WriteError;
use warranty_files::writer::BackgroundWriter;
use warranty_store::Store;
use warranty_store::journal::Line;

impl Context {
    /// A line with the current user and time, to be appended inside a transaction.
    pub fn journal_line(
        &self,
        action: &'static str,
        subject: impl Into<String>,
        detail: Option<&str>,
    ) -> Line {
        Line {
            at: self.clock.now().timestamp_millis(),
            user: self.who(),
            action,
            subject: subject.into(),
            detail: detail.map(str::to_owned),
        }
    }

    /// Records an export in the journal, then finishes its file; without the record there is no file.
    /// Returns the number of rows.
    ///
    /// # Errors
    /// [`Error::Write`]; [`Error::Store`] when it cannot be recorded. Then there is no new file.
    pub async fn export_file(
        &self,
        action: &'static str,
        subject: &str,
        file: BackgroundWriter,
    ) -> Result<u64> {
        let writer = file.written().await?;
        let detail = format!("{} rows", writer.rows());
        self.journal_write(action, subject, Some(&detail)).await?;
        let finished = spawn_blocking(move || writer.finish()).await;
        Ok(finished.map_err(|error| WriteError::Io(error.into()))??)
    }

    /// Appends a line in a transaction of its own. A desk opened to read uses a separate connection
    /// without the folder lock, which is safe because the journal is append-only.
    pub async fn journal_write(
        &self,
        action: &'static str,
        subject: &str,
        detail: Option<&str>,
    ) -> Result<()> {
        let line = self.journal_line(action, subject, detail);
        match &self.journal_path {
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

/// The user of this process, from the system and not from the environment, which anyone can set.
pub fn os_user() -> String {
    match whoami::username() {
        Ok(user) if !user.is_empty() => user.chars().take(128).collect(),
        Ok(_) | Err(_) => nameless_user(),
    }
}

/// A user for whom the system has no name.
fn nameless_user() -> String {
    #[cfg(target_os = "linux")]
    return format!("uid {}", rustix::process::geteuid().as_raw());
    #[cfg(not(target_os = "linux"))]
    return "unknown".to_owned();
}
