//! Observers outside the program: triggers record what is public in a table without constraints and
//! notify a listener that uses the real clock.

use crate::faults::cluster::{Cluster, now};
use domain::Timestamp;
use sqlx::{AssertSqlSafe, Connection as _, SqliteConnection, postgres::PgListener};
use std::{collections::BTreeMap, time::Duration};
use tokio::{
    sync::watch,
    task::JoinSet,
    time::{Instant, interval, timeout},
};
use uuid::Uuid;

/// A change of what is public. Changes with the same `tx` became visible together.
#[derive(Debug, Clone)]
pub struct Change {
    pub at: Timestamp,
    /// `None`: unpublished.
    pub revision: Option<String>,
    pub tx: i64,
}

const POSTGRES: &str = "
    create table observation (article text, now text, at bigint, tx bigint, number bigint generated always as identity);
    create function observation() returns trigger language plpgsql as $$
    begin
        insert into observation values (new.id::text, new.published_revision_id::text,
                                    floor(extract(epoch from clock_timestamp()) * 1000)::bigint, txid_current());
        perform pg_notify('observation', new.id::text || ' ' || coalesce(new.published_revision_id::text, ''));
        return new;
    end $$;
    create trigger observation after update of published_revision_id on article for each row execute function observation();";

// SQLite has no transaction id: each change gets its own number.
const SQLITE: &str = "
    create table observation (number integer primary key, article text, now text, at integer);
    create trigger observation after update of published_revision_id on article
    begin
        insert into observation (article, now, at)
        values (lower(hex(new.id)), lower(hex(new.published_revision_id)),
                cast(round((julianday('now') - 2440587.5) * 86400000) as integer));
    end;";

/// Installs the triggers. No node may run yet.
pub async fn install(cluster: &Cluster) {
    match &cluster.database {
        Some(_) => drop(sqlx::raw_sql(POSTGRES).execute(cluster.pool()).await.unwrap()),
        None => {
            let mut connection = SqliteConnection::connect(&cluster.sqlite_file()).await.unwrap();
            sqlx::raw_sql(SQLITE).execute(&mut connection).await.unwrap();
            connection.close().await.unwrap();
        }
    }
}

/// Returns the recorded changes by article, in order.
pub async fn changes(cluster: &Cluster) -> BTreeMap<String, Vec<Change>> {
    let rows: Vec<(String, Option<String>, i64, i64)> = match &cluster.database {
        Some(_) => {
            let all = "select article, now, at, tx from observation order by number";
            sqlx::query_as(all).fetch_all(cluster.pool()).await.unwrap()
        }
        None => {
            let mut connection = SqliteConnection::connect(&cluster.sqlite_file()).await.unwrap();
            let all = "select article, nullif(now, ''), at, number from observation order by number";
            sqlx::query_as(all).fetch_all(&mut connection).await.unwrap()
        }
    };
    let mut changes = BTreeMap::<String, Vec<Change>>::new();
    for (article, revision, at, tx) in rows {
        // Ids in SQLite have no dashes.
        let article = Uuid::parse_str(&article).unwrap().to_string();
        changes.entry(article).or_default().push(Change { at: at.into(), revision, tx });
    }
    changes
}

/// Returns when each article was published, once for each publication.
pub async fn publications(cluster: &Cluster) -> BTreeMap<String, Vec<Timestamp>> {
    let mut publications = BTreeMap::new();
    for (article, changes) in changes(cluster).await {
        let times: Vec<_> =
            changes.into_iter().filter(|change| change.revision.is_some()).map(|change| change.at).collect();
        if !times.is_empty() {
            publications.insert(article, times);
        }
    }
    publications
}

/// Returns the public text of each article from PostgreSQL.
pub async fn public_texts(cluster: &Cluster) -> Vec<(Uuid, String)> {
    let all = "select a.id, r.body from article a join revision r on r.id = a.published_revision_id";
    sqlx::query_as(all).fetch_all(cluster.pool()).await.unwrap()
}

