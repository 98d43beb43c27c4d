//! How many tasks of a kind are executed at once: decided by admins on the engine page or by the API.

use crate::{house::Story, on_both, sheet::says};
use domain::State;
use presstime::worker::Loop as _;
use serde_json::{Value, json};

on_both!(
    a_limit_is_changed_only_by_who_has_seen_it_and_everything_goes_out,
    a_limit_is_changed_on_the_engine_page,
);

const KIND: &str = "/api/v1/kinds/article.publish";

async fn a_limit_is_changed_only_by_who_has_seen_it_and_everything_goes_out(story: Story) {
    let admin = story.as_admin();
    let kinds = admin.get("/api/v1/kinds").await.expect(200);
    assert_eq!(kinds["items"][0], json!({"kind": "article.publish", "at_once": null, "version": 0}));
    let limit = |at_once: Value, seen: i32| json!({"at_once": at_once, "seen_version": seen});
    let answer = admin.patch(KIND, &limit(json!(1), 0)).await.expect(200);
    assert_eq!(answer, json!({"kind": "article.publish", "at_once": 1, "version": 1}));
    assert_eq!(admin.patch(KIND, &limit(json!(2), 0)).await.refused(409), "changed");
    assert_eq!(admin.patch(KIND, &limit(json!(0), 1)).await.refused(422), "invalid");
    assert_eq!(admin.patch(KIND, &json!({"seen_version": 1})).await.refused(422), "invalid");
    assert_eq!(admin.patch("/api/v1/kinds/other", &limit(json!(1), 0)).await.refused(404), "no_such");
    // Another node hears of it with its next beat.
    let other = story.another().await;
    story.align(&other);
    other.loops.roster.tick(story.now()).await;
    assert_eq!(*other.parts.pulse.limits(), [("article.publish", 1)]);
    let mut rows = Vec::new();
    for place in 0..8 {
        rows.push(story.waiting(&format!("Number {place}"), 1_000).await);
    }
    story.advance(1_000).await;
    story.advance(1_000).await;
    for row in &rows {
        assert_eq!(story.look(row.id).await.state, State::Executed);
    }
    story.ledger_agrees().await;
    let answer = admin.patch(KIND, &limit(Value::Null, 1)).await.expect(200);
    assert_eq!(answer["version"], 2);
    assert!(story.house.parts.pulse.limits().is_empty());
    other.close().await;
}

async fn a_limit_is_changed_on_the_engine_page(story: Story) {
    let page = story.page(&story.admin, "/engine").await;
    says(&page, &["At most so many of a kind", r#"value="article.publish""#]);
    let browser = story.browser_of(&story.admin).await;
    let form = |at_once, seen| {
        [("id", "article.publish"), ("at_once", at_once), ("seen", seen), ("from", "/engine")]
    };
    let answer = browser.form("/fn/limit_kind", &form("7", "0")).await;
    assert_eq!((answer.status, answer.header("location")), (303, "/engine"));
    says(&story.page(&story.admin, "/engine").await, &[r#"value="7""#]);
    let refused = browser.form("/fn/limit_kind", &form("8", "0")).await;
    assert_eq!(refused.status, 409);
    says(&refused.text, &["Somebody changed this meanwhile.", r#"value="8""#]);
    assert_eq!(browser.form("/fn/limit_kind", &form("many", "1")).await.status, 422);
    browser.form("/fn/limit_kind", &form("", "1")).await;
    assert!(story.house.parts.pulse.limits().is_empty());
}
