//! Which files exist.

use super::MediaFolder;
use std::collections::HashSet;

/// Answers whether files exist.
#[derive(Debug, Clone)]
pub enum Inventory {
    /// Looks into the folder.
    Folder(MediaFolder),
    /// Everything that a bucket held when it was listed.
    Bucket {
        /// Name of the bucket.
        name: String,
        /// Paths of its files, `ab/cdef…/NAME`.
        paths: HashSet<String>,
    },
}

impl Inventory {
    /// Returns where a file should be, if it is missing.
    #[must_use]
    pub fn missing(&self, hash: &str, name: &str) -> Option<String> {
        match self {
            Self::Folder(folder) => {
                let path = folder.file(hash, name);
                (!path.is_file()).then(|| path.display().to_string())
            }
            Self::Bucket { name: bucket, paths } => {
                let path = path(hash, name);
                (!paths.contains(&path)).then(|| format!("{bucket}/{path}"))
            }
        }
    }
}

/// Path of a file in the place of the files, `ab/cdef…/NAME`. The caller has checked both parts.
#[must_use]
pub fn path(hash: &str, name: &str) -> String {
    let (outer, inner) = super::folder::split(hash);
    format!("{outer}/{inner}/{name}")
}
