//! Moves publications along the posting slots: one slot later, which makes room, or one slot earlier,
//! which closes a gap. Publications that the actor may not change stay where they are.

use crate::{
    app_state::AppState,
    articles::review::workflow::follow_schedules,
    kinds::undo_plan::ChangeDetail,
    services::{Presenter, internal_error, write_error},
    tasks::{
        group_commit::PreparedChange,
        slots::no_free_slot,
        unit_of_work::{UnitOfWork, find_idempotent_result},
    },
    zone::Zone,
};
use domain::{
    AccountId, Actor, BatchId, DomainError, Kind, State, TaskId, Timestamp, When,
    bulk_change::{BulkMove, BulkOutcome, BulkRefusal, MAX_LISTED},
    calendar::{SlotDirection, SlotGap, SlotPlan, SlotShift, SlotUse, slots_in_use, slots_that_close_gap},
    error::ValidationError,
    task::Change,
};
use std::collections::HashMap;
use store::{
    Conn, PoolRole, batch, bulk, slot_plan, target,
    task_list::{self, TaskListRow},
    task_page::{self, TaskFilter},
};
use uuid::Uuid;

/// Maximum number of publications that move at once.
const MAX_MOVED: i64 = 1_000;
/// Changes of a task by which it leaves its slot.
const LEAVING: [&str; 3] = ["cancel", "reschedule", "publish_now"];

/// Moves publications by one slot, or lists who would move where.
pub async fn shift(
    parts: &AppState,
    actor: &Actor,
    shift: SlotShift,
    is_dry_run: bool,
) -> Result<BulkOutcome, DomainError> {
    if is_dry_run {
        let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
        let plan = slot_plan::find(lease.conn()).await.map_err(internal_error)?.ok_or_else(no_slot)?;
        let moves = Moves::find(lease.conn(), &presenter, &plan, (shift.direction, Some(shift.at))).await?;
        return Ok(moves.preview(&presenter));
    }
    let batch = BatchId::generate();
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    if let Some(first) = find_idempotent_result(&mut unit, batch.0).await? {
        let changed =
            batch::tasks(unit.tx.conn(), BatchId(first)).await.map_err(internal_error)?.len() as u64;
        let batch = (changed > 0).then_some(BatchId(first));
        return Ok(BulkOutcome { batch, matched: changed, changed, ..BulkOutcome::default() });
    }
    let plan = slot_plan::lock(unit.tx.conn()).await.map_err(internal_error)?.ok_or_else(no_slot)?;
    let moves =
        Moves::find(unit.tx.conn(), &unit.presenter, &plan, (shift.direction, Some(shift.at))).await?;
    let outcome = moves.outcome();
    let moved = move_all(&mut unit, batch, moves.moving).await?;
    unit.commit().await?;
    follow_schedules(parts, actor, &moved.iter().collect::<Vec<_>>()).await;
    Ok(BulkOutcome { batch: (!moved.is_empty()).then_some(batch), ..outcome })
}

/// Takes a slot for a new task of this target: the next one, or the one at this time. Returns its time,
/// and the publications that move. The plan stays locked until the transaction ends.
pub async fn make_room(
    unit: &mut UnitOfWork<'_>,
    (target, at): (Uuid, Option<Timestamp>),
    batch: BatchId,
) -> Result<(When, Vec<TaskListRow>), DomainError> {
    let plan = slot_plan::lock(unit.tx.conn()).await.map_err(internal_error)?;
    let plan = plan.ok_or_else(|| if at.is_some() { no_slot() } else { no_free_slot() })?;
    // In the order of locks: the plan, targets, tasks.
    if target::lock(unit.tx.conn(), &[target]).await.map_err(internal_error)?.is_empty() {
        return Err(DomainError::no_such("article"));
    }
    let mut moves = Moves::find(unit.tx.conn(), &unit.presenter, &plan, (SlotDirection::Later, at)).await?;
    // The target is scheduled already, and will be refused: its own time is then the one it has.
    if moves.moving.iter().any(|(row, _)| row.target_id == target) {
        moves.moving.clear();
    }
    let moved = move_all(unit, batch, moves.moving).await?;
    Ok((moves.first, moved))
}

