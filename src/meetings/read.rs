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
    // One more than requested shows whether there is another page.
    let rows = i64::try_from(limit + 1).unwrap_or(i64::MAX);
    let filter = filter_of(actor, &query, scope, rows);
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

/// Returns what the query asks for, in another scope.
fn filter_of<'q>(
    actor: &Actor,
    query: &'q MeetingQuery,
    scope: MeetingScope,
    limit: i64,
) -> MeetingFilter<'q> {
    let decides = scope == MeetingScope::ToApprove;
    MeetingFilter {
        of: (scope == MeetingScope::Mine).then_some(actor.account),
        decider: decides.then(|| (actor.account, may_decide(actor, actor.account))),
        from: query.from.map_or(i64::MIN, Timestamp::millis),
        to: query.to.map_or(i64::MAX, Timestamp::millis),
        room: query.room_id,
        state: query.state,
        series: query.series_id,
        is_one_per_series: query.is_one_per_series && !decides,
        q: query.q.as_deref().map(str::trim).filter(|q| !q.is_empty()),
        is_descending: query.is_latest_first,
        start: None,
        limit,
    }
}

/// Returns the numbers of meetings that the query matches, in any state, as the lists show them.
pub async fn counts(
    parts: &AppState,
    actor: &Actor,
    query: &MeetingQuery,
) -> Result<MeetingCounts, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let mut counts = [0; 3];
    let scopes = [MeetingScope::Mine, MeetingScope::ToApprove, MeetingScope::All];
    for (count, scope) in counts.iter_mut().zip(scopes) {
        if scope == MeetingScope::ToApprove && actor.role == Role::Creator {
            continue;
        }
        let filter = filter_of(actor, query, scope, meeting_list::MAX_COUNT);
        let found = meeting_list::count(lease.conn(), filter).await.map_err(internal_error)?;
        *count = u64::try_from(found).unwrap_or_default();
    }
    let [mine, to_approve, all] = counts;
    Ok(MeetingCounts { mine, to_approve, all })
}

/// Returns one meeting with its details.
pub async fn find(parts: &AppState, actor: &Actor, id: MeetingId) -> Result<Meeting, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    present::meeting(lease.conn(), &presenter, id).await
}
