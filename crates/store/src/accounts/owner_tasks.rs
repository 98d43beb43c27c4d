//! Scheduled tasks of a disabled account.

use crate::{Conn, StoreError, db::with_conn, meeting_batch::WantedTime, row::row};
use domain::{AccountId, RoomId, task::reason};
use uuid::Uuid;

/// Returns the number of scheduled tasks of an account.
pub async fn count(conn: Conn<'_>, owner: AccountId) -> Result<u64, StoreError> {
    let count: i64 = with_conn!(conn, c => sqlx::query_scalar(
        "select count(*) from task where owner_id = $1 and state = 'scheduled'")
        .bind(owner.0).fetch_one(c).await)?;
    Ok(u64::try_from(count).unwrap_or(0))
}

/// A part of the scheduled tasks of an account, in the order of due time and id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaskSpan {
    /// Tasks after this one.
    after: (i64, Uuid),
    /// Until this one, which belongs to it.
    until: (i64, Uuid),
}

impl TaskSpan {
    /// All tasks.
    pub const ALL: Self = Self { after: (i64::MIN, Uuid::nil()), until: (i64::MAX, Uuid::max()) };

    fn is_all(self) -> bool {
        self == Self::ALL
    }
}

/// Returns the span of the next `size` scheduled tasks after a span. `None`: no more than `size` are left.
pub async fn next_span(
    conn: Conn<'_>,
    owner: AccountId,
    last: Option<TaskSpan>,
    size: u16,
) -> Result<Option<TaskSpan>, StoreError> {
    let after = last.map_or(TaskSpan::ALL.after, |span| span.until);
    // The last task of the span and the one that follows it.
    let ends: Vec<(i64, Uuid)> = with_conn!(conn, c => sqlx::query_as(
        "select due_at, id from task
          where owner_id = $1 and state = 'scheduled' and (due_at, id) > ($2, $3)
          order by due_at, id
          limit 2 offset $4")
        .bind(owner.0).bind(after.0).bind(after.1).bind(i64::from(size.saturating_sub(1)))
        .fetch_all(c).await)?;
    Ok(match ends.as_slice() {
        [until, _] => Some(TaskSpan { after, until: *until }),
        _ => None,
    })
}

/// Locks the targets of the account's scheduled tasks, in id order. Targets are locked before
/// tasks.
pub async fn lock_targets(conn: Conn<'_>, owner: AccountId, span: TaskSpan) -> Result<(), StoreError> {
    // SQLite has one writer, which holds the only lock.
    if let Conn::Postgres(c) = conn {
        sqlx::query(
            "select id from target
              where id in (select target_id from task
                            where owner_id = $1 and state = 'scheduled'
                              and (due_at, id) > ($2, $3) and (due_at, id) <= ($4, $5))
              order by id for no key update",
        )
        .bind(owner.0)
        .bind(span.after.0)
        .bind(span.after.1)
        .bind(span.until.0)
        .bind(span.until.1)
        .execute(c)
        .await?;
    }
    Ok(())
}

/// Locks the rooms of the meetings that [`cancel_meetings`] cancels, in id order. Rooms are locked after
/// targets and before meetings.
pub async fn lock_rooms(conn: Conn<'_>, owner: AccountId) -> Result<(), StoreError> {
    if let Conn::Postgres(c) = conn {
        sqlx::query(
            "select id from room
              where id in (select room_id from meeting
                            where organizer_id = $1 and state in ('requested', 'confirmed', 'in_progress')
                              and id in (select target_id from task where owner_id = $1 and state = 'scheduled'))
              order by id for no key update",
        )
        .bind(owner.0)
        .execute(c)
        .await?;
    }
    Ok(())
}

/// What was reassigned, each with its version, which does not change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reassigned {
    /// The tasks.
    pub tasks: Vec<(Uuid, i32)>,
    /// The meetings among their targets.
    pub meetings: Vec<(Uuid, i32)>,
}

/// Ends an update of `$1`'s things for `$2`: those with a scheduled task of the span `$3` to `$6`.
macro_rules! of_span {
    ($update:literal) => {
        concat!(
            $update,
            " and id in (select target_id from task
                          where owner_id = $1 and state = 'scheduled'
                            and (due_at, id) > ($3, $4) and (due_at, id) <= ($5, $6))"
        )
    };
}

