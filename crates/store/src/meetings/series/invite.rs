//! Invitations to series by mail: one event with a rule for each attendee, and what was sent of it.

use super::{super::meeting::meeting_columns, OccurrenceRow};
use crate::{
    Conn, StoreError,
    json_rows::{column, encode},
    row::row,
};
use domain::{MessageId, Timestamp};
use std::collections::HashSet;
use uuid::Uuid;

row! {
    /// What was sent to an attendee of a series.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SeriesInviteRow {
        /// The series.
        pub series_id: Uuid,
        /// E-mail address.
        pub email: String,
        /// Id of the event in the attendee's calendar: that of the series that was the first.
        pub uid: Uuid,
        /// Number of the last mail.
        pub sequence: i32,
        /// Hash of what it says; empty: it cancels.
        pub content_hash: String,
        /// When the last mail about a change was sent, milliseconds; `None`: none was.
        pub changed_at: Option<i64>,
        /// Start of the next meeting as the last mail says, milliseconds; `None`: not known.
        pub mailed_starts_at: Option<i64>,
    }
}

macro_rules! by_ids {
    ($conn:expr, $ids:expr, $begin:expr, $end:expr) => {
        match $conn {
            _ if $ids.is_empty() => Vec::new(),
            Conn::Sqlite(c) => {
                sqlx::query_as(concat!($begin, "in (select unhex(value) from jsonb_each($1))", $end))
                    .bind(encode($ids.iter().map(Uuid::as_simple))?)
                    .fetch_all(c)
                    .await?
            }
            Conn::Postgres(c) => {
                sqlx::query_as(concat!($begin, "= any($1)", $end)).bind($ids).fetch_all(c).await?
            }
        }
    };
}

/// Returns the series of these meetings.
pub async fn series_of(conn: Conn<'_>, meetings: &[Uuid]) -> Result<Vec<Uuid>, StoreError> {
    let rows: Vec<(Uuid,)> = by_ids!(
        conn,
        meetings,
        "select distinct m.series_id from meeting m where m.series_id is not null and m.id ",
        ""
    );
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Returns these series, those that they continue, and those that continue them.
pub async fn related(conn: Conn<'_>, series: &[Uuid]) -> Result<Vec<Uuid>, StoreError> {
    let rows: Vec<(Uuid, Option<Uuid>)> = match conn {
        _ if series.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "with named as (select unhex(value) as id from jsonb_each($1))
                 select s.id, s.split_from from series s
                  where s.id in (select id from named) or s.split_from in (select id from named)",
            )
            .bind(encode(series.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "select s.id, s.split_from from series s where s.id = any($1) or s.split_from = any($1)",
            )
            .bind(series)
            .fetch_all(c)
            .await?
        }
    };
    let all: HashSet<Uuid> = rows.into_iter().flat_map(|(id, from)| [Some(id), from]).flatten().collect();
    let mut all: Vec<Uuid> = all.into_iter().collect();
    all.sort_unstable();
    Ok(all)
}

/// Returns all meetings of these series.
pub async fn meetings(conn: Conn<'_>, series: &[Uuid]) -> Result<Vec<OccurrenceRow>, StoreError> {
    Ok(by_ids!(
        conn,
        series,
        concat!("select ", meeting_columns!(), ", m.original_local from meeting m where m.series_id "),
        " order by m.series_id, m.original_local"
    ))
}

/// Returns which of these series get more occurrences.
pub async fn extending(conn: Conn<'_>, series: &[Uuid]) -> Result<HashSet<Uuid>, StoreError> {
    let rows: Vec<(Uuid,)> = by_ids!(
        conn,
        series,
        "select t.target_id from task t where t.kind = 'series.extend' and t.state = 'scheduled' and t.target_id ",
        ""
    );
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Returns the names of these rooms.
pub async fn room_names(conn: Conn<'_>, rooms: &[Uuid]) -> Result<Vec<(Uuid, String)>, StoreError> {
    Ok(by_ids!(conn, rooms, "select id, name from room where id ", ""))
}

/// Returns what was sent to the attendees of these series.
pub async fn sent(conn: Conn<'_>, series: &[Uuid]) -> Result<Vec<SeriesInviteRow>, StoreError> {
    Ok(by_ids!(
        conn,
        series,
        "select series_id, email, uid, sequence, content_hash, changed_at, mailed_starts_at
           from series_invite where series_id ",
        " order by series_id, email"
    ))
}

/// A mail to an attendee of a series.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentSeriesInvite {
    /// What is stored.
    pub row: SeriesInviteRow,
    /// The series that it was sent for before: the event is now that of another one.
    pub was: Option<Uuid>,
    /// The message that sends it.
    pub message: MessageId,
    /// Hash of the secret of its link, and one of its meetings; `None`: it cannot be answered.
    pub link: Option<(String, Uuid)>,
}

