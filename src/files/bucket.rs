//! The files of the media library in a bucket of S3-compatible storage: objects `PREFIX/ab/cdef…/NAME`.
//! An object exists only when it is complete. Of an upload the largest file is stored last.

use super::{
    FilesError, Inventory, OpenFile,
    bucket_client::BucketClient,
    folder::{Files, split},
    inventory::path,
};
use domain::media::address;
use futures::{StreamExt as _, TryStreamExt as _, future};
use object_store::{Error, ObjectMeta, ObjectStore as _, ObjectStoreExt as _, path::Path as Key};
use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    io,
    sync::Arc,
    time::{Duration, SystemTime},
};
use tokio::sync::{Mutex, MutexGuard};

/// Age after which an object belongs to no running upload.
const OLD_AFTER: Duration = Duration::from_secs(3_600);

/// The files in a bucket. Cheap to clone.
#[derive(Debug, Clone)]
pub struct MediaBucket {
    client: BucketClient,
    /// Held while the files of a hash and its rows change together.
    change: Arc<Mutex<()>>,
}

impl MediaBucket {
    /// The files in this bucket.
    #[must_use]
    pub fn at(client: BucketClient) -> Self {
        Self { client, change: Arc::default() }
    }

    /// Name for messages: address of the bucket and of its server.
    #[must_use]
    pub fn name(&self) -> &str {
        self.client.name()
    }

