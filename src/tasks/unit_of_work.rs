//! UnitOfWork of work of one change: its transaction, its presenter, and what is published after
//! the commit.

use crate::{
    app_state::AppState,
    kinds::{
        self, Moved, Planned, TaskKind,
        task_kind::{MovedBy, Pin},
    },
    services::{Presenter, hints, idempotency::claimed_result, internal_error, write_error},
};
use domain::{
    Actor, DomainError, Hint, KindClass, State, TaskId, Timestamp, Version,
    task::{RevisionChoice, TaskRow},
};
use store::{
    PoolRole, StoreError, Tx, desk_signal,
    event::{self, NewEvent},
    failpoint,
    meeting_outbox::{self, MeetingMessage},
    outbox::Message,
    post,
    report_outbox::{self, Report},
    target::{self, Target},
    task::{self, NewTaskRow, TaskUpdate},
    task_list::{self, TaskListRow},
};
use uuid::Uuid;

/// A change in progress. Dropping it without [`UnitOfWork::commit`] rolls it back.
pub struct UnitOfWork<'a> {
    pub parts: &'a AppState,
    pub presenter: Presenter<'a>,
    pub tx: Tx,
    events: Vec<NewEvent>,
    /// Tasks that are stored with the events.
    tasks: Vec<NewTaskRow>,
    hints: Vec<Hint>,
    /// Changes of articles that are reported.
    articles: Vec<Message>,
    /// Changes of meetings, reported to the channels at the end.
    meetings: Vec<MeetingMessage>,
    /// Reviews and ended tasks, reported to the channels at the end.
    reports: Vec<Report>,
    /// Number of deliveries written.
    delivery_count: u64,
    /// Tasks that something may follow.
    moved: Moved,
}

impl<'a> UnitOfWork<'a> {
    /// Begins the transaction.
    pub async fn begin(parts: &'a AppState, actor: &'a Actor) -> Result<Self, DomainError> {
        let tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
        let unit = Self::of_tx(parts, actor, tx).await?;
        failpoint::hit("desk.begun").await.map_err(internal_error)?;
        Ok(unit)
    }

