//! Changes of many tasks at once: one statement, the same compare-and-set as for one.

use crate::{
    Conn, StoreError,
    acked::Said,
    batch::pack,
    event::{self, NewEvent},
};
use domain::{State, TaskId, Timestamp, Version};
use sqlx::Row as _;
use std::collections::HashSet;
use uuid::Uuid;

/// What a task can become in a crowd of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Becomes {
    /// It waits still.
    Scheduled,
    /// It waited, and is not to happen.
    Cancelled,
    /// It waits again and is tried from the beginning, approved by who wants it so.
    Again(Stopped),
}

/// What did not happen and can be tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// It could not.
    Failed,
    /// It was too late for it.
    Missed,
}

impl Becomes {
    /// Where it stood.
    #[must_use]
    pub fn was(self) -> State {
        match self {
            Self::Scheduled | Self::Cancelled => State::Scheduled,
            Self::Again(Stopped::Failed) => State::Failed,
            Self::Again(Stopped::Missed) => State::Missed,
        }
    }

    /// Where it stands then.
    #[must_use]
    pub fn state(self) -> State {
        match self {
            Self::Scheduled | Self::Again(_) => State::Scheduled,
            Self::Cancelled => State::Cancelled,
        }
    }
}

/// What becomes of a task, as somebody saw it.
#[derive(Debug, Clone, PartialEq)]
pub struct Wish {
    /// Which one.
    pub id: TaskId,
    /// The version it was seen in.
    pub seen: Version,
    /// What becomes of it.
    pub becomes: Becomes,
    /// When it is due then.
    pub due_at: Timestamp,
    /// What the person typed.
    pub local: Option<String>,
    /// The zone they typed it in.
    pub zone: Option<String>,
    /// What the log says of it.
    pub event: NewEvent,
}

/// Changes tasks that are in the state and the version they were seen in, and writes their events; each task once. Those that were
/// changed are in their next version now. The others are left as they are, on PostgreSQL also those that somebody else has
/// in hand: nobody is waited for. Last in the transaction, as [`event::append`] is; on PostgreSQL one statement.
pub async fn change_all(mut conn: Conn<'_>, wishes: &[Wish]) -> Result<HashSet<TaskId>, StoreError> {
    let changed: HashSet<TaskId> = match conn.again() {
        Conn::Sqlite(c) => {
            let wishes = pack(wishes.iter().map(|wish| {
                let (was, state) = (wish.becomes.was().as_str(), wish.becomes.state().as_str());
                (wish.id.0.simple(), wish.seen.0, was, state, wish.due_at.millis(), &wish.local, &wish.zone)
            }))?;
            let ids: Vec<Uuid> = sqlx::query_scalar(SQLITE).bind(wishes).fetch_all(c).await?;
            ids.into_iter().map(TaskId).collect()
        }
        Conn::Postgres(c) => return change_postgres(c, wishes).await,
    };
    let made = wishes.iter().filter(|wish| changed.contains(&wish.id));
    event::append(conn, &made.map(|wish| wish.event.clone()).collect::<Vec<_>>()).await?;
    Ok(changed)
}

const SQLITE: &str = "
    update task
       set state = wish.state, due_at = wish.due_at, local = wish.local, zone = wish.zone, not_before = null,
           version = task.version + 1,
           approved_version = case when was <> 'scheduled' or approved_version = task.version then task.version + 1
                                   else approved_version end,
           attempts = case when was = 'scheduled' then attempts else 0 end,
           strikes = case when was = 'scheduled' then strikes else 0 end,
           reason = case when was = 'scheduled' then reason end
      from (select unhex(value ->> 0) as id, value ->> 1 as version, value ->> 2 as was, value ->> 3 as state,
                   value ->> 4 as due_at, value ->> 5 as local, value ->> 6 as zone
              from jsonb_each($1)) as wish
     where task.id = wish.id
       and task.version = wish.version
       and +task.state = wish.was
    returning id";

// By identity and not by state, whatever the server believes of a table that has just grown (`|| ''`); whether a row is free is
// asked of a table made once (`is true`), not of each pair.
const POSTGRES: &str = event::logged!(of
    "with free as materialized (
       select id
         from task
        where id = any($10)
          and state || '' <> 'executed'
        order by id
          for no key update skip locked)
     update task t
        set state = wish.state, due_at = wish.due_at, local = wish.local, zone = wish.zone, not_before = null,
            version = t.version + 1,
            approved_version = case when was <> 'scheduled' or t.approved_version = t.version then t.version + 1
                                    else t.approved_version end,
            attempts = case when was = 'scheduled' then t.attempts else 0 end,
            strikes = case when was = 'scheduled' then t.strikes else 0 end,
            reason = case when was = 'scheduled' then t.reason end
       from unnest($10::uuid[], $11::integer[], $12::text[], $13::text[], $14::bigint[], $15::text[], $16::text[])
            as wish (id, version, was, state, due_at, local, zone)
      where t.id = wish.id
        and t.version = wish.version
        and t.state || '' = wish.was
        and (t.id in (select id from free)) is true
     returning t.id"
);

async fn change_postgres(c: &mut crate::Line, wishes: &[Wish]) -> Result<HashSet<TaskId>, StoreError> {
    fn column<'a, T>(wishes: &'a [Wish], of: impl Fn(&'a Wish) -> T) -> Vec<T> {
        wishes.iter().map(of).collect()
    }
    let events: Vec<NewEvent> = wishes.iter().map(|wish| wish.event.clone()).collect();
    let rows = event::bind(POSTGRES, &events)
        .bind(column(wishes, |wish| wish.id.0))
        .bind(column(wishes, |wish| wish.seen.0))
        .bind(column(wishes, |wish| wish.becomes.was().as_str()))
        .bind(column(wishes, |wish| wish.becomes.state().as_str()))
        .bind(column(wishes, |wish| wish.due_at.millis()))
        .bind(column(wishes, |wish| wish.local.as_deref()))
        .bind(column(wishes, |wish| wish.zone.as_deref()))
        .fetch_all(&mut *c)
        .await?;
    let changed: HashSet<TaskId> =
        rows.iter().map(|row| Ok(TaskId(row.try_get(0)?))).collect::<Result<_, StoreError>>()?;
    c.say(wishes.iter().filter(|wish| changed.contains(&wish.id)).map(|wish| Said::from(&wish.event)));
    Ok(changed)
}
