//! Who did what: by person and item, page by page, and only what one may see.

use crate::{
    engine::engine_page::assert_contains, http_client::HttpClient, on_both, test_server::TestServer,
};
use domain::{services::Invitations as _, task::Change};
use serde_json::{Value, json};

on_both!(
    the_activity_names_what_was_done_newest_first,
    it_is_filtered_by_person_and_item,
    a_series_is_one_entry,
    what_only_admins_see_is_left_out,
    pages_are_full_though_events_are_left_out,
    the_page_says_it_in_words,
    what_runs_at_once_and_its_undo_are_shown_once,
    a_wrong_cursor_leads_to_the_start_of_the_list,
);

const PATH: &str = "/api/v1/activity";

async fn items(client: &HttpClient, query: &str) -> Vec<Value> {
    let page = client.get(&format!("{PATH}?{query}")).await.expect(200);
    page["items"].as_array().unwrap().clone()
}

fn verbs(items: &[Value]) -> Vec<(&str, &str)> {
    fn text(value: &Value) -> &str {
        value.as_str().unwrap()
    }
    items.iter().map(|one| (text(&one["event"]["verb"]), text(&one["subject"]["title"]))).collect()
}

async fn the_activity_names_what_was_done_newest_first(server: TestServer) {
    let client = server.as_creator();
    let (_, task) = server.schedule_new_article("High tide", 60_000).await;
    let cancel = format!("/api/v1/tasks/{}/cancel", task["id"].as_str().unwrap());
    client.post(&cancel, &json!({"seen_version": 1})).await.expect(200);
    let found = items(&client, "limit=3").await;
    assert_eq!(verbs(&found), [("cancel", "High tide"), ("schedule", "High tide"), ("create", "High tide")]);
    assert_eq!(found[0]["subject"]["kind"], "article");
    let page = client.get(&format!("{PATH}?limit=2")).await.expect(200);
    let rest = items(&client, &format!("cursor={}", page["next_cursor"].as_str().unwrap())).await;
    assert_eq!(verbs(&rest[..1]), [("create", "High tide")]);
    // The engine's own work is shown on request.
    let (second, _) = server.schedule_new_article("Low tide", 60_000).await;
    server.advance(60_000).await;
    assert!(!verbs(&items(&client, "").await).iter().any(|(verb, _)| *verb == "execute"));
    let all = items(&client, &format!("engine=true&item={}", second["id"].as_str().unwrap())).await;
    assert!(verbs(&all).contains(&("execute", "Low tide")), "{all:?}");
}

async fn it_is_filtered_by_person_and_item(server: TestServer) {
    let (client, colleague) = (server.as_creator(), server.as_colleague());
    let mine = server.create_draft("Mine").await;
    colleague.post("/api/v1/articles", &json!({"title": "Theirs", "body": ""})).await.expect(201);
    let person = server.colleague.actor.account.0;
    let found = items(&client, &format!("person={person}")).await;
    assert_eq!(verbs(&found), [("create", "Theirs")]);
    let found = items(&client, &format!("item={}", mine["id"].as_str().unwrap())).await;
    assert_eq!(verbs(&found), [("create", "Mine")]);
    for (field, query) in [("item", "item=x"), ("cursor", "cursor=x")] {
        let refused = client.get(&format!("{PATH}?{query}")).await.expect(422);
        assert_eq!(refused["error"]["field"], field);
    }
}

async fn a_series_is_one_entry(server: TestServer) {
    let client = server.as_creator();
    let rule = json!({"frequency": "weekly", "weekdays": ["monday"], "count": 4});
    let new = json!({"title": "Planning", "local_start": "2027-03-08T09:00", "local_end": "2027-03-08T10:00",
        "zone": "UTC", "series": {"rule": rule}});
    let first = client.post("/api/v1/meetings", &new).await.expect(201);
    let found = items(&client, "").await;
    assert_eq!(verbs(&found).iter().filter(|(_, title)| *title == "Planning").count(), 1, "{found:?}");
    let of_first = items(&client, &format!("item={}", first["id"].as_str().unwrap())).await;
    assert_eq!(verbs(&of_first), [("book", "Planning")]);
}

