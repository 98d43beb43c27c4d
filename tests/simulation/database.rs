//! The database of one thread: an SQLite file in memory, reset for each seed.

use crate::simulation::{cluster, model::Effect};
use domain::{ChannelId, clock::SystemClock};
use presstime::{app_state::AppState, senders as channels, server::hooks::HOOKS};
use queue::InProcessHints;
use sqlx::AssertSqlSafe;
use std::{fmt::Write as _, sync::Arc};
use store::{Conn, Options, PoolRole, Store};
use tempfile::TempDir;
use uuid::Uuid;

/// Number of articles in a seed.
pub const ARTICLES: usize = 3;
/// The channel of seeds with deliveries.
pub const CHANNEL: Uuid = Uuid::from_u128(0xC0);
/// Owner of all articles and tasks.
pub const OWNER: Uuid = Uuid::from_u128(0xA1);

/// A database.
pub struct Database {
    pub store: Store,
    /// What all nodes share; senders are expensive to create.
    pub app_state: AppState,
    _folder: TempDir,
}

/// Returns the id of an article.
pub fn article(number: usize) -> Uuid {
    Uuid::from_u128(0xB000 + number as u128)
}

/// Returns the id of a revision.
pub fn revision(article: usize, number: i32) -> Uuid {
    Uuid::from_u128(0xD000_0000 + ((article as u128) << 16) + number as u128)
}

impl Database {
    /// Creates a database with the schema.
    pub async fn open() -> Self {
        let memory = std::path::Path::new("/dev/shm");
        let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
        let folder = folder.expect("a temporary folder");
        let url = format!("sqlite:{}", folder.path().join("simulation.db").display());
        let store = Store::open(&Options::new(url)).await.expect("it opens");
        store.migrate().await.expect("it has the schema");
        let hints = Arc::new(InProcessHints::new(1, Arc::new(SystemClock)));
        let app_state = AppState::new(store.clone(), hints, Arc::new(SystemClock), "", &HOOKS);
        let database = Self { store, app_state, _folder: folder };
        database.run(
            "create table observation (seq integer primary key autoincrement, task blob, version integer, article blob, revision blob)",
        )
        .await;
        database
    }

    /// Runs statements directly, without the product's services.
    pub async fn run(&self, statements: &str) {
        let mut tx = self.store.begin(PoolRole::Web).await.expect("a transaction");
        let Conn::Sqlite(c) = tx.conn() else { unreachable!("the simulation runs on SQLite") };
        sqlx::raw_sql(AssertSqlSafe(statements.to_owned())).execute(c).await.expect("they are good");
        tx.commit().await.expect("it commits");
    }

    /// Deletes everything, then creates the articles, and a channel if the seed has deliveries.
    pub async fn reset(&self, has_channel: bool) {
        let mut text = String::from(
            "delete from observation; delete from sqlite_sequence; delete from delivery_attempt; delete from delivery;
             delete from channel; delete from event; delete from execution; delete from task; delete from revision;
             delete from article;",
        );
        for number in 0..ARTICLES {
            let (id, first) = (hex(article(number)), hex(revision(number, 1)));
            let person = hex(OWNER);
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
                "insert into channel (id, transport, name, endpoint, events, retry_schedule, on_unknown_outcome, concurrency, secret, created_at)
                 values (x'{}', 'webhook', 'A channel', '{{\"transport\":\"webhook\",\"url\":\"http://nowhere\"}}',
                         'article.published article.updated article.unpublished', '1s, 1s, 1s', 'retry', 2, '{}', 0);",
                hex(CHANNEL),
                self.secret()
            );
        }
        self.run(&text).await;
    }

    /// Returns the channel's encrypted secret.
    fn secret(&self) -> String {
        let context = channels::secret_context(ChannelId(CHANNEL));
        self.app_state.senders.vault.seal(&context, &[7; 32]).expect("it is sealed")
    }

    /// Returns what the observer recorded after `seq`.
    pub async fn observations(&self, seq: i64) -> Vec<(i64, Effect)> {
        let rows: Vec<(i64, Uuid, i32, Uuid, Option<Uuid>)> = self
            .rows(
                sqlx::query_as(
                    "select seq, task, version, article, revision from observation where seq > $1 order by seq",
                )
                .bind(seq),
            )
            .await;
        rows.into_iter().map(cluster::effect).collect()
    }

    /// Returns the rows of a query.
    pub async fn rows<'q, T>(
        &self,
        query: sqlx::query::QueryAs<'q, sqlx::Sqlite, T, sqlx::sqlite::SqliteArguments>,
    ) -> Vec<T>
    where
        T: Send + Unpin + for<'r> sqlx::FromRow<'r, sqlx::sqlite::SqliteRow>,
    {
        let mut lease = self.store.read(PoolRole::Web).await.expect("a connection");
        let Conn::Sqlite(c) = lease.conn() else { unreachable!("the simulation runs on SQLite") };
        query.fetch_all(c).await.expect("they can be read")
    }
}

/// Formats an id for an SQL blob literal.
pub fn hex(id: Uuid) -> String {
    id.simple().to_string()
}
