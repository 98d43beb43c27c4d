//! Events of calendar files as they were imported last.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use domain::Timestamp;
use uuid::Uuid;

row! {
    /// An event as it was imported last.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ImportedEventRow {
        /// Digest of its UID and recurrence id.
        pub id: Uuid,
        /// Digest of its UID alone.
        pub of_id: Uuid,
        /// `meeting` or `series`.
        pub kind: String,
        /// What it became.
        pub target_id: Uuid,
        /// Its SEQUENCE.
        pub sequence: i32,
        /// Digest of what is imported.
        pub content: String,
        /// Digest of its attendees; `None`: they were left out.
        pub people: Option<String>,
    }
}

macro_rules! select {
    ($is_wanted:literal) => {
        concat!(
            "select id, of_id, kind, target_id, sequence, content, people from imported_event where ",
            $is_wanted,
            " order by id"
        )
    };
}

/// Returns these events, by id.
pub async fn load(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<ImportedEventRow>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(select!("id in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(ids.iter().map(Uuid::as_simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => sqlx::query_as(select!("id = any($1)")).bind(ids).fetch_all(c).await?,
    })
}

/// Returns an event and the times of it that are events of their own, by id.
pub async fn load_all_of(conn: Conn<'_>, of_id: Uuid) -> Result<Vec<ImportedEventRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(select!("of_id = $1")).bind(of_id).fetch_all(c).await)?)
}

/// Stores events, or what they are now.
pub async fn store(conn: Conn<'_>, all: &[ImportedEventRow], at: Timestamp) -> Result<(), StoreError> {
    macro_rules! upsert {
        ($rows:expr) => {
            concat!(
                "insert into imported_event (id, of_id, kind, target_id, sequence, content, people, imported_at)
                 select e.id, e.of_id, e.kind, e.target_id, e.sequence, e.content, e.people, $2 from ",
                $rows,
                " where true
                 on conflict (id) do update
                    set kind = excluded.kind, target_id = excluded.target_id, sequence = excluded.sequence,
                        content = excluded.content, people = excluded.people, imported_at = excluded.imported_at"
            )
        };
    }
    if all.is_empty() {
        return Ok(());
    }
    let rows = encode(all.iter().map(|one| {
        serde_json::json!({
            "id": one.id.simple(), "of_id": one.of_id.simple(), "kind": one.kind, "target_id": one.target_id.simple(),
            "sequence": one.sequence, "content": one.content, "people": one.people,
        })
    }))?;
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(upsert!(
                "(select unhex(value ->> 'id') as id, unhex(value ->> 'of_id') as of_id, value ->> 'kind' as kind,
                         unhex(value ->> 'target_id') as target_id, value ->> 'sequence' as sequence,
                         value ->> 'content' as content, value ->> 'people' as people
                    from jsonb_each($1)) as e"
            ))
            .bind(rows)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(upsert!(
                "json_to_recordset($1::json) as e
                     (id uuid, of_id uuid, kind text, target_id uuid, sequence integer, content text, people text)"
            ))
            .bind(rows)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

/// Returns a series and those that continue it.
pub async fn parts(conn: Conn<'_>, series: Uuid) -> Result<Vec<Uuid>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "with recursive part (id) as (
             select id from series where id = $1
              union
             select s.id from series s join part p on s.split_from = p.id
         )
         select id from part order by id")
        .bind(series).fetch_all(c).await)?)
}

/// Returns the meeting that takes place at this local time by the rule of a series, or of one that
/// continues it. `None`: it is not booked.
pub async fn find_occurrence(
    conn: Conn<'_>,
    series: Uuid,
    original_local: &str,
) -> Result<Option<Uuid>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "with recursive part (id) as (
             select id from series where id = $1
              union
             select s.id from series s join part p on s.split_from = p.id
         )
         select m.id
           from meeting m
           join part p on p.id = m.series_id
          where m.original_local = $2
          order by m.id
          limit 1")
        .bind(series).bind(original_local).fetch_optional(c).await)?)
}
