//! What a person meant is what happens: two clicks are one wish, a wish that fails changes nothing, and a newer text is never
//! taken back by an older one that waited.

use crate::{deliveries::text, house::Story, on_both, wish::publish};
use domain::{
    ArticleId, Kind, Refusal, State,
    task::{Change, TaskQuery, TaskRow, reason},
};
use rig::Sink;
use serde_json::{Value, json};

on_both!(
    two_clicks_on_publish_now_make_one_task_and_one_message,
    two_clicks_on_unpublish_are_answered_alike,
    a_form_that_is_sent_twice_is_answered_twice_alike,
    a_publish_now_that_is_refused_leaves_the_schedule,
    what_was_withdrawn_does_not_stand_in_the_way,
    an_older_text_that_waited_never_takes_a_newer_one_back,
    an_older_text_is_not_tried_again,
    what_was_typed_last_is_what_is_scheduled,
    an_account_that_is_shut_hands_over_what_waits,
);

/// Saves another text of an article.
async fn write(story: &Story, article: ArticleId, seen_revision: i32, title: &str) {
    let edit = json!({ "title": title, "seen_revision": seen_revision });
    story.as_creator().patch(&format!("/api/v1/articles/{article}"), &edit).await.expect(200);
}

async fn tasks(story: &Story) -> Vec<TaskRow> {
    let query = TaskQuery { limit: Some(200), ..TaskQuery::default() };
    story.house.desk.tasks.list(&story.admin.actor, query).await.unwrap().items
}

async fn two_clicks_on_publish_now_make_one_task_and_one_message(story: Story) {
    let (sink, article) = (Sink::start().await, story.article("Twice").await);
    story.channel(&sink, json!({})).await;
    let (browser, id) = (story.browser_of(&story.creator).await, article.to_string());
    let form = [("article", id.as_str()), ("from", "/articles")];
    let first = browser.form("/fn/publish_article", &form).await;
    let second = browser.form("/fn/publish_article", &form).await;
    story.advance(1_000).await;
    let third = browser.form("/fn/publish_article", &form).await;
    story.advance(1_000).await;
    let answers = [&first, &second, &third].map(|reply| (reply.status, reply.header("location").to_owned()));
    assert!(
        answers.iter().all(|answer| *answer == answers[0] && (300..400).contains(&answer.0)),
        "{answers:?}"
    );
    let [task] = &tasks(&story).await[..] else { panic!("one task") };
    assert_eq!(
        (task.state, story.verbs(task.id).await.join(" ").as_str()),
        (State::Executed, "schedule execute deliver")
    );
    assert_eq!(sink.received().len(), 1);
    // A new text is a new wish.
    write(&story, article, 1, "Another text").await;
    browser.form("/fn/publish_article", &form).await;
    story.advance(1_000).await;
    assert_eq!((tasks(&story).await.len(), sink.received().len()), (2, 2));
}

async fn two_clicks_on_unpublish_are_answered_alike(story: Story) {
    let article = story.article("Gone").await;
    let (desk, actor) = (&story.house.desk.tasks, &story.creator.actor);
    assert_eq!(desk.unpublish_at_once(actor, article).await, Err(Refusal::NotPublished));
    desk.publish_at_once(actor, article).await.unwrap();
    story.advance(1_000).await;
    let one = desk.unpublish_at_once(actor, article).await.unwrap();
    let other = desk.unpublish_at_once(actor, article).await.unwrap();
    story.advance(1_000).await;
    let late = desk.unpublish_at_once(actor, article).await.unwrap();
    assert_eq!((one.id, one.id), (other.id, late.id));
    assert_eq!((tasks(&story).await.len(), late.state), (2, State::Executed));
}

