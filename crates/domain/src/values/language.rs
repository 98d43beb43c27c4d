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
