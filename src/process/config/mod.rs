//! All settings, their defaults and their meaning. The only code that reads the environment.
//!
//! A setting can be given in three places; later ones override earlier ones: the file
//! `DATA/presstime.toml` (or `--config FILE`), an environment variable, a flag. The names
//! correspond: `--database-url`, `PRESSTIME_DATABASE_URL`, `database_url`.

mod address;
mod backup;
mod certificate;
mod file;
mod https;
mod limits;
mod log_format;
mod media;
mod s3;
mod storage;

pub use crate::process::config::address::{LinkFlags, ListenFlag, NodeFlag};
pub use crate::process::redacted::{Address, SecretText};
pub use backup::{BACKUP_TO, BackupSettings, KeepRule};
pub use certificate::{CertificateFiles, CertificateFlags};
pub use https::{Https, HttpsFlags};
pub use limits::{LimitFlags, Limits};
pub use log_format::LogFormat;
pub use media::{MediaFlags, MediaPlace};
pub use s3::{S3_SCHEME, S3Access, S3Bucket, S3Credentials};
pub use storage::Storage;

use crate::process::client::ProxyNetwork;
use crate::process::config::address::{REDIS_SCHEMES, host_name, listen_address, public_address};
use crate::process::{cli_error::CliError, host_rule::HostRule, human_duration::HumanDuration};
use clap::Args;
use domain::engine::NodeRole;
use file::read_file;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// Settings for serving pages, accepted by `serve` and `doctor`.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Serving")]
pub struct Serving {
    /// Role of this node: pages and API, the engine, or both [default: all] [possible values: web,
    /// work, all]
    #[arg(long, env = "PRESSTIME_ROLE", value_name = "ROLE", hide_possible_values = true)]
    pub role: Option<NodeRole>,
    /// Address and port to listen on [default: 127.0.0.1:3000]
    #[arg(long, env = "PRESSTIME_LISTEN", value_name = "ADDR", value_parser = listen_address)]
    listen: Option<String>,
    /// Maximum number of database connections for pages and the API [default: 8]
    #[arg(long, env = "PRESSTIME_CONNECTIONS", value_name = "N")]
    connections: Option<u32>,
    /// Addresses and networks of trusted proxies, separated by commas; their X-Forwarded-For is used
    #[arg(long, env = "PRESSTIME_PROXIES", value_name = "IP", value_delimiter = ',')]
    proxies: Option<Vec<ProxyNetwork>>,
    /// Additional host names of this server, besides the host of --public-url and the machine's
    /// own, separated by commas: names, *.example.org for all subdomains, literal addresses
    #[arg(long, env = "PRESSTIME_HOSTS", value_name = "HOSTS", value_delimiter = ',')]
    hosts: Option<Vec<HostRule>>,
    #[command(flatten)]
    https: HttpsFlags,
    /// Limits for clients.
    #[command(flatten)]
    limits: LimitFlags,
    /// Engine settings.
    #[command(flatten)]
    pub working: Working,
}

/// Engine settings, accepted by `serve`, `work` and `doctor`.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Engine")]
pub struct Working {
    /// Name of this node in the log and in execution records [default: the host name]
    #[arg(long, env = "PRESSTIME_NODE", value_name = "NAME")]
    node: Option<String>,
    /// How far ahead tasks are loaded into the future set, e.g. 90s, 5m, 1h [default: 5m]
    #[arg(long, env = "PRESSTIME_WINDOW", value_name = "TIME")]
    window: Option<HumanDuration>,
    /// Public base URL, for links (also in mails) and cookies; with https, cookies are Secure
    /// [default: http://LISTEN]
    #[arg(long, env = "PRESSTIME_PUBLIC_URL", value_name = "URL", value_parser = public_address)]
    public_url: Option<String>,
    /// Allow messages (webhooks, mail, SMS) to private addresses, including this machine
    #[arg(long, env = "PRESSTIME_WEBHOOK_ALLOW_PRIVATE", num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    webhook_allow_private: Option<bool>,
    /// Allow webhooks and SMS without encryption (http)
    #[arg(long, env = "PRESSTIME_WEBHOOK_ALLOW_HTTP", num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    webhook_allow_http: Option<bool>,
    /// The only hosts to which messages (webhooks, mail, SMS, AMQP) may be sent, separated by
    /// commas: names, *.example.org for all subdomains, literal addresses [default: any]
    #[arg(long, env = "PRESSTIME_EGRESS_HOSTS", value_name = "HOSTS", value_delimiter = ',')]
    egress_hosts: Option<Vec<HostRule>>,
}

