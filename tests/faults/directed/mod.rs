//! Directed scenes: for each mutant the one fault in which it fails, on one process of the built
//! program.
//!
//! Each scene runs twice: with the mutant, where the observers must detect a violation, and with
//! the normal build, where they must not. Nothing is random: a scene waits for the state that it
//! needs.

mod deliveries;
pub mod node;
mod publishing;

use crate::faults::say;
use futures::{FutureExt, StreamExt, future::LocalBoxFuture, stream};
use node::{Template, TestNode};
use std::time::Instant;

/// The observers' result: no violation, or which one.
type Verdict = Result<(), String>;
type Scene = for<'d> fn(&'d TestNode) -> LocalBoxFuture<'d, Verdict>;

/// Each mutant with its scene.
const SCENES: [(&str, Scene); 10] = [
    ("no-sweeper", |node| publishing::redis_loses_one_hint(node).boxed_local()),
    ("check-then-act", |node| publishing::a_slow_cancellation_commits_after_the_due_time(node).boxed_local()),
    ("effect-then-mark", |node| publishing::a_node_crashes_between_two_writes(node).boxed_local()),
    ("mark-then-effect", |node| publishing::a_node_crashes_between_two_writes(node).boxed_local()),
    ("trust-hint-time", |node| publishing::a_hint_arrives_too_early(node).boxed_local()),
    ("popped-means-allowed", |node| publishing::a_hint_of_a_cancelled_task_arrives(node).boxed_local()),
    ("no-approval", |node| publishing::an_approval_is_withdrawn(node).boxed_local()),
    ("reschedule-unguarded", |node| publishing::a_published_article_is_rescheduled(node).boxed_local()),
    ("record-without-epoch", |node| deliveries::a_response_arrives_after_the_lease(node).boxed_local()),
    ("hard-cancel-always", |node| deliveries::a_message_being_sent_is_cancelled(node).boxed_local()),
];
/// Scenes that run at the same time: they mostly wait.
const PARALLEL_SCENES: usize = 4;

/// Runs one scene with one build.
async fn run_scene(template: &Template, mutant: Option<&'static str>, scene: Scene) -> Verdict {
    let node = template.start_node(mutant).await;
    scene(&node).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_mutant_is_detected_in_its_scene() {
    let (template, began) = (Template::prepare().await, Instant::now());
    let runs = SCENES.into_iter().flat_map(|(name, scene)| [(name, scene, true), (name, scene, false)]);
    let results = stream::iter(runs).map(|(name, scene, is_mutant)| {
        let template = &template;
        async move { (name, is_mutant, run_scene(template, is_mutant.then_some(name), scene).await) }
    });
    let (mut wrong, mut results) = (Vec::new(), results.buffered(PARALLEL_SCENES));
    while let Some((name, is_mutant, verdict)) = results.next().await {
        match (is_mutant, verdict) {
            (true, Err(what)) => say(&format!("{name}: detected: {what}")),
            (true, Ok(())) => wrong.push(format!("{name} was not detected")),
            (false, Ok(())) => {}
            (false, Err(what)) => wrong.push(format!("normal build, scene of {name}: {what}")),
        }
    }
    say(&format!("directed scenes with {} processes in {:.1?}", 2 * SCENES.len(), began.elapsed()));
    assert!(wrong.is_empty(), "{wrong:#?}");
}
