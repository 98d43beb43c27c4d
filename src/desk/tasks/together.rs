//! The two changes that come in crowds: what waits is moved or cancelled. They are made together with those of others, without
//! a transaction of their own.

use super::{change, past::Detail, unit::parsed};
use crate::{
    desk::{Lens, broken, hint, unsaved},
    parts::Parts,
};
use domain::{
    Actor, Hint, PersonId, Refusal, State, TaskId, Version,
    task::{Change, TaskRow},
};
use store::{
    Who,
    bulk::{Becomes, Wish},
    event::NewEvent,
    mutant::{self, Mutant},
    point,
    task::Facts,
    task_list::{self, Line},
};

/// Makes the change if it is one of the two and the task is as the actor saw it. `None`: it takes a transaction of its own, if
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
    let is_as_seen = line.version == seen.0 && line.state == State::Scheduled.as_str();
    if !is_as_seen || !actor.may_change(PersonId(line.owner_id)) {
        return Ok(None);
    }
    let (state, verb, (to, detail)) = match change {
        Change::Reschedule { when } => {
            (Becomes::Scheduled, "reschedule", change::moved(&line, when, lens.now)?)
        }
        Change::Cancel => (Becomes::Cancelled, "cancel", change::cancelled(&line)?),
        _ => return Ok(None),
    };
    let made = Made { line, state, verb, to, detail };
    match parts.together.change(&parts.store, made.wish(&lens)).await {
        Ok(true) => {}
        Ok(false) => return Ok(None),
        Err(error) => return Err(unsaved(parts)(error)),
    }
    point::pass("desk.committed").await.map_err(broken)?;
    hint::tell(parts, made.hint()?.into_iter().collect());
    lens.task(made.line(&lens)).map(Some).ok_or_else(|| Refusal::no_such("task"))
}

/// A change and what it is made to.
struct Made {
    /// The task before it.
    line: Line,
    state: Becomes,
    verb: &'static str,
    to: Facts,
    detail: Detail,
}

impl Made {
    fn version(&self) -> Version {
        Version(self.line.version + 1)
    }

    fn wish(&self, lens: &Lens<'_>) -> Wish {
        let Self { line, state, verb, to, detail } = self;
        let event = NewEvent::plain(lens.now, Some(lens.actor.person), "task", line.id, verb);
        Wish {
            id: TaskId(line.id),
            seen: Version(line.version),
            state: *state,
            due_at: to.due_at.into(),
            local: to.local.clone(),
            zone: to.zone.clone(),
            event: NewEvent {
                from_state: Some(State::Scheduled.as_str()),
                to_state: Some(to.state.as_str()),
                version: Some(self.version().0),
                detail: detail.text(),
                ..event
            },
        }
    }

    /// The hint of the task after it, if it waits still.
    fn hint(&self) -> Result<Option<Hint>, Refusal> {
        let Self { line, state, to, .. } = self;
        if *state != Becomes::Scheduled {
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
            last_verb: Some(self.verb.to_owned()),
            last_at: Some(lens.now.millis()),
            last_detail: Some(self.detail.text()),
            ..self.line
        }
    }
}
