//! Scheduling: what is refused, what is stored, what happens at its moment.

use crate::{
    house::Story,
    on_both,
    wish::{keyed, publish, unpublish},
};
use domain::{ArticleId, Kind, Refusal, State, TaskId, Version, task::TaskQuery};

on_both!(
    a_scheduled_article_is_public_at_its_moment_and_not_before,
    only_the_owner_and_admins_may_schedule,
    the_past_and_what_does_not_exist_are_refused,
    an_article_waits_to_be_published_once,
    only_what_is_public_by_then_can_be_unpublished,
    the_same_key_schedules_once,
    a_list_goes_on_by_its_cursor,
    a_list_is_narrowed,
    at_once_publishes_and_unpublishes,
    at_once_moves_what_waits_with_the_current_text,
    what_was_missed_is_on_attention_until_a_newer_task_deals_with_it,
    the_board_shows_what_is_next_and_what_was,
);

async fn a_scheduled_article_is_public_at_its_moment_and_not_before(story: Story) {
    let row = story.waiting("Spring", 60_000).await;
    assert_eq!((row.state, row.version, row.kind), (State::Scheduled, Version::FIRST, Kind::ArticlePublish));
    assert_eq!(
        (row.title.as_str(), row.may_change, row.owner_id),
        ("Spring", true, story.creator.actor.person)
    );
    story.advance(59_999).await;
    assert_eq!(story.public(ArticleId(row.target_id)).await, None);
    story.advance(1).await;
    assert!(story.public(ArticleId(row.target_id)).await.is_some());
    let task = story.house.desk.tasks.find(&story.creator.actor, row.id).await.unwrap();
    assert_eq!((task.row.state, task.revision, task.row.undo), (State::Executed, Some(1), None));
    assert_eq!(story.verbs(row.id).await, ["schedule", "execute"]);
    story.ledger_agrees().await;
}

async fn only_the_owner_and_admins_may_schedule(story: Story) {
    let tasks = &story.house.desk.tasks;
    let article = story.article("Mine").await;
    let wish = publish(article, story.now().plus(60_000));
    assert_eq!(tasks.schedule(&story.colleague.actor, wish.clone()).await, Err(Refusal::NotAllowed));
    assert_eq!(tasks.publish_at_once(&story.reviewer.actor, article).await, Err(Refusal::NotAllowed));
    let row = tasks.schedule(&story.admin.actor, wish).await.unwrap();
    assert_eq!(row.owner_id, story.creator.actor.person);
    let seen = tasks.find(&story.colleague.actor, row.id).await.unwrap();
    assert!(!seen.row.may_change);
}

async fn the_past_and_what_does_not_exist_are_refused(story: Story) {
    let tasks = &story.house.desk.tasks;
    let article = story.article("Late").await;
    let at = story.now().plus(-1);
    assert_eq!(tasks.schedule(&story.creator.actor, publish(article, at)).await, Err(Refusal::Past { at }));
    let nothing = publish(ArticleId::fresh(), story.now().plus(60_000));
    assert_eq!(tasks.schedule(&story.creator.actor, nothing).await, Err(Refusal::no_such("article")));
    let missing = tasks.find(&story.creator.actor, TaskId::fresh()).await;
    assert_eq!(missing, Err(Refusal::no_such("task")));
}

async fn an_article_waits_to_be_published_once(story: Story) {
    let row = story.waiting("Once", 60_000).await;
    let again = publish(ArticleId(row.target_id), story.now().plus(120_000));
    let (one, other) = tokio::join!(
        story.house.desk.tasks.schedule(&story.creator.actor, again.clone()),
        story.house.desk.tasks.schedule(&story.admin.actor, again),
    );
    for refused in [one, other] {
        let Err(Refusal::AlreadyScheduled { task }) = refused else { panic!("{refused:?}") };
        assert_eq!(task.id, row.id);
    }
}

async fn only_what_is_public_by_then_can_be_unpublished(story: Story) {
    let tasks = &story.house.desk.tasks;
    let article = story.article("Short").await;
    let end = unpublish(article, story.now().plus(120_000));
    assert_eq!(tasks.schedule(&story.creator.actor, end.clone()).await, Err(Refusal::NotPublished));
    tasks.schedule(&story.creator.actor, publish(article, story.now().plus(60_000))).await.unwrap();
    let row = tasks.schedule(&story.creator.actor, end).await.unwrap();
    story.advance(60_000).await;
    assert!(story.public(article).await.is_some());
    story.advance(60_000).await;
    assert_eq!(story.public(article).await, None);
    assert_eq!(story.look(row.id).await.state, State::Executed);
}

async fn the_same_key_schedules_once(story: Story) {
    let tasks = &story.house.desk.tasks;
    let article = story.article("Keyed").await;
    let actor = keyed(&story.creator.actor, "k1", "a");
    let wish = publish(article, story.now().plus(60_000));
    let (one, other) =
        tokio::join!(tasks.schedule(&actor, wish.clone()), tasks.schedule(&actor, wish.clone()));
    let (one, other) = (one.unwrap(), other.unwrap());
    assert_eq!(one.id, other.id);
    story.advance(61_000).await;
    let later = tasks.schedule(&actor, wish.clone()).await.unwrap();
    assert_eq!((later.id, later.state), (one.id, State::Executed));
    let reused = keyed(&story.creator.actor, "k1", "b");
    assert_eq!(tasks.schedule(&reused, wish.clone()).await, Err(Refusal::KeyReused));
    let refused = keyed(&story.creator.actor, "k2", "a");
    assert!(matches!(tasks.schedule(&refused, wish).await, Err(Refusal::Past { .. })));
    let freed = publish(article, story.now().plus(60_000));
    assert!(tasks.schedule(&refused, freed).await.is_ok(), "a refused request does not use up its key");
}

