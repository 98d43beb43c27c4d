//! The reference: what users were answered, and what may follow from it. It has no hints, nodes or
//! SQL.

use domain::{Kind, State, TaskId, Timestamp};
use uuid::Uuid;

/// A task as users know it.
#[derive(Debug, Clone)]
pub struct Task {
    pub id: TaskId,
    pub kind: Kind,
    pub article: Uuid,
    pub due: Timestamp,
    pub version: i32,
    pub revision: Option<Uuid>,
    pub approved: bool,
    pub state: State,
    /// Due time and revision before the last change.
    pub before: (Timestamp, Option<Uuid>),
}

/// An effect as the observer recorded it.
#[derive(Debug, Clone)]
pub struct Effect {
    pub task: TaskId,
    pub version: i32,
    pub article: Uuid,
    pub revision: Option<Uuid>,
}

/// All tasks.
#[derive(Debug, Default)]
pub struct Model {
    pub tasks: Vec<Task>,
}

impl Model {
    pub fn waiting(&self, kind: Kind, article: Uuid) -> Option<&Task> {
        self.tasks
            .iter()
            .find(|task| task.kind == kind && task.article == article && task.state == State::Scheduled)
    }

    /// Whether users were answered with this version of a task.
    pub fn is_known(&self, id: TaskId, version: i32) -> bool {
        self.tasks.iter().any(|task| (task.id, task.version) == (id, version))
    }

    /// Records an effect at `now`. An error if it was not allowed.
    pub fn effect(&mut self, effect: &Effect, now: Timestamp) -> Result<(), String> {
        let index = self.tasks.iter().position(|task| task.id == effect.task);
        let index = index.ok_or("S8: an effect of a task that no user created")?;
        let task = self.tasks[index].clone();
        let earlier = self.tasks.iter().find(|other| {
            other.article == task.article
                && other.state == State::Scheduled
                && (other.due, other.id) < (task.due, task.id)
                && !Self::may_be_missed(other, now)
        });
        let wrong = match () {
            () if task.state == State::Executed => "S1: a second effect of one task",
            () if task.state == State::Cancelled => "S3: an effect after an acknowledged cancel",
            () if task.state != State::Scheduled => "S7: an effect of a task that had ended",
            () if now < task.due => "S2: an effect before its due time",
            () if effect.version != task.version => "S4: an effect of an older version",
            () if !task.approved => "S5: an effect without approval",
            () if (effect.article, effect.revision) != (task.article, task.revision) => {
                "S5: an effect with another text"
            }
            () if earlier.is_some() => "S9: an effect before an earlier one of its target",
            () => {
                self.tasks[index].state = State::Executed;
                return Ok(());
            }
        };
        Err(format!("{wrong}: {effect:?} at {now}, users know {task:?}"))
    }

    /// Whether a task may be missed: it was not approved within its grace period.
    pub fn may_be_missed(task: &Task, now: Timestamp) -> bool {
        task.state == State::Scheduled && !task.approved && now.since(task.due) >= 5_000
    }

    /// Records a change that was acknowledged with this version.
    pub fn changed(&mut self, id: TaskId, version: i32, new: impl FnOnce(&mut Task)) -> Result<(), String> {
        let task =
            self.tasks.iter_mut().find(|task| task.id == id).ok_or("C1: a change of an unknown task")?;
        if version != task.version + 1 {
            return Err(format!("S4: version {version} was answered after {}", task.version));
        }
        let before = (task.due, task.revision);
        new(task);
        (task.version, task.before) = (version, before);
        Ok(())
    }
}
