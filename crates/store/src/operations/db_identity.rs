//! Identity of a database: its location and its last event. A raw copy and a restored older state
//! are recognized by it. Their deliveries are held, as after a restored backup.

use crate::{
    Conn, PoolRole, Store, StoreError, db::with_conn, delivery_hold::DELIVERY_HOLD, pg::timeline_id, setting,
};
use domain::Timestamp;
use sqlx::sqlite::SqliteConnectOptions;
use std::{
    fs,
    path::{Path, PathBuf},
    str::FromStr as _,
    time::UNIX_EPOCH,
};
use uuid::Uuid;

/// Setting: location of the database when a node last started on it.
const LOCATION_SETTING: &str = "database_location";
/// Setting: id of this installation. A copy gets a new one, and so does a database that continues
/// from an older state.
const DESK_ID_SETTING: &str = "desk_id";

/// Returns the file of a database URL; `None`: the URL names a server. Nothing is opened.
#[must_use]
pub fn file_of(url: &str) -> Option<PathBuf> {
    let file = SqliteConnectOptions::from_str(url).ok().filter(|_| url.starts_with("sqlite:"))?;
    Some(file.get_filename().to_path_buf())
}

/// Position in the event log of an installation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogPosition {
    /// Id of the installation.
    pub desk_id: Uuid,
    /// Last sequence number; 0: the log was empty.
    pub seq: i64,
}

/// How a database was changed, outside this program, since a node last started on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdentityChange {
    /// A copy of the files, or a restored dump.
    Copy,
    /// An older state was restored.
    Older,
}

/// Compares the location with that of the last start, and the event log with the position that this
/// node remembers as `before`. Stores the new location. Returns a change that was not known yet:
/// from now on deliveries are held, until [`crate::delivery_hold::release_delivery_hold`]. The first
/// start on a database stores its location and holds nothing.
pub async fn check(
    store: &Store,
    now: Timestamp,
    before: Option<LogPosition>,
) -> Result<Option<IdentityChange>, StoreError> {
    let here = find_location(store).await?;
    let mut tx = store.begin(PoolRole::Engine).await?;
    let there = setting::find(tx.conn(), LOCATION_SETTING).await?;
    let is_copy = matches!((&there, &here), (Some(there), Some(here)) if is_different_location(there, here));
    let desk = find_desk_id(tx.conn()).await?;
    let seq = last_seq(tx.conn()).await?;
    let is_older = before.is_some_and(|before| desk == Some(before.desk_id) && seq < before.seq);
    if let Some(here) = here.filter(|here| there.as_ref() != Some(here)) {
        setting::put(tx.conn(), LOCATION_SETTING, &here).await?;
    }
    // A restored backup has another location and is older, too: its deliveries are held already.
    let change = if is_copy { Some(IdentityChange::Copy) } else { is_older.then_some(IdentityChange::Older) };
    if change.is_some() {
        regenerate(tx.conn()).await?;
    }
    let reported = match change {
        Some(change) if setting::find(tx.conn(), DELIVERY_HOLD).await?.is_none() => {
            setting::put(tx.conn(), DELIVERY_HOLD, &now.millis().to_string()).await?;
            Some(change)
        }
        _ => None,
    };
    tx.commit().await?;
    Ok(reported)
}

/// Gives the database a new id: positions that nodes remember of it no longer apply.
pub(crate) async fn regenerate(conn: Conn<'_>) -> Result<(), StoreError> {
    setting::put(conn, DESK_ID_SETTING, &Uuid::new_v4().to_string()).await
}

/// Returns the current position in the event log.
pub async fn log_position(store: &Store) -> Result<LogPosition, StoreError> {
    let desk_id = desk_id(store).await?;
    let seq = last_seq(store.read(PoolRole::Engine).await?.conn()).await?;
    Ok(LogPosition { desk_id, seq })
}

async fn last_seq(conn: Conn<'_>) -> Result<i64, StoreError> {
    let last = "select coalesce(max(seq), 0) from event";
    Ok(with_conn!(conn, c => sqlx::query_scalar(last).fetch_one(c).await)?)
}

