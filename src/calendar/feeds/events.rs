//! The events of a feed: meetings from a month ago on, scheduled articles and releases.

use crate::{
    meetings::invite::{UID_HOST, event_of_meeting},
    services::internal_error,
    tasks::unit_of_work::parsed,
    text::ical::{Event, EventStatus},
    zone::Zone,
};
use domain::{
    AccountId, DomainError, RoomId, Timestamp,
    calendar::{FeedKind, MAX_FEED_EVENTS},
    meetings::{MAX_AHEAD_MS, MeetingState},
};
use store::{
    Conn,
    calendar_feed::{self as feed, FeedArticle, FeedRelease, FeedRow},
    meeting_list::{self, MeetingFilter, MeetingListRow},
};
use uuid::Uuid;

/// How long ended meetings stay in a feed, milliseconds: 30 days.
const KEPT_MS: i64 = 30 * 24 * 3_600_000;
/// Maximum number of ended meetings in a feed.
const MAX_ENDED: i64 = 300;

/// Returns the events of a feed: what is to come, then what ended lately.
pub async fn of(
    mut conn: Conn<'_>,
    row: &FeedRow,
    now: Timestamp,
    public_url: &str,
) -> Result<Vec<Event>, DomainError> {
    let kind: FeedKind = parsed(&row.kind)?;
    let owner = (kind == FeedKind::Person).then_some(AccountId(row.owner_id));
    let limit = i64::try_from(MAX_FEED_EVENTS).unwrap_or(i64::MAX);
    let until = now.plus(MAX_AHEAD_MS);
    let ahead = MeetingFilter {
        of: owner,
        decider: None,
        from: now.millis(),
        to: until.millis(),
        room: row.room_id.map(RoomId),
        state: None,
        series: None,
        is_one_per_series: false,
        q: None,
        is_descending: false,
        start: None,
        limit,
    };
    let ended = MeetingFilter {
        from: now.plus(-KEPT_MS).millis(),
        to: now.millis(),
        is_descending: true,
        limit: MAX_ENDED,
        ..ahead
    };
    let mut meetings = meeting_list::page(conn.reborrow(), ahead).await.map_err(internal_error)?;
    let ended = meeting_list::page(conn.reborrow(), ended).await.map_err(internal_error)?;
    meetings.extend(ended.into_iter().filter(|row| row.meeting.ends_at <= now.millis()));
    let mut all = Vec::with_capacity(meetings.len());
    for row in meetings {
        all.extend(of_meeting(row, public_url)?);
    }
    if kind != FeedKind::Room {
        let articles = feed::articles(conn.reborrow(), owner, until, limit).await.map_err(internal_error)?;
        all.extend(articles.into_iter().map(|row| of_article(row, public_url)));
        let releases = feed::releases(conn, owner, until, limit).await.map_err(internal_error)?;
        all.extend(releases.into_iter().map(|row| of_release(row, public_url)));
    }
    Ok(all)
}

/// The event of a meeting; `None`: it does not take place.
fn of_meeting(row: MeetingListRow, public_url: &str) -> Result<Option<Event>, DomainError> {
    let state: MeetingState = parsed(&row.meeting.state)?;
    let takes_place = state.is_open() || state == MeetingState::Ended;
    let event = || Event {
        stamp: row.meeting.created_at.into(),
        url: format!("{public_url}/meetings/{}", row.meeting.id),
        ..event_of_meeting(&row.meeting, &row.room)
    };
    Ok(takes_place.then(event))
}

/// The event of a scheduled article.
fn of_article(row: FeedArticle, public_url: &str) -> Event {
    let sign = if row.kind == "article.unpublish" { '\u{2193}' } else { '\u{2191}' };
    let (summary, url) =
        (format!("{sign} {}", row.title), format!("{public_url}/articles/{}", row.target_id));
    Event {
        summary,
        url,
        ..moment((row.id, row.version), (row.created_at, row.due_at), row.time_zone.as_deref())
    }
}

/// The event of a scheduled release: one moment for all its articles.
fn of_release(row: FeedRelease, public_url: &str) -> Event {
    let articles = if row.count == 1 { "article" } else { "articles" };
    let (summary, url) = (
        format!("\u{2191} {} ({} {articles})", row.name, row.count),
        format!("{public_url}/releases/{}", row.target_id),
    );
    Event {
        summary,
        url,
        ..moment((row.id, row.version), (row.created_at, row.due_at), row.time_zone.as_deref())
    }
}

/// A moment that leaves its time free: planned until it happens.
fn moment((id, version): (Uuid, i32), (created_at, due_at): (i64, i64), zone: Option<&str>) -> Event {
    Event {
        uid: format!("{id}@{UID_HOST}"),
        sequence: version - 1,
        stamp: created_at.into(),
        starts_at: due_at.into(),
        ends_at: None,
        zone: Zone::stored(zone.unwrap_or("UTC")),
        status: EventStatus::Tentative,
        is_free: true,
        summary: String::new(),
        description: String::new(),
        location: String::new(),
        url: String::new(),
        attendance: None,
        recurrence: None,
        recurrence_id: None,
    }
}
