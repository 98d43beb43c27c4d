//! Attendees of a meeting.

use crate::{
    AccountId,
    state::{ParseEnumError, string_enum},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

string_enum! {
    /// Answer of an attendee.
    Answer {
        /// No answer yet.
        Pending = "pending",
        /// Comes.
        Accepted = "accepted",
        /// May come.
        Tentative = "tentative",
        /// Does not come.
        Declined = "declined",
    }
}

/// An attendee of a meeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attendee {
    /// E-mail address, in lower case.
    pub email: String,
    /// Name; empty: unknown.
    pub name: String,
    /// The account with this address; `None`: there is none.
    pub account_id: Option<AccountId>,
    /// Answer.
    pub answer: Answer,
    /// Whether the person was invited by mail.
    #[serde(default)]
    pub is_mailed: bool,
    /// Whether the address gets no mail from this desk: it is blocked.
    #[serde(default)]
    pub is_blocked: bool,
}

/// An attendee as entered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewAttendee {
    /// E-mail address.
    pub email: String,
    /// Name; `None`: that of the account with this address.
    #[serde(default)]
    pub name: Option<String>,
}
