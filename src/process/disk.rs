//! Files that are complete on the disk before they have their name, and free space.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

/// Ending of a file that is being written.
pub const PART: &str = ".part";

/// Path of the temporary file that is renamed after it is complete.
#[must_use]
pub fn part_of(file: &Path) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(PART);
    file.with_file_name(name)
}

/// Flushes a file and the names in its folder to the disk, and gives the file its name in between. Returns its size.
///
/// # Errors
/// If the system refuses one of these steps.
pub fn complete(part: &Path, file: &Path) -> io::Result<u64> {
    let open = File::open(part)?;
    open.sync_all()?;
    let bytes = open.metadata()?.len();
    fs::rename(part, file)?;
    // A name without a folder is in the current one.
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    sync_folder(folder.unwrap_or(Path::new(".")))?;
    Ok(bytes)
}

/// Makes new names in a folder survive a power cut.
///
/// # Errors
/// If the system refuses that.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

/// Returns the space on the disk of a folder that is free for this user, bytes; `None`: not known.
#[cfg(unix)]
#[must_use]
pub fn free_bytes(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}

/// Returns the space on the disk of a folder that is free for this user; `None`: not known.
#[cfg(not(unix))]
#[must_use]
pub fn free_bytes(_folder: &Path) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_gets_its_name_when_it_is_complete() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("desk.backup");
        let part = part_of(&file);
        assert_eq!(part, folder.path().join("desk.backup.part"));
        fs::write(&part, "text").expect("a file");
        assert_eq!(complete(&part, &file).expect("it is complete"), 4);
        assert!(file.is_file() && !part.exists() && free_bytes(folder.path()).is_some());
    }
}
