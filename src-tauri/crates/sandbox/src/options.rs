//! The options of a sandbox, and the errors at its start.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::Arc,
};

use crate::cipher::Cipher;
#[cfg(feature = "faults")]
use crate::faults::Personality;

/// How to start a sandbox. The default listens on a free loopback port, stores its data in memory, and generates
/// a token.
#[derive(Clone)]
pub struct Options {
    /// Address to listen on; must be a loopback address. Port 0 takes a free one.
    pub addr: SocketAddr,
    pub database: Database,
    /// The access token to require. `None`: a token that is generated with the database and stored in it.
    pub token: Option<String>,
    /// How the service behaves where the specification is silent, and what goes wrong.
    #[cfg(feature = "faults")]
    pub personality: Personality,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            addr: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            database: Database::Memory,
            token: None,
            #[cfg(feature = "faults")]
            personality: Personality::default(),
        }
    }
}

/// Where the sandbox stores its data.
#[derive(Clone, Debug)]
pub enum Database {
    /// In memory, until the sandbox stops.
    Memory,
    /// In a SQLite file, created and seeded when it does not exist. Its folder must exist.
    File(PathBuf),
    /// In such a file, with customer data encrypted. Rows the cipher cannot decrypt do not exist for the
    /// service, and are deleted when the cipher is persistent.
    Encrypted(PathBuf, Arc<dyn Cipher>),
}

#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address may be reachable from other machines.
    #[error(
        "the sandbox is for practice and listens on loopback addresses only, such as 127.0.0.1; {0} is not one"
    )]
    NotLoopback(SocketAddr),
    #[error("the sandbox could not listen on {addr}: {source}")]
    Listen { addr: SocketAddr, source: io::Error },
    #[error("the sandbox's file could not be made: {0}")]
    File(#[source] io::Error),
    #[error("the sandbox's database could not be opened: {0}")]
    Database(#[from] rusqlite::Error),
    #[error("the sandbox's database could not be brought up to date: {0}")]
    Migration(#[from] rusqlite_migration::Error),
    #[error("preparing the sandbox's database was interrupted")]
    Interrupted,
}
