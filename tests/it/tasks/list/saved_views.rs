//! Saved views of lists: each account has its own; forms save, rename and delete them.

use crate::{engine::engine_page::assert_contains, on_both, test_server::TestServer};
use domain::{
    DomainError, Version,
    accounts::saved_view::{MAX_VIEWS, NewSavedView, ViewedList},
    error::ValidationError,
};
use serde_json::json;

on_both!(
    a_view_is_saved_renamed_deleted_and_restored,
    a_view_belongs_to_one_account,
    views_are_changed_by_version_and_limited,
    a_view_with_a_deleted_tag_still_opens,
    programs_save_rename_and_delete_views,
);

fn view(name: &str, query: &str) -> NewSavedView {
    NewSavedView { list: ViewedList::Articles, name: name.to_owned(), query: query.to_owned() }
}

async fn a_view_is_saved_renamed_deleted_and_restored(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let page = browser.get("/tasks?state=failed&q=tide").await.expect_page();
    assert_contains(&page, &["Save these filters", "value=\"state=failed&amp;q=tide\""]);
    assert!(!browser.get("/tasks").await.expect_page().contains("Save these filters"));
    let from = ("from", "/tasks?state=failed&q=tide");
    let fields = [("list", "tasks"), ("name", " "), ("query", "state=failed&q=tide"), from];
    let refused = browser.form("/fn/save_view", &fields).await;
    assert_eq!(refused.status, 422);
    assert_contains(&refused.text, &["must not be empty", "Save these filters"]);
    let fields = [("list", "tasks"), ("name", "Tides & <more>"), ("query", "state=failed&q=tide"), from];
    let saved = browser.form("/fn/save_view", &fields).await;
    assert_eq!(saved.result_location(), "/tasks?state=failed&q=tide&done=view-saved");
    let page = browser.get(saved.header("location")).await.expect_page();
    assert_contains(&page, &["The view is saved.", "Tides &amp; &lt;more&gt;", "Rename", "Delete view"]);
    let views = &server.app.services.views;
    let actor = &server.creator.actor;
    let stored = views.list(actor, ViewedList::Tasks).await.unwrap().remove(0);
    let (id, seen) = (stored.id.to_string(), stored.version.0.to_string());
    let fields = [("id", id.as_str()), ("seen", seen.as_str()), ("name", "Tides"), from];
    let renamed = browser.form("/fn/rename_view", &fields).await;
    assert_eq!(renamed.result_location(), "/tasks?state=failed&q=tide&done=view-renamed");
    // The form was rendered before the name changed.
    assert_eq!(browser.form("/fn/delete_view", &fields).await.status, 409);
    let fields = [("id", id.as_str()), ("seen", "2"), from];
    let deleted = browser.form("/fn/delete_view", &fields).await;
    assert_eq!(deleted.result_location(), "/tasks?state=failed&q=tide&done=view-deleted.Tides");
    let page = browser.get(deleted.header("location")).await.expect_page();
    assert_contains(&page, &["The view is deleted.", "Undo delete", "name=\"name\" value=\"Tides\""]);
    assert!(views.list(actor, ViewedList::Tasks).await.unwrap().is_empty());
}

async fn a_view_belongs_to_one_account(server: TestServer) {
    let views = &server.app.services.views;
    let (own, other) = (&server.creator.actor, &server.admin.actor);
    let saved = views.save(own, view("Mine", "mine=1")).await.unwrap();
    assert!(views.list(other, ViewedList::Articles).await.unwrap().is_empty());
    assert_eq!(views.list(own, ViewedList::Tasks).await.unwrap(), []);
    let deleted = views.delete(other, saved.id, Version::FIRST).await;
    assert_eq!(deleted.unwrap_err(), DomainError::no_such("view"));
    let taken = views.rename(other, saved.id, "Theirs".to_owned(), Version::FIRST).await;
    assert_eq!(taken.unwrap_err(), DomainError::no_such("view"));
    assert!(!server.page(&server.admin, "/articles?mine=1").await.contains(">Mine<"));
    assert!(server.page(&server.creator, "/articles?mine=1").await.contains(">Mine<"));
}

