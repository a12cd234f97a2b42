//! Opening the desk for one command: to change, or to read beside the window.
//!
//! Owns who may have the data folder and where a practice profile finds its service.

use std::path::PathBuf;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use warranty_core::api::{BaseUrl, StoreId, Token};
use warranty_core::contracts::EntryFilter;
use warranty_core::encryption::PracticeSeal;
use warranty_core::leads::LeadState;
use warranty_core::outbox::SubmissionState;
use warranty_core::profile::{Profile, ProfileKind};
use warranty_core::vault::KeychainVault;
use warranty_core::{Desk, DeskOptions, Error, PracticeService};
use warranty_sandbox::{Cipher, Database, Options, Sandbox, delete_before};

use crate::failure::Failure;
use crate::output::{Output, say};

/// Name of the practice service's file in the data folder; the window uses the same.
const PRACTICE_FILE: &str = "practice.db";

/// What every command is given.
#[derive(Debug)]
pub struct Context {
    data_dir: Option<PathBuf>,
    profile: Option<String>,
    /// Where results go.
    pub output: Output,
}

/// An open desk.
#[derive(Debug)]
pub struct Session {
    /// The desk.
    pub desk: Desk,
    /// Whether another process has the data folder, so that nothing can be changed here.
    pub read_only: bool,
    data_dir: PathBuf,
}

impl Context {
    /// A context from the options that every command takes.
    #[must_use]
    pub fn new(data_dir: Option<PathBuf>, profile: Option<String>, output: Output) -> Self {
        Self {
            data_dir,
            profile,
            output,
        }
    }

    /// Does work that changes the desk's files or asks the service to change something.
    ///
    /// # Errors
    /// [`Error::InUse`] when another process has the folder; the work's own.
    pub async fn changing<T>(
        &self,
        work: impl AsyncFnOnce(&Session) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let session = self.to_change(self.options()?).await?;
        session.carry_out(work).await
    }

    /// Does work that only looks at what is here, without taking the folder from those who change
    /// it.
    ///
    /// # Errors
    /// [`Error::Store`] when the folder cannot be read; the work's own.
    pub async fn reading<T>(
        &self,
        work: impl AsyncFnOnce(&Session) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let session = self.to_read(self.options()?).await?;
        session.carry_out(work).await
    }

    /// Does work that asks the service and keeps nothing of the answer. The folder is taken only
    /// where the practice service has to run here for it.
    ///
    /// # Errors
    /// As [`Context::reading`].
    pub async fn asking<T>(
        &self,
        work: impl AsyncFnOnce(&Session) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let session = self.to_read(self.options()?).await?;
        if session.profile().await?.kind == ProfileKind::Live {
            return session.carry_out(work).await;
        }
        session.desk.close().await;
        self.remembering(work).await
    }

    /// Does work that asks the service and remembers the answer; beside the window, which has the
    /// folder, it remembers nothing.
    ///
    /// # Errors
    /// As [`Context::reading`].
    pub async fn remembering<T>(
        &self,
        work: impl AsyncFnOnce(&Session) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let options = self.options()?;
        let session = match self.to_change(options.clone()).await {
            Err(Failure::Desk(Error::InUse)) => self.to_read(options).await?,
            other => other?,
        };
        session.carry_out(work).await
    }

    async fn to_change(&self, options: DeskOptions) -> Result<Session, Failure> {
        let session = Session {
            data_dir: options.data_dir.clone(),
            desk: Desk::open(options).await?,
            read_only: false,
        };
        session.forget_old_practice().await?;
        Ok(session)
    }

    async fn to_read(&self, options: DeskOptions) -> Result<Session, Failure> {
        let mut desk = Desk::open_to_read(options.clone()).await?;
        if has_something_on_its_way(&desk).await? {
            // With nobody working on the folder, a process has died over it: opening it to change
            // says of all that was on its way that nobody knows. Not while this process has the
            // file open: closing it once gives up SQLite's locks on it altogether.
            desk.close().await;
            match Desk::open(options.clone()).await {
                Ok(recovered) => recovered.close().await,
                Err(Error::InUse) => {}
                Err(error) => return Err(error.into()),
            }
            desk = Desk::open_to_read(options.clone()).await?;
        }
        Ok(Session {
            desk,
            read_only: true,
            data_dir: options.data_dir,
        })
    }

