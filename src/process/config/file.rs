//! The configuration file.

use super::{
    Address, CertificateFlags, HttpsFlags, LimitFlags, LogFormat, MediaFlags, SecretText,
    backup::BackupSection,
};
use crate::process::{
    cli_error::CliError, client::ProxyNetwork, host_rule::HostRule, human_duration::HumanDuration,
};
use domain::engine::NodeRole;
use serde::{Deserialize, Deserializer, de::Error as _};
use std::{
    fmt::Display,
    path::{Path, PathBuf},
    str::FromStr,
};

/// The settings in the configuration file. An unknown name is an error.
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
    pub tls_cert: Option<PathBuf>,
    pub tls_key: Option<PathBuf>,
    pub http_redirect: Option<String>,
    pub public_url: Option<String>,
    pub role: Option<NodeRole>,
    pub window: Option<HumanDuration>,
    pub connections: Option<u32>,
    pub node: Option<String>,
    #[serde(default, deserialize_with = "list")]
    pub proxies: Option<Vec<ProxyNetwork>>,
    #[serde(default, deserialize_with = "list")]
    pub hosts: Option<Vec<HostRule>>,
    pub requests_per_second: Option<u32>,
    pub mib_per_day: Option<u32>,
    pub streams_per_person: Option<u32>,
    pub clients_per_address: Option<u32>,
    pub clients: Option<u32>,
    pub secret_key: Option<SecretText>,
    pub webhook_allow_private: Option<bool>,
    pub webhook_allow_http: Option<bool>,
    #[serde(default, deserialize_with = "list")]
    pub egress_hosts: Option<Vec<HostRule>>,
    pub extra_ca_certs: Option<PathBuf>,
    pub no_upgrade_backup: Option<bool>,
    pub media_url: Option<String>,
    pub s3_endpoint: Option<String>,
    pub s3_region: Option<String>,
    pub s3_access_key_id: Option<String>,
    pub s3_secret_access_key: Option<SecretText>,
    pub backup: Option<BackupSection>,
}

impl InFile {
    /// Whether it contains secrets, so that other users of the machine must not read it.
    pub(super) fn has_secrets(&self) -> bool {
        let addresses = [&self.database_url, &self.redis_url];
        let has_password = |url: &Address| url.0.contains('@') || url.0.contains("password=");
        let has_key = self.secret_key.is_some() || self.s3_secret_access_key.is_some();
        has_key || addresses.into_iter().flatten().any(has_password)
    }

    /// Where uploaded files are stored.
    pub fn media(&self) -> MediaFlags {
        MediaFlags {
            media_url: self.media_url.clone(),
            s3_endpoint: self.s3_endpoint.clone(),
            s3_region: self.s3_region.clone(),
            s3_access_key_id: self.s3_access_key_id.clone(),
            s3_secret_access_key: self.s3_secret_access_key.clone(),
            // Too short-lived for a file.
            s3_session_token: None,
        }
    }

    /// HTTPS without a proxy.
    pub fn https(&self) -> HttpsFlags {
        let certificate = CertificateFlags { tls_cert: self.tls_cert.clone(), tls_key: self.tls_key.clone() };
        HttpsFlags { certificate, http_redirect: self.http_redirect.clone() }
    }

    /// The limits in the file.
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

/// A list in the file: texts, or one text with commas as a flag has it.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a list of texts, or one text with commas")]
enum TextList {
    Commas(String),
    Texts(Vec<String>),
}

/// Reads a list of values.
fn list<'de, D, T>(input: D) -> Result<Option<Vec<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: Display>,
{
    let texts = match TextList::deserialize(input)? {
        TextList::Commas(text) => text.split(',').map(str::to_owned).collect(),
        TextList::Texts(texts) => texts,
    };
    let texts = texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty());
    texts.map(|text| text.parse().map_err(D::Error::custom)).collect::<Result<_, _>>().map(Some)
}

/// Reads the configuration file and returns its path. A missing file is an error only if it was
/// given explicitly.
pub(super) fn read_file(asked: Option<&Path>, data: &Path) -> Result<(PathBuf, InFile), CliError> {
    let path = asked.map_or_else(|| data.join("presstime.toml"), Path::to_path_buf);
    if asked.is_none() && !path.exists() {
        return Ok((path, InFile::default()));
    }
    let wrong = |why: config::ConfigError| {
        CliError::Usage(format!("the settings in {} cannot be read: {}", path.display(), reason(&why)))
    };
    let settings = config::Config::builder()
        .add_source(config::File::from(path.clone()).format(config::FileFormat::Toml))
        .build()
        .and_then(config::Config::try_deserialize)
        .map_err(wrong)?;
    Ok((path, settings))
}

