//! Releases are changed until they are scheduled, and each article is in one of them at a time.

use super::{MINUTE, item, path};
use crate::{on_both, test_server::TestServer};
use domain::ArticleId;
use serde_json::{Value, json};

on_both!(
    a_release_is_changed_by_its_owner_until_it_is_scheduled,
    invalid_releases_are_refused,
    an_article_is_in_one_release_at_a_time,
    ticked_articles_that_are_gone_are_left_out_with_a_word,
    a_release_refused_for_too_many_articles_keeps_them_ticked,
);

async fn a_release_is_changed_by_its_owner_until_it_is_scheduled(server: TestServer) {
    let (one, two) = (server.create_article("One").await, server.create_article("Two").await);
    let release = server.release_of("Draft", vec![item(one, "publish")]).await;
    let edit = |name: &str, version: i32| json!({"name": name, "seen_version": version});
    let (creator, colleague) = (server.as_creator(), server.as_colleague());
    assert_eq!(colleague.patch(&path(&release, ""), &edit("Mine", 1)).await.refused(403), "not_allowed");
    assert_eq!(colleague.delete(&path(&release, "")).await.refused(403), "not_allowed");
    let at = json!({"due_at": server.time_after(MINUTE)});
    for action in ["/schedule", "/publish-now", "/revert"] {
        assert_eq!(
            colleague.post(&path(&release, action), &at).await.refused(403),
            "not_allowed",
            "{action}"
        );
    }
    assert_eq!(colleague.get(&path(&release, "")).await.expect(200)["name"], "Draft");
    assert_eq!(creator.patch(&path(&release, ""), &edit("Other", 2)).await.refused(409), "changed");
    // The pinned revision stays, whatever is written later.
    server.rewrite_article(one, "Later.").await;
    let renamed = creator.patch(&path(&release, ""), &edit("Renamed", 1)).await.expect(200);
    let first = &renamed["items"][0];
    assert_eq!((&renamed["version"], &first["revision"]), (&json!(2), &json!(1)));
    let items = json!({"items": [item(two, "publish"), {"article_id": one, "action": "publish", "revision": 2}],
                       "seen_version": 2});
    let changed = creator.patch(&path(&release, ""), &items).await.expect(200);
    assert_eq!((&changed["items"][0]["title"], &changed["items"][1]["revision"]), (&json!("Two"), &json!(2)));
    let list = creator.get("/api/v1/releases").await.expect(200);
    assert_eq!((&list["items"][0]["name"], &list["items"][0]["count"]), (&json!("Renamed"), &json!(2)));
    server.schedule_release(&release, MINUTE).await.expect(201);
    assert_eq!(creator.patch(&path(&release, ""), &edit("Late", 3)).await.refused(409), "release_scheduled");
    assert_eq!(creator.delete(&path(&release, "")).await.refused(409), "release_scheduled");
    assert_eq!(server.schedule_release(&release, MINUTE).await.refused(409), "release_scheduled");
    server.advance(MINUTE).await;
    assert_eq!(creator.patch(&path(&release, ""), &edit("Late", 4)).await.refused(409), "release_published");
    assert_eq!(creator.delete(&path(&release, "")).await.refused(409), "release_published");
    let other = server.release_of("Deleted", Vec::new()).await;
    assert_eq!(creator.delete(&path(&other, "?seen_version=1")).await.status, 204);
    assert_eq!(creator.get(&path(&other, "")).await.refused(404), "no_such");
}

