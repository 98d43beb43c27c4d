//! Disables an account, and handles its scheduled tasks.

use super::{account_of, commit_with_events, event_of, lock::Locked};
use crate::{
    accounts::{AccountService, admin_only},
    services::{hints, internal_error},
};
use domain::{
    AccountId, Actor, DomainError, TaskId, Timestamp,
    account::{Account, OnDisable},
    state::State,
    task::reason,
};
use serde_json::json;
use store::{
    PoolRole, StoreError, Tx, account, desk_signal,
    event::NewEvent,
    execute::SideEffects,
    invitation, meeting_outbox,
    owner_tasks::{self, CancelledMeeting, TaskSpan},
    push_subscription, session, token,
};
use uuid::Uuid;

/// Maximum number of tasks that one transaction settles: what is due does not wait for the tasks of an account with
/// very many of them.
const BATCH_SIZE: u16 = 1_000;

/// What happens to the scheduled tasks of an account.
#[derive(Debug, Clone, Copy, Default)]
pub struct OwnedTasks {
    /// As requested; `None`: the account must have none.
    pub on_disable: Option<OnDisable>,
    /// Number of tasks that were settled in earlier transactions.
    pub settled: usize,
}

pub async fn disable(
    service: &AccountService,
    actor: &Actor,
    id: AccountId,
    on_disable: Option<OnDisable>,
) -> Result<Account, DomainError> {
    admin_only(actor)?;
    let settled = match on_disable {
        // They stay with the actor.
        Some(OnDisable::Keep) if id == actor.account => 0,
        Some(on_disable) => settle_in_batches(service, actor, id, on_disable).await?,
        None => 0,
    };
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let locked = Locked::all(&mut tx, actor, id, new_owner(on_disable)).await?;
    disable_in(service, tx, actor, (&locked, id), OwnedTasks { on_disable, settled }).await
}

/// Returns the account that gets the tasks, if it is not the actor.
fn new_owner(on_disable: Option<OnDisable>) -> Option<AccountId> {
    match on_disable {
        Some(OnDisable::HandOver(to)) => Some(to),
        _ => None,
    }
}

/// Settles the tasks of an account that has more than a batch of them, all but the last batch. Returns their number.
/// If it is interrupted, the account is still enabled, and the same request settles the rest.
async fn settle_in_batches(
    service: &AccountService,
    actor: &Actor,
    id: AccountId,
    on_disable: OnDisable,
) -> Result<usize, DomainError> {
    let (mut settled, mut last) = (0, None);
    loop {
        let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        let span =
            owner_tasks::next_span(lease.conn(), id, last, BATCH_SIZE).await.map_err(internal_error)?;
        drop(lease);
        let Some(span) = span else { return Ok(settled) };
        settled += settle_span(service, actor, id, on_disable, span).await?;
        last = Some(span);
    }
}

/// Settles the tasks of a span in a transaction. Returns their number.
async fn settle_span(
    service: &AccountService,
    actor: &Actor,
    id: AccountId,
    on_disable: OnDisable,
    span: TaskSpan,
) -> Result<usize, DomainError> {
    let now = service.parts.clock.now();
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let locked = Locked::all(&mut tx, actor, id, new_owner(Some(on_disable))).await?;
    if !locked.is_enabled(id) {
        return Ok(0);
    }
    locked.require_other_admin(id)?;
    let events = match on_disable {
        OnDisable::Keep => hand_over(&mut tx, actor, (id, actor.account), span, now).await?,
        OnDisable::HandOver(to) if to == id || !locked.is_enabled(to) => {
            return Err(DomainError::no_such("account"));
        }
        OnDisable::HandOver(to) => hand_over(&mut tx, actor, (id, to), span, now).await?,
        OnDisable::Cancel => {
            owner_tasks::lock_targets(tx.conn(), id, span).await.map_err(internal_error)?;
            let tasks = owner_tasks::cancel_span(tx.conn(), id, span).await.map_err(internal_error)?;
            tasks.into_iter().map(|task| cancelled_task(actor, task, now)).collect()
        }
    };
    let tasks = events.iter().filter(|event| event.entity == "task").count();
    commit_with_events(service, tx, events).await?;
    Ok(tasks)
}

/// Disables a locked account and commits. Does nothing if it is disabled.
pub async fn disable_in(
    service: &AccountService,
    mut tx: Tx,
    actor: &Actor,
    (locked, id): (&Locked, AccountId),
    owned: OwnedTasks,
) -> Result<Account, DomainError> {
    let now = service.parts.clock.now();
    let was = account_of(account::find(tx.conn(), id).await.map_err(internal_error)?)?;
    if was.is_disabled {
        return Ok(was);
    }
    locked.require_other_admin(id)?;
    let (mut events, meetings) =
        handle_owned_tasks(&mut tx, actor, (locked, id), owned.on_disable, now).await?;
    let bucket = queue::bucket_of(TaskId::generate(), service.parts.hints.buckets());
    let followed = (service.parts.hooks.follow_cancelled)(&mut tx, &meetings, bucket, now).await;
    let mut after = followed.map_err(internal_error)?;
    let reported = report(&mut tx, &events, now, &mut after).await.map_err(internal_error)?;
    let changed = account::set_disabled(tx.conn(), id, true).await.map_err(internal_error)?;
    let person = account_of(Some(changed.ok_or(DomainError::Changed)?))?;
    session::end_all(tx.conn(), id).await.map_err(internal_error)?;
    token::end_all(tx.conn(), id).await.map_err(internal_error)?;
    push_subscription::delete_all(tx.conn(), id).await.map_err(internal_error)?;
    invitation::end_resets(tx.conn(), id).await.map_err(internal_error)?;
    let tasks = owned.settled + events.iter().filter(|event| event.entity == "task").count();
    let detail = json!({ "tasks": tasks }).to_string();
    events.push(NewEvent { detail, ..event_of(now, actor, id, "disable") });
    events.extend(after.log);
    commit_with_events(service, tx, events).await?;
    hints::publish(&service.parts, after.hints);
    if reported > 0 {
        service.parts.deliveries_added.notify_one();
    }
    Ok(person)
}

