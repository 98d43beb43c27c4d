//! Signals that the desk sends itself about articles and meetings, for the rules that listen to them.
//!
//! The transaction of the change stores the signal and a task that sends it. So a rule can neither
//! delay a publication nor make it fail, and no signal is lost.

use crate::{
    Conn, StoreError, Tx,
    db::with_conn,
    event::NewEvent,
    json_rows::{column, encode},
    meeting_outbox::MeetingMessage,
    outbox::Message,
    row::row,
    task::{self, NewTaskRow},
};
use domain::{
    AccountId, Hint, Priority, TaskId, Timestamp, Version, channel::ChannelEvent, kind::MANAGED_GRACE_MS,
};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// Word of the kind of the tasks that send these signals.
pub const KIND: &str = "signal.send";

row! {
    /// A signal of the desk.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct DeskSignal {
        /// Its id.
        pub id: Uuid,
        /// Its name, e.g. `article.published`.
        pub name: String,
        /// Id of the article or meeting.
        pub subject: String,
        /// When it happened, milliseconds.
        pub at: i64,
        /// A JSON object.
        pub data: String,
        /// Title of its task.
        pub title: String,
        /// Owner of the article, organizer of the meeting.
        pub owner_id: Uuid,
    }
}

/// Stores the signals about these changes that a rule listens to, and their tasks. Returns the hints
/// of the tasks, to be published after the commit, and the events, which must be written last. Without
/// such a rule this is one query, without changes none.
pub async fn emit(
    tx: &mut Tx,
    articles: &[Message],
    meetings: &[MeetingMessage],
    at: Timestamp,
) -> Result<(Vec<Hint>, Vec<NewEvent>), StoreError> {
    let names = articles.iter().map(|one| one.event).chain(meetings.iter().map(|one| one.event));
    let names: HashSet<&str> = names.map(ChannelEvent::as_str).collect();
    if names.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    let heard = listened_to(tx.conn(), &names).await?;
    let is_heard = |event: ChannelEvent| heard.contains(event.as_str());
    let articles: Vec<(Uuid, ChannelEvent)> =
        articles.iter().filter(|one| is_heard(one.event)).map(|one| (one.article, one.event)).collect();
    let meetings: Vec<&MeetingMessage> = meetings.iter().filter(|one| is_heard(one.event)).collect();
    let mut new = of_articles(tx.conn(), &articles, at).await?;
    new.extend(of_meetings(tx.conn(), &meetings, at).await?);
    if new.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    insert(tx.conn(), &new).await?;
    let tasks: Vec<NewTaskRow> = new.iter().map(|signal| task_of(signal, at)).collect();
    task::insert(tx.conn(), &tasks, at, &[]).await?;
    let scheduled = |task: &NewTaskRow| NewEvent {
        to_state: Some("scheduled"),
        version: Some(Version::FIRST.0),
        detail: json!({"due_at": task.due_at}).to_string(),
        ..NewEvent::simple(at, None, "task", task.id.0, "schedule")
    };
    Ok((tasks.iter().map(NewTaskRow::hint).collect(), tasks.iter().map(scheduled).collect()))
}

fn task_of(signal: &DeskSignal, at: Timestamp) -> NewTaskRow {
    NewTaskRow {
        id: TaskId::generate(),
        kind: KIND,
        grace_ms: MANAGED_GRACE_MS,
        unique_key: None,
        priority: Priority::Normal,
        // This node may not know how many buckets there are.
        bucket: 0,
        target_id: signal.id,
        revision_id: None,
        due_at: at,
        local_time: None,
        time_zone: None,
        request_id: None,
        owner: AccountId(signal.owner_id),
    }
}

/// Returns which of these signals a rule listens to.
async fn listened_to(conn: Conn<'_>, names: &HashSet<&str>) -> Result<HashSet<String>, StoreError> {
    let rows: Vec<String> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_scalar(
                "select distinct name from rule_signal where name in (select value from jsonb_each($1))",
            )
            .bind(encode(names)?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar("select distinct name from rule_signal where name = any($1)")
                .bind(names.iter().copied().collect::<Vec<_>>())
                .fetch_all(c)
                .await?
        }
    };
    Ok(rows.into_iter().collect())
}

row! {
    struct ArticleRow {
        id: Uuid,
        owner_id: Uuid,
        owner: String,
        email: String,
        slug: String,
        title: String,
        published_at: Option<i64>,
    }
}

macro_rules! articles_sql {
    ($ids:literal) => {
        concat!(
            "select a.id, a.owner_id, o.name as owner, o.email, a.slug, r.title, a.published_at
               from article a
               join account o on o.id = a.owner_id
               join revision r on r.id = coalesce(a.published_revision_id, a.revision_id)
              where a.id ",
            $ids
        )
    };
}

