//! Scenes with publications.

use super::{
    Verdict,
    node::{NODE, PUBLISH_TIMEOUT_MS, Scheduled, TestNode},
};
use crate::faults::cluster::now;
use domain::Priority;
use queue::DEFAULT_BUCKETS;
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::PgConnection;
use tokio::sync::Mutex;

/// Time before the due time in milliseconds, within the window in which hints are loaded.
const LOADED_LEAD_MS: i64 = 50_000;

/// Redis loses one hint and nothing else.
pub async fn redis_loses_one_hint(node: &TestNode) -> Verdict {
    let scheduled = node.schedule_and(async |scheduled| node.lose_hint(scheduled).await).await;
    match node.is_published(&scheduled, 10_000).await {
        true => Ok(()),
        false => Err("lost: it was not published within 10 s".to_owned()),
    }
}

/// A transaction cancels before the due time and commits after it.
pub async fn a_slow_cancellation_commits_after_the_due_time(node: &TestNode) -> Verdict {
    let slow = Mutex::new(node.connect().await);
    let cancel = async |scheduled: &Scheduled| {
        let mut slow = slow.lock().await;
        let mut changed = 0;
        for statement in CANCEL {
            let done = sqlx::query(statement).bind(&scheduled.article).execute(&mut *slow).await;
            changed = done.unwrap().rows_affected();
        }
        changed == 1
    };
    sqlx::raw_sql("begin").execute(&mut *slow.lock().await).await.unwrap();
    let scheduled = node.schedule_and(cancel).await;
    // Now the engine waits for the row lock.
    node.wait_for_row(WAITS_FOR_ROW.to_owned()).await;
    sqlx::raw_sql("commit").execute(&mut *slow.lock().await).await.unwrap();
    node.wait_until_idle().await;
    match node.publications(&scheduled).await.is_empty() {
        true => Ok(()),
        false => Err("wrong: it was published after a committed cancellation".to_owned()),
    }
}

const CANCEL: [&str; 2] = [
    "select id from target where id::text = $1 for no key update",
    "update task set state = 'cancelled', version = version + 1 where target_id::text = $1 and state = 'scheduled'",
];

const WAITS_FOR_ROW: &str = "
    select 1::bigint from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1";

/// The node crashes between the two writes of an execution, in either order.
pub async fn a_node_crashes_between_two_writes(node: &TestNode) -> Verdict {
    node.sql(HOLD_TRIGGERS.to_owned()).await;
    let mut holder = node.connect().await;
    hold(&mut holder, "select pg_advisory_lock($1)", &[1, 2]).await;
    let scheduled = node.schedule(500).await;
    let first = node.wait_for_row(WAITS_FOR_ADVISORY_LOCK.to_owned()).await;
    hold(&mut holder, "select pg_advisory_unlock($1)", &[first]).await;
    let second = node.wait_for_row(format!("{WAITS_FOR_ADVISORY_LOCK} and objid <> {first}")).await;
    node.kill().await;
    // PostgreSQL has not noticed, and would continue with the statements it got, possibly up to the
    // commit.
    node.sql(format!("select pg_terminate_backend(pid) from ({WAITS_FOR_ADVISORY_LOCK}) as waits")).await;
    node.wait_for_row(format!("select 0::bigint where not exists ({WAITS_FOR_ADVISORY_LOCK})")).await;
    hold(&mut holder, "select pg_advisory_unlock($1)", &[second]).await;
    node.start().await;
    let is_published = node.is_published(&scheduled, 8_000).await;
    node.wait_until_idle().await;
    match node.publications(&scheduled).await.len() {
        1 => Ok(()),
        0 if !is_published => Err("lost: it was never published".to_owned()),
        times => Err(format!("double: it was published {times} times")),
    }
}

/// Publications and execution records wait for a lock that a scene may hold.
const HOLD_TRIGGERS: &str = "
    create function hold() returns trigger language plpgsql as $$
    begin
        perform pg_advisory_xact_lock_shared(tg_argv[0]::bigint);
        return new;
    end $$;
    create trigger hold_1 before update of published_revision_id on article for each row execute function hold('1');
    create trigger hold_2 before insert on execution for each row execute function hold('2');";

