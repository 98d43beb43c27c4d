//! The HTTP status of each refusal.

use super::DomainError;

/// Whether every invalid item names something that does not exist.
fn are_all_missing(items: &[(usize, DomainError)]) -> bool {
    !items.is_empty() && items.iter().all(|(_, error)| matches!(error, DomainError::NoSuch { .. }))
}

impl DomainError {
    /// The HTTP status.
    #[must_use]
    pub fn status(&self) -> u16 {
        match self {
            Self::LogIn | Self::NoToken | Self::WrongToken | Self::SendAgain | Self::WrongLogIn => 401,
            Self::TooMany { .. } | Self::SignalRate { .. } => 429,
            Self::Mail { problem } => problem.status(),
            Self::NotAllowed | Self::ReadOnly | Self::SignalsOnly => 403,
            Self::Review { problem } => problem.status(),
            Self::Media { problem } => problem.status(),
            Self::Import { problem } => problem.status(),
            Self::Release { problem } => problem.status(),
            Self::NoSuch { .. } => 404,
            Self::Bulk { items, .. } if are_all_missing(items) => 404,
            Self::Invalid { .. }
            | Self::InvalidFields { .. }
            | Self::DoubledTime { .. }
            | Self::SkippedTime { .. }
            | Self::Past { .. }
            | Self::Bulk { .. }
            | Self::KeyReused
            | Self::NoIdempotencyKey => 422,
            Self::TaskConflict { .. }
            | Self::Changed
            | Self::AlreadyScheduled { .. }
            | Self::MessageExists { .. }
            | Self::TextConflict { .. }
            | Self::OlderText
            | Self::WrongState { .. }
            | Self::RoomTaken { .. }
            | Self::OccurrencesTaken { .. }
            | Self::CheckInTooEarly { .. }
            | Self::FollowsMeeting
            | Self::NoSigningSecret { .. }
            | Self::CannotUndo
            | Self::NotPublished
            | Self::InTheWay { .. }
            | Self::InTrash
            | Self::Taken { .. }
            | Self::HasTasks { .. }
            | Self::HasWaits { .. }
            | Self::ZoneChoice { .. }
            | Self::LastAdmin => 409,
            Self::LinkSpent => 410,
            Self::Busy | Self::Unavailable => 503,
            Self::Internal { .. } => 500,
        }
    }
}
