//! Settings of the site.

use crate::{
    account::Language,
    base::bulk_outcome::BulkOutcome,
    state::{ParseEnumError, string_enum},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Title, time zone and language of the site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteSettings {
    /// Title of the desk and of the public site.
    pub title: String,
    /// IANA time zone of the desk and of the public site.
    pub zone: String,
    /// Language of the public site, and of accounts without a language of their own.
    pub language: Language,
}

string_enum! {
    /// What becomes of scheduled items that are planned in the desk's time zone when it changes.
    ZoneChange {
        /// They move to the same wall-clock time in the new zone.
        KeepWallClock = "keep_wall_clock",
        /// They keep their instant, and stay planned in the old zone.
        KeepInstant = "keep_instant",
    }
}

/// Changed settings of the site.
#[derive(Debug, Clone, PartialEq)]
pub struct SettingsChange {
    /// The settings.
    pub settings: SiteSettings,
    /// What became of the scheduled items, with the undo of the zone and of all of them.
    pub outcome: BulkOutcome,
}
