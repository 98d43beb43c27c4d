//! The end of a world: what must have happened, and what the books say.

use crate::{
    model::{Model, Task},
    world::{DISPATCHER, World},
};
use domain::{State, TaskId, Timestamp};
use std::collections::BTreeMap;
use uuid::Uuid;

/// A minute each: longer than a channel rests at most, and all that waits for it takes.
const SENDS: usize = 40;

type TaskRow = (Uuid, String, i32, i64, Option<String>, Option<i32>, i64);
type EventRow = (Uuid, Option<String>, Option<String>);

/// Nothing lies any more and one node lives: what was overdue is done within 5 s, and all books agree.
pub async fn judge(world: &mut World<'_>) -> Result<(), String> {
    world.calm().await?;
    let last = world.model.tasks.iter().map(|task| task.due).max().unwrap_or(world.shared.now());
    world.shared.clock.set(last.max(world.shared.now()).plus(1));
    for number in 1..crate::world::NODES {
        world.kill(number);
    }
    let (mut rounds, mut waits) = (0, true);
    // What is not approved is missed after 5 s, and what waits for it comes then.
    while waits && rounds < 13 {
        for place in if rounds < 3 { 0..4 } else { 3..4 } {
            world.round(0, place).await?;
        }
        rounds += 1;
        crate::people::learn_what_was_held(world).await;
        waits = world.model.tasks.iter().any(|task| task.state == State::Scheduled);
        if rounds == 10
            && let Some(task) = overdue(world)
        {
            return Err(format!("L1: still waiting after 5 s: {task:?}"));
        }
        world.shared.clock.advance(500);
    }
    world.shared.trace(rounds);
    crate::people::learn_what_was_held(world).await;
    books(world).await?;
    if world.has_post {
        send_all(world).await?;
        world.post.books(world.base).await?;
    }
    Ok(())
}

/// Whatever waits for its next attempt, for a lease to end, or for its channel to have rested, is sent; by then it has.
async fn send_all(world: &mut World<'_>) -> Result<(), String> {
    for _ in 0..SENDS {
        if !world.post.has_work(world.base).await {
            break;
        }
        world.round(0, DISPATCHER).await?;
        world.shared.clock.advance(61_000);
    }
    Ok(())
}

/// A task that nothing keeps from happening.
fn overdue<'w>(world: &'w World<'_>) -> Option<&'w Task> {
    let waiting = || world.model.tasks.iter().filter(|task| task.state == State::Scheduled);
    waiting().find(|task| !waiting().any(|other| other.article == task.article && !other.approved))
}

/// The tasks of SQL, with their execution rows, against the model; and the log against them.
async fn books(world: &World<'_>) -> Result<(), String> {
    let rows: Vec<TaskRow> = world
        .base
        .rows(sqlx::query_as(
            "select t.id, t.state, t.version, t.due_at, e.node, e.version,
                    (select count(*) from witness w where w.task = t.id)
               from task t left join execution e on e.task_id = t.id order by t.id",
        ))
        .await;
    if rows.len() != world.model.tasks.len() {
        return Err(format!("C1: {} tasks where people know {}", rows.len(), world.model.tasks.len()));
    }
    let log = log(world).await?;
    for (id, state, version, due, node, executed, effects) in rows {
        let task = world.model.tasks.iter().find(|task| task.id.0 == id).ok_or("C1: a task of nobody")?;
        let is_missed = state == "missed" && Model::may_be_missed(task, world.shared.now());
        let is_as_known = state == task.state.as_str() || is_missed;
        let what = format!("{state} in version {version}, {effects} effects; people know {task:?}");
        if state == "scheduled" {
            return Err(format!("L1: still waiting after 5 s: {what}"));
        }
        if (state == "executed") != executed.is_some() {
            return Err(format!("S6: execution row without mark or mark without row: {what}"));
        }
        let expected = i64::from(state == "executed" && node.as_deref() != Some("people"));
        if effects != expected {
            return Err(format!("S6: {effects} effects: {what}"));
        }
        if !is_as_known || version != task.version || Timestamp::from_millis(due) != task.due {
            return Err(format!("S4, S7: not what people were told: {what}"));
        }
        if log.get(&TaskId(id)) != Some(&state) {
            return Err(format!("C2: the log says {:?}: {what}", log.get(&TaskId(id))));
        }
    }
    Ok(())
}

/// Where the log leaves each task; each line begins where the one before it ended.
async fn log(world: &World<'_>) -> Result<BTreeMap<TaskId, String>, String> {
    let rows: Vec<EventRow> = world
        .base
        .rows(sqlx::query_as(
            "select entity_id, from_state, to_state from event where entity = 'task' order by seq",
        ))
        .await;
    let mut at = BTreeMap::<TaskId, String>::new();
    for (id, from, to) in rows {
        let id = TaskId(id);
        if at.get(&id) != from.as_ref() {
            return Err(format!("C2: {id} goes from {from:?} where it was {:?}", at.get(&id)));
        }
        if let Some(to) = to {
            at.insert(id, to);
        }
    }
    Ok(at)
}
