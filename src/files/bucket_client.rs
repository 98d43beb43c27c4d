//! A bucket of S3-compatible storage: how it is opened and asked, and its errors as sentences.

use super::FilesError;
use crate::process::{
    cli_error::CliError,
    config::{S3Bucket, S3Credentials},
    tls_roots::TlsRoots,
};
use object_store::{
    ClientOptions, Error, RetryConfig,
    aws::{AmazonS3, AmazonS3Builder},
    client::{HttpClient, HttpConnector},
    path::Path as Key,
};
use std::{error, fmt, path::Path, sync::Arc, time::Duration};
use tokio::time::timeout;

/// Timeout for a connection to the storage.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Timeout for a short answer, with all its repetitions: an upload waits no longer before it is refused.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// Number of times that a failed request is repeated.
const MAX_RETRIES: usize = 2;
/// Beginning of an error with a status: the library shows the status of a list nowhere else.
const STATUS: &str = "Server returned non-2xx status code: ";
/// Maximum length of a reason in an error, in characters.
const MAX_REASON_CHARS: usize = 200;

/// Who waits for the storage.
#[derive(Debug, Clone, Copy)]
pub enum Waiting {
    /// A person, who sends or reads a file.
    Person,
    /// A backup, which may be sent over a slow line at night, or its restore.
    Backup,
}

impl Waiting {
    /// How long the storage may send nothing, also while it receives a file.
    fn read_timeout(self) -> Duration {
        Duration::from_secs(match self {
            Self::Person => 60,
            Self::Backup => 900,
        })
    }

    /// Age of a request after which it is not repeated.
    fn retry_timeout(self) -> Duration {
        Duration::from_secs(match self {
            Self::Person => 10,
            Self::Backup => 900,
        })
    }
}

/// A bucket, and where in it. Cheap to clone.
#[derive(Clone)]
pub struct BucketClient {
    /// Sends the requests.
    pub store: Arc<AmazonS3>,
    /// Beginning of the names of all objects; may be empty.
    pub prefix: Arc<str>,
    name: Arc<str>,
    /// Which setting names the bucket, for messages.
    setting: &'static str,
}

/// Passes our client to the library of the storage.
#[derive(Debug)]
struct Connector(reqwest::Client);

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.0.clone()))
    }
}

impl fmt::Debug for BucketClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BucketClient").field(&self.name).finish()
    }
}

impl BucketClient {
    /// Opens a bucket. Sends nothing yet. `certificates`: a PEM file with additional CA certificates
    /// to trust.
    pub fn open(
        bucket: &S3Bucket,
        setting: &'static str,
        certificates: Option<&Path>,
        waiting: Waiting,
    ) -> Result<Self, CliError> {
        let wrong = |why: String| CliError::Usage(format!("{setting}: {bucket} cannot be used: {why}"));
        let tls = TlsRoots::read(certificates)?.client().map_err(|why| wrong(why.to_string()))?;
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .connect_timeout(CONNECT_TIMEOUT)
            .read_timeout(waiting.read_timeout())
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build()
            .map_err(|why| wrong(why.to_string()))?;
        let retry = RetryConfig {
            max_retries: MAX_RETRIES,
            retry_timeout: waiting.retry_timeout(),
            ..RetryConfig::default()
        };
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
            setting,
        })
    }

    /// Name for messages: address of the bucket and of its server.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the prefix as the library takes it; `None`: there is none.
    pub fn root(&self) -> Option<Key> {
        (!self.prefix.is_empty()).then(|| Key::from(&*self.prefix))
    }

    /// Returns the name of the object at this path below the prefix.
    pub fn below(&self, path: &str) -> Key {
        match &*self.prefix {
            "" => Key::from(path),
            prefix => Key::from(format!("{prefix}/{path}")),
        }
    }

    /// Waits for a short answer.
    pub async fn soon<T>(&self, work: impl Future<Output = Result<T, FilesError>>) -> Result<T, FilesError> {
        timeout(ANSWER_TIMEOUT, work).await.unwrap_or_else(|_| {
            let seconds = ANSWER_TIMEOUT.as_secs();
            let why = format!(
                "it did not answer within {seconds} s; check s3-endpoint, and that the storage is running"
            );
            Err(FilesError::Bucket { name: self.name.to_string(), why })
        })
    }

    /// Returns the error as a sentence with a remedy.
    pub fn failure(&self, error: &Error) -> FilesError {
        let reason = reason(error);
        let why = match status(&reason) {
            Some("401" | "403") => {
                "it refuses the access key; check s3-access-key-id and s3-secret-access-key, the rights of that key, \
                 and the clock of this machine"
                    .to_owned()
            }
            Some("404") => format!("it does not exist; create it, or correct {}", self.setting),
            _ => format!("{reason}; check s3-endpoint and s3-region, and that the storage is running"),
        };
        FilesError::Bucket { name: self.name.to_string(), why }
    }
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