/// The slot that a task left with its last change, if publications after it can close the gap.
pub async fn gap_after(parts: &AppState, actor: &Actor, id: TaskId) -> Result<Option<SlotGap>, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let row = task_list::find(lease.conn(), id).await.map_err(internal_error)?;
    let Some(at) = row.as_ref().and_then(left_at).filter(|at| *at > parts.clock.now()) else {
        return Ok(None);
    };
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let Some(plan) = slot_plan::find(lease.conn()).await.map_err(internal_error)? else { return Ok(None) };
    match Moves::find(lease.conn(), &presenter, &plan, (SlotDirection::Earlier, Some(at))).await {
        Ok(moves) if !moves.moving.is_empty() => {
            Ok(Some(SlotGap { at: presenter.moment(at), count: moves.moving.len() as u64 }))
        }
        // The time was no slot, or it is taken again.
        Ok(_) | Err(DomainError::NoSuch { .. } | DomainError::Changed | DomainError::Invalid { .. }) => {
            Ok(None)
        }
        Err(other) => Err(other),
    }
}

/// The time that a publication had before its last change, if it no longer has it.
fn left_at(row: &TaskListRow) -> Option<Timestamp> {
    let is_leaving =
        LEAVING.contains(&row.last_verb.as_deref()?) && row.kind == Kind::ArticlePublish.as_str();
    let detail: ChangeDetail = serde_json::from_str(row.last_detail.as_deref()?).ok()?;
    let at = detail.was_due_at.filter(|_| is_leaving && detail.was_ended.is_none())?;
    let is_there = row.state == State::Scheduled.as_str() && row.due_at == at.millis();
    (!is_there).then_some(at)
}

/// Who moves where.
struct Moves {
    /// The slot of the request; without one the first slot that the actor can use.
    first: When,
    moving: Vec<(TaskListRow, When)>,
    /// Publications of others in between.
    staying: Vec<TaskListRow>,
}

impl Moves {
    /// Finds who moves. `at`: `None`: the next slot.
    async fn find(
        mut conn: Conn<'_>,
        presenter: &Presenter<'_>,
        plan: &SlotPlan,
        (direction, at): (SlotDirection, Option<Timestamp>),
    ) -> Result<Self, DomainError> {
        if let Some(at) = at.filter(|at| *at <= presenter.now) {
            return Err(DomainError::past(at).in_field("at"));
        }
        let zone = Zone::stored(&plan.settings.zone);
        let after = at.map_or(presenter.now, |at| at.plus(-1));
        let slots = plan.settings.between(after, Timestamp::LATEST, &zone);
        if at.is_some() && slots.first().copied() != at {
            return Err(no_slot());
        }
        let (first, rest) = slots.split_first().ok_or_else(no_free_slot)?;
        let searched = if direction == SlotDirection::Earlier { rest } else { slots.as_slice() };
        let free = slot_plan::free(conn.reborrow(), searched, 1).await.map_err(internal_error)?;
        let end = match (free.first(), direction) {
            (Some(free), _) => *free,
            (None, SlotDirection::Earlier) => slots.last().map_or(*first, |last| last.plus(1)),
            (None, SlotDirection::Later) => return Err(no_free_slot()),
        };
        let taken = taken(conn, (*first, end)).await?;
        let queue = Queue { presenter, zone, taken };
        let slots: Vec<Timestamp> = slots.into_iter().take_while(|slot| *slot <= end).collect();
        match direction {
            SlotDirection::Later => queue.later(&slots, at),
            SlotDirection::Earlier => queue.earlier(&slots),
        }
    }

    fn outcome(&self) -> BulkOutcome {
        let refused = self.staying.iter().map(|row| BulkRefusal {
            id: TaskId(row.id),
            title: row.title.clone(),
            why: DomainError::NotAllowed,
        });
        BulkOutcome {
            matched: (self.moving.len() + self.staying.len()) as u64,
            changed: self.moving.len() as u64,
            refused: refused.collect(),
            ..BulkOutcome::default()
        }
    }

    fn preview(&self, presenter: &Presenter<'_>) -> BulkOutcome {
        let moves = self.moving.iter().filter_map(|(row, when)| {
            Some(BulkMove {
                id: TaskId(row.id),
                title: row.title.clone(),
                from: presenter.moment(row.due_at),
                to: presenter.moment(crate::zone::resolve(when).ok()?),
                is_conflict: false,
            })
        });
        BulkOutcome { moves: moves.take(MAX_LISTED).collect(), ..self.outcome() }
    }
}

/// Slots and the publications that they hold.
struct Queue<'p, 'a> {
    presenter: &'p Presenter<'a>,
    zone: Zone,
    taken: HashMap<i64, Vec<TaskListRow>>,
}

impl Queue<'_, '_> {
    fn slot_use(&self, at: Timestamp) -> SlotUse {
        let may_move = |row: &TaskListRow| self.presenter.actor.may_change(AccountId(row.owner_id));
        match self.taken.get(&at.millis()) {
            None => SlotUse::Free,
            Some(rows) if rows.iter().all(may_move) => SlotUse::Movable,
            Some(_) => SlotUse::Fixed,
        }
    }

