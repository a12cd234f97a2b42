//! `wdesk manual`: the manual pages and shell completions, made from the definitions of the commands.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory as _};
use clap_complete::{Shell, generate_to};

use crate::args::Args;
use crate::exit::Exit;
use crate::failure::Failure;

/// Writes them into folders `man1` and `completions` of a folder, which are made when missing. Files of
/// the same name are written over.
///
/// # Errors
/// [`Failure::Write`] when a folder or a file cannot be written.
pub fn run(folder: &Path) -> Result<Exit, Failure> {
    write(folder).map_err(|source| Failure::Write {
        path: folder.to_owned(),
        source,
    })?;
    Ok(Exit::Done)
}

fn write(folder: &Path) -> io::Result<()> {
    let pages = made(folder, "man1")?;
    clap_mangen::generate_to(command(), &pages)?;
    let completions = made(folder, "completions")?;
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell] {
        generate_to(shell, &mut command(), "wdesk", &completions)?;
    }
    Ok(())
}

/// The commands without `help`, which has no page of its own.
fn command() -> Command {
    Args::command().disable_help_subcommand(true)
}

fn made(folder: &Path, name: &str) -> io::Result<PathBuf> {
    let made = folder.join(name);
    fs::create_dir_all(&made)?;
    Ok(made)
}
