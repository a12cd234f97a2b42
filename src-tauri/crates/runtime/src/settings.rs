//! The settings of the program: language, theme, retention of customers.

pub use warranty_model::settings::{Language, ListColumn, Settings, Theme};

use crate::context::Context;
use crate::{Error, Field, FieldProblem, Problem};

/// Default retention of customers, in days.
pub const USUAL_RETENTION_DAYS: u32 = 90;
/// Longest retention of customers, in days.
pub const LONGEST_RETENTION_DAYS: u32 = 3_650;

/// More than all lists have together.
const MOST_COLUMNS: usize = 64;

impl Context {
    /// The settings.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn settings(&self) -> Result<Settings, Error> {
        Ok(self.store.settings().await?)
    }

    /// Replaces the settings.
    ///
    /// # Errors
    /// [`Error::Input`] for a retention of 0 days or more than [`LONGEST_RETENTION_DAYS`];
    /// [`Error::InUse`]; [`Error::Store`].
    pub async fn settings_change(&self, mut settings: Settings) -> Result<(), Error> {
        self.writable()?;
        let days = settings.retention_days;
        let problem = match days {
            Some(0) => Some(Problem::TooSmall),
            Some(days) if days > LONGEST_RETENTION_DAYS => Some(Problem::TooLarge),
            Some(_) | None => None,
        };
        if let Some(problem) = problem {
            let field = Field::RetentionDays;
            return Err(Error::Input(vec![FieldProblem { field, problem }]));
        }
        settings.list_columns.truncate(MOST_COLUMNS);
        Ok(self.store.keep_settings(settings).await?)
    }
}
