//! What became of attempts, and what that says of a channel.

use super::recipients;
use crate::{
    Conn, StoreError,
    batch::pack,
    db::on,
    event::{self, NewEvent},
    failing,
};
use domain::{
    ChannelId, DeliveryId, Timestamp,
    delivery::{DeliveryState, Outcome, Recipient},
};
use serde_json::json;
use std::collections::HashSet;
use uuid::Uuid;

/// What became of an attempt, and of its delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Which delivery.
    pub id: DeliveryId,
    /// Which way.
    pub channel: ChannelId,
    /// Which attempt.
    pub epoch: i32,
    /// When it ended.
    pub at: Timestamp,
    /// How.
    pub outcome: Outcome,
    /// Status of the answer.
    pub status: Option<u16>,
    /// Beginning of the answer.
    pub answer: Option<String>,
    /// Where the delivery stands now.
    pub state: DeliveryState,
    /// When it is tried next, if it is.
    pub not_before: Option<Timestamp>,
    /// Nobody is to send to this channel before this moment.
    pub rests_until: Option<Timestamp>,
    /// The other side is gone for good.
    pub is_gone: bool,
    /// What became of it at each recipient, where that differs.
    pub recipients: Vec<Recipient>,
    /// Whether this attempt reached at least one recipient.
    pub is_taken: bool,
    /// Who made it has not said how it ended: that says nothing of the other side.
    pub is_left: bool,
}

pub(super) type Told = (Uuid, Option<Uuid>, String, String, String, i32);

/// Records attempts. One that was fenced off (its lease was over, and somebody else said so) leaves its outcome in its own
/// row only. Returns how many deliveries changed.
pub async fn record(mut conn: Conn<'_>, ended: &[Ended], now: Timestamp) -> Result<u64, StoreError> {
    #[cfg(all(feature = "mutants", debug_assertions))]
    let ended = &unfenced(conn.again(), ended).await?[..];
    let told: Vec<Told> = match conn.again() {
        Conn::Sqlite(c) => sqlx::query_as(RECORD_SQLITE).bind(packed(ended)?).fetch_all(c).await?,
        Conn::Postgres(c) => sqlx::query_as(RECORD_POSTGRES).bind(packed(ended)?).fetch_all(c).await?,
    };
    match conn.again() {
        Conn::Sqlite(c) => sqlx::query(OUTCOME_SQLITE).bind(packed(ended)?).execute(c).await?.rows_affected(),
        Conn::Postgres(c) => {
            sqlx::query(OUTCOME_POSTGRES).bind(packed(ended)?).execute(c).await?.rows_affected()
        }
    };
    note_failing(conn.again(), ended, &told, now).await?;
    recipients::note(conn.again(), &told, ended, now).await?;
    let channels: HashSet<Uuid> = ended.iter().map(|one| one.channel.0).collect();
    for channel in channels {
        note_health(conn.again(), channel, ended, now).await?;
    }
    let log: Vec<NewEvent> = told.iter().filter_map(|told| line(told, ended, now)).collect();
    event::append(conn, &log).await?;
    Ok(told.len() as u64)
}

/// Notes which of the deliveries that changed wait for another attempt because one failed, and which have ended.
async fn note_failing(
    conn: Conn<'_>,
    ended: &[Ended],
    told: &[Told],
    now: Timestamp,
) -> Result<(), StoreError> {
    let changed: HashSet<(Uuid, i32)> = told.iter().map(|told| (told.0, told.5)).collect();
    let of_now = || ended.iter().filter(|one| changed.contains(&(one.id.0, one.epoch)));
    let is_waiting = |one: &&Ended| one.state == DeliveryState::Pending;
    let failed = of_now().filter(|one| is_waiting(one) && one.outcome != Outcome::NotSent);
    let failed: Vec<_> = failed.map(|one| (one.id, one.channel)).collect();
    let over: Vec<_> = of_now().filter(|one| !is_waiting(one)).map(|one| one.id).collect();
    failing::note(conn, &failed, &over, now).await
}

/// [`crate::mutant::Mutant::RecordWithoutEpoch`]: an attempt passes for the one that is under way.
#[cfg(all(feature = "mutants", debug_assertions))]
async fn unfenced(mut conn: Conn<'_>, ended: &[Ended]) -> Result<Vec<Ended>, StoreError> {
    let mut ended = ended.to_vec();
    if crate::mutant::is(crate::mutant::Mutant::RecordWithoutEpoch) {
        for one in &mut ended {
            one.epoch = on!(conn.again(), c => sqlx::query_scalar("select epoch from delivery where id = $1")
                .bind(one.id.0).fetch_one(c).await)?;
        }
    }
    Ok(ended)
}

/// The line of the log for a delivery that came to an end. It stands with its task, so that its timeline tells it; that of a
/// test with its channel, which is the business of admins.
fn line(
    (id, task, channel, state, event, epoch): &Told,
    ended: &[Ended],
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
    Some(NewEvent { detail, ..NewEvent::plain(now, None, entity, about, verb) })
}

