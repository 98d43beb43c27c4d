//! The first steps on a new desk.

use crate::state::{ParseEnumError, string_enum};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

string_enum! {
    /// A first step on a new desk.
    FirstStep {
        /// The admin has written an article.
        Write = "write",
        /// Another person has an account or an invitation.
        Invite = "invite",
        /// The desk can send mail.
        Mail = "mail",
        /// The desk has posting slots.
        Slots = "slots",
        /// The look of the public site was changed.
        Look = "look",
        /// Articles of another system were imported.
        Import = "import",
        /// The admin has a passkey.
        Passkey = "passkey",
    }
}

/// How far an admin is with the first steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstWeek {
    /// The steps that are done.
    pub done: Vec<FirstStep>,
    /// Whether they are not shown by themselves: an admin has closed them, all are done, or the desk is no longer new.
    pub is_over: bool,
}
