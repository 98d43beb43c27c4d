//! Processes that start concurrently on empty storage: all succeed.

use crate::program::{Answer, Program};
use futures::future::join_all;

const ADD: [&str; 8] = ["user", "add", "--name", "Ann", "--role", "admin", "--password-stdin", "--email"];

async fn add(program: &Program, email: &str, storage: &[&str]) -> Answer {
    program.run_with(&[&ADD[..], &[email], storage].concat(), &[], "a good long word\n").await
}

/// Adds six accounts and starts two servers at the same time.
async fn start_eight_processes(storage: &[&str]) {
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
        server.client().get("/login").await.expect(200);
        assert_eq!(server.end().await, 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn eight_processes_start_concurrently_on_an_empty_folder() {
    for _ in 0..3 {
        start_eight_processes(&[]).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn eight_processes_start_concurrently_on_an_empty_postgresql_database() {
    let postgres = test_support::postgres().await;
    let url = postgres.create_database();
    start_eight_processes(&["--database-url", &url]).await;
}
