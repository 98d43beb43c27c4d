//! Changes of scheduled tasks: reschedule, cancel, publish now, retry, replace the revision; and
//! undo of each.

use crate::{
    new_task::{keyed, publish, unpublish},
    on_both,
    test_server::TestServer,
};
use domain::{
    Actor, ArticleId, DomainError, Kind, State, TaskId, Version,
    event::Event,
    task::{Change, TaskRow},
};
use serde_json::json;

on_both!(
    a_rescheduled_task_is_executed_only_at_its_new_time,
    a_cancelled_task_never_runs,
    one_of_two_concurrent_cancels_wins,
    a_task_is_either_cancelled_or_executed,
    an_executed_task_cannot_be_changed,
    a_refusal_says_whether_the_task_was_changed,
    only_the_owner_and_admins_change_a_task,
    scheduling_can_be_undone_until_the_due_time,
    a_reschedule_can_be_undone_until_the_old_due_time,
    a_reschedule_is_shown_in_the_time_zone_of_the_reader,
    a_cancel_can_be_undone_unless_another_task_is_scheduled,
    publish_now_can_be_undone_before_execution,
    an_early_publication_can_be_undone_and_is_rescheduled,
    an_immediate_publication_can_be_undone,
    an_early_publication_cannot_be_undone_after_ten_seconds,
    an_unpublication_can_be_undone,
    a_missed_task_can_be_retried_or_cancelled,
    one_idempotency_key_changes_once,
    unpublish_now_moves_the_scheduled_unpublish,
    the_pinned_revision_is_published_unless_it_is_replaced,
    undoing_an_update_restores_the_previous_revision,
);

fn moved(at: domain::Timestamp) -> Change {
    Change::Reschedule { when: at.into() }
}

fn conflict(refused: Result<TaskRow, DomainError>) -> TaskRow {
    match refused {
        Err(DomainError::TaskConflict { task, .. }) => *task,
        other => panic!("{other:?}"),
    }
}

async fn a_rescheduled_task_is_executed_only_at_its_new_time(server: TestServer) {
    let row = server.create_task("Moved", 60_000).await;
    let at = server.now().plus(120_000);
    let now = server.change(&row, moved(at)).await.unwrap();
    assert_eq!((now.version, now.due.at), (Version(2), at));
    let stale = conflict(server.change(&row, moved(at)).await);
    assert_eq!(stale.version, Version(2));
    let past = server.now().plus(-1);
    assert_eq!(server.change(&now, moved(past)).await, Err(DomainError::past(past).or_publish_now()));
    server.advance(60_000).await;
    assert_eq!(server.find_task(row.id).await.state, State::Scheduled);
    server.advance(60_000).await;
    assert_eq!(server.find_task(row.id).await.state, State::Executed);
}

async fn a_cancelled_task_never_runs(server: TestServer) {
    let row = server.create_task("Never", 60_000).await;
    let now = server.change(&row, Change::Cancel).await.unwrap();
    assert_eq!((now.state, now.version), (State::Cancelled, Version(2)));
    server.advance(3_600_000).await;
    assert_eq!(server.publication(ArticleId(row.target_id)).await, None);
    assert_eq!(server.timeline_verbs(row.id).await, ["schedule", "cancel"]);
}

async fn one_of_two_concurrent_cancels_wins(server: TestServer) {
    let row = server.create_task("Twice", 60_000).await;
    let tasks = &server.app.services.tasks;
    let (one, other) = tokio::join!(
        tasks.change(&server.creator.actor, row.id, Change::Cancel, row.version),
        tasks.change(&server.admin.actor, row.id, Change::Cancel, row.version),
    );
    assert_eq!([&one, &other].into_iter().filter(|answer| answer.is_ok()).count(), 1);
    let lost = conflict(if one.is_ok() { other } else { one });
    assert_eq!((lost.state, lost.version), (State::Cancelled, Version(2)));
}

