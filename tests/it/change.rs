//! Changes of what waits: move, cancel, publish now, retry, replace the text; and undo of each.

use crate::{
    house::Story,
    on_both,
    wish::{keyed, publish, unpublish},
};
use domain::{
    Actor, ArticleId, Kind, Refusal, State, TaskId, Version,
    event::Event,
    task::{Change, TaskRow},
};
use serde_json::json;

on_both!(
    a_moved_task_happens_at_its_new_moment_only,
    a_cancelled_task_never_runs,
    of_two_cancels_one_wins,
    a_cancel_and_the_execution_cannot_both_happen,
    what_is_over_cannot_be_moved,
    only_the_owner_and_admins_may_change,
    a_first_moment_is_undone_until_it_has_passed,
    a_move_is_undone_while_its_old_moment_is_ahead,
    a_move_is_told_on_the_readers_clock,
    a_cancel_is_undone_unless_another_one_waits,
    publish_now_is_undone_before_it_happens,
    what_went_out_early_is_taken_back_and_waits_again,
    what_went_out_at_once_is_taken_back,
    what_went_out_early_stays_after_ten_seconds,
    what_left_the_site_comes_back,
    what_was_missed_is_retried_or_dropped,
    the_same_key_changes_once,
    an_unpublish_that_waits_is_moved_to_now,
    the_pinned_text_goes_out_unless_it_is_replaced,
    an_update_taken_back_shows_the_text_before_it,
);

fn moved(at: domain::Timestamp) -> Change {
    Change::Reschedule { when: at.into() }
}

fn conflict(refused: Result<TaskRow, Refusal>) -> TaskRow {
    match refused {
        Err(Refusal::TaskConflict { task }) => *task,
        other => panic!("{other:?}"),
    }
}

async fn a_moved_task_happens_at_its_new_moment_only(story: Story) {
    let row = story.waiting("Moved", 60_000).await;
    let at = story.now().plus(120_000);
    let now = story.change(&row, moved(at)).await.unwrap();
    assert_eq!((now.version, now.due.at), (Version(2), at));
    let stale = conflict(story.change(&row, moved(at)).await);
    assert_eq!(stale.version, Version(2));
    let past = story.now().plus(-1);
    assert_eq!(story.change(&now, moved(past)).await, Err(Refusal::Past { at: past }));
    story.advance(60_000).await;
    assert_eq!(story.look(row.id).await.state, State::Scheduled);
    story.advance(60_000).await;
    assert_eq!(story.look(row.id).await.state, State::Executed);
}

async fn a_cancelled_task_never_runs(story: Story) {
    let row = story.waiting("Never", 60_000).await;
    let now = story.change(&row, Change::Cancel).await.unwrap();
    assert_eq!((now.state, now.version), (State::Cancelled, Version(2)));
    story.advance(3_600_000).await;
    assert_eq!(story.public(ArticleId(row.target_id)).await, None);
    assert_eq!(story.verbs(row.id).await, ["schedule", "cancel"]);
}

async fn of_two_cancels_one_wins(story: Story) {
    let row = story.waiting("Twice", 60_000).await;
    let tasks = &story.house.desk.tasks;
    let (one, other) = tokio::join!(
        tasks.change(&story.creator.actor, row.id, Change::Cancel, row.version),
        tasks.change(&story.admin.actor, row.id, Change::Cancel, row.version),
    );
    assert_eq!([&one, &other].into_iter().filter(|answer| answer.is_ok()).count(), 1);
    let lost = conflict(if one.is_ok() { other } else { one });
    assert_eq!((lost.state, lost.version), (State::Cancelled, Version(2)));
}

async fn a_cancel_and_the_execution_cannot_both_happen(story: Story) {
    let mut rows = Vec::new();
    for number in 0..8 {
        rows.push(story.waiting(&format!("Race {number}"), 60_000).await);
    }
    let (tasks, actor) = (&story.house.desk.tasks, &story.creator.actor);
    let cancels = async {
        let mut answers = Vec::new();
        for row in &rows {
            answers.push(tasks.change(actor, row.id, Change::Cancel, row.version).await);
        }
        answers
    };
    let (answers, ()) = tokio::join!(cancels, story.advance(60_000));
    for (row, answer) in rows.iter().zip(answers) {
        let is_public = story.public(ArticleId(row.target_id)).await.is_some();
        assert_eq!(is_public, answer.is_err(), "cancelled and public, or neither");
    }
    story.ledger_agrees().await;
}

