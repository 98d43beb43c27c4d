//! Backups that the server writes by itself: the section `[backup]` of the configuration file.

use super::{S3Access, S3Bucket};
use crate::process::{cli_error::CliError, human_duration::HumanDuration};
use serde::Deserialize;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// Shortest interval between two backups.
const MIN_INTERVAL: Duration = Duration::from_secs(600);
/// Longest interval between two backups.
const MAX_INTERVAL: Duration = Duration::from_secs(31 * 86_400);

/// Name of the setting that says where to.
pub const BACKUP_TO: &str = "backup.to";

/// When backups are written, where to, and which are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupSettings {
    /// Whether the server writes backups by itself.
    pub enabled: bool,
    /// Interval between two backups.
    pub every: Duration,
    /// Which backups are kept.
    pub keep: KeepRule,
    /// Folder of the backups, and of their temporary files; created if missing.
    pub to: PathBuf,
    /// Bucket of the backups; `None`: they stay in the folder.
    pub bucket: Option<S3Bucket>,
}

/// Which backups are kept: the newest of each of the last days, weeks and months that have one. The
/// newest of all is always kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeepRule {
    /// Number of days.
    pub daily: u16,
    /// Number of weeks.
    pub weekly: u16,
    /// Number of months.
    pub monthly: u16,
}

/// The section in the file. An unknown name is an error.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BackupSection {
    enabled: Option<bool>,
    every: Option<HumanDuration>,
    keep: Option<KeepSection>,
    to: Option<PathBuf>,
}

/// `keep` in the file.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeepSection {
    daily: Option<u16>,
    weekly: Option<u16>,
    monthly: Option<u16>,
}

impl BackupSettings {
    /// Returns the defaults for a data folder: daily, seven days and four weeks, into `backups`.
    #[must_use]
    pub fn in_data(data: &Path) -> Self {
        Self {
            enabled: true,
            every: Duration::from_secs(86_400),
            keep: KeepRule { daily: 7, weekly: 4, monthly: 0 },
            to: data.join("backups"),
            bucket: None,
        }
    }

    /// Merges the section with the defaults.
    pub(super) fn decide(
        section: Option<BackupSection>,
        data: &Path,
        s3: &S3Access,
    ) -> Result<Self, CliError> {
        let (plain, section) = (Self::in_data(data), section.unwrap_or_default());
        let keep = section.keep.unwrap_or_default();
        let to = section.to.filter(|to| !to.as_os_str().is_empty());
        let url = to.as_ref().and_then(|to| to.to_str()).filter(|to| to.contains("://"));
        let bucket = url.map(|url| s3.bucket(BACKUP_TO, url)).transpose()?;
        let settings = Self {
            enabled: section.enabled.unwrap_or(plain.enabled),
            every: section.every.map_or(plain.every, |every| every.0),
            keep: KeepRule {
                daily: keep.daily.unwrap_or(plain.keep.daily),
                weekly: keep.weekly.unwrap_or(plain.keep.weekly),
                monthly: keep.monthly.unwrap_or(plain.keep.monthly),
            },
            to: to.filter(|_| bucket.is_none()).unwrap_or(plain.to),
            bucket,
        };
        if (MIN_INTERVAL..=MAX_INTERVAL).contains(&settings.every) {
            return Ok(settings);
        }
        Err(CliError::Usage("backup.every: it must be between 10m and 31d".to_owned()))
    }

    /// Interval between two backups, milliseconds.
    #[must_use]
    pub fn every_ms(&self) -> i64 {
        HumanDuration(self.every).millis()
    }
}
