//! Clients go away in the middle of their requests, at any byte and at any moment (F10).

use super::{
    PATIENCE,
    hall::{Hall, now},
    watch::{self, Sheet, WAITING},
};
use crate::{dice::Dice, say};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

/// Clients that leave, at once; and how often one does.
const LEAVING: usize = 8;
const TORN: usize = 10_000;

/// What was not done wholly: rows that miss what belongs to them, or a log that tells something else than the state.
const HALF_DONE: [(&str, &str); 6] = [
    (
        "articles without their text",
        "select count(*) from article a
          where not exists (select 1 from revision r where r.id = a.revision_id and r.number = a.revision)
             or a.revision <> (select count(*) from revision r where r.article_id = a.id)",
    ),
    (
        "articles of which the log tells something else",
        "select count(*) from article a
          where a.revision <> (select count(*) from event e where e.entity_id = a.id and e.verb in ('create', 'save'))",
    ),
    (
        "articles that only the log knows",
        "select count(*) from event e
          where e.verb = 'create' and e.entity = 'article' and not exists (select 1 from article a where a.id = e.entity_id)",
    ),
    (
        "tasks of which the log tells something else",
        "select count(*) from task t
          where t.kind <> 'engine.canary'
            and t.state is distinct from (select e.to_state from event e where e.entity_id = t.id
                                           and e.to_state is not null order by e.seq desc limit 1)",
    ),
    (
        "tasks that only the log knows",
        "select count(*) from event e
          where e.verb = 'schedule' and not exists (select 1 from task t where t.id = e.entity_id)",
    ),
    (
        "tasks and executions that disagree",
        "select count(*) from task t
          where t.kind <> 'engine.canary'
            and (t.state = 'executed') <> exists (select 1 from execution x where x.task_id = t.id)",
    ),
];

/// All that was not done wholly, in words.
pub async fn half_done(hall: &Hall) -> Vec<String> {
    let mut found = Vec::new();
    for (what, query) in HALF_DONE {
        let count = watch::count(hall, "a", query).await;
        if count > 0 {
            found.push(format!("{count} {what}"));
        }
    }
    found
}

/// Transactions that somebody left open.
pub const LEFT_OPEN: &str = "
    select count(*) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and state like 'idle in transaction%'";

/// Some request that writes, or reads.
fn request(hall: &Hall, article: &Value, number: usize, kind: usize) -> Vec<u8> {
    let due = now().plus(3_600_000).to_string();
    let (line, body) = match kind {
        0 => ("POST /api/v1/articles", json!({"title": format!("Left {number}"), "body": "A text."})),
        1 => (
            "POST /api/v1/tasks",
            json!({"kind": "article.publish", "target_id": article["id"], "due_at": due}),
        ),
        2 => ("PATCH", json!({"body": format!("Text {number}"), "seen_revision": article["revision"]})),
        _ => ("GET /api/v1/articles?limit=50", Value::Null),
    };
    let line = match line {
        "PATCH" => format!("PATCH /api/v1/articles/{}", article["id"].as_str().unwrap()),
        line => line.to_owned(),
    };
    let body = if body.is_null() { String::new() } else { body.to_string() };
    format!(
        "{line} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        hall.token,
        body.len()
    )
    .into_bytes()
}

/// Sends it and leaves: after some of its bytes, some time later, or after some of the answer.
async fn leave(port: u16, bytes: Vec<u8>, dice: &Dice) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.expect("it listens");
    // The connection is not ended but torn.
    stream.set_zero_linger().unwrap();
    let (way, cut) = (dice.below(3), dice.below(bytes.len()));
    let sent = if way == 0 { stream.write_all(&bytes[..cut]).await } else { stream.write_all(&bytes).await };
    match way {
        1 => tokio::time::sleep(Duration::from_micros(dice.below(6_000) as u64)).await,
        2 if sent.is_ok() => {
            let mut some = [0; 40];
            let _ = stream.read(&mut some).await;
        }
        _ => {}
    }
}

