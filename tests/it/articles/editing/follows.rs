//! A scheduled publication follows what is saved, unless the desk pins always or reviews texts.

use crate::{on_both, test_server::TestServer};
use domain::{
    ArticleId, State,
    article::{Article, ArticleEdit},
    task::{Change, TaskRow},
};
use serde_json::{Value, json};

on_both!(
    a_save_moves_the_scheduled_publication,
    autosaved_typing_never_goes_out,
    a_desk_that_never_chose_pins_and_a_review_keeps_the_pin,
    a_text_that_lacks_what_the_desk_requires_keeps_the_pin,
    a_release_keeps_its_revisions,
    a_restored_revision_is_followed,
    a_due_publication_is_not_moved,
    a_new_time_at_the_same_moment_loses_no_save,
    plain_forms_choose_and_save_what_is_followed,
);

const SETTINGS: &str = "/api/v1/settings/review";
const MINUTE: i64 = 60_000;

impl TestServer {
    /// Lets scheduled articles follow what is saved.
    pub async fn follow_saves(&self) {
        let changed = self.as_admin().patch(SETTINGS, &json!({"pins_always": false})).await.expect(200);
        assert_eq!(changed["pins_always"], false);
    }

    /// Saves other fields of the article of a task through the API.
    async fn save_fields(&self, row: &TaskRow, fields: Value) {
        let path = format!("/api/v1/articles/{}", row.target_id);
        self.as_creator().patch(&path, &fields).await.expect(200);
    }

    /// Saves a body as the editor does.
    async fn save_body(&self, row: &TaskRow, body: &str, (seen, is_autosave): (i32, bool)) -> Article {
        let edit = ArticleEdit {
            body: Some(body.to_owned()),
            seen_revision: seen,
            is_autosave,
            ..ArticleEdit::default()
        };
        let saved = self.app.services.articles.save(&self.creator.actor, article(row), edit).await;
        saved.expect("it is saved")
    }

    /// Number of the revision that a task pins, and the version of the task.
    async fn pinned(&self, row: &TaskRow) -> (i32, i32) {
        let task = self.app.services.tasks.find(&self.creator.actor, row.id).await.expect("it is there");
        (task.revision.expect("it pins a revision"), task.row.version.0)
    }
}

fn article(row: &TaskRow) -> ArticleId {
    ArticleId(row.target_id)
}

async fn a_save_moves_the_scheduled_publication(server: TestServer) {
    server.follow_saves().await;
    let row = server.create_task("First", MINUTE).await;
    server.save_fields(&row, json!({"title": "Second", "seen_revision": 1})).await;
    assert_eq!(server.pinned(&row).await, (2, 2));
    let task = server.app.services.tasks.find(&server.creator.actor, row.id).await.unwrap();
    assert_eq!((task.row.title.as_str(), task.row.due.at), ("Second", row.due.at));
    let last = task.timeline.last().unwrap();
    assert_eq!((last.verb.as_str(), &last.detail["revision"]), ("replace_revision", &json!(2)));

    let edit = json!({"title": "Third", "seen_revision": 2});
    let path = format!("/api/v1/articles/{}", row.target_id);
    server.as_admin().patch(&path, &edit).await.expect(200);
    assert_eq!(server.pinned(&row).await, (3, 3), "everybody who may schedule it");
    server.as_colleague().patch(&path, &edit).await.refused(403);

    // Undo takes the pin back, not the text; the next save moves it again, even if it changes nothing.
    let undone = server.change(&server.find_task(row.id).await, Change::Undo).await.unwrap();
    assert_eq!((server.pinned(&row).await, undone.has_newer_revision), ((2, 4), true));
    server.save_fields(&row, json!({"title": "Third", "seen_revision": 1})).await;
    assert_eq!(server.pinned(&row).await, (2, 4), "the client did not see this text");
    server.save_fields(&row, json!({"title": "Third", "seen_revision": 3})).await;
    server.save_fields(&row, json!({"title": "Third", "seen_revision": 3})).await;
    assert_eq!(server.pinned(&row).await, (3, 5));

    server.advance(MINUTE).await;
    let task = server.app.services.tasks.find(&server.creator.actor, row.id).await.unwrap();
    assert_eq!((task.row.state, task.revision), (State::Executed, Some(3)));
}

async fn autosaved_typing_never_goes_out(server: TestServer) {
    server.follow_saves().await;
    let row = server.create_task("Typed", MINUTE).await;
    let typed = server.save_body(&row, "Typed.", (1, true)).await;
    assert_eq!((server.pinned(&row).await, typed.drift.is_some()), ((1, 1), true));
    assert_eq!(typed.follows.map(|follows| follows.task), Some(row.id));
    let saved = server.save_body(&row, "Typed.", (2, false)).await;
    assert_eq!((server.pinned(&row).await, saved.drift), ((2, 2), None));
    // What is pinned is never merged with newer typing.
    server.save_body(&row, "Typed on.", (2, true)).await;
    assert_eq!(server.pinned(&row).await, (2, 2));
    server.advance(MINUTE).await;
    let task = server.app.services.tasks.find(&server.creator.actor, row.id).await.unwrap();
    assert_eq!((task.row.state, task.revision), (State::Executed, Some(2)));
}