async fn a_task_is_either_cancelled_or_executed(server: TestServer) {
    let mut rows = Vec::new();
    for number in 0..8 {
        rows.push(server.create_task(&format!("Race {number}"), 60_000).await);
    }
    let (tasks, actor) = (&server.app.services.tasks, &server.creator.actor);
    let cancels = async {
        let mut answers = Vec::new();
        for row in &rows {
            answers.push(tasks.change(actor, row.id, Change::Cancel, row.version).await);
        }
        answers
    };
    let (answers, ()) = tokio::join!(cancels, server.advance(60_000));
    for (row, answer) in rows.iter().zip(answers) {
        let is_public = server.publication(ArticleId(row.target_id)).await.is_some();
        assert_eq!(is_public, answer.is_err(), "either cancelled or public");
    }
    server.assert_execution_records_match().await;
}

async fn an_executed_task_cannot_be_changed(server: TestServer) {
    let row = server.create_task("Over", 60_000).await;
    server.advance(60_000).await;
    let row = server.find_task(row.id).await;
    for change in [moved(server.now().plus(60_000)), Change::Cancel, Change::Retry, Change::PublishNow] {
        assert_eq!(conflict(server.change(&row, change).await).state, State::Executed);
    }
    assert_eq!(server.change(&row, Change::Undo).await, Err(DomainError::CannotUndo));
}

async fn a_refusal_says_whether_the_task_was_changed(server: TestServer) {
    let row = server.create_task("Waiting", 60_000).await;
    let path = format!("/api/v1/tasks/{}/retry", row.id);
    for (seen, sentence) in [
        (1, "this is scheduled; that is not possible in this state"),
        (2, "this was changed in the meantime; reload it and try again"),
    ] {
        let refused = server.as_creator().post(&path, &json!({"seen_version": seen})).await.expect(409);
        assert_eq!(refused["error"]["message"], sentence);
        assert_eq!(
            (&refused["error"]["code"], &refused["task"]["version"]),
            (&json!("task_conflict"), &json!(1))
        );
    }
}

async fn only_the_owner_and_admins_change_a_task(server: TestServer) {
    let row = server.create_task("Mine", 60_000).await;
    let tasks = &server.app.services.tasks;
    let refused = tasks.change(&server.colleague.actor, row.id, Change::Cancel, row.version).await;
    assert_eq!(refused, Err(DomainError::NotAllowed));
    let missing = tasks.change(&server.admin.actor, TaskId::generate(), Change::Cancel, row.version).await;
    assert_eq!(missing, Err(DomainError::no_such("task")));
    assert!(tasks.change(&server.admin.actor, row.id, Change::Cancel, row.version).await.is_ok());
}

async fn scheduling_can_be_undone_until_the_due_time(server: TestServer) {
    let row = server.create_task("Undone", 60_000).await;
    let undo = row.undo.clone().expect("scheduling can be undone");
    assert_eq!((undo.verb.as_str(), undo.until), ("schedule", row.due.at));
    assert_eq!(server.find_task(row.id).await.undo, Some(undo), "still undoable on a later read");
    let cancelled = server.change(&row, Change::Undo).await.unwrap();
    assert_eq!((cancelled.id, cancelled.state, cancelled.undo), (row.id, State::Cancelled, None));
    server.advance(60_000).await;
    assert_eq!(server.publication(ArticleId(row.target_id)).await, None);
    assert_eq!(server.timeline_verbs(row.id).await, ["schedule", "undo"]);
    let late = server.create_task("Too late", 60_000).await;
    server.advance_without_loops(60_000);
    assert_eq!(server.find_task(late.id).await.undo, None);
    assert_eq!(server.change(&late, Change::Undo).await, Err(DomainError::CannotUndo));
}

