//! Clocks that are wrong, and clocks that are set while everything runs (F35, F36, F37).

use super::{
    PATIENCE,
    hall::{Article, Hall, now},
    watch::{self, Ear, Sheet, WAITING},
};
use crate::say;
use domain::Timestamp;
use futures::{StreamExt, stream};
use rig::{FalseClock, Postgres, Redis, Sink};
use serde_json::{Value, json};
use std::{collections::BTreeSet, time::Duration};
use tokio::{
    task::JoinSet,
    time::{Instant, interval, sleep_until},
};

const HOUR: i64 = 3_600;
/// A wrong clock must be told of so soon.
const ALARM: Duration = Duration::from_secs(10);
/// How long a clock stays wrong.
const STAYS: Duration = Duration::from_secs(4);
/// Two items are so far apart, milliseconds.
const APART: i64 = 120;
/// Items planned.
const ITEMS: usize = 110;

/// Waits until a node says that the clocks are apart, or that they agree again; how long it took.
async fn told(hall: &Hall, node: &str, is_off: bool) -> Duration {
    let (began, mut looks) = (Instant::now(), interval(Duration::from_millis(100)));
    loop {
        looks.tick().await;
        if let Some((status, text)) = hall.get(node, "/readyz").await {
            let answer: Value = serde_json::from_str(&text).unwrap_or_default();
            let says = answer["says"].as_str().unwrap_or_default().contains("more than 30 s apart");
            let is_red = status == 503 && answer["reason"] == "clock_off" && says;
            if is_red == is_off && (is_off || status == 200) {
                return began.elapsed();
            }
            let limit = if is_off { ALARM } else { PATIENCE };
            assert!(
                began.elapsed() < limit,
                "{node}: clock off {is_off}: {status} {text}
{}",
                hall.log(node)
            );
        }
    }
}

/// Writes items and plans them, each node a part of them; what they are.
async fn plan(hall: &Hall, nodes: &[&str]) -> Vec<(Article, Timestamp)> {
    let mut writes = Vec::new();
    for number in 0..ITEMS {
        let title = format!("Item {number}");
        writes.push(async move { hall.write(nodes[number % nodes.len()], &title, "A text.").await });
    }
    let articles: Vec<Article> = stream::iter(writes).buffered(6).collect().await;
    let base = now().plus(2_500);
    let due = |number: usize| base.plus(i64::try_from(number).unwrap_or(0) * APART);
    let items: Vec<_> =
        articles.into_iter().enumerate().map(|(number, article)| (article, due(number))).collect();
    for (place, node) in nodes.iter().enumerate() {
        let part = items.iter().skip(place).step_by(nodes.len());
        let task = |(article, due): &(Article, Timestamp)| json!({"kind": "article.publish", "target_id": article.id, "due_at": due.to_string()});
        hall.have(node, "/tasks/bulk", &json!({"items": part.map(task).collect::<Vec<_>>()})).await;
    }
    assert!(now() < base, "void: planning took until the first was due");
    items
}

/// Sets the clock to each of these hours for a while, at last right, and listens to that node each time; the longest it took
/// until it was told.
async fn step(hall: &Hall, node: &str, clock: &FalseClock, hours: &[i64]) -> Duration {
    let mut worst = Duration::ZERO;
    for hour in hours {
        clock.set(hour * HOUR);
        let until = Instant::now() + STAYS;
        worst = worst.max(told(hall, node, *hour != 0).await);
        sleep_until(until).await;
    }
    worst
}

async fn judge(hall: &Hall, ear: &Ear, items: &[(Article, Timestamp)]) -> Sheet {
    assert!(watch::until(hall, "a", WAITING, 0, PATIENCE).await, "all of it goes out");
    let mut sheet = Sheet::default();
    ear.hear(items.len()).await;
    let out = ear.went_out();
    for (article, due) in items {
        sheet.judge(&article.id, Some(*due), out.get(&article.id).map_or(&[], Vec::as_slice));
    }
    sheet
}

/// What somebody wants out now goes out now, also through the node whose clock is wrong.
async fn publish_now(hall: &Hall, node: &str) -> (Article, Timestamp) {
    let article = hall.write(node, "Now", "A text.").await;
    let task = hall.plan("a", &article, "article.publish", now().plus(600_000)).await;
    let moment = now();
    hall.have(node, &format!("/tasks/{task}/publish-now"), &json!({"seen_version": 1})).await;
    (article, moment)
}

