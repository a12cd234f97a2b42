//! One window at a time: the program allows a user only one, and so do the journeys.

use std::fs::File;
use std::path::Path;

/// Held for as long as a journey plays.
pub struct Turn {
    _lock: File,
}

/// Waits until no other journey plays, in this process or beside it.
pub async fn take() -> Turn {
    tokio::task::spawn_blocking(|| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("journeys.lock");
        let lock = File::create(path).expect("the lock file can be made");
        lock.lock().expect("the lock can be had");
        Turn { _lock: lock }
    })
    .await
    .expect("waiting for the turn ends")
}
