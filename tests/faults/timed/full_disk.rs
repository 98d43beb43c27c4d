//! The disk of the database is full (F32).

use crate::faults::{
    WAIT_TIMEOUT,
    cluster::{Cluster, now},
    observer::{self, COUNT_SCHEDULED},
    results::Results,
    rng::Rng,
    say,
};
use domain::Timestamp;
use serde_json::{Value, json};
use std::time::Duration;
use test_support::{Postgres, SmallDisk};
use tokio::{
    task::JoinSet,
    time::{Instant, interval},
};

/// Maximum time until a full disk is reported.
const ALARM_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum time until nodes work again after space was freed.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(30);

/// Number of articles that are saved before the disk is full.
const SAVED_BEFORE_FULL: usize = 3;

/// Returns a text that does not compress.
fn noise(rng: &Rng, bytes: usize) -> String {
    (0..bytes).map(|_| char::from(b'a' + u8::try_from(rng.below(26)).unwrap_or(0))).collect()
}

/// Effects of the full disk.
struct Full {
    /// Ids of the acknowledged articles.
    saved: Vec<String>,
    refused: usize,
    /// Time from the first refusal until `/readyz` reported the full disk.
    alarm: Duration,
    message: String,
}

/// Creates articles, fills the disk, and continues until `/readyz` reports it.
async fn write_until_reported(cluster: &Cluster, disk: &SmallDisk) -> Full {
    let (rng, mut saved, mut refused, mut first) = (Rng::new(3), Vec::new(), 0, None::<Instant>);
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        let size = if refused == 0 { 300_000 } else { 3_000 };
        let new = json!({"title": format!("Saved {}", saved.len()), "body": noise(&rng, size)});
        match cluster.try_post("a", "/articles", &new).await {
            (201, article) => {
                saved.push(article["id"].as_str().unwrap().to_owned());
                if saved.len() == SAVED_BEFORE_FULL {
                    disk.fill(0);
                }
            }
            (status, answer) => {
                let is_unavailable = (status, &answer["error"]["code"]) == (503, &json!("unavailable"));
                assert!(is_unavailable, "{status} {answer}\n{}", cluster.log("a"));
                refused += 1;
                first.get_or_insert_with(Instant::now);
            }
        }
        if let (Some(first), Some((503, text))) = (first, cluster.get("a", "/readyz").await) {
            let answer: Value = serde_json::from_str(&text).unwrap_or_default();
            let message = answer["message"].as_str().unwrap_or_default().to_owned();
            if answer["reason"].as_str().is_some_and(|reason| reason.starts_with("database")) {
                return Full { saved, refused, alarm: first.elapsed(), message };
            }
        }
        assert!(
            Instant::now() < end,
            "void: the disk is not full, or no node reports it ({refused} refused)"
        );
    }
}

/// Waits until the node works again. Returns how long that took.
async fn wait_for_recovery(cluster: &Cluster) -> Duration {
    let (began, mut polls) = (Instant::now(), interval(Duration::from_millis(100)));
    loop {
        polls.tick().await;
        let is_ready = matches!(cluster.get("a", "/readyz").await, Some((200, _)));
        if is_ready
            && cluster.try_post("a", "/articles", &json!({"title": "Again", "body": ""})).await.0 == 201
        {
            return began.elapsed();
        }
        assert!(began.elapsed() < RECOVERY_TIMEOUT, "the node does not work again: {}", cluster.log("a"));
    }
}

async fn run_scenario(cluster: Cluster, disk: &SmallDisk, postgres: Option<&Postgres>, what: &str) {
    observer::install(&cluster).await;
    cluster.start("a").await;
    let mut items: Vec<(String, Timestamp)> = Vec::new();
    for number in 0..40 {
        let article = cluster.create_article("a", &format!("Item {number}")).await;
        let due = now().plus(2_000 + number * 150);
        cluster.schedule("a", &article, due).await;
        items.push((article, due));
    }
    let full = write_until_reported(&cluster, disk).await;
    // The disk stays full until all items are due.
    let last = items.iter().map(|(_, due)| *due).max().unwrap().since(now()).max(1_000);
    tokio::time::sleep(Duration::from_millis(last.unsigned_abs())).await;
    disk.free_space();
    // A PostgreSQL that exited is restarted by its operator.
    let has_exited = postgres.is_some_and(|server| !server.is_running());
    if let Some(server) = postgres.filter(|_| has_exited) {
        server.restart().await;
    }
    let recovery = wait_for_recovery(&cluster).await;
    assert!(
        observer::wait_for_count(&cluster, COUNT_SCHEDULED, 0, WAIT_TIMEOUT).await,
        "what was scheduled is published"
    );
    let mut results = Results::of(&cluster, &items).await;
    for id in &full.saved {
        if !matches!(cluster.get("a", &format!("/api/v1/articles/{id}")).await, Some((200, _))) {
            results.add_wrong(format!("the article {id} was acknowledged and is gone"));
        }
    }
    let Full { saved, refused, alarm, message } = full;
    say(&format!(
        "full disk (F32), {what}: {} saved, {refused} refused, reported after {alarm:.1?} ({message}), the server exited: \
         {has_exited}, works again after {recovery:.1?}; {results}",
        saved.len()
    ));
    assert!(alarm < ALARM_TIMEOUT, "reported too late: {alarm:?}");
    assert!(message.contains("database disk is full"), "{message}");
    assert!(saved.len() >= SAVED_BEFORE_FULL, "void: only {} articles were saved", saved.len());
    assert_eq!(results.violations(), 0, "{results}");
}

async fn sqlite() -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("a");
    let mut cluster = Cluster::without_admin(folder, None, None);
    let disk = SmallDisk::mount(&data, 24)?;
    cluster.create_admin().await;
    run_scenario(cluster, &disk, None, "SQLite").await;
    Ok(())
}

async fn postgres() -> Result<(), String> {
    let folder = tempfile::Builder::new().prefix("disk").tempdir_in("/tmp").unwrap();
    let disk = SmallDisk::mount(folder.path(), 160)?;
    let server = Postgres::start_in(folder.path()).await;
    let cluster = Cluster::open_on(&server, None).await;
    run_scenario(cluster, &disk, Some(&server), "PostgreSQL").await;
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_is_reported_and_loses_nothing() {
    let mut runs = JoinSet::new();
    runs.spawn(sqlite());
    runs.spawn(postgres());
    while let Some(ended) = runs.join_next().await {
        if let Err(reason) = ended.unwrap() {
            say(&format!("NOT RUN: full disk (F32): {reason}"));
        }
    }
}
