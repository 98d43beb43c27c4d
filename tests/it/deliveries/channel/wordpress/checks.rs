//! Posts before and after their moment: the draft shows whether the publication will work, a reader's request that it
//! did, and what was changed on the site waits for a user.

use super::{as_author, away::published, public_posts};
use crate::{
    deliveries::text,
    engine_page::assert_contains,
    http_client::{Reply, client},
    on_both,
    test_server::{Backend, TestServer},
};
use domain::{
    ArticleId, DeliveryId, PostId,
    delivery::{DeliveryState, Outcome},
    post::PostPurpose,
};
use serde_json::{Value, json};
use store::{
    PoolRole,
    dispatch::{self, AttemptResult},
    post,
};
use test_support::WordPress;

on_both!(
    a_publication_replaces_a_draft_that_waits,
    a_draft_is_not_made_shortly_before_its_moment,
    checks_follow_a_schedule_that_is_moved_and_cancelled,
    a_draft_is_not_tried_again_once_nothing_is_scheduled,
    a_draft_is_not_tried_again_shortly_before_its_moment,
    a_draft_that_has_waited_is_not_made_shortly_before_its_moment,
    a_user_has_a_draft_tried_again_although_nothing_is_scheduled,
    a_publication_is_before_all_checks,
    a_site_without_time_for_a_check_delays_no_publication,
);

/// Nothing is sent until the year 2100.
const STOP: &str = "update channel set breaker_open_until = 4102444800000 where id = $1";
const GO_ON: &str = "update channel set breaker_open_until = null where id = $1";

/// Two hours, milliseconds.
const TWO_HOURS: i64 = 7_200_000;

impl TestServer {
    /// Does something with a post in the version that was read.
    pub(in crate::deliveries::channel) async fn act_on_post(&self, post: &Value, action: &str) -> Reply {
        let path = format!("/api/v1/posts/{}/{action}", text(&post["id"]));
        self.as_admin().post(&path, &json!({"seen_version": post["version"]})).await
    }

    /// The newest delivery of a channel that publishes an article.
    pub(in crate::deliveries::channel) async fn latest_publication(&self, channel: &Value) -> Value {
        let path = format!("/api/v1/deliveries?channel={}", text(&channel["id"]));
        let log = self.as_admin().get(&path).await.expect(200);
        let found = log["items"].as_array().unwrap().iter().find(|one| one["event"] == "article.published");
        let path = format!("/api/v1/deliveries/{}", text(&found.unwrap()["id"]));
        self.as_admin().get(&path).await.expect(200)
    }

    async fn read_post(&self, path: &str) -> Value {
        self.as_admin().get(path).await.expect(200)
    }
}