const WAITS_FOR_ADVISORY_LOCK: &str = "
    select objid::bigint, pid
      from pg_locks
     where not granted
       and locktype = 'advisory'
       and database = (select oid from pg_database where datname = current_database())
       and objid in (1, 2)";

async fn hold(holder: &mut PgConnection, statement: &'static str, keys: &[i64]) {
    for key in keys {
        sqlx::query(statement).bind(key).execute(&mut *holder).await.unwrap();
    }
}

/// A hint arrives long before its task is due.
pub async fn a_hint_arrives_too_early(node: &TestNode) -> Verdict {
    let scheduled = node.schedule(LOADED_LEAD_MS).await;
    node.forge_hint(&scheduled, 1).await;
    node.wait_until_idle().await;
    match node.publications(&scheduled).await.first().filter(|at| **at < scheduled.due) {
        None => Ok(()),
        Some(at) => {
            Err(format!("early: it was published {} ms before its due time", scheduled.due.since(*at)))
        }
    }
}

/// A hint of a cancelled task arrives.
pub async fn a_hint_of_a_cancelled_task_arrives(node: &TestNode) -> Verdict {
    let scheduled = node.schedule(LOADED_LEAD_MS).await;
    node.post(&format!("/tasks/{}/cancel", scheduled.task), &json!({"seen_version": 1})).await;
    node.forge_hint(&scheduled, 1).await;
    node.forge_hint(&scheduled, 2).await;
    node.wait_until_idle().await;
    match node.publications(&scheduled).await.is_empty() {
        true => Ok(()),
        false => Err("wrong: it was published after an acknowledged cancellation".to_owned()),
    }
}

/// An approval is withdrawn just before the due time. No service does so yet, so this writes what
/// its transaction would.
pub async fn an_approval_is_withdrawn(node: &TestNode) -> Verdict {
    let withdraw = async |scheduled: &Scheduled| {
        let set = "version = version + 1, approved_version = null";
        node.sql(format!("update task set {set} where id = '{}' and state = 'scheduled'", scheduled.task))
            .await
            == 1
    };
    let scheduled = node.schedule_and(withdraw).await;
    let ended =
        format!("select 1::bigint from task where id = '{}' and state <> 'scheduled'", scheduled.task);
    node.wait_for_row(ended).await;
    match node.publications(&scheduled).await.is_empty() {
        true => Ok(()),
        false => Err("wrong: it was published without approval".to_owned()),
    }
}

/// A user reschedules what is already published.
pub async fn a_published_article_is_rescheduled(node: &TestNode) -> Verdict {
    let scheduled = node.schedule(100).await;
    assert!(node.is_published(&scheduled, PUBLISH_TIMEOUT_MS).await, "it is published");
    let path = format!("/tasks/{}", scheduled.task);
    let (_, task) = node.cluster.request(NODE, Method::GET, &path, &Value::Null).await;
    let moved = json!({"seen_version": task["version"], "due_at": scheduled.due.plus(60_000).to_string()});
    match node.cluster.try_post(NODE, &format!("{path}/reschedule"), &moved).await.0 {
        409 => Ok(()),
        status => Err(format!("wrong: rescheduling what was published was answered with {status}")),
    }
}

impl TestNode {
    /// Deletes the task's hint. The watermarks stay, so that Redis does not look empty. False: it
    /// came too late.
    async fn lose_hint(&self, scheduled: &Scheduled) -> bool {
        let client = redis::Client::open(self.cluster.redis_url.as_deref().expect("Redis")).unwrap();
        let mut redis = client.get_multiplexed_async_connection().await.unwrap();
        let keys: Vec<String> = (0..DEFAULT_BUCKETS)
            .map(|bucket| format!("pt:{{{bucket}}}:future:{}", Priority::Normal))
            .collect();
        let mut polls = tokio::time::interval(std::time::Duration::from_millis(5));
        loop {
            // The hint is written right after the response. Delete it as soon as it exists.
            polls.tick().await;
            let deleted: u64 = redis::cmd("DEL").arg(&keys).query_async(&mut redis).await.unwrap();
            if deleted > 0 || now() > scheduled.due {
                return deleted > 0;
            }
        }
    }
}
