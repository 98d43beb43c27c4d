//! Where uploaded pictures and files are stored: in the data folder, or in a bucket of S3-compatible
//! storage.

use super::{Address, SecretText};
use crate::process::cli_error::CliError;
use clap::Args;
use std::fmt;

/// Scheme of the address of a bucket.
const SCHEME: &str = "s3://";
/// Lengths of a bucket's name, in bytes.
const NAME_BYTES: std::ops::RangeInclusive<usize> = 3..=63;
/// Region of storages that have none.
const DEFAULT_REGION: &str = "us-east-1";

/// The settings as flags and in the file.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Storage")]
pub struct MediaFlags {
    /// Bucket of S3-compatible storage for uploaded pictures and files, instead of the folder media
    /// in DATA, e.g. s3://bucket/prefix; requires a build with the feature s3
    #[arg(long, global = true, env = "PRESSTIME_MEDIA_URL", value_name = "URL")]
    pub(super) media_url: Option<String>,
    /// Address of the storage of --media-url, e.g. http://localhost:9000 [default: that of AWS]
    #[arg(long, global = true, env = "AWS_ENDPOINT_URL", value_name = "URL")]
    pub(super) s3_endpoint: Option<String>,
    /// Region of the bucket [default: us-east-1]
    #[arg(long, global = true, env = "AWS_REGION", value_name = "NAME")]
    pub(super) s3_region: Option<String>,
    /// Access key that may list, read, write and delete objects in the bucket
    #[arg(long, global = true, env = "AWS_ACCESS_KEY_ID", value_name = "ID", hide_env_values = true)]
    pub(super) s3_access_key_id: Option<String>,
    /// The secret of the access key
    #[arg(long, global = true, env = "AWS_SECRET_ACCESS_KEY", value_name = "TEXT", hide_env_values = true)]
    pub(super) s3_secret_access_key: Option<SecretText>,
    /// Session token of a temporary access key
    #[arg(long, global = true, env = "AWS_SESSION_TOKEN", value_name = "TEXT", hide_env_values = true)]
    pub(super) s3_session_token: Option<SecretText>,
}

/// Where uploaded pictures and files are stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum MediaPlace {
    /// In the folder `media` of the data folder.
    #[default]
    Folder,
    /// In a bucket.
    Bucket(S3Bucket),
}

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
        write!(f, "{SCHEME}{}", self.name)?;
        if !self.prefix.is_empty() {
            write!(f, "/{}", self.prefix)?;
        }
        match &self.endpoint {
            Some(endpoint) => write!(f, " at {endpoint}"),
            None => Ok(()),
        }
    }
}

impl MediaFlags {
    /// Returns the place that flags and file describe. Flags override the file.
    pub(super) fn place(flags: Self, file: Self) -> Result<MediaPlace, CliError> {
        let given = |text: Option<String>| text.filter(|text| !text.is_empty());
        let Some(url) = given(flags.media_url.or(file.media_url)) else { return Ok(MediaPlace::Folder) };
        let wrong = |name: &str, why: &str| Err(CliError::Usage(format!("{name}: {why}")));
        let Some((name, prefix)) = split_url(&url) else {
            let why = format!(
                "{} is not the address of a bucket; write it like s3://bucket/prefix, or leave it out to store \
                 uploaded files in the data folder",
                Address(url.clone())
            );
            return wrong("media-url", &why);
        };
        let endpoint = match given(flags.s3_endpoint.or(file.s3_endpoint)).map(|url| server_url(&url)) {
            Some(Ok(url)) => Some(url),
            Some(Err(why)) => return wrong("s3-endpoint", &why),
            None => None,
        };
        let id = given(flags.s3_access_key_id.or(file.s3_access_key_id));
        let secret = flags.s3_secret_access_key.or(file.s3_secret_access_key);
        let session_token = flags.s3_session_token.or(file.s3_session_token);
        let credentials = match (id, secret.filter(|text| !text.0.is_empty())) {
            (Some(id), Some(secret)) => {
                let session_token = session_token.filter(|text| !text.0.is_empty());
                S3Credentials::Key { id, secret, session_token }
            }
            // Other storages have no roles: there a missing key is a mistake.
            (None, None) if endpoint.is_none() => S3Credentials::Role,
            _ => {
                let why = "the bucket needs an access key; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or \
                           s3_access_key_id and s3_secret_access_key in the configuration file";
                return wrong("media-url", why);
            }
        };
        let region = given(flags.s3_region.or(file.s3_region)).unwrap_or_else(|| DEFAULT_REGION.to_owned());
        let (name, prefix) = (name.to_owned(), prefix.to_owned());
        Ok(MediaPlace::Bucket(S3Bucket { name, prefix, endpoint, region, credentials }))
    }
}

