//! Files of the master key in the data folder of SQLite: the current one, the next one while the secrets are
//! encrypted again, and former ones, which backups of their time need.

use super::tokens;
use crate::process::{cli_error::CliError, config::Config, private};
use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

/// Path of the current key.
pub fn current(config: &Config) -> PathBuf {
    config.data.join("secret.key")
}

/// Path of the key that is current once the secrets are encrypted with it.
fn next(config: &Config) -> PathBuf {
    config.data.join("secret.key.next")
}

/// First path without a file for a former key.
fn former(config: &Config) -> PathBuf {
    let path = |number: u32| config.data.join(format!("secret.key.former-{number}"));
    (1..u32::MAX).map(path).find(|path| !path.exists()).unwrap_or_else(|| path(u32::MAX))
}

/// Writes the next key, and returns its text. One that was never used is replaced.
pub fn write_next(config: &Config) -> Result<String, CliError> {
    let path = next(config);
    let wrong = |why| CliError::DataFolder { path: path.clone(), why };
    if let Err(why) = fs::remove_file(&path)
        && why.kind() != io::ErrorKind::NotFound
    {
        return Err(wrong(why));
    }
    let text = tokens::generate_secret();
    write_new(&path, &text).map_err(wrong)?;
    Ok(text)
}

/// Makes the next key the current one if `is_used` says so of its text. Keeps the former file under another
/// name, which it returns; `None`: there is none.
pub fn settle(config: &Config, is_used: impl Fn(&str) -> bool) -> Result<Option<PathBuf>, CliError> {
    if config.is_postgres() {
        return Ok(None);
    }
    let (path, file) = (next(config), current(config));
    let wrong = |why| CliError::DataFolder { path: path.clone(), why };
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(why) => return Err(wrong(why)),
    };
    if !is_used(&text) {
        return Ok(None);
    }
    let former = former(config);
    let has_former = file.exists();
    if has_former {
        fs::rename(&file, &former).map_err(wrong)?;
    }
    fs::rename(&path, &file).map_err(wrong)?;
    Ok(has_former.then_some(former))
}

/// Writes a new key that only its owner can read. If another process was first, reads that key.
pub fn create(path: &Path) -> std::io::Result<String> {
    let text = tokens::generate_secret();
    // Written under a temporary name first, so that a process that starts at the same time does not
    // read half a key.
    let new = path.with_extension(format!("new-{}", uuid::Uuid::now_v7().simple()));
    write_new(&new, &text)?;
    let linked = std::fs::hard_link(&new, path);
    std::fs::remove_file(&new)?;
    match linked {
        Ok(()) => Ok(text),
        Err(why) if why.kind() == std::io::ErrorKind::AlreadyExists => std::fs::read_to_string(path),
        // The file system has no hard links.
        Err(_) => write_new(path, &text).map(|()| text),
    }
}

/// Creates a file that only its owner can read. Fails if the file exists.
fn write_new(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = private::create_new(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
