//! One-time links of mails: whoever follows or looks at one changes nothing; only the form behind it does.

use crate::{
    caller::Reply,
    house::{Story, client_at},
    on_both,
};
use domain::Role;
use reqwest::Method;

on_both!(an_invitation_is_taken_up_by_its_form_alone, a_reset_is_taken_up_by_its_form_alone,);

/// What mail scanners, previews and prefetchers do with a link.
async fn look_at(story: &Story, path: &str) {
    for method in [Method::HEAD, Method::GET, Method::OPTIONS, Method::GET, Method::HEAD] {
        let request = story.as_nobody().request(method.clone(), path).header("purpose", "prefetch");
        let reply = Reply::of(request).await;
        assert!(reply.status < 500, "{method} {path}: {}", reply.status);
        assert!(reply.headers.get("set-cookie").is_none(), "{method} logs nobody in");
    }
}

async fn take_up(story: &Story, path: &str, name: &str) -> Reply {
    let token = path.split_once("token=").unwrap().1;
    let form = [("token", token), ("name", name), ("password", "a brand new sentence"), ("from", path)];
    story.browser().form("/fn/accept", &form).await
}

async fn an_invitation_is_taken_up_by_its_form_alone(story: Story) {
    let people = &story.house.desk.people;
    let link = people.invite(&story.admin.actor, "new@desk.test", "New", Role::Creator).await.unwrap();
    let before = people.list(&story.admin.actor).await.unwrap();
    look_at(&story, &link.path).await;
    assert_eq!(people.list(&story.admin.actor).await.unwrap(), before);
    let function =
        story.as_nobody().get(&format!("/fn/accept?{}", link.path.split_once('?').unwrap().1)).await;
    assert!(function.status >= 400, "{}", function.status);
    assert_eq!(story.as_nobody().get(&link.path).await.status, 200, "it is still good");
    let reply = take_up(&story, &link.path, "New").await;
    assert!((300..400).contains(&reply.status), "{} {}", reply.status, reply.text);
    assert_eq!(people.list(&story.admin.actor).await.unwrap().len(), before.len() + 1);
    assert_eq!(story.as_nobody().get(&link.path).await.status, 410);
}

async fn a_reset_is_taken_up_by_its_form_alone(story: Story) {
    let (people, who) = (&story.house.desk.people, &story.creator);
    let link = people.reset(&story.admin.actor, who.actor.person).await.unwrap();
    look_at(&story, &link.path).await;
    let client = client_at("127.0.0.1", "story");
    let session = people.log_in(&who.email, &who.password, &client).await;
    assert!(session.is_ok(), "the old password is good until the form is sent");
    let reply = take_up(&story, &link.path, "").await;
    assert!((300..400).contains(&reply.status), "{} {}", reply.status, reply.text);
    assert!(people.log_in(&who.email, &who.password, &client).await.is_err());
    assert_eq!(story.as_nobody().get(&link.path).await.status, 410);
}