async fn a_reschedule_can_be_undone_until_the_old_due_time(server: TestServer) {
    let row = server.create_task("Back", 60_000).await;
    let now = server.change(&row, moved(server.now().plus(600_000))).await.unwrap();
    let undo = now.undo.clone().expect("a move can be undone");
    assert_eq!((undo.verb.as_str(), undo.until), ("reschedule", row.due.at));
    let back = server.change(&now, Change::Undo).await.unwrap();
    assert_eq!((back.due.at, back.version, back.undo.clone()), (row.due.at, Version(3), None));
    assert_eq!(server.change(&back, Change::Undo).await, Err(DomainError::CannotUndo));
    let late = server.change(&back, moved(server.now().plus(600_000))).await.unwrap();
    server.advance(60_000).await;
    assert_eq!(server.find_task(row.id).await.undo, None);
    assert_eq!(server.change(&late, Change::Undo).await, Err(DomainError::CannotUndo));
    assert_eq!(server.timeline_verbs(row.id).await, ["schedule", "reschedule", "undo", "reschedule"]);
}

async fn a_reschedule_is_shown_in_the_time_zone_of_the_reader(server: TestServer) {
    let row = server.create_task("Moved", 60_000).await;
    let later = server.change(&row, moved(server.now().plus(600_000))).await.unwrap();
    let reader = Actor { zone: "Asia/Kathmandu".to_owned(), ..server.creator.actor.clone() };
    let task = server.app.services.tasks.find(&reader, row.id).await.unwrap();
    let due_times =
        |event: &Event| [event.was_due, event.due].map(|at| at.map(|at| (at.at, at.viewer_offset)));
    let (was, is) = ((row.due.at, 345), (later.due.at, 345));
    assert_eq!(due_times(task.timeline.last().unwrap()), [Some(was), Some(is)]);
    assert_eq!(due_times(&task.timeline[0]), [None, Some(was)]);
}

async fn a_cancel_can_be_undone_unless_another_task_is_scheduled(server: TestServer) {
    let row = server.create_task("Again", 60_000).await;
    let cancelled = server.change(&row, Change::Cancel).await.unwrap();
    let back = server.change(&cancelled, Change::Undo).await.unwrap();
    assert_eq!((back.state, back.due.at, back.version), (State::Scheduled, row.due.at, Version(3)));
    let cancelled = server.change(&back, Change::Cancel).await.unwrap();
    let other = publish(ArticleId(row.target_id), server.now().plus(90_000));
    let other = server.app.services.tasks.schedule(&server.creator.actor, other).await.unwrap();
    let refused = server.change(&cancelled, Change::Undo).await;
    let Err(DomainError::AlreadyScheduled { task }) = refused else { panic!("{refused:?}") };
    assert_eq!(task.id, other.id);
}

async fn publish_now_can_be_undone_before_execution(server: TestServer) {
    let row = server.create_task("Not yet", 60_000).await;
    let now = server.change(&row, Change::PublishNow).await.unwrap();
    assert_eq!(now.due.at, server.now());
    let back = server.change(&now, Change::Undo).await.unwrap();
    assert_eq!((back.due.at, back.state, back.version), (row.due.at, State::Scheduled, Version(3)));
    server.tick().await;
    assert_eq!(server.publication(ArticleId(row.target_id)).await, None);
    server.advance(60_000).await;
    assert_eq!(server.find_task(row.id).await.state, State::Executed);
}

async fn an_early_publication_can_be_undone_and_is_rescheduled(server: TestServer) {
    let row = server.create_task("Too soon", 60_000).await;
    let article = ArticleId(row.target_id);
    server.change(&row, Change::PublishNow).await.unwrap();
    server.tick().await;
    let out = server.find_task(row.id).await;
    let undo = out.undo.clone().expect("it can be undone");
    let until = server.now().plus(10_000);
    assert_eq!((out.state, undo.verb.as_str(), undo.until), (State::Executed, "publish_now", until));
    let again = server.change(&out, Change::Undo).await.unwrap();
    assert_eq!((again.state, again.due.at, again.version), (State::Scheduled, row.due.at, Version::FIRST));
    assert_ne!(again.id, row.id);
    assert_eq!(again.undo, None, "an undo is not undone");
    assert_eq!(server.publication(article).await, None);
    assert_eq!(server.find_task(row.id).await.undo, None);
    assert_eq!(server.timeline_verbs(row.id).await, ["schedule", "publish_now", "execute", "undo"]);
    server.assert_execution_records_match().await;
    server.advance(60_000).await;
    assert_eq!(server.find_task(again.id).await.state, State::Executed);
    assert!(server.publication(article).await.is_some());
}

