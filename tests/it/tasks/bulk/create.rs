//! Many tasks in one request: all or none.

use crate::{
    new_task::{keyed, publish, unpublish},
    on_both,
    test_server::TestServer,
};
use domain::{ArticleId, DomainError, error::ValidationError, task::NewTask};

on_both!(
    invalid_items_are_named_by_index_and_nothing_is_stored,
    a_thousand_tasks_are_scheduled_in_one_request,
    more_than_ten_thousand_are_refused,
    a_repeated_request_returns_the_same_tasks,
    an_unpublish_may_follow_a_publish_in_the_same_request,
);

async fn new_tasks(server: &TestServer, count: usize) -> Vec<NewTask> {
    let mut new_tasks = Vec::new();
    for number in 0..count {
        let article = server.create_article(&format!("Bulk {number}")).await;
        new_tasks.push(publish(article, server.now().plus(3_600_000)));
    }
    new_tasks
}

async fn invalid_items_are_named_by_index_and_nothing_is_stored(server: TestServer) {
    let mut new_tasks = new_tasks(&server, 3).await;
    new_tasks[1].when = server.now().plus(-1).into();
    new_tasks.push(new_tasks[0].clone());
    new_tasks.push(publish(ArticleId::generate(), server.now().plus(60_000)));
    let tasks = &server.app.services.tasks;
    let refused = tasks.schedule_all(&server.creator.actor, new_tasks).await;
    let Err(DomainError::Bulk { items, .. }) = refused else { panic!("{refused:?}") };
    let codes: Vec<_> = items.iter().map(|(index, refusal)| (*index, refusal.code())).collect();
    assert_eq!(codes, [(1, "past"), (3, "invalid"), (4, "no_such")]);
    assert_eq!(tasks.dashboard(&server.creator.actor, false).await.unwrap().scheduled, 0);
}

async fn a_thousand_tasks_are_scheduled_in_one_request(server: TestServer) {
    let articles = server.create_articles(1_000).await;
    let new_tasks: Vec<_> = articles.iter().map(|id| publish(*id, server.now().plus(3_600_000))).collect();
    let rows = server.app.services.tasks.schedule_all(&server.creator.actor, new_tasks).await.unwrap();
    assert_eq!(rows.len(), 1_000);
    assert!(rows.iter().zip(&articles).all(|(row, article)| row.target_id == article.0));
    server.advance(3_600_000).await;
    let dashboard = server.app.services.tasks.dashboard(&server.creator.actor, false).await.unwrap();
    assert_eq!((dashboard.scheduled, dashboard.executed_today), (0, 1_000));
}

async fn more_than_ten_thousand_are_refused(server: TestServer) {
    let new_task = publish(ArticleId::generate(), server.now().plus(60_000));
    let tasks = &server.app.services.tasks;
    let refused = tasks.schedule_all(&server.creator.actor, vec![new_task; 10_001]).await;
    assert_eq!(refused, Err(DomainError::invalid("items", ValidationError::TooMany { max: 10_000 })));
}

async fn a_repeated_request_returns_the_same_tasks(server: TestServer) {
    let new_tasks = new_tasks(&server, 3).await;
    let actor = keyed(&server.creator.actor, "bulk", "a");
    let tasks = &server.app.services.tasks;
    let one = tasks.schedule_all(&actor, new_tasks.clone()).await.unwrap();
    let other = tasks.schedule_all(&actor, new_tasks).await.unwrap();
    assert_eq!(one, other);
    assert_eq!(tasks.dashboard(&actor, false).await.unwrap().scheduled, 3);
}

async fn an_unpublish_may_follow_a_publish_in_the_same_request(server: TestServer) {
    let mut new_tasks = new_tasks(&server, 1).await;
    new_tasks.push(unpublish(ArticleId(new_tasks[0].target_id), server.now().plus(7_200_000)));
    assert!(server.app.services.tasks.schedule_all(&server.creator.actor, new_tasks).await.is_ok());
}
