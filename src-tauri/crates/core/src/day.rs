//! The day of the store: its figures, its sales and the work to finish before it can be closed.
//!
//! Owns which date it is on the store's clock. Takes the unfinished work from the overview, so that
//! the list and the window's header cannot contradict each other.

use std::sync::Arc;

pub use warranty_model::day::{
    BadDate, CloseItem, CloseLine, CloseOfDay, DAYS_SHOWN, Date, Day, DayFigures, DayPart, DaySale,
    DayStates,
};

use warranty_api::Timestamp;

use crate::Result;
use crate::profile::{ProfileKind, Profiles, TokenState};
use warranty_runtime::context::Context;
use warranty_runtime::overview::{Connection, OpenWork, Overviews};

/// Rows read at once, to bound memory and to let other tasks use the database.
const PAGE: u32 = 2_000;

#[derive(Debug, Clone)]
pub struct Days {
    pub(crate) context: Arc<Context>,
    pub(crate) overviews: Overviews,
    pub(crate) profiles: Profiles,
}

impl Days {
    /// A day of the chosen profile's store with the days before it, and the work that is unfinished
    /// now. Without a date: today.
    ///
    /// # Errors
    /// [`Error::NoProfile`]; [`Error::Store`].
    pub async fn day(&self, date: Option<Date>) -> Result<Day> {
        let profile = self.context.profile_now().await?;
        let zone = profile.zone();
        let today = Date::of(self.context.clock.now(), zone);
        let date = date.unwrap_or(today);
        // Oldest first.
        let earlier: Vec<Date> = (1..DAYS_SHOWN).rev().map(|ago| date.before(ago)).collect();
        let spans = earlier.iter().map(|date| date.span(zone)).collect();
        let store = &self.context.store;
        let counts = store.day_counts(&profile.id, spans, date.span(zone));
        let counts = counts.await?;
        let figures = |(date, (counts, sold))| DayFigures { date, counts, sold };
        let before = earlier.into_iter().zip(counts.before);
        let days = before.chain([(date, counts.day)]).map(figures).collect();
        if self.context.read_only && profile.kind == ProfileKind::Live {
            // A read-only desk has sent no request yet, so look up here whether it can read a
            // token.
            let _ = self.profiles.client_for(&profile).await;
        }
        let mut overview = self.overviews.of(&profile.id).await?;
        if profile.kind == ProfileKind::Live
            && overview.connection.is_well()
            // A keychain that failed is not asked at each reading: it may show its dialog each time.
            && (self.context.vault.known_trouble().is_some()
                || self.profiles.token_state(&profile.id).await? != TokenState::Present
                || self.context.organization(Some(&profile)).closed)
        {
            // No request has met it yet.
            overview.connection = Connection::NotReady;
        }
        let others = self
            .overviews
            .other_profiles(&profile.id, OpenWork::keeps_day_open);
        let others = u32::try_from(others.await?.len()).unwrap_or(u32::MAX);
        Ok(Day {
            today,
            figures: figures((date, counts.day)),
            states: counts.states,
            days,
            by_staff: counts.by_staff,
            by_category: counts.by_category,
            follow_ups: store.follow_ups_due(&profile.id, today).await?,
            closing: CloseOfDay::new(&overview, others),
        })
    }

    /// The next page of a day's sales after the given one, in the order they were entered, with
    /// times of the store's clock; empty at the end.
    pub(crate) async fn sales(&self, date: Date, after: Option<&DaySale>) -> Result<Vec<DaySale>> {
        let profile = self.context.profile_now().await?;
        let zone = profile.zone();
        let store = &self.context.store;
        let sales = store.day_sales(&profile.id, date.span(zone), after, PAGE);
        let mut sales = sales.await?;
        for sale in &mut sales {
            sale.entered_at = Timestamp::new(zone.at(sale.entered_at.get().to_utc()));
        }
        Ok(sales)
    }
}
