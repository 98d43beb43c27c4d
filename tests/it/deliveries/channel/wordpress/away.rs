//! Posts of a site at whose address nothing listens: what waits, what replaces it, and results that come late.

use crate::{
    deliveries::{
        channel::many_waiting::{id_of, run_on_postgres},
        text,
    },
    on_both,
    test_server::{Backend, TestServer},
};
use domain::{
    ArticleId, DeliveryId, PostId, Version,
    channel::ChannelEvent,
    delivery::{DeliveryState, Outcome},
    post::PostReport,
};
use serde_json::{Value, json};
use store::{
    PoolRole,
    dispatch::{self, AttemptResult},
    outbox::Message,
    post,
};

on_both!(
    a_newer_change_replaces_one_that_waits,
    a_transaction_that_publishes_and_unpublishes_withdraws,
    a_post_of_a_purged_article_is_still_withdrawn,
    a_late_result_does_not_replace_a_newer_one,
    a_post_whose_delivery_was_cancelled_is_withdrawn,
);

async fn a_newer_change_replaces_one_that_waits(server: TestServer) {
    let channel = server.create_site_away().await;
    server.publish_article("Not chosen").await;
    let (article, _) = server.schedule_new_article("Chosen", 1_000).await;
    let path = server.choose_site(&article, &channel).await;
    server.advance(1_000).await;
    let post = server.as_admin().get(&path).await.expect(200);
    assert_eq!((text(&post["state"]), text(&post["problem"])), ("publishing", "no connection"), "{post}");
    server.run_task("article.unpublish", &article).await;
    assert_eq!(server.post_state(&path).await, "withdrawing");
    let log = server.delivery_log(&channel).await;
    let log: Vec<(&str, &str)> = log.iter().map(|(event, state)| (&**event, &**state)).collect();
    assert_eq!(log, [("article.unpublished", "pending"), ("article.published", "cancelled")]);
    let id = text(&channel["id"]);
    assert_eq!(server.as_admin().delete(&format!("/api/v1/channels/{id}")).await.status, 204);
    assert_eq!(server.as_admin().get(&path).await.refused(404), "no_such");
}

/// A release and a task change one article. Its text is a draft again when the deliveries are written.
async fn a_transaction_that_publishes_and_unpublishes_withdraws(server: TestServer) {
    let channel = server.create_site_away().await;
    let (article, task) = server.schedule_new_article("Back and forth", 60_000).await;
    server.choose_site(&article, &channel).await;
    let message = |event| Message {
        task: text(&task["id"]).parse().unwrap(),
        version: Version::FIRST,
        event,
        article: text(&article["id"]).parse().unwrap(),
        revision: 1,
    };
    let events =
        [ChannelEvent::ArticlePublished, ChannelEvent::ArticleUnpublished, ChannelEvent::ArticleHeld];
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    assert_eq!(post::enqueue(&mut tx, &events.map(message), server.now()).await.unwrap(), 1);
    tx.commit().await.unwrap();
    let log = server.delivery_log(&channel).await;
    assert_eq!(log, [("article.unpublished".to_owned(), "pending".to_owned())]);
}

async fn a_post_of_a_purged_article_is_still_withdrawn(server: TestServer) {
    let channel = server.create_site_away().await;
    let (article, _) = server.schedule_new_article("Gone", 1_000).await;
    server.choose_site(&article, &channel).await;
    server.advance(1_000).await;
    server.run_task("article.unpublish", &article).await;
    server.change_database(&channel, "delete from post where channel_id = $1").await;
    server.advance(3_600_000 * 2).await;
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!((&delivery["event"], &delivery["state"]), (&json!("article.unpublished"), &json!("failed")));
    assert_eq!(delivery["attempts"], 2, "{delivery}");
}

