//! Writes rows to a file on a blocking thread, so that a slow disk does not stop other work.
//!
//! A file that is not complete is removed.

use std::io;
use std::path::Path;

use tokio::sync::mpsc;
use tokio::task::{JoinHandle, spawn_blocking};

use super::export::{Cell, Writer};
use super::private_file::Existing;
use super::{Format, WriteError};

/// Maximum number of parts that wait for the disk.
const MAX_QUEUED_PARTS: usize = 2;

/// A file that a background thread writes. If it is dropped before [`BackgroundWriter::written`], no
/// file remains.
pub struct BackgroundWriter {
    parts: mpsc::Sender<Vec<Vec<Cell>>>,
    writing: JoinHandle<Result<Writer, WriteError>>,
}

impl BackgroundWriter {
    /// Starts to write a file, with its headers first.
    pub fn begin(path: &Path, format: Format, existing: Existing, headers: Vec<String>) -> Self {
        let (parts, mut taken) = mpsc::channel::<Vec<Vec<Cell>>>(MAX_QUEUED_PARTS);
        let path = path.to_owned();
        let writing = spawn_blocking(move || {
            let mut writer = Writer::create(&path, format, existing, &headers)?;
            while let Some(rows) = taken.blocking_recv() {
                rows.iter().try_for_each(|row| writer.row(row))?;
            }
            Ok(writer)
        });
        Self { parts, writing }
    }

    /// Queues rows for the writer; `false` when the writer has failed and accepts no more.
    /// [`BackgroundWriter::written`] then returns the error.
    pub async fn rows(&self, rows: Vec<Vec<Cell>>) -> bool {
        self.parts.send(rows).await.is_ok()
    }

    /// The file without its target name, once all queued rows are written.
    ///
    /// # Errors
    /// [`WriteError`]; then there is no file.
    pub async fn written(self) -> Result<Writer, WriteError> {
        drop(self.parts);
        self.writing.await.map_err(io::Error::other)?
    }

    /// Removes the incomplete file; it is gone when this returns.
    pub async fn give_up(self) {
        // The result of the incomplete file does not matter.
        drop(self.written().await);
    }
}
