//! Litestream replicates SQLite while items are published; the node, its disk and Litestream are lost at once
//! (F70). The settings and the command are those of docs/BACKUP.md.

use crate::faults::{
    WAIT_TIMEOUT,
    cluster::{Cluster, now},
    drafts, items,
    observer::{self, COUNT_SCHEDULED},
    results::Results,
    say,
};
use domain::Timestamp;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};
use test_support::Sink;
use tokio::{
    process::{Child, Command},
    time::{Instant, interval, timeout},
};

/// Time between two items in milliseconds: half of all take six seconds, in which Litestream replicates several times, also
/// on a busy machine.
const ITEM_INTERVAL_MS: i64 = 60;
/// Time until the first one is due, in milliseconds: until then all of them are replicated.
const LEAD_MS: i64 = 10_000;
/// Number of published items.
const COUNT_PUBLISHED: &str = "select count(*) from observation where now <> ''";

/// Returns the program that `cargo xtask install` has put into the target directory; `None`: there is none
/// for this kind of processor.
fn program() -> Option<PathBuf> {
    let test = std::env::current_exe().expect("this test has a file");
    let below = "litestream/node_modules/@flydotio/litestream-linux-x64/litestream";
    let mut programs = test.ancestors().map(|folder| folder.join(below));
    programs.find(|program| program.exists())
}

/// Writes the documented settings with the paths of this test.
fn settings(folder: &Path, database: &str, replica: &Path) -> PathBuf {
    let text = include_str!("../../../docs/BACKUP.md");
    let (_, rest) = text.split_once("```yaml\n").expect("the settings are documented");
    let (block, _) = rest.split_once("```").expect("their end");
    let replica = replica.display().to_string();
    let replaced = [("/var/lib/presstime/presstime.db", database), ("/srv/replica", replica.as_str())];
    let block = replaced.iter().fold(block.to_owned(), |block, (documented, of_test)| {
        assert_eq!(block.matches(documented).count(), 1, "{documented}");
        block.replace(documented, of_test)
    });
    let file = folder.join("litestream.yml");
    fs::write(&file, block).unwrap();
    file
}

fn litestream(program: &Path, command: &str, settings: &Path) -> Command {
    let mut litestream = Command::new(program);
    litestream.args([command, "-config"]).arg(settings).stdin(Stdio::null());
    litestream.stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    litestream
}

/// Starts it, and waits until it has a snapshot.
async fn replicate(program: &Path, settings: &Path, replica: &Path) -> Child {
    let child = litestream(program, "replicate", settings).spawn().expect("it is executable");
    wait_until("a snapshot exists", async || has_snapshot(replica)).await;
    child
}

/// Whether there is a file of a snapshot, which has its name when it is complete.
fn has_snapshot(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).any(|path| match path.is_dir() {
        true => has_snapshot(&path),
        false => path.to_string_lossy().ends_with(".snapshot.lz4"),
    })
}

async fn wait_until(what: &str, is_reached: impl AsyncFn() -> bool) {
    let (began, mut polls) = (Instant::now(), interval(Duration::from_millis(20)));
    while !is_reached().await {
        assert!(began.elapsed() < WAIT_TIMEOUT, "{what}: not within {WAIT_TIMEOUT:?}");
        polls.tick().await;
    }
}

async fn is_held(cluster: &Cluster) -> bool {
    let (_, text) = cluster.get("a", "/api/v1/stats").await.unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["held_since"].is_string()
}

/// Publishes half of the items, then kills everything and removes the data folder. Returns what was published
/// until then.
async fn lose_the_machine(cluster: &Cluster, mut replication: Child, count: i64) -> Publications {
    wait_until("half of the items are published", async || {
        observer::count(cluster, COUNT_PUBLISHED).await >= count / 2
    })
    .await;
    cluster.kill("a").await;
    replication.kill().await.expect("it can be killed");
    let published = observer::publications(cluster).await;
    let data = cluster.folder.path().join("a");
    fs::rename(&data, cluster.folder.path().join("lost")).unwrap();
    fs::create_dir(&data).unwrap();
    published
}

type Publications = BTreeMap<String, Vec<Timestamp>>;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_of_litestream_loses_only_what_was_not_replicated() {
    let Some(program) = program() else {
        return say("NOT RUN: Litestream (F70): it is not installed for this kind of processor");
    };
    let count = items(200, 2_000);
    let (cluster, sink) = (Cluster::open(None, None).await, Sink::start().await);
    observer::install(&cluster).await;
    cluster.start("a").await;
    cluster.create_channel("a", &sink.url()).await;
    let database = cluster.sqlite_file();
    let replica = cluster.folder.path().join("replica");
    let settings = settings(cluster.folder.path(), &database, &replica);
    let replication = replicate(&program, &settings, &replica).await;
    let times: Vec<i64> = (0..).map(|number| number * ITEM_INTERVAL_MS).take(count).collect();
    let scheduled = drafts::create_scheduled(&cluster, &times, LEAD_MS).await;
    let count = i64::try_from(count).unwrap();
    let published = lose_the_machine(&cluster, replication, count).await;

    let mut restore = litestream(&program, "restore", &settings);
    restore.args(["-o", &database, &database]);
    let restored = timeout(WAIT_TIMEOUT, restore.status()).await.expect("it ends").unwrap();
    assert!(restored.success(), "litestream restore");
    let replicated = observer::publications(&cluster).await;
    let tasks = observer::count(&cluster, "select count(*) from task where kind = 'article.publish'").await;
    assert!(tasks >= count, "void: the schedule was not replicated ({tasks})");
    for (article, times) in &replicated {
        assert_eq!(published.get(article), Some(times), "{article} was not published before");
    }
    let (sent, restart) = (sink.received().len(), now());
    cluster.start("a").await;
    assert!(is_held(&cluster).await, "messages are held");
    assert!(observer::wait_for_count(&cluster, COUNT_SCHEDULED, 0, WAIT_TIMEOUT).await, "the rest is due");
    let results = Results::of(&cluster, &scheduled).await;
    let backup = cluster.post("a", "/backups", &Value::Null).await;
    assert_eq!(backup["state"], "written", "{backup}");
    let lost = published.len() - replicated.len();
    say(&format!(
        "Litestream (F70): {} published before the loss, {lost} of them not replicated and published again after \
         {restart}; {sent} messages before, {} after; {results}",
        published.len(),
        sink.received().len()
    ));
    assert!(replicated.len() < scheduled.len(), "void: everything was published before");
    assert!(!replicated.is_empty(), "void: nothing was replicated");
    assert_eq!(results.violations(), 0, "{results}");
    assert_eq!(sink.received().len(), sent, "nothing is sent until an admin confirms");
}
