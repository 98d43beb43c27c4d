//! What is in force for the queue: the settings of kinds, and who changed them and those of channels.

use crate::{ChannelId, Timestamp, kind::KindLimit};
use serde::{Deserialize, Serialize};

/// Who changed a setting, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettingChange {
    /// Name of the account at that time.
    pub by: String,
    /// When.
    pub at: Timestamp,
}

/// What is in force for the tasks of a kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindSettings {
    /// The kind, and what is set for it.
    pub limit: KindLimit,
    /// How late its tasks may be executed if nothing is set, milliseconds.
    pub default_grace_ms: i64,
    /// Whether an admin may set it: not if something else says it for each task.
    pub has_common_grace: bool,
    /// The last change of the settings; `None`: it was never set, or that is no longer known.
    pub change: Option<SettingChange>,
}

/// What is in force for tasks, and who changed the settings of channels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueReport {
    /// Each kind of this release.
    pub kinds: Vec<KindSettings>,
    /// The last change of the settings of each channel.
    pub channels: Vec<(ChannelId, SettingChange)>,
}
