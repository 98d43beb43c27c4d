//! Repeated and conflicting actions: two clicks make one task, a refused request changes nothing,
//! and an older scheduled revision never replaces a newer one.

use crate::{deliveries::text, new_task::publish, on_both, test_server::TestServer};
use domain::{
    ArticleId, DomainError, Kind, State,
    task::{Change, TaskQuery, TaskRow, reason},
};
use serde_json::{Value, json};
use test_support::Sink;

on_both!(
    two_clicks_on_publish_now_make_one_task_and_one_message,
    two_clicks_on_unpublish_get_the_same_answer,
    a_form_sent_twice_gets_the_same_answer,
    a_refused_publish_now_leaves_the_schedule,
    a_cancelled_or_undone_task_does_not_block_a_new_one,
    an_older_scheduled_revision_never_replaces_a_newer_public_one,
    an_older_revision_is_not_retried,
    the_latest_saved_revision_is_scheduled,
    disabling_an_account_transfers_its_scheduled_tasks,
);

/// Saves a new revision of an article.
async fn write(server: &TestServer, article: ArticleId, seen_revision: i32, title: &str) {
    let edit = json!({ "title": title, "seen_revision": seen_revision });
    server.as_creator().patch(&format!("/api/v1/articles/{article}"), &edit).await.expect(200);
}

async fn list_tasks(server: &TestServer) -> Vec<TaskRow> {
    let query = TaskQuery { limit: Some(200), ..TaskQuery::default() };
    server.app.services.tasks.list(&server.admin.actor, query).await.unwrap().items
}

async fn two_clicks_on_publish_now_make_one_task_and_one_message(server: TestServer) {
    let (sink, article) = (Sink::start().await, server.create_article("Twice").await);
    server.create_webhook(&sink, json!({})).await;
    let (browser, id) = (server.log_in_browser(&server.creator).await, article.to_string());
    let form = [("article", id.as_str()), ("from", "/articles")];
    let first = browser.form("/fn/publish_article", &form).await;
    let second = browser.form("/fn/publish_article", &form).await;
    server.advance(1_000).await;
    let third = browser.form("/fn/publish_article", &form).await;
    server.advance(1_000).await;
    let answers = [&first, &second, &third].map(|reply| (reply.status, reply.result_location()));
    assert!(
        answers.iter().all(|answer| *answer == answers[0] && (300..400).contains(&answer.0)),
        "{answers:?}"
    );
    let [task] = &list_tasks(&server).await[..] else { panic!("one task") };
    assert_eq!(
        (task.state, server.timeline_verbs(task.id).await.join(" ").as_str()),
        (State::Executed, "schedule execute deliver")
    );
    assert_eq!(sink.received().len(), 1);
    // A new revision makes a new task.
    write(&server, article, 1, "Another text").await;
    browser.form("/fn/publish_article", &form).await;
    server.advance(1_000).await;
    assert_eq!((list_tasks(&server).await.len(), sink.received().len()), (2, 2));
}

async fn two_clicks_on_unpublish_get_the_same_answer(server: TestServer) {
    let article = server.create_article("Gone").await;
    let (tasks, actor) = (&server.app.services.tasks, &server.creator.actor);
    assert_eq!(tasks.unpublish_now(actor, article).await, Err(DomainError::NotPublished));
    tasks.publish_now(actor, article).await.unwrap();
    server.advance(1_000).await;
    let one = tasks.unpublish_now(actor, article).await.unwrap();
    let other = tasks.unpublish_now(actor, article).await.unwrap();
    server.advance(1_000).await;
    let late = tasks.unpublish_now(actor, article).await.unwrap();
    assert_eq!((one.id, one.id), (other.id, late.id));
    assert_eq!((list_tasks(&server).await.len(), late.state), (2, State::Executed));
}

