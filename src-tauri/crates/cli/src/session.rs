//! Opens the desk for one command: for writing, or read-only beside the window.
//!
//! Owns the access to the data folder and the practice service of a practice profile.

use std::path::PathBuf;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::Serialize;
use warranty_core::encryption::PracticeEncryption;
use warranty_core::overview::Connection;
use warranty_core::profile::{Profile, ProfileKind};
use warranty_core::vault::KeychainVault;
use warranty_core::{Desk, DeskOptions, Error, PracticeService};
use warranty_messages::Values;
use warranty_sandbox::{Cipher, Database, Options, Sandbox, delete_before};

use crate::table::show_times_of;
use crate::{Exit, Failure, output, say, text};

/// The practice service's database in the data folder; the window uses the same file.
const PRACTICE_FILE: &str = "practice.db";

/// The context of a command: the global options.
#[derive(Debug)]
pub struct Context {
    pub data_dir: Option<PathBuf>,
    pub profile: Option<String>,
    pub staff: Option<String>,
    pub json: bool,
}

#[derive(Debug)]
pub struct Session {
    pub desk: Desk,
    data_dir: PathBuf,
    read_only: bool,
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

    /// Runs work that changes local data. [`Error::InUse`] when another process uses the folder.
    pub async fn changing<T>(
        &self,
        work: impl AsyncFnOnce(&Desk) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let on_desk = async |session: &Session| work(&session.desk).await;
        self.to_change().await?.carry_out(on_desk).await
    }

    /// Runs work that changes something at the service, as [`Context::changing`] and
    /// [`Session::with_service`].
    pub async fn sending<T>(
        &self,
        work: impl AsyncFnOnce(&Desk) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let with_service = async |session: &Session| session.with_service(work).await;
        self.to_change().await?.carry_out(with_service).await
    }

    /// Runs work that only reads local data, without locking the folder.
    pub async fn reading<T>(
        &self,
        work: impl AsyncFnOnce(&Desk) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let on_desk = async |session: &Session| work(&session.desk).await;
        self.to_read().await?.carry_out(on_desk).await
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
        work: impl AsyncFnOnce(&Session) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let session = match self.to_change().await {
            Err(Failure::Desk(Error::InUse)) => self.to_read().await?,
            other => other?,
        };
        session.carry_out(work).await
    }

    /// As [`Context::remembering`]; with `offline`, the work only reads what is cached.
    pub async fn looking<T>(
        &self,
        offline: bool,
        work: impl AsyncFnOnce(&Session) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        if offline {
            let session = self.to_read().await?;
            return session.carry_out(work).await;
        }
        self.remembering(work).await
    }

    async fn to_change(&self) -> Result<Session, Failure> {
        let options = self.options()?;
        let data_dir = options.data_dir.clone();
        let desk = Desk::open(options).await?;
        desk.staff.enter(self.staff.as_deref())?;
        // Whichever profile is selected.
        if let Some(before) = desk.encryption.retention_cutoff().await? {
            delete_practice_data(data_dir.join(PRACTICE_FILE), before).await;
        }
        Ok(Session {
            desk,
            data_dir,
            read_only: false,
        })
    }

    async fn to_read(&self) -> Result<Session, Failure> {
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
            desk = Desk::open_to_read(options.clone()).await?;
        }
        desk.staff.enter(self.staff.as_deref())?;
        Ok(Session {
            desk,
            data_dir: options.data_dir,
            read_only: true,
        })
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

impl Session {
    async fn carry_out<T>(
        self,
        work: impl AsyncFnOnce(&Session) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        // Where it cannot be read, the work itself says why.
        if let Ok(Some(profile)) = self.desk.profiles.current().await {
            show_times_of(profile.zone());
        }
        let result = work(&self).await;
        // Closing waits for answers in flight. After an interrupt it is skipped; the next start
        // sets their outcome to unknown.
        if !matches!(result, Err(Failure::Interrupted)) {
            // The next command is not refused too. What keeps the token away, it says.
            let _ = self.desk.profiles.help_if_refused().await;
            self.desk.close().await;
        }
        result
    }

    /// Runs work that uses the service. For a practice profile the practice service runs in this process
    /// for the duration of the work, except beside the window, which runs it.
    pub async fn with_service<T>(
        &self,
        work: impl AsyncFnOnce(&Desk) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let is_practice = profile(&self.desk).await?.kind == ProfileKind::Practice;
        if !is_practice || self.read_only {
            return work(&self.desk).await;
        }
        say(text("wdesk.practice.inUse", &[]));
        let cipher = Arc::new(PracticeCipher(self.desk.encryption.for_practice().await?));
        let sandbox = Sandbox::start(Options {
            database: Database::Encrypted(self.data_dir.join(PRACTICE_FILE), cipher),
            ..Options::default()
        })
        .await
        .map_err(Failure::because("sandbox"))?;
        let practice =
            PracticeService::at(&sandbox.base_url(), sandbox.token(), sandbox.store_id());
        let practice =
            practice.ok_or_else(|| Failure::own(Exit::Unusable, "sandbox", "practice", &[]))?;
        self.desk.attach_practice(practice);
        let result = work(&self.desk).await;
        sandbox.stop().await;
        result
    }
}

/// The profile of this command; [`Error::NoProfile`] when none is selected.
pub async fn profile(desk: &Desk) -> Result<Profile, Failure> {
    Ok(desk.profiles.current().await?.ok_or(Error::NoProfile)?)
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

/// Encrypts the practice database with the desk's key, because people type real customers while
/// practising too.
#[derive(Debug)]
struct PracticeCipher(PracticeEncryption);

impl Cipher for PracticeCipher {
    fn encrypt(&self, plaintext: &[u8]) -> Option<Vec<u8>> {
        self.0.encrypt(plaintext)
    }
    fn decrypt(&self, ciphertext: &[u8]) -> Option<Vec<u8>> {
        self.0.decrypt(ciphertext)
    }
    fn is_persistent(&self) -> bool {
        self.0.is_persistent()
    }
}

/// Whether something is in flight in what is stored.
async fn has_something_in_flight(desk: &Desk) -> Result<bool, Failure> {
    let found =
        async { Ok(desk.outbox.any_in_flight().await? || desk.leads.any_in_flight().await?) };
    match found.await {
        // Without a profile there is nothing in flight; the command itself reports the missing profile.
        Err(Error::NoProfile | Error::UnknownProfile(_)) => Ok(false),
        other => Ok(other?),
    }
}
