//! Flags for storage, and secrets in files of their own.

use super::{Address, LogFormat, MediaFlags, SecretText, named};
use crate::process::cli_error::CliError;
use clap::Args;
use std::{fs, path::PathBuf};

/// Storage settings, accepted by every command.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Storage")]
pub struct Storage {
    /// Folder for the database and the configuration file; created if missing [default: ./data]
    #[arg(long, global = true, env = "PRESSTIME_DATA", value_name = "DIR")]
    pub(super) data: Option<PathBuf>,
    /// PostgreSQL database to use instead of the SQLite file in DATA, e.g.
    /// postgres://user:password@host/name
    #[arg(long, global = true, env = "PRESSTIME_DATABASE_URL", value_name = "URL", hide_env_values = true)]
    pub(super) database_url: Option<Address>,
    /// Redis or Valkey for the hints, instead of the memory of this process, e.g.
    /// redis://host:6379/0; for a cluster some of its nodes, redis://a:6379,b:6379; for Sentinel
    /// redis+sentinel://a:26379,b:26379/MASTER
    #[arg(long, global = true, env = "PRESSTIME_REDIS_URL", value_name = "URL", hide_env_values = true)]
    pub(super) redis_url: Option<Address>,
    /// PEM file with the CA certificates to trust for rediss://, instead of the public ones
    #[arg(long, global = true, env = "PRESSTIME_REDIS_CA_CERTS", value_name = "FILE")]
    pub(super) redis_ca_certs: Option<PathBuf>,
    /// Number of shards of the future set and the publish list, 1 to 256, used at the first start
    /// only; later see `presstime buckets` [default: 8]
    #[arg(long, global = true, env = "PRESSTIME_BUCKETS", value_name = "N")]
    pub(super) buckets: Option<u16>,
    /// Text from which the key for the secrets of channels is derived: at least 32 characters, for
    /// example from `openssl rand -hex 32`; the same on every node [default: DATA/secret.key; none
    /// with PostgreSQL]
    #[arg(long, global = true, env = "PRESSTIME_SECRET_KEY", value_name = "TEXT", hide_env_values = true)]
    pub(super) secret_key: Option<SecretText>,
    /// Configuration file [default: DATA/presstime.toml, if it exists]
    #[arg(long, global = true, env = "PRESSTIME_CONFIG", value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// Format of the log on standard error [default: human]
    #[arg(long, global = true, env = "PRESSTIME_LOG", value_name = "FORMAT")]
    pub(super) log: Option<LogFormat>,
    /// Log level: error, warn, info, debug, trace, or a filter like `info,sqlx=warn` [default:
    /// info]
    #[arg(long, global = true, env = "PRESSTIME_LOG_LEVEL", value_name = "FILTER")]
    pub(super) log_level: Option<String>,
    /// OpenTelemetry collector for traces (OTLP over HTTP), e.g. http://localhost:4318; requires a
    /// build with the feature otel
    #[arg(long, global = true, env = "PRESSTIME_OTLP_URL", value_name = "URL")]
    pub(super) otlp_url: Option<String>,
    /// PEM file with additional CA certificates to trust for channels, the bucket of --media-url and
    /// the trace collector, besides the public ones
    #[arg(long, global = true, env = "PRESSTIME_EXTRA_CA_CERTS", value_name = "FILE")]
    pub(super) extra_ca_certs: Option<PathBuf>,
    /// Write no backup to DATA/backups before a newer program migrates the database
    #[arg(long, global = true, env = "PRESSTIME_NO_UPGRADE_BACKUP", num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    pub(super) no_upgrade_backup: Option<bool>,
    /// Files with secrets.
    #[command(flatten)]
    pub(super) secret_files: SecretFiles,
    /// Where uploaded files are stored.
    #[command(flatten)]
    pub(super) media: MediaFlags,
}

