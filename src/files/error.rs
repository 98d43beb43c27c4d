//! Why files of the library cannot be read or written.

use std::io;

/// Why files of the library cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// Error of the file system.
    #[error("{0}")]
    Folder(#[source] io::Error),
    /// The bucket is unavailable, or refuses a request. The sentence has a remedy.
    #[error("the bucket {name} cannot be used: {why}")]
    Bucket {
        /// Name of the bucket.
        name: String,
        /// The reason with a remedy.
        why: String,
    },
}
