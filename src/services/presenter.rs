//! Converts SQL rows into what a user sees, with the user's time zone, the site's time zone and
//! permissions.

use crate::{
    kinds::{self, TaskKind, undo_plan::UndoPlan},
    services::internal_error,
    zone::{self, Zone},
};
use domain::{
    AccountId, Actor, DomainError, LocalizedTime, State, TaskId, Timestamp, Version, event::Event,
    task::TaskRow,
};
use serde_json::Value;
use store::{Conn, event::EventRow, task_list::TaskListRow};

/// Presents rows to one user at one instant.
#[derive(Debug, Clone)]
pub struct Presenter<'a> {
    /// The user.
    pub actor: &'a Actor,
    /// The instant of the request.
    pub now: Timestamp,
    viewer: Zone,
    site: Zone,
}

impl<'a> Presenter<'a> {
    /// Creates the presenter; reads the site's time zone.
    pub async fn of(conn: Conn<'_>, actor: &'a Actor, now: Timestamp) -> Result<Self, DomainError> {
        let site = store::task_list::site_time_zone(conn).await.map_err(internal_error)?;
        let site = site.map_or(Zone::UTC, |name| Zone::stored(&name));
        Ok(Self { actor, now, viewer: Zone::stored(&actor.zone), site })
    }

    /// Presents an instant in the user's and the site's time zone.
    #[must_use]
    pub fn moment(&self, at: impl Into<Timestamp>) -> LocalizedTime {
        zone::moment(at.into(), self.viewer, self.site)
    }

    /// Presents a task; `None`: this release does not know its kind.
    #[must_use]
    pub fn task(&self, row: TaskListRow) -> Option<TaskRow> {
        let undo = UndoPlan::of(&row).and_then(|plan| plan.undo(self.now));
        let state: State = row.state.parse().ok()?;
        let is_managed =
            state == State::Scheduled && kinds::find(&row.kind).is_some_and(TaskKind::is_managed);
        let may_change = !is_managed && self.actor.may_change(AccountId(row.owner_id));
        let is_final = matches!(state, State::Executed | State::Cancelled);
        Some(TaskRow {
            id: TaskId(row.id),
            kind: row.kind.parse().ok()?,
            target_id: row.target_id,
            state,
            version: Version(row.version),
            due: self.moment(row.due_at),
            priority: row.priority.parse().ok()?,
            title: row.title,
            slug: row.path,
            owner_id: AccountId(row.owner_id),
            owner: row.owner,
            executed: row.executed_at.map(|at| self.moment(at)),
            reason: row.reason,
            has_newer_revision: row.has_newer_revision && !is_final,
            needs_approval: row.needs_approval,
            last_verb: row.last_verb,
            undo: undo.filter(|_| may_change),
            may_change,
        })
    }

    /// Presents tasks, without those of kinds this release does not know.
    #[must_use]
    pub fn tasks(&self, rows: Vec<TaskListRow>) -> Vec<TaskRow> {
        rows.into_iter().filter_map(|row| self.task(row)).collect()
    }

    /// Presents an event of the log.
    #[must_use]
    pub fn event(&self, row: EventRow) -> Event {
        let mut detail: Value = serde_json::from_str(&row.detail).unwrap_or_default();
        if row.entity == "delivery" && !self.actor.is_admin() {
            // Only admins may see channel names.
            detail = Value::Object(serde_json::Map::new());
        }
        let moment = |name: &str| Some(self.moment(detail.get(name)?.as_str()?.parse::<Timestamp>().ok()?));
        Event {
            seq: row.seq,
            at: self.moment(row.at),
            actor: row.actor,
            actor_id: row.actor_id.map(AccountId),
            entity: row.entity,
            entity_id: row.entity_id,
            verb: row.verb,
            from_state: row.from_state,
            to_state: row.to_state,
            version: row.version.map(Version),
            due: moment("due_at"),
            was_due: moment("was_due_at"),
            detail,
        }
    }
}
