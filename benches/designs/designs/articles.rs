//! S1: articles of a news site. Tasks are in SQL; every minute a job with a lock moves due tasks; a consumer
//! polls every second.

use super::{Design, SET, add_to_set, print_ready, take_due};
use crate::sandbox::{Sandbox, Task, now};
use redis::Commands;
use sqlx::{Connection as _, Row as _, SqliteConnection, sqlite::SqliteConnectOptions};
use std::{thread, time::Duration};
use tokio::runtime::{Builder, Runtime};

/// Tasks due within five minutes are in the set too.
const WINDOW_MS: i64 = 300_000;

pub struct Articles;

struct Database {
    runtime: Runtime,
    connection: SqliteConnection,
}

impl Database {
    fn open(sandbox: &Sandbox) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let options =
            SqliteConnectOptions::new().filename(sandbox.folder.join("tasks.db")).create_if_missing(true);
        let connection = runtime.block_on(SqliteConnection::connect_with(&options)).expect("a database");
        let mut database = Self { runtime, connection };
        database.run("create table if not exists task (name text primary key, due integer, state text)", &[]);
        database
    }

    fn run(&mut self, sql: &'static str, values: &[&str]) -> u64 {
        let query = values.iter().fold(sqlx::query(sql), |query, value| query.bind((*value).to_owned()));
        self.runtime.block_on(query.execute(&mut self.connection)).expect("SQL").rows_affected()
    }

    fn due_soon(&mut self) -> Vec<Task> {
        let query = sqlx::query("select name, due from task where state = 'scheduled' and due < $1")
            .bind(now() + WINDOW_MS);
        let rows = self.runtime.block_on(query.fetch_all(&mut self.connection)).expect("SQL");
        rows.iter().map(|row| (row.get(0), row.get(1))).collect()
    }
}

impl Design for Articles {
    fn name(&self) -> &'static str {
        "S1"
    }

    fn description(&self) -> &'static str {
        "SQL first, a job every minute, a consumer every second"
    }

    fn schedule(&self, sandbox: &Sandbox, tasks: &[Task]) {
        let (sandbox, tasks) = (sandbox.clone(), tasks.to_vec());
        let schedule = move || {
            let mut database = Database::open(&sandbox);
            database.run("begin", &[]);
            for (name, due) in &tasks {
                database.run(
                    "insert into task values ($1, cast($2 as integer), 'scheduled')",
                    &[name, &due.to_string()],
                );
            }
            database.run("commit", &[]);
            add_to_set(&mut sandbox.redis(), SET, &tasks);
        };
        thread::spawn(schedule).join().expect("scheduling succeeds");
    }

    fn run(&self, sandbox: &Sandbox) {
        sandbox.spawn_workers(1, |sandbox| {
            let (mut database, mut redis) = (Database::open(sandbox), sandbox.redis());
            loop {
                while let Some(task) = redis.lpop::<_, Option<String>>("list", None).expect("LPOP") {
                    let mark = "update task set state = 'executed' where name = $1 and state = 'scheduled'";
                    if database.run(mark, &[&task]) == 1 {
                        sandbox.execute(&task);
                    }
                }
                thread::sleep(Duration::from_secs(1));
            }
        });
        let (mut database, mut redis) = (Database::open(sandbox), sandbox.redis());
        print_ready();
        loop {
            let lock =
                redis::cmd("SET").arg(&["lock", "1", "NX", "EX", "30"]).query::<Option<String>>(&mut redis);
            if lock.expect("SET").is_some() {
                add_to_set(&mut redis, SET, &database.due_soon());
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
