//! The moments at which a process is killed: told by what it has visibly done by then, and a little
//! chance.

use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rand::Rng;
use rand::rngs::StdRng;

use super::books;
use crate::harness::{Desk, Service};

/// Nothing is waited for longer: then the process is killed all the same. A busy machine needs this for
/// its moments to come.
const LONGEST: Duration = Duration::from_secs(3);

/// When a process is killed.
#[derive(Debug, Clone, Copy)]
pub enum Moment {
    /// Somewhere in its first steps.
    Start,
    /// It has asked the service about a plan.
    Checking,
    /// Its rows are kept.
    Kept,
    /// So many batches were sent.
    Sent(usize),
    /// The service has sold something; the answer may be on its way.
    Sold,
    /// It looks for what was accepted.
    Confirming,
    /// At any time at all.
    Anywhen,
}

impl Moment {
    /// Those that can come, in turn: of a file of which nothing is kept yet, and of one begun.
    pub fn nth(n: usize, fresh: bool) -> Self {
        if fresh {
            let moments = [
                Self::Start,
                Self::Kept,
                Self::Sent(1),
                Self::Checking,
                Self::Sold,
                Self::Sent(3),
            ];
            moments[n % moments.len()]
        } else {
            [Self::Anywhen, Self::Sent(1), Self::Confirming, Self::Sold][n % 4]
        }
    }

    /// Waits for it, or until the process has ended.
    pub fn wait(self, process: &mut Child, desk: &Desk, service: &Service, random: &mut StdRng) {
        let entries = books::entries(desk.folder());
        let sold = service.ledger().len();
        let has_come = || match self {
            Self::Start | Self::Anywhen => true,
            Self::Checking => service.requests("GET", "/v1/plans/") > 0,
            Self::Kept => books::entries(desk.folder()) > entries,
            Self::Sent(batches) => service.bulk_requests() >= batches,
            Self::Sold => service.ledger().len() > sold,
            Self::Confirming => service.requests("GET", "/v1/contracts/") > 0,
        };
        let began = Instant::now();
        while !has_come() && began.elapsed() < LONGEST && process.try_wait().unwrap().is_none() {
            sleep(Duration::from_millis(1));
        }
        let chance = match self {
            Self::Start => 60,
            Self::Kept => 3,
            Self::Checking | Self::Sent(_) | Self::Sold | Self::Confirming => 15,
            Self::Anywhen => 400,
        };
        sleep(Duration::from_micros(
            random.random_range(0..chance * 1_000),
        ));
    }
}
