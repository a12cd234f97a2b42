//! Opening the desk for one command: to change, or to read beside the window.
//!
//! Owns who may have the data folder and where a practice profile finds its service.

use std::path::PathBuf;
use std::sync::Arc;

use warranty_core::api::{BaseUrl, StoreId, Token};
use warranty_core::profile::{Profile, ProfileKind};
use warranty_core::vault::KeychainVault;
use warranty_core::{Desk, DeskOptions, Error, PracticeService};
use warranty_sandbox::{Database, Options, Sandbox};

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
        let options = self.options()?;
        let data_dir = options.data_dir.clone();
        let session = Session {
            desk: Desk::open(options).await?,
            read_only: false,
            data_dir,
        };
        session.carry_out(work).await
    }

    /// Does work that only reads; beside the window it reads what the window has written.
    ///
    /// # Errors
    /// [`Error::Store`] when the folder cannot be read; the work's own.
    pub async fn reading<T>(
        &self,
        work: impl AsyncFnOnce(&Session) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let options = self.options()?;
        let data_dir = options.data_dir.clone();
        let session = match Desk::open(options.clone()).await {
            Ok(desk) => Session {
                desk,
                read_only: false,
                data_dir,
            },
            Err(Error::InUse) => Session {
                desk: Desk::open_to_read(options).await?,
                read_only: true,
                data_dir,
            },
            Err(error) => return Err(error.into()),
        };
        session.carry_out(work).await
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
        self.desk.close().await;
        result
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
        let sandbox = Sandbox::start(Options {
            database: Database::File(self.data_dir.join(PRACTICE_FILE)),
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

fn address_of(sandbox: &Sandbox) -> Option<PracticeService> {
    Some(PracticeService {
        base_url: BaseUrl::parse(&sandbox.base_url()).ok()?,
        token: Token::new(sandbox.token()).ok()?,
        store_id: StoreId::new(sandbox.store_id()).ok()?,
    })
}