/// Reports the cancelled meetings to the channels and to what waits for signals. Returns the number of
/// deliveries.
async fn report(
    tx: &mut Tx,
    events: &[NewEvent],
    now: Timestamp,
    after: &mut SideEffects,
) -> Result<u64, StoreError> {
    let meetings = meeting_outbox::of_events(events);
    let count = meeting_outbox::enqueue(tx, &meetings, now).await?;
    let (hints, log) = desk_signal::emit(tx, &[], &meetings, now).await?;
    after.hints.extend(hints);
    after.log.extend(log);
    Ok(count)
}

/// Handles the account's scheduled tasks as requested; refuses if nothing was requested. Returns
/// the events, and the meetings that were cancelled.
async fn handle_owned_tasks(
    tx: &mut Tx,
    actor: &Actor,
    (locked, id): (&Locked, AccountId),
    on_disable: Option<OnDisable>,
    now: Timestamp,
) -> Result<(Vec<NewEvent>, Vec<CancelledMeeting>), DomainError> {
    let events = match on_disable {
        Some(OnDisable::Keep) => hand_over(tx, actor, (id, actor.account), TaskSpan::ALL, now).await?,
        Some(OnDisable::HandOver(to)) if to == id || !locked.is_enabled(to) => {
            return Err(DomainError::no_such("account"));
        }
        Some(OnDisable::HandOver(to)) => hand_over(tx, actor, (id, to), TaskSpan::ALL, now).await?,
        None => match owner_tasks::count(tx.conn(), id).await.map_err(internal_error)? {
            0 => Vec::new(),
            count => return Err(DomainError::HasTasks { count }),
        },
        Some(OnDisable::Cancel) => return cancel(tx, actor, id, now).await,
    };
    Ok((events, Vec::new()))
}

/// Cancels the scheduled tasks of the account and its meetings. Returns the events and the meetings.
async fn cancel(
    tx: &mut Tx,
    actor: &Actor,
    id: AccountId,
    now: Timestamp,
) -> Result<(Vec<NewEvent>, Vec<CancelledMeeting>), DomainError> {
    owner_tasks::lock_targets(tx.conn(), id, TaskSpan::ALL).await.map_err(internal_error)?;
    owner_tasks::lock_rooms(tx.conn(), id).await.map_err(internal_error)?;
    let booked = owner_tasks::cancel_meetings(tx.conn(), id, false).await.map_err(internal_error)?;
    let waiting = owner_tasks::cancel_meetings(tx.conn(), id, true).await.map_err(internal_error)?;
    let tasks = owner_tasks::cancel(tx.conn(), id).await.map_err(internal_error)?;
    let of_meeting = |meeting: &CancelledMeeting, from_state: Option<&'static str>| NewEvent {
        from_state,
        to_state: Some("cancelled"),
        version: Some(meeting.version),
        detail: json!({ "reason": reason::OWNER_DISABLED }).to_string(),
        ..NewEvent::simple(now, Some(actor.account), "meeting", meeting.id, "cancel")
    };
    let events = booked.iter().map(|one| of_meeting(one, None));
    let events = events.chain(waiting.iter().map(|one| of_meeting(one, Some("waiting"))));
    let events = events.chain(tasks.into_iter().map(|task| cancelled_task(actor, task, now))).collect();
    Ok((events, [booked, waiting].concat()))
}

/// The event of a task that is cancelled because its owner is disabled.
fn cancelled_task(actor: &Actor, (task, version): (Uuid, i32), now: Timestamp) -> NewEvent {
    NewEvent {
        from_state: Some(State::Scheduled.as_str()),
        to_state: Some(State::Cancelled.as_str()),
        version: Some(version),
        detail: json!({ "reason": reason::OWNER_DISABLED }).to_string(),
        ..NewEvent::simple(now, Some(actor.account), "task", task, "cancel")
    }
}

/// Makes `to` the owner of the scheduled tasks of `from` in a span, of their articles and of their meetings. Returns
/// the events, which name the new owner unless it is the actor.
async fn hand_over(
    tx: &mut Tx,
    actor: &Actor,
    (from, to): (AccountId, AccountId),
    span: TaskSpan,
    now: Timestamp,
) -> Result<Vec<NewEvent>, DomainError> {
    owner_tasks::lock_targets(tx.conn(), from, span).await.map_err(internal_error)?;
    let handed = owner_tasks::reassign(tx.conn(), from, to, span).await.map_err(internal_error)?;
    let detail = match to == actor.account {
        true => json!({ "owner_id": to, "was_owner_id": from }),
        false => {
            let owner = account_of(account::find(tx.conn(), to).await.map_err(internal_error)?)?;
            json!({ "to": owner.name, "owner_id": to, "was_owner_id": from })
        }
    };
    let event = |entity: &'static str, (id, version): (Uuid, i32)| NewEvent {
        version: Some(version),
        detail: detail.to_string(),
        ..NewEvent::simple(now, Some(actor.account), entity, id, "hand_over")
    };
    let meetings = handed.meetings.into_iter().map(|meeting| event("meeting", meeting));
    Ok(meetings.chain(handed.tasks.into_iter().map(|task| event("task", task))).collect())
}