    /// Continues a transaction.
    pub async fn of_tx(parts: &'a AppState, actor: &'a Actor, mut tx: Tx) -> Result<Self, DomainError> {
        let presenter = Presenter::of(tx.conn(), actor, parts.clock.now()).await?;
        let (events, tasks, hints) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self {
            parts,
            presenter,
            tx,
            events,
            tasks,
            hints,
            articles: Vec::new(),
            meetings: Vec::new(),
            reports: Vec::new(),
            delivery_count: 0,
            moved: Moved::default(),
        })
    }

    /// Returns the time of the change.
    pub fn now(&self) -> Timestamp {
        self.presenter.now
    }

    /// Locks a target of this kind; refuses it if the actor may not change it or it is in the trash.
    pub async fn lock(&mut self, kind: &dyn TaskKind, id: Uuid) -> Result<Target, DomainError> {
        let found = target::lock(self.tx.conn(), &[id]).await.map_err(internal_error)?;
        let target = found.into_iter().find(|target| target.kind == kind.target_kind());
        let target = target.ok_or_else(|| DomainError::no_such(kind.target_kind()))?;
        if !self.presenter.actor.may_change(target.owner()) {
            return Err(DomainError::NotAllowed);
        }
        if target.deleted_at.is_some() {
            return Err(DomainError::InTrash);
        }
        Ok(target)
    }

    /// Loads a task in this transaction.
    pub async fn load_row(&mut self, id: TaskId) -> Result<TaskListRow, DomainError> {
        let row = task_list::find(self.tx.conn(), id).await.map_err(internal_error)?;
        row.filter(|row| !kinds::is_hidden_from(self.presenter.actor, &row.kind))
            .ok_or_else(|| DomainError::no_such("task"))
    }

    /// Loads and presents a task.
    pub async fn load_task(&mut self, id: TaskId) -> Result<TaskRow, DomainError> {
        let row = self.load_row(id).await?;
        self.present(row)
    }

    /// Presents a loaded task to the actor.
    pub fn present(&self, row: TaskListRow) -> Result<TaskRow, DomainError> {
        self.presenter.task(row).ok_or_else(|| DomainError::no_such("task"))
    }

    /// Returns the refusal 409 with the current task. `is_changed`: it was changed concurrently;
    /// otherwise its state does not allow the change.
    pub fn conflict(&self, row: TaskListRow, is_changed: bool) -> DomainError {
        match self.present(row) {
            Ok(row) => DomainError::TaskConflict { task: Box::new(row), is_changed },
            Err(refusal) => refusal,
        }
    }

    /// Approves the current revision of a target, because a task pins it.
    pub async fn approve(&mut self, kind: &dyn TaskKind, target: Uuid) -> Result<(), DomainError> {
        kind.approve(self.tx.conn(), &[target]).await.map_err(internal_error)
    }

    /// Refuses a task that its kind refuses.
    pub async fn check(
        &mut self,
        kind: &dyn TaskKind,
        target: &Target,
        due_at: Timestamp,
    ) -> Result<(), DomainError> {
        let revision = target.revision_id.filter(|_| kind.pins_revision());
        let (kind_word, now) = (parsed(kind.word())?, self.now());
        let planned = Planned { kind: kind_word, target: target.id, due_at, now, revision };
        let refused = kind.check(&mut self.tx, &[planned]).await.map_err(internal_error)?;
        refused.into_iter().next().map_or(Ok(()), |(_, refusal)| Err(refusal))
    }

    /// Returns the revision that a task of this kind pins.
    pub async fn choose(
        &mut self,
        kind: &dyn TaskKind,
        target: &Target,
        choice: Option<RevisionChoice>,
    ) -> Result<Option<Uuid>, DomainError> {
        let pin = Pin { target: target.id, current: target.revision_id, choice };
        let chosen = kind.choose(self.tx.conn(), &[pin]).await.map_err(internal_error)?;
        chosen.into_iter().next().unwrap_or(Ok(target.revision_id))
    }

    /// Returns the scheduled task of this kind and target.
    pub async fn scheduled_task(
        &mut self,
        kind: &dyn TaskKind,
        target: Uuid,
    ) -> Result<Option<TaskListRow>, DomainError> {
        let Some(key) = kind.unique_key(target) else { return Ok(None) };
        let keys = [key];
        let rows = task_list::waiting_with(self.tx.conn(), &keys).await.map_err(internal_error)?;
        Ok(rows.into_iter().next())
    }

    /// Changes a task by compare-and-set and records its event and hint.
    pub async fn change(
        &mut self,
        row: &TaskListRow,
        verb: &'static str,
        to: &TaskUpdate,
        detail: String,
    ) -> Result<(), DomainError> {
        let (id, seen) = (TaskId(row.id), Version(row.version));
        let from: State = parsed(&row.state)?;
        let changed = match task::change(self.tx.conn(), id, seen, from, to).await {
            Err(error) if error.is_unique_violation() => return Err(self.already_scheduled(row).await),
            other => other.map_err(internal_error)?,
        };
        let Some(version) = changed else {
            // On PostgreSQL the engine may have changed the task between our read and our update.
            let row = self.load_row(id).await?;
            return Err(self.conflict(row, true));
        };
        self.note_moved(&row.kind, row.target_id);
        self.record_event("task", row.id, verb, Some((from, to.state)), Some(version.0), detail);
        if to.state == State::Scheduled {
            self.add_hint(Hint {
                task: id,
                version,
                due_at: to.due_at.into(),
                priority: parsed(&row.priority)?,
                class: KindClass::of(&row.kind),
                bucket: u16::try_from(row.bucket).unwrap_or_default(),
            });
        }
        Ok(())
    }

    /// Returns the refusal for a unique key that another scheduled task has.
    async fn already_scheduled(&mut self, row: &TaskListRow) -> DomainError {
        // The failed statement has aborted the transaction on PostgreSQL: read on another
        // connection.
        let key = kinds::find(&row.kind).and_then(|kind| kind.unique_key(row.target_id));
        let Some(key) = key else { return DomainError::no_such("task") };
        let keys = [key];
        let found = async {
            let mut lease = self.parts.store.read(PoolRole::Web).await?;
            task_list::waiting_with(lease.conn(), &keys).await
        };
        match found.await {
            Ok(rows) => match self.presenter.tasks(rows).pop() {
                Some(task) => DomainError::AlreadyScheduled { task: Box::new(task) },
                None => DomainError::CannotUndo,
            },
            Err(error) => internal_error(error),
        }
    }

    /// Records an event; it is written when the unit is finished.
    pub fn record_event(
        &mut self,
        entity: &'static str,
        entity_id: Uuid,
        verb: &'static str,
        states: Option<(State, State)>,
        version: Option<i32>,
        detail: String,
    ) {
        let mut event =
            NewEvent::simple(self.now(), Some(self.presenter.actor.account), entity, entity_id, verb);
        event.from_state = states.map(|(from, _)| from.as_str());
        event.to_state = states.map(|(_, to)| to.as_str());
        (event.version, event.detail) = (version, detail);
        self.events.push(event);
    }

    /// Records complete events.
    pub fn record_events(&mut self, events: impl IntoIterator<Item = NewEvent>) {
        self.events.extend(events);
    }

    /// Records a new task with its hint; it is stored with the events.
    pub fn add_task(&mut self, task: NewTaskRow) {
        self.hints.push(task.hint());
        self.tasks.push(task);
    }

    /// Notes a changed task that something may follow: it does so before the commit.
    pub fn note_moved(&mut self, kind: &str, target: Uuid) {
        self.moved.note(kind, target);
    }

    /// Makes what hangs on the changed tasks follow them.
    async fn follow(&mut self) -> Result<(), DomainError> {
        let moved = std::mem::take(&mut self.moved);
        if moved.is_empty() {
            return Ok(());
        }
        let account = Some(self.presenter.actor.account);
        let by = MovedBy { account, at: self.now(), buckets: self.parts.hints.buckets() };
        let followers = moved.follow(&mut self.tx, by).await.map_err(write_error(self.parts))?;
        self.record_events(followers.events);
        followers.tasks.into_iter().for_each(|task| self.add_task(task));
        self.write_events().await
    }

    /// Records a hint; it is published after the commit.
    pub fn add_hint(&mut self, hint: Hint) {
        self.hints.push(hint);
    }

    /// Writes the deliveries of a message to the outbox.
    pub async fn enqueue_delivery(&mut self, message: Message) -> Result<(), DomainError> {
        self.enqueue_deliveries(&[message]).await
    }

    /// Writes the deliveries of messages to the outbox.
    pub async fn enqueue_deliveries(&mut self, messages: &[Message]) -> Result<(), DomainError> {
        let now = self.now();
        self.delivery_count +=
            post::enqueue(&mut self.tx, messages, now).await.map_err(write_error(self.parts))?;
        self.articles.extend_from_slice(messages);
        Ok(())
    }

    /// Stores new tasks with all events recorded so far.
    pub async fn insert(&mut self, tasks: &[NewTaskRow]) -> Result<(), DomainError> {
        let (now, events) = (self.now(), self.take_events());
        let mut all = std::mem::take(&mut self.tasks);
        all.extend_from_slice(tasks);
        all.iter().for_each(|task| self.moved.note(task.kind, task.target_id));
        task::insert(self.tx.conn(), &all, now, &events).await.map_err(write_error(self.parts))
    }

    /// Writes the events and recorded tasks, so that the task can be presented with them.
    pub async fn write_events(&mut self) -> Result<(), DomainError> {
        if !self.tasks.is_empty() {
            return self.insert(&[]).await;
        }
        let events = self.take_events();
        event::append(self.tx.conn(), &events).await.map_err(write_error(self.parts))
    }

    fn take_events(&mut self) -> Vec<NewEvent> {
        let events = std::mem::take(&mut self.events);
        self.meetings.extend(meeting_outbox::of_events(&events));
        self.reports.extend(report_outbox::of_events(&events));
        events
    }

    /// Commits, then notifies the live stream and the dispatcher and publishes the hints.
    pub async fn commit(mut self) -> Result<(), DomainError> {
        self.write_events().await?;
        self.follow().await?;
        let (now, meetings) = (self.now(), std::mem::take(&mut self.meetings));
        self.delivery_count +=
            meeting_outbox::enqueue(&mut self.tx, &meetings, now).await.map_err(write_error(self.parts))?;
        let reports = std::mem::take(&mut self.reports);
        self.delivery_count +=
            report_outbox::enqueue(&mut self.tx, &reports, now).await.map_err(write_error(self.parts))?;
        let emitted = desk_signal::emit(&mut self.tx, &self.articles, &meetings, now).await;
        let (hints, events) = emitted.map_err(write_error(self.parts))?;
        self.hints.extend(hints);
        event::append(self.tx.conn(), &events).await.map_err(write_error(self.parts))?;
        failpoint::hit("desk.written").await.map_err(internal_error)?;
        self.tx.commit().await.map_err(write_error(self.parts))?;
        failpoint::hit("desk.committed").await.map_err(internal_error)?;
        hints::publish(self.parts, self.hints);
        if self.delivery_count > 0 {
            self.parts.deliveries_added.notify_one();
        }
        failpoint::hit("desk.notified").await.map_err(internal_error)
    }

    /// Commits and returns the task.
    pub async fn commit_and_load(mut self, id: TaskId) -> Result<TaskRow, DomainError> {
        self.write_events().await?;
        let row = self.load_task(id).await?;
        self.commit().await?;
        Ok(row)
    }
}

