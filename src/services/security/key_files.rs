//! Files of the master key in the data folder of SQLite: the current one, the next one while the secrets are
//! encrypted again, and former ones, which backups of their time need.

use super::tokens;
use crate::process::{cli_error::CliError, config::Config, disk, private};
use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

/// Beginning of the names of former keys; a number follows.
const FORMER: &str = "secret.key.former-";

/// Path of the current key.
pub fn current(config: &Config) -> PathBuf {
    config.data.join("secret.key")
}

/// Path of the key that is current once the secrets are encrypted with it.
fn next(config: &Config) -> PathBuf {
    config.data.join("secret.key.next")
}

/// Path of the former key with this number.
fn former(config: &Config, number: u32) -> PathBuf {
    config.data.join(format!("{FORMER}{number}"))
}

/// Text of the next key; `None`: there is none.
pub fn next_text(config: &Config) -> Result<Option<String>, CliError> {
    let path = next(config);
    match fs::read_to_string(&path) {
        _ if config.is_postgres() => Ok(None),
        Ok(text) => Ok(Some(text)),
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(why) => Err(CliError::DataFolder { path, why }),
    }
}

/// Paths of the former keys by their numbers. Those before may have been deleted.
fn formers(config: &Config) -> io::Result<BTreeMap<u32, PathBuf>> {
    let entries = match fs::read_dir(&config.data) {
        Ok(entries) => entries,
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(why) => return Err(why),
    };
    let mut formers = BTreeMap::new();
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        let number: Option<u32> = name.to_str().and_then(|name| name.strip_prefix(FORMER)?.parse().ok());
        formers.extend(number.map(|number| (number, entry.path())));
    }
    Ok(formers)
}

/// Copies a key to a file for a former one, unless there is such a copy. `None`: there is no such key.
fn keep(config: &Config, key: &Path) -> io::Result<Option<PathBuf>> {
    let text = match fs::read_to_string(key) {
        Ok(text) => text,
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(why) => return Err(why),
    };
    for number in 1..u32::MAX {
        let path = former(config, number);
        match write_new(&path, &text) {
            Ok(()) => return Ok(Some(path)),
            Err(why) if why.kind() != io::ErrorKind::AlreadyExists => return Err(why),
            Err(_) if fs::read_to_string(&path)? == text => return Ok(Some(path)),
            Err(_) => {}
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Writes a new next key, and returns its text.
pub fn write_next(config: &Config) -> Result<String, CliError> {
    let text = tokens::generate_secret();
    replace_next(config, &text).map_err(|why| CliError::DataFolder { path: next(config), why })?;
    Ok(text)
}

/// Makes this text the next key. One that is there is kept as a former key: a database that was moved aside may be
/// encrypted with it, because its rotation was killed.
fn replace_next(config: &Config, text: &str) -> io::Result<()> {
    let path = next(config);
    if keep(config, &path)?.is_some() {
        fs::remove_file(&path)?;
    }
    write_new(&path, text)?;
    // The database must not be encrypted with a key whose name is lost in a power cut.
    disk::sync_folder(&config.data)
}

/// Makes a former key the next one if `fits` says so of its text: it becomes the current one at the next
/// start on a database that is encrypted with it. Returns its path; `None`: none fits.
pub fn adopt_former(config: &Config, fits: impl Fn(&str) -> bool) -> Result<Option<PathBuf>, CliError> {
    let wrong = |path: &Path, why: io::Error| CliError::DataFolder { path: path.to_owned(), why };
    for file in formers(config).map_err(|why| wrong(&config.data, why))?.into_values() {
        let text = fs::read_to_string(&file).map_err(|why| wrong(&file, why))?;
        if fits(&text) {
            replace_next(config, &text).map_err(|why| wrong(&next(config), why))?;
            return Ok(Some(file));
        }
    }
    Ok(None)
}

/// Makes the next key the current one if `is_used` says so of its text. Keeps the former one in a file, whose
/// path it returns; `None`: there is none. There is a current key at every moment, and no file with another
/// key is overwritten: it may end at any time, and two processes may do it at once.
pub fn settle(config: &Config, is_used: impl Fn(&str) -> bool) -> Result<Option<PathBuf>, CliError> {
    if !next_text(config)?.is_some_and(|text| is_used(&text)) {
        return Ok(None);
    }
    let path = next(config);
    let wrong = |why| CliError::DataFolder { path: path.clone(), why };
    let former = keep(config, &current(config)).map_err(wrong)?;
    match fs::rename(&path, current(config)) {
        // Another process did it.
        Err(why) if why.kind() == io::ErrorKind::NotFound => {}
        renamed => renamed.map_err(wrong)?,
    }
    disk::sync_folder(&config.data).map_err(wrong)?;
    Ok(former)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_former_key_is_lost_when_files_are_renamed_twice_or_by_two_processes() {
        let folder = tempfile::tempdir().expect("a folder");
        let config = Config::new(folder.path());
        let path = |name: &str| folder.path().join(name);
        fs::write(current(&config), "second").expect("a file");
        fs::write(path("secret.key.former-1"), "first").expect("a file");
        let third = write_next(&config).expect("a key");
        assert_eq!(settle(&config, |_| false).expect("nothing is done"), None);
        // Another process, or one that ended, was here: the copy is not written again.
        let kept = path("secret.key.former-2");
        assert_eq!(keep(&config, &current(&config)).expect("a copy"), Some(kept.clone()));
        assert_eq!(settle(&config, |text| text == third).expect("it is renamed"), Some(kept));
        assert_eq!(settle(&config, |text| text == third).expect("nothing is left"), None);
        let texts = ["secret.key", "secret.key.former-1", "secret.key.former-2"]
            .map(|name| fs::read_to_string(path(name)).expect("a file"));
        assert_eq!(texts, [third, "first".to_owned(), "second".to_owned()]);
        assert!(!next(&config).exists() && !path("secret.key.former-3").exists());
    }

    #[test]
    fn a_former_key_is_found_after_older_ones_were_deleted_and_replaces_no_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let config = Config::new(folder.path());
        let path = |name: &str| folder.path().join(name);
        let killed = write_next(&config).expect("a key");
        for (name, text) in [
            ("secret.key", "fourth"),
            ("secret.key.former-2", "second"),
            ("secret.key.former-10", "third"),
            ("secret.key.former-old", "of an administrator"),
        ] {
            fs::write(path(name), text).expect("a file");
        }
        assert_eq!(adopt_former(&config, |text| text == "first").expect("none fits"), None);
        assert_eq!(next_text(&config).expect("it is read"), Some(killed.clone()));
        let adopted = adopt_former(&config, |text| text == "third").expect("one fits");
        assert_eq!(adopted, Some(path("secret.key.former-10")));
        assert_eq!(next_text(&config).expect("it is read").as_deref(), Some("third"));
        let kept = fs::read_to_string(path("secret.key.former-1")).expect("the next key from before");
        assert_eq!(kept, killed, "a database may be encrypted with it");
    }
}
