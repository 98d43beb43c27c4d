//! Settings of the desk as a whole.

use crate::person::Language;
use serde::{Deserialize, Serialize};

/// What the desk is called and where it lives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeskSettings {
    /// Title of the desk and the public site.
    pub title: String,
    /// IANA zone of the desk and the public site.
    pub zone: String,
    /// Language of the public site, and of people who have not chosen.
    pub language: Language,
}
