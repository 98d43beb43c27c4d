//! Temporary folders, and a small disk.

use std::{
    fs::{self, File},
    io::Write as _,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;
use tokio::sync::OnceCell;

/// Free memory required to keep data in memory: hundreds of databases of 8 MB.
const MIN_FREE_MEMORY_KIB: u64 = 8 << 20;

/// Creates a folder for data that need not survive the computer: in memory if enough is free, so that no test waits for
/// a disk.
///
/// # Panics
/// If it cannot be created.
#[must_use]
pub fn fast_folder() -> TempDir {
    tempfile::tempdir_in(fast()).expect("a temporary folder")
}

/// Writes the SQLite database `file`: a copy of one that `fill` has filled, once per process. `fill` gets the URL of an
/// empty database and closes its connections.
///
/// # Panics
/// If it cannot be written.
pub async fn create_filled_sqlite<F: Future<Output = ()>>(file: &Path, fill: impl FnOnce(String) -> F) {
    static TEMPLATE: OnceCell<Vec<u8>> = OnceCell::const_new();
    let template = TEMPLATE.get_or_init(async || {
        let folder = fast_folder();
        let file = folder.path().join("template.db");
        fill(format!("sqlite:{}", file.display())).await;
        fs::read(file).expect("the template")
    });
    fs::write(file, template.await).expect("a database");
}

/// Returns the parent of such folders. A new PostgreSQL database has 300 files, and creating them on a disk takes longer
/// than the test's own queries.
pub(crate) fn fast() -> &'static Path {
    let memory = Path::new("/dev/shm");
    let info = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let free = info.lines().find_map(|line| line.strip_prefix("MemAvailable:")?.trim().strip_suffix(" kB"));
    let has_memory =
        free.and_then(|free| free.parse().ok()).is_some_and(|free: u64| free > MIN_FREE_MEMORY_KIB);
    if has_memory && memory.is_dir() { memory } else { Path::new("/tmp") }
}

/// A small disk (tmpfs) in a folder. Unmounted when dropped.
#[derive(Debug)]
pub struct SmallDisk(PathBuf);

impl SmallDisk {
    /// Mounts the disk.
    ///
    /// # Errors
    /// Says why that is not possible: it needs root on Linux.
    ///
    /// # Panics
    /// If the folder cannot be created.
    pub fn mount(folder: &Path, megabytes: u32) -> Result<Self, String> {
        if !fs::metadata("/proc/self").is_ok_and(|me| me.uid() == 0) {
            return Err("mounting needs root on Linux".to_owned());
        }
        fs::create_dir_all(folder).expect("its folder");
        let options = format!("size={megabytes}m,mode=0777");
        mount(&["-t", "tmpfs", "-o", &options, "tmpfs"], folder)?;
        Ok(Self(folder.to_owned()))
    }

    /// Fills the disk, except for this number of bytes.
    ///
    /// # Panics
    /// If its files cannot be written.
    pub fn fill(&self, free_bytes: u64) {
        let mut file = File::create(self.ballast()).expect("a file");
        for size in [1 << 20, 1 << 12] {
            while file.write_all(&vec![7; size]).is_ok() {}
        }
        let size = file.metadata().expect("its size").len();
        file.set_len(size.saturating_sub(free_bytes)).expect("a shorter file");
    }

    /// Frees the space again.
    ///
    /// # Panics
    /// If it was not filled.
    pub fn free_space(&self) {
        fs::remove_file(self.ballast()).expect("it was filled");
    }

    /// Forbids writing to the disk, or allows it again.
    ///
    /// # Panics
    /// If the system refuses that.
    pub fn set_read_only(&self, is_read_only: bool) {
        let options = if is_read_only { "remount,ro" } else { "remount,rw" };
        mount(&["-o", options], &self.0).expect("it is mounted again");
    }

    fn ballast(&self) -> PathBuf {
        self.0.join("ballast")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let unmounted = Command::new("umount").arg("-l").arg(&self.0).status();
        assert!(
            unmounted.is_ok_and(|status| status.success()) || std::thread::panicking(),
            "the disk is unmounted"
        );
    }
}

fn mount(arguments: &[&str], folder: &Path) -> Result<(), String> {
    let mount = Command::new("mount").args(arguments).arg(folder).output();
    let mount = mount.map_err(|reason| reason.to_string())?;
    let reason = String::from_utf8_lossy(&mount.stderr).trim().to_owned();
    if mount.status.success() { Ok(()) } else { Err(reason) }
}