async fn invalid_releases_are_refused(server: TestServer) {
    let article = server.create_article("Mine").await;
    let (creator, colleague) = (server.creator.clone(), server.colleague.clone());
    for (name, code) in [("", "invalid"), (&*"x".repeat(201), "invalid"), ("a\u{1}b", "invalid")] {
        assert_eq!(server.try_release(&creator, name, Vec::new()).await.refused(422), code, "{name:?}");
    }
    let many: Vec<Value> = (0..201).map(|_| item(uuid::Uuid::now_v7(), "publish")).collect();
    let refused = server.try_release(&creator, "Many", many).await;
    assert!(refused.text.contains("200"), "{}", refused.text);
    assert_eq!(refused.refused(422), "invalid");
    for items in [
        vec![item(article, "publish"), item(article, "unpublish")],
        vec![item("no id", "publish")],
        vec![item(article, "archive")],
        vec![json!({"article_id": article, "action": "unpublish", "revision": 1})],
    ] {
        assert_eq!(server.try_release(&creator, "Wrong", items).await.refused(422), "invalid");
    }
    let unknown = vec![item(uuid::Uuid::now_v7(), "publish")];
    assert_eq!(server.try_release(&creator, "Unknown", unknown).await.refused(404), "no_such");
    let revision = vec![json!({"article_id": article, "action": "publish", "revision": 9})];
    assert_eq!(server.try_release(&creator, "Unknown", revision).await.refused(404), "no_such");
    let theirs = vec![item(article, "publish")];
    assert_eq!(server.try_release(&colleague, "Theirs", theirs).await.refused(403), "not_allowed");
    let empty = server.release_of("Empty", Vec::new()).await;
    assert_eq!(server.schedule_release(&empty, MINUTE).await.refused(409), "no_articles");
    assert_eq!(server.schedule_release(&empty, -MINUTE).await.refused(422), "past");
    let never = server.release_of("Never", vec![item(article, "unpublish")]).await;
    let refused = server.schedule_release(&never, MINUTE).await;
    assert!(refused.text.contains("“Mine” is not public"), "{}", refused.text);
    assert_eq!(refused.refused(409), "release_blocked");
}

async fn an_article_is_in_one_release_at_a_time(server: TestServer) {
    let article = server.create_article("Wanted").await;
    let first = server.release_of("First", vec![item(article, "publish")]).await;
    let refused = server.try_release(&server.creator, "Second", vec![item(article, "publish")]).await;
    assert!(refused.text.contains("“Wanted”") && refused.text.contains("“First”"), "{}", refused.text);
    assert_eq!(refused.refused(409), "in_other_release");
    let second = server.release_of("Second", Vec::new()).await;
    let items = json!({"items": [item(article, "publish")], "seen_version": 1});
    assert_eq!(server.as_creator().patch(&path(&second, ""), &items).await.refused(409), "in_other_release");
    server.as_creator().post(&path(&first, "/publish-now"), &json!({})).await.expect(200);
    server.advance(1_000).await;
    assert_eq!(server.release(&first).await["state"], "published");
    server.as_creator().patch(&path(&second, ""), &items).await.expect(200);
    // Now the first one cannot be reverted: the article waits in the second.
    let refused = server.revert(&first).await;
    assert!(refused.text.contains("another release"), "{}", refused.text);
    assert_eq!(refused.refused(409), "release_blocked");
}

async fn ticked_articles_that_are_gone_are_left_out_with_a_word(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let kept = server.create_article("Kept").await.to_string();
    let release = server.release_of("Empty", Vec::new()).await;
    let own = format!("/releases/{}", release["id"].as_str().unwrap());
    let [one, two] = [(); 2].map(|()| ArticleId::generate().to_string());
    for page in ["/releases/new", own.as_str()] {
        let shown = browser.get(&format!("{page}?ids={kept}&ids={one}")).await.expect_page();
        assert!(shown.contains("One selected article no longer exists."), "{page}: {shown}");
        assert_eq!(shown.matches(" checked").count(), 1, "{page}: {shown}");
    }
    let form = [("name", "Council"), ("ids[]", &*kept), ("ids[]", &*one), ("ids[]", &*two), ("draft", "1")];
    let form = [&form[..], &[("from", "/releases/new")]].concat();
    let refused = browser.form("/fn/create_release", &form).await;
    assert_eq!(refused.status, 404, "{}", refused.text);
    assert!(refused.text.contains("2 selected articles no longer exist."), "{}", refused.text);
    assert!(refused.text.contains("value=\"Council\""), "what was typed is kept: {}", refused.text);
    assert_eq!(refused.text.matches(" checked").count(), 1, "{}", refused.text);
}

async fn a_release_refused_for_too_many_articles_keeps_them_ticked(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let ids: Vec<String> = server.create_articles(201).await.iter().map(ToString::to_string).collect();
    let ticked = ids.iter().map(|id| ("ids[]", id.as_str()));
    let form: Vec<_> = ticked.chain([("name", "Large"), ("draft", "1"), ("from", "/releases/new")]).collect();
    let refused = browser.form("/fn/create_release", &form).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert_eq!(refused.text.matches(" checked").count(), 201, "{}", refused.text);
    // The form says it, not the field of the time.
    let (_, time) = refused.text.split_once("id=\"release-feedback\"").expect("the feedback");
    let (feedback, rest) = time.split_once("</div>").expect("its end");
    assert!(!feedback.contains("more than 200 items"), "{feedback}");
    assert!(rest.contains("more than 200 items"), "{rest}");
}
