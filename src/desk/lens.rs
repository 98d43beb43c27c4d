//! How rows of SQL become what one person is shown: their zone, the desk's zone, what they may change.

use crate::{
    desk::{broken, tasks::Past},
    zone::{self, Zone},
};
use domain::{Actor, Moment, PersonId, Refusal, TaskId, Timestamp, Version, event::Event, task::TaskRow};
use serde_json::Value;
use store::{Conn, event::EventRow, task_list::Line};

/// One person's view, at one moment.
#[derive(Debug, Clone)]
pub struct Lens<'a> {
    /// Who looks.
    pub actor: &'a Actor,
    /// When.
    pub now: Timestamp,
    viewer: Zone,
    desk: Zone,
}

impl<'a> Lens<'a> {
    /// The view of this person; reads the desk's zone.
    pub async fn of(conn: Conn<'_>, actor: &'a Actor, now: Timestamp) -> Result<Self, Refusal> {
        let desk = store::task_list::desk_zone(conn).await.map_err(broken)?;
        let desk = desk.map_or(Zone::UTC, |name| Zone::stored(&name));
        Ok(Self { actor, now, viewer: Zone::stored(&actor.zone), desk })
    }

    /// A moment as they see it.
    #[must_use]
    pub fn moment(&self, at: impl Into<Timestamp>) -> Moment {
        zone::moment(at.into(), self.viewer, self.desk)
    }

    /// A task as they see it; `None`: this release does not know its kind.
    #[must_use]
    pub fn task(&self, line: Line) -> Option<TaskRow> {
        let undo = Past::of(&line).and_then(|past| past.undo(self.now));
        let may_change = self.actor.may_change(PersonId(line.owner_id));
        Some(TaskRow {
            id: TaskId(line.id),
            kind: line.kind.parse().ok()?,
            target_id: line.target_id,
            state: line.state.parse().ok()?,
            version: Version(line.version),
            due: self.moment(line.due_at),
            lane: line.lane.parse().ok()?,
            title: line.title,
            slug: line.slug,
            owner_id: PersonId(line.owner_id),
            owner: line.owner,
            executed: line.executed_at.map(|at| self.moment(at)),
            reason: line.reason,
            undo: undo.filter(|_| may_change),
            may_change,
        })
    }

    /// Tasks as they see them, without those of kinds this release does not know.
    #[must_use]
    pub fn tasks(&self, lines: Vec<Line>) -> Vec<TaskRow> {
        lines.into_iter().filter_map(|line| self.task(line)).collect()
    }

    /// A line of the log as they see it.
    #[must_use]
    pub fn event(&self, row: EventRow) -> Event {
        let mut detail: Value = serde_json::from_str(&row.detail).unwrap_or_default();
        if row.entity == "delivery" && !self.actor.is_admin() {
            // Which channels there are is for admins to know.
            detail = Value::Object(serde_json::Map::new());
        }
        let moment = |name: &str| Some(self.moment(detail.get(name)?.as_str()?.parse::<Timestamp>().ok()?));
        Event {
            seq: row.seq,
            at: self.moment(row.at),
            actor: row.actor,
            actor_id: row.actor_id.map(PersonId),
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
