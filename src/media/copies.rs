//! The files in backups, and whether all of them exist.

use super::MediaFolder;
use domain::media::{MediaType, address};
use std::{
    io,
    path::{Path, PathBuf},
};
use store::{PoolRole, Store, StoreError, media_file};

/// Number of rows read by one query.
const BATCH_SIZE: u32 = 1_000;

/// Files of the library that exist and that are missing.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Presence {
    /// Number of uploads whose files exist.
    pub complete: usize,
    /// The first missing file of each other upload.
    pub missing: Vec<PathBuf>,
}

/// Path of the folder with the files of a backup: beside the backup, with its name and `.media`.
#[must_use]
pub fn beside(backup: &Path) -> PathBuf {
    let mut name = backup.file_name().unwrap_or_default().to_owned();
    name.push(".media");
    backup.with_file_name(name)
}

/// Copies all files from one folder to another, without those that exist there. Returns the number of
/// uploads.
pub fn copy(from: &MediaFolder, to: &MediaFolder) -> io::Result<usize> {
    let hashes = from.hashes();
    hashes.iter().try_for_each(|hash| to.copy_from(from, hash))?;
    to.remove_unfinished_folder();
    Ok(hashes.len())
}

/// Checks whether the files of all rows exist.
pub async fn examine(store: &Store, folder: &MediaFolder) -> Result<Presence, StoreError> {
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
            let missing = format.parse().ok().and_then(|kind| first_missing(folder, &hash, kind, size));
            match missing {
                Some(path) => found.missing.push(path),
                None => found.complete += 1,
            }
        }
    }
}

fn first_missing(
    folder: &MediaFolder,
    hash: &str,
    kind: MediaType,
    size: Option<(u32, u32)>,
) -> Option<PathBuf> {
    let smaller = size.into_iter().flat_map(|size| address::widths(kind, size)).map(address::width_name);
    let mut paths =
        std::iter::once(address::file_name(kind, size)).chain(smaller).map(|name| folder.file(hash, &name));
    paths.find(|path| !path.is_file())
}
