//! The day of the store.

use warranty_core::day::{Date, Day};

commands! {
    /// A day's figures and the work that is unfinished now; today's without a date.
    fn day(desk, date: Option<Date>) -> Day = desk.days.day(date).await?;
}
