//! The event log: append-only. Timelines and the live stream read the same rows.

use crate::{
    Conn, StoreError,
    commit_log::AckedEvent,
    db::with_conn,
    json_rows::{column, encode},
    prepared_call::PreparedCall,
    row::row,
};
use domain::{AccountId, Timestamp, late_cause::EngineEvent};
use serde_json::Value;
use sqlx::{Postgres, SqliteConnection, postgres::PgArguments, query::Query};
use uuid::Uuid;

/// How long a missing sequence number may still appear (PostgreSQL only), milliseconds. Numbers are
/// assigned before the commit, so a later one may be visible first. Events are written last in
/// their transaction, so the wait is short.
const GAP_TIMEOUT_MS: i64 = 5_000;

/// Number of the newest events that [`of_actor`] looks at.
const MAX_RECENT_EVENTS: i64 = 20_000;

/// An event that is not written yet.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEvent {
    /// Time of the event.
    pub at: Timestamp,
    /// Account that acted; `None`: the engine. Its current name is stored with the event.
    pub actor: Option<AccountId>,
    /// Kind of the entity: `task`, `article`, `account`, `settings`, `engine`.
    pub entity: &'static str,
    /// Id of the entity.
    pub entity_id: Uuid,
    /// Verb: what was done.
    pub verb: &'static str,
    /// State before, for tasks.
    pub from_state: Option<&'static str>,
    /// State after, for tasks.
    pub to_state: Option<&'static str>,
    /// Version (tasks) or revision (articles) after it.
    pub version: Option<i32>,
    /// Details by verb: a JSON object.
    pub detail: String,
}

impl From<&NewEvent> for AckedEvent {
    fn from(event: &NewEvent) -> Self {
        let NewEvent { at, actor, entity, entity_id, verb, version, .. } = *event;
        Self { at: at.millis(), actor: actor.map(|account| account.0), entity, entity_id, verb, version }
    }
}

type Head =
    (Timestamp, Option<AccountId>, &'static str, &'static str, Option<&'static str>, Option<&'static str>);

impl NewEvent {
    /// Returns an event without states and version: settings, accounts.
    #[must_use]
    pub fn simple(
        at: Timestamp,
        actor: Option<AccountId>,
        entity: &'static str,
        entity_id: Uuid,
        verb: &'static str,
    ) -> Self {
        let detail = "{}".to_owned();
        Self { at, actor, entity, entity_id, verb, from_state: None, to_state: None, version: None, detail }
    }

    /// The fields that events of one batch usually have in common.
    fn head(&self) -> Head {
        (self.at, self.actor, self.entity, self.verb, self.from_state, self.to_state)
    }
}

row! {
    /// An event row.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct EventRow {
        /// Sequence number.
        pub seq: i64,
        /// Time, milliseconds.
        pub at: i64,
        /// Name of the account that acted, or `engine`.
        pub actor: String,
        /// Account that acted; `None`: the engine.
        pub actor_id: Option<Uuid>,
        /// Kind of the entity.
        pub entity: String,
        /// Id of the entity.
        pub entity_id: Uuid,
        /// Verb: what was done.
        pub verb: String,
        /// State before.
        pub from_state: Option<String>,
        /// State after.
        pub to_state: Option<String>,
        /// Version after it.
        pub version: Option<i32>,
        /// Details: a JSON object.
        pub detail: String,
    }
}

/// Maximum number of statements for events that differ in their common fields; above it one generic
/// statement is used.
const MAX_RUNS: usize = 4;

/// Writes the events in this order, in one statement or few. Must be the last call of the
/// transaction: sequence numbers are assigned here, and readers wait for missing ones. On
/// PostgreSQL, listeners of the channel `presstime` are notified at the commit.
pub async fn append(conn: Conn<'_>, events: &[NewEvent]) -> Result<(), StoreError> {
    if events.is_empty() {
        return Ok(());
    }
    match conn {
        Conn::Sqlite(c) => append_sqlite(c, events).await?,
        Conn::Postgres(c) => {
            bind(logged!(), events).execute(&mut *c).await?;
            c.record_events(events.iter().map(AckedEvent::from));
        }
    }
    Ok(())
}

// Fields that a batch has in common are bound once: extracting them from JSON for each event took
// longer than writing it. SQLite reads the array in order and would sort it again if asked to.
async fn append_sqlite(c: &mut SqliteConnection, events: &[NewEvent]) -> Result<(), StoreError> {
    let runs = || events.chunk_by(|one, next| one.head() == next.head());
    if runs().count() > MAX_RUNS {
        sqlx::query(APPEND_SQLITE).bind(packed(events)?).execute(c).await?;
        return Ok(());
    }
    for run in runs() {
        let (at, actor, entity, verb, from, to) = run[0].head();
        let own = encode(run.iter().map(|e| (e.entity_id.simple(), e.version, &e.detail)))?;
        sqlx::query(APPEND_RUN_SQLITE)
            .bind(own)
            .bind(at.millis())
            .bind(actor.map(|account| account.0))
            .bind(entity)
            .bind(verb)
            .bind(from)
            .bind(to)
            .execute(&mut *c)
            .await?;
    }
    Ok(())
}

