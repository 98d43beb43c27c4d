//! Reads meetings: the list, the counts, and one meeting with its details.

use super::{may_decide, present};
use crate::{
    app_state::AppState,
    services::{
        Presenter,
        cursor::{self, Place},
        internal_error,
    },
};
use domain::{
    Actor, DomainError, MeetingId, Page, Role, Timestamp,
    base::page::PageStart,
    error::ValidationError,
    input_limits::{DEFAULT_PAGE_ITEMS, MAX_PAGE_ITEMS, MAX_SEARCH_CHARS},
    meetings::{Meeting, MeetingCounts, MeetingQuery, MeetingRow, MeetingScope},
};
use store::{
    PoolRole,
    meeting_list::{self, MeetingFilter, MeetingListRow},
};

/// Returns one page of the list.
pub async fn list(
    parts: &AppState,
    actor: &Actor,
    query: MeetingQuery,
) -> Result<Page<MeetingRow>, DomainError> {
    if query.q.as_ref().is_some_and(|q| q.chars().count() > MAX_SEARCH_CHARS) {
        let max = u32::try_from(MAX_SEARCH_CHARS).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("q", ValidationError::TooLong { max }));
    }
    let limit =
        usize::try_from(query.limit.unwrap_or(DEFAULT_PAGE_ITEMS).clamp(1, MAX_PAGE_ITEMS)).unwrap_or(1);
    let start = query.cursor.as_deref().map_or(Ok(PageStart::first()), cursor::read)?;
    let scope = query.scope.unwrap_or(MeetingScope::All);
    if scope == MeetingScope::ToApprove && actor.role == Role::Creator {
        return Ok(Page::empty());
    }
    let filter = MeetingFilter {
        of: (scope == MeetingScope::Mine).then_some(actor.account),
        decider: (scope == MeetingScope::ToApprove).then(|| (actor.account, decides_own(actor))),
        from: query.from.map_or(i64::MIN, Timestamp::millis),
        to: query.to.map_or(i64::MAX, Timestamp::millis),
        room: query.room_id,
        state: query.state,
        q: query.q.as_deref().map(str::trim).filter(|q| !q.is_empty()),
        is_descending: query.is_latest_first,
        start: None,
        // One more than requested shows whether there is another page.
        limit: i64::try_from(limit + 1).unwrap_or(i64::MAX),
    };
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let (rows, start) = rows_from(&mut lease, filter, start, limit).await?;
    let place = |row: &MeetingListRow| (row.meeting.starts_at, row.meeting.id);
    let page = Page::of_rows(rows, limit, start, place, cursor::write);
    let items = page.items.into_iter().map(|row| present::row(&presenter, row)).collect::<Result<_, _>>()?;
    Ok(Page { items, next_cursor: page.next_cursor, previous_cursor: page.previous_cursor })
}

/// Reads the rows of a page. If the way back ends on this page, it is the first page, read from its
/// start so that it is full.
async fn rows_from(
    lease: &mut store::ReadConn,
    filter: MeetingFilter<'_>,
    start: PageStart<Place>,
    limit: usize,
) -> Result<(Vec<MeetingListRow>, PageStart<Place>), DomainError> {
    let is_descending = filter.is_descending != start.is_backward;
    let asked = MeetingFilter { is_descending, start: start.place, ..filter };
    let rows = meeting_list::page(lease.conn(), asked).await.map_err(internal_error)?;
    if start.is_backward && rows.len() <= limit {
        let rows = meeting_list::page(lease.conn(), filter).await.map_err(internal_error)?;
        return Ok((rows, PageStart::first()));
    }
    Ok((rows, start))
}

/// Returns the numbers of meetings whose end is still to come, in any state, as the list shows them.
pub async fn counts(parts: &AppState, actor: &Actor) -> Result<MeetingCounts, DomainError> {
    let decider = (actor.role != Role::Creator).then(|| decides_own(actor));
    let now = parts.clock.now().millis();
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let (mine, to_approve, all) =
        meeting_list::counts(lease.conn(), actor.account, decider, now).await.map_err(internal_error)?;
    let count = |count: i64| u64::try_from(count).unwrap_or_default();
    Ok(MeetingCounts { mine: count(mine), to_approve: count(to_approve), all: count(all) })
}

/// Returns one meeting with its details.
pub async fn find(parts: &AppState, actor: &Actor, id: MeetingId) -> Result<Meeting, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    present::meeting(lease.conn(), &presenter, id).await
}

/// Whether the actor may decide its own requests.
fn decides_own(actor: &Actor) -> bool {
    may_decide(actor, actor.account)
}
