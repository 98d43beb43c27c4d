//! One change of many articles: assigned, tagged, approved; its preview and its undo. And filters in the
//! text of a search.

use crate::{
    engine::engine_page::assert_contains, http_client::HttpClient, on_both, test_server::TestServer,
};
use serde_json::{Value, json};

on_both!(
    articles_are_assigned_with_their_tasks_and_returned,
    tags_are_added_and_removed_with_new_revisions,
    several_texts_are_submitted_at_once,
    reviewers_approve_what_they_have_seen,
    what_is_wrong_is_refused_with_its_field,
    the_page_previews_changes_and_undoes,
    filters_in_the_text_of_a_search,
);

const PATH: &str = "/api/v1/articles/bulk-change";

async fn bulk(client: &HttpClient, ids: &[&Value], change: Value, dry_run: bool) -> Value {
    let ids: Vec<&Value> = ids.iter().map(|article| &article["id"]).collect();
    client.post(PATH, &json!({"ids": ids, "change": change, "dry_run": dry_run})).await.expect(200)
}

fn numbers(outcome: &Value) -> (u64, u64, usize) {
    let number = |name: &str| outcome[name].as_u64().unwrap();
    (number("matched"), number("changed"), outcome["refused"].as_array().unwrap().len())
}

async fn read(client: &HttpClient, article: &Value) -> Value {
    client.get(&format!("/api/v1/articles/{}", article["id"].as_str().unwrap())).await.expect(200)
}

async fn undo(client: &HttpClient, done: &Value) -> Value {
    let path = format!("/api/v1/batches/{}/undo", done["batch_id"].as_str().unwrap());
    client.post(&path, &json!({})).await.expect(200)
}

async fn articles_are_assigned_with_their_tasks_and_returned(server: TestServer) {
    let (client, colleague) = (server.as_creator(), server.as_colleague());
    let task = server.create_task("Planned", 3_600_000).await;
    let planned = json!({"id": task.target_id});
    let draft = server.create_draft("Draft").await;
    let to = json!({"type": "assign", "to": server.colleague.actor.account.0});
    let preview = bulk(&client, &[&planned, &draft], to.clone(), true).await;
    assert_eq!((numbers(&preview), &preview["batch_id"]), ((2, 2, 0), &Value::Null));
    let done = bulk(&client, &[&planned, &draft], to.clone(), false).await;
    assert_eq!(numbers(&done), (2, 2, 0));
    // The new owner can reschedule, the old one cannot any more.
    let path = format!("/api/v1/tasks/{}/reschedule", task.id);
    let later = json!({"seen_version": 1, "due_at": server.time_after(7_200_000)});
    assert_eq!(client.post(&path, &later).await.refused(403), "not_allowed");
    colleague.post(&path, &later).await.expect(200);
    // Nor assign them once more.
    let refused = bulk(&client, &[&draft], json!({"type": "assign", "to": "me"}), false).await;
    assert_eq!((numbers(&refused), &refused["refused"][0]["code"]), ((1, 0, 1), &json!("not_allowed")));
    // What is as wanted already is not changed.
    let again = bulk(&colleague, &[&draft], json!({"type": "assign", "to": "me"}), false).await;
    assert_eq!((numbers(&again), &again["batch_id"]), ((1, 0, 0), &Value::Null));
    // Who assigned them may undo it.
    assert_eq!(numbers(&undo(&client, &done).await), (2, 2, 0));
    client.post(&path, &json!({"seen_version": 2, "due_at": server.time_after(3_600_000)})).await.expect(200);
    let path = format!("/api/v1/batches/{}/undo", done["batch_id"].as_str().unwrap());
    assert_eq!(client.post(&path, &json!({})).await.refused(409), "cannot_undo");
    // Not if the new owner has worked on it.
    let done = bulk(&client, &[&draft], to, false).await;
    server.advance(1_000).await;
    let edit = json!({"body": "By the new owner.", "seen_revision": 1});
    colleague.patch(&format!("/api/v1/articles/{}", draft["id"].as_str().unwrap()), &edit).await.expect(200);
    let undone = undo(&client, &done).await;
    assert_eq!((numbers(&undone), &undone["refused"][0]["code"]), ((1, 0, 1), &json!("changed")));
    // Nor can a tag be undone by who no longer owns the article.
    let tagged = bulk(&colleague, &[&draft], json!({"type": "add_tag", "tag": "Sea"}), false).await;
    bulk(&colleague, &[&draft], json!({"type": "assign", "to": server.creator.actor.account.0}), false).await;
    let undone = undo(&colleague, &tagged).await;
    assert_eq!((numbers(&undone), &undone["refused"][0]["code"]), ((1, 0, 1), &json!("not_allowed")));
}