async fn of_articles(
    conn: Conn<'_>,
    changes: &[(Uuid, ChannelEvent)],
    at: Timestamp,
) -> Result<Vec<DeskSignal>, StoreError> {
    let ids = changes.iter().map(|(id, _)| *id);
    let rows: Vec<ArticleRow> = match conn {
        _ if changes.is_empty() => return Ok(Vec::new()),
        Conn::Sqlite(c) => {
            sqlx::query_as(articles_sql!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(ids.map(|id| id.simple()))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(articles_sql!("= any($1)")).bind(ids.collect::<Vec<_>>()).fetch_all(c).await?
        }
    };
    let rows: HashMap<Uuid, ArticleRow> = rows.into_iter().map(|row| (row.id, row)).collect();
    let signal = |(id, event): &(Uuid, ChannelEvent)| {
        let row = rows.get(id)?;
        let data = json!({
            "article_id": id,
            "title": row.title,
            "slug": row.slug,
            "path": format!("/site/{}", row.slug),
            "author": row.owner,
            "author_email": row.email,
            "published_at": row.published_at.map(Timestamp::from_millis),
        });
        Some(signal_of(*event, (*id, &row.title), data, (row.owner_id, at)))
    };
    Ok(changes.iter().filter_map(signal).collect())
}

row! {
    struct MeetingRow {
        id: Uuid,
        title: String,
        starts_at: i64,
        ends_at: i64,
        time_zone: String,
        room: String,
        organizer_id: Uuid,
        organizer: String,
        email: String,
    }
}

macro_rules! meetings_sql {
    ($ids:literal) => {
        concat!(
            "select m.id, m.title, m.starts_at, m.ends_at, m.time_zone, coalesce(r.name, '') as room, m.organizer_id,
                    o.name as organizer, o.email
               from meeting m
               join account o on o.id = m.organizer_id
               left join room r on r.id = m.room_id
              where m.id ",
            $ids
        )
    };
}

async fn of_meetings(
    conn: Conn<'_>,
    changes: &[&MeetingMessage],
    at: Timestamp,
) -> Result<Vec<DeskSignal>, StoreError> {
    let ids = changes.iter().map(|one| one.meeting);
    let rows: Vec<MeetingRow> = match conn {
        _ if changes.is_empty() => return Ok(Vec::new()),
        Conn::Sqlite(c) => {
            sqlx::query_as(meetings_sql!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(ids.map(|id| id.simple()))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(meetings_sql!("= any($1)")).bind(ids.collect::<Vec<_>>()).fetch_all(c).await?
        }
    };
    let rows: HashMap<Uuid, MeetingRow> = rows.into_iter().map(|row| (row.id, row)).collect();
    let signal = |one: &&MeetingMessage| {
        let row = rows.get(&one.meeting)?;
        let data = json!({
            "meeting_id": one.meeting,
            "title": row.title,
            "path": format!("/meetings/{}", one.meeting),
            "state": one.state,
            "starts_at": Timestamp::from_millis(row.starts_at),
            "ends_at": Timestamp::from_millis(row.ends_at),
            "zone": row.time_zone,
            "room": row.room,
            "organizer": row.organizer,
            "organizer_email": row.email,
        });
        Some(signal_of(one.event, (one.meeting, &row.title), data, (row.organizer_id, at)))
    };
    Ok(changes.iter().filter_map(signal).collect())
}

fn signal_of(
    event: ChannelEvent,
    (subject, title): (Uuid, &str),
    data: Value,
    (owner_id, at): (Uuid, Timestamp),
) -> DeskSignal {
    DeskSignal {
        id: TaskId::generate().0,
        name: event.as_str().to_owned(),
        subject: subject.to_string(),
        at: at.millis(),
        data: data.to_string(),
        title: format!("{event}: {title}"),
        owner_id,
    }
}

async fn insert(conn: Conn<'_>, new: &[DeskSignal]) -> Result<(), StoreError> {
    match conn {
        Conn::Sqlite(c) => {
            let rows = new.iter().map(|one| {
                (
                    one.id.simple(),
                    &one.name,
                    &one.subject,
                    one.at,
                    &one.data,
                    &one.title,
                    one.owner_id.simple(),
                )
            });
            sqlx::query(
                "insert into desk_signal (id, name, subject, at, data, title, owner_id)
                 select unhex(value ->> 0), value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
                        unhex(value ->> 6)
                   from jsonb_each($1)",
            )
            .bind(encode(rows)?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into desk_signal (id, name, subject, at, data, title, owner_id)
                 select * from unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::uuid[])",
            )
            .bind(column(new, |one| one.id))
            .bind(column(new, |one| one.name.as_str()))
            .bind(column(new, |one| one.subject.as_str()))
            .bind(column(new, |one| one.at))
            .bind(column(new, |one| one.data.as_str()))
            .bind(column(new, |one| one.title.as_str()))
            .bind(column(new, |one| one.owner_id))
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

/// Stores that signals of an account were refused, as a signal of the desk with the id and the name of the
/// account, unless that was stored after `since`. Returns whether it is new.
pub async fn note_refusal(
    conn: Conn<'_>,
    (name, account): (&str, AccountId),
    (since, now): (Timestamp, Timestamp),
) -> Result<bool, StoreError> {
    let noted = with_conn!(conn, c => sqlx::query(
        "insert into desk_signal (id, name, subject, at, data, title, owner_id)
         select id, $2, '', $3, '{}', name, id from account where id = $1
         on conflict (id) do update set at = excluded.at where desk_signal.at <= $4")
        .bind(account.0).bind(name).bind(now.millis()).bind(since.millis())
        .execute(c).await?.rows_affected());
    Ok(noted > 0)
}

/// Returns the signals with these ids.
pub async fn find(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<DeskSignal>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select id, name, subject, at, data, title, owner_id from desk_signal
                  where id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(encode(ids.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "select id, name, subject, at, data, title, owner_id from desk_signal where id = any($1)",
            )
            .bind(ids)
            .fetch_all(c)
            .await?
        }
    })
}
