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
    meetings::{MAX_MEETING_MINUTES, MeetingState, Repeats},
};
use uuid::Uuid;

/// Milliseconds of the longest meeting.
const MAX_MEETING_MS: i64 = MAX_MEETING_MINUTES as i64 * 60_000;
/// Limit of a count.
pub const MAX_COUNT: i64 = COUNT_LIMIT;

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
        /// When its series repeats: JSON of [`RuleFields`](domain::series::RuleFields).
        pub series_rule: Option<String>,
        /// IANA time zone of its series.
        pub series_zone: Option<String>,
    }
}

impl MeetingListRow {
    /// Returns how it repeats; `None`: it does not.
    pub fn repeats(&self) -> Result<Option<Repeats>, StoreError> {
        let Some((rule, zone)) = self.series_rule.as_ref().zip(self.series_zone.as_ref()) else {
            return Ok(None);
        };
        let corrupt = |_| StoreError::Corrupt(format!("rule of the meeting {}", self.meeting.id));
        Ok(Some(Repeats { rule: serde_json::from_str(rule).map_err(corrupt)?, zone: zone.clone() }))
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
    /// Only those of this series.
    pub series: Option<Uuid>,
    /// Only one of each series: the next open one, else the first one, of those that match the rest.
    pub is_one_per_series: bool,
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
               (select count(*) from attendee a where a.meeting_id = m.id) as attendee_count,
               s.rule as series_rule, s.time_zone as series_zone
               from meeting m
               left join series s on s.id = m.series_id
               left join room r on r.id = m.room_id
               left join account p on p.id = m.organizer_id
              where ",
            $rest
        )
    };
}

/// Whether the filter accepts a meeting, by the parameters 1 to 10.
macro_rules! is_accepted {
    ($m:literal) => {
        concat!(
            $m,
            ".starts_at > $1 and ",
            $m,
            ".starts_at < $2 and ",
            $m,
            ".ends_at > $3 and ($4 is null or ",
            $m,
            ".room_id = $4) and ($5 is null or ",
            meeting_state!($m),
            " = $5) and ($6 is null or ",
            $m,
            ".organizer_id = $6
               or exists (select 1 from attendee a join account o on o.email = a.email
                           where a.meeting_id = ",
            $m,
            ".id and o.id = $6))
              and ($7 is null or (",
            $m,
            ".state = 'requested' and ",
            $m,
            ".waits is null and (",
            $m,
            ".organizer_id <> $7 or $8 = 1)))
              and ($9 is null or lower(",
            $m,
            ".title) like $9 escape '!') and ($10 is null or ",
            $m,
            ".series_id = $10)"
        )
    };
}

/// Order of the meetings of a series: first those that are open, by start.
macro_rules! place_in_series {
    ($m:literal) => {
        concat!(
            "(case when ",
            $m,
            ".state in ('requested', 'confirmed', 'in_progress') then 0 else 1 end, ",
            $m,
            ".starts_at, ",
            $m,
            ".id)"
        )
    };
}

/// Whether the meeting `m` is in the list, apart from its pages.
macro_rules! is_listed {
    () => {
        concat!(
            is_accepted!("m"),
            " and ($11 = 0 or not exists (select 1 from meeting e where e.series_id = m.series_id and ",
            is_accepted!("e"),
            " and ",
            place_in_series!("e"),
            " < ",
            place_in_series!("m"),
            "))"
        )
    };
}

macro_rules! page {
    ($bounds:literal, $order:literal) => {
        meetings!(concat!($bounds, " and ", is_listed!(), " order by ", $order, " limit $12"))
    };
}

/// Binds the parameters 1 to 12.
macro_rules! bind_filter {
    ($query:expr, $filter:expr) => {
        $query
            .bind(first_start(&$filter))
            .bind($filter.to)
            .bind($filter.from)
            .bind($filter.room.map(|room| room.0))
            .bind($filter.state.map(MeetingState::as_str))
            .bind($filter.of.map(|account| account.0))
            .bind($filter.decider.map(|(account, _)| account.0))
            .bind(i32::from($filter.decider.is_some_and(|(_, own_too)| own_too)))
            .bind($filter.q.map(|q| contains_pattern(&q.to_lowercase())))
            .bind($filter.series)
            .bind(i32::from($filter.is_one_per_series))
            .bind($filter.limit)
    };
}

/// Before the start of any meeting that ends late enough.
fn first_start(filter: &MeetingFilter<'_>) -> i64 {
    filter.from.saturating_sub(MAX_MEETING_MS + 1)
}

/// Returns a page of the list.
pub async fn page(conn: Conn<'_>, filter: MeetingFilter<'_>) -> Result<Vec<MeetingListRow>, StoreError> {
    let sql = match filter.is_descending {
        false => page!("(m.starts_at, m.id) > ($13, $14)", "m.starts_at, m.id"),
        true => page!("(m.starts_at, m.id) < ($13, $14)", "m.starts_at desc, m.id desc"),
    };
    // The index is read from the place on, so the place is within the range.
    let first = first_start(&filter);
    let (at, id) = match filter.is_descending {
        false => filter.start.filter(|place| place.0 > first).unwrap_or((first, Uuid::max())),
        true => filter.start.filter(|place| place.0 < filter.to).unwrap_or((filter.to, Uuid::nil())),
    };
    Ok(with_conn!(conn, c => bind_filter!(sqlx::query_as(sql), filter).bind(at).bind(id).fetch_all(c).await)?)
}

/// Returns the number of meetings in the list, up to its limit.
pub async fn count(conn: Conn<'_>, filter: MeetingFilter<'_>) -> Result<i64, StoreError> {
    const SQL: &str =
        concat!("select count(*) from (select 1 from meeting m where ", is_listed!(), " limit $12) as part");
    Ok(with_conn!(conn, c => bind_filter!(sqlx::query_scalar(SQL), filter).fetch_one(c).await)?)
}

/// Returns one meeting; `None`: it does not exist.
pub async fn find(conn: Conn<'_>, id: MeetingId) -> Result<Option<MeetingListRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(meetings!("m.id = $1")).bind(id.0).fetch_optional(c).await)?)
}