/// Returns the id of the installation; creates it on the first call.
pub async fn desk_id(store: &Store) -> Result<Uuid, StoreError> {
    if let Some(known) = find_desk_id(store.read(PoolRole::Engine).await?.conn()).await? {
        return Ok(known);
    }
    let mut tx = store.begin(PoolRole::Dispatcher).await?;
    let desk = setting::put_if_absent(tx.conn(), DESK_ID_SETTING, &Uuid::new_v4().to_string()).await?;
    tx.commit().await?;
    desk.parse().map_err(|_| StoreError::Corrupt(format!("{desk:?} is not the id of an installation")))
}

/// Returns the id of the installation; `None`: not created yet.
pub async fn find_desk_id(conn: Conn<'_>) -> Result<Option<Uuid>, StoreError> {
    Ok(setting::find(conn, DESK_ID_SETTING).await?.and_then(|desk| desk.parse().ok()))
}

/// Returns the location as text that only [`is_different_location`] parses; `None`: it cannot be determined.
async fn find_location(store: &Store) -> Result<Option<String>, StoreError> {
    let mut conn = store.read(PoolRole::Engine).await?;
    match conn.conn() {
        Conn::Sqlite(c) => {
            let file: String =
                sqlx::query_scalar("select file from pragma_database_list where name = 'main'")
                    .fetch_one(c)
                    .await?;
            Ok(file_location(Path::new(&file)))
        }
        Conn::Postgres(c) => {
            // Without the privilege to read this, the check is skipped.
            let known: Result<(String, i64, i32), _> = sqlx::query_as(concat!(
                "select s.system_identifier::text, d.oid::bigint, ",
                timeline_id!(),
                " from pg_control_system() s, pg_database d
                  where d.datname = current_database()",
            ))
            .fetch_one(&mut *c)
            .await;
            let Ok((server, database, timeline)) = known else { return Ok(None) };
            // Written once, when the server was created: a copy of its files has a later time.
            let created: Result<String, _> =
                sqlx::query_scalar("select extract(epoch from (pg_stat_file('PG_VERSION')).change)::text")
                    .fetch_one(c)
                    .await;
            Ok(Some(format!("{server} {database} {} {timeline}", created.unwrap_or_else(|_| "-".to_owned()))))
        }
    }
}

/// Identifies a file by number and creation time: a copy differs, a file moved on its disk does
/// not.
fn file_location(path: &Path) -> Option<String> {
    let metadata = fs::metadata(path).ok()?;
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(&metadata);
    #[cfg(not(unix))]
    let number = 0;
    let created = metadata.created().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let created = created.map_or_else(|| "-".to_owned(), |at| at.as_nanos().to_string());
    Some(format!("file {number} {created} 0"))
}

/// Whether two locations differ. A promoted standby (failover) continues the database of its
/// primary: it is no copy, though its files are.
fn is_different_location(there: &str, here: &str) -> bool {
    let (there, here): (Vec<&str>, Vec<&str>) = (there.split(' ').collect(), here.split(' ').collect());
    let ([server, database, created, timeline], [server_now, database_now, created_now, timeline_now]) =
        (&there[..], &here[..])
    else {
        return false;
    };
    let knows_both = *created != "-" && *created_now != "-";
    (server, database) != (server_now, database_now)
        || (knows_both && created != created_now && timeline == timeline_now)
}

#[cfg(test)]
mod tests {
    use super::is_different_location;

    #[test]
    fn a_copy_differs_from_a_failover_and_from_an_unknown_location() {
        let there = "7301 16384 100.5 1";
        for (here, is_copy) in [
            (there, false),
            ("7302 16384 100.5 1", true),
            ("7301 16385 100.5 1", true),
            ("7301 16384 200.5 1", true),
            ("7301 16384 200.5 2", false),
            ("7301 16384 - 1", false),
            ("file 5 100 0", true),
            ("unreadable", false),
        ] {
            assert_eq!(is_different_location(there, here), is_copy, "{here}");
        }
    }
}