/// Plans and lets go out, until told to stop: how much there was, and what became of it.
async fn load(hall: Arc<Hall>, stop: CancellationToken) -> Vec<(String, domain::Timestamp)> {
    let mut planned = Vec::new();
    while !stop.is_cancelled() {
        let article = hall.write("a", "Under load", "A text.").await;
        let due = now().plus(2_000);
        hall.plan("a", &article, "article.publish", due).await;
        planned.push((article.id, due));
    }
    planned
}

async fn tear(hall: &Arc<Hall>, dice: &Arc<Dice>) {
    let (port, mut leaving) = (hall.port("a").await, JoinSet::new());
    for part in 0..LEAVING {
        let (hall, dice) = (Arc::clone(hall), Arc::clone(dice));
        leaving.spawn(async move {
            let mut article = Value::Null;
            for number in (part..TORN).step_by(LEAVING) {
                // Now and then an article that nobody has touched.
                if number % 50 == part {
                    article = hall.have("a", "/articles", &json!({"title": "Torn", "body": "A text."})).await;
                }
                let bytes = request(&hall, &article, number, dice.below(4));
                leave(port, bytes, &dice).await;
            }
        });
    }
    leaving.join_all().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_leaves_in_the_middle_leaves_nothing_half_done() {
    let postgres = rig::postgres().await;
    let database = postgres.fresh_database();
    let hall = Arc::new(Hall::open(Some(database), Some(rig::Redis::start().await), "a").await);
    watch::watch(&hall, "a").await;
    hall.start("a", &[], &[]).await;
    let (stop, mut busy) = (CancellationToken::new(), JoinSet::new());
    busy.spawn(load(Arc::clone(&hall), stop.clone()));
    let began = std::time::Instant::now();
    tear(&hall, &Arc::new(Dice::new(7))).await;
    let took = began.elapsed();
    stop.cancel();
    let planned = busy.join_next().await.unwrap().unwrap();
    let is_clean = watch::until(&hall, "a", LEFT_OPEN, 0, Duration::from_secs(10)).await;
    let due = format!("{WAITING} and due_at < {}", now().plus(60_000).millis());
    assert!(watch::until(&hall, "a", &due, 0, PATIENCE).await, "what was planned meanwhile goes out");
    let (out, mut sheet) = (watch::seen(&hall, "a").await, Sheet::default());
    for (article, due) in &planned {
        let times: Vec<_> = out.get(article).into_iter().flatten().map(|seen| seen.at).collect();
        sheet.judge(article, Some(*due), &times);
    }
    let half = half_done(&hall).await;
    let (left, done) = (
        watch::count(&hall, "a", LEFT_OPEN).await,
        watch::count(&hall, "a", "select count(*) from article where title like 'Left%'").await,
    );
    let ready = hall.get("a", "/readyz").await;
    say(&format!(
        "{TORN} requests torn in {took:.1?} (F10): {left} transactions left open, half done {half:?}, {done} articles \
         of torn requests were made; meanwhile {sheet}"
    ));
    assert!(is_clean && matches!(ready, Some((200, _))), "{ready:?}");
    assert_eq!((left, half, sheet.bad()), (0, Vec::new(), 0), "{sheet}");
    assert!(done > 0 && done < TORN as i64, "void: either all or none of what was torn was done");
    is_noticed(&hall).await;
}

/// What the questions are about is seen where it is.
async fn is_noticed(hall: &Hall) {
    use sqlx::Connection as _;
    let mut past = sqlx::PgConnection::connect(hall.database.as_deref().unwrap()).await.unwrap();
    sqlx::raw_sql("begin; delete from revision where id = (select revision_id from article limit 1)")
        .execute(&mut past)
        .await
        .unwrap();
    assert_eq!(watch::count(hall, "a", LEFT_OPEN).await, 1, "void: a transaction left open is not seen");
    sqlx::raw_sql("delete from event where seq = (select min(seq) from event where verb = 'create' and entity = 'article')")
        .execute(&mut past)
        .await
        .unwrap();
    sqlx::raw_sql("commit").execute(&mut past).await.unwrap();
    assert!(half_done(hall).await.len() >= 2, "void: what is half done is not seen");
}