async fn tags_are_added_and_removed_with_new_revisions(server: TestServer) {
    let client = server.as_creator();
    let new = json!({"title": "Tagged", "body": "Text.", "details": {"tags": ["Sea"]}});
    let tagged = client.post("/api/v1/articles", &new).await.expect(201);
    let plain = server.create_draft("Plain").await;
    let theirs =
        server.as_admin().post("/api/v1/articles", &json!({"title": "Theirs", "body": ""})).await.expect(201);
    let add = json!({"type": "add_tag", "tag": "sea"});
    let preview = bulk(&client, &[&tagged, &plain, &theirs], add.clone(), true).await;
    assert_eq!((numbers(&preview), &preview["refused"][0]["id"]), ((3, 1, 1), &theirs["id"]));
    assert_eq!(read(&client, &plain).await["revision"], 1);
    let done = bulk(&client, &[&tagged, &plain, &theirs], add, false).await;
    assert_eq!(numbers(&done), (3, 1, 1));
    let after = read(&client, &plain).await;
    // The tag keeps the name that it was first given.
    assert_eq!((&after["revision"], &after["details"]["tags"]), (&json!(2), &json!(["Sea"])));
    let removed = bulk(&client, &[&tagged, &plain], json!({"type": "remove_tag", "tag": "SEA"}), false).await;
    assert_eq!(numbers(&removed), (2, 2, 0));
    // The first change is not the last one any more.
    assert_eq!(numbers(&undo(&client, &done).await), (1, 0, 1));
    assert_eq!(numbers(&undo(&client, &removed).await), (2, 2, 0));
    assert_eq!(read(&client, &tagged).await["details"]["tags"], json!(["Sea"]));
    let found = client.get("/api/v1/articles?tag=sea").await.expect(200);
    assert_eq!(found["items"].as_array().unwrap().len(), 2);
    // One with 20 tags names itself.
    let tags: Vec<String> = (0..20).map(|number| format!("Tag {number}")).collect();
    let full = json!({"title": "Full", "body": "", "details": {"tags": tags}});
    let full = client.post("/api/v1/articles", &full).await.expect(201);
    let refused = bulk(&client, &[&full], json!({"type": "add_tag", "tag": "One more"}), false).await;
    assert_eq!((numbers(&refused), &refused["refused"][0]["code"]), ((1, 0, 1), &json!("invalid")));
}

async fn several_texts_are_submitted_at_once(server: TestServer) {
    let client = server.as_creator();
    let mut articles = Vec::new();
    for number in 1..=3 {
        articles.push(server.create_draft(&format!("Text {number}")).await);
    }
    let theirs =
        server.as_admin().post("/api/v1/articles", &json!({"title": "Theirs", "body": ""})).await.expect(201);
    let all: Vec<&Value> = articles.iter().chain([&theirs]).collect();
    let submit = json!({"type": "submit"});
    let refused = bulk(&client, &all[..1], submit.clone(), false).await;
    assert_eq!((numbers(&refused), &refused["refused"][0]["code"]), ((1, 0, 1), &json!("no_workflow")));
    let settings = json!({"workflow": "one_reviewer"});
    server.as_admin().patch("/api/v1/settings/review", &settings).await.expect(200);
    let path = format!("/api/v1/articles/{}/submit", articles[0]["id"].as_str().unwrap());
    client.post(&path, &json!({"seen_revision": 1})).await.expect(200);
    let preview = bulk(&client, &all, submit.clone(), true).await;
    assert_eq!((numbers(&preview), &preview["refused"][0]["id"]), ((4, 2, 1), &theirs["id"]));
    assert_eq!(read(&client, &articles[1]).await["review"], Value::Null, "a preview changes nothing");
    let done = bulk(&client, &all, submit.clone(), false).await;
    assert_eq!((numbers(&done), &done["batch_id"]), ((4, 2, 1), &Value::Null));
    assert_eq!(done["refused"][0]["code"], "not_allowed");
    for article in &articles {
        assert_eq!(read(&client, article).await["review"]["state"], "submitted");
    }
    assert_eq!(numbers(&bulk(&client, &all[..3], submit, false).await), (3, 0, 0), "they are already");
    let browser = server.log_in_browser(&server.creator).await;
    let id = server.create_draft("One more").await["id"].as_str().unwrap().to_owned();
    let page = browser.get(&format!("/bulk?list=articles&ids={id}&change=submit")).await.expect_page();
    assert_contains(&page, &["1 of 1 article will be changed.", "the reviewers are notified"]);
    let fields = [("list", "articles"), ("ids", id.as_str()), ("change", "submit"), ("from", "/bulk")];
    assert_eq!(browser.form("/fn/run_bulk", &fields).await.status, 303);
    assert_eq!(read(&client, &json!({"id": id})).await["review"]["state"], "submitted");
}

