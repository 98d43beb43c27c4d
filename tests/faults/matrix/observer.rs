//! Observers outside the program: triggers record what is public in a table without constraints and
//! notify a listener that uses the real clock.

use super::cluster::{Cluster, now};
use domain::Timestamp;
use sqlx::{AssertSqlSafe, Connection as _, SqliteConnection, postgres::PgListener};
use std::{collections::BTreeMap, fmt, time::Duration};
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
pub async fn install(cluster: &Cluster, data: &str) {
    match &cluster.database {
        Some(_) => drop(sqlx::raw_sql(POSTGRES).execute(cluster.pool()).await.unwrap()),
        None => {
            let mut connection = SqliteConnection::connect(&cluster.sqlite_file(data)).await.unwrap();
            sqlx::raw_sql(SQLITE).execute(&mut connection).await.unwrap();
            connection.close().await.unwrap();
        }
    }
}

/// Returns the recorded changes by article, in order.
pub async fn changes(cluster: &Cluster, data: &str) -> BTreeMap<String, Vec<Change>> {
    let rows: Vec<(String, Option<String>, i64, i64)> = match &cluster.database {
        Some(_) => {
            let all = "select article, now, at, tx from observation order by number";
            sqlx::query_as(all).fetch_all(cluster.pool()).await.unwrap()
        }
        None => {
            let mut connection = SqliteConnection::connect(&cluster.sqlite_file(data)).await.unwrap();
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

/// Returns the public text of each article from PostgreSQL.
pub async fn public_texts(cluster: &Cluster) -> Vec<(Uuid, String)> {
    let all = "select a.id, r.body from article a join revision r on r.id = a.published_revision_id";
    sqlx::query_as(all).fetch_all(cluster.pool()).await.unwrap()
}

/// Returns the number that a query returns.
pub async fn count(cluster: &Cluster, data: &str, query: &str) -> i64 {
    let query = AssertSqlSafe(query.to_owned());
    match &cluster.database {
        Some(_) => sqlx::query_scalar(query).fetch_one(cluster.pool()).await.unwrap(),
        None => {
            let mut connection = SqliteConnection::connect(&cluster.sqlite_file(data)).await.unwrap();
            sqlx::query_scalar(query).fetch_one(&mut connection).await.unwrap()
        }
    }
}

/// Runs statements directly and returns the number of changed rows.
pub async fn execute(cluster: &Cluster, data: &str, statements: &str) -> u64 {
    let query = AssertSqlSafe(statements.to_owned());
    match &cluster.database {
        Some(_) => sqlx::raw_sql(query).execute(cluster.pool()).await.unwrap().rows_affected(),
        None => {
            let mut connection = SqliteConnection::connect(&cluster.sqlite_file(data)).await.unwrap();
            sqlx::raw_sql(query).execute(&mut connection).await.unwrap().rows_affected()
        }
    }
}

/// Repeats a query until it returns the wanted number. False: it did not within the timeout.
pub async fn wait_for_count(
    cluster: &Cluster,
    data: &str,
    query: &str,
    wanted: i64,
    timeout: Duration,
) -> bool {
    let (mut polls, end) = (interval(Duration::from_millis(200)), Instant::now() + timeout);
    while Instant::now() < end {
        // The database sends no notification for this.
        polls.tick().await;
        if count(cluster, data, query).await == wanted {
            return true;
        }
    }
    false
}

/// Counts scheduled tasks without the engine's canary.
pub const COUNT_SCHEDULED: &str =
    "select count(*) from task where state = 'scheduled' and kind <> 'engine.canary'";

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

/// Results of one run.
#[derive(Debug, Default)]
pub struct Results {
    pub scheduled: usize,
    pub lost: usize,
    pub double: usize,
    pub early: usize,
    pub wrong: usize,
    /// Time from the due time to the publication in milliseconds.
    pub lateness_ms: Vec<i64>,
    /// Details of the first violations.
    pub samples: Vec<String>,
}

impl Results {
    /// Adds an item that must be published once, not before `due`; `None`: it must not be
    /// published.
    pub fn add(&mut self, name: &str, due: Option<Timestamp>, times: &[Timestamp]) {
        self.scheduled += 1;
        let before = self.violations();
        match (due, times.first()) {
            (Some(_), None) => self.lost += 1,
            (None, Some(_)) => self.wrong += 1,
            (Some(due), Some(first)) => {
                self.early += usize::from(*first < due);
                self.double += usize::from(times.len() > 1);
                self.lateness_ms.push(first.since(due));
            }
            (None, None) => {}
        }
        if self.violations() > before {
            self.sample(format!("{name}: due {due:?}, published at {times:?}"));
        }
    }

    /// Adds another violation.
    pub fn add_wrong(&mut self, what: String) {
        self.wrong += 1;
        self.sample(what);
    }

    fn sample(&mut self, what: String) {
        if self.samples.len() < 5 {
            self.samples.push(what);
        }
    }

    /// Returns the number of violations.
    pub fn violations(&self) -> usize {
        self.lost + self.double + self.early + self.wrong
    }

    /// Returns the maximum lateness in milliseconds.
    pub fn max_lateness_ms(&self) -> i64 {
        self.lateness_ms.iter().copied().max().unwrap_or(0)
    }
}

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lateness = self.lateness_ms.clone();
        lateness.sort_unstable();
        let quantile = |per_mille: usize| {
            let index = (lateness.len() * per_mille / 1_000).min(lateness.len().saturating_sub(1));
            lateness.get(index).copied().unwrap_or(0)
        };
        let Self { scheduled, lost, double, early, wrong, .. } = self;
        write!(f, "{scheduled} scheduled, lost {lost}, double {double}, early {early}, wrong {wrong}")?;
        write!(f, "; lateness p50 {} p99 {} max {} ms", quantile(500), quantile(990), quantile(1_000))?;
        self.samples.iter().try_for_each(|sample| write!(f, "\n    {sample}"))
    }
}
