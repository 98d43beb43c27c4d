//! Records the results of attempts, and updates the health of their channels.

use super::{
    attempt_result::{AttemptResult, ChangedRow},
    post, recipients, unfinished,
};
use crate::{
    Conn, StoreError,
    db::with_conn,
    event::{self, NewEvent},
    failing,
    json_rows::encode,
};
use domain::{
    Timestamp,
    delivery::{DeliveryState, Outcome},
};
use serde_json::json;
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// Records attempts. The outcome of an attempt that was fenced off (its lease expired and another
/// node took over) is written only to the row of the attempt, unless it is that the message was
/// delivered and no other attempt was begun: then the delivery has ended. Returns the number of deliveries that
/// changed.
pub async fn record(mut conn: Conn<'_>, ended: &[AttemptResult], now: Timestamp) -> Result<u64, StoreError> {
    #[cfg(all(feature = "mutants", debug_assertions))]
    let ended = &unfenced(conn.reborrow(), ended).await?[..];
    let changed: Vec<ChangedRow> = match conn.reborrow() {
        Conn::Sqlite(c) => sqlx::query_as(RECORD_SQLITE).bind(packed(ended)?).fetch_all(c).await?,
        Conn::Postgres(c) => sqlx::query_as(RECORD_POSTGRES).bind(packed(ended)?).fetch_all(c).await?,
    };
    match conn.reborrow() {
        Conn::Sqlite(c) => sqlx::query(OUTCOME_SQLITE).bind(packed(ended)?).execute(c).await?.rows_affected(),
        Conn::Postgres(c) => {
            sqlx::query(OUTCOME_POSTGRES).bind(packed(ended)?).execute(c).await?.rows_affected()
        }
    };
    update_failing(conn.reborrow(), ended, &changed, now).await?;
    recipients::record(conn.reborrow(), &changed, ended, now).await?;
    record_posts(conn.reborrow(), ended, &changed, now).await?;
    let channels: HashSet<Uuid> = ended.iter().map(|one| one.channel.0).collect();
    for channel in channels {
        update_health(conn.reborrow(), channel, ended, now).await?;
    }
    let log: Vec<NewEvent> = changed.iter().filter_map(|row| delivery_event(row, ended, now)).collect();
    event::append(conn, &log).await?;
    Ok(changed.len() as u64)
}

/// Records what attempts learned about posts, in the order of the ids of the posts.
async fn record_posts(
    mut conn: Conn<'_>,
    ended: &[AttemptResult],
    changed: &[ChangedRow],
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut learned: Vec<_> = ended.iter().filter_map(|one| Some((one, one.post.as_deref()?))).collect();
    learned.sort_by_key(|(_, report)| report.post.0);
    for (one, report) in learned {
        let is_current = changed.iter().any(|row| row.0 == one.id.0 && row.5 == one.epoch);
        post::record(conn.reborrow(), (report, is_current), now).await?;
    }
    Ok(())
}

/// Updates `failing_delivery` with the changed deliveries: those that failed and are retried or
/// held, and those that ended.
async fn update_failing(
    conn: Conn<'_>,
    ended: &[AttemptResult],
    changed: &[ChangedRow],
    now: Timestamp,
) -> Result<(), StoreError> {
    let states: HashMap<(Uuid, i32), &str> =
        changed.iter().map(|row| ((row.0, row.5), row.3.as_str())).collect();
    let state_of = |one: &AttemptResult| states.get(&(one.id.0, one.epoch)).copied();
    let current = || ended.iter().filter(|one| state_of(one).is_some());
    let has_ended =
        |state: &str| state != DeliveryState::Pending.as_str() && state != DeliveryState::Held.as_str();
    let is_retried = |one: &&AttemptResult| state_of(one).is_some_and(|state| !has_ended(state));
    // A page that readers do not see yet is no failure of the channel.
    let is_look = |one: &AttemptResult| one.post.as_ref().is_some_and(|report| report.live.is_some());
    let failed = current().filter(|one| is_retried(one) && one.outcome != Outcome::NotSent && !is_look(one));
    let failed: Vec<_> = failed.map(|one| (one.id, one.channel)).collect();
    let finished: Vec<_> = current().filter(|one| !is_retried(one)).map(|one| one.id).collect();
    failing::record(conn, &failed, &finished, now).await
}

