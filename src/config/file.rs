//! The file with settings.

use super::{Address, LimitFlags, LogFormat, SecretText};
use crate::{channels::guard::Listed, span::Span, trouble::Trouble};
use domain::engine::NodeRole;
use serde::Deserialize;
use std::{
    net::IpAddr,
    path::{Path, PathBuf},
};

/// The same settings in the file. A name that is not one of them is refused.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InFile {
    pub data: Option<PathBuf>,
    pub database_url: Option<Address>,
    pub redis_url: Option<Address>,
    pub redis_ca_certs: Option<PathBuf>,
    pub buckets: Option<u16>,
    pub log: Option<LogFormat>,
    pub log_level: Option<String>,
    pub otlp_url: Option<String>,
    pub listen: Option<String>,
    pub public_url: Option<String>,
    pub role: Option<NodeRole>,
    pub window: Option<Span>,
    pub connections: Option<u32>,
    pub node: Option<String>,
    pub proxies: Option<Vec<IpAddr>>,
    pub hosts: Option<Vec<Listed>>,
    pub requests_per_second: Option<u32>,
    pub mib_per_day: Option<u32>,
    pub streams_per_person: Option<u32>,
    pub clients_per_address: Option<u32>,
    pub clients: Option<u32>,
    pub secret_key: Option<SecretText>,
    pub webhook_allow_private: Option<bool>,
    pub webhook_allow_http: Option<bool>,
    pub egress_hosts: Option<Vec<Listed>>,
    pub extra_ca_certs: Option<PathBuf>,
}

impl InFile {
    /// Whether other users of the machine should not read it.
    pub(super) fn has_secrets(&self) -> bool {
        let addresses = [&self.database_url, &self.redis_url];
        let has_password = |url: &Address| url.0.contains('@') || url.0.contains("password=");
        self.secret_key.is_some() || addresses.into_iter().flatten().any(has_password)
    }

    /// The limits among them.
    pub fn limits(&self) -> LimitFlags {
        LimitFlags {
            requests_per_second: self.requests_per_second,
            mib_per_day: self.mib_per_day,
            streams_per_person: self.streams_per_person,
            clients_per_address: self.clients_per_address,
            clients: self.clients,
        }
    }
}

/// The file and its settings. Absent is fine unless it was asked for by name.
pub(super) fn read_file(asked: Option<&Path>, data: &Path) -> Result<(PathBuf, InFile), Trouble> {
    let path = asked.map_or_else(|| data.join("presstime.toml"), Path::to_path_buf);
    if asked.is_none() && !path.exists() {
        return Ok((path, InFile::default()));
    }
    let wrong = |why: config::ConfigError| {
        Trouble::Usage(format!("the settings in {} cannot be read: {why}", path.display()))
    };
    let settings = config::Config::builder()
        .add_source(config::File::from(path.clone()).format(config::FileFormat::Toml))
        .build()
        .and_then(config::Config::try_deserialize)
        .map_err(wrong)?;
    Ok((path, settings))
}
