//! The files in backups, and whether all of them exist.

use crate::files::{Inventory, MediaFolder, SHARED_FOLDER};
use domain::media::{MediaType, address};
use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};
use store::{PoolRole, Store, StoreError, media_file};

/// Beginning of the names of the backups that the server writes by itself, which share a folder with
/// uploaded files.
const SHARED_BY: &str = "auto-";
/// Number of rows read by one query.
const BATCH_SIZE: u32 = 1_000;

/// Files of the library that exist and that are missing.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Presence {
    /// Number of uploads whose files exist.
    pub complete: usize,
    /// The first missing file of each other upload.
    pub missing: Vec<String>,
}

/// Path of the folder with the files of a backup: beside the backup, with its name and `.media`.
#[must_use]
pub fn beside(backup: &Path) -> PathBuf {
    let mut name = backup.file_name().unwrap_or_default().to_owned();
    name.push(".media");
    backup.with_file_name(name)
}

/// Path of the folder from which the files of a backup are restored: the one beside it, or the one
/// that the backups of the server share.
#[must_use]
pub fn folder_of(backup: &Path) -> PathBuf {
    let own = beside(backup);
    let is_shared = backup.file_name().is_some_and(|name| name.to_string_lossy().starts_with(SHARED_BY));
    if is_shared && !own.exists() { backup.with_file_name(SHARED_FOLDER) } else { own }
}

/// Returns the size of the files that are missing in a copy of this folder, bytes.
#[must_use]
pub fn missing_bytes(from: &MediaFolder, to: &MediaFolder) -> u64 {
    let copied: HashSet<String> = to.hashes().into_iter().collect();
    let missing = from.hashes().into_iter().filter(|hash| !copied.contains(hash));
    missing.map(|hash| from.bytes(&hash)).sum()
}

/// Checks whether the files of all rows exist.
pub async fn examine(store: &Store, files: &Inventory) -> Result<Presence, StoreError> {
    let (mut found, mut after) = (Presence::default(), String::new());
    loop {
        let mut lease = store.read(PoolRole::Web).await?;
        let rows = media_file::after(lease.conn(), &after, BATCH_SIZE).await?;
        drop(lease);
        let Some((last, ..)) = rows.last() else { return Ok(found) };
        after.clone_from(last);
        for (hash, format, width, height) in rows {
            let side = |side: Option<i32>| side.and_then(|side| u32::try_from(side).ok());
            let size = side(width).zip(side(height));
            let missing = format.parse().ok().and_then(|kind| first_missing(files, &hash, kind, size));
            match missing {
                Some(path) => found.missing.push(path),
                None => found.complete += 1,
            }
        }
    }
}

fn first_missing(files: &Inventory, hash: &str, kind: MediaType, size: Option<(u32, u32)>) -> Option<String> {
    let smaller = size.into_iter().flat_map(|size| address::widths(kind, size)).map(address::width_name);
    let mut names = std::iter::once(address::file_name(kind, size)).chain(smaller);
    names.find_map(|name| files.missing(hash, &name))
}