async fn a_form_that_is_sent_twice_is_answered_twice_alike(story: Story) {
    let browser = story.browser_of(&story.creator).await;
    let article = story.article("Form").await.to_string();
    let form = [
        ("article", article.as_str()),
        ("kind", "article.publish"),
        ("date", "2027-03-02"),
        ("time", "09:00"),
        ("zone", "UTC"),
        ("from", "/articles"),
    ];
    let twice = async |path: &str, form: &[(&str, &str)]| {
        let one = browser.form(path, form).await;
        let other = browser.form(path, form).await;
        assert!((300..400).contains(&one.status), "{path}: {} {}", one.status, one.text);
        assert_eq!((one.status, one.header("location")), (other.status, other.header("location")), "{path}");
    };
    twice("/fn/schedule", &form).await;
    let [task] = &tasks(&story).await[..] else { panic!("one task") };
    let id = task.id.to_string();
    let moved = [
        ("id", id.as_str()),
        ("seen", "1"),
        ("date", "2027-03-03"),
        ("time", "10:00"),
        ("zone", "UTC"),
        ("from", "/tasks"),
    ];
    twice("/fn/move_task", &moved).await;
    let cancel = [("id", id.as_str()), ("seen", "2"), ("what", "cancel"), ("from", "/tasks")];
    twice("/fn/change_task", &cancel).await;
    let row = story.look(task.id).await;
    assert_eq!((row.state, row.version.0, tasks(&story).await.len()), (State::Cancelled, 3, 1));
    // Another wish for the same task is another matter.
    let other = [("id", id.as_str()), ("seen", "2"), ("what", "publish_now"), ("from", "/tasks")];
    assert_eq!(browser.form("/fn/change_task", &other).await.status, 409);
}

async fn a_publish_now_that_is_refused_leaves_the_schedule(story: Story) {
    let row = story.waiting("Friday", 3_600_000).await;
    let (desk, article) = (&story.house.desk.tasks, ArticleId(row.target_id));
    let stranger = desk.publish_at_once(&story.colleague.actor, article).await;
    assert_eq!(stranger, Err(Refusal::NotAllowed));
    let old = domain::Version(row.version.0 + 5);
    let stale = desk.change(&story.creator.actor, row.id, Change::PublishNow, old).await;
    assert!(matches!(stale, Err(Refusal::TaskConflict { .. })), "{stale:?}");
    let now = story.look(row.id).await;
    assert_eq!((now.state, now.version, now.due.at), (State::Scheduled, row.version, row.due.at));
    story.advance(3_600_000).await;
    assert_eq!(story.look(row.id).await.state, State::Executed);
}

async fn what_was_withdrawn_does_not_stand_in_the_way(story: Story) {
    let first = story.waiting("Again", 60_000).await;
    let article = ArticleId(first.target_id);
    story.change(&first, Change::Cancel).await.unwrap();
    let desk = &story.house.desk.tasks;
    let second = publish(article, story.now().plus(120_000));
    let second = desk.schedule(&story.creator.actor, second).await.unwrap();
    story.change(&second, Change::Undo).await.unwrap();
    let third = publish(article, story.now().plus(180_000));
    let third = desk.schedule(&story.creator.actor, third).await.unwrap();
    story.advance(180_000).await;
    let states = [first.id, second.id, third.id].map(async |id| story.look(id).await.state);
    let states = futures::future::join_all(states).await;
    assert_eq!(states, [State::Cancelled, State::Cancelled, State::Executed]);
    assert_eq!(story.attention_count().await, 0);
}

/// An article whose first text waits, and whose second one is public.
async fn older(story: &Story) -> (ArticleId, TaskRow) {
    let row = story.waiting("First", 3_600_000).await;
    let article = ArticleId(row.target_id);
    let gone = story.change(&row, Change::Cancel).await.unwrap();
    write(story, article, 1, "Second").await;
    story.house.desk.tasks.publish_at_once(&story.creator.actor, article).await.unwrap();
    story.advance(1_000).await;
    let row = story.change(&gone, Change::Undo).await.unwrap();
    assert_eq!((row.state, row.title.as_str()), (State::Scheduled, "First"));
    (article, row)
}