/// Reassigns the scheduled tasks of a span and their targets to another account. A task that is moved into
/// the span meanwhile is left out: its target was not reassigned.
pub async fn reassign(
    mut conn: Conn<'_>,
    owner: AccountId,
    to: AccountId,
    span: TaskSpan,
) -> Result<Reassigned, StoreError> {
    let TaskSpan { after, until } = span;
    let meetings = with_conn!(conn.reborrow(), c => sqlx::query_as(concat!(
        of_span!("update meeting set organizer_id = $2 where organizer_id = $1"), " returning id, version"))
        .bind(owner.0).bind(to.0).bind(after.0).bind(after.1).bind(until.0).bind(until.1)
        .fetch_all(c).await)?;
    for table in [
        of_span!("update article set owner_id = $2 where owner_id = $1"),
        of_span!("update reminder set owner_id = $2 where owner_id = $1"),
        of_span!("update series set owner_id = $2 where owner_id = $1"),
        of_span!("update article_release set owner_id = $2 where owner_id = $1"),
        of_span!("update target set owner_id = $2 where owner_id = $1"),
    ] {
        with_conn!(conn.reborrow(), c => sqlx::query(table)
            .bind(owner.0).bind(to.0).bind(after.0).bind(after.1).bind(until.0).bind(until.1)
            .execute(c).await.map(drop))?;
    }
    let tasks = with_conn!(conn, c => sqlx::query_as(
        "update task set owner_id = $2
          where owner_id = $1 and state = 'scheduled' and (due_at, id) > ($3, $4) and (due_at, id) <= ($5, $6)
            and ($7 = 1 or not exists (select 1 from target where target.id = task.target_id and target.owner_id = $1))
         returning id, version")
        .bind(owner.0).bind(to.0).bind(after.0).bind(after.1).bind(until.0).bind(until.1)
        .bind(i32::from(span.is_all())).fetch_all(c).await)?;
    Ok(Reassigned { tasks, meetings })
}

row! {
    /// A meeting that was cancelled because the account of its organizer is disabled.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct CancelledMeeting {
        /// Id.
        pub id: Uuid,
        /// Its new version.
        pub version: i32,
        /// Its room; `None`: it has none.
        pub room_id: Option<Uuid>,
        /// When it would have started, milliseconds.
        pub starts_at: i64,
        /// When its room would have been free again, milliseconds.
        pub free_at: i64,
    }
}

impl CancelledMeeting {
    /// Returns the time that its room is free now; `None`: it has no room.
    #[must_use]
    pub fn freed(&self) -> Option<WantedTime> {
        let room = RoomId(self.room_id?);
        Some(WantedTime { room, from: self.starts_at.into(), to: self.free_at.into() })
    }
}

/// Cancels the meetings of the account that have scheduled tasks and returns them: the booked ones, or
/// those that are `waiting` for a room or have the offer of it. Called before [`cancel`].
pub async fn cancel_meetings(
    conn: Conn<'_>,
    owner: AccountId,
    waiting: bool,
) -> Result<Vec<CancelledMeeting>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "update meeting
            set state = 'cancelled', waits = null, holds = 0, decide_at = null, is_held = 0, reason = $2, undo_verb = null,
                undo_at = null, undo_before = null, version = version + 1
          where organizer_id = $1 and state in ('requested', 'confirmed', 'in_progress')
            and (state = 'requested' and waits is not null) = $3
            and id in (select target_id from task where owner_id = $1 and state = 'scheduled')
         returning id, version, room_id, starts_at, free_at")
        .bind(owner.0).bind(reason::OWNER_DISABLED).bind(waiting).fetch_all(c).await)?)
}

/// Cancels all scheduled tasks of the account; returns each with its new version.
pub async fn cancel(conn: Conn<'_>, owner: AccountId) -> Result<Vec<(Uuid, i32)>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "update task
            set state = 'cancelled', version = version + 1, reason = $2
          where owner_id = $1 and state = 'scheduled'
         returning id, version")
        .bind(owner.0).bind(reason::OWNER_DISABLED).fetch_all(c).await)?)
}

/// Cancels the scheduled tasks of a span, without those of meetings, which are cancelled with their meetings.
/// Returns each with its new version.
pub async fn cancel_span(
    conn: Conn<'_>,
    owner: AccountId,
    span: TaskSpan,
) -> Result<Vec<(Uuid, i32)>, StoreError> {
    let TaskSpan { after, until } = span;
    Ok(with_conn!(conn, c => sqlx::query_as(
        "update task
            set state = 'cancelled', version = version + 1, reason = $2
          where owner_id = $1 and state = 'scheduled' and (due_at, id) > ($3, $4) and (due_at, id) <= ($5, $6)
            and not exists (select 1 from meeting where meeting.id = task.target_id)
         returning id, version")
        .bind(owner.0).bind(reason::OWNER_DISABLED).bind(after.0).bind(after.1).bind(until.0).bind(until.1)
        .fetch_all(c).await)?)
}
