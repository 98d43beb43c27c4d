//! Checks at the end of a seed: what must have been executed, and whether all records agree.

use crate::simulation::{
    cluster::{Cluster, DISPATCHER},
    model::{Model, Task},
};
use domain::{State, TaskId, Timestamp};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Maximum number of dispatcher rounds at the end, one a minute: longer than any breaker stays
/// open.
const MAX_SEND_ROUNDS: usize = 40;

type TaskRow = (Uuid, String, i32, i64, Option<String>, Option<i32>, i64);
type EventRow = (Uuid, Option<String>, Option<String>);

/// Ends all faults and keeps one node. What is overdue must then be executed within 5 s, and all
/// records must agree.
pub async fn check(cluster: &mut Cluster<'_>) -> Result<(), String> {
    cluster.end_faults().await?;
    let last = cluster.model.tasks.iter().map(|task| task.due).max().unwrap_or(cluster.shared.now());
    cluster.shared.clock.set(last.max(cluster.shared.now()).plus(1));
    for number in 1..crate::simulation::cluster::NODES {
        cluster.kill(number);
    }
    let (mut rounds, mut waits) = (0, true);
    // A task without approval is missed after 5 s; later tasks of the same article run only then.
    while waits && rounds < 13 {
        for index in if rounds < 3 { 0..4 } else { 3..4 } {
            cluster.round(0, index).await?;
        }
        rounds += 1;
        crate::simulation::users::learn_failed(cluster).await;
        waits = cluster.model.tasks.iter().any(|task| task.state == State::Scheduled);
        if rounds == 10
            && let Some(task) = overdue(cluster)
        {
            return Err(format!("L1: still waiting after 5 s: {task:?}"));
        }
        cluster.shared.clock.advance(500);
    }
    cluster.shared.trace(rounds);
    crate::simulation::users::learn_failed(cluster).await;
    check_database(cluster).await?;
    if cluster.has_deliveries {
        send_all(cluster).await?;
        cluster.receiver.check_deliveries(cluster.database).await?;
    }
    Ok(())
}

/// Sends what waits for its next attempt, for the end of a lease, or for the breaker of its
/// channel.
async fn send_all(cluster: &mut Cluster<'_>) -> Result<(), String> {
    for _ in 0..MAX_SEND_ROUNDS {
        if !cluster.receiver.has_work(cluster.database).await {
            break;
        }
        cluster.round(0, DISPATCHER).await?;
        cluster.shared.clock.advance(61_000);
    }
    Ok(())
}

/// Returns a scheduled task that nothing blocks.
fn overdue<'w>(cluster: &'w Cluster<'_>) -> Option<&'w Task> {
    let waiting = || cluster.model.tasks.iter().filter(|task| task.state == State::Scheduled);
    waiting().find(|task| !waiting().any(|other| other.article == task.article && !other.approved))
}

/// Compares tasks and execution records in SQL with the model, and the event log with the tasks.
async fn check_database(cluster: &Cluster<'_>) -> Result<(), String> {
    let rows: Vec<TaskRow> = cluster
        .database
        .rows(sqlx::query_as(
            "select t.id, t.state, t.version, t.due_at, e.node, e.version,
                    (select count(*) from observation w where w.task = t.id)
               from task t left join execution e on e.task_id = t.id order by t.id",
        ))
        .await;
    if rows.len() != cluster.model.tasks.len() {
        return Err(format!("C1: {} tasks where users know {}", rows.len(), cluster.model.tasks.len()));
    }
    let log = states_in_log(cluster).await?;
    for (id, state, version, due, node, executed, effects) in rows {
        let task = cluster
            .model
            .tasks
            .iter()
            .find(|task| task.id.0 == id)
            .ok_or("C1: a task that no user created")?;
        let is_missed = state == "missed" && Model::may_be_missed(task, cluster.shared.now());
        let is_as_known = state == task.state.as_str() || is_missed;
        let what = format!("{state} in version {version}, {effects} effects; users know {task:?}");
        if state == "scheduled" {
            return Err(format!("L1: still waiting after 5 s: {what}"));
        }
        if (state == "executed") != executed.is_some() {
            return Err(format!("S6: execution record without state or state without record: {what}"));
        }
        let expected = i64::from(state == "executed" && node.as_deref() != Some("users"));
        if effects != expected {
            return Err(format!("S6: {effects} effects: {what}"));
        }
        if !is_as_known || version != task.version || Timestamp::from_millis(due) != task.due {
            return Err(format!("S4, S7: not what users were answered: {what}"));
        }
        if log.get(&TaskId(id)) != Some(&state) {
            return Err(format!("C2: the log says {:?}: {what}", log.get(&TaskId(id))));
        }
    }
    Ok(())
}

/// Returns each task's last state in the event log. Each event must begin in the state in which the
/// previous one ended.
async fn states_in_log(cluster: &Cluster<'_>) -> Result<BTreeMap<TaskId, String>, String> {
    let rows: Vec<EventRow> = cluster
        .database
        .rows(sqlx::query_as(
            "select entity_id, from_state, to_state from event where entity = 'task' order by seq",
        ))
        .await;
    let mut at = BTreeMap::<TaskId, String>::new();
    for (id, from, to) in rows {
        let id = TaskId(id);
        if at.get(&id) != from.as_ref() {
            return Err(format!("C2: {id} goes from {from:?}, but it was {:?}", at.get(&id)));
        }
        if let Some(to) = to {
            at.insert(id, to);
        }
    }
    Ok(at)
}