async fn an_older_text_that_waited_never_takes_a_newer_one_back(story: Story) {
    let (article, row) = older(&story).await;
    let newer = story.public(article).await;
    assert_eq!(story.change(&row, Change::PublishNow).await, Err(Refusal::OlderText));
    assert_eq!(story.look(row.id).await.due.at, row.due.at, "the schedule stays");
    story.advance(3_600_000).await;
    assert_eq!(story.public(article).await, newer);
    let held = story.look(row.id).await;
    assert_eq!((held.state, held.reason.as_deref()), (State::Failed, Some(reason::OLDER_TEXT)));
    let all = story.as_creator().get("/api/v1/attention").await.expect(200);
    assert_eq!((text(&all["items"][0]["cause"]), all["items"][0]["count"].as_u64()), ("text_older", Some(1)));
    assert!(story.page(&story.creator, "/attention").await.contains("A newer text is public"));
    assert_eq!(story.attention_count().await, 1);
    assert_eq!(story.change(&held, Change::Retry).await, Err(Refusal::OlderText));
    story.change(&held, Change::Cancel).await.unwrap();
    assert_eq!(story.attention_count().await, 0);
    story.ledger_agrees().await;
}

async fn an_older_text_is_not_tried_again(story: Story) {
    let row = story.waiting("First", 1_000).await;
    let article = ArticleId(row.target_id);
    story.wait_without_loops(25 * 3_600_000);
    story.tick().await;
    write(&story, article, 1, "Second").await;
    story.house.desk.tasks.publish_at_once(&story.creator.actor, article).await.unwrap();
    story.advance(1_000).await;
    let newer = story.public(article).await;
    let missed = story.look(row.id).await;
    assert_eq!(missed.state, State::Missed);
    assert_eq!(story.change(&missed, Change::Retry).await, Err(Refusal::OlderText));
    story.advance(1_000).await;
    assert_eq!(story.public(article).await, newer);
}

async fn what_was_typed_last_is_what_is_scheduled(story: Story) {
    let article = story.article("Draft").await;
    let browser = story.browser_of(&story.creator).await;
    let id = article.to_string();
    let form = [
        ("article", id.as_str()),
        ("kind", "article.publish"),
        ("date", "2027-03-02"),
        ("time", "09:00"),
        ("zone", "UTC"),
        ("from", "/articles"),
    ];
    // The session ends while somebody types: nothing is scheduled until it is theirs again.
    let session = story.house.desk.people.sessions(&story.creator.actor, None).await.unwrap();
    for one in session {
        story.house.desk.people.end_session(&story.creator.actor, &one.name).await.unwrap();
    }
    let refused = browser.form("/fn/schedule", &form).await;
    assert!(refused.status == 401 || refused.header("location").starts_with("/login"), "{}", refused.status);
    assert!(tasks(&story).await.is_empty());
    write(&story, article, 1, "Typed last").await;
    let browser = story.browser_of(&story.creator).await;
    let reply = browser.form("/fn/schedule", &form).await;
    assert!((300..400).contains(&reply.status), "{}", reply.text);
    let [task] = &tasks(&story).await[..] else { panic!("one task") };
    assert_eq!(task.title, "Typed last");
    // A second wish for the same moment with a newer text is not answered as if it had been taken.
    write(&story, article, 2, "Typed later").await;
    assert_eq!(browser.form("/fn/schedule", &form).await.status, 409);
    let read = story.as_creator().get(&format!("/api/v1/tasks/{}", task.id)).await.expect(200);
    assert_eq!(read["revision"], Value::from(2));
}

async fn an_account_that_is_shut_hands_over_what_waits(story: Story) {
    let (people, admin) = (&story.house.desk.people, &story.admin.actor);
    let row = story.waiting("Theirs", 3_600_000).await;
    let who = story.creator.actor.person;
    assert_eq!(people.disable(admin, who, None).await.unwrap_err(), Refusal::HasTasks { count: 1 });
    people.disable(admin, who, Some(domain::person::Leftover::Keep)).await.unwrap();
    let tasks = &story.house.desk.tasks;
    let now = tasks.find(admin, row.id).await.unwrap();
    assert_eq!((now.row.owner_id, now.row.state), (admin.person, State::Scheduled));
    assert_eq!(now.timeline.last().unwrap().verb, "hand_over");
    let article = story.house.desk.articles.find(admin, ArticleId(row.target_id)).await.unwrap();
    assert_eq!(article.row.owner_id, admin.person);
    story.advance(3_600_000).await;
    assert_eq!(tasks.find(admin, row.id).await.unwrap().row.state, State::Executed);
    assert_eq!((now.row.kind, story.attention_count().await), (Kind::ArticlePublish, 0));
}