    /// Room in the first of these slots, or in the first one that the actor can use. The last is free.
    fn later(self, slots: &[Timestamp], at: Option<Timestamp>) -> Result<Moves, DomainError> {
        let places = slots_in_use(slots.iter().map(|slot| self.slot_use(*slot)));
        let first = *places.first().ok_or_else(no_free_slot)?;
        if at.is_some() && first != 0 {
            return Err(DomainError::NotAllowed);
        }
        let steps: Vec<(usize, usize)> = places.windows(2).map(|pair| (pair[0], pair[1])).collect();
        Ok(self.moves(slots, first, &steps))
    }

    /// Closes the gap in the first of these slots.
    fn earlier(self, slots: &[Timestamp]) -> Result<Moves, DomainError> {
        if slots.first().is_some_and(|gap| self.slot_use(*gap) != SlotUse::Free) {
            return Err(DomainError::Changed);
        }
        let closing = slots_that_close_gap(slots.iter().skip(1).map(|slot| self.slot_use(*slot)));
        let places: Vec<usize> =
            std::iter::once(0).chain(closing.into_iter().map(|place| place + 1)).collect();
        let steps: Vec<(usize, usize)> = places.windows(2).map(|pair| (pair[1], pair[0])).collect();
        Ok(self.moves(slots, 0, &steps))
    }

    /// `steps`: from which slot to which.
    fn moves(mut self, slots: &[Timestamp], first: usize, steps: &[(usize, usize)]) -> Moves {
        let mut moving = Vec::new();
        for (from, to) in steps {
            let when = self.zone.local_time_at(slots[*to]);
            let rows = self.taken.remove(&slots[*from].millis()).unwrap_or_default();
            moving.extend(rows.into_iter().map(|row| (row, when.clone())));
        }
        let staying = slots.iter().filter_map(|slot| self.taken.remove(&slot.millis())).flatten().collect();
        Moves { first: self.zone.local_time_at(slots[first]), moving, staying }
    }
}

/// The publications that are scheduled in a range, by their time.
async fn taken(
    conn: Conn<'_>,
    (from, before): (Timestamp, Timestamp),
) -> Result<HashMap<i64, Vec<TaskListRow>>, DomainError> {
    let filter = TaskFilter {
        state: Some(State::Scheduled),
        kind: Some(Kind::ArticlePublish),
        from: from.millis(),
        to: before.millis(),
        owner: None,
        q: None,
        is_descending: false,
        hidden_kinds: "",
        start: None,
        limit: MAX_MOVED + 1,
    };
    let rows = task_page::page(conn, filter).await.map_err(internal_error)?;
    if i64::try_from(rows.len()).unwrap_or(i64::MAX) > MAX_MOVED {
        let max = u32::try_from(MAX_MOVED).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("slot", ValidationError::TooMany { max }));
    }
    let mut taken: HashMap<i64, Vec<TaskListRow>> = HashMap::new();
    for row in rows {
        taken.entry(row.due_at).or_default().push(row);
    }
    Ok(taken)
}

/// Moves all as one batch, or none: one that was changed meanwhile refuses the whole request. Returns the
/// tasks as they were.
async fn move_all(
    unit: &mut UnitOfWork<'_>,
    batch: BatchId,
    moves: Vec<(TaskListRow, When)>,
) -> Result<Vec<TaskListRow>, DomainError> {
    let mut prepared = Vec::new();
    for (row, when) in moves {
        let change = Change::Reschedule { when };
        let mut one = PreparedChange::of(row, &change, &unit.presenter)?.ok_or(DomainError::Changed)?;
        one.detail.batch = Some(batch.0);
        prepared.push(one);
    }
    if prepared.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<Uuid> = prepared.iter().map(|one| one.row.id).collect();
    let (account, now) = (unit.presenter.actor.account, unit.now());
    batch::create(unit.tx.conn(), batch, account, now).await.map_err(internal_error)?;
    batch::add_tasks(unit.tx.conn(), batch, &ids).await.map_err(internal_error)?;
    let requests: Vec<_> = prepared.iter().map(|one| one.transition_request(&unit.presenter)).collect();
    let changed = bulk::change_all(unit.tx.conn(), &requests).await.map_err(write_error(unit.parts))?;
    if prepared.iter().any(|one| !changed.contains(&TaskId(one.row.id))) {
        return Err(DomainError::Changed);
    }
    for one in &prepared {
        unit.note_moved(&one.row.kind, one.row.target_id);
        one.hint()?.into_iter().for_each(|hint| unit.add_hint(hint));
    }
    Ok(prepared.into_iter().map(|one| one.row).collect())
}

/// The refusal if a time is no slot of the desk.
fn no_slot() -> DomainError {
    DomainError::no_such("posting slot")
}