/// Returns the only draft of the author with this title.
async fn draft(site: &WordPress, title: &str) -> Value {
    let url = format!(
        "http://127.0.0.1:{}/?rest_route=/wp/v2/posts&status=draft&context=edit&per_page=100",
        site.port()
    );
    let request =
        client(false).get(url).basic_auth(WordPress::AUTHOR, Some(site.password(WordPress::AUTHOR)));
    let all: Value = request.send().await.unwrap().json().await.unwrap();
    let all = all.as_array().unwrap().iter();
    let mut found: Vec<Value> = all.filter(|post| text(&post["title"]["raw"]) == title).cloned().collect();
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

pub(super) async fn a_scheduled_article_is_tried_before_its_moment_and_seen_after_it(site: &WordPress) {
    let title = "Tried before";
    let server = TestServer::start(Backend::Embedded).await;
    server.follow_saves().await;
    let channel = server.create_wordpress(site, site.port(), WordPress::AUTHOR).await;
    let (article, task) = server.schedule_new_article(title, TWO_HOURS).await;
    let path = server.choose_site(&article, &channel).await;
    server.advance(2_000).await;
    let post = server.read_post(&path).await;
    assert!(post["state"] == "ready" && post["checked_at"].is_string(), "{post}");
    assert_eq!(public_posts(site, title).await.len(), 0, "strangers see no draft");
    let edit = json!({"body": "the *second* text", "seen_revision": 1});
    let own = format!("/api/v1/articles/{}", text(&article["id"]));
    server.as_creator().patch(&own, &edit).await.expect(200);
    server.advance(2_000).await;
    assert!(text(&draft(site, title).await["content"]["raw"]).contains("<em>second</em>"));
    let prepared = ("post.prepared".to_owned(), "delivered".to_owned());
    assert_eq!(server.delivery_log(&channel).await, vec![prepared.clone(); 2], "once for each text");
    server.advance(2_000).await;
    assert_eq!(server.delivery_log(&channel).await.len(), 2, "nothing has changed");
    server.advance(TWO_HOURS / 2).await;
    assert_eq!(server.delivery_log(&channel).await, vec![prepared; 3], "an hour before");
    let page = format!("/articles/{}", text(&article["id"]));
    assert_contains(
        &server.page(&server.admin, &page).await,
        &["Ready: a draft with this text is there.", "Check now"],
    );
    let page = format!("/tasks/{}", text(&task["id"]));
    assert_contains(
        &server.page(&server.admin, &page).await,
        &["Also on", "Ready: a draft with this text is there."],
    );
    server.advance(TWO_HOURS / 2 - 6_000).await;
    let public = public_posts(site, title).await;
    assert!(
        public.len() == 1 && text(&public[0]["content"]["rendered"]).contains("<em>second</em>"),
        "{public:?}"
    );
    server.advance(2_000).await;
    let post = server.read_post(&path).await;
    assert!(post["state"] == "live" && post["seen_at"].is_string(), "{post}");
    assert_eq!(server.delivery_log(&channel).await[0], ("post.seen".to_owned(), "delivered".to_owned()));
}

/// A contributor may write drafts, and not publish them.
pub(super) async fn a_missing_right_is_known_before_the_moment(site: &WordPress) {
    let server = TestServer::start(Backend::Embedded).await;
    let channel = server.create_wordpress(site, site.port(), WordPress::CONTRIBUTOR).await;
    let (article, _) = server.schedule_new_article("Without the right", TWO_HOURS).await;
    let path = server.choose_site(&article, &channel).await;
    server.advance(2_000).await;
    let post = server.read_post(&path).await;
    assert!(post["state"] == "failed" && text(&post["problem"]).contains("may not publish"), "{post}");
    assert_contains(
        &server.page(&server.admin, "/articles").await,
        &["Not prepared, published or withdrawn there."],
    );
    let list = server.page(&server.creator, "/articles").await;
    assert!(!list.contains("Not prepared, published or withdrawn there."), "only for admins");
    let attention = server.as_admin().get("/api/v1/attention").await.expect(200);
    assert_eq!(attention["items"][0]["cause"], "delivery_failed", "{attention}");
    assert_eq!(attention["items"][0]["items"][0]["title"], "Without the right", "{attention}");
}

pub(super) async fn a_change_on_the_site_waits_for_a_user(site: &WordPress) {
    let title = "Changed before";
    let server = TestServer::start(Backend::Embedded).await;
    let channel = server.create_wordpress(site, site.port(), WordPress::AUTHOR).await;
    let (article, _) = server.schedule_new_article(title, TWO_HOURS).await;
    let path = server.choose_site(&article, &channel).await;
    server.advance(2_000).await;
    let id = draft(site, title).await["id"].clone();
    as_author(site, &format!("/wp/v2/posts/{id}"), json!({"content": "by hand"})).await;
    let ready = server.read_post(&path).await;
    server.act_on_post(&ready, "check").await.expect(200);
    server.advance(1_000).await;
    let post = server.read_post(&path).await;
    assert_eq!(
        (&post["state"], &post["changed_there"]),
        (&json!("changed_there"), &json!("edited")),
        "{post}"
    );
    assert_eq!(server.act_on_post(&ready, "overwrite").await.refused(409), "changed");
    server.act_on_post(&post, "overwrite").await.expect(200);
    server.advance(1_000).await;
    let post = server.read_post(&path).await;
    assert_eq!((&post["state"], post["changed_there"].is_null()), (&json!("ready"), true), "{post}");
    assert!(!text(&draft(site, title).await["content"]["raw"]).contains("by hand"));
    assert_eq!(server.act_on_post(&post, "leave").await.refused(409), "wrong_state");
    as_author(site, &format!("/wp/v2/posts/{id}&_method=DELETE"), json!({})).await;
    server.act_on_post(&post, "check").await.expect(200);
    server.advance(1_000).await;
    let post = server.read_post(&path).await;
    assert_eq!(
        (&post["state"], &post["changed_there"]),
        (&json!("changed_there"), &json!("trashed")),
        "{post}"
    );
    server.act_on_post(&post, "leave").await.expect(200);
    let left = server.read_post(&path).await;
    assert_eq!((&left["state"], &left["is_chosen"]), (&json!("off"), &json!(false)), "{left}");
    let attention = server.as_admin().get("/api/v1/attention").await.expect(200);
    assert_eq!(attention["items"], json!([]), "a user has decided");
}

/// Nothing listens at the address of the site.
async fn a_publication_replaces_a_draft_that_waits(server: TestServer) {
    let channel = server.create_site_away().await;
    let (article, _) = server.schedule_new_article("Tried in vain", 60_000).await;
    let path = server.choose_site(&article, &channel).await;
    server.advance(2_000).await;
    let post = server.read_post(&path).await;
    assert_eq!((text(&post["state"]), text(&post["problem"])), ("preparing", "no connection"), "{post}");
    assert_eq!(server.act_on_post(&post, "check").await.refused(409), "wrong_state");
    server.advance(58_000).await;
    assert_eq!(server.post_state(&path).await, "publishing");
    let log = server.delivery_log(&channel).await;
    let log: Vec<(&str, &str)> = log.iter().map(|(event, state)| (&**event, &**state)).collect();
    assert_eq!(log, [("article.published", "pending"), ("post.prepared", "cancelled")]);
    for (state, count) in [("publishing", 1), ("live", 0)] {
        let list = format!("/api/v1/posts?state={state}&channel_id={}", text(&channel["id"]));
        let found = server.as_admin().get(&list).await.expect(200);
        assert_eq!(found["items"].as_array().unwrap().len(), count, "{found}");
    }
    let refused = server.as_admin().get("/api/v1/posts?state=lost").await.expect(422);
    assert_eq!(refused["error"]["field"], "state");
}

/// A draft that is being made would delay the publication.
async fn a_draft_is_not_made_shortly_before_its_moment(server: TestServer) {
    let channel = server.create_site_away().await;
    let (article, _) = server.schedule_new_article("Soon", 30_000).await;
    let path = server.choose_site(&article, &channel).await;
    server.advance(2_000).await;
    assert_eq!(server.post_state(&path).await, "planned");
    assert!(server.delivery_log(&channel).await.is_empty());
}

/// The same, if it has failed before.
async fn a_draft_is_not_tried_again_shortly_before_its_moment(server: TestServer) {
    let channel = server.create_site_away_with("1m").await;
    let (article, _) = server.schedule_new_article("Soon again", 90_000).await;
    let path = server.choose_site(&article, &channel).await;
    server.advance(2_000).await;
    assert_eq!(server.post_state(&path).await, "preparing");
    server.advance(86_000).await;
    assert_eq!(server.post_state(&path).await, "planned");
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!((&delivery["state"], &delivery["attempts"]), (&json!("cancelled"), &json!(1)), "{delivery}");
    server.advance(2_000).await;
    assert_eq!(server.post_state(&path).await, "publishing");
}

/// The channel had no time for it before.
async fn a_draft_that_has_waited_is_not_made_shortly_before_its_moment(server: TestServer) {
    let channel = server.create_site_away().await;
    server.change_database(&channel, STOP).await;
    let (article, _) = server.schedule_new_article("Waited", 90_000).await;
    let path = server.choose_site(&article, &channel).await;
    server.advance(2_000).await;
    assert_eq!(server.post_state(&path).await, "preparing");
    server.advance(60_000).await;
    server.change_database(&channel, GO_ON).await;
    server.advance(1_000).await;
    assert_eq!(server.post_state(&path).await, "planned");
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!((&delivery["state"], &delivery["attempts"]), (&json!("cancelled"), &json!(0)), "{delivery}");
    server.advance(27_000).await;
    assert_eq!(server.post_state(&path).await, "publishing");
}

async fn a_user_has_a_draft_tried_again_although_nothing_is_scheduled(server: TestServer) {
    let channel = server.create_site_away().await;
    let article = server.create_draft("Not scheduled").await;
    let path = server.choose_site(&article, &channel).await;
    let post = server.read_post(&path).await;
    server.act_on_post(&post, "check").await.expect(200);
    server.advance(1_000).await;
    let failed = "update delivery set state = 'failed', ended_at = 1 where channel_id = $1";
    server.change_database(&channel, failed).await;
    let post = server.read_post(&path).await;
    assert_eq!(post["state"], "failed", "{post}");
    server.act_on_post(&post, "retry").await.expect(200);
    server.advance(1_000).await;
    let delivery = server.latest_delivery(&channel).await;
    let attempts = delivery["attempt_log"].as_array().map(Vec::len);
    assert_eq!((&delivery["state"], attempts), (&json!("pending"), Some(2)), "{delivery}");
}

/// More checks wait than the channel makes in the rounds of one moment.
async fn a_publication_is_before_all_checks(server: TestServer) {
    let channel = server.create_site_away().await;
    server.change_database(&channel, STOP).await;
    server.change_database(&channel, "update channel set concurrency = 1 where id = $1").await;
    for number in 0..8 {
        let (article, _) = server.schedule_new_article(&format!("Later {number}"), TWO_HOURS).await;
        server.choose_site(&article, &channel).await;
    }
    server.advance(2_000).await;
    let log = server.delivery_log(&channel).await;
    assert_eq!(log, vec![("post.prepared".to_owned(), "pending".to_owned()); 8]);
    let (article, _) = server.schedule_new_article("Now", 1_000).await;
    server.choose_site(&article, &channel).await;
    server.change_database(&channel, GO_ON).await;
    server.advance(1_000).await;
    let publication = server.latest_publication(&channel).await;
    assert_eq!(publication["attempts"], 1, "{publication}");
}

/// WordPress asks for ten minutes while it updates itself, which takes seconds.
async fn a_site_without_time_for_a_check_delays_no_publication(server: TestServer) {
    let channel = server.create_site_away().await;
    let (article, _) = server.schedule_new_article("Busy", TWO_HOURS).await;
    let path = server.choose_site(&article, &channel).await;
    server.advance(2_000).await;
    let post: PostId = text(&server.read_post(&path).await["id"]).parse().unwrap();
    let id: DeliveryId = text(&server.latest_delivery(&channel).await["id"]).parse().unwrap();
    for (is_check, is_open) in [(true, false), (false, true)] {
        let rests_until = Some(server.now().plus(600_000));
        let busy = AttemptResult {
            outcome: Outcome::Refused,
            status: Some(503),
            state: DeliveryState::Pending,
            not_before: rests_until,
            breaker_open_until: rests_until,
            is_taken: false,
            is_check,
            post: None,
            ..published(&server, &channel, (id, post))
        };
        let mut tx = server.app.parts.store.begin(PoolRole::Dispatcher).await.unwrap();
        dispatch::record(tx.conn(), &[busy], server.now()).await.unwrap();
        tx.commit().await.unwrap();
        let channel = server.get_channel(&channel).await;
        assert_eq!(!channel["breaker_open_until"].is_null(), is_open, "{channel}");
    }
}

/// PostgreSQL: a step that is due when it is read is none any more when it is stored.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_draft_does_not_replace_a_publication_that_is_being_written() {
    let server = TestServer::start(Backend::Servers).await;
    let channel = server.create_site_away().await;
    let (article, _) = server.schedule_new_article("Written meanwhile", TWO_HOURS).await;
    let path = server.choose_site(&article, &channel).await;
    let id: ArticleId = text(&article["id"]).parse().unwrap();
    let post: PostId = text(&server.read_post(&path).await["id"]).parse().unwrap();
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    let publish = (PostPurpose::Publish, false);
    assert!(post::enqueue_now(&mut tx, (id, post), publish, server.now()).await.unwrap());
    server.advance(2_000).await;
    tx.commit().await.unwrap();
    server.advance(2_000).await;
    assert_eq!(server.post_state(&path).await, "publishing");
    let log = server.delivery_log(&channel).await;
    assert_eq!(log, [("article.published".to_owned(), "pending".to_owned())]);
}

