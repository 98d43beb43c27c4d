//! Misfortunes of publishing.

use super::{
    Verdict,
    desk::{Desk, OUT_AT_LAST, Plan},
};
use domain::{Clock as _, Lane, clock::SystemClock};
use queue::BUCKETS;
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::PgConnection;
use tokio::sync::Mutex;

/// Before its moment, milliseconds: near enough that its hint is loaded.
const FAR: i64 = 50_000;

/// Redis forgets one hint and nothing else.
pub async fn a_hint_is_lost(desk: &Desk) -> Verdict {
    let plan = desk.plan_and(async |plan| desk.lose_hint(plan).await).await;
    match desk.goes_out(&plan, 10_000).await {
        true => Ok(()),
        false => Err("lost: it did not go out within 10 s".to_owned()),
    }
}

/// Somebody's transaction cancels before the moment and commits after it.
pub async fn a_cancel_takes_its_time(desk: &Desk) -> Verdict {
    let slow = Mutex::new(desk.stranger().await);
    let cancel = async |plan: &Plan| {
        let mut slow = slow.lock().await;
        let mut changed = 0;
        for statement in CANCEL {
            let done = sqlx::query(statement).bind(&plan.article).execute(&mut *slow).await;
            changed = done.unwrap().rows_affected();
        }
        changed == 1
    };
    sqlx::raw_sql("begin").execute(&mut *slow.lock().await).await.unwrap();
    let plan = desk.plan_and(cancel).await;
    // Now the engine stands before the row.
    desk.until(WAITS_FOR_ROW.to_owned()).await;
    sqlx::raw_sql("commit").execute(&mut *slow.lock().await).await.unwrap();
    desk.has_gone_on().await;
    match desk.went_out(&plan).await.is_empty() {
        true => Ok(()),
        false => Err("wrong: it went out after its cancel was committed".to_owned()),
    }
}

const CANCEL: [&str; 2] = [
    "select id from article where id::text = $1 for no key update",
    "update task set state = 'cancelled', version = version + 1 where target_id::text = $1 and state = 'scheduled'",
];

const WAITS_FOR_ROW: &str = "
    select 1::bigint from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1";

/// The node dies between the two writes that an execution makes, whichever comes first.
pub async fn a_node_dies_between_two_writes(desk: &Desk) -> Verdict {
    desk.sql(HELD.to_owned()).await;
    let mut holder = desk.stranger().await;
    hold(&mut holder, "select pg_advisory_lock($1)", &[1, 2]).await;
    let plan = desk.plan(500).await;
    let first = desk.until(WAITS_FOR_ADVICE.to_owned()).await;
    hold(&mut holder, "select pg_advisory_unlock($1)", &[first]).await;
    let second = desk.until(format!("{WAITS_FOR_ADVICE} and objid <> {first}")).await;
    desk.kill().await;
    // The server has not noticed, and would go on with what it was told, to the commit if that was the next word.
    desk.sql(format!("select pg_terminate_backend(pid) from ({WAITS_FOR_ADVICE}) as waits")).await;
    desk.until(format!("select 0::bigint where not exists ({WAITS_FOR_ADVICE})")).await;
    hold(&mut holder, "select pg_advisory_unlock($1)", &[second]).await;
    desk.revive().await;
    let is_out = desk.goes_out(&plan, 8_000).await;
    desk.has_gone_on().await;
    match desk.went_out(&plan).await.len() {
        1 => Ok(()),
        0 if !is_out => Err("lost: it never went out".to_owned()),
        times => Err(format!("double: it went out {times} times")),
    }
}

/// What is published and what is written into the ledger waits for a lock that somebody may hold.
const HELD: &str = "
    create function hold() returns trigger language plpgsql as $$
    begin
        perform pg_advisory_xact_lock_shared(tg_argv[0]::bigint);
        return new;
    end $$;
    create trigger hold_1 before update of published_revision_id on article for each row execute function hold('1');
    create trigger hold_2 before insert on execution for each row execute function hold('2');";

const WAITS_FOR_ADVICE: &str = "
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

/// A hint comes up long before its task is due.
pub async fn a_hint_comes_too_early(desk: &Desk) -> Verdict {
    let plan = desk.plan(FAR).await;
    desk.forge(&plan, 1).await;
    desk.has_gone_on().await;
    match desk.went_out(&plan).await.first().filter(|at| **at < plan.due) {
        None => Ok(()),
        Some(at) => Err(format!("early: it went out {} ms before its moment", plan.due.since(*at))),
    }
}

/// A hint comes up whose task was cancelled.
pub async fn a_hint_of_what_was_cancelled_comes(desk: &Desk) -> Verdict {
    let plan = desk.plan(FAR).await;
    desk.have(&format!("/tasks/{}/cancel", plan.task), &json!({"seen_version": 1})).await;
    desk.forge(&plan, 1).await;
    desk.forge(&plan, 2).await;
    desk.has_gone_on().await;
    match desk.went_out(&plan).await.is_empty() {
        true => Ok(()),
        false => Err("wrong: it went out after an acknowledged cancel".to_owned()),
    }
}

/// The approval is withdrawn just before the moment. No verb of the desk yet: it is written as a person's transaction would.
pub async fn an_approval_is_withdrawn(desk: &Desk) -> Verdict {
    let withdraw = async |plan: &Plan| {
        let set = "version = version + 1, approved_version = null";
        desk.sql(format!("update task set {set} where id = '{}' and state = 'scheduled'", plan.task)).await
            == 1
    };
    let plan = desk.plan_and(withdraw).await;
    let ended = format!("select 1::bigint from task where id = '{}' and state <> 'scheduled'", plan.task);
    desk.until(ended).await;
    match desk.went_out(&plan).await.is_empty() {
        true => Ok(()),
        false => Err("wrong: it went out without approval".to_owned()),
    }
}

/// Somebody moves what has gone out.
pub async fn what_went_out_is_moved(desk: &Desk) -> Verdict {
    let plan = desk.plan(100).await;
    assert!(desk.goes_out(&plan, OUT_AT_LAST).await, "it goes out");
    let path = format!("/tasks/{}", plan.task);
    let (_, task) = desk.ask(Method::GET, &path, &Value::Null).await;
    let moved = json!({"seen_version": task["version"], "due_at": plan.due.plus(60_000).to_string()});
    match desk.ask(Method::POST, &format!("{path}/reschedule"), &moved).await.0 {
        409 => Ok(()),
        status => Err(format!("wrong: the move of what had gone out was answered {status}")),
    }
}

impl Desk {
    /// Deletes the hint of what waits; the watermarks stay, so that nothing looks wiped. False: it was its moment before.
    async fn lose_hint(&self, plan: &Plan) -> bool {
        let client = redis::Client::open(self.redis_url()).unwrap();
        let mut redis = client.get_multiplexed_async_connection().await.unwrap();
        let keys: Vec<String> =
            (0..BUCKETS).map(|bucket| format!("pt:{{{bucket}}}:future:{}", Lane::Normal)).collect();
        let mut looks = tokio::time::interval(std::time::Duration::from_millis(5));
        loop {
            // A hint is given after the answer, at once: when it is there, it goes.
            looks.tick().await;
            let gone: u64 = redis::cmd("DEL").arg(&keys).query_async(&mut redis).await.unwrap();
            if gone > 0 || SystemClock.now() > plan.due {
                return gone > 0;
            }
        }
    }
}