/// Returns the number that a query returns.
pub async fn count(cluster: &Cluster, query: &str) -> i64 {
    let query = AssertSqlSafe(query.to_owned());
    match &cluster.database {
        Some(_) => sqlx::query_scalar(query).fetch_one(cluster.pool()).await.unwrap(),
        None => {
            let mut connection = SqliteConnection::connect(&cluster.sqlite_file()).await.unwrap();
            sqlx::query_scalar(query).fetch_one(&mut connection).await.unwrap()
        }
    }
}

/// Runs statements directly.
pub async fn execute(cluster: &Cluster, statements: &str) {
    try_execute(cluster, statements).await.unwrap();
}

/// Runs statements directly; an error if the database refuses them.
pub async fn try_execute(cluster: &Cluster, statements: &str) -> sqlx::Result<()> {
    let query = sqlx::raw_sql(AssertSqlSafe(statements.to_owned()));
    match &cluster.database {
        Some(_) => query.execute(cluster.pool()).await.map(drop),
        None => {
            let mut connection = SqliteConnection::connect(&cluster.sqlite_file()).await?;
            query.execute(&mut connection).await.map(drop)
        }
    }
}

/// Repeats a query until it returns the wanted number. False: the number has not changed for
/// `limit`, or is still another one after ten times that: a busy computer takes longer.
pub async fn wait_for_count(cluster: &Cluster, query: &str, wanted: i64, limit: Duration) -> bool {
    let (began, mut polls) = (Instant::now(), interval(Duration::from_millis(200)));
    let mut last = (None, began);
    while last.1.elapsed() < limit && began.elapsed() < 10 * limit {
        // The database sends no notification for this.
        polls.tick().await;
        let found = count(cluster, query).await;
        if found == wanted {
            return true;
        }
        if last.0 != Some(found) {
            last = (Some(found), Instant::now());
        }
    }
    false
}

/// Counts scheduled tasks without the engine's canary.
pub const COUNT_SCHEDULED: &str =
    "select count(*) from task where state = 'scheduled' and kind <> 'engine.canary'";

/// Returns how many tasks that were due in this period were executed from hints.
pub async fn count_by_hints(cluster: &Cluster, since: Timestamp, until: Timestamp) -> i64 {
    let (since, until) = (since.millis(), until.millis());
    let executed = "select count(*) from execution where popped_at is not null";
    count(cluster, &format!("{executed} and due_at >= {since} and due_at < {until}")).await
}

/// Timeout for the notification of a commit.
const NOTIFY_TIMEOUT: Duration = Duration::from_secs(5);

/// Listens to publications and records each with the real time: it was public by then.
pub struct Listener {
    publications: watch::Receiver<Vec<(String, Timestamp)>>,
    _listening: JoinSet<()>,
}

impl Listener {
    /// Starts to listen to PostgreSQL's notifications.
    pub async fn open(cluster: &Cluster) -> Self {
        let url = cluster.database.as_deref().expect("PostgreSQL");
        let mut listener = PgListener::connect(url).await.unwrap();
        listener.listen("observation").await.unwrap();
        let ((sender, publications), mut listening) = (watch::channel(Vec::new()), JoinSet::new());
        listening.spawn(async move {
            while let Ok(notification) = listener.recv().await {
                if let Some((article, revision)) = notification.payload().split_once(' ')
                    && !revision.is_empty()
                {
                    sender.send_modify(|all| all.push((article.to_owned(), now())));
                }
            }
        });
        Self { publications, _listening: listening }
    }

    /// Waits for this number of publications, at most for the notification timeout.
    pub async fn wait_for(&self, count: usize) {
        let mut publications = self.publications.clone();
        let all = publications.wait_for(|all| all.len() >= count);
        // The results report what is missing.
        drop(timeout(NOTIFY_TIMEOUT, all).await);
    }

    /// Returns when each article was published, once for each publication.
    pub fn publications(&self) -> BTreeMap<String, Vec<Timestamp>> {
        let mut by_article = BTreeMap::<String, Vec<Timestamp>>::new();
        for (article, at) in self.publications.borrow().iter() {
            by_article.entry(article.clone()).or_default().push(*at);
        }
        by_article
    }
}
