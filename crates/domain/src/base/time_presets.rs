//! Presets of the time picker, and the rules by which it reads a typed time.

use super::when::ZoneWindow;
use crate::LocalizedTime;
use serde::{Deserialize, Serialize};

/// A preset of the time picker, in local time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimePreset {
    /// `hour`, `tomorrow` or `monday`.
    pub name: String,
    /// `YYYY-MM-DD`.
    pub date: String,
    /// `HH:MM`.
    pub time: String,
}

/// The presets of the time picker, in one zone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimePresets {
    /// IANA time zone.
    pub zone: String,
    /// In an hour, tomorrow at nine, next Monday at nine.
    pub presets: Vec<TimePreset>,
    /// The rules of the zone, to read a typed time.
    pub rules: ZoneWindow,
    /// The next free posting slot of the desk; `None`: there is none.
    #[serde(default)]
    pub next_slot: Option<LocalizedTime>,
}
