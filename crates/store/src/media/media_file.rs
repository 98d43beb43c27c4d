//! Files that people upload: their rows. The files themselves are in the data folder.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode, like_escape::contains_pattern, row::row};
use domain::{AccountId, MediaId, Timestamp};
use uuid::Uuid;

row! {
    /// A file.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct MediaRow {
        /// Id.
        pub id: Uuid,
        /// Hash of the uploaded bytes, in hexadecimal.
        pub hash: String,
        /// Name.
        pub name: String,
        /// Ending of the file.
        pub format: String,
        /// Width in pixels; `None`: it is no picture.
        pub width: Option<i32>,
        /// Height in pixels.
        pub height: Option<i32>,
        /// Size of the stored file, bytes.
        pub bytes: i64,
        /// Alternative text.
        pub alt: String,
        /// Account that uploaded it.
        pub owner_id: Uuid,
        /// Name of that account.
        pub owner: String,
        /// Version.
        pub version: i32,
        /// When it was uploaded, milliseconds.
        pub created_at: i64,
        /// Whether its content before the last replacement is kept: 0 or 1.
        pub has_earlier: i32,
        /// Number of articles that use it in any revision.
        pub used_by: i64,
    }
}

/// A file to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMediaRow<'t> {
    /// Id.
    pub id: MediaId,
    /// Hash of the uploaded bytes, in hexadecimal.
    pub hash: &'t str,
    /// Name.
    pub name: &'t str,
    /// Ending of the file.
    pub format: &'t str,
    /// Width and height in pixels.
    pub size: Option<(u32, u32)>,
    /// Size of the stored file, bytes.
    pub bytes: u64,
    /// Its size with its smaller versions, bytes.
    pub stored_bytes: u64,
    /// Alternative text.
    pub alt: &'t str,
    /// Account that uploads it.
    pub owner: AccountId,
    /// When.
    pub at: Timestamp,
    /// Whether its bytes are not those that its hash names: it was replaced on another desk.
    pub is_replaced: bool,
}

/// Filter of the list, newest first.
#[derive(Debug, Clone, Copy)]
pub struct MediaFilter<'a> {
    /// Only files that this account uploaded or that articles use; `None`: all.
    pub viewer: Option<AccountId>,
    /// Only files whose name or alternative text contains this.
    pub search: Option<&'a str>,
    /// Only pictures.
    pub only_pictures: bool,
    /// Only older ones than this.
    pub before: Option<Uuid>,
    /// Maximum number of rows.
    pub limit: i64,
}

/// A select of [`MediaRow`]s.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "select m.id, m.hash, m.name, m.format, m.width, m.height, m.bytes, m.alt, m.owner_id,
                    coalesce(p.name, '') as owner, m.version, m.created_at,
                    case when m.earlier is null then 0 else 1 end as has_earlier,
                    (select count(distinct r.article_id)
                       from revision_media u
                       join revision r on r.id = u.revision_id
                      where u.hash = m.hash) as used_by
               from media m
               left join account p on p.id = m.owner_id
              where ",
            $rest
        )
    };
}

/// Returns one page of the list.
pub async fn page(conn: Conn<'_>, filter: MediaFilter<'_>) -> Result<Vec<MediaRow>, StoreError> {
    let pattern = filter.search.map(|search| contains_pattern(&search.to_lowercase()));
    Ok(with_conn!(conn, c => sqlx::query_as(select!(
        "($1 is null or m.owner_id = $1 or exists (select 1 from revision_media u where u.hash = m.hash))
          and ($2 is null or lower(m.name) like $2 escape '!' or lower(m.alt) like $2 escape '!')
          and ($3 is null or m.id < $3)
          and ($4 = 0 or m.width is not null)
        order by m.id desc
        limit $5"))
        .bind(filter.viewer.map(|account| account.0)).bind(pattern).bind(filter.before)
        .bind(i32::from(filter.only_pictures)).bind(filter.limit)
        .fetch_all(c).await)?)
}

/// Returns a file; `None`: it does not exist.
pub async fn find(conn: Conn<'_>, id: MediaId) -> Result<Option<MediaRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(select!("m.id = $1")).bind(id.0).fetch_optional(c).await)?)
}

/// Returns the file with this hash that the account uploaded.
pub async fn find_own(conn: Conn<'_>, owner: AccountId, hash: &str) -> Result<Option<MediaRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(select!("m.owner_id = $1 and m.hash = $2"))
        .bind(owner.0).bind(hash).fetch_optional(c).await)?)
}

/// Stores a new file.
pub async fn insert(conn: Conn<'_>, new: &NewMediaRow<'_>) -> Result<(), StoreError> {
    let side = |side: u32| i32::try_from(side).unwrap_or(i32::MAX);
    let bytes = |bytes: u64| i64::try_from(bytes).unwrap_or(i64::MAX);
    with_conn!(conn, c => sqlx::query(
        "insert into media (id, hash, name, format, width, height, bytes, stored_bytes, alt, owner_id, created_at, content)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)")
        .bind(new.id.0).bind(new.hash).bind(new.name).bind(new.format)
        .bind(new.size.map(|(width, _)| side(width))).bind(new.size.map(|(_, height)| side(height)))
        .bind(bytes(new.bytes)).bind(bytes(new.stored_bytes)).bind(new.alt).bind(new.owner.0).bind(new.at.millis())
        .bind(new.is_replaced.then_some(new.hash))
        .execute(c).await?.rows_affected());
    Ok(())
}