async fn a_desk_that_never_chose_pins_and_a_review_keeps_the_pin(server: TestServer) {
    let settings = server.as_creator().get(SETTINGS).await.expect(200);
    assert_eq!(settings["pins_always"], true);
    let row = server.create_task("Pinned", MINUTE).await;
    let saved = server.save_body(&row, "Two.", (1, false)).await;
    assert_eq!((server.pinned(&row).await, saved.follows), ((1, 1), None));
    let admin = server.as_admin();
    let reviewed = json!({"pins_always": false, "workflow": "automatic"});
    admin.patch(SETTINGS, &reviewed).await.expect(200);
    let saved = server.save_body(&row, "Three.", (2, false)).await;
    assert_eq!((server.pinned(&row).await, saved.follows), ((1, 1), None));
    admin.patch(SETTINGS, &json!({"workflow": "none"})).await.expect(200);
    server.save_body(&row, "Four.", (3, false)).await;
    assert_eq!(server.pinned(&row).await, (4, 2));
}

async fn a_text_that_lacks_what_the_desk_requires_keeps_the_pin(server: TestServer) {
    server.follow_saves().await;
    let row = server.create_task("Bare", MINUTE).await;
    let required = json!({"checklist": {"summary": "require"}});
    server.as_admin().patch(SETTINGS, &required).await.expect(200);
    let saved = server.save_body(&row, "Two.", (1, false)).await;
    assert_eq!((saved.row.revision, server.pinned(&row).await), (2, (1, 1)), "it is saved nevertheless");
    server.save_fields(&row, json!({"details": {"summary": "In short."}, "seen_revision": 2})).await;
    assert_eq!(server.pinned(&row).await, (3, 2));
}

async fn a_release_keeps_its_revisions(server: TestServer) {
    server.follow_saves().await;
    let draft = server.create_draft("Together").await;
    let items = json!([{"article_id": draft["id"], "action": "publish"}]);
    let new = json!({"name": "Package", "items": items});
    let release = server.as_creator().post("/api/v1/releases", &new).await.expect(201);
    let path = format!("/api/v1/releases/{}", release["id"].as_str().unwrap());
    let at = json!({"due_at": server.time_after(MINUTE)});
    server.as_creator().post(&format!("{path}/schedule"), &at).await.expect(201);
    let article = format!("/api/v1/articles/{}", draft["id"].as_str().unwrap());
    let edit = json!({"title": "Alone", "seen_revision": 1});
    server.as_creator().patch(&article, &edit).await.expect(200);
    let release = server.as_creator().get(&path).await.expect(200);
    assert_eq!(release["items"][0]["revision"], 1);
}

async fn a_restored_revision_is_followed(server: TestServer) {
    server.follow_saves().await;
    let row = server.create_task("Back", MINUTE).await;
    server.save_body(&row, "Two.", (1, false)).await;
    let articles = &server.app.services.articles;
    articles.restore(&server.creator.actor, article(&row), 1, 2).await.unwrap();
    assert_eq!(server.pinned(&row).await, (3, 3));
}

async fn a_due_publication_is_not_moved(server: TestServer) {
    server.follow_saves().await;
    let row = server.create_task("Late", MINUTE).await;
    server.advance_without_loops(MINUTE);
    let saved = server.save_body(&row, "Too late.", (1, false)).await;
    assert_eq!((saved.row.revision, server.pinned(&row).await.0), (2, 1));
}

async fn a_new_time_at_the_same_moment_loses_no_save(server: TestServer) {
    server.follow_saves().await;
    for number in 0..10 {
        let row = server.create_task(&format!("Race {number}"), MINUTE).await;
        let later = Change::Reschedule { when: server.now().plus(2 * MINUTE).into() };
        let (moved, _) = tokio::join!(server.change(&row, later), server.save_body(&row, "Two.", (1, false)));
        let version = if moved.is_ok() { 3 } else { 2 };
        assert_eq!(server.pinned(&row).await, (2, version), "{moved:?}");
    }
}

async fn plain_forms_choose_and_save_what_is_followed(server: TestServer) {
    let admin = server.log_in_browser(&server.admin).await;
    let seen = server.as_admin().get(SETTINGS).await.expect(200)["version"].to_string();
    let form = [("seen", seen.as_str()), ("workflow", "none"), ("decision", "hold")];
    let done = admin.form("/fn/save_review_settings", &form).await;
    assert_eq!(done.status, 303, "{}", done.text);
    assert_eq!(server.as_admin().get(SETTINGS).await.expect(200)["pins_always"], false);

    let row = server.create_task("On paper", 90 * MINUTE).await;
    server.save_body(&row, "Typed.", (1, true)).await;
    let page = format!("/articles/{}", row.target_id);
    let shown = server.page(&server.creator, &page).await;
    for words in ["sends the version saved at", "; your newer typing is not in it.", "Save now"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    for words in ["Use the current text", "is not in the scheduled version"] {
        assert!(!shown.contains(words), "{words}: {shown}");
    }
    let creator = server.log_in_browser(&server.creator).await;
    let id = row.target_id.to_string();
    let form = [("id", id.as_str()), ("title", "On paper"), ("body", "Typed."), ("seen_revision", "2")];
    let done = creator.form("/fn/save_article", &form).await;
    assert!((300..400).contains(&done.status), "{}", done.text);
    assert_eq!(server.pinned(&row).await, (2, 2));
    let shown = server.page(&server.creator, &page).await;
    assert!(shown.contains("sends the version saved at") && !shown.contains("newer typing"), "{shown}");
    let history = server.page(&server.creator, &format!("/tasks/{}", row.id)).await;
    assert!(history.contains("saved revision 2, which it publishes"), "{history}");
}
