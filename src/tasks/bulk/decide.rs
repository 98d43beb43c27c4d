//! Decides what a change of many tasks writes for each of them.

use super::refused;
use crate::{
    kinds,
    services::{Presenter, internal_error},
    tasks::{decide, group_commit::PreparedChange, unit_of_work::parsed},
    zone::Zone,
};
use domain::{
    AccountId, BatchId, DomainError, Kind, State, Timestamp, When,
    base::local_time,
    bulk_change::{BulkChange, BulkRefusal},
    error::ValidationError,
    series::ZoneRules as _,
    task::Change,
};
use jiff::civil::DateTime;
use std::collections::{BTreeMap, HashMap};
use store::{Conn, slot_plan, task_list::TaskListRow};
use uuid::Uuid;

/// Returns free posting slots for tasks, by time. The plan is locked until the transaction ends.
pub async fn take_slots(mut conn: Conn<'_>, now: Timestamp, count: usize) -> Result<Vec<When>, DomainError> {
    let plan = slot_plan::lock(conn.reborrow()).await.map_err(internal_error)?;
    let Some(plan) = plan else { return Ok(Vec::new()) };
    let zone = Zone::stored(&plan.settings.zone);
    let slots = plan.settings.between(now, Timestamp::LATEST, &zone);
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let free = slot_plan::free(conn, &slots, count).await.map_err(internal_error)?;
    Ok(free.into_iter().map(|at| zone.local_time_at(at)).collect())
}

/// Returns which tasks may not be executed now, if the change executes them.
pub async fn not_executable(
    mut conn: Conn<'_>,
    rows: &[TaskListRow],
    wanted: &BulkChange,
) -> Result<HashMap<Uuid, DomainError>, DomainError> {
    let mut refused = HashMap::new();
    let states: &[State] = match wanted {
        BulkChange::RunNow => &[State::Scheduled],
        BulkChange::Retry => &[State::Failed, State::Missed],
        _ => return Ok(refused),
    };
    let mut by_kind: BTreeMap<&str, Vec<&TaskListRow>> = BTreeMap::new();
    for row in rows.iter().filter(|row| states.iter().any(|state| row.state == state.as_str())) {
        by_kind.entry(&row.kind).or_default().push(row);
    }
    for (word, tasks) in by_kind {
        let Some(kind) = kinds::find(word) else { continue };
        let found = kind.check_again(conn.reborrow(), &tasks).await.map_err(internal_error)?;
        refused.extend(found.into_iter().map(|(place, why)| (tasks[place].id, why)));
    }
    Ok(refused)
}

/// What is decided for each task.
pub struct Decision<'a, 'p> {
    pub presenter: &'a Presenter<'p>,
    pub wanted: &'a BulkChange,
    /// The batch that the change belongs to; `None`: a preview.
    pub batch: Option<BatchId>,
    /// Tasks that may not be executed, see [`not_executable`].
    pub not_executable: HashMap<Uuid, DomainError>,
}

/// The changes to write, and the refused tasks.
#[derive(Default)]
pub struct Decided {
    pub prepared: Vec<PreparedChange>,
    pub refused: Vec<BulkRefusal>,
}

impl Decision<'_, '_> {
    /// Decides for all rows, which are in order of their due time. `slots` are free.
    pub fn all(&self, rows: &[TaskListRow], slots: Vec<When>) -> Decided {
        let (mut decided, mut slots) = (Decided::default(), slots.into_iter());
        for row in rows {
            match self.one(row, &mut slots) {
                Ok(prepared) => decided.prepared.push(prepared),
                Err(why) => decided.refused.push(refused(row, why)),
            }
        }
        decided
    }

    fn one(
        &self,
        row: &TaskListRow,
        slots: &mut impl Iterator<Item = When>,
    ) -> Result<PreparedChange, DomainError> {
        let state: State = parsed(&row.state)?;
        if !self.presenter.actor.may_change(AccountId(row.owner_id)) {
            return Err(DomainError::NotAllowed);
        }
        let change = self.change_of(row, state, slots)?;
        if !decide::may_change(row, &change, state) {
            return Err(DomainError::FollowsMeeting);
        }
        if let Some(why) = self.not_executable.get(&row.id) {
            return Err(why.clone());
        }
        let is_ended = matches!(state, State::Failed | State::Missed);
        if is_ended && row.has_newer_revision && change != Change::Cancel {
            return Err(DomainError::OlderText);
        }
        let prepared = PreparedChange::of(row.clone(), &change, self.presenter)?;
        let mut prepared = prepared.ok_or_else(|| wrong_state(state))?;
        prepared.detail.batch = self.batch.map(|batch| batch.0);
        Ok(prepared)
    }

    /// The change of one task.
    fn change_of(
        &self,
        row: &TaskListRow,
        state: State,
        slots: &mut impl Iterator<Item = When>,
    ) -> Result<Change, DomainError> {
        let due_at = Timestamp::from_millis(row.due_at);
        let is_due = state == State::Scheduled && due_at <= self.presenter.now;
        let is_final = matches!(state, State::Executed | State::Cancelled);
        if is_final {
            return Err(wrong_state(state));
        }
        // What is due is being executed: it is never delayed.
        if is_due && *self.wanted != BulkChange::Cancel {
            return Err(DomainError::past(due_at));
        }
        let when = match self.wanted {
            BulkChange::Cancel => return Ok(Change::Cancel),
            BulkChange::Retry => return Ok(Change::Retry),
            BulkChange::RunNow if state == State::Scheduled => self.presenter.now.into(),
            BulkChange::RunNow => return Err(wrong_state(state)),
            BulkChange::Shift { days, minutes } => self.zone(row).shifted(due_at, *days, *minutes)?,
            BulkChange::MoveToDay { day } => self.on_day(row, day)?,
            BulkChange::ToSlots if row.kind != Kind::ArticlePublish.as_str() => {
                let words = Kind::ArticlePublish.as_str().to_owned();
                return Err(DomainError::invalid("kind", ValidationError::NotOneOf { words }));
            }
            BulkChange::ToSlots => slots.next().ok_or_else(|| DomainError::no_such("free slot"))?,
        };
        Ok(Change::Reschedule { when })
    }

    /// The zone in which the task was scheduled, else that of the user.
    fn zone(&self, row: &TaskListRow) -> Zone {
        Zone::stored(row.time_zone.as_deref().unwrap_or(&self.presenter.actor.zone))
    }

    /// On another day at the same wall-clock time.
    fn on_day(&self, row: &TaskListRow, day: &str) -> Result<When, DomainError> {
        let zone = self.zone(row);
        let local = zone.local_at(row.due_at.into()).ok_or_else(out_of_range)?;
        let date = local_time::parse_date(day.trim()).ok_or_else(out_of_range)?;
        Ok(in_zone(zone, date.to_datetime(local.time())))
    }
}

fn in_zone(zone: Zone, local: DateTime) -> When {
    let local = local_time::shortest_text(local);
    When::Local { local, zone: zone.name().to_owned(), disambiguation: None }
}

fn wrong_state(state: State) -> DomainError {
    DomainError::WrongState { what: "task".to_owned(), state: state.as_str().to_owned() }
}

fn out_of_range() -> DomainError {
    DomainError::invalid("days", ValidationError::OutOfRange)
}