const APPEND_RUN_SQLITE: &str = "
    insert into event (at, actor, actor_id, entity, entity_id, verb, from_state, to_state, version, detail)
    select $2, coalesce((select name from account where id = $3), 'engine'), $3, $4, unhex(e.value ->> 0), $5, $6, $7,
           e.value ->> 1, e.value ->> 2
      from jsonb_each($1) e";

const APPEND_SQLITE: &str = "
    insert into event (at, actor, actor_id, entity, entity_id, verb, from_state, to_state, version, detail)
    select e.value ->> 0,
           coalesce((select name from account where id = unhex(e.value ->> 1)), 'engine'), unhex(e.value ->> 1),
           e.value ->> 2, unhex(e.value ->> 3), e.value ->> 4, e.value ->> 5, e.value ->> 6, e.value ->> 7,
           e.value ->> 8
      from jsonb_each($1) e";

/// The PostgreSQL statement that writes events. A change given as argument runs first, in the same
/// round trip. Parameters `$1` to `$9` are the events, see [`bind`]; those of the change follow.
/// `of`: the change returns the `id` of each changed row; only events of these ids are written, and
/// the statement returns the ids. `silent`: it does not notify listeners, see
/// [`crate::change_watch::notify`].
// `pg_notify` runs once per statement, so listeners are notified once, not once per row.
macro_rules! logged {
    () => { $crate::event::logged!(@ ["with "] [""] ["select pg_notify('presstime', ''), n from counted"]) };
    ($change:literal) => {
        $crate::event::logged!(
            @ ["with changed as (", $change, "), "] [""] ["select pg_notify('presstime', ''), n from counted"])
    };
    (sql $change:expr) => {
        $crate::event::logged!(
            @ ["with changed as (", $change, "), "] [""] ["select pg_notify('presstime', ''), n from counted"])
    };
    (silent) => { $crate::event::logged!(@ ["with "] [""] ["select n from counted"]) };
    (of $change:expr) => {
        $crate::event::logged!(
            @ ["with changed as (", $change, "), "]
              ["join changed c on c.id = e.entity_id "]
              [", notified as materialized (select pg_notify('presstime', '') from counted where n > 0)
               select c.id from changed c cross join notified"])
    };
    (@ [$($begin:expr),+] [$only:literal] [$end:literal]) => {
        concat!(
            $($begin),+,
            "logged as (
                insert into event (at, actor, actor_id, entity, entity_id, verb, from_state, to_state, version, detail)
                select e.at, coalesce(p.name, 'engine'), e.actor_id, e.entity, e.entity_id, e.verb, e.from_state,
                       e.to_state, e.version, e.detail
                  from unnest($1::bigint[], $2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::text[], $7::text[],
                              $8::integer[], $9::text[])
                       with ordinality
                       as e (at, actor_id, entity, entity_id, verb, from_state, to_state, version, detail, place) ",
            $only,
            "left join account p on p.id = e.actor_id
                 order by e.place
                returning 1),
             counted as (select count(*) as n from logged) ",
            $end
        )
    };
}
pub(crate) use logged;

fn packed(events: &[NewEvent]) -> Result<String, StoreError> {
    encode(events.iter().map(|e| {
        (
            e.at.millis(),
            e.actor.map(|account| account.0.simple()),
            e.entity,
            e.entity_id.simple(),
            e.verb,
            e.from_state,
            e.to_state,
            e.version,
            &e.detail,
        )
    }))
}

/// Adds the events to a prepared call of a [`logged`] statement, as [`bind`] does.
pub(crate) fn bind_call(call: PreparedCall, events: &[NewEvent]) -> PreparedCall {
    call.array(events.iter().map(|e| Some(e.at.millis())))
        .array(events.iter().map(|e| e.actor.map(|account| account.0)))
        .text_array(events.iter().map(|e| Some(e.entity)))
        .array(events.iter().map(|e| Some(e.entity_id)))
        .text_array(events.iter().map(|e| Some(e.verb)))
        .text_array(events.iter().map(|e| e.from_state))
        .text_array(events.iter().map(|e| e.to_state))
        .array(events.iter().map(|e| e.version))
        .text_array(events.iter().map(|e| Some(e.detail.as_str())))
}

/// Binds the events of a [`logged`] statement. `events` must not be empty: listeners would be
/// notified without a change.
pub(crate) fn bind<'q>(sql: &'static str, events: &[NewEvent]) -> Query<'q, Postgres, PgArguments> {
    sqlx::query(sql)
        .bind(column(events, |e| e.at.millis()))
        .bind(column(events, |e| e.actor.map(|account| account.0)))
        .bind(column(events, |e| e.entity))
        .bind(column(events, |e| e.entity_id))
        .bind(column(events, |e| e.verb))
        .bind(column(events, |e| e.from_state))
        .bind(column(events, |e| e.to_state))
        .bind(column(events, |e| e.version))
        .bind(column(events, |e| e.detail.clone()))
}

