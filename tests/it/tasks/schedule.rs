//! Scheduling: what is refused, what is stored, what happens at the due time.

use crate::{
    engine_page::assert_contains,
    new_task::{keyed, publish, unpublish},
    on_both,
    test_server::TestServer,
};
use domain::{ArticleId, DomainError, Kind, State, TaskId, Version, task::TaskQuery};
use serde_json::json;

on_both!(
    a_scheduled_article_is_public_at_its_due_time_and_not_before,
    only_the_owner_and_admins_may_schedule,
    past_times_and_unknown_targets_are_refused,
    an_article_has_at_most_one_scheduled_publish,
    only_an_article_public_at_that_time_can_be_unpublished,
    one_idempotency_key_schedules_once,
    a_list_is_paged_by_cursor,
    a_list_is_filtered,
    publish_now_and_unpublish_now_execute_immediately,
    publish_now_moves_the_scheduled_task_and_pins_the_current_revision,
    a_missed_task_is_on_attention_until_a_newer_task_replaces_it,
    the_dashboard_shows_next_and_recent_tasks,
    lists_and_the_task_page_show_which_version_is_published,
);

async fn a_scheduled_article_is_public_at_its_due_time_and_not_before(server: TestServer) {
    let row = server.create_task("Spring", 60_000).await;
    assert_eq!((row.state, row.version, row.kind), (State::Scheduled, Version::FIRST, Kind::ArticlePublish));
    assert_eq!(
        (row.title.as_str(), row.may_change, row.owner_id),
        ("Spring", true, server.creator.actor.account)
    );
    server.advance(59_999).await;
    assert_eq!(server.publication(ArticleId(row.target_id)).await, None);
    server.advance(1).await;
    assert!(server.publication(ArticleId(row.target_id)).await.is_some());
    let task = server.app.services.tasks.find(&server.creator.actor, row.id).await.unwrap();
    assert_eq!((task.row.state, task.revision, task.row.undo), (State::Executed, Some(1), None));
    assert_eq!(server.timeline_verbs(row.id).await, ["schedule", "execute"]);
    server.assert_execution_records_match().await;
}

async fn only_the_owner_and_admins_may_schedule(server: TestServer) {
    let tasks = &server.app.services.tasks;
    let article = server.create_article("Mine").await;
    let new_task = publish(article, server.now().plus(60_000));
    assert_eq!(tasks.schedule(&server.colleague.actor, new_task.clone()).await, Err(DomainError::NotAllowed));
    assert_eq!(tasks.publish_now(&server.reviewer.actor, article).await, Err(DomainError::NotAllowed));
    let row = tasks.schedule(&server.admin.actor, new_task).await.unwrap();
    assert_eq!(row.owner_id, server.creator.actor.account);
    let seen = tasks.find(&server.colleague.actor, row.id).await.unwrap();
    assert!(!seen.row.may_change);
}

async fn past_times_and_unknown_targets_are_refused(server: TestServer) {
    let tasks = &server.app.services.tasks;
    let article = server.create_article("Late").await;
    let at = server.now().plus(-1);
    assert_eq!(
        tasks.schedule(&server.creator.actor, publish(article, at)).await,
        Err(DomainError::past(at).or_publish_now())
    );
    let nothing = publish(ArticleId::generate(), server.now().plus(60_000));
    assert_eq!(tasks.schedule(&server.creator.actor, nothing).await, Err(DomainError::no_such("article")));
    let missing = tasks.find(&server.creator.actor, TaskId::generate()).await;
    assert_eq!(missing, Err(DomainError::no_such("task")));
}

async fn an_article_has_at_most_one_scheduled_publish(server: TestServer) {
    let row = server.create_task("Once", 60_000).await;
    let again = publish(ArticleId(row.target_id), server.now().plus(120_000));
    let (one, other) = tokio::join!(
        server.app.services.tasks.schedule(&server.creator.actor, again.clone()),
        server.app.services.tasks.schedule(&server.admin.actor, again),
    );
    for refused in [one, other] {
        let Err(DomainError::AlreadyScheduled { task }) = refused else { panic!("{refused:?}") };
        assert_eq!(task.id, row.id);
    }
}

async fn only_an_article_public_at_that_time_can_be_unpublished(server: TestServer) {
    let tasks = &server.app.services.tasks;
    let article = server.create_article("Short").await;
    let end = unpublish(article, server.now().plus(120_000));
    assert_eq!(tasks.schedule(&server.creator.actor, end.clone()).await, Err(DomainError::NotPublished));
    tasks.schedule(&server.creator.actor, publish(article, server.now().plus(60_000))).await.unwrap();
    let row = tasks.schedule(&server.creator.actor, end).await.unwrap();
    server.advance(60_000).await;
    assert!(server.publication(article).await.is_some());
    server.advance(60_000).await;
    assert_eq!(server.publication(article).await, None);
    assert_eq!(server.find_task(row.id).await.state, State::Executed);
}