async fn what_is_over_cannot_be_moved(story: Story) {
    let row = story.waiting("Over", 60_000).await;
    story.advance(60_000).await;
    let row = story.look(row.id).await;
    for change in [moved(story.now().plus(60_000)), Change::Cancel, Change::Retry, Change::PublishNow] {
        assert_eq!(conflict(story.change(&row, change).await).state, State::Executed);
    }
    assert_eq!(story.change(&row, Change::Undo).await, Err(Refusal::CannotUndo));
}

async fn only_the_owner_and_admins_may_change(story: Story) {
    let row = story.waiting("Mine", 60_000).await;
    let tasks = &story.house.desk.tasks;
    let refused = tasks.change(&story.colleague.actor, row.id, Change::Cancel, row.version).await;
    assert_eq!(refused, Err(Refusal::NotAllowed));
    let missing = tasks.change(&story.admin.actor, TaskId::fresh(), Change::Cancel, row.version).await;
    assert_eq!(missing, Err(Refusal::no_such("task")));
    assert!(tasks.change(&story.admin.actor, row.id, Change::Cancel, row.version).await.is_ok());
}

async fn a_first_moment_is_undone_until_it_has_passed(story: Story) {
    let row = story.waiting("Taken back", 60_000).await;
    let undo = row.undo.clone().expect("a first moment can be taken back");
    assert_eq!((undo.verb.as_str(), undo.until), ("schedule", row.due.at));
    assert_eq!(story.look(row.id).await.undo, Some(undo), "and later, too");
    let gone = story.change(&row, Change::Undo).await.unwrap();
    assert_eq!((gone.id, gone.state, gone.undo), (row.id, State::Cancelled, None));
    story.advance(60_000).await;
    assert_eq!(story.public(ArticleId(row.target_id)).await, None);
    assert_eq!(story.verbs(row.id).await, ["schedule", "undo"]);
    let late = story.waiting("Too late", 60_000).await;
    story.wait_without_loops(60_000);
    assert_eq!(story.look(late.id).await.undo, None);
    assert_eq!(story.change(&late, Change::Undo).await, Err(Refusal::CannotUndo));
}

async fn a_move_is_undone_while_its_old_moment_is_ahead(story: Story) {
    let row = story.waiting("Back", 60_000).await;
    let now = story.change(&row, moved(story.now().plus(600_000))).await.unwrap();
    let undo = now.undo.clone().expect("a move can be undone");
    assert_eq!((undo.verb.as_str(), undo.until), ("reschedule", row.due.at));
    let back = story.change(&now, Change::Undo).await.unwrap();
    assert_eq!((back.due.at, back.version, back.undo.clone()), (row.due.at, Version(3), None));
    assert_eq!(story.change(&back, Change::Undo).await, Err(Refusal::CannotUndo));
    let late = story.change(&back, moved(story.now().plus(600_000))).await.unwrap();
    story.advance(60_000).await;
    assert_eq!(story.look(row.id).await.undo, None);
    assert_eq!(story.change(&late, Change::Undo).await, Err(Refusal::CannotUndo));
    assert_eq!(story.verbs(row.id).await, ["schedule", "reschedule", "undo", "reschedule"]);
}

async fn a_move_is_told_on_the_readers_clock(story: Story) {
    let row = story.waiting("Moved", 60_000).await;
    let later = story.change(&row, moved(story.now().plus(600_000))).await.unwrap();
    let reader = Actor { zone: "Asia/Kathmandu".to_owned(), ..story.creator.actor.clone() };
    let task = story.house.desk.tasks.find(&reader, row.id).await.unwrap();
    let told = |event: &Event| [event.was_due, event.due].map(|at| at.map(|at| (at.at, at.viewer_offset)));
    let (was, is) = ((row.due.at, 345), (later.due.at, 345));
    assert_eq!(told(task.timeline.last().unwrap()), [Some(was), Some(is)]);
    assert_eq!(told(&task.timeline[0]), [None, Some(was)]);
}

async fn a_cancel_is_undone_unless_another_one_waits(story: Story) {
    let row = story.waiting("Again", 60_000).await;
    let gone = story.change(&row, Change::Cancel).await.unwrap();
    let back = story.change(&gone, Change::Undo).await.unwrap();
    assert_eq!((back.state, back.due.at, back.version), (State::Scheduled, row.due.at, Version(3)));
    let gone = story.change(&back, Change::Cancel).await.unwrap();
    let other = publish(ArticleId(row.target_id), story.now().plus(90_000));
    let other = story.house.desk.tasks.schedule(&story.creator.actor, other).await.unwrap();
    let refused = story.change(&gone, Change::Undo).await;
    let Err(Refusal::AlreadyScheduled { task }) = refused else { panic!("{refused:?}") };
    assert_eq!(task.id, other.id);
}