async fn an_immediate_publication_can_be_undone(server: TestServer) {
    let article = server.create_article("Oops").await;
    let tasks = &server.app.services.tasks;
    let row = tasks.publish_now(&server.creator.actor, article).await.unwrap();
    server.tick().await;
    let is_public = async || tasks.find(&server.creator.actor, row.id).await.unwrap().is_public;
    assert!(is_public().await, "its page links to the site");
    server.advance(5_000).await;
    let back = server.change(&server.find_task(row.id).await, Change::Undo).await.unwrap();
    assert_eq!((back.kind, back.state), (Kind::ArticleUnpublish, State::Executed));
    assert_eq!(server.publication(article).await, None);
    assert!(!is_public().await, "the article is no longer public");
    server.assert_execution_records_match().await;
    let row = tasks.publish_now(&server.creator.actor, article).await.unwrap();
    server.tick().await;
    server.advance(61_000).await;
    assert_eq!(
        server.change(&server.find_task(row.id).await, Change::Undo).await,
        Err(DomainError::CannotUndo)
    );
}

async fn an_early_publication_cannot_be_undone_after_ten_seconds(server: TestServer) {
    let row = server.create_task("Stays", 64_800_000).await;
    let article = ArticleId(row.target_id);
    server.change(&row, Change::PublishNow).await.unwrap();
    server.tick().await;
    server.advance(10_000).await;
    let out = server.find_task(row.id).await;
    assert_eq!(out.undo, None);
    assert_eq!(server.change(&out, Change::Undo).await, Err(DomainError::CannotUndo));
    let browser = server.log_in_browser(&server.creator).await;
    let page = browser.get(&format!("/tasks/{}", row.id)).await.expect_page();
    assert!(!page.contains("value=\"undo\""), "{page}");
    assert!(server.publication(article).await.is_some());
    server.advance(64_800_000).await;
    assert!(server.publication(article).await.is_some());
}

async fn an_unpublication_can_be_undone(server: TestServer) {
    let article = server.create_article("Gone").await;
    let tasks = &server.app.services.tasks;
    tasks.publish_now(&server.creator.actor, article).await.unwrap();
    server.tick().await;
    let was = server.publication(article).await;
    server.advance(10_000).await;
    let row = tasks.unpublish_now(&server.creator.actor, article).await.unwrap();
    server.tick().await;
    assert_eq!(server.publication(article).await, None);
    let back = server.change(&server.find_task(row.id).await, Change::Undo).await.unwrap();
    assert_eq!((back.kind, back.state), (Kind::ArticlePublish, State::Executed));
    assert_eq!(server.publication(article).await, was);
    server.assert_execution_records_match().await;
}

async fn a_missed_task_can_be_retried_or_cancelled(server: TestServer) {
    let (one, other) = (server.create_task("Retry", 60_000).await, server.create_task("Drop", 60_000).await);
    server.advance(60_000 + 25 * 3_600_000).await;
    let retried = server.change(&server.find_task(one.id).await, Change::Retry).await.unwrap();
    assert_eq!((retried.state, retried.due.at, retried.reason), (State::Scheduled, server.now(), None));
    server.tick().await;
    assert_eq!(server.find_task(one.id).await.state, State::Executed);
    let dropped = server.change(&server.find_task(other.id).await, Change::Cancel).await.unwrap();
    let undo = dropped.undo.as_ref().map(|undo| undo.verb.as_str());
    assert_eq!((dropped.state, undo), (State::Cancelled, Some("dismiss")));
    assert_eq!(server.app.services.tasks.attention(&server.creator.actor).await.unwrap(), []);
}

