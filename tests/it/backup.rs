//! Backups: written while the desk works, restored on either engine, with every message held until an admin's word.

use crate::{
    caller::Caller,
    ear::Ear,
    program::{Program, Serving},
};
use rig::Sink;
use serde_json::{Value, json};
use std::{collections::BTreeMap, fs, path::PathBuf};

const SECRET: &str = "a long text that seals the secrets of channels";

/// The flags of one place: SQLite in the program's folder, or a fresh PostgreSQL database.
fn place(database: Option<&str>) -> Vec<&str> {
    let mut flags = vec!["--secret-key", SECRET];
    flags.extend(database.iter().flat_map(|url| ["--database-url", *url]));
    flags
}

fn asks(serving: &Serving, token: &str) -> Caller {
    Caller { token: Some(token.to_owned()), ..serving.caller() }
}

async fn draft(caller: &Caller, title: &str) -> Value {
    let new = json!({"title": title, "body": format!("# {title}\n\n“Quoted” — 中文 🎉\n")});
    caller.post("/api/v1/articles", &new).await.expect(201)
}

async fn publish_at(caller: &Caller, article: &Value, millis: i64) -> Value {
    let now = caller.get("/api/v1/stats").await.expect(200)["heartbeat"]["now"].as_str().unwrap().to_owned();
    let due = now.parse::<domain::Timestamp>().unwrap().plus(millis).to_string();
    let task = json!({"kind": "article.publish", "target_id": article["id"], "due_at": due});
    caller.post("/api/v1/tasks", &task).await.expect(201)
}

