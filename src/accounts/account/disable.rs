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
    owner_tasks::{self, CancelledMeeting},
    push_subscription, session, token,
};
use uuid::Uuid;

pub async fn disable(
    service: &AccountService,
    actor: &Actor,
    id: AccountId,
    on_disable: Option<OnDisable>,
) -> Result<Account, DomainError> {
    admin_only(actor)?;
    let to = match on_disable {
        Some(OnDisable::HandOver(to)) => Some(to),
        _ => None,
    };
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let locked = Locked::all(&mut tx, actor, id, to).await?;
    disable_in(service, tx, actor, (&locked, id), on_disable).await
}

/// Disables a locked account and commits. Does nothing if it is disabled.
pub async fn disable_in(
    service: &AccountService,
    mut tx: Tx,
    actor: &Actor,
    (locked, id): (&Locked, AccountId),
    on_disable: Option<OnDisable>,
) -> Result<Account, DomainError> {
    let now = service.parts.clock.now();
    let was = account_of(account::find(tx.conn(), id).await.map_err(internal_error)?)?;
    if was.is_disabled {
        return Ok(was);
    }
    locked.require_other_admin(id)?;
    let (mut events, meetings) = handle_owned_tasks(&mut tx, actor, (locked, id), on_disable, now).await?;
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
    let tasks = events.iter().filter(|event| event.entity == "task").count();
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
        Some(OnDisable::Keep) => hand_over(tx, actor, id, actor.account, now).await?,
        Some(OnDisable::HandOver(to)) if to == id || !locked.is_enabled(to) => {
            return Err(DomainError::no_such("account"));
        }
        Some(OnDisable::HandOver(to)) => hand_over(tx, actor, id, to, now).await?,
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
    owner_tasks::lock_targets(tx.conn(), id).await.map_err(internal_error)?;
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
    let of_task = |(task, version)| NewEvent {
        from_state: Some(State::Scheduled.as_str()),
        to_state: Some(State::Cancelled.as_str()),
        version: Some(version),
        detail: json!({ "reason": reason::OWNER_DISABLED }).to_string(),
        ..NewEvent::simple(now, Some(actor.account), "task", task, "cancel")
    };
    let events = booked.iter().map(|one| of_meeting(one, None));
    let events = events.chain(waiting.iter().map(|one| of_meeting(one, Some("waiting"))));
    let events = events.chain(tasks.into_iter().map(of_task)).collect();
    Ok((events, [booked, waiting].concat()))
}

/// Makes `to` the owner of the scheduled tasks of `from`, of their articles and of their meetings. Returns
/// the events, which name the new owner unless it is the actor.
async fn hand_over(
    tx: &mut Tx,
    actor: &Actor,
    from: AccountId,
    to: AccountId,
    now: Timestamp,
) -> Result<Vec<NewEvent>, DomainError> {
    owner_tasks::lock_targets(tx.conn(), from).await.map_err(internal_error)?;
    let handed = owner_tasks::reassign(tx.conn(), from, to).await.map_err(internal_error)?;
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
