//! Backups: written during operation, restored on either database, with deliveries held until an
//! admin confirms.

use crate::{
    http_client::HttpClient,
    program::{Program, Serving},
    sse_client::SseClient,
};
use serde_json::{Value, json};
use std::{collections::BTreeMap, fs, os::unix::fs::PermissionsExt as _, path::PathBuf};
use test_support::Sink;

const SECRET: &str = "a long text that encrypts the secrets of channels";

/// Options for one storage: SQLite in the program's folder, or a new PostgreSQL database.
fn storage_options(database: Option<&str>) -> Vec<&str> {
    let mut flags = vec!["--secret-key", SECRET];
    flags.extend(database.iter().flat_map(|url| ["--database-url", *url]));
    flags
}

fn client_with_token(serving: &Serving, token: &str) -> HttpClient {
    HttpClient { token: Some(token.to_owned()), ..serving.client() }
}

async fn draft(caller: &HttpClient, title: &str) -> Value {
    let new = json!({"title": title, "body": format!("# {title}\n\n“Quoted” — 中文 🎉\n")});
    caller.post("/api/v1/articles", &new).await.expect(201)
}

async fn publish_at(caller: &HttpClient, article: &Value, millis: i64) -> Value {
    let now = caller.get("/api/v1/stats").await.expect(200)["engine"]["now"].as_str().unwrap().to_owned();
    let due = now.parse::<domain::Timestamp>().unwrap().plus(millis).to_string();
    let task = json!({"kind": "article.publish", "target_id": article["id"], "due_at": due});
    caller.post("/api/v1/tasks", &task).await.expect(201)
}

/// All articles and tasks with their history, as the API returns them.
async fn load_all(caller: &HttpClient) -> BTreeMap<String, Value> {
    let mut all = BTreeMap::new();
    for list in ["articles", "tasks"] {
        let rows = caller.get(&format!("/api/v1/{list}?limit=200")).await.expect(200);
        for row in rows["items"].as_array().unwrap() {
            let path = format!("/api/v1/{list}/{}", row["id"].as_str().unwrap());
            all.insert(path.clone(), caller.get(&path).await.expect(200));
        }
    }
    all
}

/// Creates data, backs it up during writes, restores it elsewhere, and compares both.
async fn check_backup_and_restore(from: Option<&str>, to: Option<&str>) {
    let (old, new, sink) = (Program::new(), Program::new(), Sink::start().await);
    let token = old.admin(&storage_options(from)).await;
    let allow = ["--webhook-allow-private", "--webhook-allow-http"];
    let serving = old.serve(&[&storage_options(from)[..], &allow].concat()).await;
    let caller = client_with_token(&serving, &token);
    for number in 0..5 {
        let article = draft(&caller, &format!("Number {number}")).await;
        publish_at(&caller, &article, 3_600_000).await;
    }
    let published = publish_at(&caller, &draft(&caller, "Gone out").await, 300).await;
    let mut stream = SseClient::open(&caller, Some("0")).await;
    stream.wait_until_executed(&published).await;
    let channel = json!({"name": "Sink", "url": sink.url(), "retry_schedule": "1s"});
    caller.post("/api/v1/channels", &channel).await.expect(201);
    let before = load_all(&caller).await;

    let file = old.folder().join("desk.backup");
    let name = file.to_str().unwrap();
    let writing = async {
        for number in 0..20 {
            draft(&caller, &format!("Meanwhile {number}")).await;
        }
    };
    let backup = [&["backup", name][..], &storage_options(from)].concat();
    let ((), answer) = tokio::join!(writing, old.run(&backup));
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert!(answer.out.contains("1 accounts"), "{}", answer.out);
    let again = old.run(&backup).await;
    assert_eq!(again.code, 1);
    again.is_plain();

    let answer = new.run(&[&["restore", name][..], &storage_options(to)].concat()).await;
    assert_eq!(answer.code, 0, "{}", answer.err);
    let again = new.run(&[&["restore", name][..], &storage_options(to)].concat()).await;
    assert_eq!(again.code, 1);
    again.is_plain();
    let restored = new.serve(&[&storage_options(to)[..], &allow].concat()).await;
    let copy = client_with_token(&restored, &token);
    let after = load_all(&copy).await;
    for (path, row) in &before {
        assert_eq!(after.get(path), Some(row), "{path}");
    }
    assert_eq!(copy.get("/site/gone-out").await.status, 200);
    check_deliveries_are_held_until_confirmed(&copy, &sink).await;
    assert_eq!((restored.end().await, serving.end().await), (0, 0));
}