impl Serving {
    /// Returns the settings of a node that runs the engine and serves no pages.
    #[must_use]
    pub fn of_worker(working: Working) -> Self {
        Self { role: Some(NodeRole::Work), working, ..Self::default() }
    }
}

/// The effective settings. `Debug` prints no passwords.
#[derive(Debug, Clone)]
pub struct Config {
    /// Folder for the database and the configuration file.
    pub data: PathBuf,
    /// PostgreSQL; `None`: the SQLite file in [`Config::data`].
    pub database_url: Option<Address>,
    /// Redis or Valkey; `None`: the hints are kept in this process.
    pub redis_url: Option<Address>,
    /// CA certificates to trust for Redis, instead of the public ones.
    pub redis_ca_certs: Option<PathBuf>,
    /// Prefix of the keys in Redis; `None`: the default. Not a flag; it separates tests that share
    /// a server.
    pub redis_tag: Option<String>,
    /// Number of shards of the future set and the publish list.
    pub buckets: u16,
    /// The configuration file, if it contains secrets.
    pub file_with_secrets: Option<PathBuf>,
    /// Format of the log.
    pub log: LogFormat,
    /// Log level or filter.
    pub log_level: String,
    /// Trace collector; `None`: no traces.
    pub otlp_url: Option<String>,
    /// Address and port to listen on.
    pub listen: String,
    /// HTTPS without a proxy.
    pub https: Https,
    /// Public base URL without a trailing slash; `None`: the scheme and the bound address.
    pub public_url: Option<String>,
    /// How far ahead tasks are loaded into the future set.
    pub window: Duration,
    /// Database connections for pages and the API.
    pub connections: u32,
    /// Timeout for PostgreSQL statements. Not a flag; tests set a shorter one.
    pub statement_timeout: Duration,
    /// Name of this node.
    pub node: String,
    /// Role of this node.
    pub role: NodeRole,
    /// Trusted proxies, whose `X-Forwarded-For` is used.
    pub proxies: Vec<ProxyNetwork>,
    /// Additional host names of this server.
    pub hosts: Vec<HostRule>,
    /// Limits for clients.
    pub limits: Limits,
    /// Text from which the key for the secrets of channels is derived; `None`: a file in
    /// [`Config::data`], none with PostgreSQL.
    pub secret_key: Option<SecretText>,
    /// Whether messages may be sent to private addresses.
    pub webhook_allow_private: bool,
    /// Whether webhooks and SMS may be sent without encryption.
    pub webhook_allow_http: bool,
    /// The only hosts to which messages may be sent; empty: any.
    pub egress_hosts: Vec<HostRule>,
    /// Additional CA certificates to trust.
    pub extra_ca_certs: Option<PathBuf>,
    /// Whether a backup is written before a migration.
    pub upgrade_backup: bool,
    /// Where uploaded pictures and files are stored.
    pub media: MediaPlace,
    /// Server and key of buckets.
    pub s3: S3Access,
    /// Backups that the server writes by itself.
    pub backup: BackupSettings,
}

