//! Shows the series of a meeting.

use super::load;
use crate::{
    app_state::AppState,
    services::{Presenter, internal_error},
    tasks::unit_of_work::parsed,
};
use domain::{
    Actor, DomainError, MeetingId, Timestamp,
    meetings::{
        BookingConflict, MAX_LISTED_OCCURRENCES, MeetingSeries, OccurrenceConflict, OccurrenceRef, SkipReason,
    },
    series::{RuleFields, count_reaches},
};
use store::{
    Conn, PoolRole, meeting,
    series::{self, OccurrenceRow, SkipRow},
};
use uuid::Uuid;

/// How long occurrences that passed are shown, milliseconds: a day.
const SHOWN_AFTER_MS: i64 = 24 * 3_600_000;
/// Maximum number of occurrences that were not booked.
const MAX_SKIPPED: i64 = 100;

/// Returns the series of a meeting; `None`: it does not repeat.
pub async fn find(
    parts: &AppState,
    actor: &Actor,
    id: MeetingId,
) -> Result<Option<MeetingSeries>, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let found = meeting::find(lease.conn(), id).await.map_err(internal_error)?;
    let found = found.ok_or_else(|| DomainError::no_such("meeting"))?;
    let Some(series) = found.series_id else { return Ok(None) };
    let since = presenter.now.plus(-SHOWN_AFTER_MS);
    let from = since.min(Timestamp::from_millis(found.starts_at - 1));
    let loaded = load::load(lease.conn(), series, from).await?;
    let counts = count_reaches(&loaded.state()?, id.0, presenter.now);
    let mut shown: Vec<&OccurrenceRow> =
        loaded.meetings.iter().filter(|one| one.meeting.starts_at > since.millis()).collect();
    shown.sort_by_key(|one| (one.meeting.starts_at, one.meeting.id));
    shown.truncate(MAX_LISTED_OCCURRENCES);
    let occurrences =
        shown.into_iter().map(|one| occurrence(&presenter, one)).collect::<Result<Vec<_>, _>>()?;
    let skipped = skipped(lease.conn(), &presenter, series, since).await?;
    Ok(Some(MeetingSeries {
        id: series,
        starts_local: loaded.row.starts_local.clone(),
        zone: loaded.row.time_zone.clone(),
        rule: RuleFields::from(&loaded.series.rule),
        occurrences,
        skipped,
        following: counts.following,
        all: counts.all,
        moved: counts.moved,
        other_moved_following: counts.other_moved_following,
        other_moved: counts.other_moved,
    }))
}

fn occurrence(presenter: &Presenter<'_>, one: &OccurrenceRow) -> Result<OccurrenceRef, DomainError> {
    Ok(OccurrenceRef {
        id: MeetingId(one.meeting.id),
        starts: presenter.moment(one.meeting.starts_at),
        ends: presenter.moment(one.meeting.ends_at),
        state: parsed(&one.meeting.state)?,
    })
}

/// Returns the occurrences that were not booked and would end after a moment.
pub async fn skipped(
    conn: Conn<'_>,
    presenter: &Presenter<'_>,
    series: Uuid,
    after: Timestamp,
) -> Result<Vec<OccurrenceConflict>, DomainError> {
    let rows = series::skips(conn, series, after, MAX_SKIPPED).await.map_err(internal_error)?;
    rows.into_iter().map(|row| conflict(presenter, row)).collect()
}

fn conflict(presenter: &Presenter<'_>, row: SkipRow) -> Result<OccurrenceConflict, DomainError> {
    let reason: SkipReason = parsed(&row.reason)?;
    let meeting = |((id, title), (starts, ends)): ((Uuid, String), (i64, i64))| BookingConflict {
        id: MeetingId(id),
        title,
        starts: presenter.moment(starts),
        ends: presenter.moment(ends),
    };
    let found = row.meeting_id.zip(row.title).zip(row.meeting_starts_at.zip(row.meeting_ends_at));
    Ok(OccurrenceConflict {
        original_local: row.original_local,
        starts: presenter.moment(row.starts_at),
        ends: presenter.moment(row.ends_at),
        reason,
        meetings: found.map(meeting).into_iter().collect(),
    })
}
