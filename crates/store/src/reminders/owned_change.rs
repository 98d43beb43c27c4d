//! Changes of what belongs to another account than the one that made them, from the event log.

use crate::{Conn, StoreError, db::with_conn, event::EventRow, row::row};
use domain::Timestamp;
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

row! {
    /// A change by an account. Either it is not the owner, or the owner changed with it or after it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct OwnedChange {
        /// The event.
        flat pub event: EventRow,
        /// Kind of the task; `None`: the event is not about a task.
        pub task_kind: Option<String>,
        /// What was changed: of a task, its target.
        pub subject_id: Uuid,
        /// What that is.
        pub subject_kind: String,
        /// Its title; `None`: it no longer exists.
        pub title: Option<String>,
        /// Its owner now; `None`: it no longer exists.
        pub owner_id: Option<Uuid>,
        /// Details of the first event, from this one on, that changed its owner or deleted it: its field `was_owner_id` is
        /// the owner at this event. `None`: the owner has not changed since.
        pub next_owner_change: Option<String>,
        /// What it belongs to: the series of a meeting, the rule of a wait, what a reminder is about, the release that
        /// publishes an article.
        pub part_of_id: Option<Uuid>,
        /// Name of the release whose task was changed, if the subject is an article in it.
        pub release_name: Option<String>,
    }
}

/// Returns the changes by accounts in the events after `seq` up to `until`, in their order.
pub async fn between(conn: Conn<'_>, (seq, until): (i64, i64)) -> Result<Vec<OwnedChange>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select * from (
           select e.seq, e.at, e.actor, e.actor_id, e.entity, e.entity_id, e.verb, e.from_state, e.to_state, e.version,
                  e.detail, t.kind as task_kind, coalesce(t.target_id, e.entity_id) as subject_id,
                  coalesce(g.kind, e.entity) as subject_kind, coalesce(r.text, g.title, f.name, p.name) as title,
                  coalesce(g.owner_id, f.owner_id, p.id) as owner_id,
                  (select o.detail from event o
                    where o.entity_id in (e.entity_id, t.target_id) and o.seq >= e.seq
                      and o.detail like '%\"was_owner_id\"%'
                    order by o.seq limit 1) as next_owner_change,
                  coalesce(m.series_id, w.rule_id, r.about_id) as part_of_id,
                  cast(null as text) as release_name
             from event e
             left join delivery d on e.entity = 'delivery' and d.id = e.entity_id
             left join task t on e.entity in ('task', 'delivery') and t.id = coalesce(d.task_id, e.entity_id)
             left join target g on g.id = coalesce(t.target_id, e.entity_id)
             left join media f on e.entity = 'media' and f.id = e.entity_id
             left join account p on e.entity = 'account' and p.id = e.entity_id
             left join meeting m on g.kind = 'meeting' and m.id = g.id
             left join wait w on g.kind = 'wait' and w.id = g.id
             left join reminder r on g.kind = 'reminder' and r.id = g.id
            where e.seq > $1
              and e.seq <= $2
              and e.actor_id is not null
              and e.entity in ('account', 'article', 'delivery', 'media', 'meeting', 'release', 'reminder', 'rule', 'series',
                               'task')
         ) as found
          where owner_id <> actor_id or next_owner_change is not null
          order by seq")
        .bind(seq).bind(until).fetch_all(c).await)?)
}

/// Returns the changes of the tasks of releases in the events after `seq` up to `until`, once for each article in them
/// whose owner neither made the change nor owns the release. In the order of the events.
pub async fn in_releases(conn: Conn<'_>, (seq, until): (i64, i64)) -> Result<Vec<OwnedChange>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select e.seq, e.at, e.actor, e.actor_id, e.entity, e.entity_id, e.verb, e.from_state, e.to_state, e.version,
                e.detail, t.kind as task_kind, a.id as subject_id, a.kind as subject_kind, a.title, a.owner_id,
                cast(null as text) as next_owner_change, g.id as part_of_id, g.title as release_name
           from event e
           join task t on t.id = e.entity_id
           join target g on g.id = t.target_id and g.kind = 'release'
           join article_release_item i on i.release_id = g.id
           join target a on a.id = i.article_id
          where e.seq > $1
            and e.seq <= $2
            and e.entity = 'task'
            and e.verb in ('schedule', 'reschedule', 'restore_schedule', 'cancel', 'undo', 'publish_now', 'retry')
            and e.actor_id is not null
            and a.owner_id <> e.actor_id
            and a.owner_id <> g.owner_id
          order by e.seq, a.id")
        .bind(seq).bind(until).fetch_all(c).await)?)
}

/// Returns the names of rooms.
pub async fn room_names(conn: Conn<'_>) -> Result<HashMap<Uuid, String>, StoreError> {
    let rows: Vec<(Uuid, String)> =
        with_conn!(conn, c => sqlx::query_as("select id, name from room").fetch_all(c).await)?;
    Ok(rows.into_iter().collect())
}

/// Returns the topics of the unread notifications that were created after `since`, each with its account.
pub async fn unread_topics(conn: Conn<'_>, since: Timestamp) -> Result<HashSet<(Uuid, String)>, StoreError> {
    let rows: Vec<(Uuid, String)> = with_conn!(conn, c => sqlx::query_as(
        "select account_id, topic from notification
          where topic is not null and read_at is null and created_at > $1")
        .bind(since.millis()).fetch_all(c).await)?;
    Ok(rows.into_iter().collect())
}
