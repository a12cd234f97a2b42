//! Writes rows to a file on a blocking thread, so that a slow disk does not stop other work.
//!
//! A file that is not complete is removed.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use super::export::{Cell, Writer};
use super::private_file::Existing;
use super::{Format, WriteError};

/// Maximum number of parts that wait for the disk.
const MAX_QUEUED_PARTS: usize = 2;

/// A file that a background thread writes. If it is dropped before [`BackgroundWriter::finish`], no
/// file remains.
#[derive(Debug)]
pub struct BackgroundWriter {
    parts: mpsc::Sender<Part>,
    taken: AtomicU64,
    writing: JoinHandle<Result<Option<u64>, WriteError>>,
}

/// Has no `Debug`, because rows may name customers.
enum Part {
    Rows(Vec<Vec<Cell>>),
    /// Answered when all parts before it are written.
    Check(oneshot::Sender<()>),
    End,
}

impl BackgroundWriter {
    /// Starts to write a file, with its headers first.
    pub fn begin(path: &Path, format: Format, existing: Existing, headers: Vec<String>) -> Self {
        let (parts, mut taken) = mpsc::channel(MAX_QUEUED_PARTS);
        let path = path.to_owned();
        let writing = tokio::task::spawn_blocking(move || {
            let mut writer = Writer::create(&path, format, existing, &headers)?;
            while let Some(part) = taken.blocking_recv() {
                match part {
                    Part::Rows(rows) => rows.iter().try_for_each(|row| writer.row(row))?,
                    Part::Check(written) => {
                        // The caller may have stopped waiting.
                        let _ = written.send(());
                    }
                    Part::End => return writer.finish().map(Some),
                }
            }
            // The sender was dropped without `End`, so rows are missing: the file is discarded.
            Ok(None)
        });
        Self {
            parts,
            taken: AtomicU64::new(0),
            writing,
        }
    }

    /// Queues rows for the writer; `false` when the writer has failed and accepts no more.
    /// [`BackgroundWriter::finish`] then returns the error.
    pub async fn rows(&self, rows: Vec<Vec<Cell>>) -> bool {
        self.taken.fetch_add(rows.len() as u64, Ordering::Relaxed);
        self.parts.send(Part::Rows(rows)).await.is_ok()
    }

    /// Number of rows queued.
    pub fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    /// Whether writing a row queued so far has failed; [`BackgroundWriter::finish`] returns the
    /// error.
    pub async fn has_failed(&self) -> bool {
        let (written, all) = oneshot::channel();
        self.parts.send(Part::Check(written)).await.is_err() || all.await.is_err()
    }

    /// Moves the complete file to the target path; returns its number of rows.
    ///
    /// # Errors
    /// [`WriteError`]; then the target path is unchanged.
    pub async fn finish(self) -> Result<u64, WriteError> {
        // A writer that has failed does not receive this; its error is returned below.
        let _ = self.parts.send(Part::End).await;
        drop(self.parts);
        let written = self.writing.await.map_err(std::io::Error::other)?;
        Ok(written?.unwrap_or_default())
    }

    /// Removes the incomplete file; it is gone when this returns.
    pub async fn give_up(self) {
        drop(self.parts);
        // The result of the incomplete file does not matter.
        let _ = self.writing.await;
    }
}