/// The results of the checks are those of a site that works.
async fn checks_follow_a_schedule_that_is_moved_and_cancelled(server: TestServer) {
    let done =
        "update delivery set state = 'delivered', ended_at = 1 where channel_id = $1 and state = 'pending'";
    let channel = server.create_site_away().await;
    let (article, task) = server.schedule_new_article("Moved", TWO_HOURS).await;
    let path = server.choose_site(&article, &channel).await;
    server.advance(2_000).await;
    server.change_database(&channel, done).await;
    assert_eq!(server.post_state(&path).await, "ready");
    let task_path = format!("/api/v1/tasks/{}", text(&task["id"]));
    let moved = json!({"due_at": server.time_after(TWO_HOURS / 4), "seen_version": task["version"]});
    let task = server.as_creator().post(&format!("{task_path}/reschedule"), &moved).await.expect(200);
    server.advance(2_000).await;
    assert_eq!(server.delivery_log(&channel).await.len(), 1, "it was checked less than an hour before");
    server.advance(TWO_HOURS / 8).await;
    assert_eq!(server.delivery_log(&channel).await.len(), 2, "a quarter of an hour before");
    server.change_database(&channel, done).await;
    let seen = json!({"seen_version": task["version"]});
    server.as_creator().post(&format!("{task_path}/cancel"), &seen).await.expect(200);
    server.advance(TWO_HOURS / 8 - 60_000).await;
    assert_eq!(server.delivery_log(&channel).await.len(), 2, "nothing is scheduled");
}

async fn a_draft_is_not_tried_again_once_nothing_is_scheduled(server: TestServer) {
    let channel = server.create_site_away().await;
    let (article, task) = server.schedule_new_article("Cancelled", 2 * TWO_HOURS).await;
    let path = server.choose_site(&article, &channel).await;
    server.advance(2_000).await;
    assert_eq!(server.post_state(&path).await, "preparing");
    let seen = json!({"seen_version": task["version"]});
    let cancel = format!("/api/v1/tasks/{}/cancel", text(&task["id"]));
    server.as_creator().post(&cancel, &seen).await.expect(200);
    server.advance(TWO_HOURS).await;
    let post = server.read_post(&path).await;
    assert_eq!((text(&post["state"]), text(&post["problem"])), ("planned", "no connection"), "{post}");
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!((&delivery["state"], &delivery["attempts"]), (&json!("cancelled"), &json!(1)), "{delivery}");
}
