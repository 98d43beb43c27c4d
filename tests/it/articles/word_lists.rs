//! Word lists, and the check of texts against them.

use crate::{http_client::HttpClient, on_both, test_server::TestServer};
use serde_json::{Value, json};

on_both!(
    s1_an_admin_keeps_word_lists_and_everyone_checks_a_text,
    s1_the_strictest_action_decides_and_replacements_are_shown,
    s1_of_two_changes_of_a_list_one_wins,
    s1_terms_that_cannot_be_used_are_refused_by_name,
    s1_a_large_list_is_stored_and_checked,
    s1_the_history_of_a_list_says_who_changed_which_terms_and_restores_them,
);

async fn s1_the_history_of_a_list_says_who_changed_which_terms_and_restores_them(server: TestServer) {
    let (admin, creator) = (server.as_admin(), server.as_creator());
    let created = admin.post(LISTS, &list("Gambling", "block", json!(["casino", "dice"]))).await.expect(201);
    let (path, terms) = (path(&created), format!("{}/terms", path(&created)));
    let changed = admin.put(&terms, &json!({"terms": ["casino", "lottery"]})).await.expect(200);
    admin.patch(&path, &json!({"action": "flag", "name": "Games"})).await.expect(200);
    let history = admin.get(&format!("{path}/revisions")).await.expect(200)["items"].clone();
    let seen = |at: usize| {
        let one = &history[at];
        (one["version"].clone(), one["change"].clone(), one["added"].clone(), one["removed"].clone())
    };
    assert_eq!(history.as_array().unwrap().len(), 3);
    assert_eq!(seen(0), (json!(4), json!("change"), json!([]), json!([])));
    assert_eq!(seen(1), (json!(3), json!("set_terms"), json!(["lottery"]), json!(["dice"])));
    assert_eq!(seen(2), (json!(2), json!("create"), json!(["casino", "dice"]), json!([])));
    assert_eq!((&history[1]["version"], &history[1]["removed_count"]), (&changed["version"], &json!(1)));
    assert!(history[0]["by"].is_string() && history[0]["name"] == "Games", "{history}");
    assert_eq!(verdict(&creator, "dice").await["verdict"], "clean");
    // An earlier state comes back whole, and the change is part of the history.
    let restore = format!("{path}/restore");
    let stale = json!({"version": 2, "seen_version": 3});
    assert_eq!(admin.post(&restore, &stale).await.refused(409), "changed");
    assert_eq!(admin.post(&restore, &json!({"version": 1})).await.refused(404), "no_such");
    assert_eq!(creator.post(&restore, &json!({"version": 2})).await.refused(403), "not_allowed");
    let restored = admin.post(&restore, &json!({"version": 2, "seen_version": 4})).await.expect(200);
    assert_eq!((&restored["name"], &restored["action"]), (&json!("Gambling"), &json!("block")));
    assert_eq!(admin.get(&path).await.expect(200)["terms"], json!(["casino", "dice"]));
    assert_eq!(verdict(&creator, "dice").await["verdict"], "block");
    let history = admin.get(&format!("{path}/revisions")).await.expect(200)["items"].clone();
    assert_eq!((&history[0]["change"], &history[0]["added"]), (&json!("restore"), &json!(["dice"])));
    // Another list has taken the name.
    admin.patch(&path, &json!({"name": "Others"})).await.expect(200);
    admin.post(LISTS, &list("Gambling", "flag", json!([]))).await.expect(201);
    assert_eq!(admin.post(&restore, &json!({"version": 2})).await.refused(409), "taken");
    // The page shows it, and restores without a script.
    let id = created["id"].as_str().unwrap();
    let page = format!("/settings/words/{id}");
    let browser = server.log_in_browser(&server.admin).await;
    let shown = browser.get(&page).await.expect_page();
    assert!(shown.contains("changed the terms") && shown.contains("lottery"), "{shown}");
    let version = admin.get(&path).await.expect(200)["version"].to_string();
    let form = [("id", id), ("seen", version.as_str()), ("version", "3"), ("from", page.as_str())];
    assert_eq!(browser.form("/fn/restore_word_list", &form).await.status, 409, "the name is taken");
    let form = [("id", id), ("seen", version.as_str()), ("version", "4"), ("from", page.as_str())];
    let done = browser.form("/fn/restore_word_list", &form).await;
    assert_eq!(done.status, 303, "{}", done.text);
    assert_eq!(admin.get(&path).await.expect(200)["terms"], json!(["casino", "lottery"]));
    // The last 50 states are kept.
    for number in 0..50 {
        admin.put(&terms, &json!({"terms": [format!("term {number}")]})).await.expect(200);
    }
    let history = admin.get(&format!("{path}/revisions")).await.expect(200)["items"].clone();
    assert_eq!(history.as_array().unwrap().len(), 50);
}