async fn publish_now_is_undone_before_it_happens(story: Story) {
    let row = story.waiting("Not yet", 60_000).await;
    let now = story.change(&row, Change::PublishNow).await.unwrap();
    assert_eq!(now.due.at, story.now());
    let back = story.change(&now, Change::Undo).await.unwrap();
    assert_eq!((back.due.at, back.state, back.version), (row.due.at, State::Scheduled, Version(3)));
    story.tick().await;
    assert_eq!(story.public(ArticleId(row.target_id)).await, None);
    story.advance(60_000).await;
    assert_eq!(story.look(row.id).await.state, State::Executed);
}

async fn what_went_out_early_is_taken_back_and_waits_again(story: Story) {
    let row = story.waiting("Too soon", 60_000).await;
    let article = ArticleId(row.target_id);
    story.change(&row, Change::PublishNow).await.unwrap();
    story.tick().await;
    let out = story.look(row.id).await;
    let undo = out.undo.clone().expect("it can be taken back");
    let until = story.now().plus(10_000);
    assert_eq!((out.state, undo.verb.as_str(), undo.until), (State::Executed, "publish_now", until));
    let again = story.change(&out, Change::Undo).await.unwrap();
    assert_eq!((again.state, again.due.at, again.version), (State::Scheduled, row.due.at, Version::FIRST));
    assert_ne!(again.id, row.id);
    assert_eq!(again.undo, None, "an undo is not undone");
    assert_eq!(story.public(article).await, None);
    assert_eq!(story.look(row.id).await.undo, None);
    assert_eq!(story.verbs(row.id).await, ["schedule", "publish_now", "execute", "undo"]);
    story.ledger_agrees().await;
    story.advance(60_000).await;
    assert_eq!(story.look(again.id).await.state, State::Executed);
    assert!(story.public(article).await.is_some());
}

async fn what_went_out_at_once_is_taken_back(story: Story) {
    let article = story.article("Oops").await;
    let tasks = &story.house.desk.tasks;
    let row = tasks.publish_at_once(&story.creator.actor, article).await.unwrap();
    story.tick().await;
    let is_public = async || tasks.find(&story.creator.actor, row.id).await.unwrap().is_public;
    assert!(is_public().await, "its page leads to the site");
    story.advance(5_000).await;
    let back = story.change(&story.look(row.id).await, Change::Undo).await.unwrap();
    assert_eq!((back.kind, back.state), (Kind::ArticleUnpublish, State::Executed));
    assert_eq!(story.public(article).await, None);
    assert!(!is_public().await, "nothing is there any more");
    story.ledger_agrees().await;
    let row = tasks.publish_at_once(&story.creator.actor, article).await.unwrap();
    story.tick().await;
    story.advance(61_000).await;
    assert_eq!(story.change(&story.look(row.id).await, Change::Undo).await, Err(Refusal::CannotUndo));
}

async fn what_went_out_early_stays_after_ten_seconds(story: Story) {
    let row = story.waiting("Stays", 64_800_000).await;
    let article = ArticleId(row.target_id);
    story.change(&row, Change::PublishNow).await.unwrap();
    story.tick().await;
    story.advance(10_000).await;
    let out = story.look(row.id).await;
    assert_eq!(out.undo, None);
    assert_eq!(story.change(&out, Change::Undo).await, Err(Refusal::CannotUndo));
    let browser = story.browser_of(&story.creator).await;
    let page = browser.get(&format!("/tasks/{}", row.id)).await.expect_page();
    assert!(!page.contains("value=\"undo\""), "{page}");
    assert!(story.public(article).await.is_some());
    story.advance(64_800_000).await;
    assert!(story.public(article).await.is_some());
}

async fn what_left_the_site_comes_back(story: Story) {
    let article = story.article("Gone").await;
    let tasks = &story.house.desk.tasks;
    tasks.publish_at_once(&story.creator.actor, article).await.unwrap();
    story.tick().await;
    let was = story.public(article).await;
    story.advance(10_000).await;
    let row = tasks.unpublish_at_once(&story.creator.actor, article).await.unwrap();
    story.tick().await;
    assert_eq!(story.public(article).await, None);
    let back = story.change(&story.look(row.id).await, Change::Undo).await.unwrap();
    assert_eq!((back.kind, back.state), (Kind::ArticlePublish, State::Executed));
    assert_eq!(story.public(article).await, was);
    story.ledger_agrees().await;
}