/// An attempt without an answer may have published it.
async fn a_post_whose_delivery_was_cancelled_is_withdrawn(server: TestServer) {
    let channel = server.create_site_away().await;
    let (article, _) = server.schedule_new_article("Perhaps public", 1_000).await;
    let path = server.choose_site(&article, &channel).await;
    server.advance(1_000).await;
    let sql = "update delivery set state = 'cancelled', ended_at = 1 where channel_id = $1";
    server.change_database(&channel, sql).await;
    let post = server.as_admin().delete(&path).await.expect(200);
    assert_eq!((text(&post["state"]), &post["is_chosen"]), ("withdrawing", &json!(false)), "{post}");
}

/// The result of a first attempt that has published.
pub(super) fn published(
    server: &TestServer,
    channel: &Value,
    (id, post): (DeliveryId, PostId),
) -> AttemptResult {
    let report = PostReport {
        post,
        remote_id: Some("7".to_owned()),
        url: None,
        content_hash: Some("hash".to_owned()),
        is_public: true,
        live: None,
        removed: Vec::new(),
        changed_there: None,
    };
    AttemptResult {
        id,
        channel: id_of(channel),
        epoch: 1,
        at: server.now(),
        outcome: Outcome::Delivered,
        status: Some(200),
        response_body: None,
        state: DeliveryState::Delivered,
        not_before: None,
        breaker_open_until: None,
        is_gone: false,
        recipients: Vec::new(),
        is_taken: true,
        is_about_message: false,
        is_check: false,
        is_left: false,
        post: Some(Box::new(report)),
    }
}

/// A node reports that it has published, after another one has withdrawn.
async fn a_late_result_does_not_replace_a_newer_one(server: TestServer) {
    let channel = server.create_site_away().await;
    let (article, _) = server.schedule_new_article("Late", 1_000).await;
    let path = server.choose_site(&article, &channel).await;
    server.advance(1_000).await;
    let late: DeliveryId = text(&server.latest_delivery(&channel).await["id"]).parse().unwrap();
    server.run_task("article.unpublish", &article).await;
    let store = &server.app.parts.store;
    let mut lease = store.read(PoolRole::Web).await.unwrap();
    let known = post::known(lease.conn(), &[late.0]).await.unwrap();
    assert!(known.contains_key(&late.0), "an older delivery knows its post, too");
    let id: ArticleId = text(&article["id"]).parse().unwrap();
    let found = post::of_article(lease.conn(), id, None).await.unwrap();
    let result = published(&server, &channel, (late, PostId(found[0].id.unwrap())));
    drop(lease);
    let newest = [
        (
            "update delivery set state = 'delivered', ended_at = 1 where channel_id = $1 and purpose = 'withdraw'",
            false,
        ),
        (
            "update delivery set state = 'pending', ended_at = null where channel_id = $1 and purpose = 'withdraw'",
            true,
        ),
    ];
    for (newest, is_public) in newest {
        server.change_database(&channel, newest).await;
        let mut tx = store.begin(PoolRole::Dispatcher).await.unwrap();
        dispatch::record(tx.conn(), std::slice::from_ref(&result), server.now()).await.unwrap();
        tx.commit().await.unwrap();
        let post = server.as_admin().get(&path).await.expect(200);
        assert_eq!(post["published_at"].is_string(), is_public, "{newest}: {post}");
    }
}

#[tokio::test]
async fn a_deletion_of_a_site_and_a_recorded_result_lock_in_one_order() {
    let server = TestServer::start(Backend::Servers).await;
    let channel = server.create_site_away().await;
    let article = server.create_draft("Chosen").await;
    server.choose_site(&article, &channel).await;
    let (id, path) = (id_of(&channel), format!("/api/v1/channels/{}", text(&channel["id"])));
    // As a result that is recorded: first the posts, then the channel.
    let mut tx = server.app.parts.store.begin(PoolRole::Dispatcher).await.unwrap();
    run_on_postgres(tx.conn(), id, "update post set created_at = created_at where channel_id = $1").await;
    let deleting = async { server.as_admin().delete(&path).await.expect(204) };
    let recording = async {
        server.until_locked("post").await;
        run_on_postgres(tx.conn(), id, "update channel set name = name where id = $1").await;
        tx.commit().await.unwrap();
    };
    let (_, ()) = tokio::join!(deleting, recording);
    assert_eq!(server.as_admin().get(&path).await.status, 404);
}
