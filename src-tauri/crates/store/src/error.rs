//! What can go wrong with the desk's own files.

use std::path::PathBuf;

use thiserror::Error;

/// The desk's own files could not do what was asked.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The data folder cannot be made or written.
    #[error("the data folder cannot be used: {0}")]
    Folder(#[from] std::io::Error),
    /// The data folder is on a disk of another computer: locks do not hold there.
    #[error("the data folder is on a network drive")]
    OnNetwork,
    #[error("{} belongs to another user of this computer", .0.display())]
    NotOwned(PathBuf),
    #[error("{} is a link to another place, or its file has another name besides", .0.display())]
    Link(PathBuf),
    /// The disk is full: nothing was kept and so nothing is sent.
    #[error("the disk is full")]
    Full,
    #[error("the database cannot be written")]
    ReadOnly,
    #[error("the database is damaged")]
    Damaged,
    #[error("the database was made by a newer version of Warranty Desk")]
    Newer,
    /// Any other answer of SQLite, with its own words for the log.
    #[error("the database answered: {0}")]
    Sqlite(String),
    #[error("the desk is closing")]
    Closed,
}
