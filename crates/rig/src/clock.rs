//! A clock that can be set while programs read it, by libfaketime (Debian's package `faketime`).

use std::{fs, os::unix::fs::PermissionsExt as _, path::PathBuf};
use tempfile::TempDir;

/// A clock for programs that are started with [`FalseClock::environment`]. Right until it is set.
#[derive(Debug)]
pub struct FalseClock {
    library: PathBuf,
    folder: TempDir,
}

impl FalseClock {
    /// A clock that is right.
    ///
    /// # Panics
    /// If `faketime` is not installed.
    #[must_use]
    pub fn right() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        // PostgreSQL runs as another user.
        let everybody = fs::Permissions::from_mode(0o755);
        fs::set_permissions(folder.path(), everybody).expect("it is ours");
        let clock = Self { library: library(), folder };
        clock.set(0);
        clock
    }

    /// From now on it is so many seconds ahead (negative: behind). All who read it see that within a second.
    ///
    /// # Panics
    /// If the disk is full.
    pub fn set(&self, ahead: i64) {
        let fresh = self.folder.path().join("fresh");
        fs::write(&fresh, format!("{ahead:+}\n")).expect("there is room");
        fs::rename(fresh, self.file()).expect("it is ours");
    }

    /// What a program must find in its environment. Spans of time stay true: only what o'clock it is does not.
    ///
    /// The file is looked at once a second and not at every look at the clock: PostgreSQL looks at its clock when a signal comes,
    /// and to open a file there breaks what the signal interrupted.
    #[must_use]
    pub fn environment(&self) -> Vec<(String, String)> {
        let pairs = [
            ("LD_PRELOAD", self.library.display().to_string()),
            ("FAKETIME_TIMESTAMP_FILE", self.file().display().to_string()),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
            ("FAKETIME_CACHE_DURATION", "1".to_owned()),
        ];
        pairs.map(|(name, value)| (name.to_owned(), value)).into()
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("clock")
    }
}

/// Where libfaketime is.
fn library() -> PathBuf {
    let folders = fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    let mut found = folders.map(|folder| folder.path().join("faketime/libfaketime.so.1"));
    let known = PathBuf::from("/usr/lib/faketime/libfaketime.so.1");
    found
        .find(|path| path.exists())
        .or_else(|| Some(known).filter(|path| path.exists()))
        .expect("faketime is installed: apt-get install faketime")
}