async fn reviewers_approve_what_they_have_seen(server: TestServer) {
    let settings = json!({"workflow": "one_reviewer"});
    server.as_admin().patch("/api/v1/settings/review", &settings).await.expect(200);
    let (client, reviewer) = (server.as_creator(), server.as_reviewer());
    let mut articles = Vec::new();
    for number in 1..=3 {
        let article = server.create_draft(&format!("Text {number}")).await;
        if number < 3 {
            let path = format!("/api/v1/articles/{}/submit", article["id"].as_str().unwrap());
            client.post(&path, &json!({"seen_revision": 1})).await.expect(200);
        }
        articles.push(article);
    }
    let all: Vec<&Value> = articles.iter().collect();
    let approve = json!({"type": "approve"});
    assert_eq!(numbers(&bulk(&client, &all, approve.clone(), true).await), (3, 0, 3), "only reviewers");
    let preview = bulk(&reviewer, &all, approve, true).await;
    assert_eq!((numbers(&preview), &preview["refused"][0]["id"]), ((3, 2, 1), &articles[2]["id"]));
    // Another text is submitted after the preview: nothing is approved.
    let path = format!("/api/v1/articles/{}", articles[0]["id"].as_str().unwrap());
    client.patch(&path, &json!({"body": "Other.", "seen_revision": 1})).await.expect(200);
    client.post(&format!("{path}/submit"), &json!({"seen_revision": 2})).await.expect(200);
    let ids: Vec<&Value> = all.iter().map(|article| &article["id"]).collect();
    let stale = json!({"ids": ids, "change": {"type": "approve", "seen": preview["seen"]}});
    assert_eq!(reviewer.post(PATH, &stale).await.refused(409), "changed");
    let preview = bulk(&reviewer, &all, json!({"type": "approve"}), true).await;
    let done = bulk(&reviewer, &all, json!({"type": "approve", "seen": preview["seen"]}), false).await;
    assert_eq!((numbers(&done), &done["batch_id"]), ((3, 2, 1), &Value::Null));
    for article in &articles[..2] {
        assert_eq!(read(&client, article).await["review"]["state"], "approved");
    }
}

async fn what_is_wrong_is_refused_with_its_field(server: TestServer) {
    let article = server.create_draft("One").await;
    let ids = json!([article["id"]]);
    let many: Vec<String> = (0..1_001).map(|_| domain::ArticleId::generate().to_string()).collect();
    for (field, body) in [
        ("ids", json!({"ids": [], "change": {"type": "approve"}})),
        ("ids", json!({"ids": many, "change": {"type": "approve"}})),
        ("ids", json!({"ids": ["x"], "change": {"type": "approve"}})),
        ("ids", json!({"change": {"type": "approve"}})),
        ("type", json!({"ids": ids, "change": {"type": "publish"}})),
        ("to", json!({"ids": ids, "change": {"type": "assign", "to": "Unknown Person"}})),
        ("to", json!({"ids": ids, "change": {"type": "assign", "to": domain::AccountId::generate().0}})),
        ("to", json!({"ids": ids, "change": {"type": "add_tag", "tag": "a", "to": "me"}})),
        ("tag", json!({"ids": ids, "change": {"type": "add_tag"}})),
        ("tag", json!({"ids": ids, "change": {"type": "add_tag", "tag": "a,b"}})),
        ("seen", json!({"ids": ids, "change": {"type": "remove_tag", "tag": "a", "seen": "x"}})),
        ("state", json!({"filter": {"state": "lost"}, "change": {"type": "approve"}})),
    ] {
        let refused = server.as_creator().post(PATH, &body).await.expect(422);
        assert_eq!(refused["error"]["field"], field, "{body}");
    }
    let gone = json!({"ids": [domain::ArticleId::generate()], "change": {"type": "add_tag", "tag": "a"}});
    let outcome = server.as_creator().post(PATH, &gone).await.expect(200);
    assert_eq!(outcome["refused"][0]["code"], "no_such");
}