// An attempt in which nothing was sent is no step on the ladder.
const RECORD_SQLITE: &str = "
    update delivery
       set state = e.value ->> 2, not_before = coalesce(e.value ->> 3, not_before), ended_at = e.value ->> 4,
           attempts = attempts - (e.value ->> 5), lease_until = null, owner = null
      from jsonb_each($1) as e
     where delivery.id = unhex(e.value ->> 0) and epoch = e.value ->> 1 and state = 'sending'
    returning id, task_id, channel, state, event, epoch";

const RECORD_POSTGRES: &str = "
    update delivery
       set state = e ->> 2, not_before = coalesce((e ->> 3)::bigint, not_before), ended_at = (e ->> 4)::bigint,
           attempts = attempts - (e ->> 5)::integer, lease_until = null, owner = null
      from jsonb_array_elements($1::jsonb) as e
     where delivery.id = (e ->> 0)::uuid and epoch = (e ->> 1)::integer and state = 'sending'
    returning id, task_id, channel, state, event, epoch";

const OUTCOME_SQLITE: &str = "
    update delivery_attempt
       set ended_at = e.value ->> 6, outcome = e.value ->> 7, status = e.value ->> 8, answer = e.value ->> 9
      from jsonb_each($1) as e
     where delivery_id = unhex(e.value ->> 0) and epoch = e.value ->> 1
       and (ended_at is null or outcome = 'unknown' and e.value ->> 7 <> 'unknown')";

const OUTCOME_POSTGRES: &str = "
    update delivery_attempt
       set ended_at = (e ->> 6)::bigint, outcome = e ->> 7, status = (e ->> 8)::integer, answer = e ->> 9
      from jsonb_array_elements($1::jsonb) as e
     where delivery_id = (e ->> 0)::uuid and epoch = (e ->> 1)::integer
       and (ended_at is null or outcome = 'unknown' and e ->> 7 <> 'unknown')";

fn packed(ended: &[Ended]) -> Result<String, StoreError> {
    pack(ended.iter().map(|one| {
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
            &one.answer,
        )
    }))
}

/// So many failures in a row and the channel rests.
const FAILURES: i32 = 5;
/// Its first rest, doubled with each further failure, milliseconds.
const REST_MS: i64 = 30_000;
/// Its longest rest, milliseconds.
const REST_MAX_MS: i64 = 600_000;

async fn note_health(
    mut conn: Conn<'_>,
    channel: Uuid,
    ended: &[Ended],
    now: Timestamp,
) -> Result<(), StoreError> {
    let tells = |one: &&Ended| one.channel.0 == channel && one.outcome != Outcome::NotSent && !one.is_left;
    let of_it = || ended.iter().filter(tells);
    // A server that says no about recipients is well: one bad address must not keep the others' mail back.
    let counted = || of_it().filter(|one| one.is_taken || one.recipients.is_empty());
    let failed = counted().rev().take_while(|one| !one.is_taken).count();
    let has_succeeded = of_it().any(|one| one.is_taken);
    // A rest counts even where nothing was sent: it is why.
    let asked = ended.iter().filter(|one| one.channel.0 == channel).filter_map(|one| one.rests_until).max();
    let asked = asked.map(Timestamp::millis);
    let last = of_it().rev().find(|one| one.outcome != Outcome::Delivered);
    let (status, answer) = (last.and_then(|one| one.status), last.and_then(|one| one.answer.clone()));
    let failures: Option<i32> = on!(conn.again(), c => sqlx::query_scalar(
        "update channel
            set failures = $2 + case when $3 = 1 then 0 else failures end,
                succeeded_at = case when $3 = 1 then $4 else succeeded_at end,
                failed_at = case when $7 = 1 then $4 else failed_at end,
                last_status = case when $7 = 1 then $8 else last_status end,
                last_answer = case when $7 = 1 then $9 else last_answer end,
                rests_until = case when $3 = 1 and $2 = 0 then null else coalesce($5, rests_until) end,
                state = case when $6 = 1 then 'off' else state end
          where id = $1
         returning failures")
        .bind(channel).bind(i32::try_from(failed).unwrap_or(i32::MAX)).bind(i32::from(has_succeeded))
        .bind(now.millis()).bind(asked).bind(i32::from(of_it().any(|one| one.is_gone)))
        .bind(i32::from(last.is_some())).bind(status.map(i32::from)).bind(answer)
        .fetch_optional(c).await)?;
    if let Some(over) = failures.map(|failures| failures - FAILURES).filter(|over| failed > 0 && *over >= 0) {
        let rest = (REST_MS << over.min(5)).min(REST_MAX_MS);
        on!(conn.again(), c => sqlx::query(
            "update channel set rests_until = $2 where id = $1 and (rests_until is null or rests_until < $2)")
            .bind(channel).bind(now.plus(rest).millis()).execute(c).await?.rows_affected());
    }
    on!(conn, c => sqlx::query(
        "update delivery
            set state = 'held'
          where channel_id = $1 and state = 'pending' and exists (select 1 from channel where id = $1 and state = 'off')")
        .bind(channel).execute(c).await?.rows_affected());
    Ok(())
}