async fn a_form_sent_twice_gets_the_same_answer(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let article = server.create_article("Form").await.to_string();
    let form = [
        ("article", article.as_str()),
        ("kind", "article.publish"),
        ("date", "2027-03-02"),
        ("time", "09:00"),
        ("zone", "UTC"),
        ("from", "/articles"),
    ];
    let send_twice = async |path: &str, form: &[(&str, &str)]| {
        let one = browser.form(path, form).await;
        let other = browser.form(path, form).await;
        assert!((300..400).contains(&one.status), "{path}: {} {}", one.status, one.text);
        assert_eq!((one.status, one.result_location()), (other.status, other.result_location()), "{path}");
    };
    send_twice("/fn/schedule", &form).await;
    let [task] = &list_tasks(&server).await[..] else { panic!("one task") };
    let id = task.id.to_string();
    let moved = [
        ("id", id.as_str()),
        ("seen", "1"),
        ("date", "2027-03-03"),
        ("time", "10:00"),
        ("zone", "UTC"),
        ("from", "/tasks"),
    ];
    send_twice("/fn/move_task", &moved).await;
    let cancel = [("id", id.as_str()), ("seen", "2"), ("what", "cancel"), ("from", "/tasks")];
    send_twice("/fn/change_task", &cancel).await;
    let row = server.find_task(task.id).await;
    assert_eq!((row.state, row.version.0, list_tasks(&server).await.len()), (State::Cancelled, 3, 1));
    // Another action on the same task is a conflict.
    let other = [("id", id.as_str()), ("seen", "2"), ("what", "publish_now"), ("from", "/tasks")];
    assert_eq!(browser.form("/fn/change_task", &other).await.status, 409);
}

async fn a_refused_publish_now_leaves_the_schedule(server: TestServer) {
    let row = server.create_task("Friday", 3_600_000).await;
    let (tasks, article) = (&server.app.services.tasks, ArticleId(row.target_id));
    let refused = tasks.publish_now(&server.colleague.actor, article).await;
    assert_eq!(refused, Err(DomainError::NotAllowed));
    let old = domain::Version(row.version.0 + 5);
    let stale = tasks.change(&server.creator.actor, row.id, Change::PublishNow, old).await;
    assert!(matches!(stale, Err(DomainError::TaskConflict { .. })), "{stale:?}");
    let now = server.find_task(row.id).await;
    assert_eq!((now.state, now.version, now.due.at), (State::Scheduled, row.version, row.due.at));
    server.advance(3_600_000).await;
    assert_eq!(server.find_task(row.id).await.state, State::Executed);
}

async fn a_cancelled_or_undone_task_does_not_block_a_new_one(server: TestServer) {
    let first = server.create_task("Again", 60_000).await;
    let article = ArticleId(first.target_id);
    server.change(&first, Change::Cancel).await.unwrap();
    let tasks = &server.app.services.tasks;
    let second = publish(article, server.now().plus(120_000));
    let second = tasks.schedule(&server.creator.actor, second).await.unwrap();
    server.change(&second, Change::Undo).await.unwrap();
    let third = publish(article, server.now().plus(180_000));
    let third = tasks.schedule(&server.creator.actor, third).await.unwrap();
    server.advance(180_000).await;
    let states = [first.id, second.id, third.id].map(async |id| server.find_task(id).await.state);
    let states = futures::future::join_all(states).await;
    assert_eq!(states, [State::Cancelled, State::Cancelled, State::Executed]);
    assert_eq!(server.attention_count().await, 0);
}

/// An article whose first revision is scheduled and whose second one is public.
async fn create_older_schedule(server: &TestServer) -> (ArticleId, TaskRow) {
    let row = server.create_task("First", 3_600_000).await;
    let article = ArticleId(row.target_id);
    let cancelled = server.change(&row, Change::Cancel).await.unwrap();
    write(server, article, 1, "Second").await;
    server.app.services.tasks.publish_now(&server.creator.actor, article).await.unwrap();
    server.advance(1_000).await;
    let row = server.change(&cancelled, Change::Undo).await.unwrap();
    assert_eq!((row.state, row.title.as_str()), (State::Scheduled, "First"));
    (article, row)
}

