//! Display names: events carry the account id, and misleading names are refused.

use crate::{on_both, sse_client::SseClient, test_server::TestServer};
use domain::{
    DomainError, Role,
    account::{Client, NewAccount, NewMember, ProfileEdit},
    error::ValidationError,
    services::{Accounts as _, Invitations as _, Settings as _},
    settings::SiteSettings,
    text::find_forbidden_char,
};
use serde_json::json;

on_both!(events_carry_the_actor_id, the_live_stream_carries_the_actor_id, misleading_names_are_refused);

const HIDDEN: [&str; 6] =
    ["Ada\u{202E}nimdA", "A\u{200B}da", "Ada\u{2066}", "\u{FEFF}Ada", "A\u{AD}da", "Ada\u{E0041}"];

async fn events_carry_the_actor_id(server: TestServer) {
    let user = &server.creator;
    let same = ProfileEdit { name: Some("admin".to_owned()), ..ProfileEdit::default() };
    server.app.accounts.change_profile(&user.actor, same).await.unwrap();
    let (_, task) = server.schedule_new_article("Whose?", 3_600_000).await;
    server.advance(3_600_000).await;
    let log = server.as_admin().get("/api/v1/events?limit=1000").await.expect(200);
    let of = |verb: &str| {
        let mut items = log["items"].as_array().unwrap().iter();
        items.find(|event| event["verb"] == verb && event["entity_id"] == task["id"]).unwrap().clone()
    };
    let scheduled = of("schedule");
    assert_eq!((&scheduled["actor"], &scheduled["actor_id"]), (&json!("admin"), &json!(user.actor.account)));
    let executed = of("execute");
    assert_eq!((&executed["actor"], &executed["actor_id"]), (&json!("engine"), &json!(null)));
    let path = format!("/api/v1/tasks/{}", task["id"].as_str().unwrap());
    let whole = server.as_creator().get(&path).await.expect(200);
    assert_eq!(whole["timeline"][0]["actor_id"], json!(user.actor.account));
    let mut renamed = log["items"].as_array().unwrap().iter();
    let renamed = renamed.find(|event| event["verb"] == "change_profile").unwrap();
    assert_eq!(renamed["detail"], json!({"name": "admin", "was": "creator"}));
}

async fn the_live_stream_carries_the_actor_id(server: TestServer) {
    let mut stream = SseClient::open(&server.as_reviewer(), None).await;
    stream.next_event("hello").await;
    server.create_draft("Heard").await;
    server.tick().await;
    let drafted = loop {
        let signals = stream.next_event("signals").await.data;
        let drafted = signals.as_array().unwrap().iter().find(|signal| signal["entity"] == "article");
        if let Some(drafted) = drafted {
            break drafted.clone();
        }
    };
    assert_eq!(drafted["actor_id"], json!(server.creator.actor.account), "{drafted}");
}

async fn misleading_names_are_refused(server: TestServer) {
    let (accounts, admin) = (&server.app.accounts, &server.admin.actor);
    let bad = |problem: &ValidationError| DomainError::invalid("name", problem.clone());
    let reserved =
        ["engine", " ENGINE ", "Ｅｎｇｉｎｅ", "еngіne"].map(|name| (name, ValidationError::Reserved));
    let hidden = HIDDEN.map(|name| (name, ValidationError::BadCharacters));
    for (name, problem) in reserved.iter().chain(&hidden) {
        let edit = ProfileEdit { name: Some((*name).to_owned()), ..ProfileEdit::default() };
        assert_eq!(accounts.change_profile(&server.creator.actor, edit).await, Err(bad(problem)), "{name:?}");
        let invited = accounts.invite(admin, "new@desk.test", name, Role::Creator).await;
        assert_eq!(invited, Err(bad(problem)), "{name:?}");
        let link = accounts.invite(admin, "new@desk.test", "New", Role::Creator).await.unwrap();
        let token = link.path.split_once('=').unwrap().1;
        let password = "a fine long sentence".to_owned();
        let member = NewMember { name: (*name).to_owned(), password, ..NewMember::default() };
        let accepted = accounts.accept_invitation(token, member, &Client::default()).await;
        assert_eq!(accepted, Err(bad(problem)), "{name:?}");
        let new = NewAccount {
            email: "x@desk.test".to_owned(),
            name: (*name).to_owned(),
            password: "a fine long sentence".to_owned(),
        };
        assert_eq!(accounts.add_person(new, Role::Creator).await, Err(bad(problem)), "{name:?}");
    }
    for name in HIDDEN {
        let article = json!({"title": name, "body": ""});
        // Direction controls and the byte order mark are removed from titles. All others are
        // refused.
        let reply = server.as_creator().post("/api/v1/articles", &article).await;
        let stored = reply.json()["title"].as_str().map(|title| find_forbidden_char(title).is_none());
        assert!(stored.unwrap_or(reply.status == 422), "{name:?}: {}", reply.text);
        let settings = SiteSettings { title: name.to_owned(), ..accounts.settings().await.unwrap() };
        let refused = accounts.change_settings(admin, settings).await;
        assert_eq!(refused, Err(DomainError::invalid("title", ValidationError::BadCharacters)));
    }
    let fine = json!({"title": "👩\u{200D}🚀 علی\u{200C}رضا", "body": ""});
    server.as_creator().post("/api/v1/articles", &fine).await.expect(201);
}
