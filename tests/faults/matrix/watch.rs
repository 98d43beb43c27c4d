//! Witnesses beside the program: what is public is written down by triggers into a table without any constraint, and told at once
//! to a listener with a clock of its own; a reader of public pages sees what the public sees.

use super::hall::{Hall, now};
use domain::Timestamp;
use sqlx::{AssertSqlSafe, Connection as _, SqliteConnection, postgres::PgListener};
use std::{collections::BTreeMap, fmt, time::Duration};
use tokio::{
    sync::watch,
    task::JoinSet,
    time::{Instant, interval, timeout},
};
use uuid::Uuid;

/// What became public (or ceased to be: `None`), in the order it happened; `tx`: what one number wrote became seen at once.
#[derive(Debug, Clone)]
pub struct Seen {
    pub at: Timestamp,
    pub revision: Option<String>,
    pub tx: i64,
}

const POSTGRES: &str = "
    create table witness (article text, now text, at bigint, tx bigint, number bigint generated always as identity);
    create function witness() returns trigger language plpgsql as $$
    begin
        insert into witness values (new.id::text, new.published_revision_id::text,
                                    floor(extract(epoch from clock_timestamp()) * 1000)::bigint, txid_current());
        perform pg_notify('witness', new.id::text || ' ' || coalesce(new.published_revision_id::text, ''));
        return new;
    end $$;
    create trigger witness after update of published_revision_id on article for each row execute function witness();";

// SQLite tells of no transactions: a number stands for each change.
const SQLITE: &str = "
    create table witness (number integer primary key, article text, now text, at integer);
    create trigger witness after update of published_revision_id on article
    begin
        insert into witness (article, now, at)
        values (lower(hex(new.id)), lower(hex(new.published_revision_id)),
                cast(round((julianday('now') - 2440587.5) * 86400000) as integer));
    end;";

/// Sets the triggers where nobody runs yet.
pub async fn watch(hall: &Hall, data: &str) {
    match &hall.database {
        Some(_) => drop(sqlx::raw_sql(POSTGRES).execute(hall.past()).await.unwrap()),
        None => {
            let mut past = SqliteConnection::connect(&hall.file(data)).await.unwrap();
            sqlx::raw_sql(SQLITE).execute(&mut past).await.unwrap();
            past.close().await.unwrap();
        }
    }
}

/// What the triggers wrote, by article.
pub async fn seen(hall: &Hall, data: &str) -> BTreeMap<String, Vec<Seen>> {
    let rows: Vec<(String, Option<String>, i64, i64)> = match &hall.database {
        Some(_) => {
            let all = "select article, now, at, tx from witness order by number";
            sqlx::query_as(all).fetch_all(hall.past()).await.unwrap()
        }
        None => {
            let mut past = SqliteConnection::connect(&hall.file(data)).await.unwrap();
            let all = "select article, nullif(now, ''), at, number from witness order by number";
            sqlx::query_as(all).fetch_all(&mut past).await.unwrap()
        }
    };
    let mut seen = BTreeMap::<String, Vec<Seen>>::new();
    for (article, revision, at, tx) in rows {
        // SQLite's identities have no dashes.
        let article = Uuid::parse_str(&article).unwrap().to_string();
        seen.entry(article).or_default().push(Seen { at: at.into(), revision, tx });
    }
    seen
}

/// The text of all that is public, by article, from PostgreSQL past the program.
pub async fn texts(hall: &Hall) -> Vec<(Uuid, String)> {
    let all = "select a.id, r.body from article a join revision r on r.id = a.published_revision_id";
    sqlx::query_as(all).fetch_all(hall.past()).await.unwrap()
}

/// One number past the program.
pub async fn count(hall: &Hall, data: &str, query: &str) -> i64 {
    let query = AssertSqlSafe(query.to_owned());
    match &hall.database {
        Some(_) => sqlx::query_scalar(query).fetch_one(hall.past()).await.unwrap(),
        None => {
            let mut past = SqliteConnection::connect(&hall.file(data)).await.unwrap();
            sqlx::query_scalar(query).fetch_one(&mut past).await.unwrap()
        }
    }
}

/// Runs statements past the program; how many rows they changed.
pub async fn sql(hall: &Hall, data: &str, statements: &str) -> u64 {
    let query = AssertSqlSafe(statements.to_owned());
    match &hall.database {
        Some(_) => sqlx::raw_sql(query).execute(hall.past()).await.unwrap().rows_affected(),
        None => {
            let mut past = SqliteConnection::connect(&hall.file(data)).await.unwrap();
            sqlx::raw_sql(query).execute(&mut past).await.unwrap().rows_affected()
        }
    }
}

