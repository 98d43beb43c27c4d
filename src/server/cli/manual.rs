//! `manual`: writes the manual pages and the completions of shells, made from the command line's own
//! definitions. Packages contain them.

use super::CommandLine;
use crate::process::cli_error::CliError;
use clap::{Args, CommandFactory as _};
use clap_complete::Shell;
use std::{fs, io, path::PathBuf};

/// Flags of `manual`.
#[derive(Debug, Args)]
pub struct Manual {
    /// The folder to write to; created if missing
    dir: PathBuf,
}

/// Writes a page for each command, and completions for bash, zsh and fish.
pub fn run(flags: &Manual) -> Result<(), CliError> {
    let dir = &flags.dir;
    let wrong = |why: io::Error| CliError::Failed(format!("{} cannot be written: {why}", dir.display()));
    fs::create_dir_all(dir).map_err(wrong)?;
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
        clap_complete::generate_to(shell, &mut CommandLine::command(), "presstime", dir).map_err(wrong)?;
    }
    clap_mangen::generate_to(CommandLine::command(), dir).map_err(wrong)
}
