//! The uploaded exports in the data folder: `imports/ID`, readable by their owner only.

use crate::process::private;
use domain::ImportId;
use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// The folder of the files. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ImportFolder {
    root: PathBuf,
}

impl ImportFolder {
    /// The folder inside of this data folder.
    #[must_use]
    pub fn in_data(data: &Path) -> Self {
        Self { root: data.join("imports") }
    }

    /// Path of a file.
    #[must_use]
    pub fn file(&self, id: ImportId) -> PathBuf {
        self.root.join(id.to_string())
    }

    /// Path of the folder into which an archive is unpacked while it is checked or imported.
    #[must_use]
    pub fn unpacked(&self, id: ImportId) -> PathBuf {
        self.root.join(format!("{id}-unpacked"))
    }

    /// Whether a file exists.
    #[must_use]
    pub fn has(&self, id: ImportId) -> bool {
        self.file(id).is_file()
    }

    /// Creates a file.
    pub fn create(&self, id: ImportId) -> io::Result<File> {
        if !self.root.is_dir() {
            private::create_folder(&self.root)?;
        }
        private::create_new(&self.file(id))
    }

    /// Removes a file, unless there is none.
    pub fn remove(&self, id: ImportId) {
        match fs::remove_file(self.file(id)) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => {
                tracing::warn!("an uploaded export could not be removed; the next sweep tries again: {why}");
            }
            _ => {}
        }
    }

    /// Removes files that were uploaded, and archives that were unpacked, longer than `age` ago. Returns
    /// their number.
    #[must_use]
    pub fn remove_older(&self, now: SystemTime, age: Duration) -> usize {
        let entries = fs::read_dir(&self.root).into_iter().flatten().flatten();
        let is_old = |entry: &fs::DirEntry| {
            let written = entry.metadata().and_then(|data| data.modified()).ok();
            written.and_then(|at| now.duration_since(at).ok()).is_some_and(|passed| passed >= age)
        };
        let is_removed = |entry: &fs::DirEntry| {
            let path = entry.path();
            if path.is_dir() { fs::remove_dir_all(path).is_ok() } else { fs::remove_file(path).is_ok() }
        };
        entries.filter(|entry| is_old(entry) && is_removed(entry)).count()
    }
}
