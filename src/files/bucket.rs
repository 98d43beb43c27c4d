//! The files of the media library in a bucket of S3-compatible storage: objects `PREFIX/ab/cdef…/NAME`.
//! An object exists only when it is complete. Of an upload the largest file is stored last.

use super::{
    FilesError, Inventory, OpenFile,
    folder::{Files, split},
    inventory::path,
};
use crate::process::{
    cli_error::CliError,
    config::{S3Bucket, S3Credentials},
    tls_roots::TlsRoots,
};
use domain::media::address;
use futures::{StreamExt as _, TryStreamExt as _, future};
use object_store::{
    ClientOptions, Error, ObjectMeta, ObjectStore, ObjectStoreExt as _, RetryConfig,
    aws::{AmazonS3, AmazonS3Builder},
    client::{HttpClient, HttpConnector},
    path::Path as Key,
};
use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    error, fmt, io,
    path::Path,
    sync::Arc,
    time::{Duration, SystemTime},
};
use tokio::{
    sync::{Mutex, MutexGuard},
    time::timeout,
};

/// Timeout for a connection to the storage.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Timeout for a short answer, with all its repetitions: an upload waits no longer before it is refused.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// How long the storage may send nothing, also while it receives a file.
const READ_TIMEOUT: Duration = Duration::from_secs(60);
/// Number of times that a failed request is repeated.
const MAX_RETRIES: usize = 2;
/// Age of a request after which it is not repeated.
const RETRY_TIMEOUT: Duration = Duration::from_secs(10);
/// Age after which an object belongs to no running upload.
const OLD_AFTER: Duration = Duration::from_secs(3_600);
/// Beginning of an error with a status: the library shows the status of a list nowhere else.
const STATUS: &str = "Server returned non-2xx status code: ";
/// Maximum length of a reason in an error, in characters.
const MAX_REASON_CHARS: usize = 200;

/// The files in a bucket. Cheap to clone.
#[derive(Clone)]
pub struct MediaBucket {
    store: Arc<AmazonS3>,
    /// Prefix of all objects; may be empty.
    prefix: Arc<str>,
    name: Arc<str>,
    /// Held while the files of a hash and its rows change together.
    change: Arc<Mutex<()>>,
}

/// Passes our client to the library of the storage.
#[derive(Debug)]
struct Connector(reqwest::Client);

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.0.clone()))
    }
}

impl fmt::Debug for MediaBucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MediaBucket").field(&self.name).finish()
    }
}

impl MediaBucket {
    /// Opens a bucket. Sends nothing yet. `certificates`: a PEM file with additional CA certificates
    /// to trust.
    pub fn open(bucket: &S3Bucket, certificates: Option<&Path>) -> Result<Self, CliError> {
        let wrong = |why: String| CliError::Usage(format!("media-url: {bucket} cannot be used: {why}"));
        let tls = TlsRoots::read(certificates)?.client().map_err(|why| wrong(why.to_string()))?;
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .connect_timeout(CONNECT_TIMEOUT)
            .read_timeout(READ_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build()
            .map_err(|why| wrong(why.to_string()))?;
        let retry =
            RetryConfig { max_retries: MAX_RETRIES, retry_timeout: RETRY_TIMEOUT, ..RetryConfig::default() };
        let builder = match &bucket.credentials {
            S3Credentials::Key { id, secret, session_token } => {
                let builder = AmazonS3Builder::new().with_access_key_id(id).with_secret_access_key(&secret.0);
                match session_token {
                    Some(token) => builder.with_token(&token.0),
                    None => builder,
                }
            }
            // Reads which role it is from the variables of AWS, or asks the machine for it.
            S3Credentials::Role => AmazonS3Builder::from_env(),
        };
        let builder = builder
            .with_http_connector(Connector(client))
            .with_retry(retry)
            // Not every storage knows requests that delete several objects.
            .with_disable_bulk_delete(true)
            .with_allow_http(true)
            .with_region(&bucket.region)
            .with_bucket_name(&bucket.name);
        let builder = match &bucket.endpoint {
            Some(endpoint) => builder.with_endpoint(endpoint),
            None => builder,
        };
        let store = builder.build().map_err(|why| wrong(why.to_string()))?;
        Ok(Self {
            store: Arc::new(store),
            prefix: bucket.prefix.as_str().into(),
            name: bucket.to_string().into(),
            change: Arc::default(),
        })
    }

    /// Name for messages: address of the bucket and of its server.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// See [`super::MediaFiles::lock`].
    pub async fn lock(&self) -> MutexGuard<'_, ()> {
        self.change.lock().await
    }

    /// See [`super::MediaFiles::check`].
    pub async fn check(&self) -> Result<(), FilesError> {
        // No file has this hash: the list is empty, and short.
        let hash = "0".repeat(address::HASH_CHARS);
        self.soon(self.names(&hash)).await.map(drop)
    }

    /// See [`super::MediaFiles::has`].
    pub async fn has(&self, hash: &str, name: &str) -> Result<bool, FilesError> {
        let key = self.key(hash, name);
        let found = async {
            match self.store.head(&key).await {
                Ok(_) => Ok(true),
                Err(Error::NotFound { .. }) => Ok(false),
                Err(why) => Err(self.failure(&why)),
            }
        };
        self.soon(found).await
    }

