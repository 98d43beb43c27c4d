//! S1: articles of a news site. SQL first; each minute a locked job moves what is due; a consumer looks once a second.

use super::{Design, SET, plan_into, ready, take_due};
use crate::place::{Place, Task, now};
use redis::Commands;
use sqlx::{Connection as _, Row as _, SqliteConnection, sqlite::SqliteConnectOptions};
use std::{thread, time::Duration};
use tokio::runtime::{Builder, Runtime};

/// What is due within five minutes stands in the set too.
const SOON_MS: i64 = 300_000;

pub struct Articles;

struct Base {
    runtime: Runtime,
    connection: SqliteConnection,
}

impl Base {
    fn open(place: &Place) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let options =
            SqliteConnectOptions::new().filename(place.folder.join("tasks.db")).create_if_missing(true);
        let connection = runtime.block_on(SqliteConnection::connect_with(&options)).expect("a database");
        let mut base = Self { runtime, connection };
        base.run("create table if not exists task (name text primary key, due integer, state text)", &[]);
        base
    }

    fn run(&mut self, sql: &'static str, values: &[&str]) -> u64 {
        let query = values.iter().fold(sqlx::query(sql), |query, value| query.bind((*value).to_owned()));
        self.runtime.block_on(query.execute(&mut self.connection)).expect("SQL").rows_affected()
    }

    fn soon(&mut self) -> Vec<Task> {
        let query = sqlx::query("select name, due from task where state = 'scheduled' and due < $1")
            .bind(now() + SOON_MS);
        let rows = self.runtime.block_on(query.fetch_all(&mut self.connection)).expect("SQL");
        rows.iter().map(|row| (row.get(0), row.get(1))).collect()
    }
}

impl Design for Articles {
    fn name(&self) -> &'static str {
        "S1"
    }

    fn shape(&self) -> &'static str {
        "SQL first, a job each minute, a consumer each second"
    }

    fn plan(&self, place: &Place, tasks: &[Task]) {
        let (place, tasks) = (place.clone(), tasks.to_vec());
        let plan = move || {
            let mut base = Base::open(&place);
            base.run("begin", &[]);
            for (name, due) in &tasks {
                base.run(
                    "insert into task values ($1, cast($2 as integer), 'scheduled')",
                    &[name, &due.to_string()],
                );
            }
            base.run("commit", &[]);
            plan_into(&mut place.redis(), SET, &tasks);
        };
        thread::spawn(plan).join().expect("it plans");
    }

    fn work(&self, place: &Place) {
        place.hands(1, |place| {
            let (mut base, mut redis) = (Base::open(place), place.redis());
            loop {
                while let Some(task) = redis.lpop::<_, Option<String>>("list", None).expect("LPOP") {
                    let mark = "update task set state = 'executed' where name = $1 and state = 'scheduled'";
                    if base.run(mark, &[&task]) == 1 {
                        place.work(&task);
                    }
                }
                thread::sleep(Duration::from_secs(1));
            }
        });
        let (mut base, mut redis) = (Base::open(place), place.redis());
        ready();
        loop {
            let lock =
                redis::cmd("SET").arg(&["lock", "1", "NX", "EX", "30"]).query::<Option<String>>(&mut redis);
            if lock.expect("SET").is_some() {
                plan_into(&mut redis, SET, &base.soon());
                loop {
                    let due = take_due(&mut redis, SET);
                    if due.is_empty() {
                        break;
                    }
                    let _: i64 = redis.rpush("list", due).expect("RPUSH");
                }
            }
            thread::sleep(Duration::from_secs(60));
        }
    }
}