/// Stores many new files.
pub async fn insert_all(conn: Conn<'_>, all: &[NewMediaRow<'_>]) -> Result<(), StoreError> {
    let row = |new: &NewMediaRow<'_>| {
        serde_json::json!({
            "id": new.id.0.simple(),
            "hash": new.hash,
            "name": new.name,
            "format": new.format,
            "width": new.size.map(|(width, _)| width),
            "height": new.size.map(|(_, height)| height),
            "bytes": new.bytes,
            "stored_bytes": new.stored_bytes,
            "alt": new.alt,
            "owner": new.owner.0.simple(),
            "at": new.at.millis(),
            "content": new.is_replaced.then_some(new.hash),
        })
    };
    let rows = encode(all.iter().map(row))?;
    match conn {
        Conn::Sqlite(c) => sqlx::query(
            "insert into media (id, hash, name, format, width, height, bytes, stored_bytes, alt, owner_id, created_at,
                                content)
             select unhex(t.value ->> 'id'), t.value ->> 'hash', t.value ->> 'name', t.value ->> 'format',
                    t.value ->> 'width', t.value ->> 'height', t.value ->> 'bytes', t.value ->> 'stored_bytes',
                    t.value ->> 'alt', unhex(t.value ->> 'owner'), t.value ->> 'at', t.value ->> 'content'
               from jsonb_each($1) t",
        )
        .bind(rows)
        .execute(c)
        .await
        .map(drop)?,
        Conn::Postgres(c) => sqlx::query(
            "insert into media (id, hash, name, format, width, height, bytes, stored_bytes, alt, owner_id, created_at,
                                content)
             select t.id, t.hash, t.name, t.format, t.width, t.height, t.bytes, t.stored_bytes, t.alt, t.owner, t.at,
                    t.content
               from json_to_recordset($1::json) as t (id uuid, hash text, name text, format text, width integer,
                    height integer, bytes bigint, stored_bytes bigint, alt text, owner uuid, at bigint, content text)",
        )
        .bind(rows)
        .execute(c)
        .await
        .map(drop)?,
    }
    Ok(())
}

/// Changes the alternative text. False: the file has another version.
pub async fn set_alt(conn: Conn<'_>, id: MediaId, seen: i32, alt: &str) -> Result<bool, StoreError> {
    let changed = with_conn!(conn, c => sqlx::query(
        "update media set alt = $3, version = version + 1 where id = $1 and version = $2")
        .bind(id.0).bind(seen).bind(alt).execute(c).await?.rows_affected());
    Ok(changed > 0)
}

/// Deletes the row of a file. False: it has another version.
pub async fn delete(conn: Conn<'_>, id: MediaId, seen: i32) -> Result<bool, StoreError> {
    let deleted = with_conn!(conn, c => sqlx::query("delete from media where id = $1 and version = $2")
        .bind(id.0).bind(seen).execute(c).await?.rows_affected());
    Ok(deleted > 0)
}

/// Returns the size of all files of the desk, bytes.
pub async fn stored_bytes(conn: Conn<'_>) -> Result<i64, StoreError> {
    Ok(
        with_conn!(conn, c => sqlx::query_scalar("select cast(coalesce(sum(stored_bytes), 0) as bigint) from media")
        .fetch_one(c).await)?,
    )
}

/// Returns those of the hashes that belong to a file.
pub async fn known(conn: Conn<'_>, hashes: &[String]) -> Result<Vec<String>, StoreError> {
    Ok(match conn {
        _ if hashes.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_scalar(
                "select distinct hash from media where hash in (select value from jsonb_each($1))",
            )
            .bind(encode(hashes)?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar("select distinct hash from media where hash = any($1)")
                .bind(hashes)
                .fetch_all(c)
                .await?
        }
    })
}

/// Returns hash, ending, width and height of the files with these hashes.
pub async fn formats(
    conn: Conn<'_>,
    hashes: &[String],
) -> Result<Vec<(String, String, Option<i32>, Option<i32>)>, StoreError> {
    Ok(match conn {
        _ if hashes.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select distinct hash, format, width, height from media
                  where hash in (select value from jsonb_each($1))",
            )
            .bind(encode(hashes)?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as("select distinct hash, format, width, height from media where hash = any($1)")
                .bind(hashes)
                .fetch_all(c)
                .await?
        }
    })
}

/// Returns the next files after `after` by the folder of their content: folder, ending, width and height.
pub async fn after(
    conn: Conn<'_>,
    after: &str,
    limit: u32,
) -> Result<Vec<(String, String, Option<i32>, Option<i32>)>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select distinct coalesce(content, hash) as folder, format, width, height
           from media
          where coalesce(content, hash) > $1
          order by folder
          limit $2")
        .bind(after).bind(i64::from(limit)).fetch_all(c).await)?)
}
