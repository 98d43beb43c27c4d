//! Settings of the site.

use crate::account::Language;
use serde::{Deserialize, Serialize};

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