async fn check_deliveries_are_held_until_confirmed(copy: &HttpClient, sink: &Sink) {
    assert!(copy.get("/api/v1/stats").await.expect(200)["held_since"].is_string());
    let mut stream = SseClient::open(copy, None).await;
    let task = publish_at(copy, &draft(copy, "News of the copy").await, 300).await;
    stream.wait_until_executed(&task).await;
    let waiting = async || copy.get("/api/v1/deliveries").await.expect(200)["items"][0]["state"].clone();
    // The commit that caused this event also woke the dispatcher: two heartbeats later it has run.
    stream.next_event("heartbeat").await;
    stream.next_event("heartbeat").await;
    let ready = copy.get("/readyz").await.expect(200);
    assert_eq!(ready["engine"]["issue"], "deliveries_held", "{ready}");
    assert_eq!((waiting().await, sink.received().len()), (json!("pending"), 0));
    let confirmed = copy.post("/api/v1/delivery-hold/confirm", &Value::Null).await.expect(200);
    assert_eq!(confirmed["was_held"], true);
    assert!(sink.wait_for(1).await[0].body.contains("News of the copy"));
    assert!(copy.get("/api/v1/stats").await.expect(200)["held_since"].is_null());
    let twice = copy.post("/api/v1/delivery-hold/confirm", &Value::Null).await.expect(200);
    assert_eq!(twice["was_held"], false);
}

/// The SQLite files in the data folder.
fn files(program: &Program) -> Vec<PathBuf> {
    ["presstime.db", "presstime.db-wal", "presstime.db-shm"].map(|name| program.data().join(name)).into()
}

#[tokio::test]
async fn a_restored_database_file_holds_deliveries_until_confirmed() {
    let (program, sink) = (Program::new(), Sink::start().await);
    let token = program.admin(&[]).await;
    let allow = ["--webhook-allow-private", "--webhook-allow-http"];
    let serving = program.serve(&allow).await;
    let channel = json!({"name": "Sink", "url": sink.url(), "retry_schedule": "1s"});
    client_with_token(&serving, &token).post("/api/v1/channels", &channel).await.expect(201);
    assert_eq!(serving.end().await, 0);
    let old_files: Vec<Option<Vec<u8>>> = files(&program).iter().map(|file| fs::read(file).ok()).collect();
    // A restart on unchanged data holds nothing.
    let serving = program.serve(&allow).await;
    let caller = client_with_token(&serving, &token);
    publish_at(&caller, &draft(&caller, "Sent").await, 300).await;
    sink.wait_for(1).await;
    assert!(caller.get("/api/v1/stats").await.expect(200)["held_since"].is_null());
    assert_eq!(serving.end().await, 0);
    let watermark = program.data().join("reached");
    let old_watermark = fs::read(&watermark).unwrap();
    for (file, bytes) in files(&program).iter().zip(old_files) {
        match bytes {
            // Writes into the same file (same inode), so that only its content is older.
            Some(bytes) => fs::write(file, bytes).unwrap(),
            None => drop(fs::remove_file(file)),
        }
    }
    let serving = program.serve(&allow).await;
    let caller = client_with_token(&serving, &token);
    assert!(caller.get("/api/v1/stats").await.expect(200)["held_since"].is_string());
    caller.post("/api/v1/delivery-hold/confirm", &Value::Null).await.expect(200);
    assert_eq!(serving.end().await, 0);
    // Simulates a node that was offline in the meantime and remembers the earlier state.
    fs::write(watermark, old_watermark).unwrap();
    let serving = program.serve(&allow).await;
    let again = client_with_token(&serving, &token).get("/api/v1/stats").await.expect(200);
    assert!(again["held_since"].is_null(), "a confirmed restore is not held again");
}