async fn a_list_goes_on_by_its_cursor(story: Story) {
    let tasks = &story.house.desk.tasks;
    for number in 0..5 {
        // Two at each moment: the id decides between them.
        story.waiting(&format!("Page {number}"), 60_000 * (number / 2 + 1)).await;
    }
    let (mut seen, mut cursor) = (Vec::new(), None);
    loop {
        let query = TaskQuery { limit: Some(2), cursor, ..TaskQuery::default() };
        let page = tasks.list(&story.creator.actor, query).await.unwrap();
        seen.extend(page.items.into_iter().map(|row| (row.due.at, row.id)));
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen.len(), 5);
    assert!(seen.is_sorted());
    let query = TaskQuery { cursor: Some("nonsense".to_owned()), ..TaskQuery::default() };
    let refused = tasks.list(&story.creator.actor, query).await.unwrap_err();
    assert_eq!(refused.field(), Some("cursor"));
}

async fn a_list_is_narrowed(story: Story) {
    let tasks = &story.house.desk.tasks;
    let first = story.waiting("Grüße 100% echt", 60_000).await;
    let second = story.waiting("春天来了", 120_000).await;
    let found = async |query: TaskQuery| {
        let page = tasks.list(&story.colleague.actor, query).await.unwrap();
        page.items.into_iter().map(|row| row.id).collect::<Vec<_>>()
    };
    let holds = |q: &str| TaskQuery { q: Some(q.to_owned()), ..TaskQuery::default() };
    assert_eq!(found(holds("grüße")).await, [first.id]);
    assert_eq!(found(holds("100% e")).await, [first.id]);
    assert_eq!(found(holds("%秋")).await, []);
    assert_eq!(found(holds("春天")).await, [second.id]);
    let from = Some(story.now().plus(60_001));
    assert_eq!(found(TaskQuery { from, ..TaskQuery::default() }).await, [second.id]);
    assert_eq!(found(TaskQuery { to: from, ..TaskQuery::default() }).await, [first.id]);
    let state = |state| TaskQuery { state: Some(state), ..TaskQuery::default() };
    assert_eq!(found(state(State::Scheduled)).await, [first.id, second.id]);
    assert_eq!(found(state(State::Executed)).await, []);
    let kind = |kind| TaskQuery { kind: Some(kind), ..TaskQuery::default() };
    assert_eq!(found(kind(Kind::ArticleUnpublish)).await, []);
    assert_eq!(found(kind(Kind::ArticlePublish)).await.len(), 2);
}

async fn at_once_publishes_and_unpublishes(story: Story) {
    let tasks = &story.house.desk.tasks;
    let article = story.article("Now").await;
    assert_eq!(tasks.unpublish_at_once(&story.creator.actor, article).await, Err(Refusal::NotPublished));
    let row = tasks.publish_at_once(&story.creator.actor, article).await.unwrap();
    assert_eq!((row.state, row.due.at), (State::Scheduled, story.now()));
    story.tick().await;
    assert!(story.public(article).await.is_some());
    story.advance(1_000).await;
    let row = tasks.unpublish_at_once(&story.creator.actor, article).await.unwrap();
    assert_eq!(row.undo.map(|undo| undo.verb).as_deref(), Some("unpublish"));
    story.tick().await;
    assert_eq!(story.public(article).await, None);
}

async fn at_once_moves_what_waits_with_the_current_text(story: Story) {
    let row = story.waiting("Moved", 600_000).await;
    let article = ArticleId(row.target_id);
    let now = story.house.desk.tasks.publish_at_once(&story.creator.actor, article).await.unwrap();
    assert_eq!((now.id, now.version, now.due.at), (row.id, Version(2), story.now()));
    story.tick().await;
    assert!(story.public(article).await.is_some());
    assert_eq!(story.verbs(row.id).await, ["schedule", "publish_now", "execute"]);
}

async fn what_was_missed_is_on_attention_until_a_newer_task_deals_with_it(story: Story) {
    let tasks = &story.house.desk.tasks;
    let row = story.waiting("Missed", 60_000).await;
    // Nobody ran the engine for longer than its late rule allows.
    story.advance(60_000 + 25 * 3_600_000).await;
    assert_eq!(story.look(row.id).await.state, State::Missed);
    let groups = tasks.attention(&story.creator.actor).await.unwrap();
    assert_eq!(groups.len(), 1);
    assert_eq!((groups[0].state, groups[0].total, groups[0].tasks[0].id), (State::Missed, 1, row.id));
    assert_eq!(groups[0].reason, "late");
    assert_eq!(tasks.board(&story.creator.actor).await.unwrap().attention, 1);
    let again = publish(ArticleId(row.target_id), story.now().plus(60_000));
    tasks.schedule(&story.creator.actor, again).await.unwrap();
    assert_eq!(tasks.attention(&story.creator.actor).await.unwrap(), []);
}

async fn the_board_shows_what_is_next_and_what_was(story: Story) {
    let later = story.waiting("Later", 120_000).await;
    let sooner = story.waiting("Sooner", 60_000).await;
    let board = story.house.desk.tasks.board(&story.creator.actor).await.unwrap();
    assert_eq!(board.next.iter().map(|row| row.id).collect::<Vec<_>>(), [sooner.id, later.id]);
    assert_eq!((board.scheduled, board.executed_today, board.attention), (2, 0, 0));
    story.advance(60_000).await;
    let board = story.house.desk.tasks.board(&story.creator.actor).await.unwrap();
    assert_eq!((board.next[0].id, board.recent[0].id), (later.id, sooner.id));
    assert_eq!((board.scheduled, board.executed_today), (1, 1));
}