/// Files that hold the text of another flag, as containers and `LoadCredential` of systemd provide secrets.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Storage")]
pub(super) struct SecretFiles {
    /// File with the text of --database-url
    #[arg(long, global = true, env = "PRESSTIME_DATABASE_URL_FILE", value_name = "FILE")]
    database_url_file: Option<PathBuf>,
    /// File with the text of --redis-url
    #[arg(long, global = true, env = "PRESSTIME_REDIS_URL_FILE", value_name = "FILE")]
    redis_url_file: Option<PathBuf>,
    /// File with the text of --secret-key
    #[arg(long, global = true, env = "PRESSTIME_SECRET_KEY_FILE", value_name = "FILE")]
    secret_key_file: Option<PathBuf>,
    /// File with the text of --s3-secret-access-key
    #[arg(long, global = true, env = "AWS_SECRET_ACCESS_KEY_FILE", value_name = "FILE")]
    s3_secret_access_key_file: Option<PathBuf>,
}

impl Storage {
    /// Returns the settings with the texts of the files that flags and environment name.
    pub(super) fn with_secrets_of_files(&self) -> Result<Self, CliError> {
        let (mut storage, files) = (self.clone(), self.secret_files.clone());
        read("database-url", files.database_url_file, &mut storage.database_url)?;
        read("redis-url", files.redis_url_file, &mut storage.redis_url)?;
        read("secret-key", files.secret_key_file, &mut storage.secret_key)?;
        let s3_secret = &mut storage.media.s3_secret_access_key;
        read("s3-secret-access-key", files.s3_secret_access_key_file, s3_secret)?;
        Ok(storage)
    }
}

/// Sets the value of the flag `name` to the text in a file, without the white space around it.
fn read<T>(name: &str, file: Option<PathBuf>, value: &mut Option<T>) -> Result<(), CliError>
where
    T: From<String> + PartialEq,
{
    let Some(file) = named(file) else { return Ok(()) };
    let wrong = |why: String| Err(CliError::Usage(format!("{name}-file: {why}")));
    // An empty text unsets a setting.
    if value.as_ref().is_some_and(|value| *value != T::from(String::new())) {
        return wrong(format!("{name} is given too; remove one of them"));
    }
    let text = match fs::read_to_string(&file) {
        Ok(text) => text.trim_start_matches('\u{feff}').trim().to_owned(),
        Err(why) => return wrong(format!("{} cannot be read: {why}", file.display())),
    };
    if text.is_empty() {
        return wrong(format!("{} is empty", file.display()));
    }
    *value = Some(T::from(text));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(storage: &Storage) -> String {
        storage.with_secrets_of_files().expect_err("it is refused").to_string()
    }

    #[test]
    fn a_file_holds_the_text_of_a_flag() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("key");
        fs::write(&file, "\u{feff}a long text\r\n").expect("a file");
        let secret_files = SecretFiles { secret_key_file: Some(file.clone()), ..SecretFiles::default() };
        let storage =
            Storage { secret_files, secret_key: Some(SecretText(String::new())), ..Storage::default() };
        let read = storage.with_secrets_of_files().expect("it is read");
        assert_eq!(read.secret_key, Some(SecretText("a long text".to_owned())));

        let both = Storage { secret_key: Some(SecretText("another text".to_owned())), ..storage.clone() };
        let why = refusal(&both);
        assert!(why.contains("secret-key is given too") && !why.contains("text"), "{why}");
        fs::write(&file, "\n").expect("a file");
        assert!(refusal(&storage).ends_with("key is empty"));
        fs::remove_file(&file).expect("it exists");
        assert!(refusal(&storage).contains("cannot be read"));
        let unset = SecretFiles { secret_key_file: Some(PathBuf::new()), ..SecretFiles::default() };
        let unset = Storage { secret_files: unset, ..Storage::default() };
        assert_eq!(unset.with_secrets_of_files().expect("nothing is read").secret_key, None);
    }
}