impl Config {
    /// Returns the default settings for a data folder: SQLite and hints in the process.
    #[must_use]
    pub fn new(data: impl Into<PathBuf>) -> Self {
        let data: PathBuf = data.into();
        Self {
            backup: BackupSettings::in_data(&data),
            data,
            database_url: None,
            redis_url: None,
            redis_ca_certs: None,
            redis_tag: None,
            buckets: queue::DEFAULT_BUCKETS,
            file_with_secrets: None,
            log: LogFormat::Human,
            log_level: "info".to_owned(),
            otlp_url: None,
            listen: "127.0.0.1:3000".to_owned(),
            https: Https::default(),
            public_url: None,
            window: Duration::from_secs(300),
            connections: 8,
            statement_timeout: store::SILENCE_TIMEOUT,
            node: host_name(),
            role: NodeRole::All,
            proxies: Vec::new(),
            hosts: Vec::new(),
            limits: Limits::default(),
            secret_key: None,
            webhook_allow_private: false,
            webhook_allow_http: false,
            egress_hosts: Vec::new(),
            extra_ca_certs: None,
            upgrade_backup: true,
            media: MediaPlace::Folder,
            s3: S3Access::default(),
        }
    }

    /// Merges the settings: flags and environment (already merged by clap) override the file, the
    /// file overrides the defaults.
    pub fn decide(storage: &Storage, serving: &Serving) -> Result<Self, CliError> {
        let working = &serving.working;
        let storage = storage.with_secrets_of_files()?;
        let data = named(storage.data.clone());
        let (path, file) =
            read_file(storage.config.as_deref(), data.as_deref().unwrap_or(Path::new("data")))?;
        let file_with_secrets = file.has_secrets().then_some(path);
        let limits = Limits::decide(&serving.limits, &file.limits());
        let https = Https::decide(&serving.https, file.https())?;
        let media_in_file = file.media();
        let media = storage.media.place(&media_in_file)?;
        let s3 = storage.media.access(&media_in_file);
        let plain = Self::new(data.or(file.data).unwrap_or_else(|| PathBuf::from("data")));
        let backup = BackupSettings::decide(file.backup, &plain.data, &s3)?;
        let private = working.webhook_allow_private.or(file.webhook_allow_private);
        let config = Self {
            database_url: given(storage.database_url.clone().or(file.database_url)),
            redis_url: given(storage.redis_url.clone().or(file.redis_url)),
            redis_ca_certs: named(storage.redis_ca_certs.clone().or(file.redis_ca_certs)),
            buckets: storage.buckets.or(file.buckets).unwrap_or(plain.buckets),
            file_with_secrets,
            log: storage.log.or(file.log).unwrap_or_default(),
            log_level: storage.log_level.clone().or(file.log_level).unwrap_or(plain.log_level),
            otlp_url: storage.otlp_url.clone().or(file.otlp_url).filter(|url| !url.is_empty()),
            listen: serving.listen.clone().or(file.listen).unwrap_or(plain.listen),
            https,
            public_url: working.public_url.clone().or(file.public_url),
            window: working.window.or(file.window).map_or(plain.window, |span| span.0),
            connections: serving.connections.or(file.connections).unwrap_or(plain.connections),
            node: working.node.clone().or(file.node).unwrap_or(plain.node),
            role: serving.role.or(file.role).unwrap_or_default(),
            proxies: serving.proxies.clone().or(file.proxies).unwrap_or_default(),
            hosts: serving.hosts.clone().or(file.hosts).unwrap_or_default(),
            limits,
            secret_key: storage.secret_key.clone().or(file.secret_key).filter(|key| !key.0.is_empty()),
            webhook_allow_private: private.unwrap_or(false),
            webhook_allow_http: working.webhook_allow_http.or(file.webhook_allow_http).unwrap_or(false),
            egress_hosts: working.egress_hosts.clone().or(file.egress_hosts).unwrap_or_default(),
            extra_ca_certs: named(storage.extra_ca_certs.clone().or(file.extra_ca_certs)),
            upgrade_backup: !storage.no_upgrade_backup.or(file.no_upgrade_backup).unwrap_or(false),
            media,
            s3,
            backup,
            ..plain
        };
        config.checked()
    }

