//! Where a database lies: by it a raw copy is told from the original, and holds its messages as a restored backup does.

use crate::{Conn, Store, StoreError, Who, restore::HELD, setting, takeover::timeline_id};
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
/// The setting: which desk this is. A copy is another one.
const DESK: &str = "desk_id";

/// The file that the address of a database names; `None`: it names a server. Nothing is opened.
#[must_use]
pub fn file_of(url: &str) -> Option<PathBuf> {
    let file = SqliteConnectOptions::from_str(url).ok().filter(|_| url.starts_with("sqlite:"))?;
    Some(file.get_filename().to_path_buf())
}

/// Compares where the database lies with where it lay when a node last started on it, and notes it. True: it is a copy that was
/// made past this program, by copying files or by a dump; from now on its messages are held, until [`crate::restore::confirm`].
/// The first start on a database notes its place and holds nothing.
pub async fn settle(store: &Store, now: Timestamp) -> Result<bool, StoreError> {
    let Some(here) = find(store).await? else { return Ok(false) };
    let mut tx = store.begin(Who::Engine).await?;
    let there = setting::find(tx.conn(), PLACE).await?;
    let is_copy = there.as_deref().is_some_and(|there| is_elsewhere(there, &here));
    if there.as_deref() == Some(here.as_str()) {
        return Ok(false);
    }
    setting::put(tx.conn(), PLACE, &here).await?;
    if is_copy {
        setting::put(tx.conn(), DESK, &Uuid::new_v4().to_string()).await?;
    }
    // A restored backup comes from elsewhere, too: it is held already.
    let is_news = is_copy && setting::find(tx.conn(), HELD).await?.is_none();
    if is_news {
        setting::put(tx.conn(), HELD, &now.millis().to_string()).await?;
    }
    tx.commit().await?;
    Ok(is_news)
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