/// Returns name and prefix of a bucket.
fn split_url(url: &str) -> Option<(&str, &str)> {
    let rest = url.strip_prefix(SCHEME)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(url: &str) -> MediaFlags {
        MediaFlags {
            media_url: Some(url.to_owned()),
            s3_access_key_id: Some("desk".to_owned()),
            s3_secret_access_key: Some(SecretText("a secret".to_owned())),
            ..MediaFlags::default()
        }
    }

    fn refusal(flags: MediaFlags) -> String {
        MediaFlags::place(flags, MediaFlags::default()).expect_err("it is wrong").to_string()
    }

    #[test]
    fn a_bucket_has_a_name_a_prefix_and_a_server() {
        let none = MediaFlags::place(MediaFlags::default(), MediaFlags::default());
        assert_eq!(none.ok(), Some(MediaPlace::Folder));
        let file = MediaFlags {
            s3_endpoint: Some("http://localhost:9000/".to_owned()),
            s3_region: Some("eu-west-3".to_owned()),
            ..MediaFlags::default()
        };
        let place = MediaFlags::place(flags("s3://desk-media/a/b/"), file).expect("it is right");
        let MediaPlace::Bucket(bucket) = place else { panic!("{place:?}") };
        assert_eq!((bucket.name.as_str(), bucket.prefix.as_str()), ("desk-media", "a/b"));
        assert_eq!(bucket.to_string(), "s3://desk-media/a/b at http://localhost:9000");
        assert_eq!(bucket.region, "eu-west-3");
        assert!(!format!("{bucket:?}").contains("a secret"));
    }

    #[test]
    fn wrong_settings_are_refused_in_sentences() {
        for wrong in
            ["s3://", "s3://ab", "https://a.example/bucket", "s3://Bucket", "s3://bucket/../a", "bucket"]
        {
            assert!(refusal(flags(wrong)).contains("write it like s3://bucket/prefix"), "{wrong}");
        }
        assert!(!refusal(flags("s3://key:secret@bucket")).contains("secret"));
        for wrong in ["localhost:9000", "ftp://host", "http://host/path", "http://key:secret@host"] {
            let why = refusal(MediaFlags { s3_endpoint: Some(wrong.to_owned()), ..flags("s3://bucket") });
            assert!(why.contains("write it like http://localhost:9000") && !why.contains("secret"), "{why}");
        }
        let keyless = MediaFlags { s3_secret_access_key: None, ..flags("s3://bucket") };
        assert!(refusal(keyless).contains("AWS_SECRET_ACCESS_KEY"));
    }

    #[test]
    fn a_bucket_of_aws_without_a_key_uses_a_role() {
        let credentials = |flags: MediaFlags| match MediaFlags::place(flags, MediaFlags::default()) {
            Ok(MediaPlace::Bucket(bucket)) => bucket.credentials,
            other => panic!("{other:?}"),
        };
        let bare = MediaFlags { media_url: Some("s3://desk-media".to_owned()), ..MediaFlags::default() };
        assert_eq!(credentials(bare.clone()), S3Credentials::Role);
        let elsewhere = MediaFlags { s3_endpoint: Some("http://localhost:9000".to_owned()), ..bare };
        assert!(refusal(elsewhere).contains("needs an access key"));
        let token = Some(SecretText("a session".to_owned()));
        let temporary =
            credentials(MediaFlags { s3_session_token: token.clone(), ..flags("s3://desk-media") });
        assert!(!format!("{temporary:?}").contains("a session"));
        let S3Credentials::Key { session_token, .. } = temporary else { panic!("it has a key") };
        assert_eq!(session_token, token);
    }
}