    /// Returns the settings of a service with this configuration file. `data`: its data folder; `None`:
    /// the file names it. The environment of this process does not count.
    pub fn of_service(file: &Path, data: Option<PathBuf>) -> Result<Self, CliError> {
        let storage = Storage { config: Some(file.to_owned()), data, ..Storage::default() };
        Self::decide(&storage, &Serving::default())
    }

    /// The database URL for the store.
    #[must_use]
    pub fn database(&self) -> String {
        match &self.database_url {
            Some(url) => url.0.clone(),
            None => format!("sqlite:{}", self.database_file().display()),
        }
    }

    /// The SQLite file, used if no database URL is given.
    #[must_use]
    pub fn database_file(&self) -> PathBuf {
        self.data.join("presstime.db")
    }

    /// Whether the database is PostgreSQL.
    #[must_use]
    pub fn is_postgres(&self) -> bool {
        self.database_url.as_ref().is_some_and(|url| url.0.starts_with("postgres"))
    }

    /// Validates values that may come from the file as well as from flags.
    fn checked(mut self) -> Result<Self, CliError> {
        let usage = |name: &str, why: String| CliError::Usage(format!("{name}: {why}"));
        let wrong = |name: &str, why: String| Err(usage(name, why));
        if !(1..=256).contains(&self.buckets) {
            return wrong("buckets", format!("{} is not between 1 and 256", self.buckets));
        }
        if !(1..=200).contains(&self.connections) {
            return wrong("connections", format!("{} is not between 1 and 200", self.connections));
        }
        if let Some(name) = self.limits.zero() {
            return wrong(name, "it must be at least 1".to_owned());
        }
        if !(1..=86_400).contains(&self.window.as_secs()) {
            return wrong("window", "it must be between 1s and 24h".to_owned());
        }
        if let Some(url) = &self.database_url
            && !["postgres://", "postgresql://", "sqlite:"].iter().any(|scheme| url.0.starts_with(scheme))
        {
            return wrong(
                "database-url",
                format!("{url} is not a database URL; write it like postgres://user:password@host/name"),
            );
        }
        if let Some(url) = &self.redis_url
            && !REDIS_SCHEMES.iter().any(|scheme| url.0.starts_with(scheme))
        {
            let why = format!("{url} is not a Redis URL; write it like redis://host:6379/0");
            return wrong("redis-url", why);
        }
        if let (Some(_), Some(url)) = (&self.redis_ca_certs, &self.redis_url)
            && !url.0.starts_with("rediss")
        {
            return wrong("redis-ca-certs", format!("{url} does not use encryption; use rediss://"));
        }
        if self.secret_key.as_ref().is_some_and(|key| key.0.trim().len() < SecretText::SHORTEST) {
            return wrong("secret-key", format!("it needs {}", SecretText::ADVICE));
        }
        self.listen = listen_address(&self.listen).map_err(|why| usage("listen", why))?;
        self.public_url = match self.public_url.filter(|url| !url.is_empty()) {
            Some(url) => Some(public_address(&url).map_err(|why| usage("public-url", why))?),
            None => None,
        };
        self.https.check(self.public_url.as_deref())?;
        Ok(self)
    }
}

/// Treats an empty URL as not set: an empty environment variable unsets a setting.
fn given(address: Option<Address>) -> Option<Address> {
    address.filter(|address| !address.0.is_empty())
}

/// Treats an empty path as not set.
fn named(path: Option<PathBuf>) -> Option<PathBuf> {
    path.filter(|path| !path.as_os_str().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_never_shows_its_password() {
        let address = Address("postgres://anna:s3cr@t@db.example/desk?password=x".to_owned());
        assert_eq!(
            format!("{address:?} {address}"),
            "postgres://…@db.example/desk postgres://…@db.example/desk"
        );
        let config = Config { redis_url: Some(Address("redis://:pw@host/0".to_owned())), ..Config::new("d") };
        assert!(!format!("{config:?}").contains("pw@"));
    }
}
