//! Sales of which this desk's file may have lost the entry: it was replaced by an older copy, and no
//! newer one told what was entered in between.
//!
//! Owns which rows may be such a sale. Each is asked about as one that only the lost file knew.

use chrono::{DateTime, TimeDelta, Utc};
use warranty_api::ContractItem;

use super::Contracts;
use crate::Error;
use warranty_model::outbox::SubmissionState;
use warranty_store::submissions::Earlier;

/// A row without a date of its own may be of a file that was entered before, however late it is
/// entered again. Nobody keeps such a file for longer than a month's close.
const UNDATED: TimeDelta = TimeDelta::days(35);

/// Up to when entries may be missing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gap {
    until: DateTime<Utc>,
}

impl Gap {
    /// The earlier entry that may be lost, for a sale that may have been entered in the gap. Its
    /// day counts, not its hour: who enters a lost sale again at the counter gives the time of now.
    pub(super) fn earlier(
        self,
        item: &ContractItem,
        dated: bool,
        now: DateTime<Utc>,
    ) -> Option<Earlier> {
        let sold = item.transaction_date.get();
        let last_day = self.until.with_timezone(sold.offset()).date_naive();
        let may_be = sold.date_naive() <= last_day || (!dated && now < self.until + UNDATED);
        may_be.then_some(Earlier {
            id: None,
            state: SubmissionState::Unknown,
            contract_id: None,
            profile: None,
            alike: false,
        })
    }
}

/// The earlier entries of a sale, with one that may be lost behind them, unless one is known to be.
pub(super) fn with_lost(
    mut earlier: Vec<Earlier>,
    gap: Option<Gap>,
    item: &ContractItem,
    dated: bool,
    now: DateTime<Utc>,
) -> Vec<Earlier> {
    if earlier.iter().all(|entry| entry.id.is_some()) {
        earlier.extend(gap.and_then(|gap| gap.earlier(item, dated, now)));
    }
    earlier
}

impl Contracts {
    /// The gap in this desk's file; `None` when there is none.
    pub(super) async fn gap(&self) -> Result<Option<Gap>, Error> {
        let until = self.context.store.recovery_gap().await?;
        let until = until.and_then(DateTime::from_timestamp_millis);
        Ok(until.map(|until| Gap { until }))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::outbox::samples::item;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn what_is_dated_up_to_the_day_of_the_rescue_is_asked_about_and_no_later_sale() {
        let gap = Gap {
            until: at("2026-11-21T10:00:00Z"),
        };
        let long_after = at("2027-11-21T10:00:00Z");
        let asks = |date: &str, dated, now| {
            let mut item = item("t", "p", "a");
            item.transaction_date = warranty_api::Timestamp::new(date.parse().unwrap());
            gap.earlier(&item, dated, now).is_some()
        };
        assert!(asks("2026-01-01T00:00:00+09:00", true, long_after));
        assert!(asks("2026-11-21T23:59:00+09:00", true, long_after));
        assert!(!asks("2026-11-22T00:00:00+09:00", true, long_after));
        // Without a date of its own, a row was sold when it is entered.
        let soon = at("2026-12-01T10:00:00Z");
        assert!(asks("2026-12-01T19:00:00+09:00", false, soon));
        assert!(!asks("2027-11-21T19:00:00+09:00", false, long_after));
    }
}
