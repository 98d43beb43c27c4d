//! The database of one thread: one file in memory, wiped for each seed.

use crate::{model::Effect, world};
use domain::{ChannelId, clock::SystemClock};
use presstime::{channels, parts::Parts};
use queue::InProcess;
use sqlx::AssertSqlSafe;
use std::{fmt::Write as _, sync::Arc};
use store::{Conn, Options, Store, Who};
use tempfile::TempDir;
use uuid::Uuid;

/// Articles of a world.
pub const ARTICLES: usize = 3;
/// The channel of a world with deliveries.
pub const CHANNEL: Uuid = Uuid::from_u128(0xC0);
/// Who owns everything.
pub const PERSON: Uuid = Uuid::from_u128(0xA1);

/// A database.
pub struct Base {
    pub store: Store,
    /// What all nodes have in common; a way out is dear to make.
    pub parts: Parts,
    _folder: TempDir,
}

/// The article of that number.
pub fn article(number: usize) -> Uuid {
    Uuid::from_u128(0xB000 + number as u128)
}

/// The revision of an article of that number.
pub fn revision(article: usize, number: i32) -> Uuid {
    Uuid::from_u128(0xD000_0000 + ((article as u128) << 16) + number as u128)
}

impl Base {
    /// A fresh one.
    pub async fn open() -> Self {
        let memory = std::path::Path::new("/dev/shm");
        let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
        let folder = folder.expect("a temporary folder");
        let url = format!("sqlite:{}", folder.path().join("walk.db").display());
        let store = Store::open(&Options::new(url)).await.expect("it opens");
        store.migrate().await.expect("it has the schema");
        let hints = Arc::new(InProcess::new(1, Arc::new(SystemClock)));
        let parts = Parts::new(store.clone(), hints, Arc::new(SystemClock), "");
        let base = Self { store, parts, _folder: folder };
        base.run(
            "create table witness (seq integer primary key autoincrement, task blob, version integer, article blob, revision blob)",
        )
        .await;
        base
    }

    /// Runs statements, as nobody of the product would.
    pub async fn run(&self, statements: &str) {
        let mut tx = self.store.begin(Who::People).await.expect("a transaction");
        let Conn::Sqlite(c) = tx.conn() else { unreachable!("the worlds stand on SQLite") };
        sqlx::raw_sql(AssertSqlSafe(statements.to_owned())).execute(c).await.expect("they are good");
        tx.commit().await.expect("it commits");
    }

    /// Only the articles of a fresh world, and a channel if it has deliveries.
    pub async fn wipe(&self, has_channel: bool) {
        let mut text = String::from(
            "delete from witness; delete from sqlite_sequence; delete from delivery_attempt; delete from delivery;
             delete from channel; delete from event; delete from execution; delete from task; delete from revision;
             delete from article;",
        );
        for number in 0..ARTICLES {
            let (id, first) = (hex(article(number)), hex(revision(number, 1)));
            let person = hex(PERSON);
            let _ = write!(
                text,
                "insert into article (id, slug, owner_id, state, revision_id, revision, title, created_at, changed_at)
                 values (x'{id}', 'a{number}', x'{person}', 'draft', x'{first}', 1, 'A title', 0, 0);
                 insert into revision (id, article_id, number, title, body, words, author_id, saved_at)
                 values (x'{first}', x'{id}', 1, 'A title', 'A text', 2, x'{person}', 0);"
            );
        }
        if has_channel {
            let _ = write!(
                text,
                "insert into channel (id, way, name, route, events, ladder, on_ambiguous, concurrency, secret, created_at)
                 values (x'{}', 'webhook', 'A channel', '{{\"way\":\"webhook\",\"address\":\"http://nowhere\"}}',
                         'article.published article.updated article.unpublished', '1s, 1s, 1s', 'retry', 2, '{}', 0);",
                hex(CHANNEL),
                self.secret()
            );
        }
        self.run(&text).await;
    }

    /// The channel's secret, sealed.
    fn secret(&self) -> String {
        let place = channels::place(ChannelId(CHANNEL));
        self.parts.ways.vault.seal(&place, &[7; 32]).expect("it is sealed")
    }

    /// What the witness wrote after `seq`.
    pub async fn witness(&self, seq: i64) -> Vec<(i64, Effect)> {
        let rows: Vec<(i64, Uuid, i32, Uuid, Option<Uuid>)> = self
            .rows(
                sqlx::query_as(
                    "select seq, task, version, article, revision from witness where seq > $1 order by seq",
                )
                .bind(seq),
            )
            .await;
        rows.into_iter().map(world::effect).collect()
    }

    /// The rows of a query.
    pub async fn rows<'q, T>(
        &self,
        query: sqlx::query::QueryAs<'q, sqlx::Sqlite, T, sqlx::sqlite::SqliteArguments>,
    ) -> Vec<T>
    where
        T: Send + Unpin + for<'r> sqlx::FromRow<'r, sqlx::sqlite::SqliteRow>,
    {
        let mut lease = self.store.read(Who::People).await.expect("a connection");
        let Conn::Sqlite(c) = lease.conn() else { unreachable!("the worlds stand on SQLite") };
        query.fetch_all(c).await.expect("they can be read")
    }
}

/// For a literal of SQL.
pub fn hex(id: Uuid) -> String {
    id.simple().to_string()
}
