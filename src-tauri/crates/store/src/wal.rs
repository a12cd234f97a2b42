//! Whether a write-ahead log lost something that was acknowledged.
//!
//! SQLite treats the first invalid frame as the end of the log. After a power failure at most one
//! commit can follow it; two or more mean that the log is damaged. Where the index of the log
//! outlived its process, it says how many frames were committed.

use std::path::Path;

use super::files::{if_there, with_suffix};
use crate::{Result, StoreError};

const HEADER: usize = 32;
const FRAME: usize = 24;
/// One copy of the head of the log's index.
const INDEX: usize = 48;
/// The first word of a log; its lowest bit names the byte order of the sums.
const MAGIC: u32 = 0x377f_0682;

/// The running sum over a log.
#[derive(Clone, Copy)]
struct Sum {
    big_endian: bool,
    sums: (u32, u32),
}

impl Sum {
    fn add(&mut self, bytes: &[u8]) {
        for pair in bytes.chunks_exact(8) {
            let word = |at: usize| {
                let word = number(pair, at);
                if self.big_endian {
                    word
                } else {
                    word.swap_bytes()
                }
            };
            let (first, second) = self.sums;
            let first = first.wrapping_add(word(0)).wrapping_add(second);
            self.sums = (first, second.wrapping_add(word(4)).wrapping_add(first));
        }
    }

    fn is(&self, bytes: &[u8]) -> bool {
        (number(bytes, 0), number(bytes, 4)) == self.sums
    }
}

/// What a log says of itself.
struct Log {
    /// Frames up to the place where it ends for SQLite.
    frames: u32,
    /// Commits behind that place.
    lost: u32,
    /// What distinguishes this log from an earlier one in the same file.
    salts: [u8; 8],
}

/// Whether the log of a database, if there is one, ends where it truly ended.
pub(super) fn whole(database: &Path) -> Result<()> {
    let read = |suffix| if_there(std::fs::read(with_suffix(database, suffix)));
    // Read first: what another process commits meanwhile is in the log alone.
    let index = read("-shm")?.unwrap_or_default();
    let bytes = read("-wal")?.unwrap_or_default();
    if bytes.is_empty() {
        return Ok(());
    }
    let whole =
        log(&bytes).is_some_and(|log| log.lost < 2 && log.frames >= committed(&index, &log));
    whole.then_some(()).ok_or(StoreError::Damaged)
}

/// `None` when its head makes no sense.
fn log(bytes: &[u8]) -> Option<Log> {
    let head = bytes.get(..HEADER)?;
    let magic = number(head, 0);
    let mut sum = Sum {
        big_endian: magic & 1 == 1,
        sums: (0, 0),
    };
    sum.add(&head[..24]);
    let page = usize::try_from(number(head, 8)).ok()?;
    if magic & !1 != MAGIC || !sum.is(&head[24..]) || !(512..=65_536).contains(&page) {
        return None;
    }
    let mut log = Log {
        frames: 0,
        lost: 0,
        salts: head[16..24].try_into().ok()?,
    };
    let mut ended = false;
    for frame in bytes[HEADER..].chunks_exact(FRAME + page) {
        let ours = frame[8..16] == log.salts;
        if !ended {
            sum.add(&frame[..8]);
            sum.add(&frame[FRAME..]);
            ended = !ours || !sum.is(&frame[16..24]);
        }
        if !ended {
            log.frames += 1;
        } else if ours && number(frame, 4) != 0 {
            log.lost += 1;
        }
    }
    Some(log)
}

/// How many frames of this log were committed, by its index; 0 when it does not say. A commit is
/// on the disk before the index is updated.
fn committed(index: &[u8], log: &Log) -> u32 {
    let Some(head) = index.get(..INDEX).filter(|head| head[12] == 1) else {
        return 0;
    };
    // Written twice, so that half a change is not taken for one.
    if index.get(INDEX..2 * INDEX) != Some(head) || head[32..40] != log.salts {
        return 0;
    }
    u32::from_ne_bytes([head[16], head[17], head[18], head[19]])
}

/// The number at a place; its highest byte is first.
pub(super) fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use rusqlite::Connection;

    use super::*;

    #[test]
    fn a_log_that_goes_on_while_it_is_read_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("source.db");
        let connection = Connection::open(&source).unwrap();
        let begin = "PRAGMA journal_mode = WAL; CREATE TABLE a (b)";
        connection.execute_batch(begin).unwrap();
        let [log, index] = ["-wal", "-shm"].map(|suffix| with_suffix(&source, suffix));
        let (first_log, first_index) = (fs::read(log).unwrap(), fs::read(&index).unwrap());
        connection.execute("INSERT INTO a VALUES (1)", []).unwrap();
        let next_index = fs::read(index).unwrap();

        // A pipe in place of the log: it is known when it is read.
        let read = folder.path().join("read.db");
        let [log, index] = ["-wal", "-shm"].map(|suffix| with_suffix(&read, suffix));
        assert!(Command::new("mkfifo").arg(&log).status().unwrap().success());
        fs::write(&index, first_index).unwrap();
        let next_commit = std::thread::spawn(move || {
            let mut pipe = fs::OpenOptions::new().write(true).open(log).unwrap();
            fs::write(index, next_index).unwrap();
            std::io::Write::write_all(&mut pipe, &first_log).unwrap();
        });
        assert!(whole(&read).is_ok());
        next_commit.join().unwrap();
    }
}