#[tokio::test]
async fn an_older_state_of_a_postgresql_database_holds_deliveries() {
    let (program, postgres) = (Program::new(), test_support::postgres().await);
    let url = postgres.create_database();
    let storage = storage_options(Some(&url));
    let token = program.admin(&storage).await;
    assert_eq!(program.serve(&storage).await.end().await, 0);
    assert_eq!(fs::metadata(program.data()).unwrap().permissions().mode() & 0o777, 0o700);
    let watermark = program.data().join("reached");
    let stored = fs::read_to_string(&watermark).unwrap();
    let (desk, seq) = stored.trim().split_once(' ').unwrap();
    // Simulates a node that saw more of the log than the database has now.
    fs::write(&watermark, format!("{desk} {}\n", seq.parse::<i64>().unwrap() + 100)).unwrap();
    let serving = program.serve(&storage).await;
    let stats = client_with_token(&serving, &token).get("/api/v1/stats").await.expect(200);
    assert!(stats["held_since"].is_string(), "{stats}");
    assert_eq!(serving.end().await, 0);
    // A data folder that cannot be used is reported once, and the node works.
    fs::write(program.folder().join("a-file"), "").unwrap();
    let log = program.log(&[&storage[..], &["--data", "a-file"]].concat(), "/login").await;
    assert_eq!(log.matches("make the data folder writable").count(), 1, "{log}");
}

#[tokio::test]
async fn a_backup_of_sqlite_is_restored_to_sqlite() {
    check_backup_and_restore(None, None).await;
}

#[tokio::test]
async fn a_backup_of_postgresql_is_restored_to_postgresql() {
    let postgres = test_support::postgres().await;
    check_backup_and_restore(Some(&postgres.create_database()), Some(&postgres.create_database())).await;
}

#[tokio::test]
async fn a_backup_moves_data_from_sqlite_to_postgresql_and_back() {
    let postgres = test_support::postgres().await;
    check_backup_and_restore(None, Some(&postgres.create_database())).await;
    check_backup_and_restore(Some(&postgres.create_database()), None).await;
}

#[tokio::test]
async fn a_file_that_is_not_a_backup_is_refused_without_side_effects() {
    let program = Program::new();
    let file = program.folder().join("letter.txt");
    fs::write(&file, "Dear reader").unwrap();
    for name in [file.to_str().unwrap(), "nothing.backup"] {
        let answer = program.run(&["restore", name]).await;
        assert_eq!(answer.code, 1, "{}", answer.err);
        answer.is_plain();
    }
    let answer = program.run(&["backup", "new.backup", "--data", "nowhere"]).await;
    assert_eq!(answer.code, 1);
    answer.is_plain();
    assert!(!program.folder().join("new.backup").exists());
}

#[tokio::test]
async fn a_backup_is_not_restored_into_a_running_server() {
    let program = Program::new();
    program.admin(&[]).await;
    assert_eq!(program.run(&["backup", "desk.backup"]).await.code, 0);
    let serving = program.serve(&["--data", "other"]).await;
    serving.client().get("/readyz").await.expect(200);
    // A ready server has sent its heartbeat, or does so within the same second.
    let answer = program.run(&["restore", "desk.backup", "--data", "other"]).await;
    assert_eq!(answer.code, 1, "{}", answer.out);
    answer.is_plain();
    assert_eq!(serving.end().await, 0);
}
