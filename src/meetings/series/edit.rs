//! Changes several occurrences of a series at once: one transaction, and one undo for all.

use super::{
    changes::Changes,
    conflicts, load,
    work::{self, Work},
    write_work,
};
use crate::{
    app_state::AppState,
    meetings::{
        change::{self, Current},
        present,
    },
    services::internal_error,
    tasks::unit_of_work::{UnitOfWork, find_idempotent_result},
};
use domain::{
    Actor, DomainError, MeetingId, Timestamp, Version,
    error::ValidationError,
    meetings::{ChangedSeries, MeetingState, SeriesEdit},
    series::{Edit, EditChange, EditPlan, MovedOccurrences, Reach, Series},
};
use store::{meeting, series, target};
use uuid::Uuid;

/// Changes a meeting and others of its series, if the meeting still has the version the actor saw.
pub async fn edit(
    parts: &AppState,
    actor: &Actor,
    id: MeetingId,
    edit: SeriesEdit,
    seen: Version,
) -> Result<ChangedSeries, DomainError> {
    let wanted = Wanted {
        reach: edit.reach,
        moved: edit.moved,
        changes: Changes::read(edit.change)?,
        rule: None,
        is_all_or_nothing: false,
    };
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    let series = lock(&mut unit, id).await?;
    let current = change::load(&mut unit, id).await?;
    if !current.is_owner {
        return Err(DomainError::NotAllowed);
    }
    if find_idempotent_result(&mut unit, id.0).await?.is_some() {
        let meeting = present::meeting(unit.tx.conn(), &unit.presenter, id).await?;
        return Ok(ChangedSeries { meeting, changed: 0, cancelled: 0, added: 0, kept_moved: 0 });
    }
    check_current(&current, series, seen)?;
    let done = edit_in(&mut unit, series, &current, wanted).await?;
    let meeting = present::meeting(unit.tx.conn(), &unit.presenter, id).await?;
    unit.commit().await?;
    let Done { changed, cancelled, added, kept_moved, .. } = done;
    Ok(ChangedSeries { meeting, changed, cancelled, added, kept_moved })
}

/// A change of several occurrences.
pub struct Wanted {
    pub reach: Reach,
    pub moved: MovedOccurrences,
    pub changes: Changes,
    /// The series that continues it; `None`: the occurrences move as the edited one does.
    pub rule: Option<Series>,
    /// Whether nothing is changed if one of the new occurrences cannot be booked.
    pub is_all_or_nothing: bool,
}

/// What a change of several occurrences did.
pub struct Done {
    /// The series that continues it; `None`: none does.
    pub next: Option<Uuid>,
    pub changed: usize,
    pub cancelled: usize,
    pub added: usize,
    pub kept_moved: usize,
}

/// Changes an occurrence and others of its series in the transaction. Its targets are locked.
pub async fn edit_in(
    unit: &mut UnitOfWork<'_>,
    series: Uuid,
    current: &Current,
    wanted: Wanted,
) -> Result<Done, DomainError> {
    let Wanted { reach, moved, changes, rule, is_all_or_nothing } = wanted;
    let id = MeetingId(current.row.id);
    let loaded = load::load(unit.tx.conn(), series, Timestamp::EARLIEST).await?;
    let state = loaded.state()?;
    let change = match rule {
        Some(rule) => EditChange::Continue(rule),
        None => changes.of_series(&loaded, &state, id)?,
    };
    let domain_edit = Edit { occurrence: id.0, reach, change, moved };
    let plan = domain_edit.decide(&state, &loaded.zone, unit.now(), &mut Uuid::now_v7);
    let plan: EditPlan = plan.map_err(|refusal| changes.renamed(refusal))?;
    let kept_moved = plan.counts.kept_moved;
    let work = work::prepare(unit, &loaded, (current, &changes), plan).await?;
    let (changed, cancelled, added) = counts(&work);
    let next = work.next.as_ref().map(|(row, _)| row.id);
    if is_all_or_nothing && work.added.iter().any(|one| one.blocked.is_some()) {
        let (count, all) = (work.added.len(), conflicts::conflicts(&unit.presenter, &work.added));
        return Err(DomainError::OccurrencesTaken { conflicts: all, count });
    }
    write_work::apply(unit, &loaded, work).await?;
    Ok(Done { next, changed, cancelled, added, kept_moved })
}

/// Numbers of changed, cancelled and new meetings.
fn counts(work: &Work) -> (usize, usize, usize) {
    let is_cancelled = |one: &&work::RowUpdate| one.booking.state == MeetingState::Cancelled;
    let cancelled = work.updates.iter().filter(is_cancelled).count();
    let added = work.added.iter().filter(|one| one.blocked.is_none()).count();
    (work.updates.len() - cancelled, cancelled, added)
}

/// Locks the meetings of the series and the series itself, in id order. Returns the series.
pub async fn lock(unit: &mut UnitOfWork<'_>, id: MeetingId) -> Result<Uuid, DomainError> {
    let row = meeting::find(unit.tx.conn(), id).await.map_err(internal_error)?;
    let row = row.ok_or_else(|| DomainError::no_such("meeting"))?;
    let series = row.series_id.ok_or_else(|| {
        let why = "is only for meetings that repeat".to_owned();
        DomainError::invalid("reach", ValidationError::Unreadable { why })
    })?;
    let mut ids = series::meeting_ids(unit.tx.conn(), series).await.map_err(internal_error)?;
    ids.push(series);
    target::lock(unit.tx.conn(), &ids).await.map_err(internal_error)?;
    Ok(series)
}

fn check_current(current: &Current, series: Uuid, seen: Version) -> Result<(), DomainError> {
    // It may have become part of another series before the lock.
    if current.row.series_id != Some(series) {
        return Err(DomainError::Changed);
    }
    change::check_seen(current, seen)?;
    if current.booking.state.is_open() {
        return Ok(());
    }
    let state = current.booking.state.to_string();
    Err(DomainError::WrongState { what: "meeting".to_owned(), state })
}
