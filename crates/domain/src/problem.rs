//! What can be wrong with one field of a form or a request.

use crate::{channel::AddressProblem, refusal::TextLimit};
use serde::{Deserialize, Serialize};

/// What is wrong with one field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Problem {
    /// Nothing was given.
    #[error("must not be empty")]
    Empty,
    /// Too few characters.
    #[error("needs at least {min} characters")]
    TooShort {
        /// The fewest.
        min: u32,
    },
    /// Too many characters.
    #[error("is longer than {max} characters")]
    TooLong {
        /// The most.
        max: u32,
    },
    /// Too many bytes.
    #[error("is larger than {max} bytes")]
    TooLarge {
        /// The most.
        max: u32,
    },
    /// Too many items.
    #[error("has more than {max} items")]
    TooMany {
        /// The most.
        max: u32,
    },
    /// Not a time.
    #[error("is not a time; write it like {like}")]
    NotATime {
        /// An example.
        like: String,
    },
    /// A time outside of what the desk plans.
    #[error("must be between the years 2000 and 2199")]
    OutOfRange,
    /// Not a zone.
    #[error("is not a time zone; use a name like {like}")]
    NotAZone {
        /// The nearest names, with commas; an example where none is near.
        like: String,
    },
    /// Not an address.
    #[error("is not an e-mail address")]
    NotAnEmail,
    /// Too easy to guess.
    #[error("is among the most common passwords; choose another")]
    CommonPassword,
    /// Only blanks, or what everybody knows of the person.
    #[error(
        "is easy to guess: only blanks, one repeated character, or your name or e-mail address; choose another"
    )]
    GuessablePassword,
    /// What is done outlives the session, and its password was entered too long ago.
    #[error("is asked for again: what you do here outlives your session")]
    PasswordAgain,
    /// The old password does not match.
    #[error("is not your current password")]
    WrongPassword,
    /// A name that means something else to readers of the log.
    #[error("is reserved: it names the engine in the log; choose another")]
    Reserved,
    /// Characters that do not belong there.
    #[error("holds characters that are not allowed")]
    BadCharacters,
    /// Not one of the words.
    #[error("must be one of: {words}")]
    NotOneOf {
        /// The words, with commas.
        words: String,
    },
    /// Nothing may be sent there.
    #[error("{why}")]
    Address {
        /// Why.
        why: AddressProblem,
    },
    /// Not a telephone number.
    #[error("is not a telephone number; write it like +49301234567")]
    NotANumber,
    /// A template that says nothing.
    #[error("must hold {{text}}")]
    NoText,
    /// A template that does not become JSON.
    #[error("does not become JSON; put the placeholders in double quotes, {{numbers}} without")]
    NotJson,
    /// A way this program was built without.
    #[error("is not in this build; it needs a program built with AMQP (docs/CHANNELS.md)")]
    NotBuilt,
    /// A routing key with other placeholders.
    #[error("may hold {{kind}} and no other braces")]
    BadKey,
    /// A secret that another peer would be told.
    #[error("must be given again: it would be told to somebody else")]
    SecretAgain,
    /// Not a retry ladder.
    #[error("must be at most 20 waits between 1s and 24h, like 5s, 5m, 30m, 2h")]
    NotALadder,
    /// A text that cannot be rendered within the limits.
    #[error("{}", limit.exceeded(*max))]
    TooComplex {
        /// Which limit it exceeds.
        limit: TextLimit,
        /// Its value.
        max: u32,
    },
    /// Not readable at all.
    #[error("{why}")]
    Unreadable {
        /// Why, without technology.
        why: String,
    },
}
