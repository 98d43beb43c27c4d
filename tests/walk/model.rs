//! The reference: what people were told, and what may follow from it. Knows nothing of hints, nodes or SQL.

use domain::{Kind, State, TaskId, Timestamp};
use uuid::Uuid;

/// A task as people know it.
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
    /// Moment and revision before the last change.
    pub before: (Timestamp, Option<Uuid>),
}

/// An effect as the witness saw it.
#[derive(Debug, Clone)]
pub struct Effect {
    pub task: TaskId,
    pub version: i32,
    pub article: Uuid,
    pub revision: Option<Uuid>,
}

/// All of them.
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

    /// Whether people know this version of a task.
    pub fn is_known(&self, id: TaskId, version: i32) -> bool {
        self.tasks.iter().any(|task| (task.id, task.version) == (id, version))
    }

    /// An effect became true at `now`: may it?
    pub fn effect(&mut self, effect: &Effect, now: Timestamp) -> Result<(), String> {
        let place = self.tasks.iter().position(|task| task.id == effect.task);
        let place = place.ok_or("S8: an effect of a task nobody made")?;
        let task = self.tasks[place].clone();
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
            () if now < task.due => "S2: an effect before its moment",
            () if effect.version != task.version => "S4: an effect of an older version",
            () if !task.approved => "S5: an effect without approval",
            () if (effect.article, effect.revision) != (task.article, task.revision) => {
                "S5: an effect with another text"
            }
            () if earlier.is_some() => "S9: an effect before an earlier one of its target",
            () => {
                self.tasks[place].state = State::Executed;
                return Ok(());
            }
        };
        Err(format!("{wrong}: {effect:?} at {now}, people know {task:?}"))
    }

    /// It is too late for a task that nobody approved.
    pub fn may_be_missed(task: &Task, now: Timestamp) -> bool {
        task.state == State::Scheduled && !task.approved && now.since(task.due) >= 5_000
    }

    /// A change was acknowledged with this version: what people know from then on.
    pub fn changed(&mut self, id: TaskId, version: i32, new: impl FnOnce(&mut Task)) -> Result<(), String> {
        let task = self.tasks.iter_mut().find(|task| task.id == id).ok_or("C1: a change of no task")?;
        if version != task.version + 1 {
            return Err(format!("S4: version {version} was answered after {}", task.version));
        }
        let before = (task.due, task.revision);
        new(task);
        (task.version, task.before) = (version, before);
        Ok(())
    }
}