async fn one_node(clock: FalseClock) {
    let postgres = rig::postgres().await;
    let hall = Hall::open(Some(postgres.fresh_database()), Some(Redis::start().await), "a").await;
    watch::watch(&hall, "a").await;
    let (ear, sink) = (Ear::open(&hall).await, Sink::start().await);
    for name in ["a", "b"] {
        hall.start(name, &[], &[]).await;
    }
    let channel = json!({"name": "Sink", "address": sink.url(), "ladder": "1s, 1s", "on_ambiguous": "retry"});
    hall.have("a", "/channels", &channel).await;
    clock.set(HOUR);
    hall.start("c", &[], &clock.environment()).await;
    let at_start = told(&hall, "c", true).await;
    let found = hall.fails("c", &["doctor"], &clock.environment()).await;
    assert!(found.contains("ms ahead of this machine's: nothing would be published"), "{found}");
    let mut items = plan(&hall, &["a", "b", "c"]).await;
    items.push(publish_now(&hall, "c").await);
    let stepped = step(&hall, "c", &clock, &[-1, 0, 1]).await;
    items.push(publish_now(&hall, "c").await);
    clock.set(0);
    let right = told(&hall, "c", false).await;
    let sheet = judge(&hall, &ear, &items).await;
    let ids: BTreeSet<String> = sink
        .wait_for(items.len())
        .await
        .into_iter()
        .map(|message| message.header("webhook-id").to_owned())
        .collect();
    let copies = sink.received().len() - ids.len();
    say(&format!(
        "one of three nodes an hour ahead, behind, right (F35, F36): {sheet}; told after {at_start:.1?} at the start, \
         {stepped:.1?} at a step, right again {right:.1?}; {} messages, {copies} copies",
        ids.len()
    ));
    assert_eq!(sheet.bad(), 0, "{sheet}");
    assert!(sheet.worst() < 15_000, "late by more than the others need: {sheet}");
    assert_eq!((ids.len(), copies), (items.len(), 0), "each message once");
}

async fn the_database(clock: FalseClock) {
    let postgres = Postgres::start_by(&clock).await;
    let hall = Hall::open(Some(postgres.fresh_database()), Some(Redis::start().await), "a").await;
    watch::watch(&hall, "a").await;
    let ear = Ear::open(&hall).await;
    for name in ["a", "b"] {
        hall.start(name, &[], &[]).await;
    }
    let mut items = plan(&hall, &["a", "b"]).await;
    let ahead = step(&hall, "a", &clock, &[1]).await;
    items.push(publish_now(&hall, "b").await);
    let behind = step(&hall, "a", &clock, &[-1]).await;
    clock.set(0);
    let (back, right) = (now(), told(&hall, "a", false).await);
    let sheet = judge(&hall, &ear, &items).await;
    let out = ear.went_out();
    let since =
        items.iter().filter_map(|(article, due)| Some(out.get(&article.id)?.first()?.since(back.max(*due))));
    let caught_up = since.max().unwrap_or(0);
    say(&format!(
        "PostgreSQL's clock an hour ahead, behind, right (F37): {sheet}; told after {ahead:.1?} and {behind:.1?}, right \
         again {right:.1?}; all that was held was out {caught_up} ms after it was right"
    ));
    assert_eq!(sheet.bad(), 0, "{sheet}");
    assert!(caught_up < 20_000, "what was held comes late: {caught_up} ms");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_is_wrong_is_told_of_and_makes_nothing_early_or_lost() {
    is_faked(&FalseClock::right()).await;
    let mut runs = JoinSet::new();
    runs.spawn(one_node(FalseClock::right()));
    runs.spawn(the_database(FalseClock::right()));
    while let Some(ended) = runs.join_next().await {
        ended.unwrap();
    }
}

/// Programs believe that clock.
async fn is_faked(clock: &FalseClock) {
    let read = async || {
        let mut date = tokio::process::Command::new("date");
        let out = date.arg("+%s").envs(clock.environment()).output().await.unwrap().stdout;
        String::from_utf8(out).unwrap().trim().parse::<i64>().unwrap() * 1_000 - now().millis()
    };
    assert!(read().await.abs() < 5_000);
    clock.set(-HOUR);
    assert!((read().await / 1_000 + HOUR).abs() < 5, "void: nobody believes the clock");
}