async fn one_idempotency_key_schedules_once(server: TestServer) {
    let tasks = &server.app.services.tasks;
    let article = server.create_article("Keyed").await;
    let actor = keyed(&server.creator.actor, "k1", "a");
    let new_task = publish(article, server.now().plus(60_000));
    let (one, other) =
        tokio::join!(tasks.schedule(&actor, new_task.clone()), tasks.schedule(&actor, new_task.clone()));
    let (one, other) = (one.unwrap(), other.unwrap());
    assert_eq!(one.id, other.id);
    server.advance(61_000).await;
    let later = tasks.schedule(&actor, new_task.clone()).await.unwrap();
    assert_eq!((later.id, later.state), (one.id, State::Executed));
    let reused = keyed(&server.creator.actor, "k1", "b");
    assert_eq!(tasks.schedule(&reused, new_task.clone()).await, Err(DomainError::KeyReused));
    let refused = keyed(&server.creator.actor, "k2", "a");
    assert!(matches!(tasks.schedule(&refused, new_task).await, Err(DomainError::Past { .. })));
    let freed = publish(article, server.now().plus(60_000));
    assert!(tasks.schedule(&refused, freed).await.is_ok(), "a refused request does not use up its key");
}

async fn a_list_is_paged_by_cursor(server: TestServer) {
    let tasks = &server.app.services.tasks;
    for number in 0..5 {
        // Two per due time: the id decides their order.
        server.create_task(&format!("Page {number}"), 60_000 * (number / 2 + 1)).await;
    }
    let (mut seen, mut cursor) = (Vec::new(), None);
    loop {
        let query = TaskQuery { limit: Some(2), cursor, ..TaskQuery::default() };
        let page = tasks.list(&server.creator.actor, query).await.unwrap();
        seen.extend(page.items.into_iter().map(|row| (row.due.at, row.id)));
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen.len(), 5);
    assert!(seen.is_sorted());
    let query = TaskQuery { cursor: Some("nonsense".to_owned()), ..TaskQuery::default() };
    let refused = tasks.list(&server.creator.actor, query).await.unwrap_err();
    assert_eq!(refused.field(), Some("cursor"));
}

async fn a_list_is_filtered(server: TestServer) {
    let tasks = &server.app.services.tasks;
    let first = server.create_task("Grüße 100% echt", 60_000).await;
    let second = server.create_task("春天来了", 120_000).await;
    let found = async |query: TaskQuery| {
        let page = tasks.list(&server.colleague.actor, query).await.unwrap();
        page.items.into_iter().map(|row| row.id).collect::<Vec<_>>()
    };
    let search = |q: &str| TaskQuery { q: Some(q.to_owned()), ..TaskQuery::default() };
    assert_eq!(found(search("grüße")).await, [first.id]);
    assert_eq!(found(search("100% e")).await, [first.id]);
    assert_eq!(found(search("%秋")).await, []);
    assert_eq!(found(search("春天")).await, [second.id]);
    let from = Some(server.now().plus(60_001));
    assert_eq!(found(TaskQuery { from, ..TaskQuery::default() }).await, [second.id]);
    assert_eq!(found(TaskQuery { to: from, ..TaskQuery::default() }).await, [first.id]);
    let state = |state| TaskQuery { state: Some(state), ..TaskQuery::default() };
    assert_eq!(found(state(State::Scheduled)).await, [first.id, second.id]);
    assert_eq!(found(state(State::Executed)).await, []);
    let kind = |kind| TaskQuery { kind: Some(kind), ..TaskQuery::default() };
    assert_eq!(found(kind(Kind::ArticleUnpublish)).await, []);
    assert_eq!(found(kind(Kind::ArticlePublish)).await.len(), 2);
}

async fn publish_now_and_unpublish_now_execute_immediately(server: TestServer) {
    let tasks = &server.app.services.tasks;
    let article = server.create_article("Now").await;
    assert_eq!(tasks.unpublish_now(&server.creator.actor, article).await, Err(DomainError::NotPublished));
    let row = tasks.publish_now(&server.creator.actor, article).await.unwrap();
    assert_eq!((row.state, row.due.at), (State::Scheduled, server.now()));
    server.tick().await;
    assert!(server.publication(article).await.is_some());
    server.advance(1_000).await;
    let row = tasks.unpublish_now(&server.creator.actor, article).await.unwrap();
    assert_eq!(row.undo.map(|undo| undo.verb).as_deref(), Some("unpublish"));
    server.tick().await;
    assert_eq!(server.publication(article).await, None);
}

