//! The log: append-only. Timelines and the live stream are the same rows.

use crate::{Conn, StoreError, acked::Said, batch::pack, db::on, literal::Call, row::row};
use domain::{PersonId, Timestamp, late::Note};
use serde_json::Value;
use sqlx::{Postgres, SqliteConnection, postgres::PgArguments, query::Query};
use uuid::Uuid;

/// How long a number missing in the log may still turn up (PostgreSQL only), milliseconds. Numbers are taken before the
/// commit, so a later one may be visible first; events are written last in their transaction, so not for long.
const SETTLES_MS: i64 = 5_000;

/// A line of the log before it has its place in it.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEvent {
    /// When.
    pub at: Timestamp,
    /// Who; `None`: the engine. Their present name is written beside it.
    pub actor: Option<PersonId>,
    /// `task`, `article`, `person`, `settings`, `engine`.
    pub entity: &'static str,
    /// Which one.
    pub entity_id: Uuid,
    /// What was done.
    pub verb: &'static str,
    /// State before, for tasks.
    pub from_state: Option<&'static str>,
    /// State after, for tasks.
    pub to_state: Option<&'static str>,
    /// Version (tasks) or revision (articles) after it.
    pub version: Option<i32>,
    /// More, by verb: a JSON object.
    pub detail: String,
}

type Head =
    (Timestamp, Option<PersonId>, &'static str, &'static str, Option<&'static str>, Option<&'static str>);

impl NewEvent {
    /// Something that has no states and no version: settings, people.
    #[must_use]
    pub fn plain(
        at: Timestamp,
        actor: Option<PersonId>,
        entity: &'static str,
        entity_id: Uuid,
        verb: &'static str,
    ) -> Self {
        let detail = "{}".to_owned();
        Self { at, actor, entity, entity_id, verb, from_state: None, to_state: None, version: None, detail }
    }

    /// All in which the lines of a batch need not differ.
    fn head(&self) -> Head {
        (self.at, self.actor, self.entity, self.verb, self.from_state, self.to_state)
    }
}

row! {
    /// A line of the log as it stands in SQL.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct EventRow {
        /// Place in the log.
        pub seq: i64,
        /// When, milliseconds.
        pub at: i64,
        /// Who: a name, or `engine`.
        pub actor: String,
        /// Who; `None`: the engine.
        pub actor_id: Option<Uuid>,
        /// What it is about.
        pub entity: String,
        /// Which one.
        pub entity_id: Uuid,
        /// What was done.
        pub verb: String,
        /// State before.
        pub from_state: Option<String>,
        /// State after.
        pub to_state: Option<String>,
        /// Version after it.
        pub version: Option<i32>,
        /// JSON object.
        pub detail: String,
    }
}

/// Most statements for lines that differ in more than what a batch's lines differ in.
const MOST_RUNS: usize = 4;

/// Writes all of them in one statement, or few, in this order. Call it last in the transaction: the numbers of the log are taken
/// here, and readers wait for a missing one. On PostgreSQL listeners of `presstime` are told at the commit.
pub async fn append(conn: Conn<'_>, events: &[NewEvent]) -> Result<(), StoreError> {
    if events.is_empty() {
        return Ok(());
    }
    match conn {
        Conn::Sqlite(c) => append_sqlite(c, events).await?,
        Conn::Postgres(c) => {
            bind(logged!(), events).execute(&mut *c).await?;
            c.say(events.iter().map(Said::from));
        }
    }
    Ok(())
}

