//! Several processes that start at the same moment on nothing: all of them succeed.

use crate::program::{Answer, Program};
use futures::future::join_all;

const ADD: [&str; 8] = ["user", "add", "--name", "Ann", "--role", "admin", "--password-stdin", "--email"];

async fn add(program: &Program, email: &str, storage: &[&str]) -> Answer {
    program.run_with(&[&ADD[..], &[email], storage].concat(), &[], "a good long word\n").await
}

/// Six accounts are added and two servers start, all at the same moment.
async fn eight_at_once(storage: &[&str]) {
    let program = Program::new();
    let emails: Vec<String> = (0..6).map(|number| format!("a{number}@desk.test")).collect();
    let adding = join_all(emails.iter().map(|email| add(&program, email, storage)));
    let serving = join_all((0..2).map(|_| program.serve(storage)));
    let (added, servers) = tokio::join!(adding, serving);
    for answer in added {
        assert_eq!(answer.code, 0, "{}", answer.err);
    }
    let list = program.run(&[&["user", "list"][..], storage].concat()).await;
    for email in &emails {
        assert!(list.out.contains(email), "{}{}", list.out, list.err);
    }
    for server in servers {
        server.caller().get("/login").await.expect(200);
        assert_eq!(server.end().await, 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn eight_processes_start_at_once_on_a_fresh_folder() {
    for _ in 0..3 {
        eight_at_once(&[]).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn eight_processes_start_at_once_on_a_fresh_postgresql_database() {
    let postgres = rig::postgres().await;
    let url = postgres.fresh_database();
    eight_at_once(&["--database-url", &url]).await;
}
