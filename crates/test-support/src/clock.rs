//! A fake system clock for other programs, by libfaketime (Debian's package `faketime`).

use std::{fs, os::unix::fs::PermissionsExt as _, path::PathBuf};
use tempfile::TempDir;

/// Clock of the programs that are started with [`FakeSystemClock::environment`]. Correct until it
/// is set.
#[derive(Debug)]
pub struct FakeSystemClock {
    library: PathBuf,
    folder: TempDir,
}

impl FakeSystemClock {
    /// Creates a clock that shows the correct time.
    ///
    /// # Panics
    /// If `faketime` is not installed.
    #[must_use]
    pub fn accurate() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        // PostgreSQL runs as another user and must read the file.
        let readable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(folder.path(), readable).expect("the folder belongs to this user");
        let clock = Self { library: library(), folder };
        clock.set(0);
        clock
    }

    /// Sets the clock this many seconds ahead (negative: behind). Programs see that within a
    /// second.
    ///
    /// # Panics
    /// If the disk is full.
    pub fn set(&self, ahead: i64) {
        let fresh = self.folder.path().join("fresh");
        fs::write(&fresh, format!("{ahead:+}\n")).expect("the disk is not full");
        fs::rename(fresh, self.file()).expect("the folder belongs to this user");
    }

    /// Returns the environment variables for a program. Only the wall clock is faked, not the
    /// monotonic one.
    ///
    /// The file is read once a second and not on each call: PostgreSQL reads its clock in signal
    /// handlers, and opening a file there corrupts what the signal interrupted.
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

/// Returns the path of libfaketime.
fn library() -> PathBuf {
    let folders = fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    let mut found = folders.map(|folder| folder.path().join("faketime/libfaketime.so.1"));
    let known = PathBuf::from("/usr/lib/faketime/libfaketime.so.1");
    found
        .find(|path| path.exists())
        .or_else(|| Some(known).filter(|path| path.exists()))
        .expect("faketime is installed: apt-get install faketime")
}
