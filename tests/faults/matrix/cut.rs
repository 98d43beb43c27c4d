//! PostgreSQL does what it was told and its answer is lost, at commits and elsewhere; all its connections end at once (F24).

use super::{
    LIMIT, PATIENCE,
    abort::{LEFT_OPEN, half_done},
    hall::{Hall, now, text},
    items,
    watch::{self, Sheet, WAITING},
};
use crate::say;
use domain::Timestamp;
use reqwest::Method;
use rig::Proxy;
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use tokio::{
    task::JoinSet,
    time::{Instant, interval},
};
use tokio_util::sync::CancellationToken;

/// Between two misfortunes at least.
const APART: Duration = Duration::from_millis(50);
/// With each of so many answers all connections end.
const ENDS: usize = 5;
/// From the plan to the moment, milliseconds.
const AHEAD: i64 = 1_000;

const END_ALL: &str = "
    select count(pg_terminate_backend(pid))
      from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'";

/// Asks until it is done, each time with the same key. `None`: its moment had passed before it was.
async fn insist(hall: &Hall, node: &str, path: &str, body: &Value, key: &str) -> Option<Value> {
    let mut turns = interval(Duration::from_millis(20));
    loop {
        turns.tick().await;
        match hall.ask(node, Method::POST, path, body, &[("idempotency-key", key)]).await {
            Some((200..300, made)) => return serde_json::from_str(&made).ok(),
            Some((422, answer)) if answer.contains("\"past\"") => return None,
            Some((500..600, _)) | None => {}
            Some((status, answer)) => panic!("{path}: {status} {answer}"),
        }
    }
}

/// Somebody plans until told to stop: what, and for when.
async fn plan(hall: Arc<Hall>, node: &'static str, stop: CancellationToken) -> Vec<(String, Timestamp)> {
    let mut planned = Vec::new();
    while !stop.is_cancelled() {
        let name = format!("{node} {}", planned.len());
        let new = json!({"title": name, "body": "A text."});
        let article = insist(&hall, node, "/articles", &new, &name).await.expect("an article");
        for turn in 0.. {
            let due = now().plus(AHEAD);
            let task =
                json!({"kind": "article.publish", "target_id": article["id"], "due_at": due.to_string()});
            if insist(&hall, node, "/tasks", &task, &format!("{name} {turn}")).await.is_some() {
                planned.push((text(&article["id"]), due));
                break;
            }
        }
    }
    planned
}

/// Loses so many answers, and ends all connections now and then; how often it did that.
async fn cut(hall: &Hall, way: &Proxy, count: usize) -> usize {
    let (mut turns, mut ended) = (interval(APART), 0);
    for lost in 0..count {
        if lost % ENDS == 0 {
            watch::count(hall, "a", END_ALL).await;
            ended += 1;
        }
        way.lose_the_answer_to("commit");
        let since = Instant::now();
        while way.lurks() {
            assert!(since.elapsed() < LIMIT, "void: nobody commits any more");
            turns.tick().await;
        }
        turns.tick().await;
    }
    ended
}

async fn play(mutant: Option<&str>, count: usize) -> Sheet {
    let postgres = rig::postgres().await;
    let way = Proxy::to(postgres.port()).await;
    let database = postgres.fresh_database();
    let there = database.replace(&format!(":{}/", postgres.port()), &format!(":{}/", way.port()));
    let hall = Arc::new(Hall::open(Some(database), Some(rig::Redis::start().await), "a").await);
    watch::watch(&hall, "a").await;
    let mutant: Vec<_> =
        mutant.map(|name| ("PRESSTIME_MUTANT".to_owned(), name.to_owned())).into_iter().collect();
    for name in ["a", "b"] {
        hall.start(name, &["--database-url", &there], &mutant).await;
        // Whom it meets at its start says so and ends.
        hall.is_ready(name).await;
    }
    let (stop, mut people) = (CancellationToken::new(), JoinSet::new());
    for node in ["a", "b"] {
        people.spawn(plan(Arc::clone(&hall), node, stop.clone()));
    }
    let ended = cut(&hall, &way, count).await;
    stop.cancel();
    let planned: Vec<_> = people.join_all().await.into_iter().flatten().collect();
    watch::until(&hall, "a", WAITING, 0, PATIENCE).await;
    let is_closed = watch::until(&hall, "a", LEFT_OPEN, 0, Duration::from_secs(10)).await;
    let (out, mut sheet) = (watch::seen(&hall, "a").await, Sheet::default());
    for (article, due) in &planned {
        let times: Vec<_> = out.get(article).into_iter().flatten().map(|seen| seen.at).collect();
        sheet.judge(article, Some(*due), &times);
    }
    for half in half_done(&hall).await {
        sheet.wrong(half);
    }
    if !is_closed {
        sheet.wrong("a transaction was left open".to_owned());
    }
    say(&format!("{count} answers of PostgreSQL lost, all connections ended {ended} times (F24): {sheet}"));
    sheet
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_is_lost_loses_and_doubles_nothing() {
    let mut runs = JoinSet::new();
    runs.spawn(async {
        let bad = play(Some("effect-then-mark"), 40).await;
        assert!(bad.double > 0, "void: nobody notices what went out twice: {bad}");
    });
    runs.spawn(async {
        let sheet = play(None, items(60, 2_000)).await;
        assert_eq!(sheet.bad(), 0, "{sheet}");
    });
    while let Some(ended) = runs.join_next().await {
        ended.unwrap();
    }
}