    /// See [`super::MediaFiles::store`].
    pub async fn store(&self, hash: &str, files: Files) -> Result<(), FilesError> {
        let present = self.names(hash).await?;
        let new = files.into_iter().filter(|(name, _)| !present.contains(name));
        let (smaller, whole): (Vec<_>, Vec<_>) = new.partition(|(name, _)| is_smaller(name));
        for files in [smaller, whole] {
            let put = |(name, content): (String, Vec<u8>)| async move {
                let stored = self.store.put(&self.key(hash, &name), content.into()).await;
                stored.map(drop).map_err(|why| self.failure(&why))
            };
            future::try_join_all(files.into_iter().map(put)).await?;
        }
        Ok(())
    }

    /// See [`super::MediaFiles::read`].
    pub async fn read(&self, hash: &str, name: &str) -> Result<Option<OpenFile>, FilesError> {
        match self.store.get(&self.key(hash, name)).await {
            Ok(found) => {
                let bytes = found.meta.size;
                let bucket = self.clone();
                let broken = move |why: Error| io::Error::other(bucket.failure(&why));
                Ok(Some(OpenFile { bytes, chunks: found.into_stream().map_err(broken).boxed() }))
            }
            Err(Error::NotFound { .. }) => Ok(None),
            Err(why) => Err(self.failure(&why)),
        }
    }

    /// Returns the files of a hash, without one that is removed meanwhile.
    pub async fn read_all(&self, hash: &str) -> Result<Files, FilesError> {
        let mut files = Files::new();
        for name in self.names(hash).await? {
            let found = match self.store.get(&self.key(hash, &name)).await {
                Ok(found) => found,
                Err(Error::NotFound { .. }) => continue,
                Err(why) => return Err(self.failure(&why)),
            };
            let content = found.bytes().await.map_err(|why| self.failure(&why))?;
            files.push((name, content.into()));
        }
        Ok(files)
    }

    /// See [`super::MediaFiles::remove`].
    pub async fn remove(&self, hash: &str) -> Result<(), FilesError> {
        let (smaller, whole): (Vec<_>, Vec<_>) =
            self.names(hash).await?.into_iter().partition(|name| is_smaller(name));
        for name in whole.into_iter().chain(smaller) {
            match self.store.delete(&self.key(hash, &name)).await {
                Ok(()) | Err(Error::NotFound { .. }) => {}
                Err(why) => return Err(self.failure(&why)),
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
        Ok(Inventory::Bucket { name: self.name.to_string(), paths })
    }

    /// Names of the files of a hash.
    async fn names(&self, hash: &str) -> Result<BTreeSet<String>, FilesError> {
        let (outer, inner) = split(hash);
        let folder = self.below(&format!("{outer}/{inner}"));
        let mut listed = self.store.list(Some(&folder));
        let mut names = BTreeSet::new();
        while let Some(object) = listed.next().await {
            let object = object.map_err(|why| self.failure(&why))?;
            let name = object.location.filename().filter(|name| address::parse_name(name).is_some());
            names.extend(name.map(str::to_owned));
        }
        Ok(names)
    }

    /// Visits all files: hash, name and object. Objects of others are left out.
    async fn list(&self, mut visit: impl FnMut(String, &str, &ObjectMeta)) -> Result<(), FilesError> {
        let root = (!self.prefix.is_empty()).then(|| Key::from(&*self.prefix));
        let mut listed = self.store.list(root.as_ref());
        while let Some(object) = listed.next().await {
            let object = object.map_err(|why| self.failure(&why))?;
            let location = object.location.as_ref();
            let below = location.strip_prefix(&*self.prefix).unwrap_or(location).trim_start_matches('/');
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
        self.below(&path(hash, name))
    }

    fn below(&self, path: &str) -> Key {
        match &*self.prefix {
            "" => Key::from(path),
            prefix => Key::from(format!("{prefix}/{path}")),
        }
    }

    /// Waits for a short answer.
    async fn soon<T>(&self, work: impl Future<Output = Result<T, FilesError>>) -> Result<T, FilesError> {
        timeout(ANSWER_TIMEOUT, work).await.unwrap_or_else(|_| {
            let seconds = ANSWER_TIMEOUT.as_secs();
            let why = format!(
                "it did not answer within {seconds} s; check s3-endpoint, and that the storage is running"
            );
            Err(FilesError::Bucket { name: self.name.to_string(), why })
        })
    }

    fn failure(&self, error: &Error) -> FilesError {
        let reason = reason(error);
        let why = match status(&reason) {
            Some("401" | "403") => {
                "it refuses the access key; check s3-access-key-id and s3-secret-access-key, the rights of that key, \
                 and the clock of this machine"
                    .to_owned()
            }
            Some("404") => "it does not exist; create it, or correct media-url".to_owned(),
            _ => format!("{reason}; check s3-endpoint and s3-region, and that the storage is running"),
        };
        FilesError::Bucket { name: self.name.to_string(), why }
    }
}

/// Whether this is a smaller version of a picture.
fn is_smaller(name: &str) -> bool {
    matches!(address::parse_name(name), Some((_, Some(_), None)))
}

/// Returns the HTTP status in a reason.
fn status(reason: &str) -> Option<&str> {
    reason.strip_prefix(STATUS)?.get(..3)
}

/// Returns the innermost reason in one line.
fn reason(error: &Error) -> String {
    let mut innermost: &dyn error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    let text = innermost.to_string();
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_REASON_CHARS).collect()
}
