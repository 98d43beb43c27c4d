//! An approval and a deadline at the same time: one wins.
//!
//! On PostgreSQL the two go through two nodes. `FAULTS_LONG=1` runs 10,000.

use super::MINUTE;
use crate::{
    on_both,
    test_server::{Backend, TestServer},
};
use domain::{
    ArticleId, DomainError,
    review::workflow::{Review, ReviewProblem, ReviewState},
};
use serde_json::json;

on_both!(s1_an_approval_and_its_deadline_have_one_winner);

/// Number of races.
fn races() -> usize {
    #[expect(clippy::disallowed_methods, reason = "runs are chosen by environment variables")]
    let is_long = std::env::var("FAULTS_LONG").is_ok();
    if is_long { 10_000 } else { 100 }
}

/// Number of reviews with one deadline.
const BATCH: usize = 20;

async fn s1_an_approval_and_its_deadline_have_one_winner(server: TestServer) {
    let deadline = json!({"after_submit": 1, "decision": "send_back"});
    server.set_workflow("one_reviewer", json!({"deadline": deadline})).await;
    let other = server.open_second_node().await;
    let services = match server.backend {
        Backend::Embedded => &server.app.services,
        Backend::Servers => &other.services,
    };
    let reviewer = &server.reviewer.actor;
    let mut approvals = 0;
    for _ in 0..races() / BATCH {
        let mut reviews: Vec<Review> = Vec::new();
        for number in 0..BATCH {
            let article = server.write(&format!("Race {number}"), "A text.").await;
            let id: ArticleId = article["id"].as_str().unwrap().parse().unwrap();
            reviews
                .push(server.app.services.reviews.submit(&server.creator.actor, id, 1, None).await.unwrap());
        }
        server.advance_without_loops(MINUTE);
        server.align_database_clock(&other);
        let decisions = reviews.iter().map(|review| {
            services.reviews.approve(reviewer, review.article_id, (review.revision, review.hash.clone()))
        });
        let (results, ()) = tokio::join!(futures::future::join_all(decisions), server.tick());
        server.tick().await;
        for (review, result) in reviews.iter().zip(results) {
            let found = server.app.services.reviews.find(reviewer, review.article_id).await.unwrap().unwrap();
            match result {
                Ok(_) => {
                    approvals += 1;
                    assert_eq!(
                        (found.state, found.reviewer.as_deref()),
                        (ReviewState::Approved, Some("reviewer"))
                    );
                }
                Err(DomainError::Changed | DomainError::Review { problem: ReviewProblem::Closed { .. } }) => {
                    assert_eq!((found.state, found.reviewer), (ReviewState::Expired, None));
                }
                Err(refusal) => panic!("{refusal:?}"),
            }
        }
    }
    assert!(approvals <= races());
    server.assert_execution_records_match().await;
    other.close().await;
}
