//! Lanes: changes to one thing go out one after the other, and each knows whether a newer one waits.
//!
//! Owns the order alone. What is sent, and whether it is repeated, is for those in the lane.

use std::collections::HashMap;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::FutureExt;
use tokio::sync::OwnedMutexGuard;

/// What a lane is for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum LaneKey {
    /// Upserts of one product: profile id and reference.
    Product(String, String),
    /// Updates of one plan: profile id and plan id.
    Plan(String, String),
}

/// All lanes in use.
#[derive(Debug, Default)]
pub(crate) struct Lanes {
    lanes: Mutex<HashMap<LaneKey, Arc<Lane>>>,
}

#[derive(Debug, Default)]
struct Lane {
    newest: AtomicU64,
    gate: Arc<tokio::sync::Mutex<()>>,
}

/// A turn in a lane; the next one begins when it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    lane: Arc<Lane>,
    number: u64,
    _gate: OwnedMutexGuard<()>,
}

impl Lanes {
    /// Waits for a turn. Turns come in the order in which they were first polled.
    pub(crate) async fn enter(&self, key: LaneKey) -> Turn {
        let (lane, number, mut waiting) = {
            let mut lanes = self.lock();
            // A lane nobody is in or waits for is forgotten.
            lanes.retain(|_, lane| Arc::strong_count(lane) > 1);
            let lane = lanes.entry(key).or_default().clone();
            let number = lane.newest.fetch_add(1, Ordering::SeqCst) + 1;
            // Polled once here, so that the place in the queue and the number are taken together.
            let mut waiting = lane.gate.clone().lock_owned().boxed();
            match (&mut waiting).now_or_never() {
                Some(gate) => {
                    return Turn {
                        lane: lane.clone(),
                        number,
                        _gate: gate,
                    };
                }
                None => (lane, number, waiting),
            }
        };
        let gate = pin!(&mut waiting).await;
        Turn {
            lane,
            number,
            _gate: gate,
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<LaneKey, Arc<Lane>>> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn {
    /// Whether no newer change to the same thing waits behind this one.
    pub(crate) fn is_newest(&self) -> bool {
        self.lane.newest.load(Ordering::SeqCst) == self.number
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn key(reference: &str) -> LaneKey {
        LaneKey::Product("p".to_owned(), reference.to_owned())
    }

    #[tokio::test]
    async fn turns_of_one_thing_come_in_order_and_only_the_last_is_the_newest() {
        let lanes = Lanes::default();
        let first = lanes.enter(key("a")).await;
        assert!(first.is_newest());
        let mut second = Box::pin(lanes.enter(key("a")));
        let mut third = Box::pin(lanes.enter(key("a")));
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
        let lanes = Lanes::default();
        let first = lanes.enter(key("a")).await;
        drop(lanes.enter(key("b")).now_or_never().unwrap());
        drop(first);
        drop(lanes.enter(key("c")).await);
        assert_eq!(lanes.lock().len(), 1);
    }

    #[tokio::test]
    async fn whoever_leaves_the_queue_holds_nobody_up() {
        let lanes = Lanes::default();
        let first = lanes.enter(key("a")).await;
        let mut second = Box::pin(lanes.enter(key("a")));
        assert!((&mut second).now_or_never().is_none());
        drop(second);
        drop(first);
        assert!(lanes.enter(key("a")).now_or_never().unwrap().is_newest());
    }
}