    /// See [`super::MediaFiles::lock`].
    pub async fn lock(&self) -> MutexGuard<'_, ()> {
        self.change.lock().await
    }

    /// See [`super::MediaFiles::check`].
    pub async fn check(&self) -> Result<(), FilesError> {
        // No file has this hash: the list is empty, and short.
        let hash = "0".repeat(address::HASH_CHARS);
        self.client.soon(self.names(&hash)).await.map(drop)
    }

    /// See [`super::MediaFiles::has`].
    pub async fn has(&self, hash: &str, name: &str) -> Result<bool, FilesError> {
        let key = self.key(hash, name);
        let found = async {
            match self.client.store.head(&key).await {
                Ok(_) => Ok(true),
                Err(Error::NotFound { .. }) => Ok(false),
                Err(why) => Err(self.client.failure(&why)),
            }
        };
        self.client.soon(found).await
    }

    /// See [`super::MediaFiles::store`].
    pub async fn store(&self, hash: &str, files: Files) -> Result<(), FilesError> {
        let present = self.names(hash).await?;
        let new = files.into_iter().filter(|(name, _)| !present.contains(name));
        let (smaller, whole): (Vec<_>, Vec<_>) = new.partition(|(name, _)| is_smaller(name));
        for files in [smaller, whole] {
            let put = |(name, content): (String, Vec<u8>)| async move {
                let stored = self.client.store.put(&self.key(hash, &name), content.into()).await;
                stored.map(drop).map_err(|why| self.client.failure(&why))
            };
            future::try_join_all(files.into_iter().map(put)).await?;
        }
        Ok(())
    }

    /// See [`super::MediaFiles::read`].
    pub async fn read(&self, hash: &str, name: &str) -> Result<Option<OpenFile>, FilesError> {
        match self.client.store.get(&self.key(hash, name)).await {
            Ok(found) => {
                let bytes = found.meta.size;
                let client = self.client.clone();
                let broken = move |why: Error| io::Error::other(client.failure(&why));
                Ok(Some(OpenFile { bytes, chunks: found.into_stream().map_err(broken).boxed() }))
            }
            Err(Error::NotFound { .. }) => Ok(None),
            Err(why) => Err(self.client.failure(&why)),
        }
    }

    /// Returns the files of a hash, without one that is removed meanwhile.
    pub async fn read_all(&self, hash: &str) -> Result<Files, FilesError> {
        let mut files = Files::new();
        for name in self.names(hash).await? {
            let found = match self.client.store.get(&self.key(hash, &name)).await {
                Ok(found) => found,
                Err(Error::NotFound { .. }) => continue,
                Err(why) => return Err(self.client.failure(&why)),
            };
            let content = found.bytes().await.map_err(|why| self.client.failure(&why))?;
            files.push((name, content.into()));
        }
        Ok(files)
    }

    /// See [`super::MediaFiles::remove`].
    pub async fn remove(&self, hash: &str) -> Result<(), FilesError> {
        let (smaller, whole): (Vec<_>, Vec<_>) =
            self.names(hash).await?.into_iter().partition(|name| is_smaller(name));
        for name in whole.into_iter().chain(smaller) {
            match self.client.store.delete(&self.key(hash, &name)).await {
                Ok(()) | Err(Error::NotFound { .. }) => {}
                Err(why) => return Err(self.client.failure(&why)),
            }
        }
        Ok(())
    }

    /// See [`super::MediaFiles::hashes`].
    pub async fn hashes(&self) -> Result<Vec<String>, FilesError> {
        let mut hashes = BTreeSet::new();
        self.list(|hash, _, _| hashes.extend([hash])).await?;
        Ok(hashes.into_iter().collect())
    }

    /// Returns the hashes of objects that are an hour old or older.
    pub async fn older_hashes(&self, now: SystemTime) -> Result<Vec<String>, FilesError> {
        let mut newest = BTreeMap::new();
        self.list(|hash, _, object| {
            let stored = SystemTime::from(object.last_modified);
            let newest = newest.entry(hash).or_insert(stored);
            *newest = stored.max(*newest);
        })
        .await?;
        let is_old = |stored: SystemTime| now.duration_since(stored).is_ok_and(|age| age >= OLD_AFTER);
        Ok(newest.into_iter().filter(|(_, stored)| is_old(*stored)).map(|(hash, _)| hash).collect())
    }

    /// See [`super::MediaFiles::inventory`].
    pub async fn inventory(&self) -> Result<Inventory, FilesError> {
        let mut paths = HashSet::new();
        self.list(|hash, name, _| paths.extend([path(&hash, name)])).await?;
        Ok(Inventory::Bucket { name: self.client.name().to_owned(), paths })
    }

    /// Names of the files of a hash.
    async fn names(&self, hash: &str) -> Result<BTreeSet<String>, FilesError> {
        let (outer, inner) = split(hash);
        let folder = self.client.below(&format!("{outer}/{inner}"));
        let mut listed = self.client.store.list(Some(&folder));
        let mut names = BTreeSet::new();
        while let Some(object) = listed.next().await {
            let object = object.map_err(|why| self.client.failure(&why))?;
            let name = object.location.filename().filter(|name| address::parse_name(name).is_some());
            names.extend(name.map(str::to_owned));
        }
        Ok(names)
    }

    /// Visits all files: hash, name and object. Objects of others are left out.
    async fn list(&self, mut visit: impl FnMut(String, &str, &ObjectMeta)) -> Result<(), FilesError> {
        let (root, prefix) = (self.client.root(), &*self.client.prefix);
        let mut listed = self.client.store.list(root.as_ref());
        while let Some(object) = listed.next().await {
            let object = object.map_err(|why| self.client.failure(&why))?;
            let location = object.location.as_ref();
            let below = location.strip_prefix(prefix).unwrap_or(location).trim_start_matches('/');
            let mut parts = below.split('/');
            let (Some(outer), Some(inner), Some(name), None) =
                (parts.next(), parts.next(), parts.next(), parts.next())
            else {
                continue;
            };
            let hash = format!("{outer}{inner}");
            if address::is_hash(&hash) && split(&hash).0 == outer && address::parse_name(name).is_some() {
                visit(hash, name, &object);
            }
        }
        Ok(())
    }

    fn key(&self, hash: &str, name: &str) -> Key {
        self.client.below(&path(hash, name))
    }
}

/// Whether this is a smaller version of a picture.
fn is_smaller(name: &str) -> bool {
    matches!(address::parse_name(name), Some((_, Some(_), None)))
}