async fn the_page_previews_changes_and_undoes(server: TestServer) {
    for title in ["Tide one", "Tide two", "Harbour"] {
        server.create_draft(title).await;
    }
    let browser = server.log_in_browser(&server.creator).await;
    let list = browser.get("/articles").await.expect_page();
    assert_contains(&list, &["Assign to a person", "of-person\">Person<", "of-tag\">Tag<", "name=\"ids\""]);
    let url = "/bulk?list=articles&all=1&q=tide&change=add_tag&to=Sea";
    assert_contains(
        &browser.get(url).await.expect_page(),
        &["2 of 2 articles will be changed.", "Change 2 articles"],
    );
    let fields = [
        ("list", "articles"),
        ("all", "1"),
        ("q", "tide"),
        ("change", "add_tag"),
        ("to", "Sea"),
        ("from", "/bulk"),
    ];
    let done = browser.form("/fn/run_bulk", &fields).await;
    let page = browser.get(done.header("location")).await.expect_page();
    assert_contains(&page, &["Undo all", "Tide one"]);
    let tagged = server.as_creator().get("/api/v1/articles?tag=Sea").await.expect(200);
    assert_eq!(tagged["items"].as_array().unwrap().len(), 2);
    let unknown = browser.get("/bulk?list=articles&all=1&change=assign&to=Unknown").await;
    assert_contains(&unknown.text, &["names “Unknown”, which is not the name of a person"]);
}

async fn filters_in_the_text_of_a_search(server: TestServer) {
    let mine = server.create_task("Ebb tide", 3_600_000).await;
    server.create_task("Spring tide", 30 * 3_600_000).await;
    let gone = server.create_task("Neap tide", 3_600_000).await;
    server.change(&gone, domain::task::Change::Cancel).await.unwrap();
    let client = server.as_creator();
    let titles = async |path: &str, q: &str| {
        let found = client.get(&format!("/api/v1/{path}?q={}", q.replace(' ', "%20"))).await.expect(200);
        let items = found["items"].as_array().unwrap();
        let mut titles: Vec<String> =
            items.iter().map(|item| item["title"].as_str().unwrap().to_owned()).collect();
        titles.sort();
        titles.join(", ")
    };
    assert_eq!(titles("tasks", "tide").await, "Ebb tide, Neap tide, Spring tide");
    assert_eq!(titles("tasks", "tide state:cancelled").await, "Neap tide");
    assert_eq!(titles("tasks", "due:today state:scheduled").await, "Ebb tide");
    assert_eq!(titles("tasks", "due:tomorrow").await, "Spring tide");
    assert_eq!(titles("tasks", "owner:me kind:article.publish ebb").await, "Ebb tide");
    assert_eq!(titles("tasks", "due:overdue").await, "");
    assert_eq!(titles("articles", "owner:me state:scheduled").await, "Ebb tide, Spring tide");
    assert_eq!(titles("articles", "state:draft tide").await, "Neap tide");
    for q in ["state:lost", "due:someday", "owner:\"Unknown Person\"", "kind:none"] {
        let refused = client.get(&format!("/api/v1/tasks?q={}", q.replace(' ', "%20"))).await.expect(422);
        assert_eq!(refused["error"]["field"], "q", "{q}");
    }
    // What is no filter is searched for.
    assert_eq!(titles("tasks", "10:30").await, "");
    let browser = server.log_in_browser(&server.creator).await;
    let page = browser.get("/tasks?q=state:cancelled").await.expect_page();
    assert_contains(&page, &["Neap tide", "q-filters"]);
    assert!(!page.contains("Ebb tide"), "only cancelled ones");
    assert_eq!(server.find_task(mine.id).await.version, mine.version);
}
