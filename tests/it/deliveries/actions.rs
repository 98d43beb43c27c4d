//! Which actions notify channels: the table of `docs/WEBHOOKS.md`.

use super::text;
use crate::{on_both, test_server::TestServer};
use domain::{
    ArticleId,
    task::{Change, TaskRow},
};
use presstime::{
    imports::importer::{self, Import, Progress},
    zone::Zone,
};
use serde_json::{Value, json};
use test_support::Sink;

on_both!(each_action_notifies_as_documented, an_import_notifies_only_of_scheduled_publications);

struct NoProgress;

impl Progress for NoProgress {
    fn begin(&self, _files: usize) {}
    fn step(&self, _files: usize) {}
}

/// A channel, and how many of its messages were already read.
struct ReadMessages {
    sink: Sink,
    seen: usize,
}

impl ReadMessages {
    async fn start(server: &TestServer) -> Self {
        let sink = Sink::start().await;
        server.create_webhook(&sink, json!({})).await;
        Self { sink, seen: 0 }
    }

    /// Returns the types of the messages sent since the last call.
    async fn since(&mut self, server: &TestServer) -> Vec<String> {
        server.advance(1_000).await;
        let all = self.sink.received();
        let new = all[self.seen..].iter().map(|message| {
            let body: Value = serde_json::from_str(&message.body).unwrap();
            text(&body["type"]).to_owned()
        });
        let new = new.collect();
        self.seen = all.len();
        new
    }
}

const NONE: [&str; 0] = [];
const PUBLISHED: [&str; 1] = ["article.published"];
const UPDATED: [&str; 1] = ["article.updated"];
const UNPUBLISHED: [&str; 1] = ["article.unpublished"];

async fn save(server: &TestServer, article: ArticleId, seen: i32) {
    let edit = json!({ "title": format!("Text {}", seen + 1), "seen_revision": seen });
    server.as_creator().patch(&format!("/api/v1/articles/{article}"), &edit).await.expect(200);
}

async fn each_action_notifies_as_documented(server: TestServer) {
    let mut messages = ReadMessages::start(&server).await;
    let (tasks, actor) = (server.app.services.tasks.clone(), server.creator.actor.clone());
    let article = server.create_article("Text 1").await;
    save(&server, article, 1).await;
    assert_eq!(messages.since(&server).await, NONE, "create, save");
    let at = async |server: &TestServer, millis: i64| -> TaskRow {
        let new_task = crate::new_task::publish(article, server.now().plus(millis));
        server.app.services.tasks.schedule(&server.creator.actor, new_task).await.unwrap()
    };
    let row = at(&server, 600_000).await;
    let moved = Change::Reschedule { when: server.now().plus(900_000).into() };
    let row = server.change(&row, moved).await.unwrap();
    save(&server, article, 2).await;
    let row = server.change(&row, Change::ReplaceRevision).await.unwrap();
    server.change(&row, Change::Cancel).await.unwrap();
    assert_eq!(messages.since(&server).await, NONE, "schedule, move, replace, cancel");

    let row = tasks.publish_now(&actor, article).await.unwrap();
    assert_eq!(messages.since(&server).await, PUBLISHED, "publish now");
    tasks.publish_now(&actor, article).await.unwrap();
    assert_eq!(messages.since(&server).await, NONE, "a second click");
    server.change(&server.find_task(row.id).await, Change::Undo).await.unwrap();
    assert_eq!(messages.since(&server).await, UNPUBLISHED, "undo of a publication");

    at(&server, 1_000).await;
    assert_eq!(messages.since(&server).await, PUBLISHED, "a scheduled publication");
    save(&server, article, 3).await;
    let late = at(&server, 1_000).await;
    server.advance_without_loops(3_600_000);
    assert_eq!(messages.since(&server).await, UPDATED, "caught up an hour late");
    assert_eq!(server.find_task(late.id).await.state, domain::State::Executed);

    save(&server, article, 4).await;
    let missed = at(&server, 1_000).await;
    server.advance_without_loops(25 * 3_600_000);
    assert_eq!(messages.since(&server).await, NONE, "missed");
    server.change(&server.find_task(missed.id).await, Change::Retry).await.unwrap();
    assert_eq!(messages.since(&server).await, UPDATED, "retry");

    let row = tasks.unpublish_now(&actor, article).await.unwrap();
    assert_eq!(messages.since(&server).await, UNPUBLISHED, "unpublish");
    server.change(&server.find_task(row.id).await, Change::Undo).await.unwrap();
    assert_eq!(messages.since(&server).await, PUBLISHED, "undo of an unpublication");
    let slug = server.app.services.articles.rename(&actor, article, "another-name".to_owned()).await;
    assert!(slug.is_ok());
    assert_eq!(messages.since(&server).await, NONE, "rename");
}

async fn an_import_notifies_only_of_scheduled_publications(server: TestServer) {
    let mut messages = ReadMessages::start(&server).await;
    let folder = tempfile::tempdir().unwrap();
    let past = "---\ntitle: Past\ndate: 2020-01-01\n---\nText.\n";
    let ahead = "---\ntitle: Ahead\ndate: 2027-03-01T09:00:00Z\n---\nText.\n";
    std::fs::write(folder.path().join("past.md"), past).unwrap();
    std::fs::write(folder.path().join("ahead.md"), ahead).unwrap();
    let import = Import {
        publish_past: true,
        spacing: None,
        ..Import::new(folder.path().to_path_buf(), Zone::stored("Europe/Berlin"))
    };
    let run = async || {
        importer::run(&server.app.importer, &server.creator.actor, &import, &NoProgress).await.unwrap()
    };
    let report = run().await;
    assert_eq!((report.created, report.scheduled), (2, 1), "{report:?}");
    assert_eq!(messages.since(&server).await, NONE, "import, with what is past made public");
    let again = run().await;
    assert_eq!(again.unchanged, 2, "{again:?}");
    assert_eq!(messages.since(&server).await, NONE, "a second import");
    server.advance(3_600_000).await;
    assert_eq!(messages.since(&server).await, PUBLISHED, "what the import scheduled");
    run().await;
    assert_eq!(messages.since(&server).await, NONE, "a third import");
}