async fn an_older_scheduled_revision_never_replaces_a_newer_public_one(server: TestServer) {
    let (article, row) = create_older_schedule(&server).await;
    let newer = server.publication(article).await;
    assert_eq!(server.change(&row, Change::PublishNow).await, Err(DomainError::OlderText));
    assert_eq!(server.find_task(row.id).await.due.at, row.due.at, "the schedule is unchanged");
    server.advance(3_600_000).await;
    assert_eq!(server.publication(article).await, newer);
    let failed = server.find_task(row.id).await;
    assert_eq!((failed.state, failed.reason.as_deref()), (State::Failed, Some(reason::OLDER_TEXT)));
    let all = server.as_creator().get("/api/v1/attention").await.expect(200);
    assert_eq!((text(&all["items"][0]["cause"]), all["items"][0]["count"].as_u64()), ("text_older", Some(1)));
    assert!(server.page(&server.creator, "/").await.contains("A newer revision is public"));
    assert_eq!(server.attention_count().await, 1);
    assert_eq!(server.change(&failed, Change::Retry).await, Err(DomainError::OlderText));
    server.change(&failed, Change::Cancel).await.unwrap();
    assert_eq!(server.attention_count().await, 0);
    server.assert_execution_records_match().await;
}

async fn an_older_revision_is_not_retried(server: TestServer) {
    let row = server.create_task("First", 1_000).await;
    let article = ArticleId(row.target_id);
    server.advance_without_loops(25 * 3_600_000);
    server.tick().await;
    write(&server, article, 1, "Second").await;
    server.app.services.tasks.publish_now(&server.creator.actor, article).await.unwrap();
    server.advance(1_000).await;
    let newer = server.publication(article).await;
    let missed = server.find_task(row.id).await;
    assert_eq!(missed.state, State::Missed);
    assert_eq!(server.change(&missed, Change::Retry).await, Err(DomainError::OlderText));
    server.advance(1_000).await;
    assert_eq!(server.publication(article).await, newer);
}

async fn the_latest_saved_revision_is_scheduled(server: TestServer) {
    let article = server.create_article("Draft").await;
    let browser = server.log_in_browser(&server.creator).await;
    let id = article.to_string();
    let form = [
        ("article", id.as_str()),
        ("kind", "article.publish"),
        ("date", "2027-03-02"),
        ("time", "09:00"),
        ("zone", "UTC"),
        ("from", "/articles"),
    ];
    // The session ends during editing: nothing is scheduled until the user has logged in again.
    let session = server.app.services.sessions.sessions(&server.creator.actor, None).await.unwrap();
    for one in session {
        server.app.services.sessions.end_session(&server.creator.actor, &one.name).await.unwrap();
    }
    let refused = browser.form("/fn/schedule", &form).await;
    assert!(refused.status == 401 || refused.header("location").starts_with("/login"), "{}", refused.status);
    assert!(list_tasks(&server).await.is_empty());
    write(&server, article, 1, "Typed last").await;
    let browser = server.log_in_browser(&server.creator).await;
    let reply = browser.form("/fn/schedule", &form).await;
    assert!((300..400).contains(&reply.status), "{}", reply.text);
    let [task] = &list_tasks(&server).await[..] else { panic!("one task") };
    assert_eq!(task.title, "Typed last");
    // A second request for the same time with a newer revision is a conflict, not a repetition.
    write(&server, article, 2, "Typed later").await;
    assert_eq!(browser.form("/fn/schedule", &form).await.status, 409);
    let read = server.as_creator().get(&format!("/api/v1/tasks/{}", task.id)).await.expect(200);
    assert_eq!(read["revision"], Value::from(2));
}

async fn disabling_an_account_transfers_its_scheduled_tasks(server: TestServer) {
    let (accounts, admin) = (&server.app.services.accounts, &server.admin.actor);
    let row = server.create_task("Theirs", 3_600_000).await;
    let account = server.creator.actor.account;
    assert_eq!(accounts.disable(admin, account, None).await.unwrap_err(), DomainError::HasTasks { count: 1 });
    accounts.disable(admin, account, Some(domain::account::OnDisable::Keep)).await.unwrap();
    let tasks = &server.app.services.tasks;
    let now = tasks.find(admin, row.id).await.unwrap();
    assert_eq!((now.row.owner_id, now.row.state), (admin.account, State::Scheduled));
    assert_eq!(now.timeline.last().unwrap().verb, "hand_over");
    let article = server.app.services.articles.find(admin, ArticleId(row.target_id)).await.unwrap();
    assert_eq!(article.row.owner_id, admin.account);
    server.advance(3_600_000).await;
    assert_eq!(tasks.find(admin, row.id).await.unwrap().row.state, State::Executed);
    assert_eq!((now.row.kind, server.attention_count().await), (Kind::ArticlePublish, 0));
}
