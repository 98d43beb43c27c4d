//! A whole group of Attention is tried again: asked twice, each task by itself, with scripts off.

use crate::{house::Story, on_both, sheet::says};
use domain::{
    Refusal, State,
    task::{Change, TaskRow, reason},
};
use rig::{Manner, Sink};
use serde_json::json;

on_both!(
    a_group_is_tried_again,
    a_group_is_tried_again_by_its_owners,
    what_changed_meanwhile_stays,
    messages_of_a_channel_are_sent_again_together,
);

const DAY_MS: i64 = 24 * 3_600_000;

/// Tasks of the creator's that were missed while the engine stood still.
async fn missed(story: &Story, count: usize) -> Vec<TaskRow> {
    let mut rows = Vec::new();
    for place in 0..count {
        rows.push(story.waiting(&format!("Missed {place}"), 1_000).await);
    }
    story.wait_without_loops(DAY_MS + 60_000);
    story.tick().await;
    for row in &rows {
        assert_eq!(story.look(row.id).await.state, State::Missed);
    }
    rows
}

async fn a_group_is_tried_again(story: Story) {
    let rows = missed(&story, 3).await;
    let page = story.page(&story.admin, "/attention").await;
    says(&page, &["Try all 3 again", "Yes, try 3 again now", "missed:late"]);
    let browser = story.browser_of(&story.admin).await;
    let form = [("id", "missed:late"), ("most", "3"), ("from", "/attention?done=x")];
    let reply = browser.form("/fn/retry_group", &form).await;
    assert!((300..400).contains(&reply.status), "{}", reply.text);
    assert_eq!(reply.header("location"), "/attention?retried=3&refused=0");
    says(&browser.get("/attention?retried=3&refused=0").await.text, &["Tried again: 3."]);
    story.advance(1_000).await;
    for row in &rows {
        assert_eq!(story.look(row.id).await.state, State::Executed);
        assert_eq!(story.verbs(row.id).await, ["schedule", "miss", "retry", "execute"]);
    }
    assert!(!story.page(&story.admin, "/attention").await.contains("Try all"));
    let again = browser.form("/fn/retry_group", &form).await;
    assert_eq!(again.header("location"), "/attention?retried=0&refused=0");
    story.ledger_agrees().await;
}

async fn a_group_is_tried_again_by_its_owners(story: Story) {
    let rows = missed(&story, 2).await;
    let tasks = &story.house.desk.tasks;
    let theirs = tasks.attention(&story.colleague.actor).await.unwrap();
    assert_eq!((theirs[0].total, theirs[0].theirs), (2, 0));
    assert!(!story.page(&story.colleague, "/attention").await.contains("Try all"));
    let done = tasks.retry_group(&story.colleague.actor, State::Missed, reason::LATE, 10).await.unwrap();
    assert_eq!((done.done, done.refused), (0, 0));
    assert_eq!(story.look(rows[0].id).await.state, State::Missed);
    let one = tasks.retry_group(&story.creator.actor, State::Missed, reason::LATE, 1).await.unwrap();
    assert_eq!((one.done, one.refused), (1, 0));
    let waiting = tasks.retry_group(&story.admin.actor, State::Scheduled, reason::OVERDUE, 10).await;
    assert!(matches!(waiting, Err(Refusal::Invalid { .. })), "{waiting:?}");
}

async fn what_changed_meanwhile_stays(story: Story) {
    let rows = missed(&story, 3).await;
    story.change(&story.look(rows[0].id).await, Change::Cancel).await.unwrap();
    let tasks = &story.house.desk.tasks;
    let done = tasks.retry_group(&story.creator.actor, State::Missed, reason::LATE, 10).await.unwrap();
    assert_eq!((done.done, done.refused), (2, 0));
    story.advance(1_000).await;
    let states = [story.look(rows[0].id).await.state, story.look(rows[1].id).await.state];
    assert_eq!(states, [State::Cancelled, State::Executed]);
}

async fn messages_of_a_channel_are_sent_again_together(story: Story) {
    let (broken, well) = (Sink::start().await, Sink::start().await);
    let channel = story.channel(&broken, json!({"ladder": "1s", "name": "Broken"})).await;
    story.channel(&well, json!({"name": "Well"})).await;
    broken.behave((0..4).map(|_| Manner::status(500)));
    for place in 0..2 {
        story.publish(&format!("Number {place}")).await;
        story.advance(2_000).await;
    }
    let group = format!("messages.failed:{}", channel["id"].as_str().unwrap());
    says(&story.page(&story.admin, "/attention").await, &["to Broken", "Try all 2 again", &group]);
    assert!(!story.page(&story.creator, "/attention").await.contains("Try all"));
    let form = [("id", group.as_str()), ("most", "2"), ("from", "/attention")];
    let refused = story.browser_of(&story.creator).await.form("/fn/retry_group", &form).await;
    assert!(!refused.header("location").contains("retried="), "{}", refused.header("location"));
    let browser = story.browser_of(&story.admin).await;
    let reply = browser.form("/fn/retry_group", &form).await;
    assert_eq!(reply.header("location"), "/attention?retried=2&refused=0");
    story.tick().await;
    assert_eq!((broken.received().len(), well.received().len()), (6, 2));
    assert_eq!(story.attention_count().await, 0);
    let again = browser.form("/fn/retry_group", &form).await;
    assert_eq!(again.header("location"), "/attention?retried=0&refused=0");
    story.ledger_agrees().await;
}
