//! Where a database lies, and how far its log has come: by it a raw copy, and a state that was put back, are told from the desk as it
//! was, and hold their messages as a restored backup does.

use crate::{Conn, Store, StoreError, Who, db::on, restore::HELD, setting, takeover::timeline_id};
use domain::Timestamp;
use sqlx::sqlite::SqliteConnectOptions;
use std::{
    fs,
    path::{Path, PathBuf},
    str::FromStr as _,
    time::UNIX_EPOCH,
};
use uuid::Uuid;

/// The setting: where the database lay when a node last started on it.
const PLACE: &str = "place";
/// The setting: which desk this is. A copy is another one, and so is one that went on from a former state.
const DESK: &str = "desk_id";

/// The file that the address of a database names; `None`: it names a server. Nothing is opened.
#[must_use]
pub fn file_of(url: &str) -> Option<PathBuf> {
    let file = SqliteConnectOptions::from_str(url).ok().filter(|_| url.starts_with("sqlite:"))?;
    Some(file.get_filename().to_path_buf())
}

/// How far a desk's log had come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reached {
    /// Which desk.
    pub desk: Uuid,
    /// Its last line; 0: there was none.
    pub seq: i64,
}

/// What a database has become since a node last started on it, past this program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Become {
    /// A copy, by copying files or by a dump.
    Copy,
    /// Older: a former state was put back.
    Older,
}

/// Compares where the database lies with where it lay when a node last started on it, and how far it has come with what this node
/// remembers; notes its place. What has become of it then is news: from now on its messages are held, until [`crate::restore::confirm`].
/// The first start on a database notes its place and holds nothing.
pub async fn settle(
    store: &Store,
    now: Timestamp,
    before: Option<Reached>,
) -> Result<Option<Become>, StoreError> {
    let here = find(store).await?;
    let mut tx = store.begin(Who::Engine).await?;
    let there = setting::find(tx.conn(), PLACE).await?;
    let is_copy = matches!((&there, &here), (Some(there), Some(here)) if is_elsewhere(there, here));
    let desk = known_desk(tx.conn()).await?;
    let seq = last_line(tx.conn()).await?;
    let is_older = before.is_some_and(|before| desk == Some(before.desk) && seq < before.seq);
    if let Some(here) = here.filter(|here| there.as_ref() != Some(here)) {
        setting::put(tx.conn(), PLACE, &here).await?;
    }
    // A restored backup comes from elsewhere and is older, too: it is held already.
    let has_become = if is_copy { Some(Become::Copy) } else { is_older.then_some(Become::Older) };
    if has_become.is_some() {
        renew(tx.conn()).await?;
    }
    let news = match has_become {
        Some(news) if setting::find(tx.conn(), HELD).await?.is_none() => {
            setting::put(tx.conn(), HELD, &now.millis().to_string()).await?;
            Some(news)
        }
        _ => None,
    };
    tx.commit().await?;
    Ok(news)
}

/// From now on it is another desk: what nodes remember of it is not what it was any more.
pub(crate) async fn renew(conn: Conn<'_>) -> Result<(), StoreError> {
    setting::put(conn, DESK, &Uuid::new_v4().to_string()).await
}

/// How far the log has come.
pub async fn reached(store: &Store) -> Result<Reached, StoreError> {
    let desk = desk(store).await?;
    let seq = last_line(store.read(Who::Engine).await?.conn()).await?;
    Ok(Reached { desk, seq })
}

async fn last_line(conn: Conn<'_>) -> Result<i64, StoreError> {
    let last = "select coalesce(max(seq), 0) from event";
    Ok(on!(conn, c => sqlx::query_scalar(last).fetch_one(c).await)?)
}

/// Which desk this is; from now on, if nobody has asked yet.
pub async fn desk(store: &Store) -> Result<Uuid, StoreError> {
    if let Some(known) = known_desk(store.read(Who::Engine).await?.conn()).await? {
        return Ok(known);
    }
    let mut tx = store.begin(Who::Dispatch).await?;
    let desk = setting::put_first(tx.conn(), DESK, &Uuid::new_v4().to_string()).await?;
    tx.commit().await?;
    desk.parse().map_err(|_| StoreError::Corrupt(format!("{desk:?} is no number of a desk")))
}

/// The same, unless nobody has asked yet.
pub async fn known_desk(conn: Conn<'_>) -> Result<Option<Uuid>, StoreError> {
    Ok(setting::find(conn, DESK).await?.and_then(|desk| desk.parse().ok()))
}

/// The place in words that only [`is_elsewhere`] reads; `None`: it cannot be known.
async fn find(store: &Store) -> Result<Option<String>, StoreError> {
    let mut lease = store.read(Who::Engine).await?;
    match lease.conn() {
        Conn::Sqlite(c) => {
            let file: String =
                sqlx::query_scalar("select file from pragma_database_list where name = 'main'")
                    .fetch_one(c)
                    .await?;
            Ok(of_file(Path::new(&file)))
        }
        Conn::Postgres(c) => {
            // Whoever may not ask gets no guard, and no trouble either.
            let known: Result<(String, i64, i32), _> = sqlx::query_as(concat!(
                "select s.system_identifier::text, d.oid::bigint, ",
                timeline_id!(),
                " from pg_control_system() s, pg_database d
                  where d.datname = current_database()",
            ))
            .fetch_one(&mut *c)
            .await;
            let Ok((server, database, line)) = known else { return Ok(None) };
            // Written once, when the server was made: a copy of its files has a later time.
            let made: Result<String, _> =
                sqlx::query_scalar("select extract(epoch from (pg_stat_file('PG_VERSION')).change)::text")
                    .fetch_one(c)
                    .await;
            Ok(Some(format!("{server} {database} {} {line}", made.unwrap_or_else(|_| "-".to_owned()))))
        }
    }
}

/// A file and when it was made: a copy of it is another file. Moved within its disk it stays the same.
fn of_file(path: &Path) -> Option<String> {
    let about = fs::metadata(path).ok()?;
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(&about);
    #[cfg(not(unix))]
    let number = 0;
    let made = about.created().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let made = made.map_or_else(|| "-".to_owned(), |at| at.as_nanos().to_string());
    Some(format!("file {number} {made} 0"))
}

/// Whether two places are not the same. A server that has taken over from another one (a fail-over) goes on where that one
/// ended: it is no copy, though its files are.
fn is_elsewhere(there: &str, here: &str) -> bool {
    let (there, here): (Vec<&str>, Vec<&str>) = (there.split(' ').collect(), here.split(' ').collect());
    let ([server, database, made, line], [server_now, database_now, made_now, line_now]) =
        (&there[..], &here[..])
    else {
        return false;
    };
    let knows_both = *made != "-" && *made_now != "-";
    (server, database) != (server_now, database_now) || (knows_both && made != made_now && line == line_now)
}

#[cfg(test)]
mod tests {
    use super::is_elsewhere;

    #[test]
    fn a_copy_is_told_from_a_fail_over_and_from_what_cannot_be_known() {
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
            assert_eq!(is_elsewhere(there, here), is_copy, "{here}");
        }
    }
}
