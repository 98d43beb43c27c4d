//! The unit of work of one change: its transaction, its view, and what is told after the commit.

use crate::{
    desk::{Lens, broken, hint, unsaved},
    parts::Parts,
};
use domain::{Actor, ArticleId, Hint, Kind, Refusal, State, TaskId, Timestamp, Version, task::TaskRow};
use store::{
    StoreError, Tx, Who,
    event::{self, NewEvent},
    idempotency::{self, Claim},
    outbox::{self, Message},
    point,
    target::{self, Target},
    task::{self, Facts, Fresh},
    task_list::{self, Line},
};
use uuid::Uuid;

/// A change in the making. Dropped without [`Unit::finish`]: nothing happened.
pub struct Unit<'a> {
    pub parts: &'a Parts,
    pub lens: Lens<'a>,
    pub tx: Tx,
    events: Vec<NewEvent>,
    hints: Vec<Hint>,
    /// Deliveries that wait.
    posted: u64,
}

impl<'a> Unit<'a> {
    /// Begins the transaction.
    pub async fn begin(parts: &'a Parts, actor: &'a Actor) -> Result<Self, Refusal> {
        let mut tx = parts.store.begin(Who::People).await.map_err(broken)?;
        let lens = Lens::of(tx.conn(), actor, parts.clock.now()).await?;
        point::pass("desk.begun").await.map_err(broken)?;
        Ok(Self { parts, lens, tx, events: Vec::new(), hints: Vec::new(), posted: 0 })
    }

    /// When the change is made.
    pub fn now(&self) -> Timestamp {
        self.lens.now
    }

    /// Locks an article that the actor may change.
    pub async fn lock(&mut self, article: ArticleId) -> Result<Target, Refusal> {
        let found = target::lock(self.tx.conn(), &[article.0]).await.map_err(broken)?;
        let target = found.into_iter().next().ok_or_else(|| Refusal::no_such("article"))?;
        if !self.lens.actor.may_change(target.owner()) {
            return Err(Refusal::NotAllowed);
        }
        if target.deleted_at.is_some() {
            return Err(Refusal::InTrash);
        }
        Ok(target)
    }

    /// The task as it is in this transaction.
    pub async fn line(&mut self, id: TaskId) -> Result<Line, Refusal> {
        task_list::find(self.tx.conn(), id).await.map_err(broken)?.ok_or_else(|| Refusal::no_such("task"))
    }

    /// The task as the actor is shown it.
    pub async fn row(&mut self, id: TaskId) -> Result<TaskRow, Refusal> {
        let line = self.line(id).await?;
        self.show(line)
    }

    /// A line as the actor is shown it.
    pub fn show(&self, line: Line) -> Result<TaskRow, Refusal> {
        self.lens.task(line).ok_or_else(|| Refusal::no_such("task"))
    }

    /// 409 with the task as it is now.
    pub fn conflict(&self, line: Line) -> Refusal {
        match self.show(line) {
            Ok(row) => Refusal::TaskConflict { task: Box::new(row) },
            Err(refusal) => refusal,
        }
    }

    /// Marks an article's current text as good to go out.
    pub async fn approve(&mut self, article: Uuid) -> Result<(), Refusal> {
        target::approve(self.tx.conn(), &[article]).await.map_err(broken)
    }

    /// The task that waits with this kind for this target.
    pub async fn waiting(&mut self, kind: Kind, target: Uuid) -> Result<Option<Line>, Refusal> {
        let keys = [task::unique_key(kind, target)];
        let lines = task_list::waiting_with(self.tx.conn(), &keys).await.map_err(broken)?;
        Ok(lines.into_iter().next())
    }

    /// Changes a task by compare-and-set and notes the event and the hint of it.
    pub async fn change(
        &mut self,
        line: &Line,
        verb: &'static str,
        to: &Facts,
        detail: String,
    ) -> Result<(), Refusal> {
        let (id, seen) = (TaskId(line.id), Version(line.version));
        let from: State = parsed(&line.state)?;
        let changed = match task::change(self.tx.conn(), id, seen, from, to).await {
            Err(error) if error.is_taken() => return Err(self.already(line).await),
            other => other.map_err(broken)?,
        };
        let Some(version) = changed else {
            // On PostgreSQL the engine may have been first between our look and our statement.
            let line = self.line(id).await?;
            return Err(self.conflict(line));
        };
        self.note("task", line.id, verb, Some((from, to.state)), Some(version.0), detail);
        if to.state == State::Scheduled {
            self.hint(Hint {
                task: id,
                version,
                due_at: to.due_at.into(),
                lane: parsed(&line.lane)?,
                bucket: u16::try_from(line.bucket).unwrap_or_default(),
            });
        }
        Ok(())
    }