/// Returns the reason on one line. For a syntax error: line, column and the last sentence, without the
/// excerpt of the file, which may contain a secret.
fn reason(error: &config::ConfigError) -> String {
    let config::ConfigError::FileParse { cause, .. } = error else { return error.to_string() };
    let text = cause.to_string();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    match (lines.next(), lines.next_back()) {
        (Some(place), Some(sentence)) => format!("{place}: {sentence}"),
        _ => text.trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Config, KeepRule, Limits, Serving, Storage};
    use super::*;

    /// Returns the settings that a text in the configuration file gives.
    fn settings(text: &str) -> Result<Config, CliError> {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("settings.toml");
        std::fs::write(&file, text).expect("a file");
        Config::decide(&Storage { config: Some(file), ..Storage::default() }, &Serving::default())
    }

    #[test]
    fn a_list_is_an_array_or_a_text_with_commas() {
        let one: HostRule = "desk.test".parse().expect("a host");
        let all: HostRule = "*.foo.test".parse().expect("a rule");
        for name in ["hosts", "egress_hosts"] {
            for value in
                ["\"desk.test,*.foo.test\"", "\"desk.test, *.foo.test\"", "[\"desk.test\", \"*.foo.test\"]"]
            {
                let config = settings(&format!("{name} = {value}\n")).expect("it is read");
                let hosts = if name == "hosts" { config.hosts } else { config.egress_hosts };
                assert_eq!(hosts, [one.clone(), all.clone()], "{name} = {value}");
            }
        }
        let config = settings("proxies = \"10.0.0.0/8,::1\"\n").expect("it is read");
        assert_eq!(config.proxies.len(), 2);
        for wrong in [
            "hosts = \"desk.test,a b\"",
            "hosts = 3",
            "proxies = [\"the-proxy\"]",
            "proxies = \"10.0.0.0/40\"",
        ] {
            assert!(matches!(settings(wrong), Err(CliError::Usage(_))), "{wrong}");
        }
    }

    #[test]
    fn the_example_in_the_documentation_is_valid() {
        let text = include_str!("../../../docs/OPERATIONS.md");
        let (_, rest) = text.split_once("```toml\n").expect("an example");
        let (example, _) = rest.split_once("```").expect("its end");
        let config = settings(example).expect("it is read");
        assert_eq!(config.public_url.as_deref(), Some("https://desk.example.org"));
        assert_eq!((config.hosts.len(), config.egress_hosts.len(), config.proxies.len()), (2, 2, 1));
        assert!(config.is_postgres() && config.redis_url.is_some());
    }

    #[test]
    fn the_settings_of_the_package_are_valid_as_they_are_and_with_every_example() {
        let text = include_str!("../../../xtask/package/presstime.toml");
        let config = settings(text).expect("it is read");
        assert_eq!(config.data, Path::new("/var/lib/presstime"));
        let plain = Config::new("/var/lib/presstime");
        assert_eq!((config.listen, config.limits, config.connections), (plain.listen, plain.limits, 8));
        let examples = text.lines().map(|line| line.strip_prefix('#').unwrap_or(line));
        // A bucket needs the feature s3; secrets have no example.
        let is_example = |line: &&str| {
            (line.contains(" = ") || line.starts_with('[')) && !line.contains("s3") && !line.ends_with("\"\"")
        };
        let examples: Vec<&str> = examples.filter(is_example).collect();
        let config = settings(&examples.join("\n")).expect("it is read");
        assert!(config.is_postgres() && config.redis_url.is_some() && config.proxies.len() == 2);
        assert_eq!((config.limits, config.log), (Limits::default(), LogFormat::Human));
        assert_eq!(config.backup, plain.backup);
    }

    #[test]
    fn the_section_backup_changes_what_it_names() {
        let plain = Config::new("data").backup;
        assert_eq!(settings("").expect("it is read").backup, plain);
        let text = "[backup]\nevery = \"12h\"\nkeep = { weekly = 8, monthly = 12 }\nto = \"/srv/copies\"\n";
        let backup = settings(text).expect("it is read").backup;
        assert_eq!((backup.every_ms(), backup.enabled), (43_200_000, true));
        assert_eq!(backup.keep, KeepRule { daily: plain.keep.daily, weekly: 8, monthly: 12 });
        assert_eq!(backup.to, Path::new("/srv/copies"));
        assert!(!settings("[backup]\nenabled = false\n").expect("it is read").backup.enabled);
        assert_eq!(backup.bucket, None);
        let keys = "s3_access_key_id = \"desk\"\ns3_secret_access_key = \"a secret\"\n";
        let bucket =
            settings(&format!("{keys}[backup]\nto = \"s3://copies/desk\"\n")).expect("it is read").backup;
        assert_eq!(bucket.to, plain.to, "temporary files stay in the data folder");
        assert_eq!(bucket.bucket.map(|bucket| bucket.to_string()).as_deref(), Some("s3://copies/desk"));
        for wrong in [
            "every = \"5m\"",
            "every = 3",
            "keep = { yearly = 1 }",
            "folder = \"x\"",
            "to = \"https://a.test/b\"",
        ] {
            let refused = settings(&format!("[backup]\n{wrong}\n"));
            assert!(matches!(refused, Err(CliError::Usage(_))), "{wrong}");
        }
    }

    #[test]
    fn a_file_of_a_windows_editor_is_read() {
        let config = settings("\u{feff}listen = \"127.0.0.1:1\"\r\n[backup]\r\nenabled = false\r\n");
        let config = config.expect("it is read");
        assert_eq!((config.listen.as_str(), config.backup.enabled), ("127.0.0.1:1", false));
        let unknown = settings("\u{feff}lisen = \"127.0.0.1:1\"\r\n").map(drop);
        assert!(unknown.is_err_and(|why| why.to_string().contains("lisen")));
    }

    #[test]
    fn a_syntax_error_names_line_and_column_without_an_excerpt() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("presstime.toml"), "buckets = 4\nsecret_key: hidden\n")
            .expect("a file");
        let Err(CliError::Usage(text)) = read_file(None, folder.path()) else { panic!("it was read") };
        assert!(text.contains("line 2, column ") && !text.contains(['\n', '|']), "{text}");
        assert!(!text.contains("hidden"), "{text}");
    }
}