/// [`crate::mutant::Mutant::RecordWithoutEpoch`]: each attempt is recorded as if it were the
/// current one.
#[cfg(all(feature = "mutants", debug_assertions))]
async fn unfenced(mut conn: Conn<'_>, ended: &[AttemptResult]) -> Result<Vec<AttemptResult>, StoreError> {
    let mut ended = ended.to_vec();
    if crate::mutant::is_active(crate::mutant::Mutant::RecordWithoutEpoch) {
        for one in &mut ended {
            one.epoch = with_conn!(conn.reborrow(), c => sqlx::query_scalar("select epoch from delivery where id = $1")
                .bind(one.id.0).fetch_one(c).await)?;
        }
    }
    Ok(ended)
}

/// The event of a delivery that ended. It belongs to its task, whose timeline shows it; the event
/// of a test message belongs to the channel, which only admins see.
fn delivery_event(
    (id, task, channel, state, event, epoch): &ChangedRow,
    ended: &[AttemptResult],
    now: Timestamp,
) -> Option<NewEvent> {
    let verb = match state.as_str() {
        "delivered" => "deliver",
        "failed" => "give_up",
        "unconfirmed" => "doubt",
        _ => return None,
    };
    let detail =
        json!({"delivery_id": id, "channel": channel, "event": event, "attempts": epoch}).to_string();
    let (entity, about) = match task {
        Some(task) => ("delivery", *task),
        None => ("channel", ended.iter().find(|one| one.id.0 == *id)?.channel.0),
    };
    Some(NewEvent { detail, ..NewEvent::simple(now, None, entity, about, verb) })
}

/// Condition: the attempt is to be repeated, now or after the channel is resumed, and its notice was
/// acknowledged meanwhile.
macro_rules! is_over {
    ($state:literal) => {
        concat!(
            $state,
            " in ('pending', 'held') and delivery.message_id is not null
                and exists (select 1 from message m where m.id = delivery.message_id and m.acknowledged_at is not null)"
        )
    };
}

// An attempt in which nothing was sent does not count as a step of the retry schedule.
const RECORD_SQLITE: &str = concat!(
    "
    update delivery
       set state = case when ",
    is_over!("e.value ->> 2"),
    " then 'delivered' else e.value ->> 2 end,
           ended_at = case when ",
    is_over!("e.value ->> 2"),
    " then e.value ->> 6 else e.value ->> 4 end,
           not_before = coalesce(e.value ->> 3, not_before),
           attempts = attempts - (e.value ->> 5), lease_until = null, lease_owner = null
      from jsonb_each($1) as e
     where delivery.id = unhex(e.value ->> 0) and epoch = e.value ->> 1
       and (state = 'sending' or state in ('pending', 'held', 'unconfirmed') and e.value ->> 7 = 'delivered')
    returning id, task_id, channel, state, event, epoch"
);

const RECORD_POSTGRES: &str = concat!(
    "
    update delivery
       set state = case when ",
    is_over!("e ->> 2"),
    " then 'delivered' else e ->> 2 end,
           ended_at = case when ",
    is_over!("e ->> 2"),
    " then (e ->> 6)::bigint else (e ->> 4)::bigint end,
           not_before = coalesce((e ->> 3)::bigint, not_before),
           attempts = attempts - (e ->> 5)::integer, lease_until = null, lease_owner = null
      from jsonb_array_elements($1::jsonb) as e
     where delivery.id = (e ->> 0)::uuid and epoch = (e ->> 1)::integer
       and (state = 'sending' or state in ('pending', 'held', 'unconfirmed') and e ->> 7 = 'delivered')
    returning id, task_id, channel, state, event, epoch"
);

const OUTCOME_SQLITE: &str = "
    update delivery_attempt
       set ended_at = e.value ->> 6, outcome = e.value ->> 7, status = e.value ->> 8, response_body = e.value ->> 9
      from jsonb_each($1) as e
     where delivery_id = unhex(e.value ->> 0) and epoch = e.value ->> 1
       and (ended_at is null or outcome = 'unknown' and e.value ->> 7 <> 'unknown')";

const OUTCOME_POSTGRES: &str = "
    update delivery_attempt
       set ended_at = (e ->> 6)::bigint, outcome = e ->> 7, status = (e ->> 8)::integer, response_body = e ->> 9
      from jsonb_array_elements($1::jsonb) as e
     where delivery_id = (e ->> 0)::uuid and epoch = (e ->> 1)::integer
       and (ended_at is null or outcome = 'unknown' and e ->> 7 <> 'unknown')";

