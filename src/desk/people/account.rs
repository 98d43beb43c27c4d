//! Accounts: one's own profile, and what admins do with those of others.

use super::{PeopleDesk, admin_only, check};
use crate::desk::{Lens, broken, proof};
use domain::{
    Actor, PersonId, Refusal, Role, Timestamp,
    person::{Leftover, Person, ProfileEdit},
    state::State,
    task::{TaskRow, reason},
};
use serde_json::json;
use store::{
    Tx, Who,
    event::{self, NewEvent},
    invitation, leftover,
    person::{self, PersonRecord},
    session, task_list, token,
};

pub async fn me(desk: &PeopleDesk, actor: &Actor) -> Result<Person, Refusal> {
    let mut lease = desk.parts.store.read(Who::People).await.map_err(broken)?;
    shown(person::find(lease.conn(), actor.person).await.map_err(broken)?)
}

fn shown(record: Option<PersonRecord>) -> Result<Person, Refusal> {
    record.ok_or_else(|| Refusal::no_such("person"))?.try_into().map_err(broken)
}

pub async fn change_profile(desk: &PeopleDesk, actor: &Actor, edit: ProfileEdit) -> Result<Person, Refusal> {
    let edit = ProfileEdit {
        name: edit.name.map(|name| check::person_name(&name)).transpose()?,
        zone: edit.zone.map(|zone| check::zone(&zone)).transpose()?,
        ..edit
    };
    let mut tx = desk.parts.store.begin(Who::People).await.map_err(broken)?;
    let was = shown(person::find(tx.conn(), actor.person).await.map_err(broken)?)?;
    let person = shown(person::set_profile(tx.conn(), actor.person, &edit).await.map_err(broken)?)?;
    let mut event = event_of(desk.parts.clock.now(), actor, actor.person, "change_profile");
    if was.name != person.name {
        event.detail = json!({ "name": person.name, "was": was.name }).to_string();
    }
    finish(desk, tx, vec![event]).await?;
    Ok(person)
}

pub async fn list(desk: &PeopleDesk, actor: &Actor) -> Result<Vec<Person>, Refusal> {
    admin_only(actor)?;
    let mut lease = desk.parts.store.read(Who::People).await.map_err(broken)?;
    let people = person::all(lease.conn()).await.map_err(broken)?;
    people.into_iter().map(|record| record.try_into().map_err(broken)).collect()
}

pub async fn change_role(
    desk: &PeopleDesk,
    actor: &Actor,
    id: PersonId,
    role: Role,
) -> Result<Person, Refusal> {
    admin_only(actor)?;
    let mut tx = desk.parts.store.begin(Who::People).await.map_err(broken)?;
    proof::require(tx.conn(), actor, desk.parts.clock.now()).await?;
    if role != Role::Admin {
        spare_last_admin(&mut tx, id).await?;
    }
    let was = shown(person::find(tx.conn(), id).await.map_err(broken)?)?;
    if was.role == role {
        return Ok(was);
    }
    let person = shown(person::set_role(tx.conn(), id, role).await.map_err(broken)?)?;
    session::end_all(tx.conn(), id).await.map_err(broken)?;
    let mut event = event_of(desk.parts.clock.now(), actor, id, "change_role");
    event.detail = json!({ "role": role, "was": was.role }).to_string();
    finish(desk, tx, vec![event]).await?;
    Ok(person)
}

/// Locks the admins; refuses what would leave the desk without one.
async fn spare_last_admin(tx: &mut Tx, id: PersonId) -> Result<(), Refusal> {
    let admins = person::lock_admins(tx.conn()).await.map_err(broken)?;
    if admins == [id.0] { Err(Refusal::LastAdmin) } else { Ok(()) }
}

