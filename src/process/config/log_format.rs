//! Format of the log.

use clap::ValueEnum;
use serde::Deserialize;

/// Format of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Plain text, one line per event.
    #[default]
    Human,
    /// One JSON object per line.
    Json,
}