async fn views_are_changed_by_version_and_limited(server: TestServer) {
    let views = &server.app.services.views;
    let actor = &server.creator.actor;
    let first = views.save(actor, view("Drafts", "state=draft")).await.unwrap();
    let again = views.save(actor, view("Drafts", "state=draft&mine=1")).await.unwrap();
    assert_eq!((again.id, again.version, again.query.as_str()), (first.id, Version(2), "state=draft&mine=1"));
    let stale = views.rename(actor, first.id, "Old".to_owned(), Version(1)).await;
    assert_eq!(stale.unwrap_err(), DomainError::Changed);
    let other = views.save(actor, view("Other", "")).await.unwrap();
    let taken = views.rename(actor, other.id, "Drafts".to_owned(), Version(1)).await;
    assert_eq!(taken.unwrap_err(), DomainError::Taken { what: "name".to_owned() });
    for number in 2..MAX_VIEWS {
        views.save(actor, view(&number.to_string(), "")).await.unwrap();
    }
    let max = u32::try_from(MAX_VIEWS).unwrap();
    let refused = views.save(actor, view("One more", "")).await.unwrap_err();
    assert_eq!(refused, DomainError::invalid("views", ValidationError::TooMany { max }));
    assert_eq!(views.list(actor, ViewedList::Articles).await.unwrap().len(), MAX_VIEWS);
    views.save(actor, view("Drafts", "state=draft")).await.unwrap();
}

async fn a_view_with_a_deleted_tag_still_opens(server: TestServer) {
    let views = &server.app.services.views;
    let actor = &server.creator.actor;
    views.save(actor, view("Tides", "tag=tides")).await.unwrap();
    let page = server.page(&server.creator, "/articles?tag=tides").await;
    assert_contains(&page, &[">Tides<", "aria-current=\"page\""]);
    let article = server.create_draft("Without the tag").await;
    assert!(article["id"] != json!(null));
    assert!(!server.page(&server.creator, "/articles?tag=tides").await.contains("Without the tag"));
}

async fn programs_save_rename_and_delete_views(server: TestServer) {
    let caller = server.as_creator();
    let new = json!({"list": "tasks", "name": " Failed ", "query": "?state=failed"});
    let saved = caller.post("/api/v1/saved-views", &new).await.expect(201);
    assert_eq!((&saved["name"], &saved["query"]), (&json!("Failed"), &json!("state=failed")));
    let path = format!("/api/v1/saved-views/{}", saved["id"].as_str().unwrap());
    let listed = caller.get("/api/v1/saved-views?list=tasks").await.expect(200);
    assert_eq!(listed["items"], json!([saved]));
    let others = server.as_admin().get("/api/v1/saved-views?list=tasks").await.expect(200);
    assert_eq!(others["items"], json!([]));
    let again = json!({"list": "tasks", "name": "Failed", "query": "state=failed&mine=1"});
    assert_eq!(caller.post("/api/v1/saved-views", &again).await.expect(201)["version"], 2);
    let edit = json!({"name": "Mine", "seen_version": 1});
    assert_eq!(caller.patch(&path, &edit).await.expect(409)["error"]["code"], "changed");
    let edit = json!({"name": "Mine", "seen_version": 2});
    assert_eq!(server.as_admin().patch(&path, &edit).await.expect(404)["error"]["code"], "no_such");
    assert_eq!(caller.patch(&path, &edit).await.expect(200)["name"], "Mine");
    for (new, field) in [
        (json!({"list": "rooms", "name": "A", "query": ""}), "list"),
        (json!({"list": "tasks", "name": "", "query": ""}), "name"),
        (json!({"list": "tasks", "name": "A", "query": "q=a b"}), "query"),
    ] {
        let refused = caller.post("/api/v1/saved-views", &new).await.expect(422);
        assert_eq!(refused["error"]["field"], field, "{refused}");
    }
    for (seen, status) in [(2, 409), (3, 204), (3, 404)] {
        assert_eq!(caller.delete(&format!("{path}?seen_version={seen}")).await.status, status);
    }
}
