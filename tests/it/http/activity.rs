//! Who did what: by person and item, page by page, and only what one may see.

use crate::{
    engine::engine_page::assert_contains, http_client::HttpClient, meetings::HOUR, on_both,
    test_server::TestServer,
};
use domain::{account::OnDisable, services::Invitations as _, task::Change};
use serde_json::{Value, json};
use test_support::{Behaviour, Sink};

on_both!(
    the_activity_names_what_was_done_newest_first,
    it_is_filtered_by_person_and_item,
    a_series_is_one_entry,
    what_only_admins_see_is_left_out,
    pages_are_full_though_events_are_left_out,
    the_page_says_it_in_words,
    what_runs_at_once_and_its_undo_are_shown_once,
    a_hand_over_names_the_new_owner,
    what_was_done_with_a_message_names_article_and_channel,
    a_text_that_needed_no_decision_is_not_submitted,
    a_deadline_is_shown_by_its_effects,
    an_invitation_names_the_invited_person,
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

async fn a_hand_over_names_the_new_owner(server: TestServer) {
    server.schedule_new_article("High tide", 60_000).await;
    let room = server.create_room(json!({"name": "Aula"})).await;
    let meeting = server.book(&room, HOUR, 2 * HOUR).await.expect(201);
    let (from, to) = (server.creator.actor.account, server.colleague.actor.account);
    let (accounts, how) = (&server.app.services.accounts, Some(OnDisable::HandOver(to)));
    accounts.disable(&server.admin.actor, from, how).await.unwrap();
    let found = items(&server.as_admin(), "").await;
    let handed: Vec<_> = verbs(&found).into_iter().filter(|(verb, _)| *verb == "hand_over").collect();
    assert_eq!(handed.len(), 2, "not the tasks of the meeting: {found:?}");
    assert!(handed.contains(&("hand_over", "High tide")) && handed.contains(&("hand_over", "Planning")));
    let page = server.page(&server.admin, "/activity").await;
    assert_contains(&page, &["admin handed it over to colleague"]);
    assert!(!page.contains("took it over"), "{page}");
    let path = format!("/meetings/{}", meeting["id"].as_str().unwrap());
    assert_contains(&server.page(&server.admin, &path).await, &["admin handed it over to colleague"]);
}

async fn what_was_done_with_a_message_names_article_and_channel(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"on_unknown_outcome": "hold"})).await;
    sink.behave([Behaviour::Disconnect]);
    let (article, task) = server.schedule_new_article("High tide", 1_000).await;
    server.advance(1_000).await;
    server.advance(24 * HOUR).await;
    server.resolve_delivery(&server.latest_delivery(&channel).await, "arrived").await;
    for query in ["limit=1".to_owned(), format!("limit=1&item={}", article["id"].as_str().unwrap())] {
        let found = items(&server.as_admin(), &query).await;
        assert_eq!(verbs(&found), [("confirm", "High tide")], "{query}");
        assert_eq!(found[0]["subject"]["id"], article["id"]);
    }
    let done = "admin marked a message as delivered";
    assert_contains(&server.page(&server.admin, "/activity").await, &[&format!("{done} to Sink")]);
    let page = server.page(&server.creator, "/activity").await;
    assert_contains(&page, &[done]);
    assert!(!page.contains("to Sink"), "only admins see channels: {page}");
    let task = server.page(&server.admin, &format!("/tasks/{}", task["id"].as_str().unwrap())).await;
    assert_contains(&task, &["The engine got no response to the message to Sink"]);
    let (channels, id) = (&server.app.services.channels, channel["id"].as_str().unwrap().parse().unwrap());
    channels.retry_all(&server.admin.actor, id, 10).await.unwrap();
    assert_eq!(
        verbs(&items(&server.as_admin(), "limit=1").await),
        [("retry", "Sink")],
        "it was never paused"
    );
    let page = server.page(&server.admin, "/activity").await;
    assert_contains(&page, &["admin sent its waiting messages at once"]);
}

async fn a_text_that_needed_no_decision_is_not_submitted(server: TestServer) {
    let admin = server.as_admin();
    admin.patch("/api/v1/settings/review", &json!({"workflow": "automatic"})).await.expect(200);
    server.schedule_new_article("High tide", 60_000).await;
    let log = admin.get("/api/v1/events?limit=1000").await.expect(200);
    let is_check = |event: &Value| event["verb"] == "submit" && event["detail"]["state"] == "approved";
    assert!(log["items"].as_array().unwrap().iter().any(is_check), "{log}");
    let found = items(&server.as_creator(), "").await;
    assert_eq!(verbs(&found)[..2], [("schedule", "High tide"), ("create", "High tide")]);
    // A reviewer has to decide.
    admin.patch("/api/v1/settings/review", &json!({"workflow": "one_reviewer"})).await.expect(200);
    server.schedule_new_article("Low tide", 60_000).await;
    let found = items(&server.as_creator(), "limit=1").await;
    assert_eq!(verbs(&found), [("submit", "Low tide")]);
}

async fn a_deadline_is_shown_by_its_effects(server: TestServer) {
    let room = json!({"name": "Aula", "approval": "required", "approval_deadline": {"after_minutes": 40}});
    let room = server.create_room(room).await;
    let request = server.book(&room, 2 * HOUR, 3 * HOUR).await.expect(201);
    for minutes in [20, 10, 10] {
        server.advance(minutes * 60_000).await;
    }
    let item = request["id"].as_str().unwrap();
    let found = items(&server.as_admin(), &format!("engine=true&item={item}")).await;
    let count = |wanted: &str| verbs(&found).into_iter().filter(|(verb, _)| *verb == wanted).count();
    assert_eq!((count("execute"), count("expire")), (2, 1), "two warnings and the decision: {found:?}");
    let page = server.page(&server.admin, &format!("/activity?engine=1&item={item}")).await;
    assert_contains(&page, &["The engine warned the approvers of the deadline"]);
    assert!(!page.contains("The engine executed it"), "{page}");
}

async fn an_invitation_names_the_invited_person(server: TestServer) {
    let browser = server.log_in_browser(&server.admin).await;
    let form =
        [("name", "Nina"), ("email", "nina@desk.test"), ("role", "creator"), ("from", "/settings/people")];
    let again = "Nina was invited already; the earlier link no longer works.";
    for is_repeated in [false, true] {
        assert_eq!(browser.form("/fn/invite", &form).await.status, 303);
        let page = browser.get("/settings/people").await.expect_page();
        assert_contains(&page, &["Link for Nina."]);
        assert_eq!(page.contains(again), is_repeated, "{page}");
    }
    let found = items(&server.as_admin(), "").await;
    assert_eq!(verbs(&found)[..2], [("invite", "Nina"), ("invite", "Nina")]);
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
