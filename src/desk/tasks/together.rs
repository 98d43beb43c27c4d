//! The changes that come in crowds: what waits is moved or cancelled, what failed or was missed is tried again. They are made
//! together with those of others, without a transaction of their own.

use super::{change, past::Detail, unit::parsed};
use crate::{
    desk::{Lens, broken, hint, unsaved},
    parts::Parts,
};
use domain::{
    Actor, Hint, PersonId, Refusal, State, TaskId, Version,
    task::{Change, TaskRow},
};
use futures::future::join_all;
use std::collections::HashSet;
use store::{
    Who,
    bulk::{Becomes, Stopped, Wish},
    event::NewEvent,
    mutant::{self, Mutant},
    point,
    task::Facts,
    task_list::{self, Line},
};

/// Makes the change if it is one of those and the task is as the actor saw it. `None`: it takes a transaction of its own, if
/// only to say why it cannot be.
pub async fn change(
    parts: &Parts,
    actor: &Actor,
    id: TaskId,
    change: &Change,
    seen: Version,
) -> Result<Option<TaskRow>, Refusal> {
    // A request with a key is remembered in its own transaction.
    if actor.idempotency.is_some() || mutant::is(Mutant::RescheduleUnguarded) {
        return Ok(None);
    }
    let mut lease = parts.store.read(Who::People).await.map_err(broken)?;
    let Some(line) = task_list::find(lease.conn(), id).await.map_err(broken)? else { return Ok(None) };
    let lens = Lens::of(lease.conn(), actor, parts.clock.now()).await?;
    drop(lease);
    let made = if line.version == seen.0 { Made::of(line, change, &lens)? } else { None };
    let Some(made) = made else { return Ok(None) };
    point::pass("together.read").await.map_err(broken)?;
    if !made.commit(parts, &lens).await? {
        return Ok(None);
    }
    point::pass("together.committed").await.map_err(broken)?;
    hint::tell(parts, made.hint()?.into_iter().collect());
    lens.task(made.line(&lens)).map(Some).ok_or_else(|| Refusal::no_such("task"))
}

/// Tries all of these again, as they were read. Which of them wait; for the others it takes a transaction of their own, if only
/// to say why they cannot.
pub async fn retry(parts: &Parts, lens: &Lens<'_>, lines: Vec<Line>) -> Result<HashSet<TaskId>, Refusal> {
    let made = lines.into_iter().map(|line| Made::of(line, &Change::Retry, lens));
    let made: Vec<Made> = made.filter_map(Result::transpose).collect::<Result<_, _>>()?;
    let done = join_all(made.iter().map(|one| one.commit(parts, lens))).await;
    point::pass("together.committed").await.map_err(broken)?;
    let (mut waiting, mut hints) = (HashSet::new(), Vec::new());
    for (one, is_done) in made.iter().zip(done) {
        if is_done.unwrap_or(false) {
            waiting.insert(TaskId(one.line.id));
            hints.extend(one.hint()?);
        }
    }
    hint::tell(parts, hints);
    Ok(waiting)
}

/// A change and what it is made to.
struct Made {
    /// The task before it.
    line: Line,
    becomes: Becomes,
    verb: &'static str,
    to: Facts,
    detail: Detail,
}

impl Made {
    /// `None`: this change of this task is none that goes together with others, or the actor may not make it.
    fn of(line: Line, change: &Change, lens: &Lens<'_>) -> Result<Option<Self>, Refusal> {
        if !lens.actor.may_change(PersonId(line.owner_id)) {
            return Ok(None);
        }
        // Whether its text is older than the public one is looked at in a transaction of its own.
        let is_other = line.public_revision_id.is_some() && line.public_revision_id != line.revision_id;
        if *change == Change::Retry && line.revision_id.is_some() && is_other {
            return Ok(None);
        }
        let (becomes, verb, (to, detail)) = match (change, parsed(&line.state)?) {
            (Change::Reschedule { when }, State::Scheduled) => {
                (Becomes::Scheduled, "reschedule", change::moved(&line, when, lens.now)?)
            }
            (Change::Cancel, State::Scheduled) => (Becomes::Cancelled, "cancel", change::cancelled(&line)?),
            (Change::Retry, State::Failed) => {
                (Becomes::Again(Stopped::Failed), "retry", change::retried(&line, lens.now)?)
            }
            (Change::Retry, State::Missed) => {
                (Becomes::Again(Stopped::Missed), "retry", change::retried(&line, lens.now)?)
            }
            _ => return Ok(None),
        };
        Ok(Some(Self { line, becomes, verb, to, detail }))
    }

    /// Makes it; false: it was not to be in company.
    async fn commit(&self, parts: &Parts, lens: &Lens<'_>) -> Result<bool, Refusal> {
        parts.together.change(&parts.store, self.wish(lens)).await.map_err(unsaved(parts))
    }

    fn version(&self) -> Version {
        Version(self.line.version + 1)
    }

    fn wish(&self, lens: &Lens<'_>) -> Wish {
        let Self { line, becomes, verb, to, detail } = self;
        let event = NewEvent::plain(lens.now, Some(lens.actor.person), "task", line.id, verb);
        Wish {
            id: TaskId(line.id),
            seen: Version(line.version),
            becomes: *becomes,
            due_at: to.due_at.into(),
            local: to.local.clone(),
            zone: to.zone.clone(),
            event: NewEvent {
                from_state: Some(becomes.was().as_str()),
                to_state: Some(becomes.state().as_str()),
                version: Some(self.version().0),
                detail: detail.text(),
                ..event
            },
        }
    }

    /// The hint of the task after it, if it waits still.
    fn hint(&self) -> Result<Option<Hint>, Refusal> {
        let Self { line, becomes, to, .. } = self;
        if becomes.state() != State::Scheduled {
            return Ok(None);
        }
        let bucket = u16::try_from(line.bucket).unwrap_or_default();
        let (task, version, due_at) = (TaskId(line.id), self.version(), to.due_at.into());
        Ok(Some(Hint { task, version, due_at, lane: parsed(&line.lane)?, bucket }))
    }

    /// The task after it.
    fn line(self, lens: &Lens<'_>) -> Line {
        Line {
            version: self.version().0,
            state: self.to.state.as_str().to_owned(),
            due_at: self.to.due_at,
            local: self.to.local,
            zone: self.to.zone,
            reason: self.line.reason.filter(|_| self.becomes.was() == State::Scheduled),
            last_verb: Some(self.verb.to_owned()),
            last_at: Some(lens.now.millis()),
            last_detail: Some(self.detail.text()),
            ..self.line
        }
    }
}
