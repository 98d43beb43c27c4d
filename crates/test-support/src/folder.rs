//! Temporary folders.

use std::path::Path;
use tempfile::TempDir;

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