    fn options(&self) -> Result<DeskOptions, Failure> {
        let data_dir = match &self.data_dir {
            Some(folder) => folder.clone(),
            None => warranty_core::data_dir::default_data_dir().ok_or(Failure::NoDataDir)?,
        };
        let mut options = DeskOptions::new(data_dir, Arc::new(KeychainVault::new()));
        options.profile.clone_from(&self.profile);
        Ok(options)
    }
}

impl Session {
    async fn carry_out<T>(
        self,
        work: impl AsyncFnOnce(&Session) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let result = work(&self).await;
        // Closing waits for the answers on their way; what they say is then for the next start.
        if !matches!(result, Err(Failure::Interrupted)) {
            self.desk.close().await;
        }
        result
    }

    /// Deletes practice data whose time is over, whatever profile is in use.
    async fn forget_old_practice(&self) -> Result<(), Failure> {
        if let Some(before) = self.desk.retention_cutoff().await? {
            forget_practice(self.data_dir.join(PRACTICE_FILE), before).await;
        }
        Ok(())
    }

    /// The profile this command works under.
    ///
    /// # Errors
    /// [`Error::NoProfile`] when none is chosen.
    pub async fn profile(&self) -> Result<Profile, Failure> {
        Ok(self.desk.current_profile().await?.ok_or(Error::NoProfile)?)
    }

    /// Does work that talks to the service. A practice profile gets its service for as long as the
    /// work takes, over the same file the window uses; beside the window it has none here.
    ///
    /// # Errors
    /// [`Failure::Sandbox`] when the practice service does not start; the work's own.
    pub async fn with_service<T>(
        &self,
        work: impl AsyncFnOnce(&Desk) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let practises = self.profile().await?.kind == ProfileKind::Practice;
        if !practises || self.read_only {
            return work(&self.desk).await;
        }
        say("This profile practises: sample data, nothing is really sold.");
        let cipher = Arc::new(PracticeCipher(self.desk.practice_seal().await?));
        let sandbox = Sandbox::start(Options {
            database: Database::Encrypted(self.data_dir.join(PRACTICE_FILE), cipher),
            ..Options::default()
        })
        .await
        .map_err(Failure::Sandbox)?;
        let practice = address_of(&sandbox).ok_or(Failure::Practice)?;
        self.desk.attach_practice(practice);
        let result = work(&self.desk).await;
        sandbox.stop().await;
        result
    }
}

/// Deletes what a practice service's file holds from before a moment.
pub async fn forget_practice(file: PathBuf, before: DateTime<Utc>) {
    if let Err(error) = delete_before(file.clone(), before).await {
        say(format!(
            "Old practice data could not be deleted now: {error}. It is tried again; if this stays, \
             delete {}.",
            file.display()
        ));
    }
}

/// Encrypts the practice service's file with the desk's key, because staff may type real customers while
/// practising.
#[derive(Debug)]
struct PracticeCipher(PracticeSeal);

impl Cipher for PracticeCipher {
    fn encrypt(&self, plaintext: &[u8]) -> Option<Vec<u8>> {
        self.0.seal(plaintext)
    }
    fn decrypt(&self, ciphertext: &[u8]) -> Option<Vec<u8>> {
        self.0.open(ciphertext)
    }
    fn is_persistent(&self) -> bool {
        self.0.is_kept()
    }
}

/// Whether something of the profile is being sent, as far as the folder tells.
async fn has_something_on_its_way(desk: &Desk) -> Result<bool, Failure> {
    let in_flight = EntryFilter {
        possible_duplicates: false,
        states: vec![SubmissionState::InFlight],
        text: String::new(),
        limit: 1,
    };
    let found = async {
        let contracts = desk.submissions(&in_flight).await?;
        let leads = desk.leads(u32::MAX).await?;
        Ok(!contracts.is_empty() || leads.iter().any(|lead| lead.state == LeadState::InFlight))
    };
    match found.await {
        // Without a profile there is nothing to look at; what was asked for will say so.
        Err(Error::NoProfile | Error::UnknownProfile(_)) => Ok(false),
        other => Ok(other?),
    }
}

fn address_of(sandbox: &Sandbox) -> Option<PracticeService> {
    Some(PracticeService {
        base_url: BaseUrl::parse(&sandbox.base_url()).ok()?,
        token: Token::new(sandbox.token()).ok()?,
        store_id: StoreId::new(sandbox.store_id()).ok()?,
    })
}
