//! Validation errors of a single form or request field.

use super::problem::{
    address::AddressError, series::SeriesProblem, table::TableProblem, term::TermProblem, when::WhenProblem,
};
use serde::{Deserialize, Serialize};

/// Why the value of a field is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValidationError {
    /// Empty.
    #[error("must not be empty")]
    Empty,
    /// Too few characters.
    #[error("needs at least {min} characters")]
    TooShort {
        /// Minimum.
        min: u32,
    },
    /// Too many characters.
    #[error("is longer than {max} characters")]
    TooLong {
        /// Maximum.
        max: u32,
    },
    /// Too many bytes.
    #[error("is larger than {max} bytes")]
    TooLarge {
        /// Maximum.
        max: u32,
    },
    /// Too many items.
    #[error("has more than {max} items")]
    TooMany {
        /// Maximum.
        max: u32,
    },
    /// The desk has as many as it may have.
    #[error("cannot be added: the desk has {max} already; delete one first")]
    DeskFull {
        /// Maximum.
        max: u32,
    },
    /// The rule would start itself through other rules.
    #[error("would start a loop: {signals} (rules: {rules}); change one of them")]
    RuleCycle {
        /// The signals of the loop, with arrows.
        signals: String,
        /// Names of the rules of the loop, in their order.
        rules: String,
    },
    /// Not a time.
    #[error("is not a time; write it like {like}")]
    NotATime {
        /// Example.
        like: String,
    },
    /// A time outside the supported range.
    #[error("must be between the years 2000 and 2199")]
    OutOfRange,
    /// Not a time zone.
    #[error("is not a time zone; use a name like {like}")]
    NotAZone {
        /// Similar names, separated by commas; an example if there is none.
        like: String,
    },
    /// Not an e-mail address.
    #[error("is not an e-mail address")]
    NotAnEmail,
    /// Its owner or an admin wants no mail from the desk to go there.
    #[error("gets no mail from this desk: its owner or an admin has blocked it")]
    BlockedAddress,
    /// One of several e-mail addresses is none.
    #[error("contains “{typed}”, which is not an e-mail address; use a format like name@example.org")]
    BadAttendee {
        /// The begin of what was entered.
        typed: String,
    },
    /// A common password.
    #[error("is among the most common passwords; choose another")]
    CommonPassword,
    /// Only blanks, or derived from the user's name or address.
    #[error(
        "is easy to guess: only blanks, one repeated character, or your name or e-mail address; choose another"
    )]
    GuessablePassword,
    /// The action creates something that outlives the session, and the last password check is too
    /// long ago.
    #[error("is required again: this change stays in effect after you log out")]
    PasswordAgain,
    /// The current password does not match.
    #[error("is not your current password")]
    WrongPassword,
    /// Neither the current code of the app nor an unused recovery code.
    #[error(
        "is wrong or was used already; enter the code that the app shows now, or an unused recovery code"
    )]
    WrongCode,
    /// The passkey is unknown or its answer does not fit the challenge, or the challenge is too old.
    #[error("was not accepted: it is unknown here, or the request has expired; try again")]
    WrongPasskey,
    /// No passkey can be bound to the address of the desk.
    #[error("needs an address with a name and https, or localhost; an IP address cannot have passkeys")]
    NoPasskeySite,
    /// A name with a special meaning in the log.
    #[error("is reserved: it names the engine in the log; choose another")]
    Reserved,
    /// `.` or `..`, which an address cannot contain.
    #[error("is “.” or “..”, which an address cannot contain; choose another")]
    OnlyDots,
    /// Characters that are not allowed.
    #[error("contains characters that are not allowed")]
    BadCharacters,
    /// Not one of the allowed values.
    #[error("must be one of: {words}")]
    NotOneOf {
        /// The values, separated by commas.
        words: String,
    },
    /// Messages may not be sent to this address.
    #[error("{why}")]
    Address {
        /// Why.
        why: AddressError,
    },
    /// Not an Admin API key of Ghost.
    #[error("is no Admin API key; copy all of it from the integration in Ghost: digits, a colon, digits")]
    NotAnAdminKey,
    /// Not a telephone number.
    #[error("is not a telephone number; write it like +49301234567")]
    NotANumber,
    /// A template without the text placeholder.
    #[error("must contain {{text}}")]
    NoText,
    /// A template that does not produce JSON.
    #[error("does not produce valid JSON; put the placeholders in double quotes, except {{numbers}}")]
    NotJson,
    /// A transport that is not compiled into this binary.
    #[error("is not in this build; use a binary that was built with AMQP (docs/CHANNELS.md)")]
    NotBuilt,
    /// A routing key with unknown placeholders.
    #[error("may contain {{kind}} and no other braces")]
    BadKey,
    /// The secret would be sent to a different peer.
    #[error("must be entered again: it would be sent to a different receiver")]
    SecretAgain,
    /// Not a duration.
    #[error("is not a duration by ISO 8601; write it like PT30M or P1DT12H")]
    NotADuration,
    /// Below zero.
    #[error("must not be negative")]
    Negative,
    /// Not a retry schedule.
    #[error("must be at most 20 delays between 1s and 24h, like 5s, 5m, 30m, 2h")]
    InvalidRetrySchedule,
    /// A text that exceeds a rendering limit.
    #[error("{}", limit.exceeded(*max))]
    TooComplex {
        /// The limit.
        limit: TextLimit,
        /// Its value.
        max: u32,
    },
    /// Not a position in the list.
    #[error("is not a cursor of this list")]
    UnknownCursor,
    /// Two times that must differ.
    #[error("must differ from the start")]
    SameAsStart,
    /// An end that is not after the start.
    #[error("must be after the start")]
    NotAfterStart,
    /// A time that has passed.
    #[error("has passed; choose a later time")]
    InThePast,
    /// Too far ahead.
    #[error("must be within the next {months} months")]
    TooFarAhead {
        /// Maximum, in months.
        months: u32,
    },
    /// Too many days.
    #[error("makes it longer than {max} days")]
    LongerThanDays {
        /// Maximum, in days.
        max: u32,
    },
    /// A number outside its range.
    #[error("must be between {min} and {max}")]
    NotBetween {
        /// Minimum.
        min: i32,
        /// Maximum.
        max: i32,
    },
    /// It counts from something that has no moment.
    #[error("needs a moment: schedule it first")]
    NoMoment,
    /// It names something that does not exist, or that can no longer be used.
    #[error("does not exist")]
    Unknown,
    /// Hours that are not valid.
    #[error("must be times of a day like 08:00 and 18:00, the end after the begin, on days like monday")]
    NotOpeningHours,
    /// Outside the opening hours of the room.
    #[error("is outside the opening hours of the room: {hours}")]
    Closed {
        /// The opening hours, in the room's zone.
        hours: String,
    },
    /// More persons than the room has places for.
    #[error("is too small: “{room}” has {capacity} places for {persons} persons")]
    TooSmall {
        /// Name of the room.
        room: String,
        /// Capacity of the room.
        capacity: i32,
        /// Number of persons, the organizer included.
        persons: i32,
    },
    /// A series that is refused.
    #[error("{why}")]
    Series {
        /// Why.
        why: SeriesProblem,
    },
    /// A typed time that is refused.
    #[error("{why}")]
    When {
        /// Why.
        why: WhenProblem,
    },
    /// A table that cannot be read.
    #[error("{why}")]
    Table {
        /// Why.
        why: TableProblem,
    },
    /// A term of a word list that is refused.
    #[error("{why}")]
    Term {
        /// Why.
        why: TermProblem,
    },
    /// One of several terms is refused.
    #[error("term {number} {why}")]
    Line {
        /// Its number, from 1.
        number: u32,
        /// Why.
        why: Box<Self>,
    },
    /// Neither an address that begins with `https://` nor a path of the media library.
    #[error("must begin with https:// or /media/")]
    NotHttps,
    /// Names no other article of the desk.
    #[error("names no other article; enter its slug or its address on the site")]
    NoArticle,
    /// Names no page of the site.
    #[error("names “{slug}”, which is not a page of the site")]
    NoPage {
        /// The slug.
        slug: String,
    },
    /// A stylesheet with something that the site does not permit.
    #[error(
        "contains “{found}” in line {line}; use no @import, only url(/media/…), and no backslash outside of quotes"
    )]
    BadStyle {
        /// Number of the line, from 1.
        line: u32,
        /// The begin of what was found.
        found: String,
    },
    /// A stylesheet with an open bracket, quote or comment.
    #[error("has a bracket, a quote or a comment without its end")]
    UnclosedStyle,
    /// Names no account, or several.
    #[error(
        "contains “{name}”, which is not the name of one person; use the e-mail address of their account"
    )]
    NoPerson {
        /// The begin of what was entered.
        name: String,
    },
    /// Not a language tag.
    #[error("is not a language tag like en, zh or pt-BR")]
    NotALanguage,
    /// A date that has not come yet.
    #[error("must not be in the future; schedule the article instead")]
    InTheFuture,
    /// Neither an `https` nor a `mailto` address.
    #[error("must be an https or mailto address")]
    NotALink,
    /// Not a colour.
    #[error("is not a colour like #0d567a")]
    NotAColour,
    /// A colour that cannot be read on the background.
    #[error("has too little contrast on a light background; choose a darker colour")]
    LowContrast,
    /// Not parseable.
    #[error("{why}")]
    Unreadable {
        /// Why, without technical details and without its subject: `must be an id`.
        why: String,
    },
    /// Several fields do not fit together, or the request cannot be read.
    #[error("{why}")]
    Sentence {
        /// A whole sentence, which names its subject: `send either ids or filter`.
        why: String,
    },
}

