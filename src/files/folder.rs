//! The files of the media library in the data folder: `media/ab/cdef…/NAME`, by the hash of what was
//! uploaded. A file is complete as soon as it has its name.

use crate::process::{disk::sync_folder, private};
use domain::media::address;
use std::{
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime},
};
use tokio::sync::{Mutex, MutexGuard};
use uuid::Uuid;

/// Folder for files that are being written.
const UNFINISHED: &str = "unfinished";
/// Age after which an unfinished file belongs to no running upload.
const UNFINISHED_FOR: Duration = Duration::from_secs(3_600);
/// Number of hexadecimal digits of a hash that name the outer folder.
const OUTER_CHARS: usize = 2;

/// The folder of the files. Cheap to clone.
#[derive(Debug, Clone)]
pub struct MediaFolder {
    root: PathBuf,
    /// Held while the files of a hash and its rows change together.
    change: Arc<Mutex<()>>,
}

/// Names and contents of the files of one upload.
pub type Files = Vec<(String, Vec<u8>)>;

impl MediaFolder {
    /// The folder inside of this data folder.
    #[must_use]
    pub fn in_data(data: &Path) -> Self {
        Self::at(data.join("media"))
    }

    /// The folder at this path.
    #[must_use]
    pub fn at(root: PathBuf) -> Self {
        Self { root, change: Arc::default() }
    }

    /// Its path.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Waits for other changes of files and rows of this process.
    pub async fn lock(&self) -> MutexGuard<'_, ()> {
        self.change.lock().await
    }

    /// Path of a file. The caller has checked both parts.
    #[must_use]
    pub fn file(&self, hash: &str, name: &str) -> PathBuf {
        self.folder(hash).join(name)
    }

    fn folder(&self, hash: &str) -> PathBuf {
        let (outer, inner) = split(hash);
        self.root.join(outer).join(inner)
    }

    /// Whether all these files exist.
    #[must_use]
    pub fn has_all<'n>(&self, hash: &str, mut names: impl Iterator<Item = &'n str>) -> bool {
        names.all(|name| self.file(hash, name).is_file())
    }

    /// Stores the files of an upload.
    pub fn store(&self, hash: &str, files: &Files) -> io::Result<()> {
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        self.place(hash, &names, |number, file| match files.get(number) {
            Some((_, content)) => file.write_all(content),
            None => Ok(()),
        })
    }

    /// Returns the names of the files of a hash.
    #[must_use]
    pub fn names(&self, hash: &str) -> Vec<String> {
        media_names(&self.folder(hash))
    }

    /// Returns the files of a hash.
    pub fn read_all(&self, hash: &str) -> io::Result<Files> {
        let folder = self.folder(hash);
        let read = |name: String| fs::read(folder.join(&name)).map(|content| (name, content));
        media_names(&folder).into_iter().map(read).collect()
    }

    /// Copies the files of a hash from another folder, unless they exist.
    pub fn copy_from(&self, other: &Self, hash: &str) -> io::Result<()> {
        let folder = other.folder(hash);
        let names = media_names(&folder);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        self.place(hash, &names, |number, file| match names.get(number) {
            Some(name) => io::copy(&mut File::open(folder.join(name))?, file).map(drop),
            None => Ok(()),
        })
    }

    /// Writes files aside, flushes them to the disk, then gives all their names at once. `write` gets
    /// the index of a name.
    fn place(
        &self,
        hash: &str,
        names: &[&str],
        write: impl Fn(usize, &mut File) -> io::Result<()>,
    ) -> io::Result<()> {
        if names.is_empty() || self.has_all(hash, names.iter().copied()) {
            return Ok(());
        }
        let aside = self.root.join(UNFINISHED).join(Uuid::now_v7().simple().to_string());
        let written = write_aside(&aside, names, write).and_then(|()| self.give_names(&aside, hash));
        if written.is_err() {
            // The sweep removes what cannot be removed now.
            let _ = fs::remove_dir_all(&aside);
        }
        written
    }

    fn give_names(&self, aside: &Path, hash: &str) -> io::Result<()> {
        let folder = self.folder(hash);
        let outer = folder.parent().unwrap_or(&self.root);
        private::create_folder(outer)?;
        if folder.exists() {
            // Incomplete: files were removed by hand.
            fs::remove_dir_all(&folder)?;
        }
        fs::rename(aside, &folder)?;
        sync_folder(outer)
    }

    /// Removes the files of a hash.
    pub fn remove(&self, hash: &str) -> io::Result<()> {
        match fs::remove_dir_all(self.folder(hash)) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        }
    }

    /// Returns the hashes of all stored files. An empty list: there is no such folder.
    #[must_use]
    pub fn hashes(&self) -> Vec<String> {
        let outer = entries(&self.root).into_iter().filter(|name| name.len() == OUTER_CHARS);
        let inner = |outer: String| {
            let names = entries(&self.root.join(&outer)).into_iter();
            names.map(move |inner| format!("{outer}{inner}"))
        };
        outer.flat_map(inner).filter(|hash| address::is_hash(hash)).collect()
    }

    /// Returns the hashes of files stored an hour ago or earlier: the row of a newer one may not be
    /// stored yet.
    #[must_use]
    pub fn older_hashes(&self, now: SystemTime) -> Vec<String> {
        self.hashes().into_iter().filter(|hash| is_old(&self.folder(hash), now)).collect()
    }

    /// Returns the size of the files of a hash, bytes.
    #[must_use]
    pub fn bytes(&self, hash: &str) -> u64 {
        let folder = self.folder(hash);
        let size = |name: String| fs::metadata(folder.join(name)).map_or(0, |data| data.len());
        media_names(&folder).into_iter().map(size).sum()
    }

    /// Removes the folder for unfinished files if it is empty.
    pub fn remove_unfinished_folder(&self) {
        // Another process may be writing into it.
        let _ = fs::remove_dir(self.root.join(UNFINISHED));
    }

    /// Removes unfinished files of uploads that have ended. Returns their number.
    pub fn sweep_unfinished(&self, now: SystemTime) -> usize {
        let unfinished = self.root.join(UNFINISHED);
        let paths = entries(&unfinished).into_iter().map(|name| unfinished.join(name));
        paths.filter(|path| is_old(path, now) && fs::remove_dir_all(path).is_ok()).count()
    }
}

/// Writes the files to a new folder and flushes them.
fn write_aside(
    aside: &Path,
    names: &[&str],
    write: impl Fn(usize, &mut File) -> io::Result<()>,
) -> io::Result<()> {
    private::create_folder(aside)?;
    for (number, name) in names.iter().enumerate() {
        let mut file = private::create_new(&aside.join(name))?;
        write(number, &mut file)?;
        file.sync_all()?;
    }
    sync_folder(aside)
}

fn is_old(path: &Path, now: SystemTime) -> bool {
    let written = path.metadata().and_then(|data| data.modified()).ok();
    written.and_then(|at| now.duration_since(at).ok()).is_some_and(|age| age >= UNFINISHED_FOR)
}

/// Names of the outer and the inner folder of a hash.
pub(super) fn split(hash: &str) -> (&str, &str) {
    hash.split_at_checked(OUTER_CHARS).unwrap_or((hash, "-"))
}

/// Names of the files of a hash.
fn media_names(folder: &Path) -> Vec<String> {
    entries(folder).into_iter().filter(|name| address::parse_name(name).is_some()).collect()
}

fn entries(folder: &Path) -> Vec<String> {
    let read = fs::read_dir(folder).into_iter().flatten().flatten();
    read.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}
