//! Files outside of the database: the media library, uploaded exports, and the manifest of an export.
//!
//! The place of the media library is the data folder, or a bucket of S3-compatible storage.
//! Both have the same names: `ab/cdef…/NAME`, by the hash of what was uploaded.

#[cfg(feature = "s3")]
mod backup_bucket;
mod backup_files;
#[cfg(feature = "s3")]
mod bucket;
#[cfg(feature = "s3")]
mod bucket_client;
mod error;
mod folder;
pub mod import_folder;
mod inventory;
pub mod manifest;

pub use backup_files::{BackupFiles, SHARED_FOLDER, names_in};
pub use error::FilesError;
pub use folder::{Files, MediaFolder};
pub use inventory::Inventory;

use crate::process::{
    cli_error::CliError,
    config::{Config, MediaPlace, S3Bucket},
};
use axum::body::Bytes;
#[cfg(feature = "s3")]
use bucket::MediaBucket;
#[cfg(feature = "s3")]
use bucket_client::{BucketClient, Waiting};
use futures::stream::{self, BoxStream, StreamExt as _};
use std::{
    fs::File,
    io::{self, Read as _},
    time::SystemTime,
};
use tokio::sync::MutexGuard;

/// Bytes that are read from a file at once.
const CHUNK_BYTES: usize = 64 * 1024;

/// The files of the library. Cheap to clone.
#[derive(Debug, Clone)]
pub enum MediaFiles {
    /// In the data folder.
    Folder(MediaFolder),
    /// In a bucket.
    #[cfg(feature = "s3")]
    Bucket(MediaBucket),
}

/// A file that is being read.
pub struct OpenFile {
    /// Its size.
    pub bytes: u64,
    /// Its content.
    pub chunks: BoxStream<'static, io::Result<Bytes>>,
}

impl MediaFiles {
    /// Opens the configured place. Does not wait for a bucket: it may be unavailable.
    pub fn open(config: &Config) -> Result<Self, CliError> {
        match &config.media {
            MediaPlace::Folder => Ok(Self::Folder(MediaFolder::in_data(&config.data))),
            MediaPlace::Bucket(bucket) => Self::open_bucket(bucket, config),
        }
    }

    #[cfg(feature = "s3")]
    fn open_bucket(bucket: &S3Bucket, config: &Config) -> Result<Self, CliError> {
        let certificates = config.extra_ca_certs.as_deref();
        let client = BucketClient::open(bucket, "media-url", certificates, Waiting::Person)?;
        Ok(Self::Bucket(MediaBucket::at(client)))
    }

    #[cfg(not(feature = "s3"))]
    fn open_bucket(_: &S3Bucket, _: &Config) -> Result<Self, CliError> {
        let why = "media-url: this program was built without S3; build it with --features s3, or leave media-url \
                   out to store uploaded files in the data folder";
        Err(CliError::Usage(why.to_owned()))
    }

    /// Name of the bucket, for messages; `None`: the files are in the data folder.
    #[must_use]
    pub fn bucket_name(&self) -> Option<&str> {
        match self {
            Self::Folder(_) => None,
            #[cfg(feature = "s3")]
            Self::Bucket(bucket) => Some(bucket.name()),
        }
    }

