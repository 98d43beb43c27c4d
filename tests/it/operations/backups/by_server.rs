//! Backups that the server writes by itself: when, by which node, verified, thinned out, and what
//! admins see of them.

use crate::{
    engine_page::assert_contains,
    http_client::HttpClient,
    on_both,
    program::Program,
    test_server::{Account, TestServer},
};
use domain::{
    Timestamp,
    engine::{
        NodeRole,
        backups::{BackupProblem, BackupState, BackupsReport},
    },
};
use presstime::{
    engine::backups::Backups,
    process::config::{BackupSettings, Config},
    server::Server,
};
use serde_json::{Value, json};
use std::{fs, path::PathBuf, sync::Arc, time::Duration};
use store::{
    PoolRole,
    backup_run::{self, RunEnd},
};
use tokio_util::sync::CancellationToken;

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

on_both!(
    a_backup_is_written_daily_and_verified,
    of_two_nodes_one_writes_a_due_backup,
    a_run_of_a_node_that_ended_is_interrupted,
    a_backup_that_failed_says_why_where_its_result_points,
    a_skipped_backup_is_on_attention_until_one_is_written,
    a_backup_that_cannot_be_restored_is_on_attention,
    admins_write_a_backup_by_the_button,
    the_last_verification_outlives_the_list_of_backups,
);

impl TestServer {
    /// Advances the clock and lets the server do what is due for its backups.
    pub(super) async fn advance_backups(&self, millis: i64) -> BackupsReport {
        self.advance_without_loops(millis);
        self.tick().await;
        self.app.backups.tick().await.unwrap();
        self.backups().await
    }

    async fn backups(&self) -> BackupsReport {
        self.app.services.engine.backups(&self.admin.actor).await.unwrap()
    }

    /// The names in the folder of backups, sorted.
    fn backup_names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.config.backup.to).into_iter().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn backup_file(&self, report: &BackupsReport) -> PathBuf {
        let file = report.last_written.as_ref().unwrap().file.as_ref().unwrap();
        self.config.backup.to.join(file)
    }

    /// The causes on Attention in the API, and the number of items in the heartbeat.
    async fn causes_and_count(&self, caller: HttpClient, account: &Account) -> (Vec<String>, u64) {
        let body = caller.get("/api/v1/attention").await.expect(200);
        let causes = body["items"].as_array().unwrap().iter();
        let causes = causes.map(|item| item["cause"].as_str().unwrap().to_owned()).collect();
        let count = self.app.services.attention.count(&account.actor, false).await.unwrap();
        (causes, count.all)
    }

    /// Records a run of another node that ends as given.
    async fn record_run(&self, end: Option<RunEnd>) {
        let now = self.now();
        let mut tx = self.app.parts.store.begin(PoolRole::Web).await.unwrap();
        let number = backup_run::newest(tx.conn(), 1).await.unwrap().first().map_or(1, |run| run.number + 1);
        let node = domain::NodeId::generate();
        assert!(backup_run::begin(tx.conn(), number, node, "another", now).await.unwrap());
        if let Some(end) = end {
            assert!(backup_run::finish(tx.conn(), number, &end, now).await.unwrap());
        }
        tx.commit().await.unwrap();
    }
}

async fn a_backup_is_written_daily_and_verified(server: TestServer) {
    server.schedule_new_article("Saved", 1_000).await;
    let report = server.advance_backups(599_000).await;
    assert!(report.runs.is_empty() && server.backup_names().is_empty(), "{report:?}");
    let report = server.advance_backups(1_000).await;
    let run = report.last_written.clone().unwrap();
    assert_eq!((run.state, run.number, run.node.as_str()), (BackupState::Written, 1, "test"));
    let file = server.backup_file(&report);
    assert_eq!(fs::metadata(&file).unwrap().len(), run.bytes.unwrap());
    let verification = report.last_verified.clone().unwrap().verification.unwrap();
    assert_eq!((verification.problem, verification.at), (None, server.now()));
    let others: Vec<String> =
        server.backup_names().into_iter().filter(|name| !name.ends_with(".backup")).collect();
    assert!(others.iter().all(|name| name == "auto.media"), "{others:?}");
    // The next one is due in a day, its verification in a week.
    assert_eq!(server.advance_backups(DAY_MS - 1).await, report);
    let report = server.advance_backups(1).await;
    assert_eq!((report.runs.len(), report.problem), (2, None));
    assert_eq!(report.last_verified.unwrap().number, 1);
    for _ in 0..6 {
        server.advance_backups(DAY_MS).await;
    }
    let report = server.backups().await;
    assert_eq!((report.runs.len(), report.last_verified.unwrap().number), (8, 8));
}

async fn of_two_nodes_one_writes_a_due_backup(server: TestServer) {
    let other = server.open_second_node().await;
    server.advance_backups(0).await;
    server.align_database_clock(&other);
    other.loops.tick(server.now()).await;
    server.advance_without_loops(DAY_MS);
    server.tick().await;
    server.align_database_clock(&other);
    other.loops.tick(server.now()).await;
    let (one, two) = tokio::join!(server.app.backups.tick(), other.backups.tick());
    one.unwrap();
    two.unwrap();
    let report = server.backups().await;
    assert_eq!((report.runs.len(), report.runs[0].state), (1, BackupState::Written));
    let files = server.backup_names().into_iter().filter(|name| name.ends_with(".backup"));
    assert_eq!(files.count(), 1);
    other.close().await;
}

