//! A time as a form submits it.

use domain::{When, time::Disambiguation};
use serde::{Deserialize, Serialize};

/// A time as a form submits it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeOfForm {
    /// `YYYY-MM-DD`.
    #[serde(default)]
    pub date: String,
    /// `HH:MM[:SS]`.
    #[serde(default)]
    pub time: String,
    /// City or IANA name of the time zone.
    #[serde(default)]
    pub zone: String,
    /// `earlier` or `later` of two occurrences, or a local time, see [`local_time`].
    #[serde(default)]
    pub which: String,
    /// A time in words, without JavaScript; empty: date and time count.
    #[serde(default)]
    pub words: String,
    /// Local time of the chosen one of several readings of the words.
    #[serde(default)]
    pub reading: String,
}

/// Builds the time from a form: `YYYY-MM-DD`, `HH:MM[:SS]`, time zone, and `which` of two
/// occurrences. A local time in `which` replaces date and time; it comes from a button that offers
/// an alternative to a skipped time.
#[must_use]
pub fn local_time(date: &str, time: &str, zone: &str, which: &str) -> When {
    let disambiguation = match which {
        "earlier" => Some(Disambiguation::Earlier),
        "later" => Some(Disambiguation::Later),
        _ => None,
    };
    let local =
        if which.contains('T') { which.to_owned() } else { format!("{}T{}", date.trim(), time.trim()) };
    When::Local { local, zone: zone.trim().to_owned(), disambiguation }
}