async fn publish_now_moves_the_scheduled_task_and_pins_the_current_revision(server: TestServer) {
    let row = server.create_task("Moved", 600_000).await;
    let article = ArticleId(row.target_id);
    let now = server.app.services.tasks.publish_now(&server.creator.actor, article).await.unwrap();
    assert_eq!((now.id, now.version, now.due.at), (row.id, Version(2), server.now()));
    server.tick().await;
    assert!(server.publication(article).await.is_some());
    assert_eq!(server.timeline_verbs(row.id).await, ["schedule", "publish_now", "execute"]);
}

async fn a_missed_task_is_on_attention_until_a_newer_task_replaces_it(server: TestServer) {
    let tasks = &server.app.services.tasks;
    let row = server.create_task("Missed", 60_000).await;
    // The engine was stopped for longer than the grace period.
    server.advance(60_000 + 25 * 3_600_000).await;
    assert_eq!(server.find_task(row.id).await.state, State::Missed);
    let groups = tasks.attention(&server.creator.actor).await.unwrap();
    assert_eq!(groups.len(), 1);
    assert_eq!((groups[0].state, groups[0].total, groups[0].tasks[0].id), (State::Missed, 1, row.id));
    assert_eq!(groups[0].reason, "late");
    assert_eq!(tasks.dashboard(&server.creator.actor, false).await.unwrap().attention, 1);
    let again = publish(ArticleId(row.target_id), server.now().plus(60_000));
    tasks.schedule(&server.creator.actor, again).await.unwrap();
    assert_eq!(tasks.attention(&server.creator.actor).await.unwrap(), []);
}

async fn the_dashboard_shows_next_and_recent_tasks(server: TestServer) {
    let later = server.create_task("Later", 120_000).await;
    let sooner = server.create_task("Sooner", 60_000).await;
    let dashboard = server.app.services.tasks.dashboard(&server.creator.actor, false).await.unwrap();
    assert_eq!(dashboard.next.iter().map(|row| row.id).collect::<Vec<_>>(), [sooner.id, later.id]);
    assert_eq!((dashboard.scheduled, dashboard.executed_today, dashboard.attention), (2, 0, 0));
    server.advance(60_000).await;
    let dashboard = server.app.services.tasks.dashboard(&server.creator.actor, false).await.unwrap();
    assert_eq!((dashboard.next[0].id, dashboard.recent[0].id), (later.id, sooner.id));
    assert_eq!((dashboard.scheduled, dashboard.executed_today), (1, 1));
}

/// Shown for a task whose article has a newer revision.
const OLDER_VERSION: [&str; 3] =
    ["Publish the scheduled version", "The article was edited later.", "Use the current text"];

async fn lists_and_the_task_page_show_which_version_is_published(server: TestServer) {
    let row = server.create_task("Spring", 3_600_000).await;
    let task = format!("/tasks/{}", row.id);
    for path in ["/", "/tasks", &task] {
        let page = server.page(&server.creator, path).await;
        assert!(
            page.contains("Publish now") && !OLDER_VERSION.iter().any(|words| page.contains(words)),
            "{path}: {page}"
        );
    }
    let path = format!("/api/v1/articles/{}", row.target_id);
    let edit = json!({"body": "Another text.", "seen_revision": 1});
    server.as_creator().patch(&path, &edit).await.expect(200);
    for path in ["/", "/tasks", &task] {
        let page = server.page(&server.creator, path).await;
        assert_contains(&page, &OLDER_VERSION);
        assert!(!page.contains("Publish now"), "{path}: {page}");
    }
    let page = server.page(&server.colleague, &task).await;
    assert_contains(&page, &OLDER_VERSION[1..2]);
    let seen = server.find_task(row.id).await;
    assert!(seen.has_newer_revision);
    let replaced = server.change(&seen, domain::task::Change::ReplaceRevision).await.unwrap();
    assert!(!replaced.has_newer_revision);
    let page = server.page(&server.creator, &task).await;
    assert!(page.contains("Publish now") && !page.contains(OLDER_VERSION[1]), "{page}");
    // An executed task does not show it.
    let edit = json!({"body": "A third one.", "seen_revision": 2});
    server.as_creator().patch(&path, &edit).await.expect(200);
    server.advance(3_600_000).await;
    assert!(!server.find_task(row.id).await.has_newer_revision);
    let texts = texts::tasks::TaskTexts(domain::account::Language::Zh);
    assert_eq!(texts.publish_scheduled(), "发布已安排的版本");
}
