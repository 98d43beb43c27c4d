//! Reads meetings for pages and the API.

use super::meeting::{MeetingRow, meeting_columns, meeting_state};
use crate::{
    Conn, StoreError,
    db::{COUNT_LIMIT, with_conn},
    like_escape::contains_pattern,
    row::row,
};
use domain::{
    AccountId, MeetingId, RoomId,
    meetings::{MAX_MEETING_MINUTES, MeetingState},
};
use uuid::Uuid;

/// Milliseconds of the longest meeting.
const MAX_MEETING_MS: i64 = MAX_MEETING_MINUTES as i64 * 60_000;

row! {
    /// A meeting with everything a list shows.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct MeetingListRow {
        /// The meeting.
        flat pub meeting: MeetingRow,
        /// Name of the room; empty: it has none.
        pub room: String,
        /// Name of the organizer.
        pub organizer: String,
        /// Number of attendees.
        pub attendee_count: i64,
    }
}

/// Filter of a list, which is ordered by start, then id.
#[derive(Debug, Clone, Copy)]
pub struct MeetingFilter<'a> {
    /// Only those that this account organizes or attends.
    pub of: Option<AccountId>,
    /// Only requests that this account may decide; true: also its own.
    pub decider: Option<(AccountId, bool)>,
    /// Only those that end after this moment, milliseconds.
    pub from: i64,
    /// Only those that start before this moment.
    pub to: i64,
    /// Only in this room.
    pub room: Option<RoomId>,
    /// Only in this state.
    pub state: Option<MeetingState>,
    /// Only those whose title contains this text.
    pub q: Option<&'a str>,
    /// Whether the latest start comes first.
    pub is_descending: bool,
    /// Only beyond this start and id, in the order of the list.
    pub start: Option<(i64, Uuid)>,
    /// Maximum number of rows.
    pub limit: i64,
}

macro_rules! meetings {
    ($rest:expr) => {
        concat!(
            "select ",
            meeting_columns!(),
            ", coalesce(r.name, '') as room, coalesce(p.name, '') as organizer,
               (select count(*) from attendee a where a.meeting_id = m.id) as attendee_count
               from meeting m
               left join room r on r.id = m.room_id
               left join account p on p.id = m.organizer_id
              where ",
            $rest
        )
    };
}

/// Whether the account $x organizes or attends the meeting; null: any.
macro_rules! concerns {
    ($account:literal) => {
        concat!(
            "(",
            $account,
            " is null or m.organizer_id = ",
            $account,
            " or exists (select 1 from attendee a join account o on o.email = a.email
                          where a.meeting_id = m.id and o.id = ",
            $account,
            "))"
        )
    };
}

macro_rules! page {
    ($bounds:literal, $order:literal) => {
        meetings!(concat!(
            $bounds,
            " and m.starts_at > $3 and m.starts_at < $4 and m.ends_at > $5
              and ($6 is null or m.room_id = $6)
              and ($7 is null or ",
            meeting_state!(),
            " = $7)
              and ",
            concerns!("$8"),
            " and ($9 is null or (m.state = 'requested' and m.waits is null and (m.organizer_id <> $9 or $10 = 1)))
              and ($11 is null or lower(m.title) like $11 escape '!')
              order by ",
            $order,
            " limit $12"
        ))
    };
}

/// Returns a page of the list.
pub async fn page(conn: Conn<'_>, filter: MeetingFilter<'_>) -> Result<Vec<MeetingListRow>, StoreError> {
    let sql = match filter.is_descending {
        false => page!("(m.starts_at, m.id) > ($1, $2)", "m.starts_at, m.id"),
        true => page!("(m.starts_at, m.id) < ($1, $2)", "m.starts_at desc, m.id desc"),
    };
    // The index is read from the place on, so the place is within the range.
    let first = filter.from.saturating_sub(MAX_MEETING_MS + 1);
    let (at, id) = match filter.is_descending {
        false => filter.start.filter(|place| place.0 > first).unwrap_or((first, Uuid::max())),
        true => filter.start.filter(|place| place.0 < filter.to).unwrap_or((filter.to, Uuid::nil())),
    };
    let pattern = filter.q.map(|q| contains_pattern(&q.to_lowercase()));
    Ok(with_conn!(conn, c => sqlx::query_as(sql)
        .bind(at).bind(id).bind(first).bind(filter.to).bind(filter.from)
        .bind(filter.room.map(|room| room.0)).bind(filter.state.map(MeetingState::as_str))
        .bind(filter.of.map(|account| account.0)).bind(filter.decider.map(|(account, _)| account.0))
        .bind(i32::from(filter.decider.is_some_and(|(_, own_too)| own_too))).bind(pattern).bind(filter.limit)
        .fetch_all(c).await)?)
}

/// Returns one meeting; `None`: it does not exist.
pub async fn find(conn: Conn<'_>, id: MeetingId) -> Result<Option<MeetingListRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(meetings!("m.id = $1")).bind(id.0).fetch_optional(c).await)?)
}

/// Returns the number of meetings whose end is still to come at a moment, in any state: those that
/// concern the account, the requests that it may decide, and all; each up to `COUNT_LIMIT`.
pub async fn counts(
    conn: Conn<'_>,
    account: AccountId,
    decider: Option<bool>,
    now: i64,
) -> Result<(i64, i64, i64), StoreError> {
    const SQL: &str = concat!(
        "select (select count(*) from (select 1 from meeting m
                  where m.starts_at > $2 and m.ends_at > $6 and ",
        concerns!("$1"),
        "         limit $5) as part),
                (select count(*) from (select 1 from meeting m
                  where m.ends_at > $6 and m.state = 'requested' and m.waits is null and $3 = 1 and (m.organizer_id <> $1 or $4 = 1)
                  limit $5) as part),
                (select count(*) from (select 1 from meeting m
                  where m.starts_at > $2 and m.ends_at > $6
                  limit $5) as part)"
    );
    Ok(with_conn!(conn, c => sqlx::query_as(SQL)
        .bind(account.0).bind(now - MAX_MEETING_MS - 1).bind(i32::from(decider.is_some()))
        .bind(i32::from(decider == Some(true))).bind(COUNT_LIMIT).bind(now).fetch_one(c).await)?)
}