// What the lines of a batch have in common is bound once: to take it out of JSON for each took longer than to write it. SQLite walks
// an array in its order, and would sort it once more if asked to.
async fn append_sqlite(c: &mut SqliteConnection, events: &[NewEvent]) -> Result<(), StoreError> {
    let runs = || events.chunk_by(|one, next| one.head() == next.head());
    if runs().count() > MOST_RUNS {
        sqlx::query(APPEND_SQLITE).bind(packed(events)?).execute(c).await?;
        return Ok(());
    }
    for run in runs() {
        let (at, actor, entity, verb, from, to) = run[0].head();
        let own = pack(run.iter().map(|e| (e.entity_id.simple(), e.version, &e.detail)))?;
        sqlx::query(APPEND_RUN_SQLITE)
            .bind(own)
            .bind(at.millis())
            .bind(actor.map(|person| person.0))
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
    select $2, coalesce((select name from person where id = $3), 'engine'), $3, $4, unhex(e.value ->> 0), $5, $6, $7,
           e.value ->> 1, e.value ->> 2
      from jsonb_each($1) e";

const APPEND_SQLITE: &str = "
    insert into event (at, actor, actor_id, entity, entity_id, verb, from_state, to_state, version, detail)
    select e.value ->> 0,
           coalesce((select name from person where id = unhex(e.value ->> 1)), 'engine'), unhex(e.value ->> 1),
           e.value ->> 2, unhex(e.value ->> 3), e.value ->> 4, e.value ->> 5, e.value ->> 6, e.value ->> 7,
           e.value ->> 8
      from jsonb_each($1) e";

/// The statement that writes events on PostgreSQL, after a change of its own where one is given: both in one round trip. The
/// events are `$1` to `$9`, see [`bind`]; what the change is given comes after them. `of`: the change returns the `id` of
/// what it changed, only the events of that are written, and the statement answers these. `untold`: the listeners are told by
/// somebody else, see [`crate::tail::tell`].
// What tells the listeners runs once a statement, so they are told once, not once a row.
macro_rules! logged {
    () => { $crate::event::logged!(@ ["with "] [""] ["select pg_notify('presstime', ''), n from counted"]) };
    ($change:literal) => {
        $crate::event::logged!(
            @ ["with changed as (", $change, "), "] [""] ["select pg_notify('presstime', ''), n from counted"])
    };
    (untold) => { $crate::event::logged!(@ ["with "] [""] ["select n from counted"]) };
    (of $change:literal) => {
        $crate::event::logged!(
            @ ["with changed as (", $change, "), "]
              ["join changed c on c.id = e.entity_id "]
              [", told as materialized (select pg_notify('presstime', '') from counted where n > 0)
               select c.id from changed c cross join told"])
    };
    (@ [$($begin:literal),+] [$only:literal] [$end:literal]) => {
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
            "left join person p on p.id = e.actor_id
                 order by e.place
                returning 1),
             counted as (select count(*) as n from logged) ",
            $end
        )
    };
}
pub(crate) use logged;

fn packed(events: &[NewEvent]) -> Result<String, StoreError> {
    pack(events.iter().map(|e| {
        (
            e.at.millis(),
            e.actor.map(|person| person.0.simple()),
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

/// Gives a call of a statement of [`logged`] its events, as [`bind`] does.
pub(crate) fn call(call: Call, events: &[NewEvent]) -> Call {
    call.plain(events.iter().map(|e| Some(e.at.millis())))
        .plain(events.iter().map(|e| e.actor.map(|person| person.0)))
        .texts(events.iter().map(|e| Some(e.entity)))
        .plain(events.iter().map(|e| Some(e.entity_id)))
        .texts(events.iter().map(|e| Some(e.verb)))
        .texts(events.iter().map(|e| e.from_state))
        .texts(events.iter().map(|e| e.to_state))
        .plain(events.iter().map(|e| e.version))
        .texts(events.iter().map(|e| Some(e.detail.as_str())))
}

/// Gives a statement of [`logged`] its events. Not to be used without any: listeners would be told of nothing.
pub(crate) fn bind<'q>(sql: &'static str, events: &[NewEvent]) -> Query<'q, Postgres, PgArguments> {
    fn column<T>(events: &[NewEvent], of: impl Fn(&NewEvent) -> T) -> Vec<T> {
        events.iter().map(of).collect()
    }
    sqlx::query(sql)
        .bind(column(events, |e| e.at.millis()))
        .bind(column(events, |e| e.actor.map(|person| person.0)))
        .bind(column(events, |e| e.entity))
        .bind(column(events, |e| e.entity_id))
        .bind(column(events, |e| e.verb))
        .bind(column(events, |e| e.from_state))
        .bind(column(events, |e| e.to_state))
        .bind(column(events, |e| e.version))
        .bind(column(events, |e| e.detail.clone()))
}

/// The log after `after`, in its order, at most `limit`. Ends before a number that may still turn up, so that a reader who
/// goes on from the last one misses nothing.
pub async fn since(
    conn: Conn<'_>,
    after: i64,
    limit: u32,
    now: Timestamp,
) -> Result<Vec<EventRow>, StoreError> {
    let has_gaps = matches!(conn, Conn::Postgres(_));
    let mut rows: Vec<EventRow> = on!(conn, c => sqlx::query_as(
        "select seq, at, actor, actor_id, entity, entity_id, verb, from_state, to_state, version, detail
           from event
          where seq > $1
          order by seq
          limit $2")
        .bind(after).bind(i64::from(limit)).fetch_all(c).await)?;
    if has_gaps {
        rows.truncate(settled(&rows, after, now));
    }
    Ok(rows)
}

/// How many of the rows come before the first number that may still turn up.
fn settled(rows: &[EventRow], after: i64, now: Timestamp) -> usize {
    let mut last = after;
    for (place, row) in rows.iter().enumerate() {
        let is_gap = row.seq > last + 1 && last > 0;
        if is_gap && now.millis() - row.at < SETTLES_MS {
            return place;
        }
        last = row.seq;
    }
    rows.len()
}

/// All that happened to one thing, oldest first, the newest `limit` of it.
pub async fn of(conn: Conn<'_>, entity_id: Uuid, limit: u32) -> Result<Vec<EventRow>, StoreError> {
    let mut rows: Vec<EventRow> = on!(conn, c => sqlx::query_as(
        "select seq, at, actor, actor_id, entity, entity_id, verb, from_state, to_state, version, detail
           from event
          where entity_id = $1
          order by seq desc
          limit $2")
        .bind(entity_id).bind(i64::from(limit)).fetch_all(c).await)?;
    rows.reverse();
    Ok(rows)
}

/// What the log says of the engine as a whole up to `until`, oldest first, the newest `limit` of it.
pub async fn notes(conn: Conn<'_>, until: Timestamp, limit: u32) -> Result<Vec<Note>, StoreError> {
    let mut rows: Vec<(i64, String, String)> = on!(conn, c => sqlx::query_as(
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
        .map(|(at, verb, detail)| Note { at: at.into(), verb, since: since(&detail) })
        .collect())
}

/// The last number of the log; 0 if it is empty.
pub async fn last_seq(conn: Conn<'_>) -> Result<i64, StoreError> {
    let last: Option<i64> =
        on!(conn, c => sqlx::query_scalar("select max(seq) from event").fetch_one(c).await)?;
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
        assert_eq!(settled(&rows, 4, Timestamp::from_millis(10_000)), 1);
        assert_eq!(settled(&rows, 4, Timestamp::from_millis(20_000)), 2);
        assert_eq!(settled(&rows, 3, Timestamp::from_millis(4_000)), 0);
    }
}