fn packed(ended: &[AttemptResult]) -> Result<String, StoreError> {
    // Rows are locked in the order of their ids.
    let mut sorted: Vec<&AttemptResult> = ended.iter().collect();
    sorted.sort_by_key(|one| one.id.0);
    encode(sorted.into_iter().map(|one| {
        let is_end = !matches!(one.state, DeliveryState::Pending | DeliveryState::Held);
        (
            one.id.0.simple(),
            one.epoch,
            one.state,
            one.not_before.map(Timestamp::millis),
            is_end.then_some(one.at.millis()),
            i32::from(one.outcome == Outcome::NotSent),
            one.at.millis(),
            one.outcome,
            one.status,
            &one.response_body,
        )
    }))
}

/// Number of failures in a row that opens the circuit breaker of a channel.
const BREAKER_THRESHOLD: i32 = 5;
/// How long the breaker stays open at first, milliseconds; doubled with each further failure.
const FIRST_BREAKER_MS: i64 = 30_000;
/// Maximum time the breaker stays open, milliseconds.
const MAX_BREAKER_MS: i64 = 600_000;

async fn update_health(
    mut conn: Conn<'_>,
    channel: Uuid,
    ended: &[AttemptResult],
    now: Timestamp,
) -> Result<(), StoreError> {
    let is_failed_check = |one: &AttemptResult| one.is_check && one.outcome != Outcome::Delivered;
    let is_relevant = |one: &&AttemptResult| {
        one.channel.0 == channel && one.outcome != Outcome::NotSent && !one.is_left && !is_failed_check(one)
    };
    let results = || ended.iter().filter(is_relevant);
    // What concerns a single message is no failure of the channel: one bad address must not delay mail to
    // the others.
    let since_answer = results().rev().take_while(|one| !one.is_taken && !one.has_answered());
    let failed = since_answer.filter(|one| !one.is_about_message).count();
    let has_succeeded = results().any(|one| one.is_taken);
    let has_answered = has_succeeded || results().any(AttemptResult::has_answered);
    // An open breaker counts even if nothing was sent: it is the reason why. A site that has no time for a check is asked
    // again at the moment of the publication.
    let rests = ended.iter().filter(|one| one.channel.0 == channel && !is_failed_check(one));
    let open_until = rests.filter_map(|one| one.breaker_open_until).max().map(Timestamp::millis);
    let last = results().rev().find(|one| one.outcome != Outcome::Delivered);
    let (status, body) = (last.and_then(|one| one.status), last.and_then(|one| one.response_body.clone()));
    let health: Option<(i32, String)> = with_conn!(conn.reborrow(), c => sqlx::query_as(
        "update channel
            set failures = $2 + case when $10 = 1 then 0 else failures end,
                succeeded_at = case when $3 = 1 then $4 else succeeded_at end,
                failed_at = case when $7 = 1 then $4 else failed_at end,
                last_status = case when $7 = 1 then $8 else last_status end,
                last_response_body = case when $7 = 1 then $9 else last_response_body end,
                breaker_open_until = case when $10 = 1 and $2 = 0 then null else coalesce($5, breaker_open_until) end,
                state = case when $6 = 1 then 'off' else state end
          where id = $1
         returning failures, state")
        .bind(channel).bind(i32::try_from(failed).unwrap_or(i32::MAX)).bind(i32::from(has_succeeded))
        .bind(now.millis()).bind(open_until).bind(i32::from(results().any(|one| one.is_gone)))
        .bind(i32::from(last.is_some())).bind(status.map(i32::from)).bind(body).bind(i32::from(has_answered))
        .fetch_optional(c).await)?;
    let Some((failures, state)) = health else {
        // The channel was deleted during the attempt.
        with_conn!(conn.reborrow(), c => sqlx::query(
            "update delivery set state = 'cancelled', ended_at = $2 where channel_id = $1 and state in ('pending', 'held')")
            .bind(channel).bind(now.millis()).execute(c).await?.rows_affected());
        with_conn!(conn, c => sqlx::query("delete from failing_delivery where channel_id = $1")
            .bind(channel).execute(c).await.map(drop))?;
        return Ok(());
    };
    let over = failures - BREAKER_THRESHOLD;
    if failed > 0 && over >= 0 {
        let open_ms = (FIRST_BREAKER_MS << over.min(5)).min(MAX_BREAKER_MS);
        with_conn!(conn.reborrow(), c => sqlx::query(
            "update channel
                set breaker_open_until = $2
              where id = $1 and (breaker_open_until is null or breaker_open_until < $2)")
            .bind(channel).bind(now.plus(open_ms).millis()).execute(c).await?.rows_affected());
    }
    if state == "off" {
        unfinished::hold(conn, channel).await?;
    }
    Ok(())
}