/// Stores what was sent, and the links.
pub async fn insert(mut conn: Conn<'_>, all: &[SentSeriesInvite], at: Timestamp) -> Result<(), StoreError> {
    delete_moved(conn.reborrow(), all).await?;
    match conn.reborrow() {
        _ if all.is_empty() => return Ok(()),
        Conn::Sqlite(c) => {
            let rows = all.iter().map(|one| {
                let row = &one.row;
                let (series, uid, message) =
                    (row.series_id.simple(), row.uid.simple(), one.message.0.simple());
                let sent = (row.sequence, &row.content_hash, message, row.changed_at, row.mailed_starts_at);
                (series, &row.email, uid, sent)
            });
            sqlx::query(
                "insert into series_invite (series_id, email, uid, sequence, content_hash, message_id, mailed_at, changed_at,
                                            mailed_starts_at)
                 select unhex(value ->> 0), value ->> 1, unhex(value ->> 2), value -> 3 ->> 0, value -> 3 ->> 1,
                        unhex(value -> 3 ->> 2), $2, value -> 3 ->> 3, value -> 3 ->> 4
                   from jsonb_each($1) where true
                     on conflict (series_id, email) do update
                    set uid = excluded.uid, sequence = excluded.sequence, content_hash = excluded.content_hash,
                        message_id = excluded.message_id, mailed_at = excluded.mailed_at,
                        changed_at = excluded.changed_at, mailed_starts_at = excluded.mailed_starts_at",
            )
            .bind(encode(rows)?)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into series_invite (series_id, email, uid, sequence, content_hash, message_id, mailed_at, changed_at,
                                            mailed_starts_at)
                 select series_id, email, uid, sequence, content_hash, message_id, $7, changed_at, mailed_starts_at
                   from unnest($1::uuid[], $2::text[], $3::uuid[], $4::integer[], $5::text[], $6::uuid[], $8::bigint[],
                               $9::bigint[])
                        as new (series_id, email, uid, sequence, content_hash, message_id, changed_at, mailed_starts_at)
                     on conflict (series_id, email) do update
                    set uid = excluded.uid, sequence = excluded.sequence, content_hash = excluded.content_hash,
                        message_id = excluded.message_id, mailed_at = excluded.mailed_at,
                        changed_at = excluded.changed_at, mailed_starts_at = excluded.mailed_starts_at",
            )
            .bind(column(all, |one| one.row.series_id))
            .bind(column(all, |one| one.row.email.as_str()))
            .bind(column(all, |one| one.row.uid))
            .bind(column(all, |one| one.row.sequence))
            .bind(column(all, |one| one.row.content_hash.as_str()))
            .bind(column(all, |one| one.message.0))
            .bind(at.millis())
            .bind(column(all, |one| one.row.changed_at))
            .bind(column(all, |one| one.row.mailed_starts_at))
            .execute(c)
            .await?;
        }
    }
    insert_links(conn, all, at).await
}

/// Deletes what was stored for the series whose events are now those of others.
async fn delete_moved(conn: Conn<'_>, all: &[SentSeriesInvite]) -> Result<(), StoreError> {
    let moved: Vec<(Uuid, &str)> =
        all.iter().filter_map(|one| Some((one.was?, one.row.email.as_str()))).collect();
    match conn {
        _ if moved.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(
                "delete from series_invite
                  where (series_id, email) in (select unhex(value ->> 0), value ->> 1 from jsonb_each($1))",
            )
            .bind(encode(moved.iter().map(|(series, email)| (series.simple(), email)))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "delete from series_invite
                  where (series_id, email) in (select * from unnest($1::uuid[], $2::text[]))",
            )
            .bind(column(&moved, |one| one.0))
            .bind(column(&moved, |one| one.1))
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

async fn insert_links(conn: Conn<'_>, all: &[SentSeriesInvite], at: Timestamp) -> Result<(), StoreError> {
    let link = |one: &'_ SentSeriesInvite| {
        let (hash, meeting) = one.link.clone()?;
        Some((hash, meeting, one.row.email.clone(), one.row.uid))
    };
    let links: Vec<(String, Uuid, String, Uuid)> = all.iter().filter_map(link).collect();
    match conn {
        _ if links.is_empty() => {}
        Conn::Sqlite(c) => {
            let rows =
                links.iter().map(|(hash, meeting, email, uid)| (hash, meeting.simple(), email, uid.simple()));
            sqlx::query(
                "insert into answer_link (secret_hash, meeting_id, email, created_at, series_uid)
                 select value ->> 0, unhex(value ->> 1), value ->> 2, $2, unhex(value ->> 3) from jsonb_each($1)",
            )
            .bind(encode(rows)?)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into answer_link (secret_hash, meeting_id, email, created_at, series_uid)
                 select secret_hash, meeting_id, email, $5, series_uid
                   from unnest($1::text[], $2::uuid[], $3::text[], $4::uuid[])
                        as new (secret_hash, meeting_id, email, series_uid)",
            )
            .bind(column(&links, |one| one.0.as_str()))
            .bind(column(&links, |one| one.1))
            .bind(column(&links, |one| one.2.as_str()))
            .bind(column(&links, |one| one.3))
            .bind(at.millis())
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

/// An answer of an attendee: meeting, address, answer, and hash of the time.
pub type GivenAnswer = (Uuid, String, String, String);

/// Stores answers of attendees; not those that were the same before.
pub async fn set_answers(conn: Conn<'_>, all: &[GivenAnswer], at: Timestamp) -> Result<(), StoreError> {
    match conn {
        _ if all.is_empty() => {}
        Conn::Sqlite(c) => {
            let rows =
                all.iter().map(|(meeting, email, answer, hash)| (meeting.simple(), email, answer, hash));
            sqlx::query(
                "update attendee set answer = e.value ->> 2, answered_at = $2, answered_hash = e.value ->> 3
                   from jsonb_each($1) e
                  where attendee.meeting_id = unhex(e.value ->> 0) and attendee.email = e.value ->> 1",
            )
            .bind(encode(rows)?)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "update attendee a set answer = e.answer, answered_at = $5, answered_hash = e.hash
                   from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) as e (meeting_id, email, answer, hash)
                  where a.meeting_id = e.meeting_id and a.email = e.email",
            )
            .bind(column(all, |one| one.0))
            .bind(column(all, |one| one.1.as_str()))
            .bind(column(all, |one| one.2.as_str()))
            .bind(column(all, |one| one.3.as_str()))
            .bind(at.millis())
            .execute(c)
            .await?;
        }
    }
    Ok(())
}