async fn what_only_admins_see_is_left_out(server: TestServer) {
    let new = json!({"name": "Hook", "url": "https://hook.example/", "events": ["article.published"]});
    server.as_admin().post("/api/v1/channels", &new).await.expect(201);
    assert!(verbs(&items(&server.as_admin(), "").await).contains(&("create", "Hook")));
    assert!(!verbs(&items(&server.as_creator(), "").await).iter().any(|(_, title)| *title == "Hook"));
    // Nor what was done to the accounts of others; of the own account, no log-ins.
    let other = server.colleague.actor.account;
    server.app.accounts.reset_password(&server.admin.actor, other).await.unwrap();
    server.log_in_browser(&server.creator).await;
    let found = items(&server.as_creator(), "").await;
    let subjects: Vec<&Value> = found.iter().map(|one| &one["subject"]).collect();
    assert!(!subjects.iter().any(|subject| subject["id"] == other.to_string()), "{subjects:?}");
    let verbs = found.iter().map(|one| &one["event"]["verb"]);
    assert!(verbs.into_iter().all(|verb| verb != "log_in"));
}

async fn pages_are_full_though_events_are_left_out(server: TestServer) {
    for title in ["First", "Second"] {
        server.create_draft(title).await;
        for hook in 0..6 {
            let new = json!({"name": format!("{title} {hook}"), "url": "https://hook.example/", "events": ["article.published"]});
            server.as_admin().post("/api/v1/channels", &new).await.expect(201);
        }
    }
    // The six newest events are not the creator's to see, and four are read at a time.
    let page = server.as_creator().get(&format!("{PATH}?limit=1")).await.expect(200);
    assert_eq!(verbs(page["items"].as_array().unwrap()), [("create", "Second")]);
    let rest = format!("limit=1&cursor={}", page["next_cursor"].as_str().unwrap());
    assert_eq!(verbs(&items(&server.as_creator(), &rest).await), [("create", "First")]);
}

async fn the_page_says_it_in_words(server: TestServer) {
    let (article, _) = server.schedule_new_article("High tide", 60_000).await;
    let browser = server.log_in_browser(&server.creator).await;
    let page = browser.get("/activity").await.expect_page();
    assert_contains(&page, &["High tide", "creator scheduled it", "creator created it", "Everyone"]);
    let one = browser.get(&format!("/activity?item={}", article["id"].as_str().unwrap())).await.expect_page();
    assert_contains(&one, &["creator created it", "Only one item is shown."]);
    let none = browser.get("/activity?item=e3e70682-c209-4cac-a29f-6fbed82c07cd").await.expect_page();
    assert_contains(&none, &["Nothing happened here.", "Show all"]);
}

async fn what_runs_at_once_and_its_undo_are_shown_once(server: TestServer) {
    let article = server.create_article("High tide").await;
    let row = server.app.services.tasks.publish_now(&server.creator.actor, article).await.unwrap();
    server.advance(1_000).await;
    server.change(&server.find_task(row.id).await, Change::Undo).await.unwrap();
    let found = items(&server.as_creator(), "").await;
    let shown = ["execute", "undo", "schedule", "create"].map(|verb| (verb, "High tide"));
    assert_eq!(verbs(&found)[..4], shown, "{found:?}");
    let page = server.log_in_browser(&server.creator).await.get("/activity").await.expect_page();
    let sentences = ["creator reverted it", "creator undid “Publish now”", "creator published it now"];
    assert_contains(&page, &sentences);
    assert!(!page.contains("creator scheduled it"), "{page}");
}

async fn a_wrong_cursor_leads_to_the_start_of_the_list(server: TestServer) {
    let browser = server.log_in_browser(&server.admin).await;
    for path in ["/activity", "/articles", "/tasks", "/meetings", "/reminders", "/messages", "/media"] {
        let page = browser.get(&format!("{path}?cursor=!&q=tide")).await;
        assert_eq!(page.status, 422, "{path}");
        let link = format!("<a href=\"{path}?q=tide\">Open the list from its start");
        let sentence =
            "This part of the list cannot be found: the address is incomplete, or of another list.";
        assert_contains(&page.text, &[sentence, &link]);
    }
}
