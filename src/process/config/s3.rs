//! Buckets of S3-compatible storage: address, server, and with which requests are signed.

use super::{Address, SecretText};
use crate::process::cli_error::CliError;
use std::fmt;

/// Scheme of the address of a bucket.
pub const S3_SCHEME: &str = "s3://";
/// Lengths of a bucket's name, in bytes.
const NAME_BYTES: std::ops::RangeInclusive<usize> = 3..=63;
/// Region of storages that have none.
const DEFAULT_REGION: &str = "us-east-1";

/// A bucket of S3-compatible storage. `Debug` does not print the secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct S3Bucket {
    /// Name of the bucket.
    pub name: String,
    /// Beginning of the names of all objects, without slashes at its ends; may be empty.
    pub prefix: String,
    /// Address of the storage without a trailing slash; `None`: that of AWS in the region.
    pub endpoint: Option<String>,
    /// Region.
    pub region: String,
    /// With which requests are signed.
    pub credentials: S3Credentials,
}

/// With which requests to a bucket are signed. `Debug` does not print secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum S3Credentials {
    /// An access key of the settings.
    Key {
        /// Its id.
        id: String,
        /// Its secret.
        secret: SecretText,
        /// Session token of a temporary key; `None`: the key is permanent.
        session_token: Option<SecretText>,
    },
    /// A role that AWS gives to the machine, the container or the service account.
    Role,
}

impl fmt::Display for S3Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{S3_SCHEME}{}", self.name)?;
        if !self.prefix.is_empty() {
            write!(f, "/{}", self.prefix)?;
        }
        match &self.endpoint {
            Some(endpoint) => write!(f, " at {endpoint}"),
            None => Ok(()),
        }
    }
}

/// The settings that all buckets share: server, region and key. `Debug` does not print secrets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct S3Access {
    pub(super) endpoint: Option<String>,
    pub(super) region: Option<String>,
    pub(super) key_id: Option<String>,
    pub(super) key_secret: Option<SecretText>,
    pub(super) session_token: Option<SecretText>,
}

impl S3Access {
    /// Returns the bucket with this address. `setting`: which setting names it, for messages.
    pub fn bucket(&self, setting: &str, url: &str) -> Result<S3Bucket, CliError> {
        let wrong = |name: &str, why: &str| CliError::Usage(format!("{name}: {why}"));
        let Some((name, prefix)) = split_url(url) else {
            let address = Address(url.to_owned());
            let why = format!("{address} is not the address of a bucket; write it like s3://bucket/prefix");
            return Err(wrong(setting, &why));
        };
        let endpoint = self.endpoint.as_deref().map(server_url).transpose();
        let endpoint = endpoint.map_err(|why| wrong("s3-endpoint", &why))?;
        let credentials = match (&self.key_id, &self.key_secret) {
            (Some(id), Some(secret)) => S3Credentials::Key {
                id: id.clone(),
                secret: secret.clone(),
                session_token: self.session_token.clone(),
            },
            // Other storages have no roles: there a missing key is a mistake.
            (None, None) if endpoint.is_none() => S3Credentials::Role,
            _ => {
                let why = "the bucket needs an access key; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or \
                           s3_access_key_id and s3_secret_access_key in the configuration file";
                return Err(wrong(setting, why));
            }
        };
        let region = self.region.clone().unwrap_or_else(|| DEFAULT_REGION.to_owned());
        Ok(S3Bucket { name: name.to_owned(), prefix: prefix.to_owned(), endpoint, region, credentials })
    }
}

impl S3Bucket {
    /// Returns the bucket with a folder below its prefix.
    #[must_use]
    pub fn folder(&self, name: &str) -> Self {
        let prefix = format!("{}/{name}", self.prefix).trim_start_matches('/').to_owned();
        Self { prefix, ..self.clone() }
    }
}

/// Returns name and prefix of a bucket.
fn split_url(url: &str) -> Option<(&str, &str)> {
    let rest = url.strip_prefix(S3_SCHEME)?;
    let (name, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    let prefix = prefix.trim_matches('/');
    let is_name = NAME_BYTES.contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-_".contains(&byte));
    let is_part = |part: &str| {
        let is_plain = part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte));
        is_plain && !matches!(part, "" | "." | "..")
    };
    (is_name && (prefix.is_empty() || prefix.split('/').all(is_part))).then_some((name, prefix))
}

/// Validates the address of a server, and removes a trailing slash.
fn server_url(text: &str) -> Result<String, String> {
    let wrong = || "it is not the address of a server; write it like http://localhost:9000".to_owned();
    let url: http::Uri = text.parse().map_err(|_| wrong())?;
    let is_web = matches!(url.scheme_str(), Some("http" | "https"));
    let is_bare = matches!(url.path(), "" | "/") && url.query().is_none();
    let has_login = url.authority().is_some_and(|server| server.as_str().contains('@'));
    (is_web && is_bare && !has_login && url.host().is_some())
        .then(|| text.trim_end_matches('/').to_owned())
        .ok_or_else(wrong)
}