const LISTS: &str = "/api/v1/word-lists";

fn list(name: &str, action: &str, terms: Value) -> Value {
    json!({"name": name, "language": "any", "action": action, "terms": terms})
}

async fn verdict(client: &HttpClient, text: &str) -> Value {
    client.post("/api/v1/words/check", &json!({"text": text})).await.expect(200)
}

fn path(list: &Value) -> String {
    format!("{LISTS}/{}", list["id"].as_str().unwrap())
}

async fn s1_an_admin_keeps_word_lists_and_everyone_checks_a_text(server: TestServer) {
    let (admin, creator) = (server.as_admin(), server.as_creator());
    assert_eq!(verdict(&creator, "a casino").await["verdict"], "clean");
    let terms = json!(["casino", {"term": "口交", "exceptions": ["路口交通"]}, {"term": "qq\\d{5}", "is_pattern": true}]);
    let created = admin.post(LISTS, &list("Gambling", "block", terms.clone())).await.expect(201);
    assert_eq!((&created["term_count"], &created["action"]), (&json!(3), &json!("block")));
    let found = verdict(&creator, "路口交通 and a **ca**sino, qq12345").await;
    assert_eq!(found["verdict"], "block");
    let hits: Vec<(&str, u64, u64)> = found["hits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| {
            (hit["term"].as_str().unwrap(), hit["start"].as_u64().unwrap(), hit["end"].as_u64().unwrap())
        })
        .collect();
    assert_eq!(hits, [("casino", 13, 21), ("qq\\d{5}", 23, 30)], "places in characters of the source");
    assert_eq!(found["hits"][0]["list_id"], created["id"]);
    // What was entered is returned.
    let whole = admin.get(&path(&created)).await.expect(200);
    assert_eq!((&whole["terms"], &whole["name"]), (&terms, &json!("Gambling")));
    assert_eq!(admin.get(LISTS).await.expect(200)["items"], json!([created]));
    // A change counts at once.
    let replaced =
        admin.put(&format!("{}/terms", path(&created)), &json!({"terms": ["lottery"]})).await.expect(200);
    assert_eq!((&replaced["term_count"], &replaced["version"]), (&json!(1), &json!(3)));
    assert_eq!(verdict(&creator, "casino").await["verdict"], "clean");
    assert_eq!(verdict(&creator, "lottery").await["verdict"], "block");
    let edited =
        admin.patch(&path(&created), &json!({"action": "flag", "name": "Lotteries"})).await.expect(200);
    assert_eq!((&edited["name"], &edited["action"]), (&json!("Lotteries"), &json!("flag")));
    assert_eq!(verdict(&creator, "lottery").await["verdict"], "flag");
    assert_eq!(admin.delete(&path(&created)).await.status, 204);
    assert_eq!(verdict(&creator, "lottery").await["verdict"], "clean");
    assert_eq!(admin.get(&path(&created)).await.status, 404);
    // Who changed what is in the log, for admins.
    let events = admin.get("/api/v1/events?limit=1000").await.expect(200);
    let verbs: Vec<&str> = events["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|event| event["entity"] == "word_list")
        .map(|event| event["verb"].as_str().unwrap())
        .collect();
    assert_eq!(verbs, ["create", "set_terms", "change", "delete"]);
    let events = creator.get("/api/v1/events?limit=1000").await.expect(200);
    assert!(events["items"].as_array().unwrap().iter().all(|event| event["entity"] != "word_list"));
}

async fn s1_the_strictest_action_decides_and_replacements_are_shown(server: TestServer) {
    let (admin, creator) = (server.as_admin(), server.as_creator());
    let replace = json!([{"term": "darn", "replacement": "[…]"}, {"term": "darn it", "replacement": "oh"}]);
    admin.post(LISTS, &list("Soften", "replace", replace)).await.expect(201);
    admin.post(LISTS, &list("Careful", "needs_approval", json!(["lawsuit"]))).await.expect(201);
    let found = verdict(&creator, "Darn it, a **darn** day").await;
    assert_eq!((&found["verdict"], &found["replaced"]), (&json!("flag"), &json!("oh, a **[…]** day")));
    assert_eq!(found["hit_count"], 3);
    let found = verdict(&creator, "A lawsuit, darn").await;
    assert_eq!((&found["verdict"], &found["replaced"]), (&json!("needs_approval"), &json!("A lawsuit, […]")));
    let body = json!({"title": "Darn", "summary": "a lawsuit", "text": "fine"});
    let found = creator.post("/api/v1/words/check", &body).await.expect(200);
    assert_eq!((&found["replaced_title"], &found["replaced"]), (&json!("[…]"), &Value::Null));
    assert_eq!(found["hits"][1]["field"], "summary");
}