/// Returns the result of the same request if its idempotency key was used before. Otherwise stores
/// the key with `result`.
pub async fn find_idempotent_result(
    unit: &mut UnitOfWork<'_>,
    result: Uuid,
) -> Result<Option<Uuid>, DomainError> {
    let (actor, now) = (unit.presenter.actor, unit.now());
    claimed_result(unit.tx.conn(), actor, result, now).await
}

/// Returns the kind of a task; an unknown one belongs to a newer release.
pub fn kind_of(row: &TaskListRow) -> Result<&'static dyn TaskKind, DomainError> {
    kinds::find(&row.kind).ok_or_else(|| DomainError::no_such("task"))
}

/// Parses a stored word; an unknown one means corrupt data.
pub fn parsed<T: std::str::FromStr>(word: &str) -> Result<T, DomainError> {
    word.parse().map_err(|_| internal_error(StoreError::Corrupt(format!("unknown word {word:?}"))))
}

/// Returns an update that changes nothing.
pub fn to_update(row: &TaskListRow) -> Result<TaskUpdate, DomainError> {
    Ok(TaskUpdate {
        state: parsed(&row.state)?,
        due_at: row.due_at,
        local_time: row.local_time.clone(),
        time_zone: row.time_zone.clone(),
        revision_id: row.revision_id,
        approves: false,
        resets_attempts: false,
        reason: None,
    })
}
