//! Rows written to a file by a thread of its own: a disk may be slow, and the desk's
//! other work must go on.
//!
//! Owns that a file whose rows are not all there is none.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use super::export::{Cell, Writer};
use super::private_file::Existing;
use super::{Format, WriteError};

/// Handfuls of rows that may wait for the disk.
const AHEAD: usize = 2;

/// A file that takes rows. Dropped before [`Outgoing::finish`], it leaves nothing behind.
#[derive(Debug)]
pub struct Outgoing {
    parts: mpsc::Sender<Part>,
    taken: AtomicU64,
    writing: JoinHandle<Result<Option<u64>, WriteError>>,
}

/// May hold customers, and so does not print.
enum Part {
    Rows(Vec<Vec<Cell>>),
    /// Answered once all parts before it are written.
    Check(oneshot::Sender<()>),
    End,
}

impl Outgoing {
    /// Begins a file with its headers.
    pub fn begin(path: &Path, format: Format, existing: Existing, headers: Vec<String>) -> Self {
        let (parts, mut taken) = mpsc::channel(AHEAD);
        let path = path.to_owned();
        let writing = tokio::task::spawn_blocking(move || {
            let mut writer = Writer::create(&path, format, existing, &headers)?;
            while let Some(part) = taken.blocking_recv() {
                match part {
                    Part::Rows(rows) => rows.iter().try_for_each(|row| writer.row(row))?,
                    Part::Check(written) => {
                        // Whoever asked may have stopped waiting.
                        let _ = written.send(());
                    }
                    Part::End => return writer.finish().map(Some),
                }
            }
            // Without an end the rows are not all there.
            Ok(None)
        });
        Self {
            parts,
            taken: AtomicU64::new(0),
            writing,
        }
    }

    /// Hands rows on. `false`: the writer has failed and takes no more; [`Outgoing::finish`] says
    /// why.
    pub async fn rows(&self, rows: Vec<Vec<Cell>>) -> bool {
        self.taken.fetch_add(rows.len() as u64, Ordering::Relaxed);
        self.parts.send(Part::Rows(rows)).await.is_ok()
    }

    /// How many rows were handed on.
    pub fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    /// Whether something handed on so far could not be written; [`Outgoing::finish`] says why.
    pub async fn has_failed(&self) -> bool {
        let (written, all) = oneshot::channel();
        self.parts.send(Part::Check(written)).await.is_err() || all.await.is_err()
    }

    /// Puts the file at its place; gives how many rows it has.
    ///
    /// # Errors
    /// [`WriteError`]; then nothing new is there.
    pub async fn finish(self) -> Result<u64, WriteError> {
        // A writer that has failed takes no end either.
        let _ = self.parts.send(Part::End).await;
        drop(self.parts);
        let written = self.writing.await.map_err(std::io::Error::other)?;
        Ok(written?.unwrap_or_default())
    }

    /// Takes the half file away again: it is gone when this is done.
    pub async fn give_up(self) {
        drop(self.parts);
        // How the half of it fared does not matter.
        let _ = self.writing.await;
    }
}
