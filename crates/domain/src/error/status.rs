//! The HTTP status and the code of each refusal.

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
            Self::LogIn
            | Self::NoToken
            | Self::WrongToken
            | Self::SendAgain
            | Self::WrongLogIn
            | Self::CodeNeeded { .. }
            | Self::ProofNeeded
            | Self::LogInExpired => 401,
            Self::TooMany { .. } | Self::SignalRate { .. } => 429,
            Self::Mail { problem } => problem.status(),
            Self::SignIn { problem } => problem.status(),
            Self::NotAllowed | Self::SecondFactorRequired | Self::ReadOnly | Self::SignalsOnly => 403,
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
            | Self::AmbiguousKey { .. }
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
            | Self::LastAdmin
            | Self::NoBackupNode
            | Self::KeyUnfinished => 409,
            Self::LinkSpent => 410,
            Self::Busy | Self::Unavailable => 503,
            Self::Internal { .. } => 500,
        }
    }

    /// The code in API errors, e.g. `past`. That of most variants is also their serialised name.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::LogIn | Self::NoToken | Self::WrongToken => "log_in",
            Self::SendAgain => "send_again",
            Self::WrongLogIn => "wrong_log_in",
            Self::CodeNeeded { .. } => "code_needed",
            Self::LogInExpired => "log_in_expired",
            Self::TooMany { .. } | Self::SignalRate { .. } => "too_many",
            Self::NotAllowed => "not_allowed",
            Self::SecondFactorRequired => "second_factor_required",
            Self::ProofNeeded => "proof_needed",
            Self::ReadOnly => "read_only",
            Self::SignalsOnly => "signals_only",
            Self::Mail { problem } => problem.code(),
            Self::SignIn { problem } => problem.as_str(),
            Self::NoSuch { .. } => "no_such",
            Self::Invalid { .. } => "invalid",
            Self::InvalidFields { .. } => "invalid_fields",
            Self::DoubledTime { .. } => "doubled_time",
            Self::SkippedTime { .. } => "skipped_time",
            Self::Past { .. } => "past",
            Self::TaskConflict { .. } => "task_conflict",
            Self::Changed => "changed",
            Self::AlreadyScheduled { .. } => "already_scheduled",
            Self::MessageExists { .. } => "message_exists",
            Self::AmbiguousKey { .. } => "ambiguous_key",
            Self::TextConflict { .. } => "text_conflict",
            Self::OlderText => "older_text",
            Self::WrongState { .. } => "wrong_state",
            Self::RoomTaken { .. } | Self::OccurrencesTaken { .. } => "room_taken",
            Self::CheckInTooEarly { .. } => "check_in_too_early",
            Self::FollowsMeeting => "follows_meeting",
            Self::Review { problem } => problem.code(),
            Self::Media { problem } => problem.code(),
            Self::Import { problem } => problem.code(),
            Self::Release { problem } => problem.code(),
            Self::NoSigningSecret { .. } => "no_signing_secret",
            Self::CannotUndo => "cannot_undo",
            Self::NotPublished => "not_published",
            Self::InTheWay { .. } => "in_the_way",
            Self::InTrash => "in_trash",
            Self::Taken { .. } => "taken",
            Self::HasTasks { .. } => "has_tasks",
            Self::HasWaits { .. } => "has_waits",
            Self::ZoneChoice { .. } => "zone_choice",
            Self::LastAdmin => "last_admin",
            Self::LinkSpent => "link_spent",
            Self::NoBackupNode => "no_backup_node",
            Self::Bulk { .. } => "bulk",
            Self::KeyReused => "key_reused",
            Self::KeyUnfinished => "key_unfinished",
            Self::NoIdempotencyKey => "no_idempotency_key",
            Self::Busy => "busy",
            Self::Unavailable => "unavailable",
            Self::Internal { .. } => "internal",
        }
    }
}
