//! Differences between two texts.

use serde::{Deserialize, Serialize};

/// One line of a diff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DiffLine {
    /// In both revisions.
    Same(String),
    /// Only in the older revision.
    Removed(String),
    /// Only in the newer revision.
    Added(String),
    /// Number of unchanged lines that are left out.
    Skipped(u32),
}
