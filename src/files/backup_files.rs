//! Where the server stores its backups: in a folder, or in a bucket.

#[cfg(feature = "s3")]
use super::{BucketClient, Waiting, backup_bucket::BackupBucket};
use super::{FilesError, MediaFiles, MediaFolder, blocking};
use crate::process::{
    cli_error::CliError,
    config::{BACKUP_TO, Config, S3Bucket},
    disk,
};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Folder, beside the backups that the server writes by itself, with the uploaded files of all of
/// them.
pub const SHARED_FOLDER: &str = "auto.media";

/// Where backups are stored. Cheap to clone.
#[derive(Debug, Clone)]
pub enum BackupFiles {
    /// In a folder.
    Folder(PathBuf),
    /// In a bucket.
    #[cfg(feature = "s3")]
    Bucket(BackupBucket),
}

impl BackupFiles {
    /// Opens the configured place. Does not wait for a bucket: it may be unavailable.
    pub fn open(config: &Config) -> Result<Self, CliError> {
        match &config.backup.bucket {
            None => Ok(Self::Folder(config.backup.to.clone())),
            Some(bucket) => Self::open_bucket(bucket, BACKUP_TO, config),
        }
    }

    /// Opens a bucket. `setting`: what names it, for messages.
    #[cfg(feature = "s3")]
    pub fn open_bucket(bucket: &S3Bucket, setting: &'static str, config: &Config) -> Result<Self, CliError> {
        let certificates = config.extra_ca_certs.as_deref();
        let open = |bucket: &S3Bucket| BucketClient::open(bucket, setting, certificates, Waiting::Backup);
        Ok(Self::Bucket(BackupBucket::at(open(bucket)?, open(&bucket.folder(SHARED_FOLDER))?)))
    }

    /// Refuses a bucket.
    #[cfg(not(feature = "s3"))]
    pub fn open_bucket(_: &S3Bucket, setting: &'static str, _: &Config) -> Result<Self, CliError> {
        let why = "this program was built without S3; build it with --features s3, or name a folder";
        Err(CliError::Usage(format!("{setting}: {why}")))
    }

    /// Name for messages: the folder, or the address of the bucket.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Folder(folder) => folder.display().to_string(),
            #[cfg(feature = "s3")]
            Self::Bucket(bucket) => bucket.name().to_owned(),
        }
    }

    /// Whether the backups are in a folder of this machine, which other nodes may not see.
    #[must_use]
    pub fn is_folder(&self) -> bool {
        match self {
            Self::Folder(_) => true,
            #[cfg(feature = "s3")]
            Self::Bucket(_) => false,
        }
    }

    /// The uploaded files that all backups share.
    #[must_use]
    pub fn media(&self) -> MediaFiles {
        match self {
            Self::Folder(folder) => MediaFiles::Folder(MediaFolder::at(folder.join(SHARED_FOLDER))),
            #[cfg(feature = "s3")]
            Self::Bucket(bucket) => MediaFiles::Bucket(bucket.media()),
        }
    }

    /// Returns the names of all files, also of other programs.
    pub async fn names(&self) -> Result<Vec<String>, FilesError> {
        match self {
            Self::Folder(folder) => {
                let folder = folder.clone();
                blocking(move || Ok(names_in(&folder))).await
            }
            #[cfg(feature = "s3")]
            Self::Bucket(bucket) => bucket.names().await,
        }
    }

    /// Returns the size of a backup, bytes; `None`: it does not exist.
    pub async fn size(&self, name: &str) -> Result<Option<u64>, FilesError> {
        match self {
            Self::Folder(folder) => {
                let path = folder.join(name);
                match blocking(move || path.metadata()).await {
                    Ok(file) => Ok(file.is_file().then_some(file.len())),
                    Err(FilesError::Folder(why)) if why.kind() == io::ErrorKind::NotFound => Ok(None),
                    Err(why) => Err(why),
                }
            }
            #[cfg(feature = "s3")]
            Self::Bucket(bucket) => bucket.size(name).await,
        }
    }

    /// Stores a complete temporary file under this name: in the folder it gets the name, to the bucket
    /// it is copied. Returns its size.
    pub async fn store(&self, part: &Path, name: &str) -> Result<u64, FilesError> {
        match self {
            Self::Folder(folder) => {
                let (part, path) = (part.to_owned(), folder.join(name));
                blocking(move || disk::complete(&part, &path)).await
            }
            #[cfg(feature = "s3")]
            Self::Bucket(bucket) => bucket.store(part, name).await,
        }
    }

    /// Returns the path of a backup on this machine. One in a bucket is copied to the folder `scratch`
    /// first.
    pub async fn fetch(&self, name: &str, scratch: &Path) -> Result<PathBuf, FilesError> {
        match self {
            Self::Folder(folder) => Ok(folder.join(name)),
            #[cfg(feature = "s3")]
            Self::Bucket(bucket) => bucket.fetch(name, scratch).await,
        }
    }

    /// Deletes a backup.
    pub async fn remove(&self, name: &str) -> Result<(), FilesError> {
        match self {
            Self::Folder(folder) => {
                let path = folder.join(name);
                blocking(move || fs::remove_file(path)).await
            }
            #[cfg(feature = "s3")]
            Self::Bucket(bucket) => bucket.remove(name).await,
        }
    }
}

/// Returns the names in a folder; none if there is no such folder.
#[must_use]
pub fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}
