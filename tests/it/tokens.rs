//! API tokens: they end with the password, and admins see and end those of others.

use crate::{caller::Caller, house::Story, on_both};
use domain::{
    Refusal,
    desk::People,
    person::{Client, NewPassword, Scope},
};
use serde_json::json;

on_both!(
    a_new_password_ends_the_tokens_that_are_not_kept,
    a_reset_ends_all_tokens,
    a_token_is_not_made_in_a_session_that_has_ended,
    admins_end_the_tokens_of_others,
);

async fn opens(story: &Story, token: &str) -> u16 {
    let caller = Caller { token: Some(token.to_owned()), ..story.as_nobody() };
    caller.get("/api/v1/tasks").await.status
}

async fn a_new_password_ends_the_tokens_that_are_not_kept(story: Story) {
    let (people, who) = (&story.house.people, &story.creator);
    let (kept, secret) = people.create_token(&who.actor, "the importer", 30, Scope::Read).await.unwrap();
    let browser = story.browser_of(who).await;
    let page = browser.get("/settings/profile").await.expect_page();
    assert!(page.contains("the importer") && page.contains(r#"name="keep[0]""#), "{page}");
    let kept = kept.id.to_string();
    let form = |new: &'static str| {
        [
            ("old", who.password.as_str()),
            ("password", new),
            ("keep[1]", kept.as_str()),
            ("from", "/settings/profile"),
        ]
    };
    let refused = browser.form("/fn/change_password", &form("short")).await;
    assert_eq!((refused.status, opens(&story, &who.token).await), (422, 200));
    assert_eq!(browser.form("/fn/change_password", &form("another fine sentence")).await.status, 303);
    assert_eq!((opens(&story, &secret).await, opens(&story, &who.token).await), (200, 401));
    // The usual is to end them all; those of others are not touched.
    let change = NewPassword {
        old: "another fine sentence".to_owned(),
        new: "a third fine sentence".to_owned(),
        keep: people.tokens(&story.colleague.actor).await.unwrap().iter().map(|token| token.id).collect(),
    };
    people.change_password(&who.actor, change, &Client::default()).await.unwrap();
    assert_eq!((opens(&story, &secret).await, opens(&story, &story.colleague.token).await), (401, 200));
    let log = story.as_admin().get("/api/v1/events?limit=1000").await.expect(200);
    let ended: Vec<_> =
        log["items"].as_array().unwrap().iter().filter(|event| event["verb"] == "change_password").collect();
    assert_eq!(ended.iter().map(|event| &event["detail"]["tokens_ended"]).collect::<Vec<_>>(), [1, 1]);
}

async fn a_reset_ends_all_tokens(story: Story) {
    let (people, who) = (&story.house.people, &story.creator);
    let link = people.reset(&story.admin.actor, who.actor.person).await.unwrap();
    let form = [("token", link.path.split_once('=').unwrap().1), ("password", "a brand new sentence")];
    assert_eq!(story.browser().form("/fn/accept", &form).await.status, 303);
    assert_eq!(opens(&story, &who.token).await, 401);
    assert!(people.tokens(&who.actor).await.unwrap().is_empty());
}

async fn a_token_is_not_made_in_a_session_that_has_ended(story: Story) {
    let (people, who) = (&story.house.people, &story.creator);
    let fresh = people.log_in(&who.email, &who.password, &Client::default()).await.unwrap();
    let thief = people.authenticate_session(&fresh.session).await.unwrap().unwrap();
    let change =
        NewPassword { old: who.password.clone(), new: "another fine sentence".to_owned(), keep: vec![] };
    people.change_password(&who.actor, change, &Client::default()).await.unwrap();
    let made = people.create_token(&thief, "mine for a year", 365, Scope::Write).await;
    assert_eq!(made, Err(Refusal::LogIn));
    assert!(people.tokens(&who.actor).await.unwrap().is_empty());
}

async fn admins_end_the_tokens_of_others(story: Story) {
    let (people, admin, who) = (&story.house.people, &story.admin, &story.creator);
    assert_eq!(people.tokens_of_others(&who.actor).await, Err(Refusal::NotAllowed));
    assert_eq!(people.tokens_of_others(&story.reviewer.actor).await, Err(Refusal::NotAllowed));
    let all = people.tokens_of_others(&admin.actor).await.unwrap();
    let owners: Vec<_> = all.iter().map(|token| token.owner.as_str()).collect();
    assert_eq!(owners, ["colleague", "creator", "reviewer"]);
    let page = story.browser_of(admin).await.get("/settings/tokens").await.expect_page();
    assert!(page.contains("colleague") && page.contains("reviewer"), "{page}");
    let page = story.browser_of(who).await.get("/settings/tokens").await.expect_page();
    assert!(!page.contains("colleague") && !page.contains("reviewer"));
    let theirs = all.iter().find(|token| token.owner_id == who.actor.person).unwrap();
    assert_eq!(people.revoke_token(&story.colleague.actor, theirs.id).await, Err(Refusal::no_such("token")));
    let id = theirs.id.to_string();
    let form = [("id", id.as_str()), ("from", "/settings/tokens")];
    assert_eq!(story.browser_of(admin).await.form("/fn/revoke_token", &form).await.status, 303);
    assert_eq!(opens(&story, &who.token).await, 401);
    let log = story.as_admin().get("/api/v1/events?limit=1000").await.expect(200);
    let ended =
        log["items"].as_array().unwrap().iter().find(|event| event["verb"] == "revoke_token").unwrap();
    assert_eq!(ended["actor_id"], json!(admin.actor.person));
    assert_eq!(ended["entity_id"], json!(who.actor.person));
    assert_eq!(ended["detail"], json!({"name": "story", "token_id": id}));
}