    /// Why a task cannot wait: another one does.
    async fn already(&mut self, line: &Line) -> Refusal {
        // The failed statement has ended the transaction on PostgreSQL: look from outside.
        let keys = line.kind.parse().map(|kind| [task::unique_key(kind, line.target_id)]);
        let Ok(keys) = keys else { return Refusal::no_such("task") };
        let found = async {
            let mut lease = self.parts.store.read(Who::People).await?;
            task_list::waiting_with(lease.conn(), &keys).await
        };
        match found.await {
            Ok(lines) => match self.lens.tasks(lines).pop() {
                Some(task) => Refusal::AlreadyScheduled { task: Box::new(task) },
                None => Refusal::CannotUndo,
            },
            Err(error) => broken(error),
        }
    }

    /// Notes an event, written when the unit is finished.
    pub fn note(
        &mut self,
        entity: &'static str,
        entity_id: Uuid,
        verb: &'static str,
        states: Option<(State, State)>,
        version: Option<i32>,
        detail: String,
    ) {
        let mut event = NewEvent::plain(self.now(), Some(self.lens.actor.person), entity, entity_id, verb);
        event.from_state = states.map(|(from, _)| from.as_str());
        event.to_state = states.map(|(_, to)| to.as_str());
        (event.version, event.detail) = (version, detail);
        self.events.push(event);
    }

    /// Notes an event that is already made.
    pub fn note_all(&mut self, events: impl IntoIterator<Item = NewEvent>) {
        self.events.extend(events);
    }

    /// Notes a hint, given after the commit.
    pub fn hint(&mut self, hint: Hint) {
        self.hints.push(hint);
    }

    /// Writes what the outside is to be told.
    pub async fn post(&mut self, message: Message) -> Result<(), Refusal> {
        let now = self.now();
        self.posted += outbox::post(&mut self.tx, &[message], now).await.map_err(unsaved(self.parts))?;
        Ok(())
    }

    /// Stores new tasks, together with all that was noted so far.
    pub async fn insert(&mut self, tasks: &[Fresh]) -> Result<(), Refusal> {
        let (now, events) = (self.now(), std::mem::take(&mut self.events));
        task::insert(self.tx.conn(), tasks, now, &events).await.map_err(unsaved(self.parts))
    }

    /// Writes the events, so that the task can be shown with them.
    pub async fn log(&mut self) -> Result<(), Refusal> {
        let events = std::mem::take(&mut self.events);
        event::append(self.tx.conn(), &events).await.map_err(unsaved(self.parts))
    }

    /// Commits, and tells the live stream, the hints and the dispatcher.
    pub async fn finish(mut self) -> Result<(), Refusal> {
        self.log().await?;
        point::pass("desk.written").await.map_err(broken)?;
        self.tx.commit().await.map_err(unsaved(self.parts))?;
        point::pass("desk.committed").await.map_err(broken)?;
        hint::tell(self.parts, self.hints);
        if self.posted > 0 {
            self.parts.posted.notify_one();
        }
        point::pass("desk.told").await.map_err(broken)
    }

    /// Commits, and answers the task as it is now.
    pub async fn finish_with(mut self, id: TaskId) -> Result<TaskRow, Refusal> {
        self.log().await?;
        let row = self.row(id).await?;
        self.finish().await?;
        Ok(row)
    }
}

/// What the actor's request made before, if its key says that it was done before; else its key now stands for `result`.
pub async fn done_before(unit: &mut Unit<'_>, result: Uuid) -> Result<Option<Uuid>, Refusal> {
    let actor = unit.lens.actor;
    let Some(key) = &actor.idempotency else { return Ok(None) };
    let now = unit.now();
    match idempotency::claim(unit.tx.conn(), actor.person, key, result, now).await.map_err(broken)? {
        Claim::Fresh => Ok(None),
        Claim::Repeat(result) => Ok(Some(result)),
        Claim::Reused => Err(Refusal::KeyReused),
    }
}

/// A word of SQL as the language has it.
pub fn parsed<T: std::str::FromStr>(word: &str) -> Result<T, Refusal> {
    word.parse().map_err(|_| broken(StoreError::Corrupt(format!("unknown word {word:?}"))))
}

/// A task's facts as they stand.
pub fn facts(line: &Line) -> Result<Facts, Refusal> {
    Ok(Facts {
        state: parsed(&line.state)?,
        due_at: line.due_at,
        local: line.local.clone(),
        zone: line.zone.clone(),
        revision_id: line.revision_id,
        approves: false,
        starts_over: false,
    })
}
