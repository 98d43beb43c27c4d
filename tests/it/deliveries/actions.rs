//! Which actions notify channels: the table of `docs/WEBHOOKS.md`, counted.

use super::text;
use crate::{house::Story, on_both};
use domain::{
    ArticleId,
    task::{Change, TaskRow},
};
use presstime::{
    import::{self, Import, Progress},
    zone::Zone,
};
use rig::Sink;
use serde_json::{Value, json};

on_both!(each_action_notifies_as_the_table_says, an_import_notifies_of_what_goes_out_and_of_nothing_else);

struct Silence;

impl Progress for Silence {
    fn begin(&self, _files: usize) {}
    fn step(&self, _files: usize) {}
}

/// A channel, and how many of its messages were looked at.
struct Told {
    sink: Sink,
    seen: usize,
}

impl Told {
    async fn begin(story: &Story) -> Self {
        let sink = Sink::start().await;
        story.channel(&sink, json!({})).await;
        Self { sink, seen: 0 }
    }

    /// What was told since the last look.
    async fn since(&mut self, story: &Story) -> Vec<String> {
        story.advance(1_000).await;
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

async fn save(story: &Story, article: ArticleId, seen: i32) {
    let edit = json!({ "title": format!("Text {}", seen + 1), "seen_revision": seen });
    story.as_creator().patch(&format!("/api/v1/articles/{article}"), &edit).await.expect(200);
}

async fn each_action_notifies_as_the_table_says(story: Story) {
    let mut told = Told::begin(&story).await;
    let (tasks, actor) = (story.house.desk.tasks.clone(), story.creator.actor.clone());
    let article = story.article("Text 1").await;
    save(&story, article, 1).await;
    assert_eq!(told.since(&story).await, NONE, "create, save");
    let at = async |story: &Story, millis: i64| -> TaskRow {
        let wish = crate::wish::publish(article, story.now().plus(millis));
        story.house.desk.tasks.schedule(&story.creator.actor, wish).await.unwrap()
    };
    let row = at(&story, 600_000).await;
    let moved = Change::Reschedule { when: story.now().plus(900_000).into() };
    let row = story.change(&row, moved).await.unwrap();
    save(&story, article, 2).await;
    let row = story.change(&row, Change::ReplaceRevision).await.unwrap();
    story.change(&row, Change::Cancel).await.unwrap();
    assert_eq!(told.since(&story).await, NONE, "schedule, move, replace, cancel");

    let row = tasks.publish_at_once(&actor, article).await.unwrap();
    assert_eq!(told.since(&story).await, PUBLISHED, "publish now");
    tasks.publish_at_once(&actor, article).await.unwrap();
    assert_eq!(told.since(&story).await, NONE, "a second click");
    story.change(&story.look(row.id).await, Change::Undo).await.unwrap();
    assert_eq!(told.since(&story).await, UNPUBLISHED, "undo of a publication");

    at(&story, 1_000).await;
    assert_eq!(told.since(&story).await, PUBLISHED, "a scheduled publication");
    save(&story, article, 3).await;
    let late = at(&story, 1_000).await;
    story.wait_without_loops(3_600_000);
    assert_eq!(told.since(&story).await, UPDATED, "caught up an hour late");
    assert_eq!(story.look(late.id).await.state, domain::State::Executed);

    save(&story, article, 4).await;
    let missed = at(&story, 1_000).await;
    story.wait_without_loops(25 * 3_600_000);
    assert_eq!(told.since(&story).await, NONE, "missed");
    story.change(&story.look(missed.id).await, Change::Retry).await.unwrap();
    assert_eq!(told.since(&story).await, UPDATED, "retry");

    let row = tasks.unpublish_at_once(&actor, article).await.unwrap();
    assert_eq!(told.since(&story).await, UNPUBLISHED, "unpublish");
    story.change(&story.look(row.id).await, Change::Undo).await.unwrap();
    assert_eq!(told.since(&story).await, PUBLISHED, "undo of an unpublication");
    let slug = story.house.desk.articles.rename(&actor, article, "another-name".to_owned()).await;
    assert!(slug.is_ok());
    assert_eq!(told.since(&story).await, NONE, "rename");
}

async fn an_import_notifies_of_what_goes_out_and_of_nothing_else(story: Story) {
    let mut told = Told::begin(&story).await;
    let folder = tempfile::tempdir().unwrap();
    let past = "---\ntitle: Past\ndate: 2020-01-01\n---\nText.\n";
    let ahead = "---\ntitle: Ahead\ndate: 2027-03-01T09:00:00Z\n---\nText.\n";
    std::fs::write(folder.path().join("past.md"), past).unwrap();
    std::fs::write(folder.path().join("ahead.md"), ahead).unwrap();
    let wish = Import {
        folder: folder.path().to_path_buf(),
        zone: Zone::stored("Europe/Berlin"),
        publish_past: true,
        pace: None,
    };
    let run = async || import::run(&story.house, &story.creator.actor, &wish, &Silence).await.unwrap();
    let report = run().await;
    assert_eq!((report.created, report.scheduled), (2, 1), "{report:?}");
    assert_eq!(told.since(&story).await, NONE, "import, with what is past made public");
    let again = run().await;
    assert_eq!(again.unchanged, 2, "{again:?}");
    assert_eq!(told.since(&story).await, NONE, "a second import");
    story.advance(3_600_000).await;
    assert_eq!(told.since(&story).await, PUBLISHED, "what the import scheduled");
    run().await;
    assert_eq!(told.since(&story).await, NONE, "a third import");
}
