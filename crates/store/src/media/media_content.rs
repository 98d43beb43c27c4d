//! Content of files that can be replaced: the hash of a file stays its address, and its bytes are in a folder of another
//! name. The content before the last change is kept.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use serde::{Deserialize, Serialize};

/// Where the bytes of a file are, and what they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MediaContent {
    /// Name of the folder: 64 hexadecimal digits, as a hash.
    pub folder: String,
    /// Ending of the file.
    pub format: String,
    /// Width in pixels; `None`: it is no picture.
    pub width: Option<i32>,
    /// Height in pixels.
    pub height: Option<i32>,
    /// Size of the stored file, bytes.
    pub bytes: i64,
    /// Its size with its smaller versions, bytes.
    pub stored_bytes: i64,
    /// Whether it is in the folder of its file but not what was uploaded first: another desk had replaced it.
    #[serde(default)]
    pub is_restored: bool,
}

/// The content of a file now and before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaContents {
    /// The content that is served.
    pub current: MediaContent,
    /// The content before the last change; `None`: it was never replaced.
    pub earlier: Option<MediaContent>,
}

row! {
    /// Columns of the contents of a file.
    struct ContentRow {
        folder: String,
        format: String,
        width: Option<i32>,
        height: Option<i32>,
        bytes: i64,
        stored_bytes: i64,
        earlier: Option<String>,
        is_restored: i32,
    }
}

/// Returns the contents of the files with this hash; `None`: there are no such files.
pub async fn find(conn: Conn<'_>, hash: &str) -> Result<Option<MediaContents>, StoreError> {
    let row: Option<ContentRow> = with_conn!(conn, c => sqlx::query_as(
        "select coalesce(content, hash) as folder, format, width, height, bytes, stored_bytes, earlier,
                case when content = hash then 1 else 0 end as is_restored
           from media
          where hash = $1
          order by id
          limit 1")
        .bind(hash).fetch_optional(c).await)?;
    let Some(row) = row else { return Ok(None) };
    let ContentRow { folder, format, width, height, bytes, stored_bytes, earlier, is_restored } = row;
    let earlier: Option<MediaContent> = match earlier {
        Some(json) => Some(
            serde_json::from_str(&json)
                .map_err(|why| StoreError::Corrupt(format!("the earlier content of {hash}: {why}")))?,
        ),
        None => None,
    };
    // The row counts both.
    let stored_bytes = stored_bytes - earlier.as_ref().map_or(0, |earlier| earlier.stored_bytes);
    let is_restored = is_restored == 1;
    let current = MediaContent { folder, format, width, height, bytes, stored_bytes, is_restored };
    Ok(Some(MediaContents { current, earlier }))
}

/// Replaces the contents of all files with this hash. Returns their number.
pub async fn put(
    conn: Conn<'_>,
    hash: &str,
    current: &MediaContent,
    earlier: &MediaContent,
) -> Result<u64, StoreError> {
    let json = serde_json::to_string(earlier)
        .map_err(|why| StoreError::Corrupt(format!("the earlier content of {hash}: {why}")))?;
    let content = Some(current.folder.as_str()).filter(|folder| *folder != hash || current.is_restored);
    Ok(with_conn!(conn, c => sqlx::query(
        "update media
            set content = $2, format = $3, width = $4, height = $5, bytes = $6, stored_bytes = $7,
                earlier_content = $8, earlier = $9, version = version + 1
          where hash = $1")
        .bind(hash).bind(content).bind(&current.format).bind(current.width).bind(current.height)
        .bind(current.bytes).bind(current.stored_bytes + earlier.stored_bytes)
        .bind(&earlier.folder).bind(json)
        .execute(c).await?.rows_affected()))
}

/// Whether the files with this hash show another content than what was uploaded first.
pub async fn is_replaced(conn: Conn<'_>, hash: &str) -> Result<bool, StoreError> {
    let found: Option<i32> = with_conn!(conn, c => sqlx::query_scalar(
        "select 1 from media where hash = $1 and content is not null limit 1")
        .bind(hash).fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// Returns the number of accounts that have a file with this hash.
pub async fn count_owners(conn: Conn<'_>, hash: &str) -> Result<i64, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar("select count(*) from media where hash = $1")
        .bind(hash).fetch_one(c).await)?)
}

/// Returns those of the folders that hold the content of a file, now or before its last change.
pub async fn used_folders(conn: Conn<'_>, folders: &[String]) -> Result<Vec<String>, StoreError> {
    Ok(match conn {
        _ if folders.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_scalar(
                "select t.value from jsonb_each($1) t
                  where exists (select 1 from media m where m.hash = t.value and m.content is null)
                     or exists (select 1 from media m where m.content = t.value)
                     or exists (select 1 from media m where m.earlier_content = t.value)",
            )
            .bind(encode(folders)?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar(
                "select t.folder from unnest($1::text[]) as t (folder)
                  where exists (select 1 from media m where m.hash = t.folder and m.content is null)
                     or exists (select 1 from media m where m.content = t.folder)
                     or exists (select 1 from media m where m.earlier_content = t.folder)",
            )
            .bind(folders)
            .fetch_all(c)
            .await?
        }
    })
}