async fn one_idempotency_key_changes_once(server: TestServer) {
    let row = server.create_task("Keyed", 60_000).await;
    let actor = keyed(&server.creator.actor, "change", "a");
    let tasks = &server.app.services.tasks;
    let one = tasks.change(&actor, row.id, Change::Cancel, row.version).await.unwrap();
    let other = tasks.change(&actor, row.id, Change::Cancel, row.version).await.unwrap();
    assert_eq!(one, other);
    let reused = keyed(&server.creator.actor, "change", "b");
    assert_eq!(tasks.change(&reused, row.id, Change::Undo, one.version).await, Err(DomainError::KeyReused));
}

async fn unpublish_now_moves_the_scheduled_unpublish(server: TestServer) {
    let article = server.create_article("Ends").await;
    let (tasks, actor) = (&server.app.services.tasks, &server.creator.actor);
    tasks.publish_now(actor, article).await.unwrap();
    server.tick().await;
    let row = tasks.schedule(actor, unpublish(article, server.now().plus(600_000))).await.unwrap();
    server.advance(1_000).await;
    let now = tasks.unpublish_now(actor, article).await.unwrap();
    assert_eq!((now.id, now.due.at), (row.id, server.now()));
    server.tick().await;
    assert_eq!(server.publication(article).await, None);
    let again = server.change(&server.find_task(row.id).await, Change::Undo).await.unwrap();
    assert_eq!((again.kind, again.due.at), (Kind::ArticleUnpublish, row.due.at));
    assert!(server.publication(article).await.is_some());
    server.advance(600_000).await;
    assert_eq!(server.publication(article).await, None);
    server.assert_execution_records_match().await;
}

/// Saves a new revision of an article.
async fn write(server: &TestServer, article: ArticleId, seen_revision: i32, title: &str) {
    let edit = json!({ "title": title, "seen_revision": seen_revision });
    server.as_creator().patch(&format!("/api/v1/articles/{article}"), &edit).await.expect(200);
}

async fn the_pinned_revision_is_published_unless_it_is_replaced(server: TestServer) {
    let row = server.create_task("First", 60_000).await;
    let article = ArticleId(row.target_id);
    write(&server, article, 1, "Second").await;
    assert_eq!(
        server.find_task(row.id).await.title,
        "First",
        "an edit does not change the scheduled revision"
    );
    let now = server.change(&row, Change::ReplaceRevision).await.unwrap();
    assert_eq!((now.title.as_str(), now.version, now.due.at), ("Second", Version(2), row.due.at));
    let back = server.change(&now, Change::Undo).await.unwrap();
    assert_eq!((back.title.as_str(), back.version), ("First", Version(3)));
    let again = server.change(&back, Change::ReplaceRevision).await.unwrap();
    let same = server.change(&again, Change::ReplaceRevision).await.unwrap();
    assert_eq!(same.version, again.version, "the current revision is already pinned");
    server.advance(60_000).await;
    let task = server.app.services.tasks.find(&server.creator.actor, row.id).await.unwrap();
    assert_eq!((task.row.state, task.revision), (State::Executed, Some(2)));
}

async fn undoing_an_update_restores_the_previous_revision(server: TestServer) {
    let article = server.create_article("Old").await;
    let tasks = &server.app.services.tasks;
    tasks.publish_now(&server.creator.actor, article).await.unwrap();
    server.tick().await;
    let was = server.publication(article).await.expect("it is public");
    server.advance(10_000).await;
    write(&server, article, 1, "New").await;
    let row = tasks.publish_now(&server.creator.actor, article).await.unwrap();
    server.tick().await;
    let now = server.publication(article).await.expect("it is still public");
    assert_ne!(now.revision_id, was.revision_id);
    assert_eq!(now.published_at, was.published_at);
    let back = server.change(&server.find_task(row.id).await, Change::Undo).await.unwrap();
    assert_eq!((back.kind, back.title.as_str()), (Kind::ArticlePublish, "Old"));
    assert_eq!(server.publication(article).await, Some(was));
    server.assert_execution_records_match().await;
}