async fn s1_of_two_changes_of_a_list_one_wins(server: TestServer) {
    let admin = server.as_admin();
    let created = admin.post(LISTS, &list("One", "block", json!(["a"]))).await.expect(201);
    let terms = format!("{}/terms", path(&created));
    let seen = created["version"].clone();
    let change = |term: &str| json!({"terms": [term], "seen_version": seen});
    let (first, second) = (change("first"), change("second"));
    let (one, other) = tokio::join!(admin.put(&terms, &first), admin.put(&terms, &second));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    assert_eq!(
        admin.patch(&path(&created), &json!({"name": "X", "seen_version": seen})).await.refused(409),
        "changed"
    );
    assert_eq!(
        admin.delete(&format!("{}?seen_version={seen}", path(&created))).await.refused(409),
        "changed"
    );
    admin.post(LISTS, &list("Two", "block", json!([]))).await.expect(201);
    assert_eq!(admin.post(LISTS, &list("Two", "flag", json!([]))).await.refused(409), "taken");
    assert_eq!(admin.patch(&path(&created), &json!({"name": "Two"})).await.refused(409), "taken");
}

async fn s1_terms_that_cannot_be_used_are_refused_by_name(server: TestServer) {
    let admin = server.as_admin();
    let long = "x".repeat(201);
    for (action, terms, field, text) in [
        ("block", json!([""]), "terms[0].term", "no visible letter"),
        ("block", json!(["a", "\u{200b}\u{200b}"]), "terms[1].term", "no visible letter"),
        ("block", json!([{"term": ".*", "is_pattern": true}]), "terms[0].term", "matches every text"),
        ("block", json!(["a", {"term": "(b", "is_pattern": true}]), "terms[1].term", "unclosed group"),
        ("block", json!([{"term": "(a{1000}){1000}", "is_pattern": true}]), "terms[0].term", "too large"),
        (
            "block",
            json!(["b", {"term": "[a-z]*[0-9]|[a-z]", "is_pattern": true}]),
            "terms[1].term",
            "takes too long on a long text",
        ),
        ("replace", json!(["a"]), "terms[0].replacement", "needs a replacement"),
        ("block", json!([long]), "terms[0].term", "200 characters"),
        ("block", json!([{"term": "a", "exceptions": vec!["ab"; 51]}]), "terms[0].exceptions", "50 items"),
        (
            "block",
            json!(vec![json!({"term": "a{3}", "is_pattern": true}); 201]),
            "terms[200].term",
            "at most 200",
        ),
        ("shout", json!([]), "action", "must be one of"),
    ] {
        let error = admin.post(LISTS, &list("Refused", action, terms)).await.expect(422)["error"].clone();
        let message = error["message"].as_str().unwrap();
        assert!(error["field"] == field && message.contains(text) && message.len() < 400, "{error}");
    }
    assert_eq!(admin.get(LISTS).await.expect(200)["items"], json!([]), "nothing was stored");
    let unknown = json!({"name": "N", "action": "block", "terms": [{"term": "a", "color": "red"}]});
    assert_eq!(admin.post(LISTS, &unknown).await.status, 422);
    let creator = server.as_creator();
    let large = json!({"text": "x".repeat(500_001)});
    assert_eq!(creator.post("/api/v1/words/check", &large).await.expect(422)["error"]["field"], "text");
    let invisible = json!({"title": "", "text": "\u{200b}".repeat(1_000)});
    assert_eq!(creator.post("/api/v1/words/check", &invisible).await.expect(200)["verdict"], "clean");
}

async fn s1_a_large_list_is_stored_and_checked(server: TestServer) {
    let (admin, creator) = (server.as_admin(), server.as_creator());
    let created = admin.post(LISTS, &list("Large", "flag", json!([]))).await.expect(201);
    let terms = format!("{}/terms", path(&created));
    let numbered =
        |count: usize| (0..count).map(|at| format!("term number {at} of many words")).collect::<Vec<_>>();
    let error = admin.put(&terms, &json!({"terms": numbered(100_001)})).await.expect(422)["error"].clone();
    assert_eq!(
        (&error["field"], error["message"].as_str().unwrap().contains("100000 items")),
        (&json!("terms"), true)
    );
    let stored = admin.put(&terms, &json!({"terms": numbered(20_000)})).await.expect(200);
    assert_eq!(stored["term_count"], 20_000);
    let found = verdict(&creator, "This is term number 19999 of many words.").await;
    assert_eq!((&found["hit_count"], &found["hits"][0]["start"]), (&json!(1), &json!(8)));
    let too_large = json!({"terms": vec!["x".repeat(200); 27_000]});
    let error = admin.put(&terms, &too_large).await.expect(422)["error"].clone();
    assert!(
        error["field"] == "terms" && error["message"].as_str().unwrap().contains("5000000 bytes"),
        "{error}"
    );
}
