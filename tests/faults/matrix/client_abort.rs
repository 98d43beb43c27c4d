//! Clients disconnect in the middle of their requests, at any byte and at any time (F10).

use crate::faults::{
    WAIT_TIMEOUT,
    cluster::{Cluster, now},
    items,
    observer::{self, COUNT_SCHEDULED},
    results::Results,
    rng::Rng,
    say,
};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

/// Number of parallel clients, and of aborted requests; the last in a long run.
const CLIENTS: usize = 8;
const ABORTED: (usize, usize) = (3_000, 10_000);

/// Queries for partial changes: rows without the rows that belong to them, or an event log that
/// contradicts the state.
const PARTIAL_CHANGES: [(&str, &str); 6] = [
    (
        "articles without their text",
        "select count(*) from article a
          where not exists (select 1 from revision r where r.id = a.revision_id and r.number = a.revision)
             or a.revision <> (select count(*) from revision r where r.article_id = a.id)",
    ),
    (
        "articles that contradict the event log",
        "select count(*) from article a
          where a.revision <> (select count(*) from event e where e.entity_id = a.id and e.verb in ('create', 'save'))",
    ),
    (
        "articles that only the event log has",
        "select count(*) from event e
          where e.verb = 'create' and e.entity = 'article' and not exists (select 1 from article a where a.id = e.entity_id)",
    ),
    (
        "tasks that contradict the event log",
        "select count(*) from task t
          where t.kind <> 'engine.canary'
            and t.state is distinct from (select e.to_state from event e where e.entity_id = t.id
                                           and e.to_state is not null order by e.seq desc limit 1)",
    ),
    (
        "tasks that only the event log has",
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

/// Returns a description of each kind of partial change.
pub async fn find_partial_changes(cluster: &Cluster) -> Vec<String> {
    let mut found = Vec::new();
    for (what, query) in PARTIAL_CHANGES {
        let count = observer::count(cluster, query).await;
        if count > 0 {
            found.push(format!("{count} {what}"));
        }
    }
    found
}

/// Counts open transactions of other connections.
pub const COUNT_OPEN_TRANSACTIONS: &str = "
    select count(*) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and state like 'idle in transaction%'";

/// Returns a request that writes or reads.
fn request(cluster: &Cluster, article: &Value, number: usize, kind: usize) -> Vec<u8> {
    let due = now().plus(3_600_000).to_string();
    let (line, body) = match kind {
        0 => ("POST /api/v1/articles", json!({"title": format!("Aborted {number}"), "body": "A text."})),
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
        cluster.token,
        body.len()
    )
    .into_bytes()
}

/// Sends a request and disconnects: after some of its bytes, some time later, or after part of the
/// response.
async fn send_and_abort(port: u16, bytes: Vec<u8>, rng: &Rng) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.expect("the node listens");
    // The connection is reset, not closed.
    stream.set_zero_linger().unwrap();
    let (mode, cut) = (rng.below(3), rng.below(bytes.len()));
    let sent = if mode == 0 { stream.write_all(&bytes[..cut]).await } else { stream.write_all(&bytes).await };
    match mode {
        1 => tokio::time::sleep(Duration::from_micros(rng.below(6_000) as u64)).await,
        2 if sent.is_ok() => {
            let mut some = [0; 40];
            let _ = stream.read(&mut some).await;
        }
        _ => {}
    }
}

/// Creates and schedules articles until `stop`. Returns each article with its due time.
async fn load(cluster: Arc<Cluster>, stop: CancellationToken) -> Vec<(String, domain::Timestamp)> {
    let mut scheduled = Vec::new();
    while !stop.is_cancelled() {
        let article = cluster.create_article("a", "Under load").await;
        let (_, due) = cluster.schedule_in("a", &article, 2_000).await;
        scheduled.push((article, due));
    }
    scheduled
}

async fn abort_requests(cluster: &Arc<Cluster>, rng: &Arc<Rng>, aborted: usize) {
    let (port, mut clients) = (cluster.port("a"), JoinSet::new());
    for part in 0..CLIENTS {
        let (cluster, rng) = (Arc::clone(cluster), Arc::clone(rng));
        clients.spawn(async move {
            let mut article = Value::Null;
            for number in (part..aborted).step_by(CLIENTS) {
                // Sometimes a new article that no request has changed.
                if number % 50 == part {
                    article =
                        cluster.post("a", "/articles", &json!({"title": "Target", "body": "A text."})).await;
                }
                let bytes = request(&cluster, &article, number, rng.below(4));
                send_and_abort(port, bytes, &rng).await;
            }
        });
    }
    clients.join_all().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_aborted_request_leaves_no_partial_changes() {
    let postgres = test_support::postgres().await;
    let cluster = Arc::new(Cluster::open_on(&postgres, None).await);
    observer::install(&cluster).await;
    cluster.start("a").await;
    let (stop, mut busy) = (CancellationToken::new(), JoinSet::new());
    busy.spawn(load(Arc::clone(&cluster), stop.clone()));
    let (began, aborted) = (std::time::Instant::now(), items(ABORTED.0, ABORTED.1));
    abort_requests(&cluster, &Arc::new(Rng::new(7)), aborted).await;
    let took = began.elapsed();
    stop.cancel();
    let scheduled = busy.join_next().await.unwrap().unwrap();
    let is_clean =
        observer::wait_for_count(&cluster, COUNT_OPEN_TRANSACTIONS, 0, Duration::from_secs(10)).await;
    let due = format!("{COUNT_SCHEDULED} and due_at < {}", now().plus(60_000).millis());
    assert!(observer::wait_for_count(&cluster, &due, 0, WAIT_TIMEOUT).await, "the load is published");
    let results = Results::of(&cluster, &scheduled).await;
    let partial = find_partial_changes(&cluster).await;
    let done = observer::count(&cluster, "select count(*) from article where title like 'Aborted%'").await;
    let ready = cluster.get("a", "/readyz").await;
    say(&format!(
        "{aborted} requests aborted in {took:.1?} (F10): every transaction ended: {is_clean}, partial changes \
         {partial:?}, {done} articles of aborted requests were created; load: {results}"
    ));
    assert!(is_clean && matches!(ready, Some((200, _))), "{ready:?}");
    assert_eq!((partial, results.violations()), (Vec::new(), 0), "{results}");
    assert!(done > 0 && done < aborted as i64, "void: either all or no aborted requests were executed");
    check_detection(&cluster).await;
}

/// Checks that the queries detect an open transaction and partial changes.
async fn check_detection(cluster: &Cluster) {
    use sqlx::Connection as _;
    let mut connection = sqlx::PgConnection::connect(cluster.database.as_deref().unwrap()).await.unwrap();
    sqlx::raw_sql("begin; delete from revision where id = (select revision_id from article limit 1)")
        .execute(&mut connection)
        .await
        .unwrap();
    // The node opens and ends transactions of its own meanwhile.
    assert!(
        observer::wait_for_count(cluster, COUNT_OPEN_TRANSACTIONS, 1, WAIT_TIMEOUT).await,
        "void: an open transaction is not detected"
    );
    sqlx::raw_sql("delete from event where seq = (select min(seq) from event where verb = 'create' and entity = 'article')")
        .execute(&mut connection)
        .await
        .unwrap();
    sqlx::raw_sql("commit").execute(&mut connection).await.unwrap();
    assert!(find_partial_changes(cluster).await.len() >= 2, "void: partial changes are not detected");
}