async fn a_run_of_a_node_that_ended_is_interrupted(server: TestServer) {
    server.record_run(None).await;
    let report = server.advance_backups(1_000).await;
    assert_eq!((report.runs[0].state, report.runs.len()), (BackupState::Interrupted, 1));
    let report = server.advance_backups(HOUR_MS).await;
    assert_eq!((report.runs[0].state, report.problem), (BackupState::Written, None));
}

async fn a_backup_that_failed_says_why_where_its_result_points(server: TestServer) {
    let end =
        RunEnd { state: "failed", file: None, bytes: None, detail: Some("the folder is missing".to_owned()) };
    server.record_run(Some(end)).await;
    assert_eq!(server.backups().await.problem, None, "one is no reason to worry");
    let page = server.page(&server.admin, "/engine").await;
    assert_contains(&page, &["The last backup failed.\nthe folder is missing"]);
}

async fn a_skipped_backup_is_on_attention_until_one_is_written(server: TestServer) {
    let end = RunEnd { state: "skipped", file: None, bytes: Some(3 << 30), detail: None };
    server.record_run(Some(end)).await;
    let report = server.advance_backups(1_000).await;
    assert_eq!(report.problem, Some(BackupProblem::NoSpace));
    server.tick().await;
    let seen = server.causes_and_count(server.as_admin(), &server.admin).await;
    assert_eq!(seen, (vec!["backups_failing".to_owned()], 1));
    let seen = server.causes_and_count(server.as_creator(), &server.creator).await;
    assert_eq!(seen, (Vec::new(), 0));
    let page = server.page(&server.admin, "/").await;
    assert_contains(&page, &["No backup was written: too little space is free", "/engine#backups"]);
    let page = server.page(&server.admin, "/engine").await;
    assert_contains(&page, &["It needs 3.0 GiB of free space."]);
    let report = server.advance_backups(HOUR_MS).await;
    assert_eq!((report.runs[0].state, report.problem), (BackupState::Written, None));
    server.tick().await;
    let seen = server.causes_and_count(server.as_admin(), &server.admin).await;
    assert_eq!(seen, (Vec::new(), 0));
}

async fn a_backup_that_cannot_be_restored_is_on_attention(server: TestServer) {
    let report = server.advance_backups(DAY_MS).await;
    assert_eq!(report.problem, None);
    // A week later the newest one, which is damaged, is verified.
    let run = server.as_admin().post("/api/v1/backups", &Value::Null).await.expect(201);
    let file = server.config.backup.to.join(run["file"].as_str().unwrap());
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    // With a longer interval no other backup becomes the newest one meanwhile.
    let backup = BackupSettings { every: Duration::from_secs(31 * 86_400), ..server.config.backup.clone() };
    let config = Config { backup, ..server.config.clone() };
    let backups = Backups::new(server.app.parts.clone(), &config).unwrap();
    server.advance_without_loops(7 * DAY_MS);
    server.tick().await;
    backups.tick().await.unwrap();
    let report = server.backups().await;
    assert_eq!(report.problem, Some(BackupProblem::NotRestorable));
    let problem = report.last_verified.unwrap().verification.unwrap().problem.unwrap();
    let page = server.page(&server.admin, "/engine").await;
    assert_contains(&page, &["The last backup cannot be restored", "cannot be restored"]);
    assert!(!problem.is_empty());
    // The next one is verified at once.
    let report = server.advance_backups(DAY_MS).await;
    assert_eq!(report.problem, None, "{report:?}");
}

async fn admins_write_a_backup_by_the_button(server: TestServer) {
    let page = server.page(&server.admin, "/engine").await;
    assert_contains(&page, &["Back up now", "none yet", "the newest of 7 days and 4 weeks is kept"]);
    let browser = server.log_in_browser(&server.admin).await;
    let reply = browser.form("/fn/back_up_now", &[("from", "/engine")]).await;
    assert_eq!((reply.status, reply.result_location().as_str()), (303, "/engine?done=backup-written"));
    let report = server.backups().await;
    assert_eq!(report.runs.len(), 1);
    let page = server.page(&server.admin, "/engine").await;
    assert_contains(&page, &[report.last_written.unwrap().file.unwrap().as_str()]);
    // Of one day the newest is kept.
    let run = server.as_admin().post("/api/v1/backups", &Value::Null).await.expect(201);
    assert_eq!((&run["state"], &run["number"]), (&json!("written"), &json!(2)));
    let list = server.as_admin().get("/api/v1/backups").await.expect(200);
    let removed: Vec<bool> =
        list["items"].as_array().unwrap().iter().map(|run| run["removed_at"].is_string()).collect();
    assert_eq!(removed, [false, true]);
    let files = server.backup_names().into_iter().filter(|name| name.ends_with(".backup"));
    assert_eq!(files.collect::<Vec<_>>(), [run["file"].as_str().unwrap()]);
    let system = server.as_admin().get("/api/v1/system").await.expect(200);
    assert_eq!(system["last_backup"]["number"], 2, "{system}");
    assert_eq!(system["schema_step"], system["known_schema_step"]);
    assert!(system["last_verification"].is_null());
}