impl ValidationError {
    /// Returns a sentence about the field with this name.
    #[must_use]
    pub fn with_field(&self, field: &str) -> String {
        match self {
            Self::Sentence { why } => why.clone(),
            problem => format!("{field} {problem}"),
        }
    }
}

/// Limits on the rendering of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextLimit {
    /// Nesting of quotes and lists.
    Depth,
    /// Columns of a table.
    Columns,
    /// Cells of all tables.
    Cells,
    /// Footnote references.
    Notes,
    /// Runs of `~` in a paragraph.
    Strikes,
    /// Markdown markup characters.
    Marks,
    /// Nesting of HTML elements.
    Nested,
    /// Bytes of HTML.
    Bytes,
    /// Seconds.
    Time,
}

impl TextLimit {
    fn exceeded(self, max: u32) -> String {
        match self {
            Self::Depth => format!("has quotes or lists deeper than {max} levels; make them flatter"),
            Self::Columns => format!("has a table with more than {max} columns; split it"),
            Self::Cells => format!("has tables with more than {max} cells; split the text"),
            Self::Notes => format!("has more than {max} footnote references; split the text"),
            Self::Strikes => format!("has more than {max} tildes in one paragraph; split it"),
            Self::Marks => format!("has more than {max} Markdown markup characters; split the text"),
            Self::Nested => format!("has HTML elements deeper than {max} levels; close them"),
            Self::Bytes => format!("becomes more than {max} bytes of HTML; split the text"),
            Self::Time => format!("takes longer than {max} seconds to render; split the text"),
        }
    }
}