pub async fn waiting_of(desk: &PeopleDesk, actor: &Actor, id: PersonId) -> Result<Vec<TaskRow>, Refusal> {
    admin_only(actor)?;
    let mut lease = desk.parts.store.read(Who::People).await.map_err(broken)?;
    let lens = Lens::of(lease.conn(), actor, desk.parts.clock.now()).await?;
    let lines = task_list::waiting_of_owner(lease.conn(), id).await.map_err(broken)?;
    Ok(lens.tasks(lines))
}

pub async fn disable(
    desk: &PeopleDesk,
    actor: &Actor,
    id: PersonId,
    leftover: Option<Leftover>,
) -> Result<Person, Refusal> {
    admin_only(actor)?;
    let now = desk.parts.clock.now();
    let mut tx = desk.parts.store.begin(Who::People).await.map_err(broken)?;
    let mut events = settle(&mut tx, actor, id, leftover, now).await?;
    spare_last_admin(&mut tx, id).await?;
    let person = shown(person::set_disabled(tx.conn(), id, true).await.map_err(broken)?)?;
    session::end_all(tx.conn(), id).await.map_err(broken)?;
    token::end_all(tx.conn(), id).await.map_err(broken)?;
    invitation::end_resets(tx.conn(), id).await.map_err(broken)?;
    events.push(event_of(now, actor, id, "disable"));
    finish(desk, tx, events).await?;
    Ok(person)
}

/// Does with the person's waiting tasks what was said; asks if nothing was. Answers the events of what was cancelled.
async fn settle(
    tx: &mut Tx,
    actor: &Actor,
    id: PersonId,
    leftover: Option<Leftover>,
    now: Timestamp,
) -> Result<Vec<NewEvent>, Refusal> {
    match leftover {
        Some(Leftover::Keep) => {
            leftover::lock_targets(tx.conn(), id).await.map_err(broken)?;
            let handed = leftover::hand_over(tx.conn(), id, actor.person).await.map_err(broken)?;
            let event = |(task, version)| NewEvent {
                version: Some(version),
                ..NewEvent::plain(now, Some(actor.person), "task", task, "hand_over")
            };
            Ok(handed.into_iter().map(event).collect())
        }
        None => match leftover::count(tx.conn(), id).await.map_err(broken)? {
            0 => Ok(Vec::new()),
            count => Err(Refusal::HasTasks { count }),
        },
        Some(Leftover::Cancel) => {
            leftover::lock_targets(tx.conn(), id).await.map_err(broken)?;
            let cancelled = leftover::cancel(tx.conn(), id).await.map_err(broken)?;
            let event = |(task, version)| NewEvent {
                at: now,
                actor: Some(actor.person),
                entity: "task",
                entity_id: task,
                verb: "cancel",
                from_state: Some(State::Scheduled.as_str()),
                to_state: Some(State::Cancelled.as_str()),
                version: Some(version),
                detail: json!({ "reason": reason::OWNER_DISABLED }).to_string(),
            };
            Ok(cancelled.into_iter().map(event).collect())
        }
    }
}

pub async fn enable(desk: &PeopleDesk, actor: &Actor, id: PersonId) -> Result<Person, Refusal> {
    admin_only(actor)?;
    let mut tx = desk.parts.store.begin(Who::People).await.map_err(broken)?;
    let person = shown(person::set_disabled(tx.conn(), id, false).await.map_err(broken)?)?;
    let event = event_of(desk.parts.clock.now(), actor, id, "enable");
    finish(desk, tx, vec![event]).await?;
    Ok(person)
}

fn event_of(now: Timestamp, actor: &Actor, id: PersonId, verb: &'static str) -> NewEvent {
    NewEvent::plain(now, Some(actor.person), "person", id.0, verb)
}

async fn finish(desk: &PeopleDesk, mut tx: Tx, events: Vec<NewEvent>) -> Result<(), Refusal> {
    event::append(tx.conn(), &events).await.map_err(broken)?;
    tx.commit().await.map_err(broken)?;
    desk.parts.committed.notify_waiters();
    Ok(())
}
