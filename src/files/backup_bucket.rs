//! Backups in a bucket of S3-compatible storage: objects `PREFIX/NAME`. An object exists only when it is
//! complete, because it is uploaded in parts that become one object at the end.

use super::{FilesError, bucket_client::BucketClient, chunks, on_thread};
use crate::process::private;
use futures::StreamExt as _;
use object_store::{Error, ObjectStore as _, ObjectStoreExt as _, WriteMultipart};
use std::{
    fs::File,
    io::Write as _,
    path::{Path, PathBuf},
};

/// Smallest size of a part, bytes. One is in memory.
const MIN_PART_BYTES: u64 = 8 * 1024 * 1024;
/// Maximum number of parts; storages accept 10,000.
const MAX_PARTS: u64 = 9_000;

/// The backups in a bucket. Cheap to clone.
#[derive(Debug, Clone)]
pub struct BackupBucket {
    client: BucketClient,
    /// The same bucket with the uploaded files of all backups.
    media: super::MediaBucket,
}

impl BackupBucket {
    /// The backups in this bucket. `media`: the folder in it for uploaded files.
    pub fn at(client: BucketClient, media: BucketClient) -> Self {
        Self { client, media: super::MediaBucket::at(media) }
    }

    /// Name for messages.
    pub fn name(&self) -> &str {
        self.client.name()
    }

    /// Uploaded files of all backups.
    pub fn media(&self) -> super::MediaBucket {
        self.media.clone()
    }

    /// Returns the names of all objects beside the folders.
    pub async fn names(&self) -> Result<Vec<String>, FilesError> {
        let root = self.client.root();
        let listed = async {
            let listed = self.client.store.list_with_delimiter(root.as_ref()).await;
            listed.map_err(|why| self.client.failure(&why))
        };
        let objects = self.client.soon(listed).await?.objects;
        Ok(objects.iter().filter_map(|object| object.location.filename().map(str::to_owned)).collect())
    }

    /// Returns the size of an object, bytes; `None`: it does not exist.
    pub async fn size(&self, name: &str) -> Result<Option<u64>, FilesError> {
        let key = self.client.below(name);
        let found = async {
            match self.client.store.head(&key).await {
                Ok(object) => Ok(Some(object.size)),
                Err(Error::NotFound { .. }) => Ok(None),
                Err(why) => Err(self.client.failure(&why)),
            }
        };
        self.client.soon(found).await
    }

    /// Uploads a file. Returns its size.
    pub async fn store(&self, file: &Path, name: &str) -> Result<u64, FilesError> {
        let path = file.to_owned();
        let opened = on_thread(move || File::open(path).and_then(|file| Ok((file.metadata()?.len(), file))));
        let (bytes, file) = opened.await.map_err(FilesError::Folder)?;
        let begun = self.client.store.put_multipart(&self.client.below(name)).await;
        let begun = begun.map_err(|why| self.client.failure(&why))?;
        let mut upload = WriteMultipart::new_with_chunk_size(begun, part_bytes(bytes));
        if let Err(why) = self.send(&mut upload, file).await {
            // Parts that stay are no object; the storage removes them by its own rule.
            let _ = upload.abort().await;
            return Err(why);
        }
        upload.finish().await.map_err(|why| self.client.failure(&why))?;
        match self.size(name).await? {
            Some(stored) if stored == bytes => Ok(bytes),
            _ => {
                let _ = self.remove(name).await;
                Err(self.wrong(format!("it stored {name} incompletely")))
            }
        }
    }

    /// Sends a file part by part.
    async fn send(&self, upload: &mut WriteMultipart, file: File) -> Result<(), FilesError> {
        let mut chunks = chunks(file);
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk.map_err(FilesError::Folder)?;
            upload.wait_for_capacity(1).await.map_err(|why| self.client.failure(&why))?;
            upload.put(chunk);
        }
        Ok(())
    }

    /// Downloads an object into a folder. Returns the path of the new file.
    pub async fn fetch(&self, name: &str, folder: &Path) -> Result<PathBuf, FilesError> {
        let found = match self.client.store.get(&self.client.below(name)).await {
            Ok(found) => found,
            Err(Error::NotFound { .. }) => return Err(self.wrong(format!("it has no object {name}"))),
            Err(why) => return Err(self.client.failure(&why)),
        };
        let (path, bytes, mut written) = (folder.join(name), found.meta.size, 0_u64);
        let mut stream = found.into_stream();
        let mut file = private::create_new(&path).map_err(FilesError::Folder)?;
        while let Some(chunk) = stream.next().await {
            let chunk = chunk.map_err(|why| self.client.failure(&why))?;
            written = written.saturating_add(u64::try_from(chunk.len()).unwrap_or(u64::MAX));
            let write = on_thread(move || file.write_all(&chunk).map(|()| file));
            file = write.await.map_err(FilesError::Folder)?;
        }
        match written == bytes {
            true => Ok(path),
            false => Err(self.wrong(format!("it sent {name} incompletely"))),
        }
    }

    /// Deletes an object.
    pub async fn remove(&self, name: &str) -> Result<(), FilesError> {
        let key = self.client.below(name);
        let removed = async {
            match self.client.store.delete(&key).await {
                Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
                Err(why) => Err(self.client.failure(&why)),
            }
        };
        self.client.soon(removed).await
    }

    fn wrong(&self, why: String) -> FilesError {
        FilesError::Bucket { name: self.name().to_owned(), why }
    }
}

/// Returns the size of the parts of a file of this size.
fn part_bytes(bytes: u64) -> usize {
    usize::try_from(bytes.div_ceil(MAX_PARTS).max(MIN_PART_BYTES)).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_small_and_few() {
        assert_eq!([0, 1 << 30].map(part_bytes), [8 << 20, 8 << 20]);
        let bytes: u64 = 1 << 40;
        let part = u64::try_from(part_bytes(bytes)).expect("a size");
        assert!(bytes.div_ceil(part) <= MAX_PARTS);
    }
}
