//! Invalid input is refused with a sentence, and nothing is lost.

use super::{approve, path};
use crate::{on_both, test_server::TestServer};
use serde_json::json;

on_both!(
    s1_settings_that_cannot_be_kept_are_refused,
    s1_a_reviewer_who_was_disabled_decides_nothing,
    s1_texts_of_invisible_characters_and_long_reasons,
);

async fn s1_settings_that_cannot_be_kept_are_refused(server: TestServer) {
    let (admin, settings) = (server.as_admin(), "/api/v1/settings/review");
    for (body, status, code) in [
        (json!({"workflow": "ten_reviewers"}), 422, "invalid"),
        (json!({"deadline": {"after_submit": 0}}), 422, "invalid"),
        (json!({"deadline": {"before_publish": 129_601}}), 422, "invalid"),
        (json!({"deadline": {"after_submit": -5}}), 422, "invalid"),
        (json!({"deadline": {"after_submit": 5, "decision": "publish"}}), 422, "invalid"),
        (json!({"deadline": {"decision": "escalate"}}), 422, "no_reviewer"),
        (json!({"deadline": {"decision": "escalate", "escalate_to": "none"}}), 422, "invalid"),
        (
            json!({"deadline": {"decision": "escalate", "escalate_to": server.creator.actor.account}}),
            422,
            "no_reviewer",
        ),
        (json!({"allow_own": true, "seen_version": 7}), 409, "changed"),
    ] {
        assert_eq!(admin.patch(settings, &body).await.refused(status), code, "{body}");
    }
    let refused = server.as_reviewer().patch(settings, &json!({"workflow": "none"})).await;
    assert_eq!(refused.refused(403), "not_allowed");
    let kept = admin.get(settings).await.expect(200);
    assert_eq!((&kept["workflow"], &kept["version"]), (&json!("none"), &json!(0)));
}

async fn s1_a_reviewer_who_was_disabled_decides_nothing(server: TestServer) {
    let reviewer = server.reviewer.actor.account;
    let deadline = json!({"after_submit": 1, "decision": "escalate", "escalate_to": reviewer});
    server.set_workflow("one_reviewer", json!({"deadline": deadline})).await;
    let article = server.write("Escalated", "A text.").await;
    let submitted = server.submit(&article).await;
    let accounts = &server.app.services.accounts;
    accounts.disable(&server.admin.actor, reviewer, None).await.unwrap();
    assert_eq!(approve(&server.as_reviewer(), &submitted).await.status, 401);
    server.advance(super::MINUTE).await;
    let held = server.article(&article).await;
    assert_eq!((&held["review"]["state"], &held["review"]["assigned_to"]), (&json!("held"), &json!(null)));
    approve(&server.as_admin(), &held).await.expect(200);
}

async fn s1_texts_of_invisible_characters_and_long_reasons(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    server.create_list("block", json!(["casino"])).await;
    let article = server.write("Invisible", "\u{200b}\u{200d}\u{feff}").await;
    let submitted = server.submit(&article).await;
    assert_eq!(submitted["review"]["verdict"], "clean");
    let reviewer = server.as_reviewer();
    let long = json!({"seen_revision": 1, "reason": "x".repeat(1_001)});
    assert_eq!(reviewer.post(&path(&article, "/send-back"), &long).await.refused(422), "invalid");
    for body in [json!({}), json!({"seen_revision": "1"}), json!({"seen_revision": 1, "more": 1})] {
        assert_eq!(reviewer.post(&path(&article, "/approve"), &body).await.status, 422, "{body}");
    }
    let missing = reviewer
        .post("/api/v1/articles/none/approve", &json!({"seen_revision": 1, "revision_hash": "a"}))
        .await;
    assert_eq!(missing.refused(404), "no_such");
    approve(&reviewer, &submitted).await.expect(200);
}