/// All the API tells of articles, tasks and what happened to them.
async fn everything(caller: &Caller) -> BTreeMap<String, Value> {
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

/// Fills a desk, backs it up while somebody writes, restores it elsewhere, and looks at both.
async fn a_backup_is_restored(from: Option<&str>, to: Option<&str>) {
    let (old, new, sink) = (Program::new(), Program::new(), Sink::start().await);
    let token = old.admin(&place(from)).await;
    let allow = ["--webhook-allow-private", "--webhook-allow-http"];
    let serving = old.serve(&[&place(from)[..], &allow].concat()).await;
    let caller = asks(&serving, &token);
    for place in 0..5 {
        let article = draft(&caller, &format!("Number {place}")).await;
        publish_at(&caller, &article, 3_600_000).await;
    }
    let gone = publish_at(&caller, &draft(&caller, "Gone out").await, 300).await;
    let mut ear = Ear::open(&caller, Some("0")).await;
    ear.hear_executed(&gone).await;
    let channel = json!({"name": "Sink", "address": sink.url(), "ladder": "1s"});
    caller.post("/api/v1/channels", &channel).await.expect(201);
    let before = everything(&caller).await;

    let file = old.folder().join("desk.backup");
    let name = file.to_str().unwrap();
    let writing = async {
        for place in 0..20 {
            draft(&caller, &format!("Meanwhile {place}")).await;
        }
    };
    let backup = [&["backup", name][..], &place(from)].concat();
    let ((), answer) = tokio::join!(writing, old.run(&backup));
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert!(answer.out.contains("1 people"), "{}", answer.out);
    let again = old.run(&backup).await;
    assert_eq!(again.code, 1);
    again.is_plain();

    let answer = new.run(&[&["restore", name][..], &place(to)].concat()).await;
    assert_eq!(answer.code, 0, "{}", answer.err);
    let again = new.run(&[&["restore", name][..], &place(to)].concat()).await;
    assert_eq!(again.code, 1);
    again.is_plain();
    let restored = new.serve(&[&place(to)[..], &allow].concat()).await;
    let copy = asks(&restored, &token);
    let after = everything(&copy).await;
    for (path, row) in &before {
        assert_eq!(after.get(path), Some(row), "{path}");
    }
    assert_eq!(copy.get("/site/gone-out").await.status, 200);
    messages_are_held_until_confirmed(&copy, &sink).await;
    assert_eq!((restored.end().await, serving.end().await), (0, 0));
}

async fn messages_are_held_until_confirmed(copy: &Caller, sink: &Sink) {
    assert!(copy.get("/api/v1/stats").await.expect(200)["held_since"].is_string());
    let mut ear = Ear::open(copy, None).await;
    let news = publish_at(copy, &draft(copy, "News of the copy").await, 300).await;
    ear.hear_executed(&news).await;
    let waiting = async || copy.get("/api/v1/deliveries").await.expect(200)["items"][0]["state"].clone();
    // The dispatcher was rung by the same commit the ear heard of; a beat later it has looked.
    ear.hear("beat").await;
    ear.hear("beat").await;
    let ready = copy.get("/readyz").await.expect(200);
    assert_eq!(ready["heartbeat"]["weather"], "messages_held", "{ready}");
    assert_eq!((waiting().await, sink.received().len()), (json!("pending"), 0));
    let confirmed = copy.post("/api/v1/restore/confirm", &Value::Null).await.expect(200);
    assert_eq!(confirmed["was_held"], true);
    assert!(sink.wait_for(1).await[0].body.contains("News of the copy"));
    assert!(copy.get("/api/v1/stats").await.expect(200)["held_since"].is_null());
    let twice = copy.post("/api/v1/restore/confirm", &Value::Null).await.expect(200);
    assert_eq!(twice["was_held"], false);
}

/// The files of SQLite in the data folder.
fn files(program: &Program) -> Vec<PathBuf> {
    ["presstime.db", "presstime.db-wal", "presstime.db-shm"].map(|name| program.data().join(name)).into()
}

#[tokio::test]
async fn a_former_state_that_was_put_back_in_its_place_tells_nobody_until_confirmed() {
    let (program, sink) = (Program::new(), Sink::start().await);
    let token = program.admin(&[]).await;
    let allow = ["--webhook-allow-private", "--webhook-allow-http"];
    let serving = program.serve(&allow).await;
    let channel = json!({"name": "Sink", "address": sink.url(), "ladder": "1s"});
    asks(&serving, &token).post("/api/v1/channels", &channel).await.expect(201);
    assert_eq!(serving.end().await, 0);
    let former: Vec<Option<Vec<u8>>> = files(&program).iter().map(|file| fs::read(file).ok()).collect();
    // Whoever starts again where it was left holds nothing.
    let serving = program.serve(&allow).await;
    let caller = asks(&serving, &token);
    publish_at(&caller, &draft(&caller, "Told").await, 300).await;
    sink.wait_for(1).await;
    assert!(caller.get("/api/v1/stats").await.expect(200)["held_since"].is_null());
    assert_eq!(serving.end().await, 0);
    let reached = program.data().join("reached");
    let remembered = fs::read(&reached).unwrap();
    for (file, bytes) in files(&program).iter().zip(former) {
        match bytes {
            // The file stays the one it was: only what is in it is older.
            Some(bytes) => fs::write(file, bytes).unwrap(),
            None => drop(fs::remove_file(file)),
        }
    }
    let serving = program.serve(&allow).await;
    let caller = asks(&serving, &token);
    assert!(caller.get("/api/v1/stats").await.expect(200)["held_since"].is_string());
    caller.post("/api/v1/restore/confirm", &Value::Null).await.expect(200);
    assert_eq!(serving.end().await, 0);
    // As a node that was away meanwhile, and remembers the desk as it was.
    fs::write(reached, remembered).unwrap();
    let serving = program.serve(&allow).await;
    let again = asks(&serving, &token).get("/api/v1/stats").await.expect(200);
    assert!(again["held_since"].is_null(), "whoever has confirmed is not asked again");
}

#[tokio::test]
async fn a_backup_of_sqlite_is_restored_to_sqlite() {
    a_backup_is_restored(None, None).await;
}

#[tokio::test]
async fn a_backup_of_postgresql_is_restored_to_postgresql() {
    let postgres = rig::postgres().await;
    a_backup_is_restored(Some(&postgres.fresh_database()), Some(&postgres.fresh_database())).await;
}

#[tokio::test]
async fn a_backup_of_sqlite_moves_the_desk_to_postgresql_and_back() {
    let postgres = rig::postgres().await;
    a_backup_is_restored(None, Some(&postgres.fresh_database())).await;
    a_backup_is_restored(Some(&postgres.fresh_database()), None).await;
}

#[tokio::test]
async fn what_is_no_backup_is_refused_and_nothing_is_touched() {
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
async fn a_backup_is_not_restored_under_a_running_server() {
    let program = Program::new();
    program.admin(&[]).await;
    assert_eq!(program.run(&["backup", "desk.backup"]).await.code, 0);
    let serving = program.serve(&["--data", "other"]).await;
    serving.caller().get("/readyz").await.expect(200);
    // Ready means that it has beaten, or is about to: the list of nodes is written in the same second.
    let answer = program.run(&["restore", "desk.backup", "--data", "other"]).await;
    assert_eq!(answer.code, 1, "{}", answer.out);
    answer.is_plain();
    assert_eq!(serving.end().await, 0);
}
