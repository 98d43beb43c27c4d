//! What a time in words means to a user.

use super::Question;
use crate::{LocalizedTime, Timestamp, time::Disambiguation, values::language::Language};
use serde::{Deserialize, Serialize};

/// A time in words, as a user wrote it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypedWords {
    /// The words.
    pub text: String,
    /// IANA time zone, unless the words name one; `None`: the user's.
    pub zone: Option<String>,
    /// Decides whether `6/9` is June 9 only; `None`: the user's.
    pub language: Option<Language>,
    /// The current time; `None`: the server's clock.
    pub now: Option<Timestamp>,
}

/// What the words mean.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordsMeaning {
    /// IANA time zone of the readings.
    pub zone: String,
    /// Whether they ask for the next free posting slot, which is the reading.
    pub is_slot: bool,
    /// What must be asked; `None`: there is one reading.
    pub question: Option<Question>,
    /// In order of time; at least one.
    pub readings: Vec<WordsReading>,
}

/// A moment that the words can mean.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordsReading {
    /// The moment.
    pub moment: LocalizedTime,
    /// Local time in the zone of the words.
    pub local: String,
    /// Seconds east of UTC in that zone.
    pub offset_seconds: i32,
    /// Which of two instants with this local time; `None`: there is one.
    pub disambiguation: Option<Disambiguation>,
}

impl WordsMeaning {
    /// The only reading; `None`: there are several.
    #[must_use]
    pub fn only(&self) -> Option<&WordsReading> {
        if let [only] = &self.readings[..] { Some(only) } else { None }
    }

    /// The local times of all readings, in order.
    #[must_use]
    pub fn locals(&self) -> Vec<String> {
        self.readings.iter().map(|reading| reading.local.clone()).collect()
    }

    /// The time of a reading, as it is stored.
    #[must_use]
    pub fn when(&self, reading: &WordsReading) -> crate::When {
        crate::When::Local {
            local: reading.local.clone(),
            zone: self.zone.clone(),
            disambiguation: reading.disambiguation,
        }
    }
}