/// Returns events after `after`, in order, at most `limit`. Stops before a missing number that may
/// still appear, so that a reader that continues from the last row misses nothing.
pub async fn since(
    conn: Conn<'_>,
    after: i64,
    limit: u32,
    now: Timestamp,
) -> Result<Vec<EventRow>, StoreError> {
    let has_gaps = matches!(conn, Conn::Postgres(_));
    let mut rows: Vec<EventRow> = with_conn!(conn, c => sqlx::query_as(
        "select seq, at, actor, actor_id, entity, entity_id, verb, from_state, to_state, version, detail
           from event
          where seq > $1
          order by seq
          limit $2")
        .bind(after).bind(i64::from(limit)).fetch_all(c).await)?;
    if has_gaps {
        rows.truncate(count_settled(&rows, after, now));
    }
    Ok(rows)
}

/// Returns how many rows precede the first missing number that may still appear.
fn count_settled(rows: &[EventRow], after: i64, now: Timestamp) -> usize {
    let mut last = after;
    for (place, row) in rows.iter().enumerate() {
        let is_gap = row.seq > last + 1 && last > 0;
        if is_gap && now.millis() - row.at < GAP_TIMEOUT_MS {
            return place;
        }
        last = row.seq;
    }
    rows.len()
}

/// Returns the newest `limit` events of one entity, oldest first.
pub async fn history(conn: Conn<'_>, entity_id: Uuid, limit: u32) -> Result<Vec<EventRow>, StoreError> {
    let mut rows: Vec<EventRow> = with_conn!(conn, c => sqlx::query_as(
        "select seq, at, actor, actor_id, entity, entity_id, verb, from_state, to_state, version, detail
           from event
          where entity_id = $1
          order by seq desc
          limit $2")
        .bind(entity_id).bind(i64::from(limit)).fetch_all(c).await)?;
    rows.reverse();
    Ok(rows)
}

/// Returns the events of one verb that an account caused between two moments, newest first. Looks
/// at the newest `MAX_RECENT_EVENTS` events, so it finds recent ones only.
pub async fn of_actor(
    conn: Conn<'_>,
    by: AccountId,
    (entity, verb): (&str, &str),
    (from, until): (Timestamp, Timestamp),
) -> Result<Vec<EventRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select seq, at, actor, actor_id, entity, entity_id, verb, from_state, to_state, version, detail
           from (select * from event order by seq desc limit $6) as recent
          where entity = $1 and verb = $2 and actor_id = $3 and at between $4 and $5
          order by seq desc")
        .bind(entity).bind(verb).bind(by.0).bind(from.millis()).bind(until.millis()).bind(MAX_RECENT_EVENTS)
        .fetch_all(c).await)?)
}

/// Returns the newest `limit` events of the engine up to `until`, oldest first.
pub async fn engine_events(
    conn: Conn<'_>,
    until: Timestamp,
    limit: u32,
) -> Result<Vec<EngineEvent>, StoreError> {
    let mut rows: Vec<(i64, String, String)> = with_conn!(conn, c => sqlx::query_as(
        "select at, verb, detail
           from event
          where entity_id = $1
            and entity = 'engine'
            and at <= $2
          order by seq desc
          limit $3")
        .bind(Uuid::nil()).bind(until.millis()).bind(i64::from(limit)).fetch_all(c).await)?;
    rows.reverse();
    let since = |detail: &str| {
        let detail: Value = serde_json::from_str(detail).ok()?;
        Some(Timestamp::from_millis(detail["since"].as_i64()?))
    };
    Ok(rows
        .into_iter()
        .map(|(at, verb, detail)| EngineEvent { at: at.into(), verb, since: since(&detail) })
        .collect())
}

/// Returns the last sequence number; 0 if the log is empty.
pub async fn last_seq(conn: Conn<'_>) -> Result<i64, StoreError> {
    let last: Option<i64> =
        with_conn!(conn, c => sqlx::query_scalar("select max(seq) from event").fetch_one(c).await)?;
    Ok(last.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(seq: i64, at: i64) -> EventRow {
        EventRow {
            seq,
            at,
            actor: String::new(),
            actor_id: None,
            entity: String::new(),
            entity_id: Uuid::nil(),
            verb: String::new(),
            from_state: None,
            to_state: None,
            version: None,
            detail: String::new(),
        }
    }

    #[test]
    fn a_fresh_gap_ends_the_page_and_an_old_one_does_not() {
        let rows = [row(5, 0), row(7, 9_000)];
        assert_eq!(count_settled(&rows, 4, Timestamp::from_millis(10_000)), 1);
        assert_eq!(count_settled(&rows, 4, Timestamp::from_millis(20_000)), 2);
        assert_eq!(count_settled(&rows, 3, Timestamp::from_millis(4_000)), 0);
    }
}