async fn what_was_missed_is_retried_or_dropped(story: Story) {
    let (one, other) = (story.waiting("Retry", 60_000).await, story.waiting("Drop", 60_000).await);
    story.advance(60_000 + 25 * 3_600_000).await;
    let retried = story.change(&story.look(one.id).await, Change::Retry).await.unwrap();
    assert_eq!((retried.state, retried.due.at, retried.reason), (State::Scheduled, story.now(), None));
    story.tick().await;
    assert_eq!(story.look(one.id).await.state, State::Executed);
    let dropped = story.change(&story.look(other.id).await, Change::Cancel).await.unwrap();
    assert_eq!((dropped.state, dropped.undo), (State::Cancelled, None));
    assert_eq!(story.house.desk.tasks.attention(&story.creator.actor).await.unwrap(), []);
}

async fn the_same_key_changes_once(story: Story) {
    let row = story.waiting("Keyed", 60_000).await;
    let actor = keyed(&story.creator.actor, "change", "a");
    let tasks = &story.house.desk.tasks;
    let one = tasks.change(&actor, row.id, Change::Cancel, row.version).await.unwrap();
    let other = tasks.change(&actor, row.id, Change::Cancel, row.version).await.unwrap();
    assert_eq!(one, other);
    let reused = keyed(&story.creator.actor, "change", "b");
    assert_eq!(tasks.change(&reused, row.id, Change::Undo, one.version).await, Err(Refusal::KeyReused));
}

async fn an_unpublish_that_waits_is_moved_to_now(story: Story) {
    let article = story.article("Ends").await;
    let (tasks, actor) = (&story.house.desk.tasks, &story.creator.actor);
    tasks.publish_at_once(actor, article).await.unwrap();
    story.tick().await;
    let row = tasks.schedule(actor, unpublish(article, story.now().plus(600_000))).await.unwrap();
    story.advance(1_000).await;
    let now = tasks.unpublish_at_once(actor, article).await.unwrap();
    assert_eq!((now.id, now.due.at), (row.id, story.now()));
    story.tick().await;
    assert_eq!(story.public(article).await, None);
    let again = story.change(&story.look(row.id).await, Change::Undo).await.unwrap();
    assert_eq!((again.kind, again.due.at), (Kind::ArticleUnpublish, row.due.at));
    assert!(story.public(article).await.is_some());
    story.advance(600_000).await;
    assert_eq!(story.public(article).await, None);
    story.ledger_agrees().await;
}

/// Saves another text of an article.
async fn write(story: &Story, article: ArticleId, seen_revision: i32, title: &str) {
    let edit = json!({ "title": title, "seen_revision": seen_revision });
    story.as_creator().patch(&format!("/api/v1/articles/{article}"), &edit).await.expect(200);
}

async fn the_pinned_text_goes_out_unless_it_is_replaced(story: Story) {
    let row = story.waiting("First", 60_000).await;
    let article = ArticleId(row.target_id);
    write(&story, article, 1, "Second").await;
    assert_eq!(story.look(row.id).await.title, "First", "writing on does not touch what waits");
    let now = story.change(&row, Change::ReplaceRevision).await.unwrap();
    assert_eq!((now.title.as_str(), now.version, now.due.at), ("Second", Version(2), row.due.at));
    let back = story.change(&now, Change::Undo).await.unwrap();
    assert_eq!((back.title.as_str(), back.version), ("First", Version(3)));
    let again = story.change(&back, Change::ReplaceRevision).await.unwrap();
    let same = story.change(&again, Change::ReplaceRevision).await.unwrap();
    assert_eq!(same.version, again.version, "the current text is pinned already");
    story.advance(60_000).await;
    let task = story.house.desk.tasks.find(&story.creator.actor, row.id).await.unwrap();
    assert_eq!((task.row.state, task.revision), (State::Executed, Some(2)));
}

async fn an_update_taken_back_shows_the_text_before_it(story: Story) {
    let article = story.article("Old").await;
    let tasks = &story.house.desk.tasks;
    tasks.publish_at_once(&story.creator.actor, article).await.unwrap();
    story.tick().await;
    let was = story.public(article).await.expect("it is public");
    story.advance(10_000).await;
    write(&story, article, 1, "New").await;
    let row = tasks.publish_at_once(&story.creator.actor, article).await.unwrap();
    story.tick().await;
    let now = story.public(article).await.expect("it is still public");
    assert_ne!(now.revision_id, was.revision_id);
    assert_eq!(now.published_at, was.published_at);
    let back = story.change(&story.look(row.id).await, Change::Undo).await.unwrap();
    assert_eq!((back.kind, back.title.as_str()), (Kind::ArticlePublish, "Old"));
    assert_eq!(story.public(article).await, Some(was));
    story.ledger_agrees().await;
}
