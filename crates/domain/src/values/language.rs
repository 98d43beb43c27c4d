//! Languages of the user interface.

use super::state::{ParseEnumError, string_enum};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

string_enum! {
    /// Language of the user interface.
    Language {
        /// English.
        En = "en",
        /// Chinese.
        Zh = "zh",
        /// German.
        De = "de",
    }
}

impl Language {
    /// Its name in the language itself.
    #[must_use]
    pub const fn own_name(self) -> &'static str {
        match self {
            Self::En => "English",
            Self::Zh => "中文",
            Self::De => "Deutsch",
        }
    }
}
