//! Why a mail may not be planned.

use crate::LocalizedTime;
use serde::{Deserialize, Serialize};

/// Why a mail to a person outside the desk may not be planned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MailProblem {
    /// Its address gets as many mails within an hour as it may.
    #[error(
        "{address} gets at most {limit} mails within an hour from this desk, and the hour of {} has as many; choose another time",
        .at.at
    )]
    HourFull {
        /// The address.
        address: String,
        /// The limit, which admins set.
        limit: u32,
        /// When one more would be sent.
        at: LocalizedTime,
    },
    /// Only admins may set reminders for addresses outside the desk.
    #[error("only admins may set reminders for addresses outside the desk; ask an admin")]
    AdminsOnly,
}

impl MailProblem {
    /// The HTTP status.
    #[must_use]
    pub const fn status(&self) -> u16 {
        match self {
            Self::HourFull { .. } => 429,
            Self::AdminsOnly => 403,
        }
    }

    /// Code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::HourFull { .. } => "mail_limit",
            Self::AdminsOnly => "outside_reminder",
        }
    }
}