    /// Waits for other changes of files and rows of this process.
    pub async fn lock(&self) -> MutexGuard<'_, ()> {
        match self {
            Self::Folder(folder) => folder.lock().await,
            #[cfg(feature = "s3")]
            Self::Bucket(bucket) => bucket.lock().await,
        }
    }

    /// Checks whether the bucket answers, before an upload waits for others. A folder always does.
    pub async fn check(&self) -> Result<(), FilesError> {
        match self {
            Self::Folder(_) => Ok(()),
            #[cfg(feature = "s3")]
            Self::Bucket(bucket) => bucket.check().await,
        }
    }

    /// Whether this file exists.
    pub async fn has(&self, hash: &str, name: &str) -> Result<bool, FilesError> {
        match self {
            Self::Folder(folder) => {
                let path = folder.file(hash, name);
                blocking(move || Ok(path.is_file())).await
            }
            #[cfg(feature = "s3")]
            Self::Bucket(bucket) => bucket.has(hash, name).await,
        }
    }

    /// Stores the files of an upload, unless they exist. A file has its name only when it is
    /// complete.
    pub async fn store(&self, hash: &str, files: Files) -> Result<(), FilesError> {
        match self {
            Self::Folder(folder) => {
                let (folder, hash) = (folder.clone(), hash.to_owned());
                blocking(move || folder.store(&hash, &files)).await
            }
            #[cfg(feature = "s3")]
            Self::Bucket(bucket) => bucket.store(hash, files).await,
        }
    }

    /// Opens a file; `None`: it does not exist.
    pub async fn read(&self, hash: &str, name: &str) -> Result<Option<OpenFile>, FilesError> {
        match self {
            Self::Folder(folder) => {
                let path = folder.file(hash, name);
                let opened =
                    blocking(move || File::open(path).and_then(|file| Ok((file.metadata()?.len(), file))));
                match opened.await {
                    Ok((bytes, file)) => Ok(Some(OpenFile { bytes, chunks: chunks(file) })),
                    Err(FilesError::Folder(why)) if why.kind() == io::ErrorKind::NotFound => Ok(None),
                    Err(why) => Err(why),
                }
            }
            #[cfg(feature = "s3")]
            Self::Bucket(bucket) => bucket.read(hash, name).await,
        }
    }

    /// Removes the files of a hash.
    pub async fn remove(&self, hash: &str) -> Result<(), FilesError> {
        match self {
            Self::Folder(folder) => {
                let (folder, hash) = (folder.clone(), hash.to_owned());
                blocking(move || folder.remove(&hash)).await
            }
            #[cfg(feature = "s3")]
            Self::Bucket(bucket) => bucket.remove(hash).await,
        }
    }

    /// Returns the hashes of all stored files.
    pub async fn hashes(&self) -> Result<Vec<String>, FilesError> {
        match self {
            Self::Folder(folder) => {
                let folder = folder.clone();
                blocking(move || Ok(folder.hashes())).await
            }
            #[cfg(feature = "s3")]
            Self::Bucket(bucket) => bucket.hashes().await,
        }
    }

    /// Removes unfinished files of uploads that have ended. Returns their number, and the hashes of
    /// files stored an hour ago or earlier: the row of a newer one may not be stored yet.
    pub async fn sweep(&self, now: SystemTime) -> Result<(usize, Vec<String>), FilesError> {
        match self {
            Self::Folder(folder) => {
                let folder = folder.clone();
                blocking(move || Ok((folder.sweep_unfinished(now), folder.older_hashes(now)))).await
            }
            // An object is complete or does not exist.
            #[cfg(feature = "s3")]
            Self::Bucket(bucket) => Ok((0, bucket.older_hashes(now).await?)),
        }
    }

    /// Returns what answers whether files exist.
    pub async fn inventory(&self) -> Result<Inventory, FilesError> {
        match self {
            Self::Folder(folder) => Ok(Inventory::Folder(folder.clone())),
            #[cfg(feature = "s3")]
            Self::Bucket(bucket) => bucket.inventory().await,
        }
    }

    /// Copies the files of a hash from a folder, unless they exist here.
    pub async fn copy_from(&self, from: &MediaFolder, hash: &str) -> Result<(), FilesError> {
        let (from, hash) = (from.clone(), hash.to_owned());
        match self {
            Self::Folder(folder) => {
                let to = folder.clone();
                blocking(move || to.copy_from(&from, &hash)).await
            }
            #[cfg(feature = "s3")]
            Self::Bucket(bucket) => {
                let (files, hash) = blocking(move || from.read_all(&hash).map(|files| (files, hash))).await?;
                bucket.store(&hash, files).await
            }
        }
    }

    /// Copies the files of a hash to a folder under another hash, unless they exist there.
    pub async fn copy_as(&self, to: &MediaFolder, (hash, other): (&str, &str)) -> Result<(), FilesError> {
        if hash == other {
            return self.copy_to(&Self::Folder(to.clone()), hash).await;
        }
        let (to, hash, other) = (to.clone(), hash.to_owned(), other.to_owned());
        match self {
            Self::Folder(folder) => {
                let from = folder.clone();
                blocking(move || to.store(&other, &from.read_all(&hash)?)).await
            }
            #[cfg(feature = "s3")]
            Self::Bucket(bucket) => {
                let files = bucket.read_all(&hash).await?;
                blocking(move || to.store(&other, &files)).await
            }
        }
    }

    /// Copies the files of a hash to another place, unless they exist there.
    async fn copy_to(&self, to: &Self, hash: &str) -> Result<(), FilesError> {
        match self {
            Self::Folder(from) => to.copy_from(from, hash).await,
            #[cfg(feature = "s3")]
            Self::Bucket(from) => to.store(hash, from.read_all(hash).await?).await,
        }
    }

    /// Copies all files to another place, without those that exist there. Returns the number of
    /// uploads.
    pub async fn copy_all(&self, to: &Self) -> Result<usize, FilesError> {
        let hashes = self.hashes().await?;
        let missing = match to {
            Self::Folder(_) => hashes.clone(),
            #[cfg(feature = "s3")]
            Self::Bucket(bucket) => self.missing_in(bucket, hashes.clone()).await?,
        };
        for hash in &missing {
            self.copy_to(to, hash).await?;
        }
        match to {
            Self::Folder(folder) => folder.remove_unfinished_folder(),
            #[cfg(feature = "s3")]
            Self::Bucket(_) => {}
        }
        Ok(hashes.len())
    }

    /// Returns the hashes of which files are missing in a bucket. One list of the bucket answers that for
    /// all of them.
    #[cfg(feature = "s3")]
    async fn missing_in(&self, bucket: &MediaBucket, hashes: Vec<String>) -> Result<Vec<String>, FilesError> {
        let Self::Folder(from) = self else { return Ok(hashes) };
        let (from, stored) = (from.clone(), bucket.inventory().await?);
        let is_missing =
            move |hash: &String| from.names(hash).iter().any(|name| stored.missing(hash, name).is_some());
        blocking(move || Ok(hashes.into_iter().filter(is_missing).collect())).await
    }
}

/// Does the work on a blocking thread.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, FilesError> {
    on_thread(work).await.map_err(FilesError::Folder)
}

async fn on_thread<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let interrupted = |_| Err(io::Error::other("the work was interrupted"));
    tokio::task::spawn_blocking(work).await.unwrap_or_else(interrupted)
}

/// Returns the content of a file in pieces.
fn chunks(file: File) -> BoxStream<'static, io::Result<Bytes>> {
    stream::try_unfold(file, |file| on_thread(move || read_chunk(file))).boxed()
}

fn read_chunk(mut file: File) -> io::Result<Option<(Bytes, File)>> {
    let mut chunk = vec![0; CHUNK_BYTES];
    let count = file.read(&mut chunk)?;
    chunk.truncate(count);
    Ok((count > 0).then(|| (chunk.into(), file)))
}
