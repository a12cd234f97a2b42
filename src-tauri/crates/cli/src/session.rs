//! Opens the desk for one command: for writing, or read-only beside the window.
//!
//! Owns the access to the data folder.

use std::path::PathBuf;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::Serialize;
use warranty_core::overview::Connection;
use warranty_core::profile::{Profile, ProfileKind};
use warranty_core::vault::KeychainVault;
use warranty_core::{Desk, DeskOptions, Error};
use warranty_messages::Values;
use warranty_sandbox::delete_before;

use crate::blockers::{say_unread_report, troubles};
use crate::table::show_times_of;
use crate::{Exit, Failure, messages, output, say, text};

/// The database of the window's practice service in the data folder.
const PRACTICE_FILE: &str = "practice.db";

/// The context of a command: the global options.
#[derive(Debug)]
pub struct Context {
    pub data_dir: Option<PathBuf>,
    pub profile: Option<String>,
    pub staff: Option<String>,
    pub json: bool,
}

impl Context {
    pub fn result<T: Serialize>(
        &self,
        value: &T,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        output::result(self.json, value, text)
    }

    /// Writes the result of a command that did everything it was asked to do.
    pub fn done<T: Serialize>(
        &self,
        value: &T,
        text: impl FnOnce(&T) -> String,
    ) -> Result<Exit, Failure> {
        self.result(value, || text(value))?;
        Ok(Exit::Done)
    }

    /// Runs work that changes local data or something at the service. [`Error::InUse`] when another process
    /// uses the folder.
    pub async fn changing<T>(
        &self,
        work: impl AsyncFnOnce(&Desk) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        carry_out(self.to_change().await?, work).await
    }

    /// Runs work that only reads local data, without locking the folder.
    pub async fn reading<T>(
        &self,
        work: impl AsyncFnOnce(&Desk) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        carry_out(self.to_read().await?, work).await
    }

    /// Writes the result of work that only reads local data.
    pub async fn show<T: Serialize>(
        &self,
        work: impl AsyncFnOnce(&Desk) -> Result<T, Failure>,
        text: impl FnOnce(&T) -> String,
    ) -> Result<Exit, Failure> {
        self.reading(async |desk| self.done(&work(desk).await?, text))
            .await
    }

    /// Runs work that asks the service and caches the answer. While the window uses the folder, nothing
    /// is cached.
    pub async fn remembering<T>(
        &self,
        work: impl AsyncFnOnce(&Desk) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let desk = match self.to_change().await {
            Err(Failure::Desk(Error::InUse)) => self.to_read().await?,
            other => other?,
        };
        carry_out(desk, work).await
    }

    /// As [`Context::remembering`]; with `offline`, the work only reads what is cached.
    pub async fn looking<T>(
        &self,
        offline: bool,
        work: impl AsyncFnOnce(&Desk) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        if offline {
            return self.reading(work).await;
        }
        self.remembering(work).await
    }

    async fn to_change(&self) -> Result<Desk, Failure> {
        let options = self.options()?;
        let data_dir = options.data_dir.clone();
        let desk = Desk::open(options).await?;
        desk.staff.enter(self.staff.as_deref())?;
        // Whichever profile is selected.
        if let Some(before) = desk.encryption.retention_cutoff().await? {
            delete_practice_data(data_dir.join(PRACTICE_FILE), before).await;
        }
        Ok(desk)
    }

    async fn to_read(&self) -> Result<Desk, Failure> {
        let options = self.options()?;
        let mut desk = Desk::open_to_read(options.clone()).await?;
        if has_something_in_flight(&desk).await? {
            // If no process uses the folder, one crashed: opening it for writing marks everything in
            // flight as unknown. The read-only connection is closed first, because closing any
            // connection of this process releases all of its SQLite locks on the file.
            desk.close().await;
            match Desk::open(options.clone()).await {
                Ok(recovered) => recovered.close().await,
                Err(Error::InUse) => {}
                Err(error) => return Err(error.into()),
            }
            desk = Desk::open_to_read(options).await?;
        }
        desk.staff.enter(self.staff.as_deref())?;
        Ok(desk)
    }

    pub fn data_dir(&self) -> Result<PathBuf, Failure> {
        let given = self.data_dir.clone();
        given
            .or_else(warranty_core::data_dir::default_data_dir)
            .ok_or_else(|| Failure::unusable("noDataDir", &[]))
    }

    fn options(&self) -> Result<DeskOptions, Failure> {
        let mut options = DeskOptions::new(self.data_dir()?, Arc::new(KeychainVault::new()));
        options.profile.clone_from(&self.profile);
        Ok(options)
    }
}

async fn carry_out<T>(
    desk: Desk,
    work: impl AsyncFnOnce(&Desk) -> Result<T, Failure>,
) -> Result<T, Failure> {
    // Where it cannot be read, the work itself says why.
    if let Ok(Some(profile)) = desk.profiles.current().await {
        show_times_of(profile.zone());
    }
    let mut result = work(&desk).await;
    if let Err(Failure::Desk(error @ (Error::NoProfile | Error::UnknownProfile(_)))) = &result
        && desk
            .profiles
            .all()
            .await
            .is_ok_and(|profiles| profiles.is_empty())
        && say_unread_report(&desk).await.unwrap_or(false)
    {
        // It may have gone with the file.
        say(messages::error(error));
        result = Err(Error::RescueNotSeen.into());
    }
    if let Err(Failure::Desk(Error::SellingClosed)) = &result
        && let Ok(policy) = desk.policy().await
    {
        let closed = &policy.closed_profiles;
        for trouble in troubles(policy.is_last_good, policy.is_closed, closed) {
            say(trouble);
        }
    }
    // After the work, which may have chosen another.
    if let Ok(Some(profile)) = desk.profiles.current().await
        && profile.kind == ProfileKind::Practice
    {
        say(text("wdesk.practice.chosen", &[("name", &profile.name)]));
    }
    // Closing waits for answers in flight. After an interrupt it is skipped; the next start
    // sets their outcome to unknown.
    if !matches!(result, Err(Failure::Interrupted)) {
        // The next command is not refused too. What keeps the token away, it says.
        let _ = desk.profiles.help_if_refused().await;
        desk.close().await;
    }
    result
}

/// The profile of this command.
pub async fn profile(desk: &Desk) -> Result<Profile, Failure> {
    Ok(desk.profiles.expected().await?)
}

/// Whether the service still refuses the token. A helper may have another one; what keeps that away is
/// said at the next try.
pub async fn is_token_refused(desk: &Desk) -> bool {
    let _ = desk.profiles.help_if_refused().await;
    let overview = desk.overviews.current().await;
    overview.is_ok_and(|it| it.connection == Connection::TokenRefused)
}

/// Deletes data older than `before` from a practice database.
pub async fn delete_practice_data(file: PathBuf, before: DateTime<Utc>) {
    if let Err(error) = delete_before(file.clone(), before).await {
        let values: &Values<'_> = &[("reason", &error), ("path", &file.display())];
        say(text("wdesk.practice.notDeleted", values));
    }
}

/// Whether something is in flight in what is stored.
async fn has_something_in_flight(desk: &Desk) -> Result<bool, Failure> {
    let found =
        async { Ok(desk.outbox.any_in_flight().await? || desk.leads.any_in_flight().await?) };
    match found.await {
        // Without a profile there is nothing in flight; the command itself reports the missing profile.
        Err(Error::NoProfile | Error::SellingClosed | Error::UnknownProfile(_)) => Ok(false),
        other => Ok(other?),
    }
}
