//! `wdesk manual`: the manual pages and shell completions, made from the definitions of the commands.

use std::fs;
use std::io;
use std::path::Path;

use clap::{Command, CommandFactory as _};
use clap_complete::{Shell, generate_to};
use serde_json::json;

use crate::args::Args;
use crate::{Context, Exit, Failure, text};

/// Writes them into folders `man1` and `completions` of a folder, which are made when missing. Files of
/// the same name are written over.
pub fn run(context: &Context, folder: &Path) -> Result<Exit, Failure> {
    write(folder).map_err(Failure::write(folder))?;
    let path = folder.display().to_string();
    context.done(&json!({ "folder": path }), |_| {
        text("wdesk.manual", &[("path", &path)]) + "\n"
    })
}

fn write(folder: &Path) -> io::Result<()> {
    let (pages, completions) = (folder.join("man1"), folder.join("completions"));
    fs::create_dir_all(&pages)?;
    fs::create_dir_all(&completions)?;
    clap_mangen::generate_to(command(), &pages)?;
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell] {
        generate_to(shell, &mut command(), "wdesk", &completions)?;
    }
    Ok(())
}

/// The commands without `help`, which has no page of its own.
fn command() -> Command {
    Args::command().disable_help_subcommand(true)
}