async fn the_last_verification_outlives_the_list_of_backups(server: TestServer) {
    let report = server.advance_backups(DAY_MS).await;
    assert_eq!(report.last_verified.map(|run| run.number), Some(1));
    // Backups every ten minutes: more than 100 of them in a week.
    let (now, node) = (server.now(), domain::NodeId::generate());
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    for number in 2..=120 {
        assert!(backup_run::begin(tx.conn(), number, node, "another", now).await.unwrap());
        let file = Some(format!("{number}.backup"));
        let end = RunEnd { state: "written", file, bytes: Some(1), detail: None };
        assert!(backup_run::finish(tx.conn(), number, &end, now).await.unwrap());
    }
    backup_run::delete_old(tx.conn(), 120).await.unwrap();
    assert_eq!(backup_run::newest(tx.conn(), 200).await.unwrap().len(), 101);
    tx.commit().await.unwrap();
    assert_eq!(server.backups().await.last_verified.map(|run| run.number), Some(1));
}

#[tokio::test]
async fn a_backup_of_the_server_is_restored_with_its_uploaded_files() {
    let server = TestServer::start(crate::test_server::Backend::Embedded).await;
    let picture = crate::articles::media::fixture::png(1);
    let upload = server.as_creator().request(reqwest::Method::POST, "/api/v1/media").body(picture);
    crate::http_client::Reply::of(upload).await.expect(201);
    let before = server.config.backup.to.join("before-0.0.1-x.backup");
    fs::create_dir_all(&server.config.backup.to).unwrap();
    fs::write(&before, "of an upgrade").unwrap();
    let report = server.advance_backups(DAY_MS).await;
    assert!(before.exists(), "it is not thinned out");
    assert_eq!(report.last_verified.as_ref().unwrap().verification.as_ref().unwrap().problem, None);
    let copy = Program::new();
    let answer = copy.run(&["restore", server.backup_file(&report).to_str().unwrap()]).await;
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert!(!answer.out.contains("missing"), "{}", answer.out);
    let hashes = fs::read_dir(copy.data().join("media")).unwrap();
    assert_eq!(hashes.count(), 1, "the uploaded file is restored");
}

#[tokio::test]
async fn a_node_that_only_serves_pages_asks_another_one_for_a_backup() {
    let server = TestServer::start_with(|config| config.role = NodeRole::Web).await;
    server.tick().await;
    let admin = server.as_admin();
    assert_eq!(admin.post("/api/v1/backups", &Value::Null).await.refused(409), "no_backup_node");
    assert!(server.backup_names().is_empty(), "it writes nothing itself");
    let config = Config { role: NodeRole::Work, node: "another".to_owned(), ..server.config.clone() };
    let other = Server::open_with(&config, Arc::clone(&server.app.parts.clock)).await.unwrap();
    server.align_database_clock(&other);
    other.loops.tick(server.now()).await;
    let stop = CancellationToken::new();
    let asking = async {
        let reply = admin.post("/api/v1/backups", &Value::Null).await;
        stop.cancel();
        reply.expect(201)
    };
    let ticking = async {
        while !stop.is_cancelled() {
            other.backups.tick().await.unwrap();
            tokio::task::yield_now().await;
        }
    };
    let (run, ()) = tokio::join!(asking, ticking);
    assert_eq!((&run["state"], &run["node"]), (&json!("written"), &json!("another")));
    other.backups.tick().await.unwrap();
    assert_eq!(server.backups().await.runs.len(), 1, "it was asked for once");
    other.close().await;
}

#[tokio::test]
async fn backups_that_are_off_are_written_only_by_hand() {
    let server = TestServer::start_with(|config| config.backup.enabled = false).await;
    let report = server.advance_backups(3 * DAY_MS).await;
    assert_eq!((report.is_enabled, report.runs.len(), report.problem), (false, 0, None));
    server.as_admin().post("/api/v1/backups", &Value::Null).await.expect(201);
    let report = server.advance_backups(3 * DAY_MS).await;
    assert_eq!((report.runs.len(), report.problem), (1, None));
    let started: Timestamp = report.runs[0].started_at;
    assert_eq!(server.now().since(started), 3 * DAY_MS);
}

#[tokio::test]
async fn monthly_backups_are_kept_where_the_settings_say_so() {
    let server = TestServer::start_with(|config| config.backup.keep.monthly = 12).await;
    let page = server.page(&server.admin, "/engine").await;
    assert_contains(&page, &["the newest of 7 days, 4 weeks and 12 months is kept"]);
    let list = server.as_admin().get("/api/v1/backups").await.expect(200);
    let kept = ["keep_daily", "keep_weekly", "keep_monthly"].map(|name| list[name].as_u64());
    assert_eq!(kept, [Some(7), Some(4), Some(12)]);
}
