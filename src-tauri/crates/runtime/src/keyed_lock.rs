//! A fair lock for each key, whose holder can see whether a newer caller waits.
//!
//! Owns only the order. Does not know what its callers send or repeat.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use futures::FutureExt;
use tokio::sync::OwnedMutexGuard;
use warranty_model::profile::ServiceStore;

use crate::work::lock;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum LockKey {
    /// Upserts of one product of a service, whatever store they are made under.
    Product(ServiceStore, String),
    /// Updates of one plan, whatever profile of its store is used.
    Plan(ServiceStore, String),
}

#[derive(Debug, Default)]
pub struct KeyedLock {
    queues: Mutex<HashMap<LockKey, Arc<KeyQueue>>>,
}

#[derive(Debug, Default)]
struct KeyQueue {
    newest: AtomicU64,
    mutex: Arc<tokio::sync::Mutex<()>>,
}

/// A held lock; dropping it lets the next caller continue.
#[derive(Debug)]
pub struct KeyGuard {
    queue: Arc<KeyQueue>,
    number: u64,
    _guard: OwnedMutexGuard<()>,
}

impl KeyedLock {
    /// Waits for the lock of a key. Callers get it in the order in which they were first polled.
    pub async fn lock(&self, key: LockKey) -> KeyGuard {
        let (queue, number, waiting, at_once) = {
            let mut queues = lock(&self.queues);
            // Removes queues that nobody holds or waits for.
            queues.retain(|_, queue| Arc::strong_count(queue) > 1);
            let queue = queues.entry(key).or_default().clone();
            let number = queue.newest.fetch_add(1, Ordering::SeqCst) + 1;
            // Polled once under the mutex, so that the place in the queue matches the number.
            let mut waiting = queue.mutex.clone().lock_owned().boxed();
            let at_once = (&mut waiting).now_or_never();
            (queue, number, waiting, at_once)
        };
        KeyGuard {
            queue,
            number,
            _guard: match at_once {
                Some(guard) => guard,
                None => waiting.await,
            },
        }
    }
}

impl KeyGuard {
    /// Whether no newer caller waits for the same key.
    pub fn is_newest(&self) -> bool {
        self.queue.newest.load(Ordering::SeqCst) == self.number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warranty_model::profile::Profile;

    fn key(reference: &str) -> LockKey {
        let store = Profile::store_at("https://sample.invalid", "s");
        LockKey::Product(store, reference.to_owned())
    }

    #[tokio::test]
    async fn turns_of_one_thing_come_in_order_and_only_the_last_is_the_newest() {
        let locks = KeyedLock::default();
        let first = locks.lock(key("a")).await;
        assert!(first.is_newest());
        let mut second = Box::pin(locks.lock(key("a")));
        let mut third = Box::pin(locks.lock(key("a")));
        assert!((&mut second).now_or_never().is_none());
        assert!((&mut third).now_or_never().is_none());
        assert!(!first.is_newest());
        drop(first);
        assert!((&mut third).now_or_never().is_none());
        let second = second.await;
        assert!(!second.is_newest());
        drop(second);
        assert!(third.await.is_newest());
    }

    #[tokio::test]
    async fn other_things_do_not_wait_and_empty_lanes_are_forgotten() {
        let locks = KeyedLock::default();
        let first = locks.lock(key("a")).await;
        drop(locks.lock(key("b")).now_or_never().unwrap());
        drop(first);
        drop(locks.lock(key("c")).await);
        assert_eq!(lock(&locks.queues).len(), 1);
    }

    #[tokio::test]
    async fn whoever_leaves_the_queue_holds_nobody_up() {
        let locks = KeyedLock::default();
        let first = locks.lock(key("a")).await;
        let mut second = Box::pin(locks.lock(key("a")));
        assert!((&mut second).now_or_never().is_none());
        drop(second);
        drop(first);
        assert!(locks.lock(key("a")).now_or_never().unwrap().is_newest());
    }
}
