//! Compares a list of the point of sale with what is registered here.
//!
//! Owns which columns such a list must have and which entries are read. What differs is decided in
//! `model`.

use chrono::TimeDelta;
use warranty_model::Field;
use warranty_model::day::Date;
pub use warranty_model::reconciliation::{
    DifferentSale, ListedSale, MissingSale, Reconciliation, RegisteredSale, UnreadableRow,
};

use super::Bulk;
use super::from_file::{OpenFile, own, read_blocking};
use super::stage::MOST_ROWS;
use crate::files::{FileError, Mapping};
use crate::profile::Profile;
use crate::{Error, Result};

/// Entries read at once, to bound memory and to let other tasks use the database.
const PAGE: u32 = 2_000;

/// A listed sale may have been entered under another date, this long before the first day compared.
const ENTERED_BEFORE: TimeDelta = TimeDelta::days(7);

impl Bulk {
    /// Compares a list with what is registered for the store of the chosen profile. The list must say the
    /// transaction; other columns are compared where it has them. `day` leaves out other days; a row
    /// without a date is otherwise looked for among all entries. The columns chosen are remembered for the same
    /// headers; one that is left out here stays as it was.
    ///
    /// # Errors
    /// [`Error::File`] when a row cannot be read, no column is the transaction, or there are too many
    /// rows;
    /// [`Error::NoProfile`]; [`Error::Store`].
    pub async fn reconcile(
        &self,
        file: OpenFile,
        mapping: &Mapping,
        day: Option<Date>,
    ) -> Result<Reconciliation> {
        let profile = self.context.profile_now().await?;
        let (now, zone) = (self.context.clock.now(), profile.zone());
        let known = file.guess.mapping.with(mapping);
        let only = Some(&[Field::TransactionId][..]);
        let layout = file.layout(mapping, only).map_err(Error::File)?;
        // A desk that was opened to read keeps nothing.
        if !self.context.read_only {
            let headers = own(&layout.headers);
            let remembered = self.mapping_remember(file.kind, headers, &known).await;
            let _ = remembered.inspect_err(|error| {
                tracing::warn!(%error, "the columns of a comparison are not remembered");
            });
        }
        let left_out = layout.left_out.clone();
        let rows = read_blocking(move || {
            (1..)
                .zip(file.rows(layout.clone()))
                .map(|(number, row)| {
                    if number > MOST_ROWS {
                        return Err(FileError::TooManyRows);
                    }
                    let row = row?.numbered(number);
                    let row = layout.judged(&row, Vec::new());
                    Ok(ListedSale::read(&row, now, zone))
                })
                .collect::<Result<Vec<_>, FileError>>()
        })
        .await?;
        let dates: Option<Vec<Date>> = rows.iter().flatten().map(|row| row.date).collect();
        let first = day.or_else(|| dates?.into_iter().min());
        // The days of dates, each in its own zone, and those of the store may be one apart.
        let since = first.map_or((i64::MIN, String::new()), |first| {
            let entered = first.span(zone).from - ENTERED_BEFORE.num_milliseconds();
            (entered, first.before(1).to_string())
        });
        let registered = self.registered_since(&profile, since).await?;
        Ok(Reconciliation {
            left_out,
            ..Reconciliation::of(rows, registered, day)
        })
    }

    /// What was entered for the store of a profile since a moment, in milliseconds since 1970 UTC,
    /// or is dated since a day, under whatever profile.
    async fn registered_since(
        &self,
        profile: &Profile,
        since: (i64, String),
    ) -> Result<Vec<RegisteredSale>> {
        let store = &self.context.store;
        let mut found = Vec::new();
        for id in store.every_profile().await? {
            let mut after = (i64::MIN, i64::MIN);
            while let Some((sales, next)) = store
                .registered_sales(id.clone(), profile, since.clone(), after, PAGE)
                .await?
            {
                found.extend(sales);
                after = next;
            }
        }
        Ok(found)
    }
}
