//! Names: who did something is told by identity as well, and no name hides, reorders or stands for the engine.

use crate::{ear::Ear, house::Story, on_both};
use domain::{
    Refusal, Role,
    desk::People,
    person::{Client, NewPerson, ProfileEdit},
    refusal::Problem,
    settings::DeskSettings,
    text::forbidden_in_line,
};
use serde_json::json;

on_both!(events_say_who_by_identity, the_stream_says_who_by_identity, names_that_mislead_are_refused);

const HIDDEN: [&str; 6] =
    ["Ada\u{202E}nimdA", "A\u{200B}da", "Ada\u{2066}", "\u{FEFF}Ada", "A\u{AD}da", "Ada\u{E0041}"];

async fn events_say_who_by_identity(story: Story) {
    let who = &story.creator;
    let same = ProfileEdit { name: Some("admin".to_owned()), ..ProfileEdit::default() };
    story.house.people.change_profile(&who.actor, same).await.unwrap();
    let (_, task) = story.scheduled("Whose?", 3_600_000).await;
    story.advance(3_600_000).await;
    let log = story.as_admin().get("/api/v1/events?limit=1000").await.expect(200);
    let of = |verb: &str| {
        let mut items = log["items"].as_array().unwrap().iter();
        items.find(|event| event["verb"] == verb && event["entity_id"] == task["id"]).unwrap().clone()
    };
    let scheduled = of("schedule");
    assert_eq!((&scheduled["actor"], &scheduled["actor_id"]), (&json!("admin"), &json!(who.actor.person)));
    let executed = of("execute");
    assert_eq!((&executed["actor"], &executed["actor_id"]), (&json!("engine"), &json!(null)));
    let path = format!("/api/v1/tasks/{}", task["id"].as_str().unwrap());
    let whole = story.as_creator().get(&path).await.expect(200);
    assert_eq!(whole["timeline"][0]["actor_id"], json!(who.actor.person));
    let mut renamed = log["items"].as_array().unwrap().iter();
    let renamed = renamed.find(|event| event["verb"] == "change_profile").unwrap();
    assert_eq!(renamed["detail"], json!({"name": "admin", "was": "creator"}));
}

async fn the_stream_says_who_by_identity(story: Story) {
    let mut ear = Ear::open(&story.as_reviewer(), None).await;
    ear.hear("hello").await;
    story.draft("Heard").await;
    story.tick().await;
    let drafted = loop {
        let signals = ear.hear("signals").await.data;
        let drafted = signals.as_array().unwrap().iter().find(|signal| signal["entity"] == "article");
        if let Some(drafted) = drafted {
            break drafted.clone();
        }
    };
    assert_eq!(drafted["actor_id"], json!(story.creator.actor.person), "{drafted}");
}

async fn names_that_mislead_are_refused(story: Story) {
    let (people, admin) = (&story.house.people, &story.admin.actor);
    let bad = |problem: &Problem| Refusal::invalid("name", problem.clone());
    let reserved = ["engine", " ENGINE ", "Ｅｎｇｉｎｅ", "еngіne"].map(|name| (name, Problem::Reserved));
    let hidden = HIDDEN.map(|name| (name, Problem::BadCharacters));
    for (name, problem) in reserved.iter().chain(&hidden) {
        let edit = ProfileEdit { name: Some((*name).to_owned()), ..ProfileEdit::default() };
        assert_eq!(people.change_profile(&story.creator.actor, edit).await, Err(bad(problem)), "{name:?}");
        let invited = people.invite(admin, "new@desk.test", name, Role::Creator).await;
        assert_eq!(invited, Err(bad(problem)), "{name:?}");
        let link = people.invite(admin, "new@desk.test", "New", Role::Creator).await.unwrap();
        let token = link.path.split_once('=').unwrap().1;
        let accepted = people.accept(token, name, "a fine long sentence", &Client::default()).await;
        assert_eq!(accepted, Err(bad(problem)), "{name:?}");
        let new = NewPerson {
            email: "x@desk.test".to_owned(),
            name: (*name).to_owned(),
            password: "a fine long sentence".to_owned(),
        };
        assert_eq!(people.add_person(new, Role::Creator).await, Err(bad(problem)), "{name:?}");
    }
    for name in HIDDEN {
        let article = json!({"title": name, "body": ""});
        // Of a title the controls of direction and the byte order mark are left out, all else is refused.
        let reply = story.as_creator().post("/api/v1/articles", &article).await;
        let stored = reply.json()["title"].as_str().map(|title| forbidden_in_line(title).is_none());
        assert!(stored.unwrap_or(reply.status == 422), "{name:?}: {}", reply.text);
        let desk = DeskSettings { title: name.to_owned(), ..people.settings().await.unwrap() };
        let refused = people.change_settings(admin, desk).await;
        assert_eq!(refused, Err(Refusal::invalid("title", Problem::BadCharacters)));
    }
    let fine = json!({"title": "👩\u{200D}🚀 علی\u{200C}رضا", "body": ""});
    story.as_creator().post("/api/v1/articles", &fine).await.expect(201);
}
