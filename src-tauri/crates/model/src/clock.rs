//! Time and randomness, passed in so that a test can control them.

use std::time::Duration;

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// Where the desk reads the time.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// Wall-clock time: for what people read and for what is stored.
    fn now(&self) -> DateTime<Utc>;
    /// Time since some fixed moment that no clock change moves: for windows and waits.
    fn monotonic(&self) -> Duration;
    /// Names that moment where every process of this machine counts from it: the machine's last
    /// start. `None` where it is a moment of this process alone.
    fn counted_from(&self) -> Option<Uuid> {
        None
    }
}

/// Where the desk takes new ids and idempotency keys.
pub trait Ids: Send + Sync + std::fmt::Debug {
    /// A new random (v4) UUID.
    fn uuid(&self) -> Uuid;
    /// A new UUID that sorts by the time of its making (v7): for what the file keeps in order of its
    /// ids, so that neighbours are written together. Never for what the service sees.
    fn ordered_uuid(&self, at: DateTime<Utc>) -> Uuid {
        let mut random = [0; 10];
        random.copy_from_slice(&self.uuid().as_bytes()[6..]);
        let millis = u64::try_from(at.timestamp_millis()).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
    }
    /// A number in `0.0..1.0`: for jitter.
    fn fraction(&self) -> f64;
}
