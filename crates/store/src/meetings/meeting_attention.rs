//! Meetings that need a person: requests about to be decided by themselves, and released rooms.

use crate::{Conn, StoreError, db::with_conn, row::row};
use domain::{AccountId, Timestamp};
use uuid::Uuid;

/// Number of meetings that need a person at a moment, which is a parameter: requests whose deadline
/// is at most an hour ahead or has passed, and rooms that were released before the meeting's end.
macro_rules! meeting_total {
    ($now:literal) => {
        concat!(
            "((select count(*) from (select 1 from meeting
                 where state = 'requested' and waits is null and is_held = 0 and decide_at <= ",
            $now,
            " + 3600000 limit 10001) as deciding)
              + (select count(*) from (select 1 from meeting where is_held = 1 limit 10001) as held)
              + (select count(*) from (select 1 from meeting where state = 'released' and ends_at > ",
            $now,
            " limit 10001) as released))"
        )
    };
}
pub(crate) use meeting_total;

row! {
    /// A meeting on Attention, and its group.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct AttentionMeeting {
        /// Id of the meeting.
        pub id: Uuid,
        /// `expiring`, `held` or `released`.
        pub cause: String,
        /// Title.
        pub title: String,
        /// When the request is decided; if it is held or its room released, when the meeting would
        /// end; milliseconds.
        pub moment: i64,
        /// Total size of the group.
        pub total: i64,
    }
}

/// Which meetings an account sees.
#[derive(Debug, Clone, Copy)]
pub struct MeetingsFor {
    /// The account.
    pub account: AccountId,
    /// Whether it may decide requests of others.
    pub decides: bool,
    /// Whether it may decide its own requests, and act on the meetings of others.
    pub is_admin: bool,
}

/// Returns meetings that need this account: the next `each` of each cause.
pub async fn attention(
    conn: Conn<'_>,
    now: Timestamp,
    of: MeetingsFor,
    each: i64,
) -> Result<Vec<AttentionMeeting>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select id, cause, title, moment, total
           from (select id, cause, title, moment, count(*) over (partition by cause) as total,
                        row_number() over (partition by cause order by moment, id) as place
                   from (select id, 'expiring' as cause, title, decide_at as moment
                           from meeting
                          where state = 'requested' and waits is null and is_held = 0 and decide_at <= $1 + 3600000
                            and $3 = 1 and (organizer_id <> $2 or $4 = 1)
                         union all
                         select id, 'held' as cause, title, ends_at as moment
                           from meeting
                          where is_held = 1 and $3 = 1 and (organizer_id <> $2 or $4 = 1)
                         union all
                         select id, 'released' as cause, title, ends_at as moment
                           from meeting
                          where state = 'released' and ends_at > $1 and (organizer_id = $2 or $4 = 1)) as needing)
                as ranked
          where place <= $5
          order by cause, place")
        .bind(now.millis()).bind(of.account.0).bind(i32::from(of.decides)).bind(i32::from(of.is_admin)).bind(each)
        .fetch_all(c).await)?)
}
