//! The settings of the program: language, theme, retention of customers.

pub use warranty_model::settings::{
    LONGEST_RETENTION_DAYS, Language, Settings, Theme, USUAL_RETENTION_DAYS,
};

use crate::context::Context;
use crate::policy::Retention;
use crate::{Error, Field, Problem, Result};

impl Context {
    /// What a person chose, within what the organization set.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn settings(&self) -> Result<Settings> {
        let mut settings = self.store.settings().await?;
        let language: Option<Language> = self.policy.mandatory("language");
        settings.language = language
            .or(settings.language)
            .or_else(|| self.policy.value("language"));
        let managed: Retention = self.policy.value("retentionDays").unwrap_or_default();
        let fixed: Option<Retention> = self.policy.mandatory("retentionDays");
        let fixed = fixed.unwrap_or_default();
        // Over a person's own time only a mandatory longest one counts.
        let max = settings.retention_days.map_or(managed.max, |_| fixed.max);
        settings.retention_days = fixed.value.or(settings.retention_days).or(managed.value);
        if let Some(max) = max {
            let days = settings.retention_days.unwrap_or(USUAL_RETENTION_DAYS);
            settings.retention_days = Some(days.min(max));
        }
        Ok(settings)
    }

    /// Replaces the settings.
    ///
    /// # Errors
    /// [`Error::Input`] for a retention of 0 days or more than [`LONGEST_RETENTION_DAYS`];
    /// [`Error::Managed`] for what the organization set; [`Error::InUse`]; [`Error::Store`].
    pub async fn settings_change(&self, mut settings: Settings) -> Result<()> {
        self.writable()?;
        let refused = |problem| Err(Error::input(Field::RetentionDays, problem));
        match settings.retention_days {
            Some(0) => return refused(Problem::TooSmall),
            Some(days) if days > LONGEST_RETENTION_DAYS => return refused(Problem::TooLarge),
            Some(_) | None => {}
        }
        let (shown, kept) = (self.settings().await?, self.store.settings().await?);
        if settings.language == shown.language {
            // Only what a person changes is a person's.
            settings.language = kept.language;
        } else if self.policy.mandatory::<Language>("language").is_some() {
            return Err(Error::Managed("language"));
        }
        if settings.retention_days == shown.retention_days {
            settings.retention_days = kept.retention_days;
        } else if let Some(managed) = self.policy.mandatory::<Retention>("retentionDays") {
            let days = settings.retention_days.unwrap_or(USUAL_RETENTION_DAYS);
            if managed.value.is_some() || managed.max.is_some_and(|max| days > max) {
                return Err(Error::Managed("retentionDays"));
            }
        }
        Ok(self.store.keep_settings(settings).await?)
    }
}
