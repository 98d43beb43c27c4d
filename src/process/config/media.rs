//! Where uploaded pictures and files are stored: in the data folder, or in a bucket of S3-compatible
//! storage.

use super::{S3Access, S3Bucket, SecretText};
use crate::process::cli_error::CliError;
use clap::Args;

/// The settings as flags and in the file.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Storage")]
pub struct MediaFlags {
    /// Bucket of S3-compatible storage for uploaded pictures and files, instead of the folder media
    /// in DATA, e.g. s3://bucket/prefix; requires a build with the feature s3
    #[arg(long, global = true, env = "PRESSTIME_MEDIA_URL", value_name = "URL")]
    pub(super) media_url: Option<String>,
    /// Address of the storage of --media-url and of backups in a bucket, e.g. http://localhost:9000
    /// [default: that of AWS]
    #[arg(long, global = true, env = "AWS_ENDPOINT_URL", value_name = "URL")]
    pub(super) s3_endpoint: Option<String>,
    /// Region of the buckets [default: us-east-1]
    #[arg(long, global = true, env = "AWS_REGION", value_name = "NAME")]
    pub(super) s3_region: Option<String>,
    /// Access key that may list, read, write and delete objects in the buckets
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

impl MediaFlags {
    /// Returns the place that flags and file describe. Flags override the file.
    pub(super) fn place(&self, file: &Self) -> Result<MediaPlace, CliError> {
        let url = self.media_url.as_ref().or(file.media_url.as_ref()).filter(|url| !url.is_empty());
        let Some(url) = url else { return Ok(MediaPlace::Folder) };
        self.access(file).bucket("media-url", url).map(MediaPlace::Bucket)
    }

    /// Merges what all buckets share; flags override the file. Nothing is checked before a bucket is used.
    pub(super) fn access(&self, file: &Self) -> S3Access {
        let given = |flag: &Option<String>, file: &Option<String>| {
            flag.as_ref().or(file.as_ref()).filter(|text| !text.is_empty()).cloned()
        };
        let secret = |flag: &Option<SecretText>, file: &Option<SecretText>| {
            flag.as_ref().or(file.as_ref()).filter(|text| !text.0.is_empty()).cloned()
        };
        S3Access {
            endpoint: given(&self.s3_endpoint, &file.s3_endpoint),
            region: given(&self.s3_region, &file.s3_region),
            key_id: given(&self.s3_access_key_id, &file.s3_access_key_id),
            key_secret: secret(&self.s3_secret_access_key, &file.s3_secret_access_key),
            session_token: secret(&self.s3_session_token, &file.s3_session_token),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::S3Credentials;
    use super::*;

    fn flags(url: &str) -> MediaFlags {
        MediaFlags {
            media_url: Some(url.to_owned()),
            s3_access_key_id: Some("desk".to_owned()),
            s3_secret_access_key: Some(SecretText("a secret".to_owned())),
            ..MediaFlags::default()
        }
    }

    fn refusal(flags: &MediaFlags) -> String {
        flags.place(&MediaFlags::default()).expect_err("it is wrong").to_string()
    }

    #[test]
    fn a_bucket_has_a_name_a_prefix_and_a_server() {
        let none = MediaFlags::default().place(&MediaFlags::default());
        assert_eq!(none.ok(), Some(MediaPlace::Folder));
        let file = MediaFlags {
            s3_endpoint: Some("http://localhost:9000/".to_owned()),
            s3_region: Some("eu-west-3".to_owned()),
            ..MediaFlags::default()
        };
        let place = flags("s3://desk-media/a/b/").place(&file).expect("it is right");
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
            assert!(refusal(&flags(wrong)).contains("write it like s3://bucket/prefix"), "{wrong}");
        }
        assert!(!refusal(&flags("s3://key:secret@bucket")).contains("secret"));
        for wrong in ["localhost:9000", "ftp://host", "http://host/path", "http://key:secret@host"] {
            let why = refusal(&MediaFlags { s3_endpoint: Some(wrong.to_owned()), ..flags("s3://bucket") });
            assert!(why.contains("write it like http://localhost:9000") && !why.contains("secret"), "{why}");
        }
        let keyless = MediaFlags { s3_secret_access_key: None, ..flags("s3://bucket") };
        assert!(refusal(&keyless).contains("AWS_SECRET_ACCESS_KEY"));
    }

    #[test]
    fn a_bucket_of_aws_without_a_key_uses_a_role() {
        let credentials = |flags: MediaFlags| match flags.place(&MediaFlags::default()) {
            Ok(MediaPlace::Bucket(bucket)) => bucket.credentials,
            other => panic!("{other:?}"),
        };
        let bare = MediaFlags { media_url: Some("s3://desk-media".to_owned()), ..MediaFlags::default() };
        assert_eq!(credentials(bare.clone()), S3Credentials::Role);
        let elsewhere = MediaFlags { s3_endpoint: Some("http://localhost:9000".to_owned()), ..bare };
        assert!(refusal(&elsewhere).contains("needs an access key"));
        let token = Some(SecretText("a session".to_owned()));
        let temporary =
            credentials(MediaFlags { s3_session_token: token.clone(), ..flags("s3://desk-media") });
        assert!(!format!("{temporary:?}").contains("a session"));
        let S3Credentials::Key { session_token, .. } = temporary else { panic!("it has a key") };
        assert_eq!(session_token, token);
    }
}
