//! One window at a time in a desktop session: the program allows a user only one.

use std::fs::File;
use std::path::Path;

/// Held for as long as a journey plays.
pub struct SessionLock {
    _lock: File,
}

/// Waits until no other journey plays in this session, in this process or beside it.
pub async fn take() -> SessionLock {
    tokio::task::spawn_blocking(|| {
        let session = std::env::var_os("XDG_RUNTIME_DIR").expect("the session has a folder");
        let path = Path::new(&session).join("journeys.lock");
        let lock = File::create(path).expect("the lock file can be made");
        lock.lock().expect("the lock can be had");
        SessionLock { _lock: lock }
    })
    .await
    .expect("waiting for the lock ends")
}