/// Waits until a number past the program is that one. False: it never was within the patience.
pub async fn until(hall: &Hall, data: &str, query: &str, wanted: i64, patience: Duration) -> bool {
    let (mut looks, end) = (interval(Duration::from_millis(200)), Instant::now() + patience);
    while Instant::now() < end {
        // In the database nobody tells of it: it is asked.
        looks.tick().await;
        if count(hall, data, query).await == wanted {
            return true;
        }
    }
    false
}

/// How many tasks still wait, the engine's own left out.
pub const WAITING: &str = "select count(*) from task where state = 'scheduled' and kind <> 'engine.canary'";

/// A commit is told within this.
const TOLD: Duration = Duration::from_secs(5);

/// Hears what becomes public, by this machine's clock: at the latest then it was.
pub struct Ear {
    heard: watch::Receiver<Vec<(String, Timestamp)>>,
    _listening: JoinSet<()>,
}

impl Ear {
    /// Listens at PostgreSQL from now on.
    pub async fn open(hall: &Hall) -> Self {
        let url = hall.database.as_deref().expect("PostgreSQL");
        let mut listener = PgListener::connect(url).await.unwrap();
        listener.listen("witness").await.unwrap();
        let ((book, heard), mut listening) = (watch::channel(Vec::new()), JoinSet::new());
        listening.spawn(async move {
            while let Ok(told) = listener.recv().await {
                if let Some((article, revision)) = told.payload().split_once(' ')
                    && !revision.is_empty()
                {
                    book.send_modify(|heard| heard.push((article.to_owned(), now())));
                }
            }
        });
        Self { heard, _listening: listening }
    }

    /// Waits until so many have been heard of, or for as long as it takes that a commit is told.
    pub async fn hear(&self, count: usize) {
        let mut heard = self.heard.clone();
        let all = heard.wait_for(|heard| heard.len() >= count);
        // What is missing then is for the sheet to say.
        drop(timeout(TOLD, all).await);
    }

    /// When each article went out, as often as it did.
    pub fn went_out(&self) -> BTreeMap<String, Vec<Timestamp>> {
        let mut out = BTreeMap::<String, Vec<Timestamp>>::new();
        for (article, at) in self.heard.borrow().iter() {
            out.entry(article.clone()).or_default().push(*at);
        }
        out
    }
}

/// What a run came to.
#[derive(Debug, Default)]
pub struct Sheet {
    pub planned: usize,
    pub lost: usize,
    pub double: usize,
    pub early: usize,
    pub wrong: usize,
    /// From moment to going out, milliseconds.
    pub lags: Vec<i64>,
    /// What exactly is bad, the first of it.
    pub samples: Vec<String>,
}

impl Sheet {
    /// One item that had to go out once, not before its moment (or, `None`, not at all).
    pub fn judge(&mut self, name: &str, moment: Option<Timestamp>, times: &[Timestamp]) {
        self.planned += 1;
        let before = self.bad();
        match (moment, times.first()) {
            (Some(_), None) => self.lost += 1,
            (None, Some(_)) => self.wrong += 1,
            (Some(moment), Some(first)) => {
                self.early += usize::from(*first < moment);
                self.double += usize::from(times.len() > 1);
                self.lags.push(first.since(moment));
            }
            (None, None) => {}
        }
        if self.bad() > before {
            self.sample(format!("{name}: meant for {moment:?}, went out at {times:?}"));
        }
    }

    /// Something else that must not be.
    pub fn wrong(&mut self, what: String) {
        self.wrong += 1;
        self.sample(what);
    }

    fn sample(&mut self, what: String) {
        if self.samples.len() < 5 {
            self.samples.push(what);
        }
    }

    /// How much is bad.
    pub fn bad(&self) -> usize {
        self.lost + self.double + self.early + self.wrong
    }

    /// The longest lag, milliseconds.
    pub fn worst(&self) -> i64 {
        self.lags.iter().copied().max().unwrap_or(0)
    }
}

impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lags = self.lags.clone();
        lags.sort_unstable();
        let lag = |thousandth: usize| {
            let place = (lags.len() * thousandth / 1_000).min(lags.len().saturating_sub(1));
            lags.get(place).copied().unwrap_or(0)
        };
        let Self { planned, lost, double, early, wrong, .. } = self;
        write!(f, "{planned} planned, lost {lost}, double {double}, early {early}, wrong {wrong}")?;
        write!(f, "; lag p50 {} p99 {} max {} ms", lag(500), lag(990), lag(1_000))?;
        self.samples.iter().try_for_each(|sample| write!(f, "\n    {sample}"))
    }
}
