//! Permissions of files that only their owner may read: database, keys, backups, settings with
//! secrets.

use crate::process::{cli_error::CliError, config::Config};
use std::{
    ffi::OsStr,
    fs::{DirBuilder, File, OpenOptions},
    io,
    path::{Path, PathBuf},
};

/// Sets the umask: new files of this process are readable and writable by the owner only.
pub fn restrict_new_files() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
}

/// Creates a file that only its owner can read. Fails if the file exists.
pub fn create_new(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path)
}

/// Creates a folder that only its owner can read, and its parents.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(path)
}

/// Creates the data folder (accessible by its owner only) and checks that it is writable.
pub fn prepare_folder(path: &Path) -> Result<(), CliError> {
    let wrong = |why: io::Error| CliError::DataFolder { path: path.to_path_buf(), why };
    if !path.is_dir() {
        std::fs::create_dir_all(path).map_err(wrong)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700)).map_err(wrong)?;
        }
    }
    // A unique name: two processes that start at once must not remove each other's file.
    let probe = path.join(format!(".presstime-probe-{}", uuid::Uuid::now_v7().simple()));
    std::fs::write(&probe, b"").and_then(|()| std::fs::remove_file(&probe)).map_err(wrong)
}

/// Removes the permissions of group and others from existing data files. Files of another owner are
/// left unchanged; `presstime doctor` lists them.
pub fn restrict_data_files(config: &Config) {
    for file in open_to_others(&data_files(config)) {
        if let Err(why) = restrict(&file) {
            tracing::warn!(
                "other users of this machine may read {}: {why}; run chmod 600 on it",
                file.display()
            );
        }
    }
}

/// Data files with secrets or unpublished texts, sorted by name: database, write-ahead log, keys,
/// and the backups in the data folder.
#[must_use]
pub fn data_files(config: &Config) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(&config.data)
        .map(|entries| {
            entries.flatten().filter(|entry| is_data(&entry.file_name())).map(|entry| entry.path())
        })
        .map(Iterator::collect)
        .unwrap_or_default();
    let database = store::db_identity::file_of(&config.database()).filter(|file| !files.contains(file));
    if let Some(file) = database {
        files.extend(["", "-wal", "-shm"].map(|ending| with_ending(&file, ending)));
    }
    files.sort();
    files
}

fn is_data(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name == "reached"
        || name.starts_with("presstime.db")
        || name.starts_with("secret.key")
        || name.ends_with(".backup")
        || name.ends_with(".backup.part")
}

fn with_ending(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Returns those of the files that group or others may access. Missing files are ignored.
#[must_use]
pub fn open_to_others(files: &[PathBuf]) -> Vec<PathBuf> {
    files.iter().filter(|file| is_open_to_others(file)).cloned().collect()
}

/// A file of root that a group may read is as its administrator wants it: a package installs the
/// settings for the group of the service.
#[cfg(unix)]
fn is_open_to_others(file: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    file.metadata().is_ok_and(|data| {
        let is_for_group = data.uid() == 0 && data.gid() != 0;
        data.is_file() && data.mode() & if is_for_group { 0o037 } else { 0o077 } != 0
    })
}

#[cfg(not(unix))]
fn is_open_to_others(_file: &Path) -> bool {
    false
}

/// Whether other users of this machine may create and replace files in a folder.
#[cfg(unix)]
#[must_use]
pub fn is_writable_by_others(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    folder.metadata().is_ok_and(|data| data.mode() & 0o022 != 0)
}

/// Whether other users of this machine may create and replace files in a folder.
#[cfg(not(unix))]
#[must_use]
pub fn is_writable_by_others(_folder: &Path) -> bool {
    false
}

#[cfg(unix)]
fn restrict(file: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
fn restrict(_file: &Path) -> io::Result<()> {
    Ok(())
}
