//! Many tasks in one request: all of them or none.

use crate::{
    house::Story,
    on_both,
    wish::{keyed, publish, unpublish},
};
use domain::{ArticleId, Refusal, refusal::Problem, task::NewTask};

on_both!(
    the_wrong_ones_are_named_by_their_place_and_nothing_is_stored,
    many_go_in_together,
    more_than_ten_thousand_are_refused,
    a_repeated_request_answers_the_same_tasks,
    a_publish_of_the_same_request_makes_an_unpublish_possible,
);

async fn wishes(story: &Story, count: usize) -> Vec<NewTask> {
    let mut wishes = Vec::new();
    for number in 0..count {
        let article = story.article(&format!("Bulk {number}")).await;
        wishes.push(publish(article, story.now().plus(3_600_000)));
    }
    wishes
}

async fn the_wrong_ones_are_named_by_their_place_and_nothing_is_stored(story: Story) {
    let mut wishes = wishes(&story, 3).await;
    wishes[1].when = story.now().plus(-1).into();
    wishes.push(wishes[0].clone());
    wishes.push(publish(ArticleId::fresh(), story.now().plus(60_000)));
    let tasks = &story.house.desk.tasks;
    let refused = tasks.schedule_all(&story.creator.actor, wishes).await;
    let Err(Refusal::Bulk { items }) = refused else { panic!("{refused:?}") };
    let codes: Vec<_> = items.iter().map(|(place, refusal)| (*place, refusal.code())).collect();
    assert_eq!(codes, [(1, "past"), (3, "invalid"), (4, "no_such")]);
    assert_eq!(tasks.board(&story.creator.actor).await.unwrap().scheduled, 0);
}

async fn many_go_in_together(story: Story) {
    let articles = story.articles(1_000).await;
    let wishes: Vec<_> = articles.iter().map(|id| publish(*id, story.now().plus(3_600_000))).collect();
    let rows = story.house.desk.tasks.schedule_all(&story.creator.actor, wishes).await.unwrap();
    assert_eq!(rows.len(), 1_000);
    assert!(rows.iter().zip(&articles).all(|(row, article)| row.target_id == article.0));
    story.advance(3_600_000).await;
    let board = story.house.desk.tasks.board(&story.creator.actor).await.unwrap();
    assert_eq!((board.scheduled, board.executed_today), (0, 1_000));
}

async fn more_than_ten_thousand_are_refused(story: Story) {
    let wish = publish(ArticleId::fresh(), story.now().plus(60_000));
    let tasks = &story.house.desk.tasks;
    let refused = tasks.schedule_all(&story.creator.actor, vec![wish; 10_001]).await;
    assert_eq!(refused, Err(Refusal::invalid("items", Problem::TooMany { max: 10_000 })));
}

async fn a_repeated_request_answers_the_same_tasks(story: Story) {
    let wishes = wishes(&story, 3).await;
    let actor = keyed(&story.creator.actor, "bulk", "a");
    let tasks = &story.house.desk.tasks;
    let one = tasks.schedule_all(&actor, wishes.clone()).await.unwrap();
    let other = tasks.schedule_all(&actor, wishes).await.unwrap();
    assert_eq!(one, other);
    assert_eq!(tasks.board(&actor).await.unwrap().scheduled, 3);
}

async fn a_publish_of_the_same_request_makes_an_unpublish_possible(story: Story) {
    let mut wishes = wishes(&story, 1).await;
    wishes.push(unpublish(ArticleId(wishes[0].target_id), story.now().plus(7_200_000)));
    assert!(story.house.desk.tasks.schedule_all(&story.creator.actor, wishes).await.is_ok());
}
