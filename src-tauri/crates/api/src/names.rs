//! Looks up the addresses of a name, and chooses those that a connection tries.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// How long a name may take to resolve. A server that drops one kind of question takes fifteen seconds.
pub const LOOKUP: Duration = Duration::from_secs(18);
/// So many addresses of a family share the time of one connection; with more, each would have too little on a
/// slow line.
const TRIED: usize = 2;

/// The names of one client, and where in the list of addresses its next connection starts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names(Arc<AtomicUsize>);

impl Names {
    /// To be held while a connection is made.
    pub(crate) fn connecting(&self) -> Connecting {
        Connecting {
            start: self.0.load(Ordering::Relaxed),
            names: self.clone(),
            quick: false,
        }
    }
}

/// A connection that is being made. The next one starts at another address unless this one is made quickly.
#[derive(Debug)]
pub(crate) struct Connecting {
    names: Names,
    start: usize,
    pub(crate) quick: bool,
}

impl Drop for Connecting {
    fn drop(&mut self) {
        if !self.quick {
            // Of several that fail at the same address one moves on.
            let next = self.start.wrapping_add(1);
            let _ = self.names.0.compare_exchange(
                self.start,
                next,
                Ordering::Relaxed,
                Ordering::Relaxed,
            );
        }
    }
}

impl Resolve for Names {
    fn resolve(&self, name: Name) -> Resolving {
        let start = self.0.load(Ordering::Relaxed);
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0));
            let found = tokio::time::timeout(LOOKUP, found).await??;
            Ok(Box::new(tried(found.collect(), start).into_iter()) as Addrs)
        })
    }
}

/// A few addresses of each family, the preferred family first.
fn tried(found: Vec<SocketAddr>, start: usize) -> Vec<SocketAddr> {
    let preferred = found.first().is_some_and(SocketAddr::is_ipv6);
    let (one, other): (Vec<_>, Vec<_>) = found
        .into_iter()
        .partition(|address| address.is_ipv6() == preferred);
    let mut tried = Vec::new();
    for mut family in [one, other] {
        let first = start % family.len().max(1);
        family.rotate_left(first);
        tried.extend(family.into_iter().take(TRIED));
    }
    tried
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(start: usize, found: &[&str]) -> Vec<String> {
        let found = found.iter().map(|one| format!("{one}:0").parse().unwrap());
        let tried = tried(found.collect(), start);
        tried.iter().map(|one| one.ip().to_string()).collect()
    }

    #[test]
    fn connections_start_at_another_address_once_one_was_not_made_quickly() {
        let names = Names::default();
        let start = || names.0.load(Ordering::Relaxed);
        let mut quick = names.connecting();
        quick.quick = true;
        drop(quick);
        assert_eq!(start(), 0);
        drop([names.connecting(), names.connecting(), names.connecting()]);
        assert_eq!(start(), 1);
    }

    #[test]
    fn two_addresses_of_each_family_are_tried_from_another_start_each_time() {
        let found = ["[::1]", "127.0.0.1", "127.0.0.2", "[::2]", "127.0.0.3"];
        assert_eq!(from(0, &found), ["::1", "::2", "127.0.0.1", "127.0.0.2"]);
        assert_eq!(from(1, &found), ["::2", "::1", "127.0.0.2", "127.0.0.3"]);
        assert_eq!(from(5, &found[1..3]), ["127.0.0.2", "127.0.0.1"]);
        assert_eq!(from(5, &found[..1]), ["::1"]);
        assert_eq!(from(5, &[]), [""; 0]);
    }
}
